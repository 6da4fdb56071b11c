"""Python source that computes values with bounds on their errors, written line by line.

Errors are counted in units of the rounding unit 2**-53. As long as nothing cancels they are known relative to the
value before there are numbers (a product of two inputs is off by at most five units); after a subtraction they are
computed along.

The source text holds names and numbers made here and nothing else: no text of a user gets into it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Code = Callable[[list[Any], list[Any]], Any]
"""A function of the values of a scenario and of the bounds on their errors, in the order of its definition."""

SAFE_RANGE = "1e-290 < abs({}) < 1e290"
"""Within it float64 keeps its relative error, also in a product of what is left and right of it."""


class DoubtError(ArithmeticError):
    """Float64 can't tell here; the precise way has to."""


@dataclass(frozen=True)
class Known:
    """What is known of a value before it is computed.

    Attributes:
        relative: The bound on its relative error, or `None` where the bound is computed along.
        is_integer: Whether it is a whole number, kept as an `int`: exact, until it meets a float.
        sign: 1 if it is never negative, -1 if it is never positive, 0 if that is not known.
    """

    relative: int | None
    is_integer: bool
    sign: int


@dataclass(frozen=True)
class Node:
    """A value in the code: the name of its variable, what is known of it, the variable of its absolute error."""

    code: str
    known: Known
    error: str = ""

    @property
    def bound(self) -> str:
        """Code of the absolute error."""
        if self.known.relative is None:
            return self.error
        return "0.0" if self.known.relative == 0 else f"{self.known.relative} * abs({self.code})"


class Writer:
    """Collects the lines of one function `code(v, e)` of the values and their errors."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.indent = 1
        self.count = 0

    def finished(self) -> Code:
        """Return the function that the lines make."""
        source = "def code(v, e):\n" + "\n".join(self.lines)
        space = dict(_NAMES)
        exec(compile(source, "<compiled scenario>", "exec"), space)
        return space["code"]  # type: ignore[no-any-return]

    def line(self, code: str) -> None:
        """Write one line."""
        self.lines.append("    " * self.indent + code)

    def fresh(self) -> str:
        """Return the name of a new variable."""
        self.count += 1
        return f"t{self.count}"

    def new(self, code: str) -> str:
        """Put the value of an expression into a new variable and return its name."""
        variable = self.fresh()
        self.line(f"{variable} = {code}")
        return variable

    def made(self, code: str, sign: int, *, relative: int | None, error: str = "", is_integer: bool = False) -> Node:
        """Put a value into a variable, and its error too where that is computed along."""
        variable = self.new(code)
        known = Known(relative, is_integer, sign)
        if known.relative is None:
            return Node(variable, known, self.new(error.replace("{y}", variable)))
        return Node(variable, known)

    def in_range(self, node: Node) -> Node:
        """Refuse a part that has left the range in which float64 keeps its relative error."""
        if not node.known.is_integer:
            self.line(f"if not {SAFE_RANGE.format(node.code)}: raise DoubtError")
        return node


def _positive(x: float) -> float:
    if not x > 0:
        raise DoubtError
    return x


LONGEST_WHOLE = 4_000
"""Digits of the longest whole number that is a value: Python prints no more than 4300."""
_LARGEST_WHOLE = 10**LONGEST_WHOLE


def _whole(x: int) -> int:
    if not -_LARGEST_WHOLE < x < _LARGEST_WHOLE:
        raise DoubtError
    return x


_NAMES: dict[str, Any] = {
    "DoubtError": DoubtError,
    "whole": _whole,
    "positive": _positive,
    **{name: getattr(math, name) for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1",
        "floor",
        "fsum", "gamma", "lgamma", "log", "log1p", "sin", "sinh", "sqrt", "tan", "tanh",
    )},
}  # fmt: skip
