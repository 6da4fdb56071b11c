"""Questions to a scenario, with names and units: the layer between `Scenario` and the solver, which knows neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

import sympy

from ._bridge import from_sympy
from ._definition import DefinedInput, DefinedInverse, DefinedProperty, Definition
from ._domains import Domain
from ._forms import conditions_of, expanded, expanded_condition
from ._precise import UndefinedError, as_float, value_at
from ._problem import Outcome, Part, Problem
from ._scenario import Scenario, definition
from ._solution import Branch, Solution
from ._solving.conditions import Sign
from ._solving.pieces import Piece
from ._text import text
from ._tree import Tree, name, number, replaced, symbols
from ._units import adopt, exact_factor, factor, is_quantity, parse_quantity, quantity_text, shortest, unit_text, wrap
from ._units import dimension as dimension_of
from .errors import InputError, SolveError

Asked = type[Scenario] | Scenario


def solve_for(x: Asked, unknown: Any, /, **target: Any) -> Solution:
    """Return the value of an input at which a property takes a given value.

    On a class the other inputs stay symbols, and each branch carries the condition under which it holds. On an
    instance they have their values; its own value of the unknown plays no part.

    Args:
        x: A scenario class or an instance.
        unknown: The input to solve for, as text or as symbol.
        **target: One property and the value it is to take: a number, text with a unit, a quantity, or mathematics of
            the class (`Class.other_property`).

    Returns:
        The solution: all branches in closed form with unit and conditions, or the reason why there is none.

    Raises:
        InputError: A name or a value is not understood.
        SolveError: The question is not of this form.
    """
    if len(target) != 1:
        raise SolveError(
            "solve_for asks for one value of one property",
            place=definition(x).name,
            found=", ".join(target) or "none",
            hint='Write for example solve_for(scenario, "compiled_rate", breakeven_items=50000).',
        )
    ((named, wanted),) = target.items()
    return _Question(x, unknown, named, "==", wanted).answer()


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
        _refuse(
            "there is no such relation",
            definition(x).name,
            found=f"{relation!r:.20}",
            expected="one of <, <=, >, >=, ==",
        )
    return _Question(x, by, property, relation, target).answer()


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
        _refuse("there is no such kind of optimum", definition(x).name, found=f"{kind!r:.20}", expected="min or max")
    return _Question(x, over, property, kind, None).answer()


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
    ours, theirs = _Question(a, over, property, "==", 0), _Question(b, over, property, "==", 0)
    for left, right in ((ours.of, theirs.of), (ours.unknown, theirs.unknown)):
        if left.dimension != right.dimension:
            _refuse(
                f"`{left.name}` has two dimensions",
                f"{ours.definition.name} and {theirs.definition.name}",
                found=f"{unit_text(left.unit)} and {unit_text(right.unit)}",
            )
    return ours.against(theirs)


class _Question:
    def __init__(self, x: Asked, unknown: Any, named: Any, relation: str, wanted: Any) -> None:
        self.definition = definition(x)
        self.scenario = x if isinstance(x, Scenario) else None
        self.scenario_class = type(x) if isinstance(x, Scenario) else x
        self.unknown: DefinedInput = self.definition.find(unknown, (self.definition.inputs,), "input")
        kinds = (self.definition.properties, self.definition.inverses)
        self.of: DefinedProperty | DefinedInverse = self.definition.find(named, kinds, "property")
        self.relation = relation
        # The property's own symbol stands for its value, so that a condition can name it: breakeven_items > 43500.
        self.symbol = sympy.Symbol(self.of.name, real=True)
        self.wanted = wanted
        self.target: Fraction | Tree | None = None if wanted is None else _target(wanted, self.of, self.definition)

    # --- the problem in base units -----------------------------------------------------------------------------------

    def problem(self, target: Tree | None) -> Problem:
        """Return the question for the solver."""
        this = self.definition
        validity = [expanded_condition(this, condition) for condition in conditions_of(this, self.of.name)]
        validity += [expanded_condition(this, constraint.tree) for constraint in this.constraints.values()]
        domains: dict[Any, Domain] = {part.symbol: part.domain for part in this.inputs.values()}
        domains |= {c.symbol: Domain(c.magnitude, c.magnitude, False, False) for c in this.constants.values()}
        domains.pop(self.unknown.symbol)
        tree = expanded(this, self.of.name)
        return Problem(tree, self.relation, target, self.unknown.symbol, self.unknown.domain, tuple(validity), domains)

    def symbolic(self) -> Problem:
        """Return the question with a symbol for the value of the property, solved over the reals where it is equal."""
        if not isinstance(self.target, Fraction):
            return self._over(self.problem(self.target))
        key = ("problem", self.of.name, self.unknown.name, self.relation)
        return self.definition.remembered(key, lambda: self._over(self.problem(name(self.symbol))))

    def _over(self, problem: Problem) -> Problem:
        return problem.over_the_reals if self.relation == "==" else problem

    def answer(self) -> Solution:
        """Return the solution, at the instance or on the class."""
        if self.relation == "==" and self.unknown.symbol not in {
            *symbols(expanded(self.definition, self.of.name)),
            *self._target_symbols(),
        }:
            return self._solution("independent", (), reason=f"{self.of.name} does not depend on {self.unknown.name}")
        return self._on_class() if self.scenario is None else self._on_instance(self._values(self.scenario))

    def _target_symbols(self) -> dict[Any, None]:
        return symbols(self.target) if isinstance(self.target, Tree) else {}

    # --- on a class --------------------------------------------------------------------------------------------------

    def _on_class(self, reason: str = "") -> Solution:
        # A bare number would be wrong beside symbols that carry units, so a target with a unit stays a symbol.
        stays = isinstance(self.target, Fraction) and bool(self.of.dimension) and self.target != 0
        if isinstance(self.target, Fraction) and not stays:
            problem = self._over(self.problem(number(sympy.Rational(self.target.numerator, self.target.denominator))))
        else:
            problem = self.symbolic()
        closed = problem.closed
        pieces = [one for piece in closed.pieces if (one := self._settled(piece) if stays else piece) is not None]
        branches = tuple(self._branch(piece) for piece in pieces)
        verdict = "none" if closed.pieces and not pieces else closed.verdict
        if not branches and not reason:
            reason = {
                "unsolved": f"there is no closed form for {self.unknown.name} by the methods of the solver; "
                "at an instance it has a number",
                "independent": f"{self.of.name} does not depend on {self.unknown.name}",
            }.get(verdict, f"no {self.unknown.name} gives {self._asked()}: {closed.reason}")
        return self._solution(
            verdict,
            branches,
            complete=closed.complete,
            reason=reason,
            where=self._asked() if stays else "",
            problem=problem,
        )

    def _settled(self, piece: Piece) -> Piece | None:
        """Return the piece without the conditions that the value of the target settles; `None` if one can't hold."""
        assert isinstance(self.target, Fraction)
        value = {self.symbol: sympy.Rational(self.target.numerator, self.target.denominator)}
        if any(Sign(one.expression.xreplace(value), one.relation).tidy() is False for one in piece.conditions):
            return None
        left = [
            one for one in piece.conditions if Sign(one.expression.xreplace(value), one.relation).tidy() is not True
        ]
        return replace(piece, conditions=tuple(left))

    def _branch(self, piece: Piece, part: Part | None = None) -> Branch:
        ends = None if part is None else self._ends(part)
        low = None if piece.low in (sympy.oo, -sympy.oo) else from_sympy(piece.low)
        high = None if piece.high in (sympy.oo, -sympy.oo) else from_sympy(piece.high)
        conditions = tuple(from_sympy(one.relational(self.symbol)) for one in piece.conditions)
        domain = self.unknown.domain
        own = (_is_end(piece.low, domain.lower), _is_end(piece.high, domain.upper))
        return Branch(low, high, piece.low_open, piece.high_open, piece.is_point, conditions, ends, own_ends=own)

    # --- on an instance ----------------------------------------------------------------------------------------------

    def _values(self, scenario: Scenario, changes: Mapping[str, Any] | None = None) -> dict[Any, Fraction]:
        known = {part.symbol: part.magnitude for part in self.definition.constants.values()}
        given = {key: one for key, one in scenario._given.items() if key not in (changes or {})}
        read = {key: self._read(key, value) for key, value in (changes or {}).items()}
        for key, one in {**given, **read}.items():
            if one is not None and key != self.unknown.name:
                known[self.definition.inputs[key].symbol] = one.exact
        return known

    def _read(self, key: str, value: Any) -> Any:
        self.definition.find(key, (self.definition.inputs,), "input")
        return self.scenario_class._readers[key].read(value)

    def _on_instance(self, known: dict[Any, Fraction], *, in_domain: bool = False) -> Solution:
        problem = self.symbolic()
        values = {**known, **({self.symbol: self.target} if isinstance(self.target, Fraction) else {})}
        if missing := sorted(symbol.name for symbol in problem.symbols - values.keys()):
            # What was left out stays a symbol, and with it the answer stays a closed form.
            return self._on_class(f"a value needs {', '.join(missing)}, which the scenario leaves out")
        counts = self.relation == "==" and self.unknown.domain.integer
        outcome = (replace(problem, domain=self.unknown.domain) if in_domain else problem).at(values)
        branches = tuple(self._numeric(part) for part in outcome.parts)
        verdict = self._verdict(outcome, branches)
        return self._solution(
            verdict,
            branches,
            complete=outcome.is_complete,
            reason="" if branches else self._reason(problem, outcome, values),
            boundary=branches[0].value if verdict == "unique" else None,
            reading=self._reading(values) if counts and not in_domain else "",
            problem=problem,
        )

    def _numeric(self, part: Part) -> Branch:
        if part.piece is not None:
            found = self._branch(part.piece, part)
            return replace(found, low_open=part.certified.lower_open, high_open=part.certified.upper_open)
        piece = part.certified
        ends = self._ends(part)
        return Branch(
            None, None, piece.lower_open, piece.upper_open, piece.is_point, (), ends, "certified to 30 digits"
        )

    def _ends(self, part: Part) -> tuple[Any, Any]:
        piece = part.certified
        ends = [None if end is None else self._with_unit(end.middle) for end in (piece.lower, piece.upper)]
        return ends[0], ends[1]

    def _verdict(self, outcome: Outcome, branches: tuple[Branch, ...]) -> str:
        if not outcome.is_complete:
            return "undecided"
        if not branches:
            return "not attained" if self.relation in ("min", "max") else "none"
        if all(branch.is_point for branch in branches):
            return "unique" if len(branches) == 1 else "several"
        certified = outcome.parts[0].certified
        domain = self.unknown.domain
        low = None if certified.lower is None else certified.lower.exact
        high = None if certified.upper is None else certified.upper.exact
        return "always" if len(branches) == 1 and (low, high) == (domain.lower, domain.upper) else "region"

    def _reading(self, values: Mapping[Any, Fraction]) -> str:
        """Return for which whole numbers the property is at most the target, as a statement."""
        problem = replace(self.problem(name(self.symbol)), relation="<=")
        outcome = problem.at(values) if isinstance(self.target, Fraction) else None
        if outcome is None or not outcome.is_complete:
            return ""
        said = f"{self.of.name} <= {self._shown(float(self.target))}" if isinstance(self.target, Fraction) else ""
        domain = self.unknown.domain
        spans = []
        for part in outcome.parts:
            low, high = (None if end is None else end.exact for end in (part.certified.lower, part.certified.upper))
            if low == domain.lower and high is not None:
                spans.append(f"at most {high}")
            else:
                spans.append(
                    f"at least {low}" if high is None else f"{low}" if low == high else f"from {low} to {high}"
                )
        return (
            f"{said} for {self.unknown.name} {' and '.join(spans)}" if spans else f"{said} for no {self.unknown.name}"
        )

    # --- two scenarios -----------------------------------------------------------------------------------------------

    def against(self, other: _Question) -> Solution:
        """Return where this scenario and another one have the same value."""
        ours, theirs = self._with_numbers(self.unknown.symbol), other._with_numbers(self.unknown.symbol)
        domain = self.unknown.domain.meet(other.unknown.domain)
        validity = (*ours.validity, *theirs.validity)
        problem = Problem(ours.tree, "==", theirs.tree, self.unknown.symbol, domain, validity).over_the_reals
        outcome = problem.at({})
        branches = tuple(self._numeric(part) for part in outcome.parts)
        verdict = self._verdict(outcome, branches)
        reason = "" if branches else f"the two never have the same {self.of.name}"
        question = f"equal {self.of.name}"
        boundary = branches[0].value if verdict == "unique" else None
        return Solution(
            self.scenario_class,
            self.unknown.name,
            question,
            verdict,
            branches,
            outcome.is_complete,
            reason,
            boundary=boundary,
        )

    def _with_numbers(self, unknown: Any) -> Problem:
        problem = self.problem(number(0))
        assert self.scenario is not None
        values = self._values(self.scenario)
        if missing := sorted(symbol.name for symbol in problem.symbols - values.keys()):
            _refuse("inputs were left out that the property needs", self.definition.name, found=", ".join(missing))
        numbers = {symbol: number(sympy.Rational(one.numerator, one.denominator)) for symbol, one in values.items()}
        numbers[self.unknown.symbol] = name(unknown)
        validity = tuple(replaced(one, numbers) for one in problem.validity)
        return replace(problem, tree=replaced(problem.tree, numbers), validity=validity)

    # --- words and units ---------------------------------------------------------------------------------------------

    def _reason(self, problem: Problem, outcome: Outcome, values: Mapping[Any, Fraction]) -> str:
        if self.relation in ("min", "max"):
            return f"the {'least' if self.relation == 'min' else 'greatest'} {self.of.name} is not attained"
        meaning = f" ({self.of.doc.rstrip('.')})" if self.of.doc else ""
        found = dict.fromkeys(self._need(one, values) for one in problem.failing(values))
        needs = [
            one
            for one in found
            if (weak := one.replace(" < ", " <= ").replace(" > ", " >= ")) == one or weak not in found
        ]
        said = f"{self._asked()}{meaning} can never be: no {self.unknown.name} gives it"
        if needs:
            return f"{said}; it needs {' or '.join(needs)}"
        reason = getattr(outcome.certified, "reason", None)
        if reason is not None and reason.kind == "above_all_values" and reason.greatest is not None:
            return f"{said}; its largest value is {self._shown(float(reason.greatest))}"
        if reason is not None and reason.kind == "below_all_values" and reason.least is not None:
            return f"{said}; its smallest value is {self._shown(float(reason.least))}"
        return said

    def _need(self, refused: Sign, values: Mapping[Any, Fraction]) -> str:
        """Return a condition that fails as text, with the value of its bound: `x > a * b = 43500`."""
        relation = from_sympy(refused.relational(self.symbol))
        bound = relation.args[1]
        if relation.args[0] != name(self.symbol) or bound.head == "number":
            return text(relation)
        try:
            value = as_float(value_at(bound, values))
        except UndefinedError:
            return text(relation)
        return f"{text(relation)} = {self._shown(value)}"

    def _asked(self) -> str:
        if self.relation in ("min", "max"):
            return f"{'least' if self.relation == 'min' else 'greatest'} {self.of.name}"
        sign = "=" if self.relation == "==" else self.relation
        wanted = (
            self._shown(float(self.target))
            if isinstance(self.target, Fraction)
            else text(self.target)
            if self.target
            else ""
        )
        return f"{self.of.name} {sign} {wanted}"

    def _shown(self, magnitude: float) -> str:
        return quantity_text(float(f"{magnitude / factor(self.of.unit):.8g}"), self.of.unit)

    def _with_unit(self, magnitude: Fraction) -> Any:
        unit = self.unknown.unit
        if not unit_text(unit):
            return int(magnitude) if self.unknown.domain.integer and magnitude.denominator == 1 else float(magnitude)
        scale = exact_factor(unit)
        return wrap(float(magnitude / scale) if scale else float(magnitude) / factor(unit), unit)

    def _solution(
        self,
        verdict: str,
        branches: tuple[Branch, ...],
        *,
        problem: Problem | None = None,
        complete: bool = True,
        **more: Any,
    ) -> Solution:
        steps = () if problem is None else tuple(_step(step) for step in problem.closed.steps)
        return Solution(
            self.scenario_class, self.unknown.name, self._asked(), verdict, branches, complete,
            steps=steps, answer_at=self._answer_at, **more,
        )  # fmt: skip

    def _answer_at(self, changes: dict[str, Any]) -> Solution:
        if self.scenario is not None:
            return self._on_instance(self._values(self.scenario, changes), in_domain=True)
        known = {part.symbol: part.magnitude for part in self.definition.constants.values()}
        for key, value in changes.items():
            given = self._read(key, value)
            if given is not None and key != self.unknown.name:
                known[self.definition.inputs[key].symbol] = given.exact
        return self._on_instance(known, in_domain=True)


