"""An equation with its numbers put in, such that whoever computes with the numbers shown gets the result shown."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from .._balls import UndefinedError, as_fraction
from .._definition import DefinedConstant, DefinedInput
from .._precise import settled, value_at
from .._scenario import Scenario
from .._text import text
from .._tree import Tree, symbols, walk
from .._units import Unit, shortest
from ..errors import ScenarioError
from .numbers import quantity_piece, rounded
from .parts import DIGITS, MOST_DIGITS, scale
from .pieces import Piece
from .targets import Readable


class OperandError(Exception):
    """An operand has no value that could be shown."""


class Operand:
    """A value in its declared unit; a whole number of things is never rounded."""

    def __init__(self, value: Fraction, unit: Unit, is_whole: bool) -> None:
        self.value = value
        self.unit = unit
        self.is_whole = is_whole

    def shown(self, digits: int) -> Decimal:
        """Return the value as it is shown with that many digits."""
        return Decimal(int(self.value)) if self.is_whole else rounded(self.value, digits)

    def magnitude(self, digits: int) -> Fraction:
        """Return the value shown in base units."""
        return Fraction(self.shown(digits)) * scale(self.unit)

    def piece(self, digits: int) -> Piece:
        """Return the value shown as a piece."""
        return quantity_piece(self.shown(digits), self.unit, written_out=self.is_whole)


class Worked:
    """The value of one property or inverse of a scenario, and the operands that give it.

    Attributes:
        tree: The expression with names; of a `Piecewise`, the case that applies.
        result: The value.
        digits: How many digits of the operands it takes, and how many of the result they give; `None` where no number
            of digits gives the result, or an operand has no value.

    Raises:
        InputError: An input that it needs was left out.
        DomainError: It has no value there.
    """

    def __init__(self, scenario: Scenario, name: str, readable: Readable) -> None:
        self.scenario = scenario
        self.name = name
        self.record = scenario._definition
        self.readable = readable
        self.result = self._operand(name)

    @cached_property
    def tree(self) -> Tree:
        """The expression with names; of a `Piecewise`, the case that applies."""
        try:
            return self._chosen(self.readable.tree)
        except (OperandError, ScenarioError, UndefinedError):
            return self.readable.tree

    @cached_property
    def operands(self) -> dict[Any, Operand]:
        """The value of each name of the expression.

        Raises:
            OperandError: One has none.
        """
        try:
            return {symbol: self._value_of(symbol) for symbol in symbols(self.tree)}
        except ScenarioError as error:
            raise OperandError from error

    @cached_property
    def digits(self) -> tuple[int, int] | None:
        """How many digits of the operands and of the result to show; `None` where no numbers of digits will do."""
        results = cache(self._result_of)
        try:
            for result_digits in (DIGITS,) if self.result.is_whole else range(DIGITS, 0, -1):
                for operand_digits in self._operand_digits():
                    value = results(operand_digits)
                    if value is not None and self._agrees(value, result_digits):
                        return operand_digits, result_digits
        except OperandError:
            return None
        return None

    def _agrees(self, value: Fraction, digits: int) -> bool:
        if self.result.is_whole:
            return value == self.result.value
        return rounded(value, digits) == rounded(self.result.value, digits)

    def _operand_digits(self) -> Iterable[int]:
        # Adding up a long sum a dozen times would take too long.
        has_sum = any(part.head == "sum" for part in walk(self.tree))
        return (DIGITS, 2 * DIGITS, MOST_DIGITS) if has_sum else range(DIGITS, MOST_DIGITS + 1)

    def _result_of(self, digits: int) -> Fraction | None:
        """Return what the operands with that many digits give, in the result's unit; `None` where that is nothing."""
        magnitudes = {symbol: operand.magnitude(digits) for symbol, operand in self.operands.items()}
        try:
            value = value_at(self.tree, magnitudes)
        except UndefinedError:
            return None
        return as_fraction(value) / scale(self.result.unit)

    # --- values ------------------------------------------------------------------------------------------------------

    def _value_of(self, symbol: Any) -> Operand:
        target = self.readable.target
        if target is None or symbol != target.symbol:
            return self._operand(symbol.name)
        return Operand(target.value, target.unit, False)

    def _operand(self, name: str) -> Operand:
        part = self.record.part(name)
        value = self.scenario._value(name)
        if value is None:
            raise OperandError
        if isinstance(part, DefinedConstant):
            return Operand(part.value, part.unit, False)
        if isinstance(part, DefinedInput):
            return Operand(self.scenario._exact(name) / scale(part.unit), part.unit, part.domain.integer)
        return Operand(shortest(getattr(value, "magnitude", value)), part.unit, isinstance(value, int))

    def _chosen(self, tree: Tree) -> Tree:
        """Return the tree with each `piecewise` replaced by the case that applies here."""
        if tree.head == "piecewise":
            return next((self._chosen(value) for value, condition in tree.pieces if self._holds(condition)), tree)
        if tree.head == "sum" or not tree.args:  # which case applies may differ from term to term
            return tree
        return Tree(tree.head, tuple(self._chosen(arg) for arg in tree.args), tree.leaf)

    def _holds(self, condition: Tree) -> bool:
        if condition.head == "true":
            return True
        found, target = None, self.readable.target
        if target is None or target.symbol not in symbols(condition):
            place = f"{self.name} where {text(condition)}"
            with suppress(ScenarioError):
                found = self.scenario._evaluator.holds(self.scenario._point, condition, place)
        if found is None:  # a part of it has no value; one that comes before may decide all the same
            magnitudes = lambda symbol: self._value_of(symbol).magnitude(MOST_DIGITS)  # noqa: E731
            found = bool(settled(lambda precise: precise.value(condition), magnitudes, condition))
        return found
