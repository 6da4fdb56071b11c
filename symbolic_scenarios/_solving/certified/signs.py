"""Signs of expressions without the unknown: zero by exact cancellation only, all others by a ball."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from ..._tree import Tree, number, replaced
from .enclosure import value_range
from .folding import folded
from .forms import Form, Reader
from .interval import working_precision
from .points import PRECISIONS, simplest_between
from .products import ONE, TooLargeError, tree_of

_LARGEST_CANDIDATE_BITS = 60


def at_number(tree: Tree, unknown: Any, value: Fraction) -> Tree:
    """Return the tree with a number for the unknown."""
    return folded(replaced(tree, {unknown: number(sympy.Rational(value.numerator, value.denominator))}))


def constant_form(tree: Tree) -> Form | None:
    """Return the form of a tree without the unknown; `None` where there is none."""
    try:
        return Reader(None, False).read(tree)
    except (TooLargeError, ZeroDivisionError):
        return None


def sign_of_constant(tree: Tree) -> int | None:
    """Return the sign of a tree without the unknown; `None` where it cannot be proved.

    Zero is proved by exact cancellation only; every other sign by a ball.
    """
    form = constant_form(tree)
    if form is not None and form.is_zero:
        return 0
    if form is not None and form.below == ONE and len(form.above) == 1 and () in form.above:
        return 1 if form.above[()] > 0 else -1
    for bits in PRECISIONS:
        with working_precision(bits):
            sign = value_range(tree, {}).sign
            if sign is None and form is not None:
                sign = value_range(_signed(form), {}).sign
            if sign:
                return sign
    return None


def _signed(form: Form) -> Tree:
    above, below = tree_of(form.above, None), tree_of(form.below, None)
    return above if form.below == ONE else Tree("*", (above, below))


def candidate(lo: Fraction, hi: Fraction) -> Fraction | None:
    simplest = simplest_between(lo, hi)
    bits = simplest.numerator.bit_length() + simplest.denominator.bit_length()
    return simplest if bits <= _LARGEST_CANDIDATE_BITS else None
