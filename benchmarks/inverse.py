"""Inverse problems of a file, solved through the public API and scored against the answers in the file.

Run by hand: `python -m benchmarks.inverse FILE [--json OUT]`. Each problem becomes a scenario class of its own (the
file gives no unit for expressions, so all inputs are plain numbers), asked once; each instance is then put in.
"""

from __future__ import annotations

import argparse
import ast
import json
import operator
import re
import statistics
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy

from symbolic_scenarios import Constraint, Input, Property, Scenario, optimum, solve_for, when
from symbolic_scenarios.errors import SolveError

TOLERANCE = Fraction(1, 10**12)

# --- from the text of a problem to a scenario class; nothing of it is evaluated ---------------------------------------

_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.USub: operator.neg, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip
_FUNCTIONS: dict[str, Any] = {
    name: getattr(sympy, name)
    for name in ("sqrt", "exp", "log", "erf", "erfinv", "LambertW", "Min", "Max", "Abs", "ceiling", "floor", "Mod",
                 "And", "Or", "Eq", "Ne", "Rational", "factorial", "cbrt", "Piecewise", "sin", "cos", "tan", "tanh",
                 "gamma")
}  # fmt: skip
_CONSTANTS = {"E": sympy.E, "pi": sympy.pi, "oo": sympy.oo}


def read(text: str, names: dict[str, Any]) -> Any:
    """Return what an expression in Python's syntax says about declarations."""

    def go(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=int() | bool() as value):
                return sympy.sympify(value)
            case ast.Constant(value=float()):
                return sympy.Rational(ast.get_source_segment(text, node))
            case ast.Name(id=name):
                return names.get(name, _CONSTANTS.get(name))
            case ast.BinOp(left, op, right):
                return _OPERATORS[type(op)](go(left), go(right))
            case ast.UnaryOp(op, operand):
                return _OPERATORS[type(op)](go(operand))
            case ast.Compare(left, [op], [right]):
                return _OPERATORS[type(op)](go(left), go(right))
            case ast.Call(ast.Name(id=name), args):
                return _FUNCTIONS[name](*map(go, args))
            case ast.Tuple(parts):
                return tuple(map(go, parts))
        raise ValueError(f"not understood: {ast.dump(node)[:80]}")

    return go(ast.parse(text, mode="eval").body)


def declared(domain: str) -> Input:
    """Return an input with a domain such as `positive`, `integer >= 2`, `in [0,1)`, `real >= 1`."""
    flags: dict[str, Any] = {"integer": True} if "integer" in domain else {}
    if found := re.search(r"in\s*([\[(].*[\])])", domain):
        flags["within"] = found.group(1)
    elif found := re.search(r"(>=|>|<=|<)\s*(-?[\d.]+)", domain):
        sign, end = found.groups()
        flags["within"] = {">=": f"[{end}, oo)", ">": f"({end}, oo)", "<=": f"(-oo, {end}]", "<": f"(-oo, {end})"}[sign]
    elif "nonnegative" in domain:
        flags["nonnegative"] = True
    elif "positive" in domain:
        flags["positive"] = True
    return Input("", "", default=None, **flags)


def several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def scenario_of(problem: dict[str, Any]) -> type[Scenario]:
    """Return the class of a problem: `value_0`, `value_1`, ... are its expressions, `goal_0`, ... the targets."""
    body: dict[str, Any] = {name: declared(one["domain"]) for name, one in problem["inputs"].items()}
    names = dict(body)
    for kind, texts in (("value", several(problem["expression"])), ("goal", several(problem["target"]))):
        for place, text in enumerate(texts):
            if text is not None:
                body[f"{kind}_{place}"] = Property(read(str(text), names), "")
    for place, text in enumerate(problem["valid_if"]):
        body[f"valid_{place}"] = Constraint(read(text, names))
    return type("Problem", (Scenario,), body)


