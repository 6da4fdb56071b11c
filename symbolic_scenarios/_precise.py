"""The value of an expression, exactly where it is rational, else enclosed in a ball as small as it takes.

The inputs are exact fractions, so a ceiling of a quotient, a comparison or a difference of near values is decided, not
rounded. Where a function leaves the rationals, the value is a ball, and what it leaves open is asked again with more
bits. What stays open at the most bits counts as equal: `log(8)/log(2)` is 3.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ._balls import OpenError, Precise, UndefinedError, Value, as_fraction
from ._tree import Tree

BITS = (128, 256, 512, 1024, 2048, 4096)
_NOISE = (arb(2) ** (-BITS[-1] * 5 // 4), arb(2) ** (-BITS[-1] // 2))
"""What is left of a difference of equal values at the most bits lies between these; a true value hardly ever does."""
_ENOUGH_BITS = 66
"""Bits of a value that is good: twelve more than a float has."""

lock = threading.RLock()
"""To be held while balls are computed with: their number of bits is one setting of the whole process."""


def settled(evaluate: Callable[[Precise], Value], names: Callable[[Any], Value], tree: Tree) -> Value:
    """Return the value of `evaluate` at the first number of bits that decides everything.

    Args:
        evaluate: Gives a value by a `Precise`.
        names: The values of names, for the `Precise`.
        tree: What is evaluated, for messages.

    Raises:
        UndefinedError: It has no real value, or one that the most bits do not tell.
    """
    for bits in BITS:
        with lock, ctx.workprec(bits):
            try:
                value = evaluate(Precise(names, is_last=bits == BITS[-1]))
            except OpenError as open_error:
                if bits == BITS[-1]:
                    raise UndefinedError("it has no value that could be told", open_error.tree) from None
                continue
            if not isinstance(value, arb) or value.rel_accuracy_bits() >= _ENOUGH_BITS:
                return value
            if bits == BITS[-1] and value.contains(0) and _NOISE[0] < abs(value).upper() < _NOISE[1]:
                return Fraction(0)
    raise UndefinedError(f"its value does not settle within {BITS[-1]} bits", tree)


def value_at(tree: Tree, magnitudes: Mapping[Any, Fraction]) -> Value:
    """Return the value of a tree where each symbol has an exact magnitude.

    Raises:
        UndefinedError: It has no real value there.
    """
    return settled(lambda precise: precise.value(tree), magnitudes.__getitem__, tree)


def holds_at(condition: Tree, magnitudes: Mapping[Any, Fraction]) -> bool:
    """Return whether a condition holds where each symbol has an exact magnitude; one without a value does not."""
    try:
        return bool(value_at(condition, magnitudes))
    except UndefinedError:
        return False


def as_float(value: Value) -> float:
    """Return the float nearest to a value; infinite where it is too large."""
    try:
        if isinstance(value, Fraction):
            return value.numerator / value.denominator
        if value and abs(value) < arb(2) ** -1100:
            return 0.0
        return float(as_fraction(value)) if abs(value) < arb(2) ** 1030 else float("inf")
    except OverflowError:
        return float("inf")
