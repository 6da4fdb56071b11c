"""Real roots of polynomials whose coefficients hold symbols, up to degree 3, and where such a polynomial is positive.

A leading coefficient that can vanish has its own branch: what is left is of lower degree there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from .conditions import Sign
from .oracle import Oracle
from .spans import REAL_LINE, Span, above, below, point, possible
from .work import NoMethodError


def real_roots(oracle: Oracle, coefficients: list[Any]) -> list[Span]:
    """Return the real roots of a polynomial (highest coefficient first), or the whole line where it vanishes."""
    if len(coefficients) == 1:
        return possible(oracle, REAL_LINE, Sign(coefficients[0], "=="))
    leading, rest = coefficients[0], coefficients[1:]
    methods: dict[int, Callable[..., list[Span]]] = {2: _linear, 3: _quadratic, 4: _cubic}
    if len(coefficients) not in methods:
        raise NoMethodError
    found = []
    for root in methods[len(coefficients)](oracle, *coefficients):
        found += possible(oracle, root, Sign(leading, "!="))
    for _ in possible(oracle, REAL_LINE, Sign(leading, "==")):
        for root in real_roots(oracle, rest):
            found += possible(oracle, root, Sign(leading, "=="))
    return found


def _linear(_: Oracle, a: Any, b: Any) -> list[Span]:
    return [point(simplest(-b / a))]


def _quadratic(oracle: Oracle, a: Any, b: Any, c: Any) -> list[Span]:
    if b.could_extract_minus_sign() and a.could_extract_minus_sign():
        a, b, c = -a, -b, -c
    discriminant = sympy.factor(b**2 - 4 * a * c)
    if oracle.sign(discriminant) == "==":
        return [point(simplest(-b / (2 * a)))]
    root = sympy.sqrt(discriminant)
    if b == 0:
        half = sympy.sqrt(simplest(-c / a))
        return [
            *possible(oracle, point(half), Sign(discriminant, ">=")),
            *possible(oracle, point(-half), Sign(discriminant, ">")),
        ]
    return [
        *possible(oracle, point(simplest((-b - root) / (2 * a))), Sign(discriminant, ">=")),
        *possible(oracle, point(simplest((-b + root) / (2 * a))), Sign(discriminant, ">")),
    ]


def _cubic(oracle: Oracle, a: Any, b: Any, c: Any, d: Any) -> list[Span]:
    """Return the roots in real form: by cosines where there are three, else by real cube roots."""
    shift = -b / (3 * a)
    p = sympy.factor((3 * a * c - b**2) / (3 * a**2))
    q = sympy.factor((2 * b**3 - 9 * a * b * c + 27 * a**2 * d) / (27 * a**3))
    if sympy.count_ops(p) + sympy.count_ops(q) > 60:
        raise NoMethodError
    discriminant = sympy.factor(q**2 / 4 + p**3 / 27)
    found = []
    root = sympy.sqrt(discriminant)
    found += possible(
        oracle,
        point(shift + _cube_root(oracle, -q / 2 + root) + _cube_root(oracle, -q / 2 - root)),
        Sign(discriminant, ">"),
    )
    radius = 2 * sympy.sqrt(-p / 3)
    angle = (
        sympy.acos(
            sympy.powsimp(sympy.simplify(3 * q / (2 * p) * sympy.sqrt(-3 / p)))
            if p.is_number
            else 3 * q / (2 * p) * sympy.sqrt(-3 / p)
        )
        / 3
    )
    for turn, relation in ((0, ">="), (1, ">"), (2, ">=")):
        found += possible(
            oracle,
            point(shift + radius * sympy.cos(angle - 2 * sympy.pi * turn / 3)),
            Sign(-p, ">"),
            Sign(-discriminant, relation),
        )
    found += possible(oracle, point(shift), Sign(p, "=="), Sign(q, "=="))
    return found


def _cube_root(oracle: Oracle, value: Any) -> Any:
    third = sympy.Rational(1, 3)
    if (sign := oracle.sign(value)) in (">", ">="):
        return value**third
    if sign in ("<", "<="):
        return -((-value) ** third)
    return sympy.sign(value) * sympy.Abs(value) ** third


def positive(oracle: Oracle, coefficients: list[Any], *, strict: bool) -> list[Span]:
    """Return where a polynomial of degree at most 2 is positive (or not negative)."""
    relation = ">" if strict else ">="
    if len(coefficients) == 1:
        return possible(oracle, REAL_LINE, Sign(coefficients[0], relation))
    leading, rest = coefficients[0], coefficients[1:]
    found: list[Span] = []
    for part in possible(oracle, REAL_LINE, Sign(leading, "==")):
        found += [
            span for one in positive(oracle, rest, strict=strict) for span in possible(oracle, one, *part.conditions)
        ]
    if len(coefficients) == 2:
        end = simplest(-rest[0] / leading)
        return [
            *found,
            *possible(oracle, above(end, open_end=strict), Sign(leading, ">")),
            *possible(oracle, below(end, open_end=strict), Sign(-leading, ">")),
        ]
    if len(coefficients) != 3:
        raise NoMethodError
    a, b, c = coefficients
    discriminant = sympy.factor(b**2 - 4 * a * c)
    root = sympy.sqrt(discriminant)
    middle, width = -b / (2 * a), root / (2 * a)
    low, high = simplest(middle - width), simplest(middle + width)
    up = Sign(a, ">")
    found += possible(oracle, REAL_LINE, up, Sign(-discriminant, ">"))
    found += possible(oracle, below(low, open_end=strict), up, Sign(discriminant, ">="))
    found += possible(oracle, above(high, open_end=strict), up, Sign(discriminant, ">="))
    # Opened downwards the root with the plus sign is the smaller one.
    found += possible(oracle, Span(high, low, strict, strict), Sign(-a, ">"), Sign(discriminant, relation))
    return found


def simplest(value: Any) -> Any:
    """Return the one of a few equal forms that names the fewest symbols, in the fewest operations."""
    if value in (sympy.oo, -sympy.oo) or sympy.count_ops(value) > 120 or value.has(sympy.Max, sympy.Min):
        return value
    together = sympy.together(value)
    forms = [value, sympy.factor_terms(value), together, sympy.factor_terms(together)]
    if not value.has(sympy.log, sympy.exp, sympy.LambertW):
        forms.append(sympy.factor(value))
    return min(
        forms,
        key=lambda one: (_nested(one), sum(one.count(symbol) for symbol in one.free_symbols), sympy.count_ops(one)),
    )


def _nested(value: Any) -> bool:
    """Whether there is a fraction under a fraction."""
    under = [power.base for power in value.atoms(sympy.Pow) if power.exp.is_negative and power.base.is_Add]
    return any(inner.exp.is_negative and inner.free_symbols for base in under for inner in base.atoms(sympy.Pow))
