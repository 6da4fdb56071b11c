"""The solution set of one relation in closed form: points and intervals, each with its condition, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy

from .._bridge import to_sympy
from .._domains import Domain
from .._tree import Tree, symbols
from .audit import passes
from .cases import condition_set, sign_set
from .conditions import Sign
from .definedness import definedness
from .oracle import Oracle
from .peeling import solve_span
from .pieces import Found, Piece, merged
from .polynomials import simplest
from .spans import Span, above, below, meet_all, point
from .tidying import tidied
from .work import NoMethodError, Step, Work

_SPANS: dict[str, Callable[[Any], Span]] = {
    "==": point,
    "<": lambda end: below(end, open_end=True),
    "<=": lambda end: below(end, open_end=False),
    ">": lambda end: above(end, open_end=True),
    ">=": lambda end: above(end, open_end=False),
}


@dataclass(frozen=True)
class Closed:
    """A solution set in closed form.

    Attributes:
        verdict: `unique` (one point), `several` (points), `region` (an interval is among the pieces), `always` (the
            whole domain, whatever the other inputs), `independent` (the unknown cancels; the pieces say when it
            holds), `none` (nothing in the domain solves it), `unsolved` (no method here); of an optimum `optimum`, or
            `not attained`.
        pieces: The parts of the set; they may touch or coincide where two conditions meet.
        complete: Whether the pieces are the whole set. Not where the verdict is `unsolved`.
        steps: How it was reached.
        reason: Why there is nothing, where there is nothing.
    """

    verdict: str
    pieces: tuple[Piece, ...] = ()
    complete: bool = True
    steps: tuple[Step, ...] = ()
    reason: str = ""

    @property
    def condition(self) -> tuple[tuple[Sign, ...], ...]:
        """When there is a solution: one of these lists of conditions holds. An empty list always does."""
        alternatives = tuple(dict.fromkeys(piece.conditions for piece in self.pieces))
        return ((),) if () in alternatives else alternatives

    def at(self, values: Mapping[Any, Fraction]) -> tuple[Found, ...]:
        """Return the set where the other inputs have values: disjoint points and intervals, in order.

        Raises:
            NoValueError: An end or a condition has no value that can be computed.
        """
        return merged(self.pieces, values)


def closed_forms(
    tree: Tree,
    relation: str,
    target: Tree,
    unknown: Any,
    domain: Domain,
    validity: Sequence[Tree] = (),
    domains: Mapping[Any, Domain] | None = None,
) -> Closed:
    """Return where `tree RELATION target` holds, as a set of values of the unknown.

    Args:
        tree: The expression as written, in symbols that carry their assumptions.
        relation: One of `==`, `<`, `<=`, `>`, `>=`.
        target: What it is compared with; it may hold the unknown, too.
        unknown: The symbol to solve for.
        domain: The domain of the unknown.
        validity: Conditions that a solution must meet, too.
        domains: The domains of the other symbols; by default what their assumptions say.
    """
    known = {**domains_of([tree, target, *validity]), **(domains or {}), unknown: domain}
    work = Work(unknown, Oracle(known, [sign for condition in validity for sign in signs_of(condition)]))
    try:
        question = _Question(work, tree, target, relation, domain, tuple(validity))
        closed = question.answer()
        if not passes(closed.pieces, tree, relation, target, unknown, known, validity):
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
    return closed


def domains_of(trees: Iterable[Tree]) -> dict[Any, Domain]:
    """Return the domains that symbols have by their assumptions."""
    found = {}
    for tree in trees:
        for symbol in symbols(tree):
            known = {"lower": Fraction(0), "lower_open": bool(symbol.is_positive)} if symbol.is_nonnegative else {}
            if symbol.is_nonpositive:
                known |= {"upper": Fraction(0), "upper_open": bool(symbol.is_negative)}
            found[symbol] = Domain(integer=bool(symbol.is_integer), **known)  # type: ignore[arg-type]
    return found


def domain_span(domain: Domain) -> Span:
    """Return a domain as a span; that of integers with the reals between them."""
    low = -sympy.oo if domain.lower is None else sympy.Rational(domain.lower.numerator, domain.lower.denominator)
    high = sympy.oo if domain.upper is None else sympy.Rational(domain.upper.numerator, domain.upper.denominator)
    return Span(low, high, domain.lower_open or domain.lower is None, domain.upper_open or domain.upper is None)


def signs_of(condition: Tree) -> list[Sign]:
    """Return a condition as signs, as far as it is a conjunction of comparisons."""
    if condition.head == "and":
        return [sign for arg in condition.args for sign in signs_of(arg)]
    if condition.head not in ("<", "<=", ">", ">=", "!=", "=="):
        return []
    left, right = (to_sympy(arg) for arg in condition.args)
    if condition.head in ("<", "<="):
        return [Sign(right - left, {"<": ">", "<=": ">="}[condition.head])]
    return [Sign(left - right, condition.head)]


@dataclass
class _Question:
    work: Work
    tree: Tree
    target: Tree
    relation: str
    domain: Domain
    validity: tuple[Tree, ...]

    def answer(self) -> Closed:
        work, x = self.work, self.work.unknown
        left, right = to_sympy(self.tree), to_sympy(self.target)
        gap = left - right
        independent = not sympy.fraction(sympy.together(gap))[0].expand().has(x) and not sympy.cancel(
            sympy.together(gap)
        ).has(x)
        if right.has(x):
            left, right = gap, sympy.Integer(0)
        work.step(left, right, right, "the question")
        found = solve_span(work, left, _SPANS[self.relation](right))
        pieces = [
            piece for span in found for part in self._allowed(span, gap) if (piece := self._piece(part)) is not None
        ]
        pieces = _without_doubles(pieces)
        return Closed(
            self._verdict(pieces, independent),
            tuple(pieces),
            True,
            tuple(work.steps),
            "" if pieces else self._reason(found),
        )

    # --- what is asked of a candidate besides the relation itself -----------------------------------------------------

    def _allowed(self, span: Span, gap: Any) -> list[Span]:
        work, x = self.work, self.work.unknown
        plain = work.oracle.plain
        asked = [*definedness(self.tree), *definedness(self.target)]
        if span.is_point:
            signs = [*self._in_domain(span.low), *(one for one in asked if not self._holds_at_roots(one, gap))]
            valid = [sign for condition in self.validity for sign in _signs_or_give_up(condition)]
            # The oracle took the validity constraints as facts: of a value put in they must be asked by their own.
            put = [Sign(one.expression.xreplace({x: span.low}), one.relation) for one in signs]
            put += [Sign(one.expression.xreplace({x: span.low}), one.relation) for one in valid]
            return [span.asking(*put)]
        regions = meet_all(work.oracle, [span], [domain_span(self.domain)])
        for one in asked:
            if not one.expression.has(x):
                regions = [region.asking(one) for region in regions]
            elif work.oracle.decides(one) is not True:
                regions = meet_all(work.oracle, regions, sign_set(work, one, solve_span))
        outside = Work(x, plain, work.steps)
        for condition in self.validity:
            if x in symbols(condition):
                regions = meet_all(plain, regions, condition_set(outside, to_sympy(condition), solve_span))
            else:
                regions = [region.asking(*_signs_or_give_up(condition)) for region in regions]
        return regions

    def _in_domain(self, value: Any) -> list[Sign]:
        span, signs = domain_span(self.domain), []
        if span.low != -sympy.oo:
            signs.append(Sign(value - span.low, ">" if span.low_open else ">="))
        if span.high != sympy.oo:
            signs.append(Sign(span.high - value, ">" if span.high_open else ">="))
        if self.domain.integer and not value.is_integer:
            over, under = sympy.fraction(sympy.together(value))
            whole = (
                sympy.Mod(over, under, evaluate=False)
                if over.is_integer and under.is_integer
                else value - sympy.floor(value)
            )
            signs.append(Sign(whole, "=="))
        return signs

    def _holds_at_roots(self, asked: Sign, gap: Any) -> bool:
        """Whether a condition holds wherever the domain allows, or a denominator shares no zero with the equation."""
        work, x = self.work, self.work.unknown
        if work.oracle.decides(asked):
            return True
        if asked.relation != "!=" or self.relation != "==" or not asked.expression.has(x):
            return False
        over = sympy.fraction(sympy.together(gap))[0]
        under = sympy.fraction(sympy.together(asked.expression))[0]
        if (
            not (over.is_polynomial(x) and under.is_polynomial(x))
            or sympy.degree(over, x) > 4
            or sympy.count_ops(over) > 80
        ):
            return False
        return work.oracle.sign(sympy.resultant(over, under, x)) in (">", "<", "!=")

    # --- pieces ------------------------------------------------------------------------------------------------------

    def _piece(self, span: Span) -> Piece | None:
        if span.low.has(sympy.zoo, sympy.nan) or span.high.has(sympy.zoo, sympy.nan):
            return None
        low, high = simplest(span.low), simplest(span.high)
        span = replace(span, low=low, high=low if span.is_point else high)
        span = self._whole(span) if self.domain.integer and not span.is_point else span
        # The validity constraints helped to find the span; its condition must say them, so here they are not known.
        conditions = tidied(self.work.oracle.plain, span.conditions)
        if conditions is None:
            return None
        return Piece(span.low, span.high, span.low_open, span.high_open, self.domain.integer, tuple(conditions))

    def _whole(self, span: Span) -> Span:
        """Return the whole numbers of a span: the real ends stay the boundary, the neighbours inside decide."""
        low, high = span.low, span.high
        if low != -sympy.oo:
            low = sympy.floor(low) + 1 if span.low_open else sympy.ceiling(low)
        if high != sympy.oo:
            high = sympy.ceiling(high) - 1 if span.high_open else sympy.floor(high)
        whole = replace(span, low=low, high=high, low_open=low == -sympy.oo, high_open=high == sympy.oo)
        if -sympy.oo in (low, high) or sympy.oo in (low, high):
            return whole
        lows = low.args if isinstance(low, sympy.Max) else (low,)
        highs = high.args if isinstance(high, sympy.Min) else (high,)
        return whole.asking(*(Sign(b - a, ">=") for a in lows for b in highs))

    def _verdict(self, pieces: list[Piece], independent: bool) -> str:
        if not pieces:
            return "none"
        span = domain_span(self.domain)
        whole = [piece for piece in pieces if not piece.conditions and (piece.low, piece.high) == (span.low, span.high)]
        if whole or (independent and all(not piece.conditions for piece in pieces)):
            return "always"
        if independent:
            return "independent"
        if any(not piece.is_point for piece in pieces):
            return (
                "region"
                if not all(piece.is_point or self.relation == "==" for piece in pieces) or len(pieces) == 1
                else "several"
            )
        return "unique" if len(pieces) == 1 else "several"

    def _reason(self, found: list[Span]) -> str:
        if not found:
            return "the expression never takes such a value"
        return "what would solve it lies outside the domain, a validity constraint or where the expression is defined"


def _signs_or_give_up(condition: Tree) -> list[Sign]:
    signs = signs_of(condition)
    if not signs and condition.head != "true":
        raise NoMethodError
    return signs


def _without_doubles(pieces: list[Piece]) -> list[Piece]:
    """Drop a piece that another one, with no more conditions, holds already; join the two sides of one condition."""
    kept: list[Piece] = []
    for piece in dict.fromkeys(pieces):
        same = [other for other in pieces if other != piece and other.span == piece.span]
        if not any(set(other.conditions) < set(piece.conditions) for other in same):
            kept.append(piece)
    return kept
