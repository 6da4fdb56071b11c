"""The pieces of a solution set, and what they are where every other input has a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from .conditions import Sign
from .values import NoValueError, compare, expression_value, floor_of, real, sign_at


@dataclass(frozen=True)
class Piece:
    """A point or an interval of the solution set, and when it belongs to it.

    Attributes:
        low: The lower end in closed form, or minus infinity; of a point its value.
        high: The upper end.
        low_open: Whether the lower end does not belong to it.
        high_open: Whether the upper end does not.
        integers: Whether only the whole numbers in it count; its finite ends are whole then.
        conditions: What must hold, all of it.
    """

    low: Any
    high: Any
    low_open: bool = False
    high_open: bool = False
    integers: bool = False
    conditions: tuple[Sign, ...] = ()

    @property
    def is_point(self) -> bool:
        """Whether this is one value."""
        return bool(self.low == self.high)

    @property
    def span(self) -> tuple[Any, Any, bool, bool]:
        """The ends, and whether they are open."""
        return self.low, self.high, self.low_open, self.high_open

    @property
    def symbols(self) -> set[Any]:
        """The symbols in the ends and the conditions."""
        return set().union(
            self.low.free_symbols, self.high.free_symbols, *(one.expression.free_symbols for one in self.conditions)
        )


@dataclass(frozen=True)
class Found:
    """A part of a solution set in numbers: `low` to `high`, `None` for an infinite end; a point where both are one."""

    low: Any
    high: Any
    low_open: bool = False
    high_open: bool = False
    integers: bool = False

    @property
    def is_point(self) -> bool:
        """Whether this is one value."""
        return self.low is not None and self.high is not None and compare(self.low, self.high) == 0

    def contains(self, number: Any) -> bool:
        """Whether a number lies in it."""
        low = 1 if self.low is None else compare(number, self.low)
        high = 1 if self.high is None else compare(self.high, number)
        return (low > 0 or (low == 0 and not self.low_open)) and (high > 0 or (high == 0 and not self.high_open))


def holds(one: Sign, values: Mapping[Any, Fraction]) -> bool:
    """Whether a condition holds; not where it has no value."""
    try:
        sign = sign_at(one.expression, values)
    except NoValueError:
        return False
    return {">": sign > 0, ">=": sign >= 0, "!=": sign != 0, "==": sign == 0}[one.relation]


def merged(pieces: Iterable[Piece], values: Mapping[Any, Fraction]) -> tuple[Found, ...]:
    """Return the union of the pieces whose conditions hold, as disjoint parts in order."""
    found = [part for piece in pieces if (part := _found(piece, values)) is not None]
    found.sort(key=_start)
    union: list[Found] = []
    for part in found:
        joined = _joined(union[-1], part) if union else None
        if joined is None:
            union.append(part)
        else:
            union[-1] = joined
    return tuple(union)


def _start(part: Found) -> tuple[Any, bool]:
    return (float("-inf") if part.low is None else real(part.low), part.low_open)


def _found(piece: Piece, values: Mapping[Any, Fraction]) -> Found | None:
    if not all(holds(one, values) for one in piece.conditions):
        return None
    low = None if piece.low == -sympy.oo else expression_value(piece.low, values)
    high = None if piece.high == sympy.oo else expression_value(piece.high, values)
    if piece.integers and piece.is_point:
        whole = floor_of(low)
        return Found(whole, whole, integers=True) if compare(low, whole) == 0 else None
    if low is not None and high is not None:
        order = compare(high, low)
        if order < 0 or (order == 0 and (piece.low_open or piece.high_open)):
            return None
    return Found(low, high, piece.low_open or low is None, piece.high_open or high is None, piece.integers)


def _joined(one: Found, other: Found) -> Found | None:
    """Return the union of two parts of which the first begins first, where it is one part."""
    if one.high is not None and other.low is not None:
        reach = compare(one.high + (1 if one.integers else 0), other.low)
        if reach < 0 or (reach == 0 and not one.integers and one.high_open and other.low_open):
            return None
        if one.integers and (one.is_point or other.is_point) and compare(one.high, other.low) < 0:
            return None
    low, low_open = one.low, one.low_open
    if other.low is not None and low is not None and compare(low, other.low) == 0:
        low_open = low_open and other.low_open
    if one.high is None or other.high is None:
        return Found(low, None, low_open, True, one.integers)
    order = compare(one.high, other.high)
    high = one.high if order >= 0 else other.high
    high_open = one.high_open and other.high_open if order == 0 else one.high_open if order > 0 else other.high_open
    return Found(low, high, low_open, high_open, one.integers)
