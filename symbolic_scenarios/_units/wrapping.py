"""The fast constructor: a quantity from a number and a unit that are known to fit.

pint's own constructor looks at every kind of argument (several microseconds). A scenario that returns a value knows
both parts, so the two attributes that pint sets are set here directly. Whether they still are those two is tested when
this module is imported; where they are not, pint's constructor is used.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from .registry import Quantity, Unit, registry

__all__ = ["constructor", "fast_quantity", "slow_quantity", "wrap"]

_new = object.__new__


def fast_quantity(magnitude: Any, unit: Unit) -> Quantity:
    """A quantity by setting its two attributes; nothing is checked."""
    quantity: Quantity = _new(Quantity)
    quantity._magnitude = magnitude
    quantity._units = unit._units
    return quantity


def slow_quantity(magnitude: Any, unit: Unit) -> Quantity:
    """A quantity by pint's constructor."""
    return Quantity(magnitude, unit)


def constructor(
    fast: Callable[[Any, Unit], Quantity], slow: Callable[[Any, Unit], Quantity]
) -> Callable[[Any, Unit], Quantity]:
    """`fast` where it makes the same quantity as `slow` does, else `slow`."""
    unit = registry.Unit("TB/s")
    try:
        made, right = fast(3.35, unit), slow(3.35, unit)
        is_same = (
            type(made) is type(right)
            and made.__dict__ == right.__dict__
            and pickle.dumps(made) == pickle.dumps(right)
            and made == right
        )
    except Exception:  # whatever a changed pint does with a quantity made by hand, its own constructor is the answer
        is_same = False
    return fast if is_same else slow


#: A quantity from a number and a unit; nothing is checked.
wrap = constructor(fast_quantity, slow_quantity)
