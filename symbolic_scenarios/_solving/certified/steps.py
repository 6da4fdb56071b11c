"""Conditions with more steps than are worth cutting at, decided for a whole cell at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from ..._tree import Tree, name, walk
from .cells import Cell
from .derivative import ZERO
from .enclosure import value_range
from .interval import between, working_precision
from .points import PRECISIONS
from .products import Polynomial, X, tree_of
from .resolution import HOLDS, PARTIAL, Resolver, UndefinedError, difference
from .signs import sign_of_constant

_KINKED = frozenset({"abs", "sign", "min", "max", "floor", "ceiling", "mod", "piecewise", "sum"})
_STEPS = frozenset({"floor", "ceiling", "mod"})


def has_steps(tree: Tree) -> bool:
    """Whether a tree has a floor, a ceiling or a remainder in it."""
    return any(part.head in _STEPS for part in walk(tree))


def _without_steps(tree: Tree) -> Tree:
    """Return a tree that is defined where the one with steps is: of a floor its argument, of a mod its quotient."""
    if not tree.args or tree.is_condition:
        return tree
    args = tuple(_without_steps(arg) for arg in tree.args)
    if tree.head in ("floor", "ceiling"):
        return args[0]
    return Tree("/" if tree.head == "mod" else tree.head, args, tree.leaf)


class Coarse:
    """Decides conditions in a cell where they step too often to be cut: `floor(u)` is `u` less something below one."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.unknown = resolver.unknown

    def truth(self, condition: Tree, cell: Cell) -> bool | None:
        """Return whether a condition holds everywhere in a cell (or nowhere); `None` where that is not known."""
        head, args = condition.head, condition.args
        if head in ("true", "false"):
            return head == "true"
        if head in ("and", "or"):
            return self._joined(condition, cell)
        if head == "not":
            inner = self.truth(args[0], cell)
            return None if inner is None else not inner
        if not all(self._is_defined(arg, cell) for arg in args):
            return None
        return self._relation(condition, cell)

    def _joined(self, condition: Tree, cell: Cell) -> bool | None:
        decisive = condition.head == "or"
        parts: list[bool | None] = []
        for arg in condition.args:
            try:
                parts.append(self.truth(arg, cell))
            except UndefinedError:
                if None not in parts:  # what comes first may decide before the undefined part is looked at
                    raise
                parts.append(None)
            if parts[-1] is decisive and None not in parts:
                return decisive
        return None if None in parts else not decisive

    def _is_defined(self, tree: Tree, cell: Cell) -> bool:
        """Whether a tree has a value in the whole cell. May raise as `Resolver.smooth` does."""
        for part in walk(tree):
            if part.head in ("piecewise", "sum"):
                return False
            if part.head in PARTIAL and any(inner.head in _STEPS for arg in part.args for inner in walk(arg)):
                return self._is_surely_defined(tree, cell)
        self.resolver.smooth(_without_steps(tree), cell)
        return True

    def _is_surely_defined(self, tree: Tree, cell: Cell) -> bool:
        """Whether a tree with steps under a quotient, power or logarithm has a value in the whole cell.

        Raises:
            UndefinedError: It has none in the whole cell.
        """
        lo, hi = cell.outer
        ranges = {self.unknown: between(lo, hi, True, True)}
        with working_precision(PRECISIONS[0]):
            return all(self._is_part_defined(part, ranges) for part in walk(tree))

    def _is_part_defined(self, part: Tree, ranges: Any) -> bool:
        head, args = part.head, part.args
        if head not in PARTIAL and head != "mod":
            return True
        if head in ("/", "mod"):
            return bool(value_range(args[1], ranges).sign)
        sign = value_range(args[0], ranges).sign
        if head == "**":
            leaf = args[1].leaf if args[1].head == "number" else None
            whole = leaf is not None and bool(leaf.is_Integer)
            return sign == 1 or (leaf is not None and whole and (leaf >= 0 or bool(sign)))
        if head == "log" and sign in (-1, 0):
            raise UndefinedError
        return head == "log" and sign == 1

    def _relation(self, condition: Tree, cell: Cell) -> bool | None:
        tree = difference(*condition.args)
        lo, hi = cell.outer
        here = between(lo, hi, True, True)
        with working_precision(PRECISIONS[0]):
            signs = [value_range(tree, {self.unknown: here})]
            relaxed, parts = self._relaxed(tree)
            if not any(part.head in _KINKED for part in walk(relaxed)):
                form = self.resolver.form(relaxed, cell)
                if form is not None and form.below == {(): Fraction(1)}:
                    ranges = {self.unknown: here, **{leaf: between(*ends) for leaf, ends in parts.items()}}
                    signs.append(value_range(_gathered(form.above, self.unknown), ranges))
        for one in signs:
            if (holds := _decided(condition.head, one)) is not None:
                return holds
        return None

    def _relaxed(self, tree: Tree) -> tuple[Tree, dict[Any, tuple[Fraction, Fraction, bool, bool]]]:
        parts: dict[Any, tuple[Fraction, Fraction, bool, bool]] = {}
        seen: dict[Tree, Tree] = {}

        def relax(part: Tree) -> Tree:
            if not part.args or part.is_condition:
                return part
            if part in seen:
                return seen[part]
            args = tuple(relax(arg) for arg in part.args)
            new = Tree(part.head, args, part.leaf)
            if part.head in ("floor", "ceiling"):
                leaf = sympy.Dummy("part")
                parts[leaf] = (
                    (Fraction(-1), Fraction(0), True, False)
                    if part.head == "floor"
                    else (Fraction(0), Fraction(1), False, True)
                )
                new = Tree("+", (args[0], name(leaf)))
            elif part.head == "mod" and sign_of_constant(part.args[1]) == 1:
                leaf = sympy.Dummy("part")
                parts[leaf] = (Fraction(0), Fraction(1), False, True)
                new = Tree("*", (name(leaf), args[1]))
            seen[part] = new
            return new

        return relax(tree), parts


def _gathered(above: Polynomial, unknown: Any) -> Tree:
    """Return a polynomial with the powers of the unknown nested (Horner), so that each occurs once if it is linear."""
    linear = all(
        dict(monomial).get(X, Fraction(0)).denominator == 1 and dict(monomial).get(X, Fraction(0)) >= 0
        for monomial in above
    )
    if not linear:
        return tree_of(above, unknown)
    degree = max((int(dict(monomial).get(X, Fraction(0))) for monomial in above), default=0)
    tree: Tree = ZERO
    for k in range(degree, -1, -1):
        part = {
            tuple(item for item in m if item[0] != X): c for m, c in above.items() if dict(m).get(X, Fraction(0)) == k
        }
        step = tree_of(part, unknown)
        tree = step if tree == ZERO else Tree("+", (Tree("*", (tree, name(unknown))), step))
    return tree


def _decided(head: str, values: Any) -> bool | None:
    """Return what a relation says for all differences in an interval, if it says the same for all."""
    signs = set()
    if values.sign is not None:
        signs = {values.sign}
    elif values.lo is not None and values.lo >= 0:
        signs = {0, 1}
    elif values.hi is not None and values.hi <= 0:
        signs = {-1, 0}
    else:
        return None
    answers = {HOLDS[head](sign) for sign in signs}
    return answers.pop() if len(answers) == 1 else None
