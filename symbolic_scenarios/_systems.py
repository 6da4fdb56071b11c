"""A question to a scenario for several inputs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from ._bridge import from_sympy
from ._problem import as_exact
from ._question import Asked, Question, with_unit
from ._scenario import Scenario, definition
from ._solution import Branch, Solution
from ._solving.systems import Joint, JointlyClosed, solve_system
from ._tree import Tree, number
from .errors import SolveError


class System:
    """A question for several inputs: the values at which several properties take given values."""

    def __init__(self, x: Asked, unknowns: Sequence[Any], targets: Mapping[str, Any]) -> None:
        self.x = x
        self.definition = definition(x)
        if not targets or not unknowns:
            raise SolveError("a system needs unknowns and targets", place=self.definition.name)
        self.questions = [
            Question(x, unknowns[min(place, len(unknowns) - 1)], named, "==", wanted)
            for place, (named, wanted) in enumerate(targets.items())
        ]
        self.unknowns = [self.definition.find(one, (self.definition.inputs,), "input") for one in unknowns]
        self.targets = [self._tree(question) for question in self.questions]

    def _tree(self, question: Question) -> Tree:
        if isinstance(question.target, Fraction):
            return number(sympy.Rational(question.target.numerator, question.target.denominator))
        assert question.target is not None
        return question.target

    def answer(self) -> Solution:
        """Return the solution, at the instance or on the class."""
        problems = [question.problem(target) for question, target in zip(self.questions, self.targets, strict=True)]
        symbols_of_unknowns = [part.symbol for part in self.unknowns]
        domains = {**problems[0].domains, **{part.symbol: part.domain for part in self.definition.inputs.values()}}
        validity = list(dict.fromkeys(condition for problem in problems for condition in problem.validity))
        found = solve_system([one.tree for one in problems], self.targets, symbols_of_unknowns, domains, validity)
        if found.verdict == "underdetermined":
            raise SolveError(found.reason, place=self.definition.name, names=tuple(part.name for part in self.unknowns))
        return self._solution(found, self._values(None) if isinstance(self.x, Scenario) else None)

    def _values(self, changes: Mapping[str, Any] | None) -> dict[Any, Fraction]:
        assert isinstance(self.x, Scenario)
        known = self.questions[0].values(self.x, changes)
        return {symbol: one for symbol, one in known.items() if symbol not in [part.symbol for part in self.unknowns]}

    def _solution(self, found: JointlyClosed, values: Mapping[Any, Fraction] | None) -> Solution:
        branches = [branch for joint in found.pieces if (branch := self._branch(joint, values)) is not None]
        verdict = found.verdict if branches or found.verdict == "unsolved" else "none"
        if values is not None and branches:
            verdict = "unique" if len(branches) == 1 else "several"
        reason = "" if branches else found.reason or "nothing in the domains of the unknowns solves it"
        names = ", ".join(part.name for part in self.unknowns)
        asked = ", ".join(question.asked() for question in self.questions)
        owner = type(self.x) if isinstance(self.x, Scenario) else self.x

        def at(changes: dict[str, Any]) -> Solution:
            if isinstance(self.x, Scenario):
                return self._solution(found, self._values(changes))
            return self._solution(found, self.questions[0].read_all(changes))

        return Solution(
            owner, names, asked, verdict, tuple(branches), found.verdict != "unsolved", reason, answer_at=at
        )

    def _branch(self, joint: Joint, values: Mapping[Any, Fraction] | None) -> Branch | None:
        numbers = None if values is None else joint.at(values)
        if values is not None and numbers is None:
            return None
        parts = []
        for part in self.unknowns:
            value = None if numbers is None else with_unit(as_exact(numbers[part.symbol]), part)
            parts.append((part.name, from_sympy(joint.values[part.symbol]), value))
        conditions = tuple(from_sympy(one.relational()) for one in joint.conditions)
        return Branch(None, None, False, False, True, conditions, joint=tuple(parts))
