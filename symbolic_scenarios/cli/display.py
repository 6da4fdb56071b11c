"""What the command line prints: values to standard output, all else to standard error."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from .._definition import Definition
    from .._scenario import Scenario
    from .._solution import Solution


def complain(message: str, hint: str, code: int) -> int:
    """Print an error and its hint to standard error; return the exit code."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"[bold red]error:[/] {escape(message)}")
    if hint:
        console.print(f"  [dim]hint:[/] {escape(hint)}")
    return code


def show_inputs(console: Console, this: Definition, found: Any) -> None:
    """Print inputs and constants with unit, domain and value."""
    from .._declarations import MISSING
    from .._scenario import Scenario
    from .._units import quantity_text, unit_text

    table = table_of("input", "unit", "domain", "value" if isinstance(found, Scenario) else "default", "")
    for part in this.inputs.values():
        if isinstance(found, Scenario):
            given = found._given[part.name]
            value = "" if given is None else given.text
        else:
            value = "" if part.default is MISSING else "optional" if part.default is None else str(part.default)
        domain = found._readers[part.name].domain_text()
        add_row(table, part.name, unit_text(part.unit), domain, value, part.doc)
    console.print(table)
    if this.constants:
        table = table_of("constant", "value", "source", "")
        for constant in this.constants.values():
            add_row(table, constant.name, quantity_text(constant.value, constant.unit), constant.citation, constant.doc)
        console.print(table)


def show_equations(console: Console, this: Definition, found: Any) -> None:
    """Print each property and inverse: as written, closed, its value, its conditions."""
    from .._forms import expanded, form
    from .._scenario import Scenario
    from .._text import text
    from .._units import unit_text
    from ..errors import ScenarioError

    for part in this.derived:
        unit = unit_text(part.unit)
        console.print()
        console.print(f"[bold]{part.name}[/]{escape(f' [{unit}]') if unit else ''}  [dim]{escape(part.doc)}[/]")
        this_form = form(this, part.name)
        if this_form.refusal is not None:
            console.print(f"    {escape(this_form.refusal.message)}")
            continue
        conditions = " and ".join(text(condition) for condition in this_form.requires)
        remark = _base_unit_remark(this, part.name)
        console.print(escape(f"    = {text(this_form.tree)}" + (f", if {conditions}" if conditions else "")))
        try:
            closed = expanded(this, part.name)
            if closed != this_form.tree:
                console.print(f"    = {escape(text(closed))}")
        except ScenarioError as error:
            console.print(f"    [dim]{escape(error.problem)}[/]")
        if isinstance(found, Scenario):
            value, unit, why = value_parts(found, part.name)
            console.print(f"    = {value} {unit}".rstrip() if value else f"    [dim]{escape(why)}[/]")
        if remark:
            console.print(f"    [dim]{escape(remark)}[/]")
    for constraint in this.constraints.values():
        console.print()
        console.print(f"[bold]{constraint.name}[/]  [dim]{escape(constraint.doc)}[/]")
        console.print(f"    {escape(text(constraint.tree))}")


def _base_unit_remark(this: Definition, name: str) -> str:
    """Return in which unit the target of an inverse stands in its closed form, where that is not plain."""
    from .._units import base_unit, unit_text

    inverse = this.inverses.get(name)
    if inverse is None or inverse.target.head != "number" or inverse.target.leaf == 0:
        return ""
    of = this.part(inverse.of)
    if not of.dimension:
        return ""
    return f"here {of.name} is put in as {inverse.target.leaf}, in {unit_text(base_unit(of.dimension))}"


def about(scenario: Scenario, changes: dict[str, str]) -> str:
    """Return what to say beside the name: the description, unless inputs were changed and it no longer holds."""
    return (
        "with " + ", ".join(f"{key} = {value}" for key, value in changes.items()) if changes else scenario.description
    )


