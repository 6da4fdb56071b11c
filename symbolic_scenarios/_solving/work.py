"""What all steps of one solution share: the unknown, what is known of signs, the account of the steps taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .oracle import Oracle

MOST_STEPS = 400
"""So many equations and comparisons may one question lead to."""


class NoMethodError(Exception):
    """None of the methods here solves it."""


@dataclass(frozen=True)
class Step:
    """One step of a solution: what is now to be solved, and by what it was reached.

    Attributes:
        left: The expression with the unknown.
        low: The lower end of what it is to lie in; equal to `high` where this is an equation.
        high: The upper end.
        reason: What was done, as text.
    """

    left: Any
    low: Any
    high: Any
    reason: str


@dataclass
class Work:
    """One solution under way."""

    unknown: Any
    oracle: Oracle
    steps: list[Step] = field(default_factory=list)
    taken: int = 0

    def step(self, left: Any, low: Any, high: Any, reason: str) -> None:
        """Take down a step, unless it repeats the last one.

        Raises:
            NoMethodError: The solution takes too many steps.
        """
        self.taken += 1
        if self.taken > MOST_STEPS:
            raise NoMethodError
        step = Step(left, low, high, reason)
        if step not in self.steps:
            self.steps.append(step)
