"""Sums of products of powers, with rational coefficients: what forms are made of, and how they become trees again."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from flint import fmpq, fmpq_poly, fmpz

from ..._tree import Tree, name, number

Atom = tuple[Any, ...]
Monomial = tuple[tuple[Atom, Fraction], ...]
Polynomial = dict[Monomial, Fraction]
MOST_TERMS = 400
MOST_BITS = 20_000
X: Atom = ("x",)
LOG_X: Atom = ("log x",)
E: Atom = ("E",)
EXP_X: Atom = ("exp x",)
ONE: Polynomial = {(): Fraction(1)}


class TooLargeError(Exception):
    """A normal form grows beyond use."""


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return the sum."""
    total = dict(a)
    for monomial, coefficient in b.items():
        new = total.get(monomial, Fraction(0)) + coefficient
        if new:
            total[monomial] = new
        else:
            del total[monomial]
    return total


def scaled(a: Polynomial, factor: Fraction) -> Polynomial:
    """Return a multiple."""
    return {monomial: coefficient * factor for monomial, coefficient in a.items()} if factor else {}


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return the product."""
    if len(a) * len(b) > 4 * MOST_TERMS:
        raise TooLargeError
    if len(a) * len(b) > 12 and _is_plain(a) and _is_plain(b):
        return _from_flint(_to_flint(a) * _to_flint(b))
    total: Polynomial = {}
    for left, left_coefficient in a.items():
        for right, right_coefficient in b.items():
            for monomial, coefficient in _join(left, right).items():
                new = total.get(monomial, Fraction(0)) + coefficient * left_coefficient * right_coefficient
                if new:
                    total[monomial] = new
                else:
                    total.pop(monomial, None)
    if len(total) > MOST_TERMS:
        raise TooLargeError
    return total


def _is_plain(a: Polynomial) -> bool:
    """Whether it is a polynomial in the unknown alone."""
    return all(
        not m or (len(m) == 1 and m[0][0] == X and m[0][1].denominator == 1 and 0 < m[0][1] <= MOST_TERMS) for m in a
    )


def _to_flint(a: Polynomial) -> Any:
    coefficients = [fmpq(0)] * (1 + max(int(m[0][1]) if m else 0 for m in a))
    for monomial, c in a.items():
        coefficients[int(monomial[0][1]) if monomial else 0] = fmpq(c.numerator, c.denominator)
    return fmpq_poly(coefficients)


def _from_flint(poly: Any) -> Polynomial:
    return {
        (((X, Fraction(k)),) if k else ()): Fraction(int(c.p), int(c.q)) for k, c in enumerate(poly.coeffs()) if c != 0
    }


def _join(left: Monomial, right: Monomial) -> Polynomial:
    """Return the product of two monomials; a root whose power becomes whole is multiplied out."""
    if not left or not right:
        return {left or right: Fraction(1)}
    powers = dict(left)
    for atom, exponent in right:
        powers[atom] = powers.get(atom, Fraction(0)) + exponent
    coefficient, whole = Fraction(1), []
    for atom, exponent in list(powers.items()):
        if not exponent:
            del powers[atom]
        elif atom[0] == "prime":
            lifted = exponent.numerator // exponent.denominator
            if lifted:
                coefficient *= Fraction(atom[1]) ** lifted
                powers[atom] = exponent - lifted
                if exponent == lifted:
                    del powers[atom]
        elif atom[0] == "root" and exponent.denominator == 1 and 0 < exponent <= 8:
            whole.append((atom, int(exponent)))
            del powers[atom]
    product: Polynomial = {sorted_monomial(powers): coefficient}
    for atom, times_whole in whole:
        for _ in range(times_whole):
            product = times(product, dict(atom[1]))
    return product


def sorted_monomial(powers: dict[Atom, Fraction]) -> Monomial:
    """Return powers as a monomial: in one order, so that equal ones compare equal."""
    return tuple(sorted(powers.items(), key=lambda item: (item[0][0], hash(item[0]), item[1])))


def primitive(a: Polynomial) -> tuple[Fraction, Polynomial]:
    """Return a number and the rest, such that multiples of one another have the same rest up to its sign rule."""
    if not a:
        return Fraction(1), a
    leading = a[min(a, key=lambda monomial: (len(monomial), hash(monomial)))]
    return leading, scaled(a, 1 / leading)


def check_bits(a: Polynomial) -> Polynomial:
    if any(c.numerator.bit_length() + c.denominator.bit_length() > MOST_BITS for c in a.values()):
        raise TooLargeError
    return a


def raised(base: Polynomial, power: int) -> Polynomial:
    if len(base) == 1:
        [(monomial, coefficient)] = base.items()
        return (
            times({sorted_monomial({atom: exponent * power for atom, exponent in monomial}): coefficient**power}, ONE)
            if _plain(monomial)
            else _repeated(base, power)
        )
    return _repeated(base, power)


def _plain(monomial: Monomial) -> bool:
    return not any(atom[0] in ("root", "prime") for atom, _ in monomial)


def _repeated(base: Polynomial, power: int) -> Polynomial:
    if _is_plain(base) and (len(base) - 1) * power <= MOST_TERMS and base:
        return _from_flint(_to_flint(base) ** power)
    result = dict(ONE)
    for _ in range(power):
        result = times(result, base)
    return result


@lru_cache(maxsize=4096)
def _factors(n: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of a number; a large part without small factors stays whole."""
    found = fmpz(n).factor() if n.bit_length() <= 64 else fmpz(n).factor(trial_limit=1_000)
    return tuple((int(p), int(e)) for p, e in found)


