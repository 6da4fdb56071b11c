"""Expressions without kinks in a normal form: a quotient of sums of products of powers, with rational coefficients.

What cancels, cancels here exactly: `exp(-1)/2 - exp(-1)/2`, `log(1/1000)/log(1/10) - 3`, `(items/a)/(items/b) - b/a`.
An empty numerator *proves* that an expression is zero. The converse is never used: that something is not zero is
proved by a ball only, so nothing here depends on whether its products are independent.

Where an expression is defined is not the business of a form; that is asked of the tree as it was written.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from ..._tree import Tree
from .products import (
    EXP_X,
    LOG_X,
    MOST_BITS,
    ONE,
    Atom,
    E,
    Monomial,
    Polynomial,
    TooLargeError,
    X,
    check_bits,
    log_of_number,
    plus,
    primitive,
    raised,
    root_of_number,
    scaled,
    sorted_monomial,
    times,
)

_MOST_POWER = 150


@dataclass(frozen=True)
class Form:
    """The quotient `above / below`."""

    above: Polynomial
    below: Polynomial

    @property
    def is_zero(self) -> bool:
        """Whether it is zero wherever it is defined."""
        return not self.above

    @property
    def key(self) -> Any:
        """A hashable value that equal forms share."""
        return frozenset(self.above.items()), frozenset(self.below.items())


def constant(value: Fraction | int) -> Form:
    """Return the form of a number."""
    return Form({(): Fraction(value)} if value else {}, ONE)


def _of_atom(atom: Atom, exponent: Fraction = Fraction(1)) -> Form:
    return Form({((atom, exponent),): Fraction(1)}, ONE)


# --- sums of products ------------------------------------------------------------------------------------------------


# --- quotients -------------------------------------------------------------------------------------------------------


def made(above: Polynomial, below: Polynomial) -> Form:
    """Return a quotient; a denominator of one term goes into the numerator."""
    if not above:
        return Form({}, ONE)
    if below == ONE:
        return Form(check_bits(above), ONE)
    if len(below) == 1:
        [(monomial, coefficient)] = below.items()
        inverse = {sorted_monomial({atom: -exponent for atom, exponent in monomial}): 1 / coefficient}
        return (
            Form(check_bits(times(above, times(inverse, ONE))), ONE)
            if monomial
            else Form(scaled(above, 1 / coefficient), ONE)
        )
    if above == below:
        return constant(1)
    factor, below = primitive(below)
    above = scaled(above, 1 / factor)
    ratio_factor, ratio = primitive(above)
    if ratio == below:
        return constant(ratio_factor)
    return Form(check_bits(above), below)


def sum_of(a: Form, b: Form) -> Form:
    """Return a + b."""
    if a.below == b.below:
        return made(plus(a.above, b.above), a.below)
    return made(plus(times(a.above, b.below), times(b.above, a.below)), times(a.below, b.below))


def product_of(a: Form, b: Form) -> Form:
    """Return a * b."""
    if a.above == b.below and a.above:
        return made(b.above, a.below)
    if b.above == a.below and b.above:
        return made(a.above, b.below)
    return made(times(a.above, b.above), times(a.below, b.below))


def inverse_of(a: Form) -> Form:
    """Return 1 / a.

    Raises:
        ZeroDivisionError: It is zero.
    """
    if a.is_zero:
        raise ZeroDivisionError
    return made(a.below, a.above)


def difference(a: Form, b: Form) -> Form:
    """Return a - b."""
    return sum_of(a, Form(scaled(b.above, Fraction(-1)), b.below))


# --- from trees ------------------------------------------------------------------------------------------------------


class Reader:
    """Reads trees without kinks into forms.

    Args:
        unknown: The only name that is the variable; others are atoms of their own.
        positive: Whether the unknown is positive here, so that its roots and logarithms may be taken apart.
    """

    def __init__(self, unknown: Any, positive: bool) -> None:
        self.unknown = unknown
        self.positive = positive
        self.memo: dict[Tree, Form] = {}

    def read(self, tree: Tree) -> Form:
        """Return the form of a tree.

        Raises:
            TooLargeError: The form would be too large.
            ZeroDivisionError: A part of it divides by zero everywhere.
        """
        if tree in self.memo:
            return self.memo[tree]
        form = self._read(tree)
        self.memo[tree] = form
        return form

    def _read(self, tree: Tree) -> Form:
        head, args = tree.head, tree.args
        if head == "name":
            return _of_atom(X) if tree.leaf == self.unknown else _of_atom(("name", tree.leaf))
        if head == "number":
            return self._number(tree)
        if head == "**":
            return self._power(args[0], args[1])
        parts = [self.read(arg) for arg in args]
        if head == "+":
            total = parts[0]
            for part in parts[1:]:
                total = sum_of(total, part)
            return total
        if head == "*":
            total = parts[0]
            for part in parts[1:]:
                total = product_of(total, part)
            return total
        if head == "-":
            return difference(parts[0], parts[1])
        if head == "neg":
            return Form(scaled(parts[0].above, Fraction(-1)), parts[0].below)
        if head == "/":
            return product_of(parts[0], inverse_of(parts[1]))
        if head == "exp":
            return self.exponential(parts[0])
        if head == "log":
            return self.logarithm(parts[0])
        return self._function(head, parts)

    def _number(self, tree: Tree) -> Form:
        leaf = tree.leaf
        if leaf.is_Rational:
            return constant(Fraction(int(leaf.p), int(leaf.q)))
        return _of_atom(E) if leaf == sympy.E else _of_atom(("constant", leaf))

    def _function(self, head: str, parts: list[Form]) -> Form:
        first = parts[0]
        if first.is_zero and head in _AT_ZERO and (len(parts) == 1 or parts[1].is_zero):
            return constant(_AT_ZERO[head])
        value = _rational(first)
        if head in ("gamma", "factorial") and value is not None and value.denominator == 1 and 0 < value < 200:
            return constant(Fraction(int(sympy.factorial(int(value) - (head == "gamma")))))
        return _of_atom(("function", head, tuple(parts_key(part) for part in parts)))

    def _power(self, base_tree: Tree, exponent_tree: Tree) -> Form:
        base, exponent = self.read(base_tree), self.read(exponent_tree)
        power = _rational(exponent)
        if power is not None:
            try:
                return self.power(base, power)
            except TooLargeError:  # (1 + r)**100000 stays one thing, to be computed in balls
                return _of_atom(("function", "power", (parts_key(base),), power))
        return self.exponential(product_of(exponent, self.logarithm(base)))

    def power(self, base: Form, power: Fraction) -> Form:
        """Return a form to a rational power."""
        if power.denominator == 1:
            return self._whole_power(base, int(power))
        if base.is_zero:
            if power < 0:
                raise ZeroDivisionError
            return base
        single = self._single(base)
        if single is not None:
            monomial, coefficient = single
            taken = root_of_number(coefficient, power)
            return Form(
                times(
                    taken,
                    times({sorted_monomial({atom: exponent * power for atom, exponent in monomial}): Fraction(1)}, ONE),
                ),
                ONE,
            )
        if base.below == ONE:
            shared = self._shared_power(base.above)
            if shared:
                return product_of(
                    _of_atom(X, shared * power), self.power(product_of(base, _of_atom(X, -shared)), power)
                )
            factor, rest = primitive(base.above)
            if factor > 0:
                return Form(
                    times(root_of_number(factor, power), {((("root", frozenset(rest.items())), power),): Fraction(1)}),
                    ONE,
                )
            return Form({((("root", frozenset(base.above.items())), power),): Fraction(1)}, ONE)
        return _of_atom(("function", "power", (parts_key(base),), power))

    def _single(self, base: Form) -> tuple[Monomial, Fraction] | None:
        """Return the only term, where every factor of it is positive for certain."""
        if base.below != ONE or len(base.above) != 1:
            return None
        [(monomial, coefficient)] = base.above.items()
        if coefficient <= 0 or not all(self._is_positive(atom) for atom, _ in monomial):
            return None
        return monomial, coefficient

    def _shared_power(self, a: Polynomial) -> Fraction:
        """Return the least power of the unknown in a sum, if the unknown is positive: it may be taken out of a root."""
        return min(dict(monomial).get(X, Fraction(0)) for monomial in a) if self.positive else Fraction(0)

    def _is_positive(self, atom: Atom) -> bool:
        return (
            atom[0] in ("E", "exp x", "prime", "prime x", "log", "exp")
            or (atom == X and self.positive)
            or (atom[0] == "constant" and atom[1] == sympy.pi)
        )

    def _whole_power(self, base: Form, power: int) -> Form:
        if power < 0:
            return self._whole_power(inverse_of(base), -power)
        if power == 0:
            return constant(1)
        if (max(len(base.above), len(base.below)) - 1) * power > _MOST_POWER:
            raise TooLargeError
        bits = max(
            (
                c.numerator.bit_length() + c.denominator.bit_length()
                for c in (*base.above.values(), *base.below.values())
            ),
            default=0,
        )
        if bits * power > MOST_BITS:
            raise TooLargeError
        return made(raised(base.above, power), raised(base.below, power))

    def exponential(self, exponent: Form) -> Form:
        """Return exp of a form: sums become products."""
        if exponent.below != ONE:
            return _of_atom(("function", "exp", (parts_key(exponent),)))
        result: Polynomial = dict(ONE)
        rest: Polynomial = {}
        for monomial, coefficient in exponent.above.items():
            factor = self._exp_of_term(monomial, coefficient)
            if factor is None:
                rest[monomial] = coefficient
            else:
                result = times(result, factor)
        if rest:
            factor_, kernel = primitive(rest)
            result = times(result, {((("exp", frozenset(kernel.items())), factor_),): Fraction(1)})
        return Form(result, ONE)

    def _exp_of_term(self, monomial: Monomial, coefficient: Fraction) -> Polynomial | None:
        if monomial == ():
            return {((E, coefficient),): Fraction(1)}
        if monomial == ((X, Fraction(1)),):
            return {((EXP_X, coefficient),): Fraction(1)}
        atoms = dict(monomial)
        logs = [atom for atom in atoms if atom[0] == "log"]
        if atoms == {LOG_X: Fraction(1)}:
            return {((X, coefficient),): Fraction(1)}
        if len(logs) == 1 and atoms[logs[0]] == 1:
            prime = logs[0][1]
            del atoms[logs[0]]
            if not atoms:
                return root_of_number(Fraction(prime), coefficient)
            if atoms == {X: Fraction(1)}:
                return {((("prime x", prime), coefficient),): Fraction(1)}
        return None

    def logarithm(self, a: Form) -> Form:
        """Return the logarithm of a form: products become sums where every factor is positive."""
        if a.is_zero:
            raise ZeroDivisionError
        single = self._single(a)
        if single is not None:
            monomial, coefficient = single
            total = log_of_number(coefficient)
            for atom, exponent in monomial:
                total = plus(total, scaled(self._log_of_atom(atom), exponent))
            return Form(total, ONE)
        if a.below == ONE:
            shared = self._shared_power(a.above)
            if shared:
                rest_log = self.logarithm(product_of(a, _of_atom(X, -shared)))
                return sum_of(Form({((LOG_X, Fraction(1)),): shared}, ONE), rest_log)
            factor, rest = primitive(a.above)
            if factor > 0:
                return Form(
                    plus(log_of_number(factor), {((("ln", frozenset(rest.items())), Fraction(1)),): Fraction(1)}), ONE
                )
        return _of_atom(("function", "log", (parts_key(a),)))

    def _log_of_atom(self, atom: Atom) -> Polynomial:
        if atom == X:
            return {((LOG_X, Fraction(1)),): Fraction(1)}
        if atom == E:
            return dict(ONE)
        if atom == EXP_X:
            return {((X, Fraction(1)),): Fraction(1)}
        if atom[0] == "prime":
            return log_of_number(Fraction(atom[1]))
        if atom[0] == "prime x":
            return times(log_of_number(Fraction(atom[1])), {((X, Fraction(1)),): Fraction(1)})
        if atom[0] == "exp":
            return dict(atom[1])
        return {((("ln", frozenset({((atom, Fraction(1)),): Fraction(1)}.items())), Fraction(1)),): Fraction(1)}


_AT_ZERO = {
    "exp": 1, "sin": 0, "cos": 1, "tan": 0, "asin": 0, "atan": 0, "sinh": 0, "cosh": 1, "tanh": 0, "asinh": 0,
    "atanh": 0, "erf": 0, "erfc": 1, "erfinv": 0, "factorial": 1, "lambertw": 0,
}  # fmt: skip


def parts_key(form: Form) -> Any:
    """Return what an opaque function keeps of its argument."""
    return frozenset(form.above.items()), frozenset(form.below.items())


def _rational(form: Form) -> Fraction | None:
    if form.is_zero:
        return Fraction(0)
    if form.below == ONE and len(form.above) == 1 and () in form.above:
        return form.above[()]
    return None


# --- back to trees ---------------------------------------------------------------------------------------------------