def _is_end(end: Any, bound: Fraction | None) -> bool:
    """Whether an end of an answer is the end of the unknown's domain, and says nothing new."""
    return bound is not None and bool(end == sympy.Rational(bound.numerator, bound.denominator))


def _step(step: Any) -> tuple[str, str]:
    left = text(from_sympy(step.left))
    if step.low == step.high:
        return f"{left} == {text(from_sympy(step.low))}", step.reason
    low = "" if step.low == -sympy.oo else f"{text(from_sympy(step.low))} <= "
    high = "" if step.high == sympy.oo else f" <= {text(from_sympy(step.high))}"
    return f"{low}{left}{high}", step.reason


def _target(wanted: Any, of: DefinedProperty | DefinedInverse, this: Definition) -> Fraction | Tree:
    """Return a target in base units: an exact number, or an expression of the class's inputs."""
    if isinstance(wanted, sympy.Expr) and wanted.free_symbols:
        known = {part.symbol for part in (*this.inputs.values(), *this.constants.values())}
        if not wanted.free_symbols <= known:
            strange = ", ".join(sorted(str(symbol) for symbol in wanted.free_symbols - known))
            _refuse("the target uses what is no input of the class", f"{this.name}.{of.name}", found=strange)
        tree = from_sympy(wanted)
        _check_dimension(tree, of, this)
        return tree
    return _magnitude(wanted, of, this)


def _check_dimension(tree: Tree, of: DefinedProperty | DefinedInverse, this: Definition) -> None:
    from ._dimensions import ANY, DimensionChecker

    known = {part.symbol: part for part in (*this.inputs.values(), *this.constants.values())}
    found = DimensionChecker(known, f"{this.name}.{of.name}").dimension(tree)
    if found is not ANY and found != of.dimension:
        _refuse(
            "the target has another dimension",
            f"{this.name}.{of.name}",
            found=f"`{text(tree)}`",
            expected=unit_text(of.unit),
        )


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
