"""The command line: `symbolic-scenarios list | show | eval | solve | when | optimum`.

Values go to standard output, all else to standard error. Exit codes: 0 done, 2 usage, 3 an input or a unit is wrong,
4 no solution. SymPy and pint are imported by the commands that need them, so that `--help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from .display import (
    about,
    add_row,
    complain,
    json_solution,
    json_values,
    note,
    print_json,
    show_equations,
    show_inputs,
    show_solution,
    table_of,
    terminal,
    value_parts,
)
from .names import UsageError, comparison, find, made, pairs_of

if TYPE_CHECKING:
    from .._solution import Solution

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
ExplainOption = Annotated[bool, typer.Option("--explain", help="Print the steps to the closed form.")]
ChangesArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[INPUT=VALUE]...", help="Inputs to set: 'compile_time=10 s'.")
]


def main() -> None:
    """Run the command line; a user never sees a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows no µ loses nothing
    sys.exit(_run(app))


def _run(command: Callable[..., Any]) -> int:
    from ..errors import ScenarioError, SolveError

    try:
        return int(command(standalone_mode=False) or 0)
    except typer.Exit as ended:
        return ended.exit_code
    except UsageError as error:
        return complain(str(error), "", USAGE)
    except SolveError as error:
        return complain(error.message, error.hint, NO_SOLUTION)
    except ScenarioError as error:
        return complain(error.message, error.hint, INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return complain("interrupted", "", 130)
    except BrokenPipeError:
        # The reader has gone: nothing is left to say, and Python must not complain at exit either.
        sys.stdout = None
        return 0
    except Exception as error:
        if hasattr(error, "format_message"):  # click's usage errors
            return complain(error.format_message(), "", USAGE)
        return complain(
            f"unexpected {type(error).__name__}: {error}", "This is a fault of the program; please report it.", 1
        )


@app.callback(invoke_without_command=True)
def _options(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from .. import __version__

        print(__version__)
        raise typer.Exit


# --- list ------------------------------------------------------------------------------------------------------------


@app.command("list")
def list_(
    search: Annotated[str, typer.Argument(help="Show only what has this word in its name or summary.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List the scenarios of the catalogue and their named instances."""
    from .._instances import entries

    everything = entries()
    word = search.lower()

    def wanted(name: str) -> bool:
        entry, home = everything[name], everything[everything[name].class_name]
        return any(word in text.lower() for text in (entry.name, home.name, home.summary, entry.subject))

    found = [entry for name, entry in everything.items() if wanted(name)]
    if as_json:
        print_json([{"name": e.name, "subject": e.subject, "class": e.class_name, "summary": e.summary} for e in found])
        return
    console = terminal()
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
    from .._interchange import to_dict
    from .._scenario import Scenario, definition
    from .._typesetting import equations

    found = find(name)
    if as_json:
        instance = found if isinstance(found, Scenario) else None
        values = {} if instance is None else {"instance": to_dict(instance), "values": json_values(instance)}
        print_json({**to_dict(type(found) if instance is not None else found), **values})
    elif latex:
        print(equations(found))
    else:
        console = terminal()
        this = definition(found)
        console.print(f"[bold]{this.name}[/]  {escape(this.doc.partition(chr(10))[0])}")
        show_inputs(console, this, found)
        show_equations(console, this, found)


# --- eval ------------------------------------------------------------------------------------------------------------


@app.command("eval")
def eval_(
    name: NameArgument,
    changes: ChangesArgument = None,
    as_json: JsonOption = False,
    latex: LatexOption = False,
) -> None:
    """Print the values of all properties and inverses."""
    from .._interchange import to_dict
    from .._scenario import definition
    from .._typesetting import latex as latex_of
    from ..errors import ScenarioError

    found, given = find(name), pairs_of(changes or [])
    scenario = made(found, given)
    if as_json:
        print_json({**to_dict(scenario), "values": json_values(scenario)})
        return
    this = definition(scenario)
    if latex:
        for derived in this.derived:
            try:
                print(latex_of(scenario, derived.name, form="worked"))
            except ScenarioError as error:
                print(f"% {error.message}")
        return
    console = terminal()
    console.print(f"[bold]{scenario.name or this.name}[/]  [dim]{escape(about(scenario, given))}[/]".rstrip())
    inputs = table_of("input", "value", "unit", "")
    for part in this.inputs.values():
        shown = value_parts(scenario, part.name)
        add_row(inputs, part.name, shown[0] or "(left out)", shown[1], part.doc)
    console.print(inputs)
    values = table_of("property", "value", "unit", "")
    reasons = []
    for derived in this.derived:
        value, unit, why = value_parts(scenario, derived.name)
        add_row(values, derived.name, value or "-", unit if value else "", derived.doc)
        reasons += [why] if why else []
    console.print(values)
    for reason in reasons:
        note(reason)


# --- questions -------------------------------------------------------------------------------------------------------


@app.command()
def solve(
    name: NameArgument,
    equations: Annotated[
        list[str],
        typer.Argument(
            metavar="PROPERTY=VALUE [INPUT=VALUE]...", help="The value a property is to take; inputs to change."
        ),
    ],
    unknown: Annotated[
        list[str], typer.Option("--for", metavar="INPUT", help="The input to solve for; may be repeated.")
    ],
    as_json: JsonOption = False,
    latex: LatexOption = False,
    explain: ExplainOption = False,
) -> None:
    """Find the value of an input at which a property takes a given value."""
    from .._questions import solve_for

    found, targets = _with_changes(name, equations)
    if not targets:
        raise UsageError("solve takes the value of a property: PROPERTY=VALUE")
    if len(targets) > 1 and len(unknown) == 1:
        raise UsageError("solve takes one value of one property for one input; repeat --for to ask for several")
    _answer(solve_for(found, unknown if len(unknown) > 1 else unknown[0], **targets), as_json, latex, explain)


@app.command()
def when(
    name: NameArgument,
    relation: Annotated[str, typer.Argument(metavar="'PROPERTY < VALUE'", help="With <, <=, >, >= or ==.")],
    by: Annotated[str, typer.Option("--for", metavar="INPUT", help="The input whose values are looked for.")],
    changes: ChangesArgument = None,
    as_json: JsonOption = False,
    latex: LatexOption = False,
    explain: ExplainOption = False,
) -> None:
    """Find the values of an input at which a property is below or above a value."""
    from .._questions import when as when_of

    found, _ = _with_changes(name, changes or [])
    left, sign, right = comparison(relation)
    _answer(when_of(found, left, sign, right, by=by), as_json, latex, explain)


@app.command()
def optimum(
    name: NameArgument,
    of: Annotated[str, typer.Argument(metavar="PROPERTY", help="The property that is to be least.")],
    over: Annotated[str, typer.Option("--over", metavar="INPUT", help="The input that is varied.")],
    changes: ChangesArgument = None,
    greatest: Annotated[bool, typer.Option("--max", help="Look for the greatest value instead.")] = False,
    as_json: JsonOption = False,
    latex: LatexOption = False,
    explain: ExplainOption = False,
) -> None:
    """Find the value of an input at which a property is least, or greatest."""
    from .._questions import optimum as optimum_of

    found, _ = _with_changes(name, changes or [])
    _answer(optimum_of(found, of, over=over, kind="max" if greatest else "min"), as_json, latex, explain)


def _with_changes(name: str, equations: list[str]) -> tuple[Any, dict[str, str]]:
    """Return the class or instance with its inputs changed, and what else was set."""
    from .._scenario import definition

    found, pairs = find(name), pairs_of(equations)
    inputs = definition(found).inputs
    changes = {key: value for key, value in pairs.items() if key in inputs}
    return made(found, changes) if changes else found, {k: v for k, v in pairs.items() if k not in inputs}


def _answer(solution: Solution, as_json: bool, latex: bool, explain: bool) -> None:
    if as_json:
        print_json(json_solution(solution))
    elif latex:
        print(solution.latex())
    elif solution.branches:
        show_solution(solution)
    if explain and solution.steps:
        note(solution.explain())
    if not solution.branches:
        complain(solution.reason, "", NO_SOLUTION)
        raise typer.Exit(NO_SOLUTION)
    for remark in (solution.reason, solution.reading):
        if remark:
            note(remark)
