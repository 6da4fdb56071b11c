"""Equations and inequalities in which the unknown stands in several places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy

from .._domains import Domain
from .cases import Solve, by_cases, case_of
from .conditions import Sign
from .lambert import product_logarithm
from .oracle import Oracle
from .polynomials import positive, real_roots
from .signs import factors, has_transcendental_power, logarithm, times
from .spans import REAL_LINE, Span, meet_all, point, possible
from .work import NoMethodError, Work


def solve_several(work: Work, left: Any, span: Span, solve: Solve) -> list[Span]:
    """Return where `left` lies in a span."""
    if (part := case_of(left, work.unknown)) is not None:
        return by_cases(work, left, part, span, solve)
    if span.is_point:
        return _under(work, roots(work, left - span.low, solve), span)
    found = [REAL_LINE]
    if span.low != -sympy.oo:
        found = meet_all(work.oracle, found, positive_set(work, left - span.low, solve, strict=span.low_open))
    if span.high != sympy.oo:
        found = meet_all(work.oracle, found, positive_set(work, span.high - left, solve, strict=span.high_open))
    return _under(work, found, span)


def _under(work: Work, found: list[Span], span: Span) -> list[Span]:
    return [part for one in found for part in possible(work.oracle, one, *span.conditions)]


# --- equations --------------------------------------------------------------------------------------------------------


def roots(work: Work, expression: Any, solve: Solve) -> list[Span]:
    """Return the zeros of an expression, perhaps with some that its denominators exclude."""
    x = work.unknown
    over = sympy.expand(sympy.fraction(sympy.together(expression))[0])
    work.step(over, sympy.Integer(0), sympy.Integer(0), "clear the denominators")
    if not over.has(x):
        return possible(work.oracle, REAL_LINE, Sign(over, "=="))
    found: list[Span] = []
    for factor, power in factors(over):
        if power < 0 or factor.is_number:
            continue
        if not factor.has(x):
            found += possible(work.oracle, REAL_LINE, Sign(factor, "=="))
        elif work.oracle.sign(factor) not in (">", "<", "!="):
            found += _zeros(work, factor, solve)
    return found


def _zeros(work: Work, expression: Any, solve: Solve) -> list[Span]:
    x = work.unknown
    if expression == x:
        return [point(sympy.Integer(0))]
    for method in _METHODS:
        try:
            return method(work, expression, solve)
        except NoMethodError:
            continue
    collected = sympy.factor_terms(expression)
    if expression.count(x) > 1 and collected.count(x) == 1:
        return solve(work, collected, point(sympy.Integer(0)))
    raise NoMethodError


def polynomial(expression: Any, x: Any) -> list[Any] | None:
    """Return the coefficients of a polynomial, highest first; `None` where it is none."""
    if not expression.is_polynomial(x):
        return None
    try:
        return [sympy.factor_terms(one) for one in sympy.Poly(expression, x).all_coeffs()]
    except sympy.PolynomialError:
        return None


def _polynomial_roots(work: Work, expression: Any, solve: Solve) -> list[Span]:
    coefficients = polynomial(expression, work.unknown)
    if coefficients is None:
        raise NoMethodError
    if len(coefficients) > 4 and all(one == 0 for one in coefficients[1:-1]):
        return solve(work, work.unknown ** (len(coefficients) - 1), point(-coefficients[-1] / coefficients[0]))
    work.step(expression, sympy.Integer(0), sympy.Integer(0), f"a polynomial of degree {len(coefficients) - 1}")
    return real_roots(work.oracle, coefficients)


def generators(expression: Any, x: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield (s, mark, expression in the mark) for parts s(x) in which alone the expression is written."""
    powers = [one for one in expression.atoms(sympy.Pow) if one.base == x and not one.exp.has(x)]
    exponentials = [
        one
        for one in expression.atoms(sympy.exp, sympy.Pow)
        if one.as_base_exp()[1].has(x) and not one.as_base_exp()[0].has(x)
    ]
    plain = expression.xreplace({one: sympy.Dummy() for one in powers}).has(x)
    families: list[tuple[Any, list[tuple[Any, Any]]]] = []
    if powers:
        exponents = [one.exp for one in powers] + ([sympy.Integer(1)] if plain else [])
        families += [
            (x**unit, [(one, one.exp / unit) for one in powers] + ([(x, 1 / unit)] if plain else []))
            for unit in _units(exponents)
        ]
    if exponentials:
        rates = [sympy.expand(_rate(one, x)) for one in exponentials]
        if all(not rate.has(x) for rate in rates):
            for unit in _units(rates):
                families.append(
                    (
                        sympy.exp(unit * x),
                        [
                            (one, (sympy.simplify(rate / unit), _offset(one, x)))
                            for one, rate in zip(exponentials, rates, strict=True)
                        ],
                    )
                )
    for generator, parts in families:
        mark = sympy.Dummy("u", positive=True)
        changed = expression
        for part, power in parts:
            k, factor = power if isinstance(power, tuple) else (power, sympy.Integer(1))
            changed = changed.xreplace({part: factor * mark**k})
        if not changed.has(x):
            yield generator, mark, changed
    for part in sorted(
        expression.atoms(sympy.log, sympy.sqrt, sympy.floor, sympy.ceiling, sympy.erf, sympy.tanh), key=sympy.count_ops
    ):
        if part.has(x):
            mark = sympy.Dummy("u", real=True)
            changed = expression.xreplace({part: mark})
            if not changed.has(x):
                yield part, mark, changed


