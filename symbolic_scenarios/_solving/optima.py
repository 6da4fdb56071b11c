"""Where an expression is least or greatest, in closed form: where the derivative changes sign, or at an end.

That a zero of the derivative is the optimum is proved by the derivative's sign on both sides: it is that of a function
which only rises or only falls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy

from .._bridge import to_sympy
from .._domains import Domain
from .._tree import Tree, symbols
from .audit import is_optimal
from .cases import condition_set, sign_set
from .closed import Closed, domain_span, domains_of, signs_of
from .conditions import Sign
from .definedness import definedness
from .gathering import roots
from .oracle import Oracle
from .peeling import solve_span
from .pieces import Piece
from .signs import NEGATED, factors
from .spans import Span, meet_all, point, possible
from .tidying import tidied
from .work import NoMethodError, Work


def closed_optimum(
    tree: Tree,
    kind: str,
    unknown: Any,
    domain: Domain,
    validity: Sequence[Tree] = (),
    domains: Mapping[Any, Domain] | None = None,
) -> Closed:
    """Return where an expression is least (`min`) or greatest (`max`) over the domain of the unknown.

    Args:
        tree: The expression as written.
        kind: `min` or `max`.
        unknown: The symbol over which to look.
        domain: Its domain.
        validity: Conditions that must hold, too.
        domains: The domains of the other symbols; by default what their assumptions say.

    Returns:
        The points; verdict `optimum`, `not attained` (there is none at any values), `independent` (the expression
        does not depend on the unknown), or `unsolved`.
    """
    known = {**domains_of([tree, *validity]), **(domains or {}), unknown: domain}
    facts = [sign for condition in validity for sign in signs_of(condition)]
    work = Work(unknown, Oracle(known, facts))
    try:
        pieces, verdict = _optimum(work, tree, kind, domain, validity)
        if not is_optimal(pieces, tree, kind, unknown, known, validity):
            return Closed("unsolved", (), False, tuple(work.steps), "the closed form that was found fails its audit")
    except (
        NoMethodError,
        RecursionError,
        sympy.PolynomialError,
        NotImplementedError,
        TypeError,
        ValueError,
        AttributeError,
    ) as error:
        return Closed(
            "unsolved", (), False, tuple(work.steps), f"no method of the solver applies ({type(error).__name__})"
        )
    reason = "" if pieces else "it comes ever closer to its best value towards an open end of the domain"
    return Closed(verdict, tuple(pieces), True, tuple(work.steps), reason)


def _optimum(work: Work, tree: Tree, kind: str, domain: Domain, validity: Sequence[Tree]) -> tuple[list[Piece], str]:
    x = work.unknown
    expression = to_sympy(tree)
    feasible = _feasible(work, tree, domain, validity)
    if len(feasible) != 1:
        raise NoMethodError
    if not expression.has(x):
        span = feasible[0]
        return [
            Piece(span.low, span.high, span.low_open, span.high_open, domain.integer, span.conditions)
        ], "independent"
    wanted = expression if kind == "min" else -expression
    found = [
        part
        for span in _candidates(work, wanted, feasible[0])
        for part in (_whole(span, wanted, x) if domain.integer else [span])
    ]
    oracle = work.oracle.plain
    pieces = []
    for span in found:
        conditions = tidied(oracle, [*span.conditions, *_validity(validity, x, span.low)])
        if conditions is not None:
            pieces.append(Piece(span.low, span.high, integers=domain.integer, conditions=tuple(conditions)))
    return pieces, "optimum" if pieces else "not attained"


def _validity(validity: Sequence[Tree], x: Any, value: Any) -> Iterator[Sign]:
    for condition in validity:
        for sign in signs_of(condition):
            yield Sign(sign.expression.xreplace({x: value}), sign.relation)


def _feasible(work: Work, tree: Tree, domain: Domain, validity: Sequence[Tree]) -> list[Span]:
    x = work.unknown
    plain = Work(x, work.oracle.plain, work.steps)
    regions = [domain_span(domain)]
    for condition in validity:
        if x in symbols(condition):
            regions = meet_all(plain.oracle, regions, condition_set(plain, to_sympy(condition), solve_span))
    for asked in definedness(tree):
        if not asked.expression.has(x):
            regions = [region.asking(asked) for region in regions]
        elif work.oracle.decides(asked) is not True:
            regions = meet_all(work.oracle, regions, sign_set(work, asked, solve_span))
    return regions


def _candidates(work: Work, expression: Any, span: Span) -> list[Span]:
    """Return the points where an expression is least over a span, for an expression without kinks or with one."""
    x = work.unknown
    if isinstance(expression, sympy.Mul):
        rest, kept = expression.as_independent(x, as_Add=False)
        if work.oracle.sign(rest) == ">":
            expression = kept
        elif work.oracle.sign(rest) == "<" and isinstance(kept, sympy.Min):
            expression = sympy.Max(*(-arg for arg in kept.args))
    if expression.has(sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise, sympy.floor, sympy.ceiling):
        return _with_kink(work, expression, span)
    slope, level = _sign_like(work, sympy.diff(expression, x))
    work.step(slope, sympy.Integer(0), sympy.Integer(0), "the sign of the derivative")
    known = work.oracle.sign(slope)
    if known in (">", "<"):
        return _end(span.low, span.low_open, span) if known == ">" else _end(span.high, span.high_open, span)
    if level != ">":
        # The derivative falls through zero: least at one of the ends, which no sign decides.
        raise NoMethodError
    return _least(work, slope, roots(work, slope, solve_span), span)


def _least(work: Work, slope: Any, zeros: list[Span], span: Span) -> list[Span]:
    """Return the least point where the derivative has the sign of a rising function."""
    x, found = work.unknown, []
    low, high = (_at(slope, x, end) for end in (span.low, span.high))
    zeros = [
        zero
        for zero in zeros
        if not zero.is_point or possible(work.oracle, zero, *_after(zero.low, span), *_before(zero.low, span))
    ]
    for zero in zeros:
        if not zero.is_point:
            raise NoMethodError
        inside = [Sign(-low, ">" if span.low_open else ">=")] if low is not None else _after(zero.low, span)
        inside += [Sign(high, ">" if span.high_open else ">=")] if high is not None else _before(zero.low, span)
        found += possible(
            work.oracle, zero, *span.conditions, *inside, *_after(zero.low, span)[: 1 if len(zeros) > 1 else 0]
        )
    for end, is_open, sign in (
        (span.low, span.low_open, low),
        (span.high, span.high_open, None if high is None else -high),
    ):
        if is_open:
            continue
        if sign is None:
            raise NoMethodError
        found += [part for one in _end(end, is_open, span) for part in possible(work.oracle, one, Sign(sign, ">"))]
    return found


def _end(end: Any, is_open: bool, span: Span) -> list[Span]:
    return [] if is_open else [point(end, *span.conditions)]


def _after(value: Any, span: Span) -> list[Sign]:
    return [] if span.low == -sympy.oo else [Sign(value - span.low, ">" if span.low_open else ">=")]


def _before(value: Any, span: Span) -> list[Sign]:
    return [] if span.high == sympy.oo else [Sign(span.high - value, ">" if span.high_open else ">=")]


def _at(slope: Any, x: Any, end: Any) -> Any | None:
    if end in (sympy.oo, -sympy.oo):
        return None
    put = slope.subs(x, end)
    return None if put.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.I) else put


def _sign_like(work: Work, derivative: Any) -> tuple[Any, str]:
    """Return an expression with the sign of the derivative, and the sign of its own derivative where that is known."""
    turn, left = sympy.Integer(1), sympy.Integer(1)
    for factor, power in factors(derivative):
        known = work.oracle.sign(factor)
        if known in (">", "<"):
            turn *= -1 if known == "<" and power % 2 else 1
        elif power < 0 and power % 2 == 0:
            continue
        else:
            left *= factor if power % 2 else factor**2
    slope = sympy.expand(turn * left)
    forms = [slope]
    terms = sympy.Add.make_args(slope)
    rising = sympy.Add(*(term for term in terms if work.oracle.sign(term) == ">"))
    falling = sympy.Add(*(-term for term in terms if work.oracle.sign(term) == "<"))
    if rising != 0 and falling != 0 and sympy.expand(rising - falling - slope) == 0:
        forms.append(rising / falling - 1)
    for form in forms:
        direction = work.oracle.sign(sympy.diff(form, work.unknown))
        if direction in (">", "<"):
            return slope, direction
    return slope, ""


def _with_kink(work: Work, expression: Any, span: Span) -> list[Span]:
    """The larger of a rising and a falling expression is least where the two meet."""
    direction = slope_sign(work, expression)
    if direction in (">", "<"):
        return _end(span.low, span.low_open, span) if direction == ">" else _end(span.high, span.high_open, span)
    if not isinstance(expression, sympy.Max) or len(expression.args) != 2:
        raise NoMethodError
    rising, falling = expression.args
    if (slope_sign(work, rising), slope_sign(work, falling)) == ("<", ">"):
        rising, falling = falling, rising
    if (slope_sign(work, rising), slope_sign(work, falling)) != (">", "<"):
        raise NoMethodError
    gap = rising - falling
    work.step(gap, sympy.Integer(0), sympy.Integer(0), "where the two meet")
    return _least(work, gap, roots(work, gap, solve_span), span)


def slope_sign(work: Work, expression: Any) -> str:
    """Return the sign of the derivative, also of a larger or smaller one of several."""
    x = work.unknown
    if not expression.has(x):
        return "=="
    if isinstance(expression, (sympy.Max, sympy.Min)):
        signs = {slope_sign(work, arg) for arg in expression.args}
        return signs.pop() if len(signs) == 1 else ""
    if expression.is_Add or expression.is_Mul:
        rest, kept = expression.as_independent(x, as_Add=expression.is_Add)
        if isinstance(kept, (sympy.Max, sympy.Min)):
            turn = ">" if expression.is_Add else work.oracle.sign(rest)
            inner = slope_sign(work, kept)
            return inner if turn == ">" else NEGATED[inner] if turn == "<" else ""
    if expression.has(sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise, sympy.floor, sympy.ceiling):
        return ""
    return work.oracle.sign(sympy.diff(expression, x))


def _whole(span: Span, expression: Any, x: Any) -> list[Span]:
    """Return the whole neighbours of a least point, each where it is no worse than the other."""
    value = span.low
    if value.is_integer:
        return [span]
    below, above = sympy.floor(value), sympy.ceiling(value)
    at_below, at_above = expression.xreplace({x: below}), expression.xreplace({x: above})
    return [
        replace(span, low=below, high=below).asking(Sign(at_above - at_below, ">=")),
        replace(span, low=above, high=above).asking(Sign(at_below - at_above, ">=")),
    ]
