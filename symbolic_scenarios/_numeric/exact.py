"""The value of a tree at exact magnitudes, without a scenario: for closed forms and conditions of the solver."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .._tree import Tree
from .precise import Precise, UndefinedError, Value, settled


def value_at(tree: Tree, magnitudes: Mapping[Any, Fraction]) -> Value:
    """Return the value of a tree where each symbol has an exact magnitude: a Fraction, an mpmath number or a bool.

    Raises:
        UndefinedError: It has no real value there.
    """

    def evaluate(digits: int) -> tuple[Value, bool]:
        precise = Precise(digits, magnitudes.__getitem__)
        return precise.value(tree), precise.has_noise

    return settled(evaluate, tree)


def holds_at(condition: Tree, magnitudes: Mapping[Any, Fraction]) -> bool:
    """Return whether a condition holds where each symbol has an exact magnitude; one without a value does not."""
    try:
        return bool(value_at(condition, magnitudes))
    except UndefinedError:
        return False


def agree_at(left: Tree, right: Tree, magnitudes: Mapping[Any, Fraction]) -> bool:
    """Return whether two trees have the same value where each symbol has an exact magnitude."""
    return holds_at(Tree("==", (left, right)), magnitudes)
