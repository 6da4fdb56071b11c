"""The certified core against exact and many-digit signs at many points, for formulas nobody chose."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from symbolic_scenarios._balls import UndefinedError, as_fraction
from symbolic_scenarios._domains import Domain
from symbolic_scenarios._precise import value_at as precise_value_at
from symbolic_scenarios._solving.certified import CertifiedSet, Piece, optimum, solution_set
from symbolic_scenarios._tree import TRUE, Tree, name, number

X = sympy.Symbol("x")
x = name(X)
RELATIONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

numbers = st.sampled_from(["1", "2", "3", "5", "1/2", "3/4", "7/3", "10", "1/10"]).map(
    lambda s: number(sympy.Rational(s))
)
leaves = st.one_of(st.just(x), st.just(x), numbers)


def _grown(inner: Any) -> Any:
    two = ("+", "-", "*", "/", "min", "max")
    return st.one_of(
        st.tuples(st.sampled_from(two), inner, inner).map(lambda t: Tree(t[0], t[1:])),
        st.tuples(inner, inner, inner).map(lambda t: Tree("piecewise", (t[0], Tree("<", t[1:]), t[1], TRUE))),
        st.tuples(inner, numbers).map(lambda t: Tree("mod", t)),
        st.tuples(numbers, inner).map(lambda t: Tree("**", t)),
        st.tuples(inner, st.sampled_from(["2", "3", "-1", "1/2", "-2", "3/2"])).map(
            lambda t: Tree("**", (t[0], number(sympy.Rational(t[1]))))
        ),
        st.tuples(st.sampled_from(["exp", "log", "ceiling", "floor", "abs", "neg", "tanh", "erf", "sin"]), inner).map(
            lambda t: Tree(t[0], t[1:])
        ),
    )


formulas = st.recursive(leaves, _grown, max_leaves=6)
ends = st.sampled_from([None, "-3", "-1", "0", "1/2", "1", "4", "10"])


@st.composite
def domains(draw: Any) -> Domain:
    """Draw an interval, perhaps of integers only."""
    low, high = draw(ends), draw(ends)
    lower, upper = (None if end is None else Fraction(end) for end in (low, high))
    if lower is not None and upper is not None and lower > upper:
        lower, upper = upper, lower
    return Domain(lower, upper, draw(st.booleans()), draw(st.booleans()), draw(st.booleans()))


def value_at(tree: Tree, at: Fraction) -> Any:
    """Return the value at a point: a fraction, a ball, or `None`; "?" where it is not told."""
    try:
        return precise_value_at(tree, defaultdict(lambda: at))
    except UndefinedError as error:
        return "?" if "large" in error.reason or "settle" in error.reason or "told" in error.reason else None


def holds(tree: Tree, relation: str, target: Fraction, at: Fraction) -> bool | None:
    """Return whether the relation holds at a point; `None` where digits do not tell."""
    value = value_at(tree, at)
    if value is None:
        return False
    if isinstance(value, str):
        return None
    if isinstance(value, Fraction):
        return bool(RELATIONS[relation](value, target))
    gap = as_fraction(value) - target
    if abs(gap) <= Fraction(1, 10**15) * (1 + abs(target)):
        return None
    return bool(RELATIONS[relation](gap, 0))


def samples(domain: Domain, found: tuple[Piece, ...]) -> Iterator[Fraction]:
    """Yield points all over the domain and beside each end that was found."""
    lower = domain.lower if domain.lower is not None else (domain.upper or Fraction(0)) - 40
    upper = domain.upper if domain.upper is not None else max(lower, Fraction(0)) + 40
    places = [lower + (upper - lower) * Fraction(k, 67) for k in range(68)]
    places += [Fraction(k, 2) for k in range(-12, 25)]
    for piece in found:
        for end in (piece.lower, piece.upper):
            if end is not None:
                near = end.middle.limit_denominator(10**6)
                places += [near, near - Fraction(1, 10**5), near + Fraction(1, 10**5)]
                if end.exact is not None:
                    places.append(end.exact)
    yield from (place for place in places if domain.contains(place))


def membership(pieces: tuple[Piece, ...], at: Fraction) -> bool | None:
    """Whether a point is in one of the pieces; `None` where it is inside an enclosure."""
    for piece in pieces:
        low = _after(piece.lower, at, piece.lower_open, 1)
        high = _after(piece.upper, at, piece.upper_open, -1)
        if low is None or high is None:
            return None
        if low and high:
            return True
    return False


def _after(end: Any, at: Fraction, is_open: bool, side: int) -> bool | None:
    if end is None:
        return True
    if end.exact is not None:
        return at != end.exact if is_open and at == end.exact else (at - end.exact) * side >= 0
    if end.lower <= at <= end.upper:
        return None
    return bool((at - end.middle) * side > 0)


def check(tree: Tree, relation: str, target: Fraction, domain: Domain, got: CertifiedSet) -> None:
    """Compare a set with the truth at many points."""
    for at in samples(domain, got.pieces):
        if membership(got.undecided, at) is not False:
            continue
        truth, said = holds(tree, relation, target, at), membership(got.pieces, at)
        assert truth is None or said is None or truth == said, (at, truth, got)


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
@given(formulas, st.sampled_from(sorted(RELATIONS)), st.sampled_from(["0", "1", "2", "1/2", "5", "-1"]), domains())
@example(Tree("/", (Tree("*", (x, x)), x)), "==", "0", Domain())
def test_the_set_is_true_where_it_claims_and_false_elsewhere(
    tree: Tree, relation: str, target: str, domain: Domain
) -> None:
    """No sample inside fails, none outside holds."""
    goal = Fraction(target)
    got = solution_set(tree, relation, number(sympy.Rational(target)), X, {}, domain, seconds=0.5, explain=False)
    check(tree, relation, goal, domain, got)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
@given(formulas, st.sampled_from(["min", "max"]), domains())
def test_no_sample_beats_the_optimum(tree: Tree, kind: str, domain: Domain) -> None:
    """A certified optimum is not beaten by any sample."""
    got = optimum(tree, kind, X, {}, domain, seconds=0.5)
    if not got.is_complete or got.is_unbounded:
        return
    sign = 1 if kind == "min" else -1
    has_value = False
    for at in samples(domain, got.pieces):
        value = value_at(tree, at)
        if value is None or isinstance(value, str):
            continue
        has_value = True
        if got.value is not None:
            edge = got.value.lower if sign > 0 else got.value.upper
            assert sign * (as_fraction(value) - edge) >= -Fraction(1, 10**18) * max(1, abs(edge)), (at, value, got)
    assert got.is_attained or got.approached or not has_value, got
