"""The forms of what a definition says: layered as written, expanded to the inputs, closed as a SymPy expression."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from ._bridge import from_sympy, to_sympy
from ._definition import DefinedInverse, DefinedProperty, Definition
from ._domains import Domain
from ._problem import Problem
from ._solving.closed import Closed
from ._tree import LARGEST_SIZE, Tree, name, replaced, symbols
from .errors import DefinitionError, ScenarioError, SolveError


@dataclass(frozen=True, eq=False)
class Form:
    """How a property or an inverse is computed.

    Attributes:
        tree: Its expression; for an inverse the closed form that the solver found.
        requires: The conditions under which it has a value.
        otherwise: What it means that a condition fails.
        refusal: Why there is no expression, where there is none.
    """

    tree: Tree
    requires: tuple[Tree, ...]
    otherwise: str = ""
    refusal: ScenarioError | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the expression and its conditions, in the order in which they appear."""
        if self.refusal is not None:
            return ()
        trees = (self.tree, *self.requires)
        return tuple(dict.fromkeys(symbol.name for tree in trees for symbol in symbols(tree)))


def form(definition: Definition, name: str) -> Form:
    """Return the form of a property or an inverse, as it is computed."""
    part = definition.part(name)
    if isinstance(part, DefinedProperty):
        return definition.remembered(("form", name), lambda: Form(part.tree, part.requires, part.otherwise))
    assert isinstance(part, DefinedInverse)
    return definition.remembered(("form", name), lambda: _inverse(definition, part))


def expanded(definition: Definition, name: str) -> Tree:
    """Return the expression of a property or an inverse in inputs and constants only, in the order as written.

    Raises:
        DefinitionError: It would grow past the largest size of an expression.
        SolveError: It is an inverse without a unique closed form, or needs one.
    """
    expansions: dict[str, Tree | None] = definition.remembered("expansions", dict)
    if name not in expansions:
        for step in _steps(definition, name, expansions):
            expansions[step] = _expansion(definition, step, expansions)
    found = expansions[name]
    if found is None:
        raise DefinitionError(
            "its closed form is too large to be written out",
            place=f"{definition.name}.{name}",
            expected=f"at most {LARGEST_SIZE} parts",
            hint="Use its value on an instance, or its layered form.",
            names=(name,),
        )
    return found


def expanded_condition(definition: Definition, condition: Tree) -> Tree:
    """Return a condition in inputs and constants only."""
    return replaced(
        condition, {s: expanded(definition, s.name) for s in symbols(condition) if _is_derived(definition, s.name)}
    )


def closed_form(definition: Definition, name: str) -> Any:
    """Return the closed form of a property or an inverse: a SymPy expression in inputs and constants."""
    return definition.remembered(("closed", name), lambda: to_sympy(expanded(definition, name)))


def conditions_of(definition: Definition, name: str) -> list[Tree]:
    """Return all conditions (`requires=`) that a property rests on: its own, and those of what it needs."""
    return [condition for step in _steps(definition, name, ()) for condition in form(definition, step).requires]


def problem_of(definition: Definition, of: str, relation: str, target: Tree | None, unknown: str) -> Problem:
    """Return the question where a property stands in a relation to a target, for the solver."""
    sought = definition.inputs[unknown]
    validity = [expanded_condition(definition, condition) for condition in conditions_of(definition, of)]
    validity += [expanded_condition(definition, constraint.tree) for constraint in definition.constraints.values()]
    domains: dict[Any, Domain] = {part.symbol: part.domain for part in definition.inputs.values() if part is not sought}
    domains |= {
        part.symbol: Domain(part.magnitude, part.magnitude, False, False) for part in definition.constants.values()
    }
    tree = expanded(definition, of)
    return Problem(tree, relation, target, sought.symbol, sought.domain, tuple(validity), domains)


def inverse_branches(definition: Definition, inverse: DefinedInverse) -> Closed:
    """Return what the solver finds for an inverse, on the class: all branches, in symbols, over the reals."""
    target = expanded_condition(definition, inverse.target)
    return problem_of(definition, inverse.of, "==", target, inverse.unknown).over_the_reals.closed


def _is_derived(definition: Definition, name: str) -> bool:
    return name in definition.properties or name in definition.inverses


def _expansion(definition: Definition, name: str, expansions: dict[str, Tree | None]) -> Tree | None:
    """Return the expansion of one step whose parts are expanded already; `None` where it is too large."""
    this = form(definition, name)
    if this.refusal is not None:
        raise this.refusal
    parts = {}
    for symbol in symbols(this.tree):
        if _is_derived(definition, symbol.name):
            part = expansions[symbol.name]
            if part is None:
                return None
            parts[symbol] = part
    try:
        return replaced(this.tree, parts)
    except DefinitionError:
        return None


def _steps(definition: Definition, name: str, known: Container[str]) -> list[str]:
    """Return what has to be expanded for `name`, in the order of the definition: a long chain is a loop."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in seen and one not in known and _is_derived(definition, one):
            seen.add(one)
            waiting.extend(symbol.name for symbol in symbols(form(definition, one).tree))
    return sorted(seen, key=definition.places.__getitem__)


def _inverse(definition: Definition, inverse: DefinedInverse) -> Form:
    place = f"{definition.name}.{inverse.name}"
    try:
        solved = inverse_branches(definition, inverse)
    except ScenarioError as error:
        return Form(name(inverse.symbol), (), refusal=error)
    branches = [piece for piece in solved.pieces if piece.is_point] if solved.verdict != "unsolved" else []
    if inverse.branch is not None and branches:
        branches = branches[inverse.branch : inverse.branch + 1] or branches
    if len(branches) == 1 and (len(solved.pieces) == 1 or inverse.branch is not None):
        requires = tuple(from_sympy(one.relational()) for one in branches[0].conditions)
        return Form(from_sympy(branches[0].low), requires, f"no {inverse.unknown} gives {inverse.of} that value")
    problem = {
        "none": f"no {inverse.unknown} gives {inverse.of} that value",
        "independent": f"{inverse.of} does not depend on {inverse.unknown}",
        "unsolved": "there is no closed form by the methods of the solver",
        "always": f"every {inverse.unknown} gives {inverse.of} that value",
        "region": f"{inverse.of} has that value on an interval of {inverse.unknown}",
    }.get(solved.verdict, "there are several branches")
    listed = "; ".join(f"{place}: {piece.low}" for place, piece in enumerate(branches))
    hint = "Name one by branch=, counted from 0." if branches else ""
    refusal = SolveError(problem, place=place, found=listed, hint=hint, names=(inverse.name,))
    return Form(name(inverse.symbol), (), refusal=refusal)
