"""A unit in root units, read exactly from the definitions of any pint registry, which stays as it is.

Each scale is the decimal that stands in the definitions. pint multiplies floats instead, where 3.35 TB/s becomes
3350.0000000000005 GB/s.
"""

from __future__ import annotations

import decimal
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from .._rationals import exact_power
from ..errors import InputError
from .numerals import shortest

__all__ = ["PRECISION", "Expansion", "add_power", "as_decimal", "expansion", "pint_power", "simple"]

#: Digits of a product that is irrational: enough to round it to the nearest float.
PRECISION = 60
_DEPTH_LIMIT = 64


class Expansion(NamedTuple):
    """A unit in root units: scales with the power that each enters with, and the roots with theirs."""

    scales: dict[Fraction, Fraction]
    roots: dict[str, Fraction]

    def exact(self) -> Fraction | None:
        """The product of the scales; None where it is irrational, as the square root of 10 is."""
        result = Fraction(1)
        for scale, power in self.scales.items():
            term = exact_power(scale, power)
            if term is None:
                return None
            result *= term
        return result

    def approximate(self) -> Decimal:
        """The product of the scales to 60 digits."""
        with decimal.localcontext(prec=PRECISION):
            result = Decimal(1)
            for scale, power in self.scales.items():
                result *= as_decimal(scale) ** as_decimal(power)
            return result


def expansion(powers: Mapping[str, Any], definitions: Mapping[str, Any], prefixes: Mapping[str, Any]) -> Expansion:
    """Units in root units, read from the definitions of a pint registry, ours or another, which stays as it is.

    Raises:
        KeyError: A name that is not defined there.
        InputError: A unit with an offset or a logarithmic one.
    """
    result = Expansion({}, {})
    _expand(powers, Fraction(1), result, (definitions, prefixes), _DEPTH_LIMIT)
    return result


_Tables = tuple[Mapping[str, Any], Mapping[str, Any]]


def _expand(powers: Mapping[str, Any], outer: Fraction, result: Expansion, tables: _Tables, depth: int) -> None:
    if not depth:
        raise InputError("the definitions of that registry go in circles", found=", ".join(powers))
    for name, power in powers.items():
        total = outer * simple(power)
        definition, prefix = _lookup(name, *tables)
        if prefix is not None:
            add_power(result.scales, shortest(prefix), total)
        if not definition.is_multiplicative:
            hint = "Convert it to a unit that is proportional first, such as kelvin, or give the ratio itself."
            raise InputError("a unit with an offset or a logarithmic one is not read", found=name, hint=hint)
        if definition.is_base:
            add_power(result.roots, definition.name, total)
            continue
        add_power(result.scales, shortest(definition.converter.scale), total)
        _expand(definition.reference or {}, total, result, tables, depth - 1)


def _lookup(name: str, definitions: Mapping[str, Any], prefixes: Mapping[str, Any]) -> tuple[Any, Any]:
    """The definition of a unit, and the scale of a prefix that had to be split off (pint makes those when met)."""
    for spelling in (name, name.removesuffix("s")):
        if spelling in definitions:
            return definitions[spelling], None
        for length in range(len(spelling) - 1, 0, -1):
            prefix, unit = spelling[:length], spelling[length:]
            if prefix in prefixes and unit in definitions:
                return definitions[unit], prefixes[prefix].value
    raise KeyError(name)


def simple(power: Any) -> Fraction:
    """A power as the simple fraction it stands for: 0.3333333333333333 is 1/3."""
    exact = Fraction(power)
    near = exact.limit_denominator(999)
    return near if float(near) == float(exact) else exact


def add_power(powers: dict[Any, Fraction], key: Any, power: Fraction) -> None:
    """Multiply a product, given by its powers, by one more factor; a power of zero is left out."""
    total = powers.pop(key, Fraction(0)) + power
    if total:
        powers[key] = total


def as_decimal(value: Fraction) -> Decimal:
    """A fraction to the digits of the decimal context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def pint_power(power: Fraction) -> int | float:
    """A power as pint keeps it: whole ones as int."""
    return int(power) if power.denominator == 1 else float(power)
