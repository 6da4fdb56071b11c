"""The value of an expression at one number of bits: fractions as long as all is rational, else balls.

A ball of `python-flint` is a number with a proved bound on its error. What a ball leaves open (is this zero? on which
side of a whole number is it?) is an `OpenError`: more bits are needed. At the last number of bits it counts as equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from ._rationals import exact_power
from ._tree import Tree

LARGEST_SUM = 100_000
"""The most terms that a sum is added up over."""
_LARGEST_EXACT_BITS = 40_000
_LARGEST_EXACT_ROOT = 12
_LARGEST_FLOOR_BITS = 40_000

Value = Any
"""A Fraction, an `arb` where the value is not known to be rational, or a bool for a condition."""


class UndefinedError(Exception):
    """The expression has no real value here; the text says why, in terms of the tree that has none."""

    def __init__(self, reason: str, tree: Tree) -> None:
        super().__init__(reason)
        self.reason = reason
        self.tree = tree


class OpenError(Exception):
    """The balls are too wide to decide something."""

    def __init__(self, tree: Tree) -> None:
        super().__init__("the balls are too wide")
        self.tree = tree


def as_fraction(value: Value) -> Fraction:
    """Return a value as a fraction: itself, or the middle of its ball."""
    if isinstance(value, Fraction):
        return value
    mantissa, exponent = value.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


class Precise:
    """Evaluates trees at the present number of bits; `names` gives the values of the names.

    A property that is needed comes from `names`, too, so that each is computed once and only where a chosen branch
    asks for it.
    """

    def __init__(self, names: Callable[[Any], Value], *, is_last: bool) -> None:
        self.names = names
        self.is_last = is_last
        self.bound: dict[Any, Value] = {}

    def value(self, tree: Tree) -> Value:
        """Return the value of a tree.

        Raises:
            UndefinedError: It has no real value.
            OpenError: More bits are needed to decide something.
        """
        head = tree.head
        if head == "name":
            return self.bound[tree.leaf] if tree.leaf in self.bound else self.names(tree.leaf)
        if head in _LAZY:
            return _LAZY[head](self, tree)
        args = [self.value(arg) for arg in tree.args]
        if head in _STRICT:
            return _STRICT[head](self, tree, *args)
        return self._function(tree, args)

    # --- decisions ---------------------------------------------------------------------------------------------------

    def sign(self, tree: Tree, value: Value) -> int:
        """Return -1, 0 or 1."""
        if isinstance(value, Fraction):
            return (value > 0) - (value < 0)
        if value > 0:
            return 1
        if value < 0:
            return -1
        if value.is_exact() or (self.is_last and value.is_finite()):
            return 0
        raise OpenError(tree)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _ball(self, value: Value) -> Any:
        return arb(fmpq(value.numerator, value.denominator)) if isinstance(value, Fraction) else value

    def _short(self, value: Fraction) -> Value:
        """Return a fraction, as a ball where it has grown so long that computing with it takes time."""
        return value if value.denominator.bit_length() <= _LARGEST_EXACT_BITS else self._ball(value)

    def _number(self, tree: Tree) -> Value:
        leaf = tree.leaf
        if leaf.is_Rational:
            return Fraction(int(leaf.p), int(leaf.q))
        if leaf.is_infinite:
            return arb.pos_inf() if leaf > 0 else arb.neg_inf()
        return _CONSTANTS[str(leaf)]()

    # --- arithmetic --------------------------------------------------------------------------------------------------

    def _plus(self, left: Value, right: Value) -> Value:
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return self._short(left + right)
        return self._ball(left) + self._ball(right)

    def _sum_of(self, tree: Tree, *args: Value) -> Value:
        total = args[0]
        for arg in args[1:]:
            total = self._plus(total, arg)
        return total

    def _minus(self, tree: Tree, left: Value, right: Value) -> Value:
        return self._plus(left, -right)

    def _times(self, tree: Tree, *args: Value) -> Value:
        product = args[0]
        for arg in args[1:]:
            if isinstance(product, Fraction) and isinstance(arg, Fraction):
                product = self._short(product * arg)
            else:
                product = self._ball(product) * self._ball(arg)
        return product

    def _over(self, tree: Tree, left: Value, right: Value) -> Value:
        if self.sign(tree.args[1], right) == 0:
            raise UndefinedError("it divides by zero", tree.args[1])
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return self._short(left / right)
        return self._ball(left) / self._ball(right)

    def _power(self, tree: Tree, base: Value, exponent: Value) -> Value:
        sign_of_base, sign_of_exponent = self.sign(tree.args[0], base), self.sign(tree.args[1], exponent)
        if sign_of_exponent == 0:
            return Fraction(1)
        if sign_of_base == 0:
            if sign_of_exponent < 0:
                raise UndefinedError("it divides by zero", tree.args[0])
            return Fraction(0)
        whole = isinstance(exponent, Fraction) and exponent.denominator == 1
        if isinstance(base, Fraction) and isinstance(exponent, Fraction):
            exact = self._exact_power(base, exponent, whole)
            if exact is not None:
                return exact
        if whole:
            size = abs(self._ball(base)) ** self._ball(exponent)
            return -size if sign_of_base < 0 and exponent % 2 else size
        if sign_of_base < 0:
            raise UndefinedError("it is a fractional power of a negative number", tree)
        return self._ball(base) ** self._ball(exponent)

    def _exact_power(self, base: Fraction, exponent: Fraction, whole: bool) -> Fraction | None:
        length = max(base.numerator.bit_length(), base.denominator.bit_length())
        if whole:
            return base ** int(exponent) if abs(exponent) * length <= _LARGEST_EXACT_BITS else None
        small = max(exponent.denominator, abs(exponent.numerator)) <= _LARGEST_EXACT_ROOT
        return exact_power(base, exponent) if base > 0 and small else None

    # --- steps, comparisons, choices ---------------------------------------------------------------------------------

    def _floor(self, tree: Tree, x: Value) -> Fraction:
        if isinstance(x, Fraction):
            return Fraction(x.numerator // x.denominator)
        if not x.is_finite():
            raise OpenError(tree)
        if abs(x) > arb(2) ** _LARGEST_FLOOR_BITS:
            raise UndefinedError("it rounds something too large", tree)
        middle = as_fraction(x)
        near = Fraction(round(middle))
        return near if self.sign(tree, x - self._ball(near)) >= 0 else near - 1

    def _ceiling(self, tree: Tree, x: Value) -> Fraction:
        return -self._floor(tree, -x)

    def _mod(self, tree: Tree, x: Value, y: Value) -> Value:
        whole = self._floor(tree, self._over(Tree("/", tree.args), x, y))
        return self._plus(x, -self._times(tree, y, whole))

    def _sign(self, tree: Tree, x: Value) -> Fraction:
        return Fraction(self.sign(tree, x))

    def _least(self, tree: Tree, *args: Value) -> Value:
        least = args[0]
        for arg in args[1:]:
            least = arg if self.sign(tree, self._plus(arg, -least)) < 0 else least
        return least

    def _most(self, tree: Tree, *args: Value) -> Value:
        return -self._least(tree, *(-arg for arg in args))

    def _relation(self, tree: Tree, left: Value, right: Value) -> bool:
        return _TESTS[tree.head](self.sign(tree, self._plus(left, -right)))

    def _and(self, tree: Tree) -> bool:
        return all(self.value(arg) for arg in tree.args)

    def _or(self, tree: Tree) -> bool:
        return any(self.value(arg) for arg in tree.args)

    def _piecewise(self, tree: Tree) -> Value:
        for value, condition in tree.pieces:
            if self.value(condition):
                return self.value(value)
        raise UndefinedError("none of its cases applies", tree)

    def _sum(self, tree: Tree) -> Value:
        body, index, low, high = tree.args
        ends = [self.value(low), self.value(high)]
        for end, where in zip(ends, (low, high), strict=True):
            if not isinstance(end, Fraction) or end.denominator != 1:
                raise UndefinedError("an end of a sum is no whole number", where)
        first, last = (int(end) for end in ends)
        if last < first - 1:
            raise UndefinedError("it is a sum that ends before it begins", tree)
        if last - first >= LARGEST_SUM:
            raise UndefinedError(f"it is a sum of more than {LARGEST_SUM} terms", tree)
        outer = self.bound
        total: Value = Fraction(0)
        for place in range(first, last + 1):
            self.bound = {**outer, index.leaf: Fraction(place)}
            total = self._plus(total, self.value(body))
        self.bound = outer
        return total

    # --- functions ---------------------------------------------------------------------------------------------------

    def _function(self, tree: Tree, args: list[Value]) -> Value:
        head, x = tree.head, args[0]
        if isinstance(x, Fraction) and (exact := _EXACT.get(head, {}).get(x)) is not None:
            return exact
        if head in _WITHIN:
            self._check_within(tree, x)
        elif head in _OF_WHOLE_POLES and isinstance(x, Fraction) and x.denominator == 1 and x <= _OF_WHOLE_POLES[head]:
            raise UndefinedError("it is infinite there", tree)
        ball = self._ball(x)
        if head == "lambertw":
            value = ball.lambertw(int(args[1])) if len(args) == 2 else ball.lambertw()
        else:
            value = getattr(ball, _METHODS.get(head, head))()
        if not value.is_finite():
            raise OpenError(tree)
        return value

    def _check_within(self, tree: Tree, x: Value) -> None:
        """Refuse an argument outside the domain of a function, and one on an end that does not belong to it."""
        for end, side, belongs in _WITHIN[tree.head]:
            beyond = side * self.sign(tree, self._plus(x, -end() if callable(end) else Fraction(-end)))
            if beyond > 0:
                raise UndefinedError("it has no real value", tree)
            if beyond == 0 and not belongs:
                raise UndefinedError("it is infinite there", tree)


_CONSTANTS: dict[str, Callable[[], Any]] = {
    "pi": arb.pi,
    "E": arb.const_e,
    "EulerGamma": arb.const_euler,
    "Catalan": arb.const_catalan,
    "GoldenRatio": lambda: (1 + arb(5).sqrt()) / 2,
}
_METHODS = {"factorial": "fac", "loggamma": "lgamma"}
_ZERO, _ONE = Fraction(0), Fraction(1)


def _factorials(first: int) -> dict[Fraction, Fraction]:
    values, product = {}, 1
    for n in range(170):
        product *= n or 1
        values[Fraction(n + first)] = Fraction(product)
    return values


_ODD = ("sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "erfinv", "lambertw")
_EXACT: dict[str, Mapping[Fraction, Fraction]] = {
    **{head: {_ZERO: _ZERO} for head in _ODD},
    **{head: {_ZERO: _ONE} for head in ("exp", "cos", "cosh", "erfc")},
    **{head: {_ONE: _ZERO} for head in ("log", "acos", "acosh")},
    "gamma": _factorials(1),
    "factorial": _factorials(0),
}
"""Values that are exact at an exact argument."""
_WITHIN: dict[str, tuple[tuple[Any, int, bool], ...]] = {
    # end, the side beyond which there is no value (-1 below, 1 above), whether the end belongs to the domain
    "log": ((0, -1, False),),
    "asin": ((-1, -1, True), (1, 1, True)),
    "acos": ((-1, -1, True), (1, 1, True)),
    "acosh": ((1, -1, True),),
    "atanh": ((-1, -1, False), (1, 1, False)),
    "erfinv": ((-1, -1, False), (1, 1, False)),
    "lambertw": ((lambda: -1 / arb.const_e(), -1, True),),
    "loggamma": ((0, -1, False),),
}
_OF_WHOLE_POLES = {"gamma": 0, "factorial": -1}
"""Functions that are infinite at the whole numbers up to this."""

_TESTS: dict[str, Callable[[int], bool]] = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
    "==": lambda sign: sign == 0,
    "!=": lambda sign: sign != 0,
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
