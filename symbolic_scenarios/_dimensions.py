"""The dimension of an expression, checked once, when the class is made.

A dimension is a mapping from base dimension to exponent (`{"information": 1, "time": -1}`). `ANY` is the dimension of a
bare zero or infinity, which fits any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NoReturn

from ._text import text
from ._tree import RELATIONS, Tree
from ._units import base_unit, unit_text
from .errors import DimensionError

Dimension = tuple[tuple[str, Fraction], ...]
"""Base dimensions and exponents in the order of their names; empty for a plain number."""

NUMBER: Dimension = ()
ANY = None

_SAME = frozenset({"+", "-", "min", "max", "mod", *RELATIONS})
_KEPT = frozenset({"neg", "abs"})
_TRUTHS = frozenset({"and", "or", "not", "true", "false"})


class DimensionChecker:
    """Finds the dimension of trees whose names have known dimensions.

    Args:
        known: What each leaf stands for: something with a `dimension` and a `unit`.
        place: Where the tree stands, for messages.
    """

    def __init__(self, known: Mapping[Any, Any], place: str) -> None:
        self.known = known
        self.place = place

    def dimension(self, tree: Tree) -> Dimension | None:
        """Return the dimension of a tree.

        Raises:
            DimensionError: Parts of it do not fit together.
        """
        head, args = tree.head, tree.args
        if head == "name":
            # A name that stands for nothing declared is the index of a sum.
            return self.known[tree.leaf].dimension if tree.leaf in self.known else NUMBER
        if head == "number":
            return ANY if tree.leaf.is_zero or tree.leaf.is_infinite else NUMBER
        if head in _TRUTHS:
            for arg in args:
                self.dimension(arg)
            return NUMBER
        rules: dict[str, Callable[[Tree], Dimension | None]] = {
            "*": self._product,
            "/": self._quotient,
            "**": self._power,
            "piecewise": self._piecewise,
            "sum": self._sum,
        }
        if head in rules:
            return rules[head](tree)
        if head in _SAME:
            same = self._same(tree, args)
            return NUMBER if head in RELATIONS else same
        if head in _KEPT:
            return self.dimension(args[0])
        if head == "sign":
            self.dimension(args[0])
            return NUMBER
        return self._of_plain_numbers(tree)

    def _same(self, tree: Tree, parts: tuple[Tree, ...]) -> Dimension | None:
        known: Dimension | None = ANY
        first = parts[0]
        for part in parts:
            found = self.dimension(part)
            if found is ANY:
                continue
            if known is ANY:
                known, first = found, part
            elif found != known:
                self._refuse(
                    f"the parts of `{text(tree)}` have different dimensions",
                    found=self._in_unit(part, found),
                    expected=f"{self._unit(first, known)}, as `{text(first)}` has",
                    hint=_hint_for(found, known),
                )
        return known

    def _product(self, tree: Tree) -> Dimension | None:
        return _combined([(self.dimension(arg), Fraction(1)) for arg in tree.args])

    def _quotient(self, tree: Tree) -> Dimension | None:
        above, below = (self.dimension(arg) for arg in tree.args)
        return _combined([(above, Fraction(1)), (below, Fraction(-1))])

    def _power(self, tree: Tree) -> Dimension | None:
        base, exponent = tree.args
        raised, by = self.dimension(base), self.dimension(exponent)
        if by not in (NUMBER, ANY):
            self._refuse(
                f"the exponent of `{text(tree)}` must be a plain number",
                found=self._in_unit(exponent, by),
                hint="Divide it by a quantity of its dimension.",
            )
        if raised in (NUMBER, ANY):
            return raised
        if exponent.head == "neg" and exponent.args[0].head == "number":
            power = -exponent.args[0].leaf
        elif exponent.head == "number":
            power = exponent.leaf
        elif exponent.head == "/" and all(arg.head == "number" for arg in exponent.args):
            power = exponent.args[0].leaf / exponent.args[1].leaf
        else:
            power = None
        if power is None or not power.is_Rational:
            self._refuse(
                f"in `{text(tree)}` the unit of the result would depend on the exponent",
                found=f"`{text(base)}` in {self._unit(base, raised)} to the power of `{text(exponent)}`",
                hint="Raise a ratio of two such quantities to that power.",
            )
        return _combined([(raised, Fraction(int(power.p), int(power.q)))])

    def _piecewise(self, tree: Tree) -> Dimension | None:
        for _, condition in tree.pieces:
            self.dimension(condition)
        return self._same(tree, tuple(value for value, _ in tree.pieces))

    def _sum(self, tree: Tree) -> Dimension | None:
        body, _, low, high = tree.args
        for end in (low, high):
            if self.dimension(end) not in (NUMBER, ANY):
                self._refuse(
                    f"the ends of `{text(tree)}` must be plain numbers",
                    found=self._in_unit(end, self.dimension(end)),
                )
        return self.dimension(body)

    def _of_plain_numbers(self, tree: Tree) -> Dimension:
        for arg in tree.args:
            found = self.dimension(arg)
            if found not in (NUMBER, ANY):
                self._refuse(
                    f"`{text(tree)}` needs a plain number",
                    found=self._in_unit(arg, found),
                    hint="Divide it by a quantity of its dimension.",
                )
        return NUMBER

    def _in_unit(self, tree: Tree, dimension: Dimension | None) -> str:
        return f"`{text(tree)}` in {self._unit(tree, dimension)}" if dimension else f"`{text(tree)}`, a plain number"

    def _unit(self, tree: Tree, dimension: Dimension | None) -> str:
        if tree.head == "name" and dimension:
            return unit_text(self.known[tree.leaf].unit)
        return unit_of(dimension)

    def _refuse(self, problem: str, **parts: Any) -> NoReturn:
        raise DimensionError(problem, place=self.place, **parts)


def unit_of(dimension: Dimension | None) -> str:
    """Return the base unit of a dimension as text for a message."""
    return unit_text(base_unit(dimension)) if dimension else "a plain number"


def _combined(parts: list[tuple[Dimension | None, Fraction]]) -> Dimension | None:
    if all(dimension is ANY for dimension, _ in parts):
        return ANY  # only a bare zero fits any dimension: `0 * size` is a size
    exponents: dict[str, Fraction] = {}
    for dimension, power in parts:
        for base, exponent in dimension or ():
            exponents[base] = exponents.get(base, Fraction(0)) + exponent * power
    return tuple(sorted((base, exponent) for base, exponent in exponents.items() if exponent))


def _hint_for(found: Dimension, known: Dimension) -> str:
    inverse = tuple((base, -exponent) for base, exponent in known)
    if found and found == inverse:
        return "One is the reciprocal of the other: invert one of them."
    if NUMBER in (found, known):
        return "A plain number in it needs a unit: make it an Input or a Constant."
    return "Bring both to one dimension, or look for a missing factor."
