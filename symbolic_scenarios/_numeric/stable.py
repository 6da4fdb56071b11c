"""Rewriting for float64: the same value, in a form that does not cancel.

`1 - (1 - p)**n` loses every digit at small p; `-expm1(n*log1p(-p))` loses none. `1/a - 1/b` cancels where a and b are
near; `(b - a)/(a*b)` cancels only in `b - a`, where nothing is rounded before. What such rules do not reach is caught
at run time by its error bound, and computed to more digits.
"""

from __future__ import annotations

from collections.abc import Callable

from .._tree import Tree, number

_ONE = number(1)

Opened = Callable[[Tree], Tree]
"""What a name stands for where that may be looked at, else the name itself."""


def stable(tree: Tree, is_positive: Callable[[Tree], bool], opened: Opened) -> Tree:
    """Return a tree of the same value that cancels less.

    Args:
        tree: An expression.
        is_positive: Whether a tree is known to be positive.
        opened: The expression behind the name of a property, where it may stand for the name.
    """
    args = tuple(stable(arg, is_positive, opened) for arg in tree.args)
    tree = Tree(tree.head, args, tree.leaf) if args else tree
    if tree.head == "log" and (shift := _shift_from_one(args[0])) is not None:
        return Tree("log1p", (shift,))
    if tree.head == "-":
        left, right = args
        if right == _ONE and (logarithm := _logarithm(left, is_positive)) is not None:
            return Tree("expm1", (logarithm,))
        if left == _ONE and (logarithm := _logarithm(right, is_positive)) is not None:
            return Tree("neg", (Tree("expm1", (logarithm,)),))
        return _difference_of_quotients(opened(left), opened(right)) or tree
    return tree


def _shift_from_one(tree: Tree) -> Tree | None:
    """Return x where the tree is `1 + x` or `x + 1` or `1 - x`."""
    if tree.head == "+" and len(tree.args) == 2 and _ONE in tree.args:
        left, right = tree.args
        return right if left == _ONE else left
    if tree.head == "-" and tree.args[0] == _ONE:
        return Tree("neg", (tree.args[1],))
    return None


def _logarithm(tree: Tree, is_positive: Callable[[Tree], bool]) -> Tree | None:
    """Return the logarithm of a tree that is an exponential, or a power of `1 + x` or `1 - x`."""
    if tree.head == "exp":
        return tree.args[0]
    if tree.head == "**" and is_positive(tree.args[0]):
        base, exponent = tree.args
        shift = _shift_from_one(base)
        return None if shift is None else Tree("*", (exponent, Tree("log1p", (shift,))))
    return None


def _difference_of_quotients(left: Tree, right: Tree) -> Tree | None:
    """Return `n*(b - a)/(a*b)` for `n/a - n/b`."""
    if left.head != "/" or right.head != "/" or left.args[0] != right.args[0]:
        return None
    above, a = left.args
    b = right.args[1]
    difference = Tree("-", (b, a))
    return Tree("/", (difference if above == _ONE else Tree("*", (above, difference)), Tree("*", (a, b))))
