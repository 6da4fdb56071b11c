"""Intervals with ends that may be infinite or excluded, rounded outwards in ball arithmetic.

A ball (`flint.arb`) has a middle and a radius, so it can hold neither "from 10 on" nor "all but zero". Both decide
questions here: on `[10, oo)` the value of `exp(-x)` lies in `(0, exp(-10)]`, and that zero is excluded is why an
asymptote is no root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
from flint import arb, fmpq


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Compute with so many bits inside the block; flint keeps the number globally, so it is always put back."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(value: Fraction | int) -> Any:
    """Return the ball of an exact fraction at the working precision."""
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


_LARGEST_BITS = 20_000


def fraction(exact: Any) -> Fraction:
    """Return an exact ball (a dyadic number) as a fraction.

    Raises:
        OverflowError: It is too large or too small to be written out.
    """
    mantissa, exponent = (int(part) for part in exact.man_exp())
    if abs(exponent) > _LARGEST_BITS:
        raise OverflowError
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def fractions_around(lo: Any, hi: Any) -> tuple[Fraction, Fraction] | None:
    """Return fractions around an interval; `None` where they would be too large to be written out."""
    tiny = Fraction(1, 2**_LARGEST_BITS)
    ends = []
    for end, is_low in ((lo, True), (hi, False)):
        if abs(end) < ball(tiny):
            negative_end = end < 0
            ends.append(Fraction(0) if end == 0 or negative_end != is_low else -tiny if is_low else tiny)
            continue
        try:
            ends.append(fraction(end))
        except OverflowError:
            return None
    return ends[0], ends[1]


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `lo` to `hi` (exact balls; `None` is infinite), without an end that is open."""

    lo: Any
    hi: Any
    lo_open: bool = False
    hi_open: bool = False

    @property
    def sign(self) -> int | None:
        """The sign that all its numbers have: 1, -1, 0, or `None` where they differ."""
        if self.lo is not None and (self.lo > 0 or (self.lo == 0 and self.lo_open)):
            return 1
        if self.hi is not None and (self.hi < 0 or (self.hi == 0 and self.hi_open)):
            return -1
        if self.lo is not None and self.hi is not None and self.lo == 0 and self.hi == 0:
            return 0
        return None

    @property
    def is_finite(self) -> bool:
        """Whether both ends are finite."""
        return self.lo is not None and self.hi is not None


WHOLE = Interval(None, None, True, True)


def from_ball(value: Any) -> Interval:
    """Return the interval of a ball; everything where the ball is not finite."""
    if not value.is_finite():
        return WHOLE
    return Interval(value.lower(), value.upper())


def point(value: Fraction | int) -> Interval:
    """Return the interval of one exact number."""
    return from_ball(ball(value))


def between(lo: Fraction | None, hi: Fraction | None, lo_open: bool, hi_open: bool) -> Interval:
    """Return an interval of exact ends, rounded outwards; an end that had to be rounded is still excluded if it was."""
    return Interval(
        None if lo is None else ball(lo).lower(),
        None if hi is None else ball(hi).upper(),
        lo is None or lo_open,
        hi is None or hi_open,
    )


def _low(value: Any) -> Any:
    return value.lower() if value.is_finite() else None


def _high(value: Any) -> Any:
    return value.upper() if value.is_finite() else None


def add(a: Interval, b: Interval) -> Interval:
    """Return all sums."""
    lo = None if a.lo is None or b.lo is None else _low(a.lo + b.lo)
    hi = None if a.hi is None or b.hi is None else _high(a.hi + b.hi)
    return Interval(lo, hi, lo is None or a.lo_open or b.lo_open, hi is None or a.hi_open or b.hi_open)


def negative(a: Interval) -> Interval:
    """Return all opposites."""
    return Interval(None if a.hi is None else -a.hi, None if a.lo is None else -a.lo, a.hi_open, a.lo_open)


def multiply(a: Interval, b: Interval) -> Interval:
    """Return all products."""
    corners = [
        _corner(x, x_open, x_sign, y, y_open, y_sign)
        for x, x_open, x_sign in ((a.lo, a.lo_open, -1), (a.hi, a.hi_open, 1))
        for y, y_open, y_sign in ((b.lo, b.lo_open, -1), (b.hi, b.hi_open, 1))
    ]
    lo, lo_open = _least(((low, is_open) for low, _, is_open in corners))
    hi, hi_open = _least(((_opposite(high), is_open) for _, high, is_open in corners))
    return Interval(lo, None if hi is None else -hi, lo_open, hi_open)


_PLUS, _MINUS = "+oo", "-oo"


def _corner(x: Any, x_open: bool, x_sign: int, y: Any, y_open: bool, y_sign: int) -> tuple[Any, Any, bool]:
    # Zero times infinity is zero here: a product of members of the intervals has a finite factor for each.
    for one, is_open, other_open in ((x, x_open, y_open), (y, y_open, x_open)):
        if one is not None and one == 0:
            other_is_closed_zero = (
                not other_open and ((y if one is x else x) is not None) and (y if one is x else x) == 0
            )
            return arb(0), arb(0), is_open and not other_is_closed_zero
    if x is None or y is None:
        sign = (x_sign if x is None else (1 if x > 0 else -1)) * (y_sign if y is None else (1 if y > 0 else -1))
        mark = _PLUS if sign > 0 else _MINUS
        return mark, mark, True
    product = x * y
    if not product.is_finite():
        return _MINUS, _PLUS, True
    return product.lower(), product.upper(), x_open or y_open


