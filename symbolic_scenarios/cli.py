"""The command line: `symbolic-scenarios list | show | eval | solve`.

Values go to standard output, all else to standard error. Exit codes: 0 done, 2 usage, 3 an input or a unit is wrong,
4 no solution. SymPy and pint are imported by the commands that need them, so that `--help` answers at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from ._definition import Definition
    from ._scenario import Scenario

USAGE, INPUT, NO_SOLUTION = 2, 3, 4

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Performance arithmetic, written once: values with units, equations, and inverse quantities.",
)

NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A catalogue class or instance, module:Class, or a scenario file (.toml, .json)."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, to full precision.")]
LatexOption = Annotated[bool, typer.Option("--latex", help="Print LaTeX.")]


class UsageError(Exception):
    """The command was not understood."""


def main() -> None:
    """Run the command line; a user never sees a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows no µ loses nothing
    sys.exit(_run(app))


def _run(command: Callable[..., Any]) -> int:
    from .errors import ScenarioError, SolveError

    try:
        return int(command(standalone_mode=False) or 0)
    except typer.Exit as ended:
        return ended.exit_code
    except UsageError as error:
        return _complain(str(error), "", USAGE)
    except SolveError as error:
        return _complain(error.message, error.hint, NO_SOLUTION)
    except ScenarioError as error:
        return _complain(error.message, error.hint, INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", "", 130)
    except BrokenPipeError:
        # The reader has gone: nothing is left to say, and Python must not complain at exit either.
        sys.stdout = None
        return 0
    except Exception as error:
        if hasattr(error, "format_message"):  # click's usage errors
            return _complain(error.format_message(), "", USAGE)
        return _complain(
            f"unexpected {type(error).__name__}: {error}", "This is a fault of the program; please report it.", 1
        )


def _complain(message: str, hint: str, code: int) -> int:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"[bold red]error:[/] {escape(message)}")
    if hint:
        console.print(f"  [dim]hint:[/] {escape(hint)}")
    return code


