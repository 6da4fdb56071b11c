"""The domain of an input: an interval of the reals, perhaps of integers only."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

_INTERVAL = re.compile(r"\s*([\[(])\s*([^,\[\]()]+?)\s*,\s*([^,\[\]()]+?)\s*([\])])\s*")
_INFINITE = {"-oo": None, "oo": None, "+oo": None}


@dataclass(frozen=True)
class Domain:
    """An interval; an end that is `None` is infinite (and open)."""

    lower: Fraction | None = None
    upper: Fraction | None = None
    lower_open: bool = True
    upper_open: bool = True
    integer: bool = False

    def contains(self, value: Fraction) -> bool:
        """Whether a value lies in the domain."""
        if self.integer and value.denominator != 1:
            return False
        above = self.lower is None or (value > self.lower if self.lower_open else value >= self.lower)
        below = self.upper is None or (value < self.upper if self.upper_open else value <= self.upper)
        return above and below

    @property
    def is_empty(self) -> bool:
        """Whether no number lies in the domain."""
        if self.lower is None or self.upper is None:
            return False
        if self.integer:
            first = math.floor(self.lower) + 1 if self.lower_open else math.ceil(self.lower)
            last = math.ceil(self.upper) - 1 if self.upper_open else math.floor(self.upper)
            return first > last
        return self.lower > self.upper or (self.lower == self.upper and (self.lower_open or self.upper_open))

    def assumptions(self) -> dict[str, bool]:
        """Return what SymPy may assume of a symbol of this domain."""
        known = {"real": True}
        if self.integer:
            known["integer"] = True
        if self.lower is not None and self.lower >= 0:
            known["positive" if self.lower > 0 or self.lower_open else "nonnegative"] = True
        if self.upper is not None and self.upper <= 0:
            known["negative" if self.upper < 0 or self.upper_open else "nonpositive"] = True
        return known

    def text(self, name: str, value_text: Callable[[Fraction], str] = str) -> str:
        """Return the domain as a statement about `name`: `0 < p < 1`, `k >= 0`, `a real number`."""
        lower = None if self.lower is None else value_text(self.lower)
        upper = None if self.upper is None else value_text(self.upper)
        below, above = "<" if self.lower_open else "<=", "<" if self.upper_open else "<="
        if lower is not None and upper is not None:
            statement = f"{lower} {below} {name} {above} {upper}"
        elif lower is not None:
            statement = f"{name} {'>' if self.lower_open else '>='} {lower}"
        elif upper is not None:
            statement = f"{name} {above} {upper}"
        else:
            return f"{name} an integer" if self.integer else f"{name} a real number"
        return f"{statement}, an integer" if self.integer else statement

    def meet(self, other: Domain) -> Domain:
        """Return the intersection of two domains."""
        lower, lower_open = _tighter(self.lower, self.lower_open, other.lower, other.lower_open, max)
        upper, upper_open = _tighter(self.upper, self.upper_open, other.upper, other.upper_open, min)
        return Domain(lower, upper, lower_open, upper_open, self.integer or other.integer)


def _tighter(
    a: Fraction | None, a_open: bool, b: Fraction | None, b_open: bool, choose: Callable[[Fraction, Fraction], Fraction]
) -> tuple[Fraction | None, bool]:
    if a is None or b is None:
        return (b, b_open) if a is None else (a, a_open)
    if a == b:
        return a, a_open or b_open
    return (a, a_open) if choose(a, b) == a else (b, b_open)


REALS = Domain()
POSITIVE = Domain(lower=Fraction(0))
NONNEGATIVE = Domain(lower=Fraction(0), lower_open=False)
INTEGERS = Domain(integer=True)


def interval(text: Any, read_end: Callable[[str], Fraction]) -> Domain:
    """Read `"(0, 1)"`, `"[0, 1)"`, `"[1, oo)"`; `read_end` reads a finite end.

    Raises:
        ValueError: The text is no interval, or an infinite end is said to belong to it.
    """
    found = _INTERVAL.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError("not an interval")
    opening, low, high, closing = found.groups()
    if (
        (low in _INFINITE and opening == "[")
        or (high in _INFINITE and closing == "]")
        or low in ("oo", "+oo")
        or high == "-oo"
    ):
        raise ValueError("an infinite end is open")
    return Domain(
        lower=None if low in _INFINITE else read_end(low),
        upper=None if high in _INFINITE else read_end(high),
        lower_open=opening == "(",
        upper_open=closing == ")",
    )
