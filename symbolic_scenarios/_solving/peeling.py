"""Undo one operation after another while the unknown stands in one place: where does f(x) lie in a given span?

Equations, inequalities and rounding are the same question: a point, a half line, an interval between whole numbers.
"""

from __future__ import annotations

from typing import Any

import sympy

from .conditions import Sign
from .gathering import solve_several
from .spans import REAL_LINE, Span, above, below, meet, meet_all, possible
from .work import NoMethodError, Work

_OO = sympy.oo
_MONOTONE: dict[Any, tuple[Any, tuple[Any, Any], tuple[Any, Any]]] = {
    # function: (its inverse, its range, the domain that it maps there), all increasing
    sympy.exp: (sympy.log, (sympy.Integer(0), _OO), (-_OO, _OO)),
    sympy.log: (sympy.exp, (-_OO, _OO), (sympy.Integer(0), _OO)),
    sympy.erf: (sympy.erfinv, (sympy.Integer(-1), sympy.Integer(1)), (-_OO, _OO)),
    sympy.erfinv: (sympy.erf, (-_OO, _OO), (sympy.Integer(-1), sympy.Integer(1))),
    sympy.tanh: (sympy.atanh, (sympy.Integer(-1), sympy.Integer(1)), (-_OO, _OO)),
    sympy.atanh: (sympy.tanh, (-_OO, _OO), (sympy.Integer(-1), sympy.Integer(1))),
    sympy.sinh: (sympy.asinh, (-_OO, _OO), (-_OO, _OO)),
    sympy.asinh: (sympy.sinh, (-_OO, _OO), (-_OO, _OO)),
    sympy.atan: (sympy.tan, (-sympy.pi / 2, sympy.pi / 2), (-_OO, _OO)),
}


def solve_span(work: Work, left: Any, span: Span) -> list[Span]:
    """Return where `left` lies in a span, as spans of the unknown.

    Raises:
        NoMethodError: The question is of a kind that is not handled.
    """
    x = work.unknown
    if not left.has(x):
        return [
            REAL_LINE.asking(*part.conditions)
            for part in meet(work.oracle, Span(left, left, conditions=span.conditions), span)
        ]
    if left == x:
        return [span]
    if left.is_Add:
        return _through_sum(work, left, span)
    if left.is_Mul:
        return _through_product(work, left, span)
    if left.is_Pow:
        return _through_power(work, left.base, left.exp, span)
    if type(left) in _MONOTONE:
        return _through_monotone(work, left, span)
    if isinstance(left, sympy.Abs):
        return _either_sign(work, left.args[0], span)
    if isinstance(left, (sympy.floor, sympy.ceiling)):
        return _through_rounding(work, left, span)
    if isinstance(left, (sympy.Max, sympy.Min)):
        return _through_extreme(work, left, span)
    return solve_several(work, left, span, solve_span)


def _through_sum(work: Work, left: Any, span: Span) -> list[Span]:
    rest, kept = left.as_independent(work.unknown, as_Add=True)
    if kept.is_Add:
        factored = sympy.factor_terms(left)
        if (
            factored.is_Mul
            and not factored.as_independent(work.unknown, as_Add=False)[1].is_Mul
            and factored.count(work.unknown) == 1
        ):
            return solve_span(work, factored, span)
        return solve_several(work, left, span, solve_span)
    moved = Span(span.low - rest, span.high - rest, span.low_open, span.high_open, span.conditions)
    work.step(
        kept, moved.low, moved.high, f"subtract {rest}" if not rest.could_extract_minus_sign() else f"add {-rest}"
    )
    return solve_span(work, kept, moved)


