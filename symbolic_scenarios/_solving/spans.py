"""Parts of the real line with closed-form ends, each with the conditions under which it counts; their intersection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import sympy

from .conditions import Sign
from .oracle import Oracle


@dataclass(frozen=True)
class Span:
    """An interval between two ends, or a point where the two are one; infinite ends are open."""

    low: Any
    high: Any
    low_open: bool = False
    high_open: bool = False
    conditions: tuple[Sign, ...] = ()

    @property
    def is_point(self) -> bool:
        """Whether this is one value."""
        return bool(self.low == self.high)

    @property
    def mirrored(self) -> Span:
        """The span of the negatives."""
        return Span(-self.high, -self.low, self.high_open, self.low_open, self.conditions)

    def asking(self, *more: Sign) -> Span:
        """Return the span under further conditions."""
        return replace(self, conditions=tuple(dict.fromkeys((*self.conditions, *more))))


REAL_LINE = Span(-sympy.oo, sympy.oo, True, True)


def point(value: Any, *conditions: Sign) -> Span:
    """Return the span of one value."""
    return Span(value, value, conditions=conditions)


def above(value: Any, *, open_end: bool) -> Span:
    """Return all that is above a value."""
    return Span(value, sympy.oo, open_end, True)


def below(value: Any, *, open_end: bool) -> Span:
    """Return all that is below a value."""
    return Span(-sympy.oo, value, True, open_end)


def possible(oracle: Oracle, span: Span, *signs: Sign) -> list[Span]:
    """Return the span under further conditions, without those that hold anyway; nothing where one can't hold."""
    for sign in signs:
        if sign.expression.has(sympy.zoo, sympy.nan):
            return []
        decided = oracle.decides(sign)
        if decided is None and span.conditions:
            decided = oracle.given(span.conditions).decides(sign)
        if decided is False:
            return []
        if decided is None:
            span = span.asking(sign)
    return [span]


def meet(oracle: Oracle, one: Span, other: Span, *, split: bool = False) -> list[Span]:
    """Return the intersection of two spans.

    Args:
        oracle: What decides which end is the tighter one.
        one: A span.
        other: Another.
        split: Where that stays open, return two spans with conditions instead of an end written with Max or Min.
    """
    if one.is_point or other.is_point:
        value, region = (one, other) if one.is_point else (other, one)
        found = possible(oracle, value, *region.conditions, *_inside(value.low, region))
        return [replace(part, low=value.low, high=value.high) for part in found]
    both = possible(oracle, one, *other.conditions)
    found = []
    for part in both:
        for low, low_open, low_signs in _tighter(
            oracle, (one.low, one.low_open), (other.low, other.low_open), 1, split
        ):
            for high, high_open, high_signs in _tighter(
                oracle, (one.high, one.high_open), (other.high, other.high_open), -1, split
            ):
                span = Span(low, high, low_open, high_open, part.conditions)
                found += possible(oracle, span, *low_signs, *high_signs, *is_filled(span))
    return found


def meet_all(oracle: Oracle, spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """Return the intersection of two unions of spans."""
    others = list(others)
    return [part for one in spans for other in others for part in meet(oracle, one, other)]


def is_filled(span: Span) -> list[Sign]:
    """Return the conditions under which there is anything between the ends."""
    if span.low == -sympy.oo or span.high == sympy.oo:
        return []
    if span.low == span.high and not (span.low_open or span.high_open):
        return []
    relation = ">" if span.low_open or span.high_open else ">="
    lows = span.low.args if isinstance(span.low, sympy.Max) else (span.low,)
    highs = span.high.args if isinstance(span.high, sympy.Min) else (span.high,)
    return [Sign(high - low, relation) for low in lows for high in highs]


def _inside(value: Any, region: Span) -> list[Sign]:
    signs = []
    if region.low != -sympy.oo:
        signs.append(Sign(value - region.low, ">" if region.low_open else ">="))
    if region.high != sympy.oo:
        signs.append(Sign(region.high - value, ">" if region.high_open else ">="))
    return signs


def _tighter(
    oracle: Oracle, one: tuple[Any, bool], other: tuple[Any, bool], side: int, split: bool
) -> list[tuple[Any, bool, tuple[Sign, ...]]]:
    (a, a_open), (b, b_open) = one, other
    if a == b:
        return [(a, a_open or b_open, ())]
    for (end, is_open), (rest, _) in ((one, other), (other, one)):
        if rest in (sympy.oo, -sympy.oo):
            return [(end, is_open, ())]
    gap = side * (a - b)  # positive where a is the tighter end
    known = oracle.sign(gap)
    if known == ">" or (known == ">=" and (a_open or not b_open)):
        return [(a, a_open, ())]
    if known == "<" or (known == "<=" and (b_open or not a_open)):
        return [(b, b_open, ())]
    if a_open == b_open and not split:
        return [((sympy.Max if side > 0 else sympy.Min)(a, b), a_open, ())]
    if a_open and not b_open:  # where the two are equal, the open one is the tighter
        return [(a, a_open, (Sign(gap, ">="),)), (b, b_open, (Sign(-gap, ">"),))]
    return [(a, a_open, (Sign(gap, ">"),)), (b, b_open, (Sign(-gap, ">="),))]
