"""What a unit is worth in base units: exactly, as a float, and its dimension.

With an exact factor 0.57 minute is 171/5 s; in floats it is 34.199999999999996 s.
"""

from __future__ import annotations

import decimal
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ..errors import InputError
from .expansion import PRECISION, Expansion, add_power, as_decimal, expansion, pint_power, simple
from .registry import Unit, registry

__all__ = ["Dimension", "base_unit", "dimension", "exact_factor", "factor", "to_base"]

#: Base dimensions with their powers, sorted by name: (("information", 1), ("time", -1)).
Dimension = tuple[tuple[str, Fraction], ...]

_IRRATIONAL = frozenset({"degree"})
#: pi/180 to 60 digits: enough to round a product of its powers to the nearest float.
_DEGREE = Decimal("0.0174532925199432957692369076848861271344287188854172545609719144017")


@lru_cache(maxsize=4096)
def _expanded(unit: Unit) -> Expansion:
    return expansion(unit._units, registry._units, registry._prefixes)


@lru_cache(maxsize=4096)
def exact_factor(unit: Unit) -> Fraction | None:
    """How many base units one of `unit` is, exactly; None where that is irrational, as for a degree."""
    return None if _IRRATIONAL.intersection(unit._units) else _expanded(unit).exact()


@lru_cache(maxsize=4096)
def factor(unit: Unit) -> float:
    """How many base units one of `unit` is, as the nearest float.

    Raises:
        InputError: The factor is beyond float64.
    """
    exact = exact_factor(unit)
    try:
        value = float(_approximate(unit) if exact is None else exact)
    except OverflowError:
        value = float("inf")
    if value in (0.0, float("inf")):
        raise InputError("the unit's factor is beyond float64", found=str(unit))
    return value


def _approximate(unit: Unit) -> Decimal:
    """The factor to 60 digits; a degree enters as pi/180 and not as the float that stands in the definitions."""
    degrees = simple(unit._units.get("degree", 0))
    with decimal.localcontext(prec=PRECISION):
        return _expanded(unit / registry.degree**degrees).approximate() * _DEGREE ** as_decimal(degrees)


@lru_cache(maxsize=4096)
def dimension(unit: Unit) -> Dimension:
    """The dimension of a unit, such as (("information", 1), ("time", -1)) for B/s; empty where it has none."""
    powers: dict[str, Fraction] = {}
    for name, power in _expanded(unit).roots.items():
        for bracketed, own in (registry._units[name].reference or {}).items():
            add_power(powers, bracketed.strip("[]"), power * simple(own))
    return tuple(sorted(powers.items()))


@lru_cache(maxsize=4096)
def base_unit(dimension: Dimension) -> Unit:
    """The product of base units that has a dimension, such as bit/s.

    Raises:
        KeyError: A name that is no base dimension here.
    """
    names = _base_names()
    return Unit(registry._container({names[name]: pint_power(power) for name, power in dimension}))


@lru_cache(maxsize=1)
def _base_names() -> dict[str, str]:
    """Base dimensions with the names of their base units."""
    definitions = (registry._units[name] for name in registry._base_units)
    return {key.strip("[]"): definition.name for definition in definitions for key in definition.reference or ()}


def to_base(number: Fraction, unit: Unit) -> Fraction | None:
    """An exact number of units in base units, exactly; None where the unit's factor is irrational."""
    scale = exact_factor(unit)
    return None if scale is None else number * scale
