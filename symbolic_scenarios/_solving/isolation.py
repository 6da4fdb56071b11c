"""Candidates for the unknown of one equation: by undoing one operation after another, or as roots of a polynomial.

A candidate comes with the conditions of the steps that led to it; whether it really solves the equation as it was
written is decided afterwards, by putting it in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import sympy

from .conditions import Sign, sign_of


@dataclass(frozen=True)
class Candidate:
    """A value of the unknown and the conditions of the steps that led to it."""

    value: Any
    conditions: tuple[Sign, ...] = ()

    def given(self, *more: Sign) -> Candidate:
        """Return the candidate under further conditions."""
        return replace(self, conditions=(*more, *self.conditions))


class NoMethodError(Exception):
    """None of the methods here solves the equation."""


def candidates(left: Any, right: Any, unknown: Any) -> Iterator[Candidate]:
    """Yield all that can solve `left == right`.

    Raises:
        NoMethodError: The equation is of a kind that is not handled, so the list would not be complete.
    """
    if left == unknown and not right.has(unknown):
        yield Candidate(right)
        return
    if left.is_Add:
        rest, kept = left.as_independent(unknown, as_Add=True)
        if kept.is_Add:
            yield from _roots(left - right, unknown)
        else:
            yield from candidates(kept, right - rest, unknown)
    elif left.is_Mul:
        rest, kept = left.as_independent(unknown, as_Add=False)
        if kept.is_Mul:
            yield from _roots(left - right, unknown)
        else:
            yield from (one.given(Sign(rest, "!=")) for one in candidates(kept, right / rest, unknown))
    elif left.is_Pow and not left.exp.has(unknown):
        yield from _through_power(left.base, left.exp, right, unknown)
    elif left.is_Pow and not left.base.has(unknown):
        logarithm = sympy.log(right) / sympy.log(left.base)
        steps = (Sign(right, ">"), Sign(left.base, ">"), Sign(left.base - 1, "!="))
        yield from (one.given(*steps) for one in candidates(left.exp, logarithm, unknown))
    elif isinstance(left, sympy.exp):
        yield from (one.given(Sign(right, ">")) for one in candidates(left.args[0], sympy.log(right), unknown))
    elif isinstance(left, sympy.log):
        yield from candidates(left.args[0], sympy.exp(right), unknown)
    else:
        raise NoMethodError


def _through_power(base: Any, exponent: Any, right: Any, unknown: Any) -> Iterator[Candidate]:
    if not exponent.is_Rational:
        yield from (one.given(Sign(right, ">")) for one in candidates(base, right ** (1 / exponent), unknown))
        return
    over, under = int(exponent.p), int(exponent.q)
    if base == unknown or not base.is_Add:
        raised = right if under == 1 else right**under
        step = () if under == 1 else (Sign(right, ">=" if over > 0 else ">"),)
        if over < 0:
            raised, over, step = 1 / raised, -over, (*step, Sign(right, "!="))
        if over == 1:
            yield from (one.given(*step) for one in candidates(base, raised, unknown))
        elif over % 2 == 0:
            root = _root(raised, over)
            yield from (one.given(*step, Sign(raised, ">=")) for one in candidates(base, root, unknown))
            if not base.is_nonnegative and not root.is_zero:
                yield from (one.given(*step, Sign(raised, ">")) for one in candidates(base, -root, unknown))
        else:
            root = _root(raised, over) if sign_of(raised) >= 0 else -_root(-raised, over)
            yield from (
                one.given(*step, Sign(raised, ">=" if sign_of(raised) >= 0 else "<="))
                for one in candidates(base, root, unknown)
            )
    elif under == 1:
        yield from (
            _roots(base**exponent - right, unknown) if over in (-1, 1, 2) else _outer_power(base, over, right, unknown)
        )
    else:
        yield from (one.given(Sign(right, ">=")) for one in candidates(base, right ** (1 / exponent), unknown))


def _outer_power(base: Any, over: int, right: Any, unknown: Any) -> Iterator[Candidate]:
    root = sympy.Dummy("root", real=True)
    for outer in _through_power(root, sympy.Integer(over), right, root):
        yield from (one.given(*outer.conditions) for one in candidates(base, outer.value, unknown))


def _root(value: Any, degree: int) -> Any:
    return sympy.sqrt(value) if degree == 2 else sympy.root(value, degree)


def _roots(expression: Any, unknown: Any) -> Iterator[Candidate]:
    """Yield the zeros of what is, over a common denominator, of degree 1 or 2 in a power of the unknown."""
    over, _ = sympy.fraction(sympy.together(expression))
    over = sympy.expand(over)
    degree = _common_denominator(over, unknown)
    generator = sympy.Dummy("generator", positive=True) if degree > 1 else unknown
    if degree > 1:
        over = sympy.powdenest(over.subs(unknown, generator**degree), force=True)
    try:
        coefficients = sympy.Poly(over, generator).all_coeffs()
    except sympy.PolynomialError:
        raise NoMethodError from None
    if any(coefficient.has(unknown) for coefficient in coefficients) or len(coefficients) not in (2, 3):
        raise NoMethodError
    for candidate in _roots_of(*coefficients):
        if degree == 1:
            yield candidate
        else:
            yield Candidate(candidate.value**degree, candidate.conditions).given(Sign(candidate.value, ">="))


def _roots_of(*coefficients: Any) -> Iterator[Candidate]:
    if len(coefficients) == 2:
        a, b = coefficients
        yield Candidate(sympy.factor(-b / a), (Sign(a, "!="),))
        return
    a, b, c = (sympy.factor(coefficient) for coefficient in coefficients)
    discriminant = sympy.factor(b**2 - 4 * a * c)
    for sign in (1, -1):
        root = (-b + sign * sympy.sqrt(discriminant)) / (2 * a)
        yield Candidate(root, (Sign(a, "!="), Sign(discriminant, ">=" if sign > 0 else ">")))
    if not a.is_nonzero:
        yield Candidate(-c / b, (Sign(a, "=="), Sign(b, "!=")))


def _common_denominator(expression: Any, unknown: Any) -> int:
    powers = [part.exp for part in expression.atoms(sympy.Pow) if part.base == unknown]
    return reduce(sympy.ilcm, (int(power.q) for power in powers if power.is_Rational), 1)