@app.callback(invoke_without_command=True)
def _options(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from . import __version__

        print(__version__)
        raise typer.Exit


# --- list ------------------------------------------------------------------------------------------------------------


@app.command("list")
def list_(
    search: Annotated[str, typer.Argument(help="Show only what has this word in its name or summary.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List the scenarios of the catalogue and their named instances."""
    from ._instances import entries

    everything = entries()
    word = search.lower()

    def wanted(name: str) -> bool:
        entry, home = everything[name], everything[everything[name].class_name]
        return any(word in text.lower() for text in (entry.name, home.name, home.summary, entry.subject))

    found = [entry for name, entry in everything.items() if wanted(name)]
    if as_json:
        _print_json(
            [{"name": e.name, "subject": e.subject, "class": e.class_name, "summary": e.summary} for e in found]
        )
        return
    console = _console()
    for subject in dict.fromkeys(entry.subject for entry in found):
        console.print(f"[bold]{subject}[/]")
        for home in (entry for entry in found if entry.subject == subject and entry.is_class):
            console.print(f"  {home.name}  [dim]{escape(home.summary)}[/]")
            for entry in found:
                if entry.class_name == home.name and not entry.is_class:
                    console.print(f"    {entry.name}")
    if not found:
        raise UsageError(f"nothing in the catalogue has {search!r} in its name or summary")


# --- show ------------------------------------------------------------------------------------------------------------


@app.command()
def show(name: NameArgument, as_json: JsonOption = False, latex: LatexOption = False) -> None:
    """Show inputs, equations, conditions and closed forms; for an instance its values, too."""
    from ._interchange import to_dict
    from ._scenario import Scenario, definition
    from ._typesetting import equations

    found = _find(name)
    if as_json:
        instance = found if isinstance(found, Scenario) else None
        values = {} if instance is None else {"instance": to_dict(instance), "values": _json_values(instance)}
        _print_json({**to_dict(type(found) if instance is not None else found), **values})
    elif latex:
        print(equations(found))
    else:
        console = _console()
        this = definition(found)
        console.print(f"[bold]{this.name}[/]  {escape(this.doc.partition(chr(10))[0])}")
        _show_inputs(console, this, found)
        _show_equations(console, this, found)


def _show_inputs(console: Console, this: Definition, found: Any) -> None:
    from ._declarations import MISSING
    from ._scenario import Scenario
    from ._units import quantity_text, unit_text

    table = _table("input", "unit", "domain", "value" if isinstance(found, Scenario) else "default", "")
    for part in this.inputs.values():
        if isinstance(found, Scenario):
            given = found._given[part.name]
            value = "" if given is None else given.text
        else:
            value = "" if part.default is MISSING else "optional" if part.default is None else str(part.default)
        domain = found._readers[part.name].domain_text()
        _row(table, part.name, unit_text(part.unit), domain, value, part.doc)
    console.print(table)
    if this.constants:
        table = _table("constant", "value", "source", "")
        for constant in this.constants.values():
            _row(table, constant.name, quantity_text(constant.value, constant.unit), constant.citation, constant.doc)
        console.print(table)


def _show_equations(console: Console, this: Definition, found: Any) -> None:
    from ._forms import expanded, form
    from ._scenario import Scenario
    from ._text import text
    from ._units import unit_text
    from .errors import ScenarioError

    for part in this.derived:
        unit = unit_text(part.unit)
        console.print(f"[bold]{part.name}[/]{escape(f' [{unit}]') if unit else ''}  [dim]{escape(part.doc)}[/]")
        this_form = form(this, part.name)
        if this_form.refusal is not None:
            console.print(f"    {escape(this_form.refusal.message)}")
            continue
        console.print(f"    = {escape(text(this_form.tree))}")
        try:
            closed = expanded(this, part.name)
            if closed != this_form.tree:
                console.print(f"    = {escape(text(closed))}")
        except ScenarioError as error:
            console.print(f"    [dim]{escape(error.problem)}[/]")
        if isinstance(found, Scenario):
            value, unit, why = _value(found, part.name)
            console.print(f"    = {value} {unit}".rstrip() if value else f"    [dim]{escape(why)}[/]")
        for condition in this_form.requires:
            console.print(f"    if {escape(text(condition))}")
    for constraint in this.constraints.values():
        console.print(f"[bold]{constraint.name}[/]  [dim]{escape(constraint.doc)}[/]")
        console.print(f"    {escape(text(constraint.tree))}")


# --- eval ------------------------------------------------------------------------------------------------------------


@app.command("eval")
def eval_(
    name: NameArgument,
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="[INPUT=VALUE]...", help="Inputs to set: 'compile_time=10 s'.")
    ] = None,
    as_json: JsonOption = False,
    latex: LatexOption = False,
) -> None:
    """Print the values of all properties and inverses."""
    from ._interchange import to_dict
    from ._scenario import definition
    from ._typesetting import latex as latex_of
    from .errors import ScenarioError

    found, given = _find(name), dict(_pair(change) for change in changes or [])
    scenario = _made(found, given)
    if as_json:
        _print_json({**to_dict(scenario), "values": _json_values(scenario)})
        return
    this = definition(scenario)
    if latex:
        for derived in this.derived:
            try:
                print(latex_of(scenario, derived.name, form="worked"))
            except ScenarioError as error:
                print(f"% {error.message}")
        return
    console = _console()
    console.print(f"[bold]{scenario.name or this.name}[/]  [dim]{escape(_about(scenario, given))}[/]".rstrip())
    inputs = _table("input", "value", "unit", "")
    for part in this.inputs.values():
        shown = _value(scenario, part.name)
        _row(inputs, part.name, shown[0] or "(left out)", shown[1], part.doc)
    console.print(inputs)
    values = _table("property", "value", "unit", "")
    reasons = []
    for derived in this.derived:
        value, unit, why = _value(scenario, derived.name)
        _row(values, derived.name, value or "-", unit if value else "", derived.doc)
        reasons += [why] if why else []
    console.print(values)
    for reason in reasons:
        _note(reason)


# --- solve -----------------------------------------------------------------------------------------------------------


@app.command()
def solve(
    name: NameArgument,
    equations: Annotated[
        list[str],
        typer.Argument(
            metavar="PROPERTY=VALUE [INPUT=VALUE]...", help="The value a property is to take; inputs to change."
        ),
    ],
    unknown: Annotated[str, typer.Option("--for", metavar="INPUT", help="The input to solve for.")],
    as_json: JsonOption = False,
    latex: LatexOption = False,
) -> None:
    """Find the value of an input at which a property takes a given value."""
    from ._questions import solve_for
    from ._scenario import Scenario, definition
    from ._text import text
    from ._typesetting import latex_condition, latex_expression, latex_symbol

    found = _find(name)
    this = definition(found)
    pairs = dict(_pair(equation) for equation in equations)
    changes = {key: value for key, value in pairs.items() if key in this.inputs}
    targets = {key: value for key, value in pairs.items() if key not in this.inputs}
    if changes:
        found = _made(found, changes)
    solution = solve_for(found, unknown, **targets)
    if as_json:
        _print_json(
            {
                "question": solution.question,
                "unknown": solution.unknown,
                "verdict": solution.verdict,
                "reason": solution.reason,
                "branches": [
                    {
                        "closed_form": text(branch.tree),
                        "conditions": [text(one) for one in branch.conditions],
                        "value": _json(branch.value),
                    }
                    for branch in solution.branches
                ],
            }
        )
    elif latex:
        for branch in solution.branches:
            written = f"{latex_symbol(found, solution.unknown)} = {latex_expression(found, branch.tree)}"
            conditions = r" \land ".join(latex_condition(found, condition) for condition in branch.conditions)
            print(written + rf" \quad \text{{if }} {conditions}" if conditions else written)
    elif isinstance(found, Scenario):
        for branch in solution.branches:
            print(f"{solution.unknown} = {_quantity(branch.value)}")
            _note(f"= {text(branch.tree)}" + (f", if {branch.condition}" if branch.conditions else ""))
    else:
        print(*[line for line in str(solution).splitlines() if solution.branches], sep="\n")
    if not solution.branches:
        _complain(solution.reason, "", NO_SOLUTION)
        raise typer.Exit(NO_SOLUTION)
    if solution.reason:
        _note(solution.reason)


# --- names and values ------------------------------------------------------------------------------------------------


def _find(name: str) -> Any:
    """Return the class or the instance that a NAME means."""
    from ._instances import entries
    from ._interchange import load
    from ._scenario import Scenario

    if name.lower().endswith((".toml", ".json")):
        return load(name)
    if ":" in name:
        return _imported(name)
    entry = entries().get(name)
    if entry is None:
        from ._definition import nearest

        hint = nearest(name, list(entries())) or "`symbolic-scenarios list` shows what there is."
        raise UsageError(f"the catalogue has no scenario {name[:80]!r}. {hint}")
    found = entry.load()
    assert isinstance(found, Scenario) or issubclass(found, Scenario)
    return found


def _imported(name: str) -> Any:
    """Import the class or the instance of `module:Class`."""
    from importlib import import_module

    from ._scenario import Scenario

    module_name, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module beside the caller, as `python -m` finds it
    try:
        found: Any = import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        if hasattr(error, "place"):
            raise
        raise UsageError(f"{name} can't be imported: {type(error).__name__}: {error}") from None
    if not isinstance(found, Scenario) and not (
        isinstance(found, type) and issubclass(found, Scenario) and found is not Scenario
    ):
        raise UsageError(f"{name} is no scenario class and no scenario")
    return found


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{text[:80]!r} is not of the form name=value")
    return name.strip(), value.strip()


def _made(found: Any, changes: dict[str, str]) -> Scenario:
    """Return a scenario: an instance with changes, or one of a class with these inputs."""
    return found(**changes) if isinstance(found, type) else found.variant(**changes) if changes else found  # type: ignore[no-any-return]


def _about(scenario: Scenario, changes: dict[str, str]) -> str:
    """Return what to say beside the name: the description, unless inputs were changed and it no longer holds."""
    return (
        "with " + ", ".join(f"{key} = {value}" for key, value in changes.items()) if changes else scenario.description
    )


def _value(scenario: Scenario, name: str) -> tuple[str, str, str]:
    """Return a value as number and unit, or why there is none."""
    from ._definition import DefinedInverse
    from ._scenario import definition
    from .errors import ScenarioError

    try:
        value = getattr(scenario, name)
    except ScenarioError as error:
        return "", "", f"{error.message}. {error.hint}".strip(" .")
    digits = 6 if isinstance(definition(scenario).part(name), DefinedInverse) else 0
    return _number_and_unit(value, digits)


def _number_and_unit(value: Any, digits: int) -> tuple[str, str, str]:
    from ._units import Quantity, unit_text

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


def _quantity(value: Any) -> str:
    from ._solution import value_text

    return "" if value is None else value_text(value)


def _json(value: Any) -> Any:
    from ._units import Quantity, unit_text

    return {"magnitude": value.magnitude, "unit": unit_text(value.units)} if isinstance(value, Quantity) else value


def _json_values(scenario: Scenario) -> dict[str, Any]:
    from ._scenario import definition
    from .errors import ScenarioError

    values: dict[str, Any] = {}
    for part in definition(scenario).derived:
        try:
            values[part.name] = _json(getattr(scenario, part.name))
        except ScenarioError as error:
            values[part.name] = {"unavailable": error.message}
    return values


# --- printing --------------------------------------------------------------------------------------------------------


def _console() -> Console:
    # A pipe has no width: nothing is wrapped there.
    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in ("value", "default") else "left", no_wrap=column != "")
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*map(Text, cells))  # a Text is not searched for markup


def _print_json(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


def _note(text: str) -> None:
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[dim]{escape(text)}[/]")