def _through_product(work: Work, left: Any, span: Span) -> list[Span]:
    rest, kept = left.as_independent(work.unknown, as_Add=False)
    if kept.is_Mul:
        return solve_several(work, left, span, solve_span)
    found = []
    for relation in (">", "<"):
        for part in possible(work.oracle, span, Sign(rest if relation == ">" else -rest, ">")):
            low, high = _times(part.low, 1 / rest, relation), _times(part.high, 1 / rest, relation)
            scaled = Span(low, high, part.low_open, part.high_open, part.conditions)
            if relation == "<":
                scaled = Span(high, low, part.high_open, part.low_open, part.conditions)
            work.step(kept, scaled.low, scaled.high, f"divide by {rest}")
            found += solve_span(work, kept, scaled)
    for part in possible(work.oracle, span, Sign(rest, "==")):
        found += solve_span(work, sympy.Integer(0), part)
    return _joined_points(found, rest)


def _joined_points(found: list[Span], rest: Any) -> list[Span]:
    """Write `c > 0` and `c < 0` with the same point as `c != 0`."""
    joined: list[Span] = []
    for span in found:
        turned = {Sign(rest, ">"): Sign(-rest, ">"), Sign(-rest, ">"): Sign(rest, ">")}
        twin = tuple(turned.get(one, one) for one in span.conditions)
        match = next(
            (
                other
                for other in joined
                if span.is_point
                and other.low == span.low
                and set(other.conditions) == set(twin) != set(span.conditions)
            ),
            None,
        )
        if match is None:
            joined.append(span)
        else:
            kept = tuple(one for one in span.conditions if one not in turned)
            joined[joined.index(match)] = Span(span.low, span.high, conditions=(Sign(rest, "!="), *kept))
    return joined


def _times(end: Any, factor: Any, relation: str) -> Any:
    if end in (_OO, -_OO):
        return end if relation == ">" else -end
    return end * factor


def _through_power(work: Work, base: Any, exponent: Any, span: Span) -> list[Span]:
    x = work.unknown
    if exponent.has(x):
        if base.has(x):
            return solve_several(work, base**exponent, span, solve_span)
        return _through_exponential(work, base, exponent, span)
    sign = work.oracle.sign(exponent)
    if sign == "<":
        return _through_reciprocal(work, base, exponent, span)
    if sign != ">":
        found = []
        for part in possible(work.oracle, span, Sign(exponent, ">")):
            found += _rooted(work, base, exponent, part)
        for part in possible(work.oracle, span, Sign(-exponent, ">")):
            found += _through_reciprocal(work, base, exponent, part)
        for part in possible(work.oracle, span, Sign(exponent, "==")):
            found += solve_span(work, sympy.Integer(1), part)
        return found
    return _rooted(work, base, exponent, span)


def _through_reciprocal(work: Work, base: Any, exponent: Any, span: Span) -> list[Span]:
    found: list[Span] = []
    power = base ** (-exponent)
    sign = work.oracle.sign(power)
    halves = [above(sympy.Integer(0), open_end=True)] if sign != "<" else []
    halves += [below(sympy.Integer(0), open_end=True)] if sign not in (">", ">=") else []
    for half in halves:
        for part in meet(work.oracle, span, half, split=True):
            turned = Span(
                _inverted(part.high, half), _inverted(part.low, half), part.high_open, part.low_open, part.conditions
            )
            work.step(power, turned.low, turned.high, "take the reciprocal")
            found += solve_span(work, power, turned)
    return found


def _inverted(end: Any, half: Span) -> Any:
    if end in (_OO, -_OO):
        return sympy.Integer(0)
    return (_OO if half.high == _OO else -_OO) if end == 0 else 1 / end


