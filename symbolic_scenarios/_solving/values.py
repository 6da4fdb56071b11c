"""The value of an expression as written at exact values: what closed forms are checked against.

Rational as long as it can be, in 60 digits otherwise; a step function of a number that is whole to 40 digits takes it
as whole, so that `ceiling(log(1000)/log(10))` is 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import sympy

from .._bridge import from_sympy
from .._tree import Tree

_MP = mpmath.MPContext()
_MP.dps = 60
_SLACK = _MP.mpf(10) ** -36
_WHOLE = _MP.mpf(10) ** -40
_LARGEST_BITS = 20_000
_LARGEST_LOG = 10**7


class NoValueError(Exception):
    """The expression has no real value here, or none that can be computed."""


def value(tree: Tree, point: Mapping[Any, Fraction]) -> Any:
    """Return the value of a tree: a `Fraction`, or a number of 60 digits.

    Raises:
        NoValueError: Some part of it that counts has no real value.
    """
    try:
        return _value(tree, point)
    except (ZeroDivisionError, ValueError, OverflowError, TypeError, mpmath.libmp.NoConvergence) as error:
        raise NoValueError from error


def expression_value(expression: Any, point: Mapping[Any, Fraction]) -> Any:
    """Return the value of a SymPy expression; see `value`."""
    return value(as_tree(expression), point)


@lru_cache(maxsize=4096)
def as_tree(expression: Any) -> Tree:
    """Return the tree of a SymPy expression, remembered."""
    return from_sympy(expression)


def sign_at(expression: Any, point: Mapping[Any, Fraction]) -> int:
    """Return -1, 0 or 1; a sum is zero where it is zero to 36 digits of its terms."""
    terms = [expression_value(term, point) for term in sympy.Add.make_args(expression)]
    return sign_of_sum(terms)


def sign_of_sum(terms: list[Any]) -> int:
    """Return the sign of a sum of numbers, zero where it is zero to 36 digits of its terms."""
    total = terms[0]
    for term in terms[1:]:
        total = _added(total, term)
    if isinstance(total, Fraction):
        return (total > 0) - (total < 0)
    scale = sum(abs(real(term)) for term in terms)
    if abs(total) <= _SLACK * scale:
        return 0
    return 1 if total > 0 else -1


def compare(left: Any, right: Any) -> int:
    """Return the sign of `left - right` for two numbers."""
    return sign_of_sum([left, -right])


def floor_of(number: Any) -> Fraction:
    """Return the largest whole number that is not above; a number that is whole to 40 digits is whole."""
    if isinstance(number, Fraction):
        return Fraction(number.numerator // number.denominator)
    nearest = int(_MP.nint(number))
    if abs(number - nearest) <= _WHOLE * (1 + abs(number)):
        return Fraction(nearest)
    return Fraction(int(_MP.floor(number)))


def real(number: Any) -> Any:
    """Return a number in 60 digits."""
    if isinstance(number, Fraction):
        return _MP.mpf(number.numerator) / number.denominator
    return number


def _proper(number: Any) -> Any:
    if isinstance(number, Fraction):
        return number
    if isinstance(number, _MP.mpc):
        if abs(number.imag) > _SLACK * (1 + abs(number.real)):
            raise NoValueError
        number = number.real
    if not _MP.isfinite(number):
        raise NoValueError
    return number


def _value(tree: Tree, point: Mapping[Any, Fraction]) -> Any:
    head = tree.head
    if head == "name":
        if tree.leaf not in point:
            raise NoValueError
        return point[tree.leaf]
    if head == "number":
        return _number(tree.leaf)
    if head == "piecewise":
        for part, condition in tree.pieces:
            if holds(condition, point):
                return _value(part, point)
        raise NoValueError
    if head == "*" and (args := [_value(arg, point) for arg in tree.args]):
        result = args[0]
        for arg in args[1:]:
            result = _multiplied(result, arg)
        return result
    operation = _OPERATIONS.get(head)
    if operation is None:
        raise NoValueError
    return _proper(operation(*(_value(arg, point) for arg in tree.args)))


def holds(condition: Tree, point: Mapping[Any, Fraction]) -> bool:
    """Whether a condition holds where each symbol has a value.

    Raises:
        NoValueError: A side of a comparison that counts has no value.
    """
    head, args = condition.head, condition.args
    if head in ("true", "false"):
        return head == "true"
    if head == "and":
        return all(holds(arg, point) for arg in args)
    if head == "or":
        return any(holds(arg, point) for arg in args)
    if head == "not":
        return not holds(args[0], point)
    sign = compare(value(args[0], point), value(args[1], point))
    return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0}[head]


def _number(leaf: Any) -> Any:
    if leaf.is_Rational:
        return Fraction(int(leaf.p), int(leaf.q))
    if leaf == sympy.pi:
        return +_MP.pi
    if leaf == sympy.E:
        return +_MP.e
    raise NoValueError


def _added(left: Any, right: Any) -> Any:
    both = isinstance(left, Fraction) and isinstance(right, Fraction)
    return left + right if both else real(left) + real(right)


def _sum(*args: Any) -> Any:
    total = args[0]
    for arg in args[1:]:
        total = _added(total, arg)
    # What is left of a full cancellation is noise: zero, so that a pole is seen as one.
    if not isinstance(total, Fraction) and abs(total) <= _MP.mpf(10) ** -54 * sum(abs(real(arg)) for arg in args):
        return Fraction(0)
    return total


def _multiplied(left: Any, right: Any) -> Any:
    both = isinstance(left, Fraction) and isinstance(right, Fraction)
    return left * right if both else real(left) * real(right)


def _divided(left: Any, right: Any) -> Any:
    if right == 0:
        raise NoValueError
    both = isinstance(left, Fraction) and isinstance(right, Fraction)
    return left / right if both else real(left) / real(right)


def _power(base: Any, exponent: Any) -> Any:
    if base == 0:
        if exponent < 0:
            raise NoValueError
        return Fraction(1 if exponent == 0 else 0)
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        n = int(exponent)
        if isinstance(base, Fraction):
            bits = max(base.numerator.bit_length(), base.denominator.bit_length())
            if bits * abs(n) <= _LARGEST_BITS:
                return base**n
        return _through_log(base, real(exponent)) * (-1 if base < 0 and n % 2 else 1)
    if base < 0:
        raise NoValueError
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        root = _exact_root(base, exponent.denominator)
        if root is not None:
            return _power(root, Fraction(exponent.numerator))
    return _through_log(base, real(exponent))


def _through_log(base: Any, exponent: Any) -> Any:
    return _exp(exponent * _MP.log(abs(real(base))))


def _exact_root(number: Fraction, degree: int) -> Fraction | None:
    parts = []
    for whole in (number.numerator, number.denominator):
        if whole.bit_length() > _LARGEST_BITS or degree > 64:
            return None
        root, exact = sympy.integer_nthroot(whole, degree)
        if not exact:
            return None
        parts.append(int(root))
    return Fraction(*parts)


def _exp(argument: Any) -> Any:
    if argument == 0:
        return Fraction(1)
    argument = real(argument)
    if abs(argument) > _LARGEST_LOG:
        raise NoValueError
    return _MP.exp(argument)


def _log(argument: Any) -> Any:
    if argument <= 0:
        raise NoValueError
    return Fraction(0) if argument == 1 else _MP.log(real(argument))


def _lambertw(argument: Any, branch: Any = Fraction(0)) -> Any:
    argument, k = real(argument), int(branch)
    edge = argument * _MP.e + 1
    if abs(edge) <= _SLACK:
        return Fraction(-1)
    if edge < 0 or (k == -1 and argument >= 0):
        raise NoValueError
    return _MP.lambertw(argument, k).real


def _mod(left: Any, right: Any) -> Any:
    return _sum(left, -_multiplied(right, floor_of(_divided(left, right))))


def _arc(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def of(argument: Any) -> Any:
        argument = real(argument)
        if abs(argument) > 1:
            # Rounding at the edge must not make a real angle complex.
            if abs(argument) > 1 + _SLACK:
                raise NoValueError
            argument = _MP.sign(argument)
        return function(argument)

    return of


def _of_real(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda argument: function(real(argument))


def _erfinv(argument: Any) -> Any:
    if abs(argument) >= 1:
        raise NoValueError
    return Fraction(0) if argument == 0 else _MP.erfinv(real(argument))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": _sum,
    "-": lambda left, right: _sum(left, -right),
    "/": _divided,
    "**": _power,
    "neg": lambda arg: -arg,
    "abs": abs,
    "sign": lambda arg: Fraction((arg > 0) - (arg < 0)),
    "min": lambda *args: min(args, key=real),
    "max": lambda *args: max(args, key=real),
    "floor": floor_of,
    "ceiling": lambda arg: -floor_of(-arg),
    "mod": _mod,
    "exp": _exp,
    "log": _log,
    "lambertw": _lambertw,
    "erfinv": _erfinv,
    "asin": _arc(_MP.asin),
    "acos": _arc(_MP.acos),
    **{
        head: _of_real(getattr(_MP, head))
        for head in (
            "sin",
            "cos",
            "tan",
            "atan",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "erf",
            "erfc",
            "gamma",
            "loggamma",
            "factorial",
        )
    },
}
