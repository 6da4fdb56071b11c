"""Open stretches of the line."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .points import PRECISIONS, SEARCH_BITS, Point, UndecidedError, compare, rational, simplest_between


@dataclass(frozen=True, eq=False)
class Cell:
    """An open stretch between two points; `None` is infinity."""

    lo: Point | None
    hi: Point | None

    @property
    def outer(self) -> tuple[Fraction | None, Fraction | None]:
        """Fractions (or infinities) just outside, or at, its ends."""
        lo = None if self.lo is None else self.lo.bounds(SEARCH_BITS + 32)[1 if self.lo.is_fuzzy else 0]
        hi = None if self.hi is None else self.hi.bounds(SEARCH_BITS + 32)[0 if self.hi.is_fuzzy else 1]
        return lo, hi

    @property
    def is_positive(self) -> bool:
        """Whether it lies right of zero."""
        lo = self.outer[0]
        return lo is not None and (lo >= 0 or (self.lo is not None and compare(self.lo, rational(Fraction(0))) >= 0))

    def sample(self) -> Fraction:
        """Return a fraction inside."""
        for bits in PRECISIONS:
            lo = None if self.lo is None else self.lo.bounds(bits)[1]
            hi = None if self.hi is None else self.hi.bounds(bits)[0]
            if lo is None or hi is None or lo < hi:
                return _inside(lo, hi)
        raise UndecidedError("two points are too near to each other")

    def contains(self, other: Point) -> bool:
        """Whether a point lies inside."""
        return (self.lo is None or compare(other, self.lo) > 0) and (self.hi is None or compare(other, self.hi) < 0)


def _inside(lo: Fraction | None, hi: Fraction | None) -> Fraction:
    if lo is None:
        return Fraction(0) if hi is None else min(2 * hi, hi / 2, Fraction(-1)) if hi <= 0 else Fraction(0)
    if hi is None:
        return max(2 * lo, Fraction(1)) if lo >= 0 else Fraction(0)
    width = hi - lo
    return simplest_between(lo + width / 4, hi - width / 4)
