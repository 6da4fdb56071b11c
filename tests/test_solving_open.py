"""The solver on problems made up for it, against an independent reference and answers by hand."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from solving_problems import OPTIMA, P
from solving_reference import DOMAINS, Reference

from symbolic_scenarios import _tree as trees
from symbolic_scenarios._domains import Domain
from symbolic_scenarios._solving.closed import Closed, closed_forms
from symbolic_scenarios._solving.optima import closed_optimum
from symbolic_scenarios._solving.systems import solve_system

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def domain(code: str) -> Domain:
    """Return the domain of a code."""
    low, high, low_open, high_open, integer = DOMAINS[code]
    ends = [None if end is None else Fraction(end) for end in (low, high)]
    return Domain(ends[0], ends[1], low_open, high_open, integer)


def inputs(text: str) -> tuple[dict[str, Any], dict[Any, Domain]]:
    """Return the symbols and their domains from `a:pos n:int1`."""
    codes = dict(one.split(":") for one in text.split())
    names = {name: sympy.Symbol(name, **domain(code).assumptions()) for name, code in codes.items()}
    return names, {names[name]: domain(code) for name, code in codes.items()}


def as_written(text: str, names: dict[str, Any]) -> trees.Tree:
    """Return the tree of an expression as it is written, nothing evaluated."""

    def read(node: Any) -> trees.Tree:
        if isinstance(node, ast.BinOp):
            return trees.joined(_OPERATORS[type(node.op)], read(node.left), read(node.right))
        if isinstance(node, ast.UnaryOp):
            return trees.Tree("neg", (read(node.operand),))
        if isinstance(node, ast.Constant):
            return trees.TRUE if node.value is True else trees.number(node.value)
        if isinstance(node, ast.Name):
            return trees.name(names[node.id])
        if isinstance(node, ast.Compare):
            return trees.Tree(_COMPARISONS[type(node.ops[0])], (read(node.left), read(node.comparators[0])))
        assert isinstance(node, ast.Call)
        called = node.func.id
        if called == "Piecewise":
            return trees.Tree("piecewise", tuple(read(part) for pair in node.args for part in pair.elts))
        if called == "sqrt":
            return trees.Tree("**", (read(node.args[0]), trees.number(sympy.Rational(1, 2))))
        if called == "Rational":
            return trees.number(sympy.Rational(node.args[0].value, node.args[1].value))
        return trees.Tree(called.lower(), tuple(read(arg) for arg in node.args))

    return read(ast.parse(text, mode="eval").body)


def solved(
    inputs_text: str, expression: str, relation: str, target: str, unknown: str, valid: str = ""
) -> tuple[Closed, dict[str, Any]]:
    """Return the solver's answer to a problem, and its symbols."""
    names, domains = inputs(inputs_text)
    validity = [as_written(valid, names)] if valid else []
    left, right = as_written(expression, names), as_written(target, names)
    return closed_forms(left, relation, right, names[unknown], domains[names[unknown]], validity, domains), names


def exact(values: dict[str, str], names: dict[str, Any]) -> dict[Any, Fraction]:
    """Return the values of an instance as exact numbers by symbol."""
    return {names[name]: Fraction(value) for name, value in values.items()}


def number(value: Any) -> Any:
    """Return a number in 40 digits."""
    with mpmath.workdps(40):
        return (
            mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mpmath.mpf(str(value))
        )


@pytest.mark.parametrize("problem", P, ids=[one[0] for one in P])
def test_the_set_is_that_of_the_reference(problem: Any) -> None:
    """Points, ends and what lies between and outside agree with the reference."""
    _, text, expression, relation, target, unknown, instances, valid = problem
    closed, names = solved(text, expression, relation, target, unknown, valid)
    assert closed.verdict != "unsolved", closed.reason
    code = dict(one.split(":") for one in text.split())[unknown]
    for values in instances:
        reference = Reference(expression, relation, target, unknown, code, values, valid)
        found = closed.at(exact(values, names))
        crossings = reference.crossings()
        if relation == "==" and all(part.is_point for part in found):
            assert len(found) >= len(crossings)
            for root in crossings:
                assert any(mpmath.almosteq(number(part.low), root, 1e-15) for part in found), (values, root)
            assert len({mpmath.nstr(number(part.low), 20) for part in found}) == len(found)
        ends = [end for part in found for end in (part.low, part.high) if end is not None]
        grid = set(reference._grid()[:: 1 if reference.integer else 9])
        grid |= {end for end in ends if isinstance(end, Fraction)}
        for one in sorted(grid):
            assert reference.holds(one) == any(
                part.contains(one) for part in found if not part.integers or one.denominator == 1
            ), (values, one)
        for part in found:
            if part.is_point:
                residue = reference.gap(number(part.low))
                assert residue is not None
                assert abs(residue) < 1e-25, (values, part)
            elif not part.integers:
                for end, side in ((part.low, 1), (part.high, -1)):
                    if end is not None:
                        near = Fraction(mpmath.nstr(number(end), 30)) + side * Fraction(1, 10**9)
                        beyond = near - 2 * side * Fraction(1, 10**9)
                        assert reference.holds(near), (values, near)
                        assert not reference.holds(beyond) or any(other.contains(beyond) for other in found), (
                            values,
                            beyond,
                        )