def _exponent(power: Any) -> Any:
    return power.args[0] if isinstance(power, sympy.exp) else power.exp * sympy.log(power.base)


def _rate(power: Any, x: Any) -> Any:
    return sympy.diff(_exponent(power), x)


def _offset(power: Any, x: Any) -> Any:
    return sympy.exp(sympy.expand(_exponent(power)).xreplace({x: sympy.Integer(0)}))


def _units(exponents: list[Any]) -> Iterator[Any]:
    """Yield exponents of which all others are whole multiples."""
    for one in dict.fromkeys(exponents):
        ratios = [sympy.simplify(other / one) for other in exponents]
        if all(ratio.is_Rational for ratio in ratios):
            common = sympy.ilcm(1, *(int(ratio.q) for ratio in ratios))
            yield one / common
            return


def _generator_roots(work: Work, expression: Any, solve: Solve) -> list[Span]:
    for generator, mark, changed in generators(expression, work.unknown):
        if generator == work.unknown:
            continue
        coefficients = polynomial(sympy.expand(sympy.fraction(sympy.together(changed))[0]), mark)
        if coefficients is None:
            continue
        work.step(changed.xreplace({mark: generator}), sympy.Integer(0), sympy.Integer(0), f"solve for {generator}")
        found = []
        for root in real_roots(work.oracle, coefficients):
            found += [root] if not root.is_point else solve(work, generator, root)
        return found
    raise NoMethodError


def _logarithm_roots(work: Work, expression: Any, solve: Solve) -> list[Span]:
    """Join a sum of logarithms with whole factors into one."""
    x = work.unknown
    moving = [term for term in sympy.Add.make_args(expression) if term.has(x)]
    scale = None
    product = sympy.Integer(1)
    for term in moving:
        rest, kept = term.as_independent(x, as_Add=False)
        if not isinstance(kept, sympy.log):
            raise NoMethodError
        scale = rest if scale is None else scale
        power = sympy.simplify(rest / scale)
        if not power.is_Rational:
            raise NoMethodError
        product *= kept.args[0] ** power
    if scale is None or len(moving) < 2 or work.oracle.sign(scale) not in ("<", ">"):
        raise NoMethodError
    level = sympy.exp(-sympy.Add(*(term for term in sympy.Add.make_args(expression) if not term.has(x))) / scale)
    work.step(product, level, level, "join the logarithms")
    return solve(work, product, point(level))


def _two_term_roots(work: Work, expression: Any, solve: Solve) -> list[Span]:
    """Compare two terms of opposite signs by their logarithms."""
    terms = sympy.Add.make_args(expression)
    if len(terms) != 2 or not has_transcendental_power(expression):
        raise NoMethodError
    signs = [work.oracle.sign(term) for term in terms]
    if sorted(signs) != ["<", ">"]:
        raise NoMethodError
    upper, lower = terms[signs.index(">")], -terms[signs.index("<")]
    gap = sympy.expand(logarithm(upper, work.oracle.sign) - logarithm(lower, work.oracle.sign))
    x = work.unknown
    collected = sympy.collect(gap, [x, sympy.log(x)])
    if collected.has(sympy.exp) or any(one.has(x) for one in collected.atoms(sympy.Pow)):
        raise NoMethodError
    moving = [term for term in sympy.Add.make_args(collected) if term.has(x)]
    if len(moving) != 1:
        raise NoMethodError
    work.step(collected, sympy.Integer(0), sympy.Integer(0), "take logarithms")
    return solve(work, collected, point(sympy.Integer(0)))


def _lambert_roots(work: Work, expression: Any, _: Solve) -> list[Span]:
    return product_logarithm(work, expression)


def _exponential_roots(work: Work, expression: Any, solve: Solve) -> list[Span]:
    """Put x = exp(u) where the unknown stands in its logarithm and plain: `x*log(x)` is `u*exp(u)`."""
    x = work.unknown
    if not expression.has(sympy.log(x)):
        raise NoMethodError
    u = sympy.Dummy("u", real=True)
    changed = expression.xreplace({sympy.log(x): u}).xreplace({x: sympy.exp(u)})
    inner = Work(u, Oracle({**work.oracle.domains, u: Domain()}), work.steps)
    found = roots(inner, sympy.powsimp(sympy.expand(changed)), solve)
    if not all(root.is_point for root in found):
        raise NoMethodError
    return [point(sympy.exp(root.low), *root.conditions) for root in found]


