"""Quantities from what a user gives: text, numbers, quantities of this registry or another."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..errors import InputError
from .factors import dimension
from .foreign import adopt, is_quantity
from .grammar import read_quantity, read_unit
from .numerals import quoted, shortest
from .registry import Quantity, Unit, magnitude_of, registry
from .wrapping import wrap

__all__ = ["Q_", "parse_quantity", "parse_unit"]


def parse_quantity(text: str) -> tuple[Fraction, Unit]:
    """The number, exactly as written, and the unit of a text such as `3.35 TB/s`.

    Raises:
        InputError: The text has no right reading; the error says what to write.
    """
    number, powers = read_quantity(text, registry._spellings)
    return number, Unit(registry._container(powers))


def parse_unit(text: str) -> Unit:
    """The unit of a text such as `TB/s`; empty text is dimensionless.

    Raises:
        InputError: The text has no right reading, or carries a number.
    """
    return Unit(registry._container(read_unit(text, registry._spellings)))


def Q_(value: Any, unit: Unit | str | None = None) -> Quantity:  # noqa: N802 - pint's customary name
    """A quantity of this package from text, from a number and a unit, or from a quantity of any pint registry.

    Args:
        value: Such as "3.35 TB/s", 30, or a quantity.
        unit: The unit of a number; a text or quantity is converted to it.

    Raises:
        InputError: Unreadable text, a value that is no finite number, or a unit of another dimension.
    """
    wanted = parse_unit(unit) if isinstance(unit, str) else unit
    if isinstance(value, str) or is_quantity(value):
        return _converted(value, wanted)
    number = shortest(value)
    keeps_type = isinstance(value, int) or type(value) is float
    return wrap(value if keeps_type else magnitude_of(number), registry.Unit("") if wanted is None else wanted)


def _converted(value: Any, wanted: Unit | None) -> Quantity:
    number, own = parse_quantity(value) if isinstance(value, str) else adopt(value)
    quantity = wrap(magnitude_of(number), own)
    if wanted is None or wanted == own:
        return quantity
    if dimension(own) != dimension(wanted):
        expected = f"a unit like {wanted}"
        raise InputError("the unit has another dimension", found=quoted(str(value)), expected=expected)
    converted: Quantity = quantity.to(wanted)
    return converted
