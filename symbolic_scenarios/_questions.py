"""Questions to a scenario, with names and units: the layer between `Scenario` and the solver, which knows neither."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NoReturn

import sympy

from ._bridge import from_sympy
from ._definition import DefinedInput, DefinedInverse, DefinedProperty, Definition
from ._forms import expanded, expanded_condition, form
from ._precise import UndefinedError, agree_at, as_float, holds_at, value_at
from ._scenario import Scenario, definition
from ._solution import Branch, Solution
from ._solving import Branch as SolvedBranch
from ._solving import Sign, Solved, solve
from ._text import text
from ._tree import Tree, name, replaced
from ._units import adopt, exact_factor, factor, is_quantity, parse_quantity, quantity_text, shortest, unit_text, wrap
from ._units import dimension as dimension_of
from .errors import InputError, SolveError


def solve_for(x: type[Scenario] | Scenario, unknown: Any, /, **target: Any) -> Solution:
    """Return the value of an input at which a property takes a given value.

    On a class the other inputs stay symbols, and each branch carries the condition under which it holds. On an
    instance they have their values; its own value of the unknown plays no part.

    Args:
        x: A scenario class or an instance.
        unknown: The input to solve for, as text or as symbol.
        **target: One property and the value it is to take: a number, text with a unit, or a quantity.

    Returns:
        The solution: all branches in closed form with unit and conditions, or the reason why there is none.

    Raises:
        InputError: A name or a value is not understood.
        SolveError: The question is not of this form.
    """
    return _Question(x, unknown, target).answer()


class _Question:
    def __init__(self, x: type[Scenario] | Scenario, unknown: Any, targets: Mapping[str, Any]) -> None:
        self.definition = definition(x)
        self.scenario = x if isinstance(x, Scenario) else None
        self.scenario_class = type(x) if isinstance(x, Scenario) else x
        self.unknown: DefinedInput = self.definition.find(unknown, (self.definition.inputs,), "input")
        if len(targets) != 1:
            raise SolveError(
                "solve_for asks for one value of one property",
                place=self.definition.name,
                found=", ".join(targets) or "none",
                hint='Write for example solve_for(scenario, "compiled_rate", breakeven_items=50000).',
            )
        ((named, wanted),) = targets.items()
        kinds = (self.definition.properties, self.definition.inverses)
        self.of: DefinedProperty | DefinedInverse = self.definition.find(named, kinds, "property")
        self.target = _magnitude(wanted, self.of, self.definition)
        # The property's own symbol stands for its value, so that a condition can name it: breakeven_items > 43500.
        self.symbol = sympy.Symbol(self.of.name, real=True)

    def answer(self) -> Solution:
        solved = self.definition.remembered(("solved", self.of.name, self.unknown.name), self._solved)
        if solved.verdict == "independent":
            return self._none("independent", f"{self.of.name} does not depend on {self.unknown.name}")
        if solved.verdict == "unsolved":
            reason = f"{self.unknown.name} has no closed form by the methods of the solver"
            return self._none("unsolved", reason, complete=False)
        if self.scenario is None:
            return self._on_class(solved)
        return self._on_instance(solved, self.scenario)

    def _solved(self) -> Solved:
        requires = [
            expanded_condition(self.definition, condition) for condition in form(self.definition, self.of.name).requires
        ]
        return solve(
            expanded(self.definition, self.of.name), self.symbol, self.unknown.symbol, self.unknown.domain, requires
        )

    # --- on a class --------------------------------------------------------------------------------------------------

    def _on_class(self, solved: Solved) -> Solution:
        # A bare number would be wrong beside symbols that carry units, so a target with a unit stays a symbol.
        has_unit = bool(self.of.dimension) and self.target != 0
        target = sympy.Rational(self.target.numerator, self.target.denominator)
        found = []
        for branch in solved.branches:
            put_in = branch.at(self.symbol, target)
            if put_in is not None:
                shown = _open_conditions(branch, self.symbol, target) if has_unit else put_in
                found.append(Branch(self._tree(shown.value), shown.value, self._conditions(shown)))
        if not found:
            return self._none("none", f"no {self.unknown.name} gives {self._asked()}")
        return self._found(found, where=self._asked() if has_unit else "")

    # --- on an instance ----------------------------------------------------------------------------------------------

    def _on_instance(self, solved: Solved, scenario: Scenario) -> Solution:
        magnitudes = self._magnitudes(scenario)
        wanted = {symbol for branch in solved.branches for symbol in branch.symbols}
        if missing := sorted(symbol.name for symbol in wanted - magnitudes.keys()):
            # What was left out stays a symbol, and with it the answer stays a closed form.
            on_class = self._on_class(solved)
            reason = f"a value needs {', '.join(missing)}, which the scenario leaves out"
            return Solution(**{**vars(on_class), "reason": reason})
        found, refused = [], []
        for branch in solved.branches:
            failing = [one for one in branch.conditions if not holds_at(self._tree(one.relational()), magnitudes)]
            if failing:
                refused.append(failing[0])
            elif (value := self._checked_value(branch, magnitudes)) is not None:
                found.append(
                    Branch(self._tree(branch.value), branch.value, self._conditions(branch), self._with_unit(value))
                )
        if not found:
            return self._none("none", self._reason(refused, magnitudes))
        return self._found(found)

    def _magnitudes(self, scenario: Scenario) -> dict[Any, Fraction]:
        known = {part.symbol: part.magnitude for part in self.definition.constants.values()}
        for key, given in scenario._given.items():
            if given is not None and key != self.unknown.name:
                known[self.definition.inputs[key].symbol] = given.exact
        return {**known, self.symbol: self.target}

    def _checked_value(self, branch: SolvedBranch, magnitudes: Mapping[Any, Fraction]) -> float | None:
        """Return the value of a branch, if the property really takes the target value there."""
        tree = self._tree(branch.value)
        forward = replaced(expanded(self.definition, self.of.name), {self.unknown.symbol: tree})
        if not agree_at(forward, name(self.symbol), magnitudes):
            return None
        try:
            return as_float(value_at(tree, magnitudes))
        except UndefinedError:
            return None

    def _reason(self, refused: list[Sign], magnitudes: Mapping[Any, Fraction]) -> str:
        meaning = f" ({self.of.doc.rstrip('.')})" if self.of.doc else ""
        needs = list(dict.fromkeys(self._need(one, magnitudes) for one in refused))
        return f"{self._asked()}{meaning} can never be: no {self.unknown.name} gives it; it needs {' or '.join(needs)}"

    def _need(self, refused: Sign, magnitudes: Mapping[Any, Fraction]) -> str:
        """Return a condition that fails as text, with the value of its bound: `x > a * b = 43500`."""
        relation = self._tree(refused.relational(self.symbol))
        bound = relation.args[1]
        if relation.args[0] != name(self.symbol) or bound.head == "number":
            return text(relation)
        try:
            value = as_float(value_at(bound, magnitudes))
        except UndefinedError:
            return text(relation)
        return f"{text(relation)} = {self._shown(value)}"

    # --- words and units ---------------------------------------------------------------------------------------------

    def _asked(self) -> str:
        return f"{self.of.name} = {self._shown(float(self.target))}"

    def _shown(self, magnitude: float) -> str:
        return quantity_text(float(f"{magnitude / factor(self.of.unit):.8g}"), self.of.unit)

    def _with_unit(self, magnitude: float) -> Any:
        unit = self.unknown.unit
        if not unit_text(unit):
            return magnitude
        return wrap(magnitude / factor(unit), unit)

    def _tree(self, expression: Any) -> Tree:
        return from_sympy(expression)

    def _conditions(self, branch: SolvedBranch) -> tuple[Tree, ...]:
        return tuple(self._tree(one.relational(self.symbol)) for one in branch.conditions)

    def _found(self, branches: list[Branch], where: str = "") -> Solution:
        verdict = "unique" if len(branches) == 1 else "several"
        return self._solution(verdict, tuple(branches), where=where, integer=self.unknown.domain.integer)

    def _none(self, verdict: str, reason: str, *, complete: bool = True) -> Solution:
        return self._solution(verdict, (), complete=complete, reason=reason)

    def _solution(self, verdict: str, branches: tuple[Branch, ...], *, complete: bool = True, **more: Any) -> Solution:
        return Solution(self.scenario_class, self.unknown.name, self._asked(), verdict, branches, complete, **more)


def _open_conditions(branch: SolvedBranch, symbol: Any, value: Any) -> SolvedBranch:
    """Return the branch without the conditions that the value of a symbol settles."""
    left = [
        one for one in branch.conditions if Sign(one.expression.subs(symbol, value), one.relation).tidy() is not True
    ]
    return SolvedBranch(branch.value, tuple(left))


def _magnitude(wanted: Any, of: DefinedProperty | DefinedInverse, this: Definition) -> Fraction:
    """Return the exact magnitude in base units of a target as it was given."""
    place = f"{this.name}.{of.name}"
    unit = unit_text(of.unit)
    expected = f"a value in {unit} or a unit that converts to it" if unit else "a plain number"
    try:
        if isinstance(wanted, str):
            value, given = parse_quantity(wanted)
        elif is_quantity(wanted):
            value, given = adopt(wanted)
        else:
            value, given = shortest(wanted), None
    except InputError as error:
        _refuse(error.problem, place, found=error.found or repr(wanted)[:60], expected=expected, hint=error.hint)
    if given is None or not unit_text(given):
        if unit and value != 0:
            _refuse(
                "the target has no unit",
                place,
                found=str(wanted)[:60],
                expected=expected,
                hint=f'Write {of.name}="{wanted} {unit}".',
            )
        return value
    if dimension_of(given) != of.dimension:
        _refuse("the target has another dimension", place, found=str(wanted)[:60], expected=expected)
    scale = exact_factor(given)
    return value * (Fraction(factor(given)) if scale is None else scale)


def _refuse(problem: str, place: str, **parts: Any) -> NoReturn:
    raise InputError(problem, place=place, **parts)
