"""Where the values of an expression and of its derivative lie while the unknown runs through an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from flint import arb

from ..._tree import Tree
from .interval import (
    WHOLE,
    Interval,
    add,
    exponential,
    from_ball,
    hull,
    logarithm,
    meet,
    minimum,
    monotone,
    multiply,
    negative,
    point,
    positive_power,
    reciprocal,
    whole_power,
)

Pair = tuple[Interval, "Interval | None"]
"""A value and its derivative; `None` is a derivative that is zero everywhere."""


def enclose(tree: Tree, ranges: Mapping[Any, Pair]) -> Pair:
    """Return where an expression and its derivative lie, given where its names do.

    The derivative is meant for expressions without kinks and steps; of others only the value is used.
    """
    head = tree.head
    if head == "name":
        return ranges[tree.leaf]
    if head == "number":
        return _number(tree.leaf), None
    if head == "piecewise":
        return hull(enclose(value, ranges)[0] for value, _ in tree.pieces), WHOLE
    if head == "**":
        return _power(tree, ranges)
    args = [enclose(arg, ranges) for arg in tree.args]
    if head in _ARITHMETIC:
        return _ARITHMETIC[head](args)
    if head == "lambertw":
        return _lambert(tree, args[0])
    if head in _FUNCTIONS and len(args) == 1:
        value, slope = _FUNCTIONS[head](args[0][0])
        return value, _chain(slope, args[0][1])
    return WHOLE, WHOLE


def value_range(tree: Tree, ranges: Mapping[Any, Interval]) -> Interval:
    """Return where the values of an expression lie."""
    return enclose(tree, {leaf: (part, None) for leaf, part in ranges.items()})[0]


def _chain(slope: Callable[[], Interval], inner: Interval | None) -> Interval | None:
    return None if inner is None else multiply(slope(), inner)


def _number(leaf: Any) -> Interval:
    if leaf.is_Rational:
        return point(Fraction(int(leaf.p), int(leaf.q)))
    constants = {"pi": arb.pi, "E": arb.const_e}
    return from_ball(constants[str(leaf)]()) if str(leaf) in constants else WHOLE


def _sum_of(args: list[Pair]) -> Pair:
    value, slope = args[0]
    for more, more_slope in args[1:]:
        value = add(value, more)
        slope = more_slope if slope is None else slope if more_slope is None else add(slope, more_slope)
    return value, slope


def _opposite(args: list[Pair]) -> Pair:
    value, slope = args[0]
    return negative(value), None if slope is None else negative(slope)


def _product(args: list[Pair]) -> Pair:
    value, slope = args[0]
    for more, more_slope in args[1:]:
        left = None if slope is None else multiply(slope, more)
        right = None if more_slope is None else multiply(value, more_slope)
        slope = right if left is None else left if right is None else add(left, right)
        value = multiply(value, more)
    return value, slope


def _quotient(args: list[Pair]) -> Pair:
    (above, above_slope), (below, below_slope) = args
    inverse = reciprocal(below)
    if below_slope is None:
        return multiply(above, inverse), None if above_slope is None else multiply(above_slope, inverse)
    change = negative(multiply(multiply(above, below_slope), whole_power(inverse, 2)))
    if above_slope is not None:
        change = add(multiply(above_slope, inverse), change)
    return multiply(above, inverse), change


def _power(tree: Tree, ranges: Mapping[Any, Pair]) -> Pair:
    base, base_slope = enclose(tree.args[0], ranges)
    leaf = tree.args[1].leaf if tree.args[1].head == "number" else None
    if leaf is not None and leaf.is_Rational:
        exponent = Fraction(int(leaf.p), int(leaf.q))
        raised = _whole if exponent.denominator == 1 else positive_power
        slope = None
        if base_slope is not None and exponent != 0:
            slope = multiply(multiply(point(exponent), raised(base, exponent - 1)), base_slope)
        return raised(base, exponent), slope
    exponent_range, exponent_slope = enclose(tree.args[1], ranges)
    logs = logarithm(base)
    value = exponential(multiply(exponent_range, logs))
    slope = None if exponent_slope is None else multiply(exponent_slope, logs)
    if base_slope is not None:
        by_base = multiply(multiply(exponent_range, reciprocal(meet(base, arb(0), None, True))), base_slope)
        slope = by_base if slope is None else add(slope, by_base)
    return value, None if slope is None else multiply(value, slope)


def _whole(base: Interval, exponent: Fraction) -> Interval:
    return whole_power(base, int(exponent))


def _absolute(a: Interval) -> Interval:
    if a.lo is not None and a.lo >= 0:
        return a
    if a.hi is not None and a.hi <= 0:
        return negative(a)
    return meet(hull([a, negative(a)]), arb(0), None, False)


def _floor(a: Interval) -> Interval:
    return Interval(
        None if a.lo is None else a.lo.floor().lower(),
        None if a.hi is None else a.hi.floor().upper(),
        a.lo is None,
        a.hi is None,
    )


def _ceiling(a: Interval) -> Interval:
    return negative(_floor(negative(a)))


def _remainder(args: list[Pair]) -> Pair:
    value, divisor = args[0][0], args[1][0]
    if divisor.sign == 1:
        return Interval(arb(0), divisor.hi, False, True), WHOLE
    del value
    return hull([divisor, point(0)]), WHOLE


_ARITHMETIC: dict[str, Callable[[list[Pair]], Pair]] = {
    "+": _sum_of,
    "-": lambda args: _sum_of([args[0], _opposite(args[1:])]),
    "neg": _opposite,
    "*": _product,
    "/": _quotient,
    "abs": lambda args: (_absolute(args[0][0]), WHOLE),
    "sign": lambda args: (Interval(arb(-1), arb(1)) if not args[0][0].sign else point(args[0][0].sign), WHOLE),
    "min": lambda args: (minimum([value for value, _ in args]), WHOLE),
    "max": lambda args: (negative(minimum([negative(value) for value, _ in args])), WHOLE),
    "floor": lambda args: (_floor(args[0][0]), WHOLE),
    "ceiling": lambda args: (_ceiling(args[0][0]), WHOLE),
    "mod": _remainder,
}

Rule = Callable[[Interval], tuple[Interval, Callable[[], Interval]]]


def _square(a: Interval) -> Interval:
    return whole_power(a, 2)


def _one_plus(a: Interval) -> Interval:
    return add(point(1), a)


def _one_minus_square(a: Interval) -> Interval:
    return add(point(1), negative(_square(a)))


def _exp_rule(a: Interval) -> tuple[Interval, Callable[[], Interval]]:
    value = exponential(a)
    return value, lambda: value


def _bounded(
    function: Callable[[Any], Any],
    slope: Callable[[Interval], Interval],
    lo: Callable[[], Any],
    hi: Callable[[], Any],
    reversed_: bool = False,
) -> Rule:
    """Return the rule of a strictly monotone function with limits that it never reaches."""

    def rule(a: Interval) -> tuple[Interval, Callable[[], Interval]]:
        if reversed_:
            value = negative(monotone(lambda x: -function(x), a, -hi(), -lo()))
        else:
            value = monotone(function, a, lo(), hi())
        return meet(value, lo(), hi(), True), lambda: slope(a)

    return rule


def _increasing(
    function: Callable[[Any], Any], slope: Callable[[Interval], Interval], lo: int | None = None, hi: int | None = None
) -> Rule:
    """Return the rule of an increasing function that is defined between `lo` and `hi`."""

    def rule(a: Interval) -> tuple[Interval, Callable[[], Interval]]:
        inside = meet(a, None if lo is None else arb(lo), None if hi is None else arb(hi), False)
        return monotone(function, inside), lambda: slope(inside)

    return rule


def _cosh(a: Interval) -> Interval:
    return monotone(lambda x: x.cosh(), _absolute(a))


def _wave(name: str, slope: Callable[[Interval], Interval]) -> Rule:
    def rule(a: Interval) -> tuple[Interval, Callable[[], Interval]]:
        return _wave_range(name, a), lambda: slope(a)

    return rule


def _wave_range(name: str, a: Interval) -> Interval:
    if not a.is_finite:
        return WHOLE if name == "tan" else Interval(arb(-1), arb(1))
    value = from_ball(getattr(a.lo.union(a.hi), name)())
    return value if name == "tan" else meet(value, arb(-1), arb(1), False)


def _digamma(a: Interval) -> Interval:
    if a.lo is not None and a.lo >= 0:
        return monotone(lambda x: x.digamma(), a)
    return from_ball(a.lo.union(a.hi).digamma()) if a.is_finite else WHOLE


_LEAST_GAMMA = Fraction(14616321449, 10**10), Fraction(14616321450, 10**10)


def _valley(function: Callable[[Any], Any], floor: Fraction, a: Interval) -> Interval:
    """Return all values of gamma or its logarithm: falling, then rising on the positive numbers."""
    left, right = (point(end) for end in _LEAST_GAMMA)
    if a.lo is None or a.lo < 0 or (a.lo == 0 and not a.lo_open):
        return from_ball(function(a.lo.union(a.hi))) if a.is_finite else WHOLE
    if a.lo >= right.hi:
        return monotone(function, a)
    if a.hi is not None and a.hi <= left.lo:
        return negative(monotone(lambda x: -function(x), a))
    ends: list[Any] = [None if end is None else from_ball(function(end)).hi for end in (a.lo, a.hi)]
    high = None if None in ends else max(ends)
    return Interval(point(floor).lo, high, False, high is None)


def _gamma_rule(a: Interval) -> tuple[Interval, Callable[[], Interval]]:
    value = _valley(lambda x: x.gamma(), Fraction(885603, 10**6), a)
    return value, lambda: multiply(value, _digamma(a))


def _loggamma_rule(a: Interval) -> tuple[Interval, Callable[[], Interval]]:
    value = _valley(lambda x: x.lgamma(), Fraction(-121487, 10**6), a)
    return value, lambda: _digamma(a)


def _lambert(tree: Tree, arg: Pair) -> Pair:
    branch = 0 if len(tree.args) == 1 else tree.args[1].leaf if tree.args[1].head == "number" else None
    a, inner = arg
    least = -(-1 * arb(1)).exp()
    if branch == 0:
        inside = meet(a, least.lower(), None, False)
        value = meet(monotone(lambda x: x.lambertw() if x > least else arb(-1), inside), arb(-1), None, False)
    elif branch == -1:
        inside = meet(a, least.lower(), arb(0), False)
        value = negative(monotone(lambda x: -x.lambertw(-1) if x > least else arb(1), inside))
        value = meet(value, None, arb(-1), False)
    else:
        return WHOLE, WHOLE
    return value, _chain(lambda: reciprocal(add(inside, exponential(value))), inner)


def _gauss(a: Interval) -> Interval:
    return multiply(from_ball(2 / arb.pi().sqrt()), exponential(negative(_square(a))))


def _erfinv_rule(a: Interval) -> tuple[Interval, Callable[[], Interval]]:
    value = monotone(lambda x: x.erfinv(), meet(a, arb(-1), arb(1), True))
    return value, lambda: multiply(from_ball(arb.pi().sqrt() / 2), exponential(_square(value)))


_FUNCTIONS: dict[str, Rule] = {
    "exp": _exp_rule,
    "log": lambda a: (logarithm(a), lambda: reciprocal(meet(a, arb(0), None, True))),
    "sin": _wave("sin", lambda a: _wave_range("cos", a)),
    "cos": _wave("cos", lambda a: negative(_wave_range("sin", a))),
    "tan": _wave("tan", lambda a: _one_plus(_square(_wave_range("tan", a)))),
    "asin": _increasing(
        lambda x: x.asin(), lambda a: reciprocal(positive_power(_one_minus_square(a), Fraction(1, 2))), -1, 1
    ),
    "acos": lambda a: (
        negative(monotone(lambda x: -x.acos(), meet(a, arb(-1), arb(1), False))),
        lambda: negative(reciprocal(positive_power(_one_minus_square(a), Fraction(1, 2)))),
    ),
    "atan": _bounded(
        lambda x: x.atan(),
        lambda a: reciprocal(_one_plus(_square(a))),
        lambda: -(arb.pi() / 2).upper(),
        lambda: (arb.pi() / 2).upper(),
    ),
    "sinh": _increasing(lambda x: x.sinh(), _cosh),
    "cosh": lambda a: (_cosh(a), lambda: monotone(lambda x: x.sinh(), a)),
    "tanh": _bounded(lambda x: x.tanh(), lambda a: reciprocal(_square(_cosh(a))), lambda: arb(-1), lambda: arb(1)),
    "asinh": _increasing(
        lambda x: x.asinh(), lambda a: reciprocal(positive_power(_one_plus(_square(a)), Fraction(1, 2)))
    ),
    "acosh": _increasing(
        lambda x: x.acosh(), lambda a: reciprocal(positive_power(negative(_one_minus_square(a)), Fraction(1, 2))), 1
    ),
    "atanh": lambda a: (
        monotone(lambda x: x.atanh(), meet(a, arb(-1), arb(1), True)),
        lambda: reciprocal(meet(_one_minus_square(a), arb(0), None, True)),
    ),
    "erf": _bounded(lambda x: x.erf(), _gauss, lambda: arb(-1), lambda: arb(1)),
    "erfc": _bounded(lambda x: x.erfc(), lambda a: negative(_gauss(a)), lambda: arb(0), lambda: arb(2), True),
    "erfinv": _erfinv_rule,
    "gamma": _gamma_rule,
    "loggamma": _loggamma_rule,
    "factorial": lambda a: _gamma_rule(_one_plus(a)),
    "digamma": lambda a: (_digamma(a), lambda: WHOLE),
}