def _rooted(work: Work, base: Any, exponent: Any, span: Span) -> list[Span]:
    """Undo a power with a positive exponent."""
    sign = work.oracle.sign(base)
    if exponent == 1:
        return solve_span(work, base, span)
    if exponent.is_integer and sign in ("<", "<="):
        parity = 1 if exponent.is_even else -1 if exponent.is_odd else 0
        if not parity:
            raise NoMethodError
        return _rooted(work, -base, exponent, span if parity > 0 else span.mirrored)
    if sign in (">", ">=") or not exponent.is_integer:
        if sign not in (">", ">=") and not exponent.is_Rational:
            raise NoMethodError
        found = []
        for part in meet(work.oracle, span, above(sympy.Integer(0), open_end=False), split=True):
            root = Span(
                _root(part.low, exponent), _root(part.high, exponent), part.low_open, part.high_open, part.conditions
            )
            work.step(base, root.low, root.high, f"take the power 1/({exponent})")
            found += solve_span(work, base, root)
        return found
    if exponent.is_even:
        found = []
        for part in meet(work.oracle, span, above(sympy.Integer(0), open_end=False), split=True):
            root = Span(
                _root(part.low, exponent), _root(part.high, exponent), part.low_open, part.high_open, part.conditions
            )
            found += _either_sign(work, base, root)
        return found
    if exponent.is_odd:
        root = Span(
            _signed_root(work, span.low, exponent),
            _signed_root(work, span.high, exponent),
            span.low_open,
            span.high_open,
            span.conditions,
        )
        work.step(base, root.low, root.high, f"take the root of degree {exponent}")
        return solve_span(work, base, root)
    raise NoMethodError


def _root(end: Any, degree: Any) -> Any:
    return end if end in (_OO, -_OO) else end ** (1 / degree)


def _signed_root(work: Work, end: Any, degree: Any) -> Any:
    if end in (_OO, -_OO):
        return end
    sign = work.oracle.sign(end)
    if sign in (">", ">="):
        return end ** (1 / degree)
    if sign in ("<", "<="):
        return -((-end) ** (1 / degree))
    return sympy.sign(end) * sympy.Abs(end) ** (1 / degree)


def _either_sign(work: Work, inner: Any, span: Span) -> list[Span]:
    """Return where the absolute value of `inner` lies in a span."""
    if inner.is_Add and inner.as_independent(work.unknown, as_Add=True)[1].could_extract_minus_sign():
        inner = -inner
    found = []
    low_is_free = span.low == -_OO or work.oracle.decides(Sign(-span.low, ">" if span.low_open else ">="))
    if low_is_free and not span.is_point:
        both = Span(-span.high, span.high, span.high_open, span.high_open, span.conditions)
        reach = [] if span.high == _OO else [Sign(span.high, ">" if span.high_open else ">=")]
        return [part for one in possible(work.oracle, both, *reach) for part in solve_span(work, inner, one)]
    for part in meet(work.oracle, span, above(sympy.Integer(0), open_end=False), split=True):
        work.step(inner, part.low, part.high, "either sign")
        found += solve_span(work, inner, part)
        if not part.is_point:
            found += solve_span(work, inner, part.mirrored)
        else:
            for other in possible(work.oracle, part, Sign(part.low, "!=")):
                found += solve_span(work, inner, other.mirrored)
    return found


def _through_exponential(work: Work, base: Any, exponent: Any, span: Span) -> list[Span]:
    if work.oracle.sign(base) != ">":
        raise NoMethodError
    found = []
    for clipped in meet(work.oracle, span, above(sympy.Integer(0), open_end=True), split=True):
        low, high = _log_end(clipped.low, base), _log_end(clipped.high, base)
        for part in possible(work.oracle, clipped, Sign(base - 1, ">")):
            work.step(exponent, low, high, f"take the logarithm to the base {base}")
            found += solve_span(work, exponent, Span(low, high, part.low_open, part.high_open, part.conditions))
        for part in possible(work.oracle, clipped, Sign(1 - base, ">")):
            low_end, high_end = (-one if one in (_OO, -_OO) else one for one in (high, low))
            work.step(exponent, low_end, high_end, f"take the logarithm to the base {base}, which is below 1")
            found += solve_span(work, exponent, Span(low_end, high_end, part.high_open, part.low_open, part.conditions))
        for part in possible(work.oracle, clipped, Sign(base - 1, "==")):
            found += solve_span(work, sympy.Integer(1), part)
    return found


