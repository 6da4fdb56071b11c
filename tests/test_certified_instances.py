"""The certified core on the numeric instances of the open problems, whose answers were worked out elsewhere."""

from __future__ import annotations

import ast
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

from symbolic_scenarios._bridge import from_sympy
from symbolic_scenarios._domains import Domain
from symbolic_scenarios._solving.certified import Piece, optimum, solution_set
from symbolic_scenarios._tree import Tree, name, number

#: A file of inverse problems beside the checkout; without it there is nothing to run here.
PROBLEMS_FILE = Path(__file__).parents[2] / "shared" / "inverse" / "open.json"
DOMAINS = {
    "real": Domain(),
    "positive": Domain(Fraction(0)),
    "nonnegative": Domain(Fraction(0), lower_open=False),
    "real >= 1": Domain(Fraction(1), lower_open=False),
    "in (0,1)": Domain(Fraction(0), Fraction(1)),
    "in [0,1)": Domain(Fraction(0), Fraction(1), lower_open=False),
    "in [0,1]": Domain(Fraction(0), Fraction(1), False, False),
    **{f"integer >= {n}": Domain(Fraction(n), lower_open=False, integer=True) for n in range(3)},
}
TOLERANCE = Fraction(1, 10**12)


def problems() -> list[Any]:
    """Return the problems in one unknown."""
    if not PROBLEMS_FILE.exists():
        return []
    return [one for one in json.loads(PROBLEMS_FILE.read_text())["problems"] if isinstance(one["unknown"], str)]


def as_written(text: str) -> Tree:
    """Read a problem's text without SymPy's simplifications, so that poles stay."""
    return _read(ast.parse(text, mode="eval").body)


OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def _read(node: Any) -> Tree:
    if isinstance(node, ast.Constant):
        return Tree("true") if node.value is True else number(sympy.Rational(str(node.value)))
    if isinstance(node, ast.Name):
        return (
            number(sympy.E) if node.id == "E" else number(sympy.pi) if node.id == "pi" else name(sympy.Symbol(node.id))
        )
    if isinstance(node, ast.BinOp):
        return Tree(OPERATORS[type(node.op)], (_read(node.left), _read(node.right)))
    if isinstance(node, ast.UnaryOp):
        return Tree("neg", (_read(node.operand),))
    if isinstance(node, ast.Compare):
        return Tree(OPERATORS[type(node.ops[0])], (_read(node.left), _read(node.comparators[0])))
    called = node.func.id
    if called == "Piecewise":
        return Tree("piecewise", tuple(_read(part) for pair in node.args for part in pair.elts))
    args = tuple(_read(arg) for arg in node.args)
    if called == "sqrt":
        return Tree("**", (args[0], number(sympy.Rational(1, 2))))
    return Tree(called.lower(), args)


def answered(problem: Any, values: dict[str, str]) -> Any:
    """Return what the certified core says to one instance."""
    tree = as_written(problem["expression"])
    unknown = sympy.Symbol(problem["unknown"])
    domain = DOMAINS[problem["inputs"][problem["unknown"]]["domain"]]
    exact = {sympy.Symbol(key): Fraction(value) for key, value in values.items()}
    validity = [as_written(text) for text in problem["valid_if"]]
    if problem["relation"] in ("min", "max"):
        return optimum(tree, problem["relation"], unknown, exact, domain, validity)
    target = as_written(problem["target"])
    return solution_set(tree, problem["relation"], target, unknown, exact, domain, validity)


def _near(got: Any, wanted: str) -> bool:
    if got is None or wanted in ("oo", "-oo"):
        return got is None and wanted in ("oo", "-oo")
    value = Fraction(wanted)
    return abs(got.middle - value) <= TOLERANCE * (abs(value) or 1)


def _fits(piece: Piece, wanted: Any) -> bool:
    if "point" in wanted:
        return piece.is_point and _near(piece.lower, wanted["point"])
    lo, hi = wanted["interval"]
    return _near(piece.lower, lo) and _near(piece.upper, hi) and [piece.lower_open, piece.upper_open] == wanted["open"]


CASES = [(problem, instance) for problem in problems() for instance in problem["instances"]]


@pytest.mark.skipif(not CASES, reason="the file of open problems is not here")
@pytest.mark.parametrize(("problem", "instance"), CASES, ids=[f"{p['id']}-{p['instances'].index(i)}" for p, i in CASES])
def test_the_answer_is_the_expected_one_and_complete(problem: Any, instance: Any) -> None:
    """Every piece is as expected, none is missing, and the set says that it is complete."""
    got = answered(problem, instance["values"])
    assert got.is_complete
    assert len(got.pieces) == len(instance["answer"]), got
    for wanted in instance["answer"]:
        assert any(_fits(piece, wanted) for piece in got.pieces), (got, wanted)


def test_a_formula_of_sympy_gives_the_same_as_the_written_one() -> None:
    """A tree made from a SymPy expression is read as well."""
    x = sympy.Symbol("x")
    got = solution_set(from_sympy(x**2), "==", number(2), x, {}, DOMAINS["positive"])
    assert [float(piece.lower or 0) for piece in got.pieces] == [pytest.approx(2**0.5)]
