"""Quantities of other pint registries, converted by the names of their units and checked for scale.

Registries disagree. pint counts a bit as a mere number and `rpm` in radians; a user's KB may have 1024 bytes. So each
unit is looked up here by its name, and taken only if its scale there and here is the same. A name that is unknown here
is replaced by that registry's own root units. The other registry is only read: not even its caches change.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ..errors import InputError
from .expansion import Expansion, add_power, expansion, pint_power, simple
from .factors import dimension, factor
from .grammar import Powers
from .numerals import quoted, shortest
from .registry import Quantity, Unit, registry

__all__ = ["adopt", "is_quantity"]

#: Other registries hold scales as floats, 1/12 among them.
_TOLERANCE = 1e-12

#: Dimensions that other registries do not have: a byte, a flop or a dollar may be a mere number there.
_OURS_ALONE = frozenset({"information", "operation", "currency"})


def is_quantity(value: Any) -> bool:
    """True for a quantity of any pint registry: it has a magnitude, units, and a registry."""
    return hasattr(value, "magnitude") and hasattr(value, "_units") and hasattr(value, "_REGISTRY")


def adopt(quantity: Any) -> tuple[Fraction, Unit]:
    """The number and the unit, in this package's registry, of a quantity of any pint registry.

    Args:
        quantity: One value (a scalar magnitude) with units.

    Raises:
        InputError: No quantity, an array, an offset or logarithmic unit, a unit that is unknown here and has roots that
            are too, or a unit whose scale differs between the registries.
    """
    if not is_quantity(quantity):
        raise InputError("a quantity is expected", found=f"{quoted(str(quantity))} ({type(quantity).__name__})")
    number = shortest(_scalar(quantity.magnitude))
    if isinstance(quantity, Quantity):
        return number, Unit(quantity._units)
    scale, powers = _translated(quantity)
    return shortest(number * scale), Unit(registry._container(powers))


def _scalar(magnitude: Any) -> Any:
    if getattr(magnitude, "shape", ()) == ():
        return magnitude
    raise InputError("one value is expected", found=f"an array of shape {magnitude.shape}")


def _translated(quantity: Any) -> tuple[Fraction, Powers]:
    """The powers of our units for a foreign quantity, and what the units unknown here were worth in them."""
    scale, powers = Fraction(1), dict[str, Fraction]()
    for name, power in quantity._units.items():
        expanded = _foreign_expansion(name, quantity._REGISTRY)
        if name in registry._spellings:
            _check(name, expanded)
            add_power(powers, registry._spellings[name], simple(power))
            continue
        scale *= _scale(name, expanded, simple(power))
        for root, root_power in expanded.roots.items():
            add_power(powers, _our_root(name, root), root_power * simple(power))
    return scale, {name: pint_power(power) for name, power in powers.items()}


def _foreign_expansion(name: str, foreign: Any) -> Expansion:
    try:
        return expansion({name: 1}, foreign._units, foreign._prefixes)
    except KeyError as error:
        raise InputError("the quantity's own registry does not define its unit", found=quoted(name)) from error


def _check(name: str, expanded: Expansion) -> None:
    """Refuse a unit that means something else here than there."""
    ours = Unit(registry._container({registry._spellings[name]: 1}))
    # A foreign root that is unknown here has to be a dimension that we cannot compare.
    roots = {registry._spellings[root]: power for root, power in expanded.roots.items() if root in registry._spellings}
    theirs = Unit(registry._container({root: float(power) for root, power in roots.items()}))
    there, here = float(expanded.approximate()) * factor(theirs), factor(ours)
    if not math.isclose(there, here, rel_tol=_TOLERANCE):
        found = f"{name} is {there:.12g} base units in the quantity's registry, {here:.12g} here"
        hint = "Convert the quantity to a unit on which both agree, such as a base unit, first."
        raise InputError("a unit differs between the registries", found=found, hint=hint)
    if _comparable(ours) != _comparable(theirs) or len(roots) < len(expanded.roots):
        hint = "Convert the quantity to other units first."
        raise InputError("a unit has another dimension in the quantity's registry", found=quoted(name), hint=hint)


def _comparable(unit: Unit) -> dict[str, Fraction]:
    return {name: power for name, power in dimension(unit) if name not in _OURS_ALONE}


def _scale(name: str, expanded: Expansion, power: Fraction) -> Fraction:
    """What a unit is worth in its root units, to a power.

    A float such as 1/36 in the other registry's definitions leaves a trace in the last digit: a foot of 0.3048 m
    becomes 0.30479999999999996. A decimal of 13 digits that is as near as that is what was meant.
    """
    try:
        value = expanded.approximate()
        plain = Fraction(f"{value:.12e}")
        nearest = Fraction(repr(float(value)))
        meant = plain if abs(plain - nearest) <= nearest / 10**15 else nearest
        return meant ** int(power) if power.denominator == 1 else Fraction(repr(float(meant) ** float(power)))
    except (OverflowError, ValueError, ZeroDivisionError):
        raise InputError("the unit's factor is beyond float64", found=quoted(name)) from None


def _our_root(name: str, root: str) -> str:
    try:
        return registry._spellings[root]
    except KeyError:
        found = quoted(name) if name == root else f"{quoted(name)}, in its registry a multiple of {quoted(root)}"
        raise InputError("the unit is unknown here", found=found) from None
