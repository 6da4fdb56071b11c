"""Expressions that are one thing here and another there: Min, Max, Abs, Piecewise; and where conditions hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy

from .conditions import Sign
from .spans import REAL_LINE, Span, meet_all, point
from .work import NoMethodError, Work

Solve = Callable[[Work, Any, Span], list[Span]]


def case_of(left: Any, x: Any) -> Any | None:
    """Return the innermost part that is one expression here and another one there, if there is any."""
    parts = [part for part in left.atoms(sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise) if part.has(x)]
    return min(parts, key=sympy.count_ops) if parts else None


def by_cases(work: Work, left: Any, part: Any, span: Span, solve: Solve) -> list[Span]:
    """Return where `left` lies in a span, one case of such a part after another."""
    found = []
    for value, regions in _cases(work, part, solve):
        if regions:
            work.step(left, span.low, span.high, f"case {part} = {value}")
            found += meet_all(work.oracle, regions, solve(work, left.xreplace({part: value}), span))
    return found


def _cases(work: Work, part: Any, solve: Solve) -> Iterator[tuple[Any, list[Span]]]:
    nonnegative = Span(sympy.Integer(0), sympy.oo, False, True)
    strictly = Span(sympy.Integer(0), sympy.oo, True, True)
    if isinstance(part, sympy.Piecewise):
        before = [REAL_LINE]
        for value, condition in part.args:
            yield value, meet_all(work.oracle, before, condition_set(work, condition, solve))
            before = meet_all(work.oracle, before, condition_set(work, sympy.Not(condition), solve))
    elif isinstance(part, sympy.Abs):
        yield part.args[0], solve(work, part.args[0], nonnegative)
        yield -part.args[0], solve(work, -part.args[0], strictly)
    else:
        turn = 1 if isinstance(part, sympy.Max) else -1
        for place, arg in enumerate(part.args):
            regions = [REAL_LINE]
            for other_place, other in enumerate(part.args):
                if other_place != place:
                    over = strictly if other_place < place else nonnegative
                    regions = meet_all(work.oracle, regions, solve(work, turn * (arg - other), over))
            yield arg, regions


def condition_set(work: Work, condition: Any, solve: Solve) -> list[Span]:
    """Return where a condition (a SymPy relation, or several with and and or) holds."""
    if condition in (sympy.true, sympy.false):
        return [REAL_LINE] if condition == sympy.true else []
    if isinstance(condition, sympy.And):
        found = [REAL_LINE]
        for arg in condition.args:
            found = meet_all(work.oracle, found, condition_set(work, arg, solve))
        return found
    if isinstance(condition, sympy.Or):
        return [part for arg in condition.args for part in condition_set(work, arg, solve)]
    relation = getattr(condition, "rel_op", "")
    if not relation:
        raise NoMethodError
    gap = condition.lhs - condition.rhs
    if relation in ("<", "<="):
        gap, relation = -gap, {"<": ">", "<=": ">="}[relation]
    return sign_set(work, Sign(gap, relation), solve)


def sign_set(work: Work, asked: Sign, solve: Solve) -> list[Span]:
    """Return where an expression has a sign."""
    decided = work.oracle.decides(asked)
    if decided is not None:
        return [REAL_LINE] if decided else []
    zero = sympy.Integer(0)
    if asked.relation == "==":
        return solve(work, asked.expression, point(zero))
    if asked.relation == "!=":
        upper, lower = Span(zero, sympy.oo, True, True), Span(-sympy.oo, zero, True, True)
        return [*solve(work, asked.expression, lower), *solve(work, asked.expression, upper)]
    return solve(work, asked.expression, Span(zero, sympy.oo, asked.relation == ">", True))