def ask(problem: dict[str, Any], cls: type[Scenario]) -> Any:
    unknown, relation = problem["unknown"], problem["relation"]
    if problem["kind"] == "system":
        targets = {f"value_{place}": getattr(cls, f"goal_{place}") for place in range(len(several(problem["target"])))}
        return solve_for(cls, several(unknown), **targets)
    if relation in ("min", "max"):
        return optimum(cls, "value_0", over=unknown, kind=relation)
    if relation == "==":
        return solve_for(cls, unknown, value_0=cls.goal_0)
    return when(cls, "value_0", relation, cls.goal_0, by=unknown)


# --- scoring ---------------------------------------------------------------------------------------------------------


def near(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return abs(Fraction(a) - Fraction(b)) <= TOLERANCE * (abs(Fraction(b)) or 1)


def end(text: str) -> Fraction | None:
    return None if text in ("oo", "-oo") else Fraction(Decimal(text))


def matches(branch: Any, answer: dict[str, Any]) -> bool:
    if branch.joint:
        point = answer["point"]
        return all(near(value, Fraction(Decimal(point[name]))) for name, _, value in branch.joint)
    if "point" in answer:
        return branch.is_point and near(branch.ends[0], Fraction(Decimal(answer["point"])))
    low, high = map(end, answer["interval"])
    if branch.is_point:
        return near(branch.ends[0], low) and near(branch.ends[0], high)
    ends = near(branch.ends[0], low) and near(branch.ends[1], high)
    opens = answer["integers_only"] or [branch.low_open or low is None, branch.high_open or high is None] == [
        is_open or bound is None for is_open, bound in zip(answer["open"], (low, high), strict=True)
    ]
    return ends and bool(opens)


def same(branches: Any, answers: list[dict[str, Any]]) -> bool:
    return len(branches) == len(answers) and all(
        any(matches(branch, answer) for branch in branches) for answer in answers
    )


def run(problem: dict[str, Any]) -> dict[str, Any]:
    """Solve one problem and return the row that is printed for it."""
    begun = time.perf_counter()
    row: dict[str, Any] = {"id": problem["id"], "verdict": "", "form": "", "condition": "", "detail": ""}
    wants_refusal = problem["expected"]["verdict"] == "refuse_underdetermined"
    try:
        solution = ask(problem, scenario_of(problem))
    except SolveError as error:
        row |= {"result": "right" if wants_refusal else "refused", "detail": error.problem}
    else:
        row |= {"verdict": solution.verdict, "form": "numeric" if solution.verdict == "unsolved" else "closed"}
        row["condition"] = " | ".join(branch.condition or "none" for branch in solution.branches)
        row |= {"result": "wrong", "detail": "an answer was given"} if wants_refusal else instances(problem, solution)
    row["seconds"] = round(time.perf_counter() - begun, 3)
    return row


def instances(problem: dict[str, Any], solution: Any) -> dict[str, Any]:
    for instance in problem["instances"]:
        values = {name: Fraction(Decimal(value)) for name, value in instance["values"].items()}
        answer = solution.answer_at(values)
        if not answer.complete:
            return {"result": "refused", "detail": f"undecided at {instance['values']}"}
        if not same(answer.branches, instance["answer"]):
            return {"result": "wrong", "detail": f"{instance['values']}: {answer.branches}"[:300]}
    return {"result": "right", "detail": ""}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--json", help="write the rows there, too")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        problems = json.load(file)["problems"]
    rows = []
    for problem in problems:
        rows.append(run(problem))
        row = rows[-1]
        start = f"{row['id']:24} {row['result']:8} {row['form']:8} {row['verdict']:14} {row['seconds']:7.3f} s"
        print(start, row["condition"][:80], row["detail"])
    count = {result: sum(row["result"] == result for row in rows) for result in ("right", "wrong", "refused")}
    seconds = [row["seconds"] for row in rows]
    print(", ".join(f"{number} {result}" for result, number in count.items()), f"of {len(rows)} problems")
    print(f"median {statistics.median(seconds):.3f} s, slowest {max(seconds):.3f} s")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"totals": count, "rows": rows}, file, indent=2)
    sys.exit(1 if count["wrong"] else 0)


if __name__ == "__main__":
    main()
