"""The errors of this package: each says where, what was found, what was expected and what to write instead.

They pickle (a worker process can raise them), and every part of the sentence is a field too. Each derives from the
built-in exception that a caller would expect for that kind of mistake.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "DefinitionError",
    "DimensionError",
    "DomainError",
    "FrozenScenarioError",
    "InputError",
    "ScenarioError",
    "SolveError",
    "VerificationError",
]


class ScenarioError(Exception):
    """Base of all errors of this package.

    Attributes:
        problem: What is wrong, as a clause.
        place: Where: a class, `Class.attribute`, a file, or a piece of text; may be empty.
        found: What stands there; may be empty.
        expected: What should stand there; may be empty.
        hint: What to write instead, as a sentence; may be empty.
        names: The attributes that the error is about (missing inputs, say).
    """

    def __init__(
        self,
        problem: str,
        *,
        place: str = "",
        found: str = "",
        expected: str = "",
        hint: str = "",
        names: tuple[str, ...] = (),
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place
        self.found = found
        self.expected = expected
        self.hint = hint
        self.names = names

    @property
    def message(self) -> str:
        """The error without its hint: place, problem, found, expected."""
        place = f"{self.place}: " if self.place else ""
        facts = [f"{word} {fact}" for word, fact in (("found", self.found), ("expected", self.expected)) if fact]
        return place + self.problem + (": " + ", ".join(facts) if facts else "")

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, self.__dict__)


def _restore(cls: type[ScenarioError], args: tuple[Any, ...], fields: dict[str, Any]) -> ScenarioError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(fields)
    return error


class DefinitionError(ScenarioError, TypeError):
    """A scenario class is declared wrongly: its own text has to change."""


class DimensionError(DefinitionError):
    """The dimensions of an expression do not fit together, or not the declared unit."""


class InputError(ScenarioError, ValueError):
    """A value given is unknown, missing, unreadable, of the wrong dimension or outside its domain."""


class DomainError(ScenarioError, ValueError):
    """A property has no value at these inputs: a condition fails or the result is not a finite number.

    Attributes:
        condition: The condition that fails, as text; empty when there is none to name.
        meaning: What it means that the condition fails, in the words of the scenario's author; may be empty.
    """

    def __init__(self, problem: str, *, condition: str = "", meaning: str = "", **parts: Any) -> None:
        super().__init__(problem, **parts)
        self.condition = condition
        self.meaning = meaning


class FrozenScenarioError(ScenarioError, AttributeError):
    """A scenario's inputs were to be changed or deleted; `variant` makes a changed copy."""


class SolveError(ScenarioError, ValueError):
    """A question has no unique answer, or could not be asked as it was."""


class VerificationError(ScenarioError, AssertionError):
    """Numeric code does not compute what the definition says."""
