"""Equations in which the unknown stands both plain and in an exponent or a logarithm: Lambert's W, both branches.

All of them are brought to `(x + s) * exp(m*x) = k`, so that `m*(x + s)` times its exponential is `m*k*exp(m*s)`.
"""

from __future__ import annotations

from typing import Any

import sympy

from .conditions import Sign
from .polynomials import simplest
from .signs import logarithm
from .spans import Span, point, possible
from .work import NoMethodError, Work


def product_logarithm(work: Work, expression: Any) -> list[Span]:
    """Return the zeros of an expression of one of these kinds.

    Raises:
        NoMethodError: It is of none.
    """
    x = work.unknown
    for kind in (_with_exponential, _with_logarithm, _product):
        form = kind(work, expression)
        if form is not None:
            shift, rate, level = form
            work.step((x + shift) * sympy.exp(rate * x), level, level, "bring to the form of Lambert's W")
            return _branches(work, *form)
    raise NoMethodError


def _branches(work: Work, shift: Any, rate: Any, level: Any) -> list[Span]:
    argument = _plain_powers(rate * level * sympy.exp(sympy.expand(rate * shift)))
    found = []
    edge = 1 + sympy.E * argument
    sign = work.oracle.sign(argument)
    upper = [] if sign in (">", ">=") else [Sign(edge, ">=")]
    nonzero = [Sign(rate, "!=")]
    found += possible(work.oracle, point(simplest(sympy.LambertW(argument) / rate - shift)), *nonzero, *upper)
    if sign not in (">", ">="):
        found += possible(
            work.oracle,
            point(simplest(_lower(argument) / rate - shift)),
            *nonzero,
            Sign(-argument, ">"),
            Sign(edge, ">"),
        )
    for _ in possible(work.oracle, point(shift), Sign(rate, "==")):
        raise NoMethodError
    return found


def _lower(argument: Any) -> Any:
    return sympy.LambertW(argument, -1, evaluate=False)


def _plain_powers(argument: Any) -> Any:
    """Write `exp(k*log(a))` as a power."""
    return sympy.powsimp(argument.replace(lambda one: isinstance(one, sympy.exp), lambda one: _power(one.args[0])))


def _power(exponent: Any) -> Any:
    result = sympy.Integer(1)
    for term in sympy.Add.make_args(sympy.expand(exponent)):
        logs = [one for one in sympy.Mul.make_args(term) if isinstance(one, sympy.log)]
        over = [one for one in sympy.Mul.make_args(term) if one.is_Pow and isinstance(one.base, sympy.log)]
        if len(logs) == 1 and not over:
            result *= logs[0].args[0] ** (term / logs[0])
        else:
            result *= sympy.exp(term)
    return result


def _linear(expression: Any, x: Any) -> tuple[Any, Any] | None:
    """Return (slope, rest) of an expression that is linear in x, with a slope that is not zero."""
    slope = sympy.expand(sympy.diff(expression, x))
    if slope.has(x) or slope == 0:
        return None
    return sympy.factor_terms(slope), sympy.factor_terms(sympy.expand(expression - slope * x))


def _with_exponential(work: Work, expression: Any) -> tuple[Any, Any, Any] | None:
    """`(a*x + b)*E1(x) + c*E2(x)` with exponentials E: divide by one, which leaves (x + b/a)*exp(m*x) = k."""
    x = work.unknown
    groups: dict[Any, Any] = {}
    for term in sympy.Add.make_args(sympy.expand(expression)):
        plain, rate, offset = sympy.Integer(1), sympy.Integer(0), sympy.Integer(0)
        for factor in sympy.Mul.make_args(term):
            base, exponent = (sympy.E, factor.args[0]) if isinstance(factor, sympy.exp) else factor.as_base_exp()
            if exponent.has(x):
                if base.has(x):
                    return None
                power = sympy.expand(exponent * (1 if base == sympy.E else sympy.log(base)))
                slope = sympy.expand(sympy.diff(power, x))
                if slope.has(x):
                    return None
                rate, offset = rate + slope, offset + power - slope * x
            else:
                plain *= factor
        key = sympy.factor_terms(sympy.expand(rate))
        groups[key] = groups.get(key, 0) + plain * sympy.exp(sympy.expand(offset))
    if len(groups) != 2:
        return None
    for (rate, moving), (other, constant) in (tuple(groups.items()), tuple(groups.items())[::-1]):
        linear = _linear(moving, x)
        if linear is not None and not constant.has(x):
            a, b = linear
            return simplest(b / a), sympy.factor_terms(sympy.expand(rate - other)), -constant / a
    return None


def _with_logarithm(work: Work, expression: Any) -> tuple[Any, Any, Any] | None:
    """`a*x + b + c*log(d*x + e)`: as the exponential of it over c, times a."""
    x = work.unknown
    logs = [one for one in expression.atoms(sympy.log) if one.has(x)]
    if len(logs) != 1:
        return None
    inner = _linear(logs[0].args[0], x)
    mark = sympy.Dummy("log")
    marked = sympy.expand(expression.xreplace({logs[0]: mark}))
    c = marked.coeff(mark, 1)
    outer = _linear(sympy.expand(marked - c * mark), x)
    if inner is None or outer is None or c.has(x) or c == 0 or outer[1].has(mark):
        return None
    (d, e), (a, b) = inner, outer
    return simplest(e / d), sympy.factor_terms(a / c), sympy.exp(simplest(-b / c)) / d


def _product(work: Work, expression: Any) -> tuple[Any, Any, Any] | None:
    """`x**p * exp(m*x) = k` for positive sides: its logarithm is of the kind above."""
    terms = sympy.Add.make_args(expression)
    signs = [work.oracle.sign(term) for term in terms]
    if sorted(signs) != ["<", ">"]:
        return None
    upper, lower = terms[signs.index(">")], -terms[signs.index("<")]
    gap = logarithm(upper, work.oracle.sign) - logarithm(lower, work.oracle.sign)
    return _with_logarithm(work, sympy.expand(gap))
