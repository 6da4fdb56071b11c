"""Expressions that are polynomials in the unknown, in a root of it or in one exponential, and their real roots."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from flint import fmpz_poly

from .interval import ball, fractions_around, working_precision
from .points import SEARCH_BITS
from .products import Monomial, Polynomial, X, primitive, sorted_monomial

_LARGEST_DEGREE = 120


def zero_key(a: Polynomial) -> Any:
    """Return a value that expressions with the same zeros share, if they differ by a factor only."""
    return frozenset(primitive(a)[1].items())


def is_free_of_opaque(monomial: Monomial) -> bool:
    return all(atom[0] in ("x", "exp x", "prime x", "E", "prime", "log", "constant", "exp") for atom, _ in monomial)


def is_plainly_positive(a: Polynomial) -> bool:
    signs = {coefficient > 0 for coefficient in a.values()}
    return len(signs) == 1 and all(is_free_of_opaque(monomial) for monomial in a)


def stripped(a: Polynomial) -> Polynomial:
    """Return the sum without what all its terms share and what is never zero, up to a factor."""
    return primitive(without_common(a))[1]


def without_common(a: Polynomial) -> Polynomial:
    """Return the sum without the powers and exponentials that all its terms share: positive right of zero."""
    movable = {atom for monomial in a for atom, _ in monomial if atom[0] in ("x", "exp x", "prime x", "exp")}
    least = {atom: min(dict(monomial).get(atom, Fraction(0)) for monomial in a) for atom in movable}
    result: Polynomial = {}
    for monomial, coefficient in a.items():
        powers = dict(monomial)
        for atom, exponent in least.items():
            powers[atom] = powers.get(atom, Fraction(0)) - exponent
        kept = {atom: e for atom, e in powers.items() if e}
        result[sorted_monomial(kept)] = coefficient
    return result


def polynomial(a: Polynomial) -> tuple[Any, Monomial] | None:
    """Return a sum of products as a polynomial in one generator, or `None`."""
    vectors = {monomial: dict(monomial) for monomial in a}
    direction: dict[Any, Fraction] = next((dict(m) for m in a if m), {})
    if not direction:
        return None
    kinds = {atom[0] for atom in direction}
    if not (kinds == {"x"} or kinds <= {"exp x", "prime x"}):
        return None
    first = next(iter(direction))
    multiples: dict[Monomial, Fraction] = {}
    for monomial, vector in vectors.items():
        factor = vector.get(first, Fraction(0)) / direction[first]
        if vector != {atom: e * factor for atom, e in direction.items() if factor}:
            return None
        multiples[monomial] = factor
    if kinds == {"x"}:
        unit = Fraction(1, lcm(*(e.get(X, Fraction(0)).denominator for e in vectors.values())))
        scale = unit / direction[X]
    else:
        scale = Fraction(1, lcm(*(factor.denominator for factor in multiples.values())))
    generator = tuple((atom, e * scale) for atom, e in direction.items())
    degrees = {monomial: factor / scale for monomial, factor in multiples.items()}
    shift = min(degrees.values())
    if max(degrees.values()) - shift > _LARGEST_DEGREE:
        return None
    common = lcm(*(c.denominator for c in a.values()))
    coefficients = [0] * (int(max(degrees.values()) - shift) + 1)
    for monomial, degree in degrees.items():
        coefficients[int(degree - shift)] = int(a[monomial] * common)
    return fmpz_poly(coefficients), generator


def irreducible(poly: Any) -> list[Any]:
    """Return the factors of a polynomial: irreducible, or of a high degree without double roots."""
    if poly.degree() <= 60:
        return [factor for factor, _ in poly.factor()[1]]
    return [factor for factor, _ in poly.factor_squarefree()[1]]


def real_roots(factor: Any) -> list[Any]:
    if factor.degree() == 1:
        return [ball(Fraction(-int(factor[0]), int(factor[1])))]
    with working_precision(SEARCH_BITS):
        return [root.real for root, _ in factor.complex_roots() if root.imag == 0]


def root_bounds(
    factor: Any, root: Any, mapped: Callable[[Any], Any]
) -> Callable[[int], tuple[Fraction | None, Fraction | None]]:
    """Return the bounds of a simple root, mapped by an increasing or decreasing function."""
    cache: dict[int, tuple[Fraction | None, Fraction | None]] = {}

    def bounds(bits: int) -> tuple[Fraction | None, Fraction | None]:
        if bits not in cache:
            with working_precision(bits + 64):
                near = root if bits <= SEARCH_BITS - 40 else _refined(factor, root)
                value = mapped(near)
                around = fractions_around(value.lower(), value.upper()) if value.is_finite() else None
                cache[bits] = around or (None, None)
        return cache[bits]

    return bounds


def _refined(factor: Any, root: Any) -> Any:
    """Return the same root with the bits of the working precision: flint isolates anew, and only one root is there."""
    if factor.degree() == 1:
        return ball(Fraction(-int(factor[0]), int(factor[1])))
    [again] = [one.real for one, _ in factor.complex_roots() if one.imag == 0 and one.real.overlaps(root)]
    return again


def in_generator(factor: Any, generator: Monomial) -> Polynomial:
    """Return a polynomial in a generator as a sum of products."""
    return {
        sorted_monomial({atom: e * k for atom, e in generator}) if k else (): Fraction(int(c))
        for k, c in enumerate(factor.coeffs())
        if c
    }
