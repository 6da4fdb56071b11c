"""The values that an input is given: quantities of any registry, text with a unit, plain numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

from ._declarations import MISSING
from ._definition import DefinedInput
from ._units import (
    Quantity,
    Unit,
    adopt,
    exact_factor,
    factor,
    is_quantity,
    parse_quantity,
    parse_unit,
    quantity_text,
    shortest,
    unit_text,
)
from ._units import dimension as dimension_of
from .errors import InputError

_PLAIN = parse_unit("")
_LARGEST_QUICK = 10**15


class Given(NamedTuple):
    """A value as it was given: its number and unit, and its magnitude in base units as a float (or an int)."""

    number: int | float | Fraction
    unit: Unit
    magnitude: float | int

    @property
    def exact(self) -> Fraction:
        """The exact magnitude in base units: the shortest decimal as given, times the unit's exact factor."""
        scale = exact_factor(self.unit)
        return Fraction(self.magnitude) if scale is None else shortest(self.number) * scale

    @property
    def text(self) -> str:
        """The value as text that reads back to the same value."""
        return quantity_text(self.number, self.unit)


class InputReader:
    """Reads what one input of one class is given.

    Args:
        part: The input.
        place: `Class.input`, for messages.
    """

    def __init__(self, part: DefinedInput, place: str) -> None:
        self.part = part
        self.name = part.name
        self.place = place
        domain = part.domain
        self.low = float("-inf") if domain.lower is None else float(domain.lower)
        self.high = float("inf") if domain.upper is None else float(domain.upper)
        # The units that this input was given before, with their factors: finding them again is most of the work.
        self.known_units: dict[Any, tuple[Unit, float]] = {}
        self.is_plain = part.unit == _PLAIN
        self.default = MISSING if part.default is MISSING else self.read(part.default)

    def read(self, value: Any) -> Given | None:
        """Return the value in base units.

        Raises:
            InputError: It is unreadable, of another dimension, not finite, or outside the domain.
        """
        if value is None:
            if self.part.default is not None:
                self._refuse("the value is missing", found="None", expected=self._expected())
            return None
        given = value if value.__class__ is Given else self._quickly(value) or self._given(value)
        # Only next to an end of the domain does the difference between a float and the exact value matter.
        magnitude = given.magnitude
        if self.part.domain.integer:
            return self._integer(given)
        margin = 1e-12 * abs(magnitude)
        if not self.low + margin < magnitude < self.high - margin:
            self._check_domain(given)
        return given

    def _quickly(self, value: Any) -> Given | None:
        """Return what the usual values give: a float or an int, plain or in one of our units; else `None`."""
        if value.__class__ is Quantity:
            number = value._magnitude
            known = self.known_units.get(value._units)
            if known is not None and _is_quick(number):
                return Given(number, known[0], float(number * known[1]))
        elif self.is_plain and _is_quick(value):
            return Given(value, _PLAIN, value if self.part.domain.integer else float(value))
        return None

    def _given(self, value: Any) -> Given:
        number, unit = self._number_and_unit(value)
        if dimension_of(unit) != self.part.dimension:
            self._refuse(
                "the value has another dimension", found=quantity_text(number, unit), expected=self._expected()
            )
        scale = factor(unit)
        if value.__class__ is Quantity:
            self.known_units[value._units] = (unit, scale)
        try:
            return Given(number, unit, float(number * scale))
        except OverflowError:
            self._refuse("the value is too large for a float", found=quantity_text(number, unit))

    def _number_and_unit(self, value: Any) -> tuple[int | float | Fraction, Unit]:
        try:
            if isinstance(value, str):
                number, unit = parse_quantity(value)
            elif is_quantity(value):
                number, unit = adopt(value)
            else:
                number, unit = shortest(value), _PLAIN
        except InputError as error:
            self._refuse(
                error.problem,
                found=error.found or repr(value)[:60],
                expected=error.expected or self._expected(),
                hint=error.hint,
            )
        if unit == _PLAIN and self.part.unit != _PLAIN:
            self._refuse(
                "the value has no unit", found=_number(number), expected=self._expected(), hint=self._example(number)
            )
        return _plain(number), unit

    def _integer(self, given: Given) -> Given:
        if given.magnitude.__class__ is int and self.low < given.magnitude < self.high:
            return given
        self._check_domain(given)
        whole = int(given.exact)
        return Given(whole, _PLAIN, whole)

    def _check_domain(self, given: Given) -> None:
        if not math.isfinite(given.magnitude):
            self._refuse("a finite number is expected", found=str(given.number), expected=self._expected())
        if not self.part.domain.contains(given.exact):
            self._refuse(
                "the value is outside the domain",
                found=quantity_text(given.number, given.unit),
                expected=self.domain_text(),
            )

    def domain_text(self) -> str:
        """Return the domain in the declared unit, as text."""
        scale = exact_factor(self.part.unit) or Fraction(factor(self.part.unit))
        return self.part.domain.text(
            self.name, lambda end: quantity_text(_plain(end / scale), self.part.unit) if end else "0"
        )

    def _expected(self) -> str:
        unit = unit_text(self.part.unit)
        return (
            f"a value in {unit} or a unit that converts to it"
            if unit
            else "a whole number"
            if self.part.domain.integer
            else "a plain number"
        )

    def _example(self, number: Any) -> str:
        unit = self.part.unit
        if not unit_text(unit):
            return f"Write {self.name}={_number(number)}."
        if not self.part.dimension:  # 0.1 may mean 10 % or 0.1 %
            return f'Say in which unit: {self.name}="10 %" is 0.1.'
        return f'Write {self.name}="{quantity_text(number, unit)}".'

    def _refuse(self, problem: str, **parts: Any) -> NoReturn:
        raise InputError(problem, place=self.place, names=(self.name,), **parts)


def _is_quick(number: Any) -> bool:
    return number.__class__ is float or (number.__class__ is int and -_LARGEST_QUICK < number < _LARGEST_QUICK)


def _plain(number: Fraction | int | float) -> int | float | Fraction:
    """Return a number as a float or an int where that says the same: its shortest decimal is the number."""
    if isinstance(number, Fraction):
        if number.denominator == 1:
            return int(number)
        try:
            as_float = float(number)
        except OverflowError:
            return number
        return as_float if Fraction(repr(as_float)) == number else number
    return number


def _number(number: Any) -> str:
    return str(Decimal(number.numerator) / Decimal(number.denominator)) if isinstance(number, Fraction) else str(number)