def _opposite(end: Any) -> Any:
    if isinstance(end, str):
        return _MINUS if end == _PLUS else _PLUS
    return -end


def _least(ends: Iterable[tuple[Any, bool]]) -> tuple[Any, bool]:
    """Return the least end; of two equal ones the closed one. `None` and "-oo" are infinitely low."""
    best: Any = _PLUS
    best_open = True
    for value, is_open in ends:
        if value is None or (isinstance(value, str) and value == _MINUS):
            return None, True
        if isinstance(value, str):
            continue
        if isinstance(best, str) or value < best:
            best, best_open = value, is_open
        elif value == best:
            best_open = best_open and is_open
    return (None if isinstance(best, str) else best), best_open


def reciprocal(a: Interval) -> Interval:
    """Return all reciprocals; everything where zero lies inside."""
    sign = a.sign
    if not sign:
        if a.lo is not None and a.lo == 0 and (a.hi is None or a.hi > 0):  # zero itself has no reciprocal
            sign = 1
        elif a.hi is not None and a.hi == 0 and (a.lo is None or a.lo < 0):
            sign = -1
        else:
            return WHOLE
    if sign < 0:
        return negative(reciprocal(negative(a)))
    lo = arb(0) if a.hi is None else _low(1 / a.hi)
    hi = None if a.lo == 0 else _high(1 / a.lo)
    return Interval(lo, hi, a.hi_open, a.lo_open or hi is None)


def hull(parts: Iterable[Interval]) -> Interval:
    """Return the least interval around several."""
    parts = list(parts)
    lo, lo_open = _least((part.lo, part.lo_open) for part in parts)
    hi, hi_open = _least((None if part.hi is None else -part.hi, part.hi_open) for part in parts)
    return Interval(lo, None if hi is None else -hi, lo_open, hi_open)


def meet(a: Interval, lo: Any, hi: Any, is_open: bool) -> Interval:
    """Return the part between two numbers known to bound the values (`None`: no bound)."""
    new_lo, lo_open, new_hi, hi_open = a.lo, a.lo_open, a.hi, a.hi_open
    if lo is not None and (new_lo is None or new_lo < lo or (new_lo == lo and is_open)):
        new_lo, lo_open = lo, is_open
    if hi is not None and (new_hi is None or new_hi > hi or (new_hi == hi and is_open)):
        new_hi, hi_open = hi, is_open
    if new_lo is not None and new_hi is not None and new_lo > new_hi:
        return a
    return Interval(new_lo, new_hi, lo_open, hi_open)


def minimum(parts: list[Interval]) -> Interval:
    """Return all least values."""
    lo, lo_open = _least((part.lo, part.lo_open) for part in parts)
    highs = [part for part in parts if part.hi is not None]
    if not highs:
        return Interval(lo, None, lo_open, True)
    least = highs[0]
    for part in highs[1:]:
        if part.hi < least.hi or (part.hi == least.hi and part.hi_open):
            least = part
    return Interval(lo, least.hi, lo_open, least.hi_open)


def monotone(function: Callable[[Any], Any], a: Interval, at_low: Any = None, at_high: Any = None) -> Interval:
    """Return all values of an increasing function, given its limits at minus and plus infinity (`None`: infinite)."""
    lo = at_low if a.lo is None else _low(function(a.lo))
    hi = at_high if a.hi is None else _high(function(a.hi))
    return Interval(lo, hi, lo is None or a.lo_open, hi is None or a.hi_open)


def whole_power(a: Interval, n: int) -> Interval:
    """Return all powers with a whole exponent."""
    if n < 0:
        return reciprocal(whole_power(a, -n))
    if n == 0:
        return point(1)
    if n % 2 or a.sign == 1 or (a.lo is not None and a.lo >= 0):
        return monotone(lambda x: x**n, a)
    if a.hi is not None and a.hi <= 0:
        return whole_power(negative(a), n)
    up, down = (
        whole_power(Interval(arb(0), a.hi, False, a.hi_open), n),
        whole_power(Interval(arb(0), None if a.lo is None else -a.lo, False, a.lo_open), n),
    )
    return hull([up, down])


def exponential(a: Interval) -> Interval:
    """Return all values of exp."""
    return meet(monotone(lambda x: x.exp(), a, arb(0)), arb(0), None, True)


def logarithm(a: Interval) -> Interval:
    """Return all logarithms of the positive numbers of an interval."""
    a = meet(a, arb(0), None, True)
    return monotone(lambda x: x.log(), a)


def positive_power(a: Interval, exponent: Fraction) -> Interval:
    """Return all powers of the nonnegative numbers of an interval."""
    a = meet(a, arb(0), None, False)
    if exponent < 0:
        return reciprocal(positive_power(a, -exponent))
    if exponent == Fraction(1, 2):
        return monotone(lambda x: x.sqrt(), a)
    power = ball(exponent)
    return monotone(lambda x: x**power if x > 0 else arb(0), a)
