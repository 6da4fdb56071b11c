"""The certified core on kinds of problems that the open file lacks; answers from mpmath at 50 digits or by hand."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from test_certified_instances import as_written

from symbolic_scenarios._domains import Domain, interval
from symbolic_scenarios._solving.certified import CertifiedSet, Piece, optimum, solution_set
from symbolic_scenarios._tree import Tree, number

X = sympy.Symbol("x")


def domain(text: str) -> Domain:
    """Read "(0, oo)" or "integers [1, oo)"."""
    plain = interval(text.removeprefix("integers "), Fraction)
    return Domain(plain.lower, plain.upper, plain.lower_open, plain.upper_open, text.startswith("integers"))


def solved(left: str, relation: str, right: str, where: str, *validity: str, **options: Any) -> CertifiedSet:
    """Solve a question written as text."""
    conditions = [as_written(text) for text in validity]
    return solution_set(as_written(left), relation, as_written(right), X, {}, domain(where), conditions, **options)


def shown(piece: Piece) -> str:
    """Show a piece as text: exact numbers as fractions, others with 15 digits."""
    low, high = (_number(end) for end in (piece.lower, piece.upper))
    if piece.is_point:
        return low
    return f"{'(' if piece.lower_open else '['}{low}, {high}{')' if piece.upper_open else ']'}"


def _number(end: Any) -> str:
    if end is None:
        return "oo"
    return (
        str(end.exact)
        if end.exact is not None
        else mpmath.nstr(mpmath.mpf(end.middle.numerator) / end.middle.denominator, 15)
    )


def digits(value: Any) -> str:
    """Show a number of mpmath with 15 digits."""
    return mpmath.nstr(value, 15)


mpmath.mp.dps = 40
W = mpmath.lambertw
THIRD = mpmath.mpf(1) / 3
GEOMETRIC = mpmath.findroot(lambda t: (t**64 - 1) / (t - 1) - 100, 1.013)
SATURATED = mpmath.findroot(lambda t: t * (1 - mpmath.exp(-5 / t)) - mpmath.mpf("4.9"), 123)
ANNUITY = mpmath.findroot(lambda t: 10000 * t / (1 - (1 + t) ** -360) - 60, 0.005)
HALVING = mpmath.log(0.5) / mpmath.log1p(-(mpmath.mpf(10) ** -12))

CASES: list[tuple[str, str, str, str, list[str]]] = [
    # asymptotes are no roots
    ("(exp(x)-exp(-x))/(exp(x)+exp(-x))", "==", "1", "(-oo, oo)", []),
    ("tanh(x)", "==", "1", "(-oo, oo)", []),
    ("tanh(x)", "<", "1", "(-oo, oo)", ["(oo, oo)"]),
    ("exp(-x)", ">", "0", "(0, oo)", ["(0, oo)"]),
    ("exp(-x**2)", "==", "0", "(-oo, oo)", []),
    ("x/(1+x)", "==", "1", "[0, oo)", []),
    ("atan(x)", "==", "2", "(-oo, oo)", []),
    ("erf(x)", "<=", "1", "(0, oo)", ["(0, oo)"]),
    # poles as they are written
    ("x*5/x", "==", "5", "(-oo, oo)", ["(oo, 0)", "(0, oo)"]),
    ("(x**2-4)/(x-2)", "==", "4", "(-oo, oo)", []),
    ("1/x-1/x", "==", "0", "[-1, 1]", ["[-1, 0)", "(0, 1]"]),
    ("1/(x-1)", "<", "0", "[0, oo)", ["[0, 1)"]),
    ("log(x)/log(x)", "==", "1", "(0, oo)", ["(0, 1)", "(1, oo)"]),
    ("1/(sqrt(x)-2)", ">=", "1", "[0, oo)", ["(4, 9]"]),
    # double roots
    ("x-2*sqrt(x)+1", "==", "0", "[0, oo)", ["1"]),
    ("exp(2*x)-2*exp(x)+1", "==", "0", "(-oo, oo)", ["0"]),
    ("exp(2*x)-2*exp(x)+1", "<=", "0", "(-oo, oo)", ["0"]),
    ("x*exp(-x)", "==", "exp(-1)", "(0, oo)", ["1"]),
    ("x*exp(-x)", ">=", "exp(-1)", "(0, oo)", ["1"]),
    ("x*exp(-x)", "<", "exp(-1)", "(0, oo)", ["(0, 1)", "(1, oo)"]),
    ("x**2*exp(-x)", "==", "4*exp(-2)", "(0, oo)", ["2"]),
    ("log(x)", "<=", "x-1", "(0, oo)", ["(0, oo)"]),
    ("exp(x)", "==", "1+x", "(-oo, oo)", ["0"]),
    ("(x**2-2)**2", "==", "0", "(-oo, oo)", ["-1.4142135623731", "1.4142135623731"]),
    ("cosh(x)", "==", "1", "(-oo, oo)", ["0"]),
    # transcendental, several roots
    ("x**3", "==", "exp(x)", "(-oo, oo)", [digits(-3 * W(-THIRD).real), digits(-3 * W(-THIRD, -1).real)]),
    ("x**x", "==", "1/2", "(0, oo)", []),
    ("x**x", "==", "3/4", "(0, oo)", [
        digits(mpmath.findroot(lambda t: t**t - 0.75, 0.15)), digits(mpmath.findroot(lambda t: t**t - 0.75, 0.65))
    ]),
    ("2**x", "==", "x**2", "(-oo, oo)", [digits((-2 / mpmath.log(2) * W(mpmath.log(2) / 2)).real), "2", "4"]),
    ("x+log(x)", "==", "1000", "(0, oo)", [digits(mpmath.findroot(lambda t: t + mpmath.log(t) - 1000, 993))]),
    ("3**x+4**x", "==", "5**x", "(-oo, oo)", ["2"]),
    ("gamma(x)", "==", "2", "(0, oo)", [digits(mpmath.findroot(lambda t: mpmath.gamma(t) - 2, 0.44)), "3"]),
    ("sin(x)", "==", "1/2", "[0, 7]", [digits(mpmath.pi / 6), digits(5 * mpmath.pi / 6), digits(13 * mpmath.pi / 6)]),
    ("erfinv(x)", "==", "1/2", "(0, 1)", [digits(mpmath.erf(0.5))]),
    ("lambertw(x)", "==", "1", "(0, oo)", [digits(mpmath.e)]),
    ("x**(1/3)+x**(1/2)", "==", "2", "[0, oo)", ["1"]),
    ("sqrt(x+1)", "==", "x-1", "(-oo, oo)", ["3"]),
    # extreme sizes
    ("x*2**(1/x)", "==", "10**6", "(1, oo)", [digits(mpmath.findroot(lambda t: t * 2 ** (1 / t) - 10**6, 10**6))]),
    ("x+log(x)/1000", "==", "-2", "(0, oo)", [digits(mpmath.exp(-2000))]),
    ("(1-1/10**12)**x", "<=", "1/2", "(0, oo)", [f"[{digits(HALVING)}, oo)"]),
    ("(99/100)**x", "==", "10**(-400)", "(0, oo)", [digits(-400 * mpmath.log(10) / mpmath.log(mpmath.mpf(99) / 100))]),
    ("(x**64-1)/(x-1)", "==", "100", "(0, oo)", [digits(GEOMETRIC)]),
    ("10000*x/(1-(1+x)**(-360))", "==", "60", "(0, 1)", [digits(ANNUITY)]),
    ("x*(1-exp(-5/x))", "==", "4.9", "(0, oo)", [digits(SATURATED)]),
    ("x*(1-exp(-5/x))", "==", "5", "(0, oo)", []),
    ("sqrt(x+1)-sqrt(x)", "==", "0", "[0, oo)", []),
    # kinks and plateaus
    ("min(x, 10)", "==", "10", "[0, oo)", ["[10, oo)"]),
    ("min(x, 10)", ">", "10", "[0, oo)", []),
    ("max(1, min(x, 3))", "==", "3", "(-oo, oo)", ["[3, oo)"]),
    ("abs(abs(x)-2)", "==", "1", "(-oo, oo)", ["-3", "-1", "1", "3"]),
    ("abs(x-1)+abs(x+1)", "==", "2", "(-oo, oo)", ["[-1, 1]"]),
    ("max(exp(-x), exp(-2))", "==", "exp(-2)", "[0, oo)", ["[2, oo)"]),
    ("min(x**2, 2)", ">=", "2", "[0, oo)", ["[1.4142135623731, oo)"]),
    ("Piecewise((x, x < 2), (x + 1, True))", "==", "2.5", "[0, oo)", []),
    ("Piecewise((1/x, x > 1), (7, True))", "==", "7", "[0, oo)", ["[0, 1]"]),
    # steps
    ("ceiling(x/3)*3", ">=", "x", "(0, oo)", ["(0, oo)"]),
    ("ceiling(x/3)*3-x", ">=", "3", "(0, oo)", []),
    ("floor(x)", "==", "x", "[0, 3]", ["0", "1", "2", "3"]),
    ("ceiling(x/8)*30+x/10", "<=", "100", "(0, oo)", ["(0, 24]"]),
    ("ceiling(x/1000)", "<=", "10**9", "(0, oo)", ["(0, 1000000000000]"]),
    ("mod(x, 5)", "==", "2", "[0, 20]", ["2", "7", "12", "17"]),
    ("ceiling(log(x)/log(10))", "==", "3", "(0, oo)", ["(100, 1000]"]),
    ("floor(sqrt(x))", "==", "4", "[0, oo)", ["[16, 25)"]),
    ("floor(x)**2", "<", "5", "(-oo, oo)", ["[-2, 3)"]),
    ("log(floor(1/x))", "<", "1", "(-oo, oo)", ["(1/3, 1]"]),
    ("100/ceiling(x/3)", ">=", "10", "(0, oo)", ["(0, 30]"]),
    # integers
    ("x*(x+1)/2", "<=", "10**12", "integers [0, oo)", ["[0, 1414213]"]),
    ("x/20", "<", "1", "integers [0, oo)", ["[0, 19]"]),
    ("x/20", "<=", "1", "integers [0, oo)", ["[0, 20]"]),
    ("2**x", ">", "10**30", "integers [1, oo)", ["[100, oo)"]),
    ("(1/10)**x", "<=", "1/1000", "integers [1, oo)", ["[3, oo)"]),
    ("x**2", "==", "2", "integers [0, oo)", []),
    ("x**2", "!=", "4", "integers [0, oo)", ["[0, 1]", "[3, oo)"]),
    ("mod(x, 3)", "==", "0", "integers [0, 10]", ["0", "3", "6", "9"]),
    ("ceiling(1000/x)*x", "==", "1000", "integers [1, 30]", ["[1, 2]", "[4, 5]", "8", "10", "20", "25"]),
    # the unknown on both sides; identities
    ("(x+1)**2", "==", "x**2+2*x+1", "(-oo, oo)", ["(oo, oo)"]),
    ("exp(x)*exp(-x)", "==", "1", "(-oo, oo)", ["(oo, oo)"]),
    ("log(2*x)-log(x)", "==", "log(2)", "(0, oo)", ["(0, oo)"]),
    ("sqrt(x**2)", "==", "-x", "(-oo, oo)", ["(oo, 0]"]),
    ("0*x", "==", "1", "(0, oo)", []),
]  # fmt: skip


@pytest.mark.parametrize(("left", "relation", "right", "where", "wanted"), CASES, ids=lambda part: str(part)[:40])
def test_the_set_is_the_one_worked_out_elsewhere(
    left: str, relation: str, right: str, where: str, wanted: list[str]
) -> None:
    """Asymptotes, poles, double roots, plateaus, steps, integers: the pieces are those worked out by hand or mpmath."""
    got = solved(left, relation, right, where)
    assert [shown(piece) for piece in got.pieces] == wanted
    assert got.is_complete


@pytest.mark.parametrize("relation", ["==", "<", "<=", ">", ">=", "!="])
def test_the_relations_at_an_exact_break_even(relation: str) -> None:
    """At an exact break-even of 20, `<` leaves 20 out and `<=` does not."""
    got = solved("x/4", relation, "5", "[0, oo)")
    wanted = {"==": ["20"], "<": ["[0, 20)"], "<=": ["[0, 20]"], ">": ["(20, oo)"], ">=": ["[20, oo)"]}
    assert [shown(piece) for piece in got.pieces] == wanted.get(relation, ["[0, 20)", "(20, oo)"])


def test_a_condition_counts_in_an_inequality() -> None:
    """Without `x < 10` an overloaded queue would satisfy its bound."""
    got = solved("1/(10-x)", "<=", "1", "[0, oo)", "x < 10")
    assert [shown(piece) for piece in got.pieces] == ["[0, 9]"]


def test_an_enclosure_has_thirty_digits() -> None:
    """A root that is no fraction comes as a certified enclosure."""
    [piece] = solved("x+exp(x)", "==", "2", "(-oo, oo)").pieces
    assert piece.lower is not None
    assert 0 < piece.lower.upper - piece.lower.lower < Fraction(1, 10**30)
    root = mpmath.findroot(lambda t: t + mpmath.exp(t) - 2, 0.44)
    assert abs(mpmath.mpf(piece.lower.middle.numerator) / piece.lower.middle.denominator - root) < 1e-35


@pytest.mark.parametrize(
    ("left", "right", "kind", "edge"),
    [
        ("10*x/(1+x)", "12", "above_all_values", 10),
        ("x+4/x", "3", "below_all_values", 4),
        ("min(x, 7)", "8", "above_all_values", 7),
        ("log(-x)", "8", "undefined", None),
    ],
)
def test_an_empty_set_says_why(left: str, right: str, kind: str, edge: int | None) -> None:
    """The reason carries the range of the expression."""
    reason = solved(left, "==", right, "(0, oo)").reason
    assert reason is not None
    assert (reason.kind, reason.is_certified) == (kind, True)
    found = reason.greatest if kind == "above_all_values" else reason.least
    assert (None if found is None else found.exact) == edge


def test_what_is_not_decided_is_said() -> None:
    """An infinite sequence of steps has no finite list: it comes back as incomplete, with what was found."""
    got = solved("mod(x, 7)", "==", "3", "[0, oo)", seconds=0.3)
    assert not got.is_complete
    assert got.undecided
    assert got.pieces[0].lower is not None
    assert got.pieces[0].lower.exact == 3


def test_an_unprovable_double_root_is_neither_claimed_nor_dropped() -> None:
    """Touching at an irrational point stays a small undecided stretch."""
    # It is greatest at 1/sqrt(2), no fraction, and exactly the target there: balls alone can never show that.
    got = solved("x*exp(-x**2)", "==", "exp(-1/2)/sqrt(2)", "(0, oo)")
    assert not got.is_complete
    assert not got.pieces
    [stretch] = got.undecided
    assert stretch.lower is not None
    assert stretch.upper is not None
    assert stretch.lower.lower**2 <= Fraction(1, 2) <= stretch.upper.upper**2
    assert stretch.upper.upper - stretch.lower.lower < Fraction(1, 10**20)


@pytest.mark.parametrize(
    "text", ["sin(1/x)", "sin(exp(x))", "mod(x**2, 1)", "gamma(-x)*sin(x**3)", "floor(exp(x))*mod(x,2)"]
)
def test_a_wild_expression_ends_in_time(text: str) -> None:
    """The budget holds whatever is asked."""
    start = time.monotonic()
    solved(text, "==", "1/3", "(0, oo)", seconds=0.5)
    assert time.monotonic() - start < 3


OPTIMA: list[tuple[str, str, str, list[str], str | None, bool]] = [
    ("x+4/x", "min", "(0, oo)", ["2"], "4", True),
    ("exp(-x)", "min", "(0, oo)", [], "0", False),
    ("exp(x)", "min", "(-oo, oo)", [], "0", False),
    ("x*exp(-x)", "max", "(0, oo)", ["1"], digits(mpmath.exp(-1)), True),
    ("1/x", "max", "(0, oo)", [], None, False),
    ("x", "min", "(2, 3]", [], "2", False),
    ("abs(x-3)", "min", "(-oo, oo)", ["3"], "0", True),
    ("min(x, 5)", "max", "[0, oo)", ["[5, oo)"], "5", True),
    ("(x**2-1)**2", "min", "(-oo, oo)", ["-1", "1"], "0", True),
    ("x*log(x)", "min", "(0, oo)", [digits(mpmath.exp(-1))], digits(-mpmath.exp(-1)), True),
    ("100/x+x", "min", "integers [1, oo)", ["10"], "20", True),
    ("90/x+x", "min", "integers [1, oo)", ["[9, 10]"], "19", True),
    ("x**2-5*x", "min", "integers [0, oo)", ["[2, 3]"], "-6", True),
    ("10*x/(1+x)", "max", "[0, oo)", [], "10", False),
    ("Piecewise((x, x < 2), (1, True))", "max", "[0, 5]", [], "2", False),
    ("ceiling(x/8)*30+1000/x", "min", "(0, oo)", ["16"], "245/2", True),
    ("ceiling(x/8)*30+1000/x", "min", "integers [1, oo)", ["16"], "245/2", True),
    ("floor(100/x)*x", "max", "integers [1, 60]", ["[1, 2]", "[4, 5]", "10", "20", "25", "50"], "100", True),
    ("(1-(4/5)**(x+1))/((1-4/5)*(x/20+1))", "max", "integers [0, oo)", ["8"], None, True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "where", "places", "value", "attained"), OPTIMA, ids=lambda part: str(part)[:40]
)
def test_the_optimum(text: str, kind: str, where: str, places: list[str], value: str | None, attained: bool) -> None:
    """Inside, at an end, on a plateau, not attained, at integers."""
    got = optimum(as_written(text), kind, X, {}, domain(where))
    assert got.is_complete
    assert [shown(piece) for piece in got.pieces] == places
    assert got.is_attained == attained
    if value is not None:
        assert got.value is not None
        assert _number(got.value) == value


def test_a_local_optimum_is_listed_beside_the_global_one() -> None:
    """A second valley is reported, not mistaken for the answer."""
    got = optimum(as_written("x**4-4*x**2+x"), "min", X, {}, Domain())
    assert len(got.pieces) == len(got.local) == 1
    assert float(got.local[0].lower or 0) == pytest.approx(1.346997)


def test_a_missing_value_is_named() -> None:
    """A symbol without a value is an error of the caller."""
    other = sympy.Symbol("y")
    with pytest.raises(KeyError):
        solution_set(Tree("name", leaf=other), "==", number(1), X, {}, Domain())