def _radical_roots(work: Work, expression: Any, solve: Solve) -> list[Span]:
    """Isolate one square root and square: what the other side must not be is negative."""
    x = work.unknown
    radicals = [one for one in expression.atoms(sympy.Pow) if one.exp == sympy.Rational(1, 2) and one.base.has(x)]
    if len(radicals) != 1:
        raise NoMethodError
    mark = sympy.Dummy("root")
    marked = sympy.expand(expression.xreplace({radicals[0]: mark}))
    q, rest = marked.coeff(mark, 1), marked.coeff(mark, 0)
    if sympy.expand(marked - q * mark - rest) != 0:
        raise NoMethodError
    other = -rest / q
    work.step(radicals[0], other, other, "square both sides")
    found = []
    for root in roots(work, sympy.expand(rest**2 - q**2 * radicals[0].base), solve):
        if not root.is_point:
            raise NoMethodError
        found += possible(work.oracle, root, Sign(other.xreplace({x: root.low}), ">="))
    return found


_METHODS: tuple[Callable[[Work, Any, Solve], list[Span]], ...] = (
    _polynomial_roots,
    _generator_roots,
    _logarithm_roots,
    _two_term_roots,
    _lambert_roots,
    _exponential_roots,
    _radical_roots,
)


# --- inequalities -----------------------------------------------------------------------------------------------------


def positive_set(work: Work, expression: Any, solve: Solve, *, strict: bool) -> list[Span]:
    """Return where an expression is positive (or not negative)."""
    x = work.unknown
    fixed, moving = sympy.Integer(1), []
    for factor, power in factors(expression):
        known = work.oracle.sign(factor)
        if factor.has(x):
            if known in (">", "<"):
                fixed *= -1 if known == "<" and power % 2 else 1
            elif power % 2 or not strict or known:
                moving.append((factor, power))
            else:
                moving.append((factor, 2 if power > 0 else -2))
        else:
            fixed *= factor if power % 2 else 1 if known == "!=" else factor**2
    if not moving:
        return possible(work.oracle, REAL_LINE, Sign(fixed, ">" if strict else ">="))
    found: list[Span] = []
    for relation, turn in ((">", 1), ("<", -1)):
        for part in possible(work.oracle, REAL_LINE, Sign(turn * fixed, ">")):
            found += [
                one
                for span in _positive_product(work, moving, turn, solve, strict)
                for one in possible(work.oracle, span, *part.conditions)
            ]
        del relation
    if not strict:
        found += possible(work.oracle, REAL_LINE, Sign(fixed, "=="))
    return found


def _positive_product(work: Work, moving: list[tuple[Any, int]], turn: int, solve: Solve, strict: bool) -> list[Span]:
    (factor, power), others = moving[0], moving[1:]
    open_end = strict or power < 0
    if power % 2 == 0:
        nonzero = [*_positive_one(work, factor, solve, True), *_positive_one(work, -factor, solve, True)]
        rest = _positive_product(work, others, turn, solve, strict) if others else ([REAL_LINE] if turn > 0 else [])
        zeros = [] if open_end else roots(work, factor, solve)
        return [*meet_all(work.oracle, nonzero, rest), *zeros]
    if not others:
        return _positive_one(work, turn * factor, solve, open_end)
    found = meet_all(
        work.oracle, _positive_one(work, factor, solve, open_end), _positive_product(work, others, turn, solve, strict)
    )
    return [
        *found,
        *meet_all(
            work.oracle,
            _positive_one(work, -factor, solve, open_end),
            _positive_product(work, others, -turn, solve, strict),
        ),
    ]


def _positive_one(work: Work, factor: Any, solve: Solve, strict: bool) -> list[Span]:
    x = work.unknown
    span = Span(sympy.Integer(0), sympy.oo, strict, True)
    known = times(work.oracle.sign(factor), ">")
    if known == ">" or (known == ">=" and not strict):
        return [REAL_LINE]
    if known == "<" or (known == "<=" and strict):
        return []
    coefficients = polynomial(factor, x)
    if coefficients is not None:
        return positive(work.oracle, coefficients, strict=strict)
    if factor.count(x) == 1:
        return solve(work, factor, span)
    for generator, mark, changed in generators(factor, x):
        if generator != x and (coefficients := polynomial(changed, mark)) is not None:
            return [
                part
                for one in positive(work.oracle, coefficients, strict=strict)
                for part in solve(work, generator, one)
            ]
    return _by_monotony(work, factor, solve, strict)


def _by_monotony(work: Work, factor: Any, solve: Solve, strict: bool) -> list[Span]:
    """Use the one root of an expression that only rises or only falls, where that root always exists."""
    slope = work.oracle.sign(sympy.diff(factor, work.unknown))
    if slope not in (">", "<"):
        raise NoMethodError
    found = []
    for root in roots(work, factor, solve):
        if not root.is_point or root.conditions:
            raise NoMethodError
        found.append(
            Span(root.low, sympy.oo, strict, True) if slope == ">" else Span(-sympy.oo, root.low, True, strict)
        )
    if len(found) != 1:
        raise NoMethodError
    return found