def value_parts(scenario: Scenario, name: str) -> tuple[str, str, str]:
    """Return a value as number and unit, or why there is none."""
    from .._definition import DefinedInverse
    from .._scenario import definition
    from ..errors import ScenarioError

    try:
        value = getattr(scenario, name)
    except ScenarioError as error:
        return "", "", f"{error.message}. {error.hint}".strip(" .")
    digits = 6 if isinstance(definition(scenario).part(name), DefinedInverse) else 0
    return _number_and_unit(value, digits)


def _number_and_unit(value: Any, digits: int) -> tuple[str, str, str]:
    from .._units import Quantity, unit_text

    if value is None:
        return "", "", ""
    number, unit = (value.magnitude, unit_text(value.units)) if isinstance(value, Quantity) else (value, "")
    return _number(number, digits), unit, ""


def _number(number: float, digits: int) -> str:
    """Return a number as a person reads it: nine decimals, fewer significant digits where few are asked for."""
    if isinstance(number, int):
        return str(number)
    if digits:
        return f"{number:.{digits}g}"
    if number and not 1e-3 <= abs(number) < 1e9:
        return f"{number:.10g}"
    return f"{number:.9f}".rstrip("0").rstrip(".")


def show_solution(solution: Solution) -> None:
    """Print values to standard output; closed forms and conditions beside values to standard error."""
    from .._solution import value_text

    for branch in solution.branches:
        if branch.value is None:
            print(branch.statement(solution.unknown))
            continue
        print(f"{solution.unknown} = {value_text(branch.value)}")
        if branch.low is not None:
            from .._text import text

            note(f"= {text(branch.low)}" + (f", if {branch.condition}" if branch.conditions else ""))
        else:
            note(branch.exactness)
    if solution.where:
        note(f"where {solution.where}")


def json_solution(solution: Solution) -> dict[str, Any]:
    """Return a solution for JSON."""
    from .._text import text

    return {
        "question": solution.question,
        "unknown": solution.unknown,
        "verdict": solution.verdict,
        "complete": solution.complete,
        "reason": solution.reason,
        "where": solution.where,
        "integer_reading": solution.integer_reading(),
        "branches": [
            {
                "closed_form": [None if end is None else text(end) for end in (branch.low, branch.high)],
                "open": [branch.low_open, branch.high_open],
                "is_point": branch.is_point,
                "conditions": [text(one) for one in branch.conditions],
                "values": None if branch.ends is None else [json_value(end) for end in branch.ends],
                "joint": {name: {"closed_form": text(tree), "value": json_value(v)} for name, tree, v in branch.joint},
                "exactness": branch.exactness,
            }
            for branch in solution.branches
        ],
    }


def json_value(value: Any) -> Any:
    """Return a value for JSON: a number, or magnitude and unit."""
    from .._units import Quantity, unit_text

    return {"magnitude": value.magnitude, "unit": unit_text(value.units)} if isinstance(value, Quantity) else value


def json_values(scenario: Scenario) -> dict[str, Any]:
    """Return all values of a scenario for JSON; where there is none, why."""
    from .._scenario import definition
    from ..errors import ScenarioError

    values: dict[str, Any] = {}
    for part in definition(scenario).derived:
        try:
            values[part.name] = json_value(getattr(scenario, part.name))
        except ScenarioError as error:
            values[part.name] = {"unavailable": error.message}
    return values


def terminal() -> Console:
    """Return the console that values are printed on."""
    # A pipe has no width: nothing is wrapped there.
    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)


def table_of(*columns: str) -> Table:
    """Return an empty table without lines."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in ("value", "default") else "left", no_wrap=column != "")
    return table


def add_row(table: Table, *cells: str) -> None:
    """Add a row of plain text."""
    table.add_row(*map(Text, cells))  # a Text is not searched for markup


def print_json(data: Any) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def note(text: str) -> None:
    """Print a remark to standard error."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[dim]{escape(text)}[/]")