def _powers_of(value: Fraction) -> dict[int, int]:
    powers = dict(_factors(value.numerator)) if value.numerator > 1 else {}
    for prime, exponent in _factors(value.denominator) if value.denominator > 1 else ():
        powers[prime] = powers.get(prime, 0) - exponent
    return powers


def root_of_number(value: Fraction, power: Fraction) -> Polynomial:
    result: Polynomial = dict(ONE)
    for prime, exponent in _powers_of(value).items():
        raised = exponent * power
        lifted = raised.numerator // raised.denominator
        if abs(lifted) * prime.bit_length() > MOST_BITS:
            raise TooLargeError
        rest = raised - lifted
        one: Polynomial = {((("prime", prime), rest),) if rest else (): Fraction(prime) ** lifted}
        result = times(result, one)
    return result


def log_of_number(value: Fraction) -> Polynomial:
    return {((("log", prime), Fraction(1)),): Fraction(exponent) for prime, exponent in _powers_of(value).items()}


def tree_of(a: Polynomial, unknown: Any) -> Tree:
    """Return a sum of products as a tree, the highest powers first."""
    terms = [_term(monomial, coefficient, unknown) for monomial, coefficient in a.items()]
    return terms[0] if len(terms) == 1 else Tree("+", tuple(terms)) if terms else number(0)


def _fraction_tree(value: Fraction) -> Tree:
    return number(sympy.Rational(value.numerator, value.denominator))


def _term(monomial: Monomial, coefficient: Fraction, unknown: Any) -> Tree:
    factors = [_atom_tree(atom, exponent, unknown) for atom, exponent in monomial]
    if coefficient != 1 or not factors:
        factors.insert(0, _fraction_tree(coefficient))
    return factors[0] if len(factors) == 1 else Tree("*", tuple(factors))


def _atom_tree(atom: Atom, exponent: Fraction, unknown: Any) -> Tree:
    kind = atom[0]
    x = name(unknown)
    if kind in ("exp x", "E", "exp", "prime x"):
        inner = {
            "exp x": lambda: x,
            "E": lambda: number(1),
            "exp": lambda: tree_of(dict(atom[1]), unknown),
            "prime x": lambda: x,
        }[kind]()
        product = Tree("*", (_fraction_tree(exponent), inner)) if exponent != 1 else inner
        if kind == "prime x":
            product = Tree("*", (Tree("log", (number(atom[1]),)), product))
        return Tree("exp", (product,))
    base = _base_tree(atom, unknown)
    return base if exponent == 1 else Tree("**", (base, _fraction_tree(exponent)))


def _base_tree(atom: Atom, unknown: Any) -> Tree:
    kind = atom[0]
    if kind == "x":
        return name(unknown)
    if kind == "log x":
        return Tree("log", (name(unknown),))
    if kind == "name":
        return name(atom[1])
    if kind == "constant":
        return Tree("number", leaf=atom[1])
    if kind == "prime":
        return number(atom[1])
    if kind == "log":
        return Tree("log", (number(atom[1]),))
    if kind == "ln":
        return Tree("log", (tree_of(dict(atom[1]), unknown),))
    if kind == "root":
        return tree_of(dict(atom[1]), unknown)
    args = tuple(_quotient_tree(key, unknown) for key in atom[2])
    if atom[1] == "power":
        return Tree("**", (args[0], _fraction_tree(atom[3])))
    return Tree(atom[1], args)


def _quotient_tree(key: Any, unknown: Any) -> Tree:
    above, below = (dict(part) for part in key)
    top = tree_of(above, unknown)
    return top if below == ONE else Tree("/", (top, tree_of(below, unknown)))


def has_unknown(a: Polynomial) -> bool:
    """Whether the unknown occurs in a sum of products."""
    return any(_depends(atom) for monomial in a for atom, _ in monomial)


def _depends(atom: Atom) -> bool:
    kind = atom[0]
    if kind in ("x", "log x", "exp x", "prime x"):
        return True
    if kind in ("exp", "ln", "root"):
        return has_unknown(dict(atom[1]))
    if kind == "function":
        return any(has_unknown(dict(part)) for key in atom[2] for part in key)
    return False
