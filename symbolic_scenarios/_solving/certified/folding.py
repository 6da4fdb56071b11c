"""Arithmetic on plain numbers inside a tree, done at once: a whole exponent must be seen as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy

from ..._tree import Tree, number, replaced, symbols

_MOST_BITS = 4_000


def with_values(tree: Tree, unknown: Any, values: Mapping[Any, Fraction]) -> Tree:
    """Return a tree in which only the unknown is left.

    Raises:
        KeyError: A symbol has no value.
    """
    names = [leaf for leaf in symbols(tree) if leaf != unknown]
    numbers = {leaf: number(sympy.Rational(values[leaf].numerator, values[leaf].denominator)) for leaf in names}
    return folded(replaced(tree, numbers))


def folded(tree: Tree) -> Tree:
    """Return the tree with every operation on rational numbers carried out, except where it has no value."""
    if not tree.args or tree.head == "sum":
        return tree
    args = tuple(folded(arg) for arg in tree.args)
    same = all(new is old for new, old in zip(args, tree.args, strict=True))
    return folded_once(tree if same else Tree(tree.head, args, tree.leaf))


def folded_once(tree: Tree) -> Tree:
    """Return the tree with its outermost operation carried out, if all it works on are rational numbers."""
    if tree.head not in _OPERATIONS or not all(arg.head == "number" and arg.leaf.is_Rational for arg in tree.args):
        return tree
    value = _OPERATIONS[tree.head](*(arg.leaf for arg in tree.args))
    return tree if value is None else Tree("number", leaf=value)


def _quotient(above: Any, below: Any) -> Any:
    return above / below if below else None


def _power(base: Any, exponent: Any) -> Any:
    if not exponent.is_Integer or (not base and exponent < 0):
        return None
    bits = max(int(base.p).bit_length(), int(base.q).bit_length())
    return base**exponent if bits * abs(int(exponent)) <= _MOST_BITS else None


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda *args: reduce(lambda a, b: a + b, args),
    "*": lambda *args: reduce(lambda a, b: a * b, args),
    "-": lambda a, b: a - b,
    "neg": lambda a: -a,
    "/": _quotient,
    "**": _power,
}
