"""The sign of an expression just right of zero, or far out, where its leading terms cancel.

`x*log(1 + 1/x) - 1` tends to zero at infinity, so no enclosure of its values excludes zero there. With `t = 1/x` it has
the sign of `log(1 + t) - t`, which is zero at 0 and continuous; so it has the sign of its derivative right of 0 (mean
value theorem), and that one is again asked for at 0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..._tree import Tree, name, number, replaced, walk
from .algebraic import without_common
from .derivative import NoDerivativeError, derivative
from .enclosure import value_range
from .forms import Reader
from .interval import between, point, working_precision
from .products import ONE, Polynomial, TooLargeError, tree_of
from .signs import at_number, sign_of_constant

_MOST_DERIVATIVES = 5
_BITS = 192


def sign_right_of_zero(above: Polynomial, unknown: Any, left: int = _MOST_DERIVATIVES) -> tuple[Fraction, int] | None:
    """Return a number and the sign that a sum of products has from zero (excluded) to there; `None` if not found."""
    if not above or not left:
        return None
    tree = tree_of(without_common(above), unknown)
    with working_precision(_BITS):
        at_zero = {unknown: point(0)}
        if not all(value_range(part, at_zero).is_finite for part in walk(tree)):
            return None
        sign = sign_of_constant(at_number(tree, unknown, Fraction(0)))
        if sign is None:
            return None
        if sign:
            return _reach(tree, unknown, sign)
    try:
        slope = Reader(unknown, True).read(derivative(tree, unknown))
    except (NoDerivativeError, TooLargeError, ZeroDivisionError):
        return None
    over = sign_right_of_zero(slope.above, unknown, left - 1)
    under = (Fraction(1), 1) if slope.below == ONE else sign_right_of_zero(slope.below, unknown, left - 1)
    if over is None or under is None:
        return None
    return min(over[0], under[0]), over[1] * under[1]


def _reach(tree: Tree, unknown: Any, sign: int) -> tuple[Fraction, int] | None:
    for bits in range(0, 130, 3):
        end = Fraction(1, 2**bits)
        if value_range(tree, {unknown: between(Fraction(0), end, True, False)}).sign == sign:
            return end, sign
    return None


def start_of_tail(above: Polynomial, unknown: Any) -> Fraction | None:
    """Return a number from which on a sum of products has no zero, seen from infinity; `None` if not found."""
    image = replaced(tree_of(above, unknown), {unknown: Tree("/", (number(1), name(unknown)))})
    try:
        form = Reader(unknown, True).read(image)
    except (TooLargeError, ZeroDivisionError):
        return None
    near = sign_right_of_zero(form.above, unknown)
    return None if near is None else 1 / near[0]
