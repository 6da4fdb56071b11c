"""The sign of a sum of products far out, and its limit there: the term that grows fastest decides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from flint import arb

from .enclosure import value_range
from .forms import Form
from .interval import Interval, ball, working_precision
from .products import EXP_X, LOG_X, Atom, E, Monomial, Polynomial, X, has_unknown, tree_of

_DIGITS = 192


@dataclass(frozen=True)
class _Growth:
    """`exp(rate*x) * x**power * log(x)**logs`."""

    rate: tuple[tuple[Atom, Fraction], ...]
    power: Fraction
    logs: Fraction

    @property
    def rate_ball(self) -> Any:
        """The rate as a ball."""
        return sum(((ball(c) if atom == E else ball(c) * arb(atom[1]).log()) for atom, c in self.rate), arb(0))


def _grouped(a: Polynomial) -> dict[_Growth, Polynomial] | None:
    groups: dict[_Growth, Polynomial] = {}
    for monomial, coefficient in a.items():
        rate: dict[Atom, Fraction] = {}
        power = logs = Fraction(0)
        rest: list[tuple[Atom, Fraction]] = []
        for atom, exponent in monomial:
            if atom == X:
                power = exponent
            elif atom == LOG_X:
                logs = exponent
            elif atom == EXP_X:
                rate[E] = exponent
            elif atom[0] == "prime x":
                rate[("prime", atom[1])] = exponent
            else:
                rest.append((atom, exponent))
        kept: Monomial = tuple(rest)
        if has_unknown({kept: Fraction(1)}):
            return None
        growth = _Growth(tuple(sorted(rate.items(), key=str)), power, logs)
        groups.setdefault(growth, {})[kept] = coefficient
    return groups


def _difference(a: _Growth, b: _Growth) -> tuple[Any, Fraction, Fraction]:
    rate = dict(a.rate)
    for atom, c in b.rate:
        rate[atom] = rate.get(atom, Fraction(0)) - c
    left = tuple((atom, c) for atom, c in rate.items() if c)
    return (_Growth(left, Fraction(0), Fraction(0)).rate_ball if left else arb(0)), a.power - b.power, a.logs - b.logs


class _UnknownOrderError(Exception):
    pass


def _order(a: _Growth, b: _Growth) -> int:
    rate, power, logs = _difference(a, b)
    is_equal = bool(rate == 0)
    if not is_equal:
        if rate > 0 or rate < 0:
            return 1 if rate > 0 else -1
        raise _UnknownOrderError
    decisive = power or logs
    return (decisive > 0) - (decisive < 0)


def _leading(a: Polynomial) -> tuple[_Growth, Interval, dict[_Growth, Interval]] | None:
    groups = _grouped(a)
    if not groups:
        return None
    try:
        first = max(groups, key=cmp_to_key(_order))
    except _UnknownOrderError:
        return None
    sizes = {growth: value_range(tree_of(part, None), {}) for growth, part in groups.items()}
    lead = sizes.pop(first)
    return (first, lead, sizes) if lead.sign and all(size.is_finite for size in (lead, *sizes.values())) else None


def sign_beyond(a: Polynomial) -> tuple[Fraction, int] | None:
    """Return a number and the sign that a sum of products has from there on; `None` where the terms do not say."""
    with working_precision(_DIGITS):
        leading = _leading(a)
        if leading is None:
            return None
        first, lead, others = leading
        for step in range(2, 200, 3):
            if _outweighs(first, lead, others, arb(2) ** step):
                return Fraction(2) ** step, lead.sign or 0
    return None


def _outweighs(first: _Growth, lead: Interval, others: dict[_Growth, Interval], start: Any) -> bool:
    total = arb(0)
    least = min(abs(lead.lo), abs(lead.hi))
    log = start.log()
    for growth, size in others.items():
        rate, power, logs = _difference(growth, first)
        p, k = ball(power), ball(logs)
        # The quotient to the first term falls from `start` on, so its value there bounds it.
        if rate == 0:
            falls = (p + (k if logs > 0 else 0) / log <= 0) is True
        else:
            falls = bool((p if power > 0 else 0) / start + (k if logs > 0 else 0) / (start * log) + rate <= 0)
        if not falls:
            return False
        total += max(abs(size.lo), abs(size.hi)) / least * (rate * start + p * log + k * log.log()).exp()
    return bool(total < 1)


def limit(form: Form) -> Fraction | str | Interval | None:
    """Return the limit at infinity: "oo", "-oo", zero, an interval around it; `None` where the terms do not say."""
    if form.is_zero:
        return Fraction(0)
    with working_precision(_DIGITS):
        above, below = _leading(form.above), _leading(form.below)
        if above is None or below is None:
            return None
        try:
            order = _order(above[0], below[0])
        except _UnknownOrderError:
            return None
        if order < 0:
            return Fraction(0)
        if order > 0:
            return "oo" if above[1].sign == below[1].sign else "-oo"
        quotient = above[1].lo.union(above[1].hi) / below[1].lo.union(below[1].hi)
        return Interval(quotient.lower(), quotient.upper())
