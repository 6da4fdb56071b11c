"""One question to a scenario for one input, with names and units: at an instance, or on a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

import sympy

from ._balls import UndefinedError
from ._bridge import from_sympy
from ._definition import DefinedInput, DefinedInverse, DefinedProperty
from ._forms import expanded, problem_of
from ._precise import as_float, value_at
from ._problem import Outcome, Part, Problem
from ._scenario import Scenario, definition
from ._solution import Branch, Solution
from ._solving.conditions import Sign
from ._solving.pieces import Piece
from ._text import text
from ._tree import Tree, name, number, replaced, symbols
from ._units import exact_factor, factor, quantity_text, unit_text, wrap
from ._wanted import wanted_value
from .errors import InputError, SolveError

Asked = type[Scenario] | Scenario


_LONGEST_NEED = 100


class Question:
    """One question for one input."""

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
        self.target: Fraction | Tree | None = None if wanted is None else wanted_value(wanted, self.of, self.definition)

    # --- the problem in base units -----------------------------------------------------------------------------------

    def problem(self, target: Tree | None) -> Problem:
        """Return the question for the solver."""
        return problem_of(self.definition, self.of.name, self.relation, target, self.unknown.name)

    def symbolic(self) -> Problem:
        """Return the question with a symbol for the value of the property, solved over the reals where it is equal."""
        target = name(self.symbol) if isinstance(self.target, Fraction) else self.target
        return self._remembered(target)

    def _remembered(self, target: Tree | None) -> Problem:
        key = ("problem", self.of.name, self.unknown.name, self.relation, target)
        return self.definition.remembered(key, lambda: self._over(self.problem(target)))

    def _over(self, problem: Problem) -> Problem:
        return problem.over_the_reals if self.relation == "==" else problem

    def answer(self) -> Solution:
        """Return the solution, at the instance or on the class."""
        if self.relation == "==" and self.unknown.symbol not in {
            *symbols(expanded(self.definition, self.of.name)),
            *self._target_symbols(),
        }:
            return self._solution("independent", (), reason=f"{self.of.name} does not depend on {self.unknown.name}")
        return self._on_class() if self.scenario is None else self._on_instance(self.values(self.scenario))

    def _target_symbols(self) -> dict[Any, None]:
        return symbols(self.target) if isinstance(self.target, Tree) else {}

    # --- on a class --------------------------------------------------------------------------------------------------

    def _on_class(self, reason: str = "") -> Solution:
        # A bare number would be wrong beside symbols that carry units, so a target with a unit stays a symbol.
        stays = isinstance(self.target, Fraction) and bool(self.of.dimension) and self.target != 0
        if isinstance(self.target, Fraction) and not stays:
            problem = self._remembered(number(sympy.Rational(self.target.numerator, self.target.denominator)))
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
            }.get(verdict, f"no {self.unknown.name} gives {self.asked()}: {closed.reason}")
        return self._solution(
            verdict,
            branches,
            complete=closed.complete,
            reason=reason,
            where=self.asked() if stays else "",
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

    def values(self, scenario: Scenario, changes: Mapping[str, Any] | None = None) -> dict[Any, Fraction]:
        """Return the exact magnitudes of all inputs but the unknown, and of the constants."""
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
        whole = in_domain and counts
        outcome = replace(problem, domain=self.unknown.domain).numbers(values) if whole else problem.at(values)
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
        ends = [None if end is None else with_unit(end.middle, self.unknown) for end in (piece.lower, piece.upper)]
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
        outcome = problem.numbers(values) if isinstance(self.target, Fraction) else None
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

    def against(self, other: Question) -> Solution:
        """Return where this scenario and another one have the same value."""
        ours, theirs = self.with_numbers(self.unknown.symbol), other.with_numbers(self.unknown.symbol)
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

    def with_numbers(self, unknown: Any) -> Problem:
        """Return the question with the numbers of the instance put in, for another symbol of the unknown."""
        problem = self.problem(number(0))
        assert self.scenario is not None
        values = self.values(self.scenario)
        if missing := sorted(symbol.name for symbol in problem.symbols - values.keys()):
            refuse("inputs were left out that the property needs", self.definition.name, found=", ".join(missing))
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
        needs = _joined(list(found))
        said = f"{self.asked()}{meaning} can never be: no {self.unknown.name} gives it"
        needs = [one for one in needs if len(one) <= _LONGEST_NEED]
        told = [f"it needs {' or '.join(needs)}"] if needs else []
        return "; ".join([said, *told, *self._range(outcome)])

    def _range(self, outcome: Outcome) -> list[str]:
        """Return what is proved of the values that the property has, where the target lies beyond all of them."""
        reason = getattr(outcome.certified, "reason", None)
        if reason is None or reason.kind not in ("above_all_values", "below_all_values"):
            return []
        above = reason.kind == "above_all_values"
        end, attained = (reason.greatest, reason.greatest_attained) if above else (reason.least, reason.least_attained)
        if end is None:
            return []
        words = (
            ("its largest value is", "its values stay below")
            if above
            else ("its smallest value is", "its values stay above")
        )
        return [f"{words[0] if attained else words[1]} {self._shown(float(end))}"]

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

    def asked(self) -> str:
        """Return what is asked, as text: `breakeven_items = 50000`."""
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
            self.scenario_class, self.unknown.name, self.asked(), verdict, branches, complete,
            steps=steps, answer_at=self._answer_at, **more,
        )  # fmt: skip

    def _answer_at(self, changes: dict[str, Any]) -> Solution:
        if self.scenario is not None:
            return self._on_instance(self.values(self.scenario, changes), in_domain=True)
        known = self.read_all(changes)
        known.pop(self.unknown.symbol, None)
        return self._on_instance(known, in_domain=True)

    def read_all(self, changes: Mapping[str, Any]) -> dict[Any, Fraction]:
        """Return the exact magnitudes of the inputs that are given, and of the constants."""
        known = {part.symbol: part.magnitude for part in self.definition.constants.values()}
        given = {key: self._read(key, value) for key, value in changes.items()}
        return {
            **known,
            **{self.definition.inputs[key].symbol: one.exact for key, one in given.items() if one is not None},
        }


def _joined(needs: list[str]) -> list[str]:
    """Return alternatives with `x < 10` and `x == 10` (or `x <= 10`) said as one."""
    joined = []
    for need in needs:
        for strict, weak in ((" < ", " <= "), (" > ", " >= ")):
            other = {need.replace(strict, " == "), need.replace(strict, weak)} & set(needs) - {need}
            if strict in need and other:
                need = need.replace(strict, weak)
        joined.append(need)
    kept = dict.fromkeys(joined)
    return [one for one in kept if not ({one.replace(" == ", " <= "), one.replace(" == ", " >= ")} - {one}) & set(kept)]


def with_unit(magnitude: Fraction, part: DefinedInput) -> Any:
    """Return a magnitude in base units as a value of an input: a quantity, or a plain number."""
    if not unit_text(part.unit) and part.domain.integer and magnitude.denominator == 1:
        return int(magnitude)
    scale = exact_factor(part.unit) or Fraction(factor(part.unit))
    try:
        number = float(magnitude / scale)
    except OverflowError:
        size = abs(magnitude.numerator // magnitude.denominator).bit_length() - 1
        raise SolveError(
            "the solution is too large for a float",
            place=part.name,
            found=f"about 10^{size * 30_103 // 100_000}",
            names=(part.name,),
        ) from None
    return wrap(number, part.unit) if unit_text(part.unit) else number


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


def refuse(problem: str, place: str, **parts: Any) -> NoReturn:
    """Raise the error of a question that is not understood."""
    raise InputError(problem, place=place, **parts)
