"""Questions to a scenario: the verbs that a user calls."""

from __future__ import annotations

from typing import Any

from ._question import Asked, Question, refuse
from ._scenario import Scenario, definition
from ._solution import Solution
from ._systems import System
from ._units import unit_text
from .errors import InputError, SolveError


def solve_for(x: Asked, unknown: Any, /, **target: Any) -> Solution:
    """Return the value of an input at which a property takes a given value.

    On a class the other inputs stay symbols, and each branch carries the condition under which it holds. On an
    instance they have their values; its own value of the unknown plays no part.

    Args:
        x: A scenario class or an instance.
        unknown: The input to solve for, as text or as symbol; or a list of several.
        **target: A property and the value it is to take: a number, text with a unit, a quantity, or mathematics of the
            class (`Class.other_property`). Several properties for several unknowns.

    Returns:
        The solution: all branches in closed form with unit and conditions, or the reason why there is none.

    Raises:
        InputError: A name or a value is not understood.
        SolveError: The question is not of this form, or leaves an unknown free.
    """
    if isinstance(unknown, (list, tuple)):
        return System(x, unknown, target).answer()
    if len(target) != 1:
        raise SolveError(
            "solve_for asks for one value of one property",
            place=definition(x).name,
            found=", ".join(target) or "none",
            hint='Write for example solve_for(scenario, "compiled_rate", breakeven_items=50000).',
        )
    ((named, wanted),) = target.items()
    return Question(x, unknown, named, "==", wanted).answer()


def when(x: Asked, property: Any, relation: str, target: Any, /, *, by: Any) -> Solution:
    """Return for which values of an input a property is below or above a value.

    Args:
        x: A scenario class or an instance.
        property: The property, as text.
        relation: `<`, `<=`, `>`, `>=` or `==`.
        target: What it is compared with, as for `solve_for`.
        by: The input whose values are looked for.

    Raises:
        InputError: A name or a value is not understood.
    """
    if relation not in ("<", "<=", ">", ">=", "=="):
        refuse(
            "there is no such relation",
            definition(x).name,
            found=f"{relation!r:.20}",
            expected="one of <, <=, >, >=, ==",
        )
    return Question(x, by, property, relation, target).answer()


def optimum(x: Asked, property: Any, /, *, over: Any, kind: str = "min") -> Solution:
    """Return the value of an input at which a property is least (or greatest).

    Args:
        x: A scenario class or an instance.
        property: The property, as text.
        over: The input that is varied.
        kind: `min` or `max`.

    Raises:
        InputError: A name is not understood.
    """
    if kind not in ("min", "max"):
        refuse("there is no such kind of optimum", definition(x).name, found=f"{kind!r:.20}", expected="min or max")
    return Question(x, over, property, kind, None).answer()


def crossover(a: Scenario, b: Scenario, property: Any, /, *, over: Any) -> Solution:
    """Return at which value of an input two scenarios have the same value of a property.

    Args:
        a: A scenario.
        b: Another one, of the same class or of one with a property and an input of these names.
        property: The property, as text.
        over: The input that is varied in both.

    Raises:
        InputError: A name is not understood, or the two do not fit together.
    """
    for one in (a, b):
        if not isinstance(one, Scenario):
            raise InputError("crossover compares two instances", found=f"{one!r:.60}")
    ours, theirs = Question(a, over, property, "==", 0), Question(b, over, property, "==", 0)
    for left, right in ((ours.of, theirs.of), (ours.unknown, theirs.unknown)):
        if left.dimension != right.dimension:
            refuse(
                f"`{left.name}` has two dimensions",
                f"{ours.definition.name} and {theirs.definition.name}",
                found=f"{unit_text(left.unit)} and {unit_text(right.unit)}",
            )
    return ours.against(theirs)
