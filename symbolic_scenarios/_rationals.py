"""Powers of exact fractions."""

from __future__ import annotations

from fractions import Fraction

from sympy import integer_nthroot


def exact_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """Return `base**exponent` where it is rational (`(9/4)**(1/2)` is 3/2), else `None`; the base is positive."""
    roots = [integer_nthroot(part, exponent.denominator) for part in (base.numerator, base.denominator)]
    if not all(is_exact for _, is_exact in roots):
        return None
    above, below = (int(root) for root, _ in roots)
    return Fraction(above, below) ** exponent.numerator