@pytest.mark.parametrize("problem", OPTIMA, ids=[one[0] for one in OPTIMA])
def test_the_optimum_is_the_one_by_hand(problem: Any) -> None:
    """The points are those worked out by hand; nothing where none is attained."""
    _, text, expression, kind, unknown, instances, valid = problem
    names, domains = inputs(text)
    validity = [as_written(valid, names)] if valid else []
    closed = closed_optimum(
        as_written(expression, names), kind, names[unknown], domains[names[unknown]], validity, domains
    )
    assert closed.verdict != "unsolved", closed.reason
    for values, expected in instances:
        found = closed.at(exact(values, names))
        assert [mpmath.nstr(number(part.low), 15) for part in found] == (
            [] if expected is None else [mpmath.nstr(mpmath.mpf(expected), 15)]
        )


class TestVerdicts:
    def test_a_cancelled_unknown_keeps_its_pole(self):
        closed, names = solved("x:pos a:pos", "(x**2 - a**2)/(x - a)", "==", "x + a", "x")
        assert closed.verdict == "always"
        assert [piece.span[:2] for piece in closed.pieces] == [(0, names["a"]), (names["a"], sympy.oo)]

    def test_an_impossible_value_is_none_with_a_reason(self):
        closed, _ = solved("x:nonneg a:pos r:u01", "1 + a*x", "==", "r", "x")
        assert (closed.verdict, bool(closed.reason)) == ("none", True)

    def test_what_has_no_method_is_unsolved_and_not_complete(self):
        closed, _ = solved("x:real a:real", "x**5 + x", "==", "a", "x")
        assert (closed.verdict, closed.complete, closed.pieces) == ("unsolved", False, ())

    def test_no_condition_is_shown_where_none_is_needed(self):
        assert solved("n:pos s:u01 a:u01", "1 - (1 - s)**n", "==", "a", "n")[0].condition == ((),)

    def test_a_log_ratio_that_is_whole_is_whole(self):
        closed, names = solved("n:int1 s:u01 a:u01", "1 - (1 - s)**n", ">=", "a", "n")
        (found,) = closed.at(exact({"s": "0.9", "a": "0.999"}, names))
        assert (found.low, found.high) == (3, None)

    def test_a_condition_reads_as_a_person_would_write_it(self):
        closed, _ = solved("c:pos e:pos t:pos n:pos r:nonneg", "(r*t + n/c)/(n/e)", "==", "1", "r")
        assert [str(one.relational()) for one in closed.pieces[0].conditions] == ["c >= e"]


class TestSystems:
    def system(self, text: str, unknowns: str, *equations: str) -> Any:
        names, domains = inputs(text)
        pairs = [one.split(" == ") for one in equations]
        trees_of = [[as_written(pair[side], names) for pair in pairs] for side in (0, 1)]
        return solve_system(trees_of[0], trees_of[1], [names[one] for one in unknowns.split()], domains), names

    def test_two_lines_meet_once(self):
        closed, names = self.system("x:pos y:pos a:pos b:pos", "x y", "x + y == a", "x - y == b")
        (found,) = closed.at(exact({"a": "5", "b": "1"}, names))
        assert found == {names["x"]: 3, names["y"]: 2}
        assert closed.at(exact({"a": "1", "b": "5"}, names)) == ()

    def test_product_and_quotient(self):
        closed, names = self.system("x:pos y:pos a:pos b:pos", "x y", "x*y == a", "x/y == b")
        (found,) = closed.at(exact({"a": "12", "b": "3"}, names))
        assert {one: round(float(value), 12) for one, value in found.items()} == {names["x"]: 6, names["y"]: 2}

    def test_too_few_equations_name_the_free_unknown(self):
        closed, names = self.system("x:pos y:pos a:pos", "x y", "6*x*y == a")
        assert (closed.verdict, closed.free) == ("underdetermined", (names["y"],))

    def test_a_contradiction_says_what_it_would_need(self):
        closed, _ = self.system("x:real y:real a:real g:pos", "x y", "x + y == a", "2*x + 2*y == 2*a + g")
        assert closed.verdict == "none"
        assert "contradict" in closed.reason
