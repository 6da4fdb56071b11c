"""The value of an expression, exactly where it is rational, else to as many digits as it takes.

The inputs are exact fractions, so a ceiling of a quotient, a comparison or a difference of near values is decided, not
rounded. Where a function leaves the rationals, the value is computed with twice the digits until two results agree.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath

from .._rationals import exact_power
from .._tree import Tree
from .functions import FUNCTIONS

DIGITS = (40, 80, 160, 320, 640)
LARGEST_SUM = 100_000
"""The most terms that a sum is added up over."""
_LARGEST_EXACT_BITS = 40_000
_LARGEST_EXACT_ROOT = 12
_LARGEST_EXPONENT_BITS = 4_000


class UndefinedError(Exception):
    """The expression has no real value here; the text says why, in terms of the tree that has none."""

    def __init__(self, reason: str, tree: Tree) -> None:
        super().__init__(reason)
        self.reason = reason
        self.tree = tree


class _Contexts(threading.local):
    """An mpmath context for each thread: its number of digits is a state of the context."""

    def __init__(self) -> None:
        self.mp = mpmath.MPContext()


_contexts = _Contexts()

Value = Any
"""A Fraction, or an mpmath number where the value is not known to be rational; a bool for a condition."""


def settled(evaluate: Callable[[int], tuple[Value, bool]], tree: Tree) -> Value:
    """Return the value of `evaluate(digits)` once it no longer depends on the digits.

    `evaluate` also says whether it took a small difference for noise, and two values for equal. More digits may tell
    them apart, so such a value is believed only at the most digits.

    Raises:
        UndefinedError: The value does not settle.
    """
    before: Value = None
    for digits in DIGITS:
        value, has_noise = evaluate(digits)
        if before is not None and (not has_noise or digits == DIGITS[-1]) and _same(before, value):
            return value
        before = value
    raise UndefinedError(f"its value does not settle within {DIGITS[-1]} digits", tree)


def _same(before: Value, value: Value) -> bool:
    if isinstance(value, (Fraction, bool)) or isinstance(before, (Fraction, bool)):
        return type(before) is type(value) and bool(before == value)
    return bool(abs(value - before) <= abs(value) * 1e-20)


class Precise:
    """Evaluates trees at one number of digits; `names` gives the values of the names.

    A property that is needed comes from `names`, too, so that each is computed once and only where a chosen branch
    asks for it.
    """

    def __init__(self, digits: int, names: Callable[[Any], Value]) -> None:
        self.mp = _contexts.mp
        self.digits = digits
        self.names = names
        self.bound: dict[Any, Value] = {}
        self.noise = Fraction(1, 10 ** (digits * 3 // 4))
        self.has_noise = False

    def value(self, tree: Tree) -> Value:
        """Return the value of a tree; `has_noise` then says whether a small difference was taken for none.

        Raises:
            UndefinedError: It has no real value.
        """
        self.mp.dps = self.digits
        return self._value(tree)

    def _value(self, tree: Tree) -> Value:
        head = tree.head
        if head == "name":
            return self.bound[tree.leaf] if tree.leaf in self.bound else self.names(tree.leaf)
        if head in _LAZY:
            return _LAZY[head](self, tree)
        args = [self._value(arg) for arg in tree.args]
        if head in _STRICT:
            return _STRICT[head](self, tree, *args)
        return self._function(tree, args)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _float(self, value: Value) -> Any:
        if isinstance(value, Fraction):
            return self.mp.mpf(value.numerator) / value.denominator
        return value

    def _short(self, value: Fraction) -> Value:
        """Return a fraction, as a many-digit number where it has grown so long that computing with it takes time."""
        return value if value.denominator.bit_length() <= _LARGEST_EXACT_BITS else self._float(value)

    def _number(self, tree: Tree) -> Value:
        leaf = tree.leaf
        if leaf.is_Rational:
            return Fraction(int(leaf.p), int(leaf.q))
        if leaf.is_infinite:
            return self.mp.inf if leaf > 0 else -self.mp.inf
        return self.mp.mpf(leaf.evalf(self.digits + 10)._mpf_)

    # --- arithmetic --------------------------------------------------------------------------------------------------

    def _sum_of(self, tree: Tree, *args: Value) -> Value:
        total = args[0]
        for arg in args[1:]:
            total = self._plus(total, arg)
        return total

    def _plus(self, left: Value, right: Value) -> Value:
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return self._short(left + right)
        left, right = self._float(left), self._float(right)
        total = left + right
        if not self.mp.isfinite(total):
            return total
        if abs(total) > self._float(self.noise) * max(abs(left), abs(right)):
            return total
        # Of two values that agree in three quarters of their digits, what is left may be a true difference or none:
        # `settled` asks again.
        self.has_noise = self.has_noise or bool(left or right)
        return Fraction(0)

    def _minus(self, tree: Tree, left: Value, right: Value) -> Value:
        return self._plus(left, -right)

    def _times(self, tree: Tree, *args: Value) -> Value:
        product = args[0]
        for arg in args[1:]:
            if isinstance(product, Fraction) and isinstance(arg, Fraction):
                product = self._short(product * arg)
            else:
                product = self._float(product) * self._float(arg)
        return product

    def _over(self, tree: Tree, left: Value, right: Value) -> Value:
        if right == 0:
            raise UndefinedError("it divides by zero", tree.args[1])
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return self._short(left / right)
        return self._float(left) / self._float(right)

    def _power(self, tree: Tree, base: Value, exponent: Value) -> Value:
        if base == 0 and exponent <= 0 and exponent != 0:
            raise UndefinedError("it divides by zero", tree.args[0])
        if base == 0 or exponent == 0:
            return Fraction(int(exponent == 0))
        whole = isinstance(exponent, Fraction) and exponent.denominator == 1
        if isinstance(base, Fraction) and isinstance(exponent, Fraction):
            if (
                whole
                and abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length())
                <= _LARGEST_EXACT_BITS
            ):
                return base ** int(exponent)
            small = max(exponent.denominator, abs(exponent.numerator)) <= _LARGEST_EXACT_ROOT
            if base > 0 and small and (root := exact_power(base, exponent)) is not None:
                return root
        if base < 0 and not whole:
            raise UndefinedError("it is a fractional power of a negative number", tree)
        if whole:
            sign = -1 if base < 0 and exponent % 2 else 1
            return sign * self._exp(tree, self._float(exponent) * self.mp.log(abs(self._float(base))))
        return self._exp(tree, self._float(exponent) * self.mp.log(self._float(base)))

    def _exp(self, tree: Tree, x: Any) -> Any:
        if x == 0:
            return Fraction(1)
        if self.mp.mag(x) > _LARGEST_EXPONENT_BITS:
            if x > 0:
                raise UndefinedError("it is too large", tree)
            return Fraction(0)
        # The digits before the point of the exponent are lost from the result.
        with self.mp.extradps(10 + max(0, int(self.mp.mag(x)) // 3)):
            return self.mp.exp(x)

    # --- steps, comparisons, choices ---------------------------------------------------------------------------------

    def _floor(self, tree: Tree, x: Value) -> Fraction:
        if isinstance(x, Fraction):
            return Fraction(x.numerator // x.denominator)
        if not self.mp.isfinite(x) or self.mp.mag(x) > _LARGEST_EXACT_BITS:
            raise UndefinedError("it rounds something too large", tree)
        near = int(self.mp.nint(x))
        if self._plus(x, Fraction(-near)) == 0:
            return Fraction(near)
        return Fraction(int(self.mp.floor(x)))

    def _ceiling(self, tree: Tree, x: Value) -> Fraction:
        return -self._floor(tree, -x)

    def _mod(self, tree: Tree, x: Value, y: Value) -> Value:
        return self._plus(x, -self._times(tree, y, self._floor(tree, self._over(tree, x, y))))

    def _sign(self, tree: Tree, x: Value) -> Fraction:
        return Fraction((x > 0) - (x < 0))

    def _least(self, tree: Tree, *args: Value) -> Value:
        least = args[0]
        for arg in args[1:]:
            least = arg if self._plus(arg, -least) < 0 else least
        return least

    def _most(self, tree: Tree, *args: Value) -> Value:
        return -self._least(tree, *(-arg for arg in args))

    def _relation(self, tree: Tree, left: Value, right: Value) -> bool:
        difference = self._plus(left, -right)
        return bool(_TESTS[tree.head](difference))

    def _and(self, tree: Tree) -> bool:
        return all(self._value(arg) for arg in tree.args)

    def _or(self, tree: Tree) -> bool:
        return any(self._value(arg) for arg in tree.args)

    def _piecewise(self, tree: Tree) -> Value:
        for value, condition in tree.pieces:
            if self._value(condition):
                return self._value(value)
        raise UndefinedError("none of its cases applies", tree)

    def _sum(self, tree: Tree) -> Value:
        body, index, low, high = tree.args
        ends = [self._value(low), self._value(high)]
        for end, where in zip(ends, (low, high), strict=True):
            if not isinstance(end, Fraction) or end.denominator != 1:
                raise UndefinedError("an end of a sum is no whole number", where)
        first, last = (int(end) for end in ends)
        if last - first >= LARGEST_SUM:
            raise UndefinedError(f"it is a sum of more than {LARGEST_SUM} terms", tree)
        outer = self.bound
        total: Value = Fraction(0)
        for place in range(first, last + 1):
            self.bound = {**outer, index.leaf: Fraction(place)}
            total = self._plus(total, self._value(body))
        self.bound = outer
        return total

    # --- functions ---------------------------------------------------------------------------------------------------

    def _function(self, tree: Tree, args: list[Value]) -> Value:
        if exact := _EXACT.get(tree.head, {}).get(args[0] if isinstance(args[0], Fraction) else None):
            return exact
        floats = [self._float(arg) for arg in args]
        if tree.head == "exp":
            return self._exp(tree, floats[0])
        if floats[0] and self.mp.mag(floats[0]) > _LARGEST_EXPONENT_BITS and tree.head in _WILD:
            raise UndefinedError("it is too large", tree)
        try:
            with self.mp.extradps(10 + max(0, int(self.mp.mag(floats[0] or 1)) // 3)):
                if tree.head == "lambertw" and len(floats) == 2:
                    value = self.mp.lambertw(floats[0], int(args[1]))
                else:
                    value = FUNCTIONS[tree.head].precise(self.mp, floats[0])
        except (ValueError, ZeroDivisionError):  # mpmath's words for a pole
            raise UndefinedError("it has no value there", tree) from None
        if isinstance(value, self.mp.mpc):
            raise UndefinedError("it has no real value", tree)
        if not self.mp.isfinite(value):
            raise UndefinedError("it is infinite there", tree)
        return value


_WILD = frozenset({"sinh", "cosh", "gamma", "factorial", "sin", "cos", "tan", "expm1", "erfc"})
_ZERO, _ONE = Fraction(0), Fraction(1)
_EXACT: dict[str, Mapping[Any, Fraction]] = {
    "exp": {_ZERO: _ONE},
    "cos": {_ZERO: _ONE},
    "cosh": {_ZERO: _ONE},
    "gamma": {Fraction(n + 1): Fraction(mpmath.libmp.ifac(n)) for n in range(60)},
    "factorial": {Fraction(n): Fraction(mpmath.libmp.ifac(n)) for n in range(200)},
}
_TESTS: dict[str, Callable[[Any], Any]] = {
    "<": lambda d: d < 0,
    "<=": lambda d: d <= 0,
    ">": lambda d: d > 0,
    ">=": lambda d: d >= 0,
    "==": lambda d: d == 0,
    "!=": lambda d: d != 0,
}
_LAZY: dict[str, Callable[[Precise, Tree], Value]] = {
    "number": Precise._number,
    "and": Precise._and,
    "or": Precise._or,
    "true": lambda precise, tree: True,
    "false": lambda precise, tree: False,
    "piecewise": Precise._piecewise,
    "sum": Precise._sum,
}
_STRICT: dict[str, Callable[..., Value]] = {
    "+": Precise._sum_of,
    "-": Precise._minus,
    "*": Precise._times,
    "/": Precise._over,
    "**": Precise._power,
    "neg": lambda precise, tree, x: -x,
    "abs": lambda precise, tree, x: abs(x),
    "not": lambda precise, tree, x: not x,
    "floor": Precise._floor,
    "ceiling": Precise._ceiling,
    "mod": Precise._mod,
    "sign": Precise._sign,
    "min": Precise._least,
    "max": Precise._most,
    **dict.fromkeys(_TESTS, Precise._relation),
}