def _log_end(end: Any, base: Any) -> Any:
    if end == _OO:
        return _OO
    return -_OO if end == 0 else sympy.log(end) / sympy.log(base)


def _through_monotone(work: Work, left: Any, span: Span) -> list[Span]:
    inverse, (bottom, top), (first, last) = _MONOTONE[type(left)]
    found = []
    for part in meet(work.oracle, span, Span(bottom, top, True, True), split=True):
        low = first if part.low == bottom else inverse(part.low)
        high = last if part.high == top else inverse(part.high)
        work.step(left.args[0], low, high, f"undo {type(left).__name__}")
        found += solve_span(work, left.args[0], Span(low, high, part.low_open, part.high_open, part.conditions))
    return found


def _through_rounding(work: Work, left: Any, span: Span) -> list[Span]:
    """Use the exact identities: `ceiling(u) <= h` is `u <= floor(h)`, `ceiling(u) >= l` is `u > ceiling(l) - 1`."""
    up = isinstance(left, sympy.ceiling)
    low, high = span.low, span.high
    if low != -_OO:
        low = (sympy.floor(low) + 1 if span.low_open else sympy.ceiling(low)) - (1 if up else 0)
    if high != _OO:
        high = (sympy.ceiling(high) - 1 if span.high_open else sympy.floor(high)) + (0 if up else 1)
    turned = Span(low, high, up, not up or high == _OO, span.conditions)
    if low == -_OO:
        turned = Span(low, high, True, turned.high_open, span.conditions)
    work.step(left.args[0], low, high, f"undo {type(left).__name__}")
    found = []
    whole = [] if not span.is_point or span.low.is_integer else [Sign(span.low - sympy.floor(span.low), "==")]
    for part in possible(work.oracle, turned, *whole):
        found += solve_span(work, left.args[0], part)
    return found


def _through_extreme(work: Work, left: Any, span: Span) -> list[Span]:
    if isinstance(left, sympy.Min):
        return _through_extreme(work, sympy.Max(*(-arg for arg in left.args), evaluate=False), span.mirrored)
    moving = [arg for arg in left.args if arg.has(work.unknown)]
    fixed = [arg for arg in left.args if not arg.has(work.unknown)]
    everywhere_below = [
        [below(span.high, open_end=span.high_open)] if span.high != _OO else [REAL_LINE] for _ in moving
    ]
    under = [REAL_LINE.asking(*span.conditions)]
    for arg, region in zip(moving, everywhere_below, strict=True):
        under = meet_all(work.oracle, under, solve_span(work, arg, region[0]) if span.high != _OO else [REAL_LINE])
    if fixed:
        constant = sympy.Max(*fixed)
        low_sign = [] if span.low == -_OO else [Sign(constant - span.low, ">" if span.low_open else ">=")]
        high_signs = (
            [] if span.high == _OO else [Sign(span.high - arg, ">" if span.high_open else ">=") for arg in fixed]
        )
        inside = [part for one in under for part in possible(work.oracle, one, *high_signs, *low_sign)]
        if not low_sign:
            return inside
        outside = [
            part
            for one in under
            for part in possible(
                work.oracle, one, *high_signs, Sign(span.low - constant, ">=" if span.low_open else ">")
            )
        ]
    else:
        inside, outside = [], under
    if span.low == -_OO:
        return [*inside, *outside]
    if len(moving) == 1 and not span.is_point:
        return [
            *inside,
            *meet_all(work.oracle, outside, solve_span(work, moving[0], above(span.low, open_end=span.low_open))),
        ]
    if len(moving) == 1:
        exact = solve_span(work, moving[0], Span(span.low, span.high, conditions=span.conditions))
        high = [] if not fixed else [Sign(span.low - sympy.Max(*fixed), ">")]
        return [*inside, *(part for one in exact for part in possible(work.oracle, one, *high))]
    reaching = [part for arg in moving for part in solve_span(work, arg, above(span.low, open_end=span.low_open))]
    return [*inside, *meet_all(work.oracle, outside, reaching)]
