"""Real numbers that are known exactly, or as the only zero of an expression between two fractions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..._tree import Tree
from .enclosure import enclose
from .interval import Interval, ball, between, fraction, fractions_around, point, working_precision

SEARCH_BITS = 128
"""Bits of a search for zeros."""

PRECISIONS = (128, 256, 512, 1024)
"""Bits at which a sign is asked before it counts as undecided."""


class UndecidedError(Exception):
    """A sign could not be proved."""


@dataclass
class Budget:
    """The time left; whoever loops asks it."""

    deadline: float
    is_spent: bool = field(default=False)

    @classmethod
    def of(cls, seconds: float) -> Budget:
        """Return a budget that starts now."""
        return cls(time.monotonic() + seconds)

    def check(self) -> None:
        """Raise `UndecidedError` when nothing is left."""
        if time.monotonic() > self.deadline:
            self.is_spent = True
            raise UndecidedError("the time is spent")


@dataclass(eq=False)
class Point:
    """A real number, or a stretch (`is_fuzzy`) about which nothing could be proved.

    Attributes:
        exact: Its value where that is rational.
        bounds: Returns fractions around it, so many bits apart relative to its size.
        vanishing: Keys of expressions that are zero here (see `roots.zero_key`).
    """

    exact: Fraction | None
    bounds: Callable[[int], tuple[Fraction | None, Fraction | None]]
    vanishing: set[Any] = field(default_factory=set)
    is_fuzzy: bool = False

    def interval(self, bits: int) -> Interval:
        """Return an interval around it."""
        lo, hi = self.bounds(bits)
        return between(lo, hi, lo is None, hi is None)


def rational(value: Fraction) -> Point:
    """Return an exact point."""
    return Point(value, lambda bits: (value, value))


def fuzzy(lo: Fraction | None, hi: Fraction | None) -> Point:
    """Return a stretch about which nothing is known."""
    return Point(None, lambda bits: (lo, hi), is_fuzzy=True)


def compare(p: Point, q: Point) -> int:
    """Return -1, 0 or 1 as p is below, at or above q.

    Raises:
        UndecidedError: They are too close to tell.
    """
    if p is q:
        return 0
    if p.exact is not None and q.exact is not None:
        return (p.exact > q.exact) - (p.exact < q.exact)
    for bits in PRECISIONS:
        p_lo, p_hi = p.bounds(bits)
        q_lo, q_hi = q.bounds(bits)
        below, above = _before(p_hi, q_lo, p, q), _before(q_hi, p_lo, p, q)
        if below != above:
            return -1 if below else 1
        if p.vanishing & q.vanishing and bits >= PRECISIONS[1]:
            return 0  # two roots of one expression that are so near are one: each is the only one around
        if p.is_fuzzy or q.is_fuzzy:
            continue
    raise UndecidedError("two points are too near to each other")


def _before(hi: Fraction | None, lo: Fraction | None, p: Point, q: Point) -> bool:
    if hi is None or lo is None:
        return False
    return hi <= lo if p.is_fuzzy or q.is_fuzzy else hi < lo


class MonotoneRoot:
    """The only zero of an expression between two fractions, where it is strictly monotone and changes its sign."""

    def __init__(self, tree: Tree, unknown: Any, lo: Fraction, hi: Fraction, rises: bool) -> None:
        self.tree, self.unknown = tree, unknown
        self.lo, self.hi, self.rises = lo, hi, rises

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return fractions around it; interval Newton steps, halving where they do not help."""
        with working_precision(bits + 64):
            for _ in range(4 * bits + 200):
                width = self.hi - self.lo
                size = max(abs(self.lo), abs(self.hi))
                if width * (1 << bits) <= size or not width:
                    break
                if not self._newton():
                    self._halve()
                if self.hi - self.lo >= width:
                    break
        return self.lo, self.hi

    def _middle(self) -> Fraction:
        if self.lo > 0 and self.hi > 4 * self.lo:
            root = (ball(self.lo) * ball(self.hi)).sqrt()
            return fraction(root.mid())
        return fraction(((ball(self.lo) + ball(self.hi)) / 2).mid())

    def _at(self, x: Fraction) -> Interval:
        return enclose(self.tree, {self.unknown: (point(x), None)})[0]

    def _halve(self) -> None:
        middle = self._middle()
        if not self.lo < middle < self.hi:
            return
        sign = self._at(middle).sign
        if sign is None:  # the root itself, perhaps: anywhere else will do
            middle = self.lo + (middle - self.lo) * Fraction(3, 4)
            sign = self._at(middle).sign
        if sign is None:
            return
        if sign == 0:
            self.lo = self.hi = middle
        elif (sign > 0) == self.rises:
            self.hi = middle
        else:
            self.lo = middle

    def _newton(self) -> bool:
        middle = self._middle()
        whole = between(self.lo, self.hi, False, False)
        slope = enclose(self.tree, {self.unknown: (whole, point(1))})[1]
        value = self._at(middle)
        if slope is None or not slope.sign or not slope.is_finite or not value.is_finite or 0 in (slope.lo, slope.hi):
            return False
        step = ball(middle) - value.lo.union(value.hi) / slope.lo.union(slope.hi)
        if not step.is_finite():
            return False
        around = fractions_around(step.lower(), step.upper())
        if around is None:
            return False
        lo, hi = max(self.lo, around[0]), min(self.hi, around[1])
        if lo > hi or hi - lo > (self.hi - self.lo) * Fraction(3, 4):
            return False
        self.lo, self.hi = lo, hi
        return True


def simplest_between(lo: Fraction, hi: Fraction) -> Fraction:
    """Return the fraction with the least denominator between two fractions (by their continued fractions)."""
    if lo > hi:
        lo, hi = hi, lo
    if lo <= 0 <= hi:
        return Fraction(0)
    if hi < 0:
        return -simplest_between(-hi, -lo)
    whole = -(-lo.numerator // lo.denominator)
    if whole <= hi:
        return Fraction(whole)
    floor = lo.numerator // lo.denominator
    return floor + 1 / simplest_between(1 / (hi - floor), 1 / (lo - floor))
