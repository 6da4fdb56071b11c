"""The functions of one argument: how each is computed in float64 with an error bound, and to any number of digits.

Errors are absolute and counted in units of the float64 rounding unit (2**-53). In the code of a bound, `x` is the
argument, `y` the result and `ex` the bound on the argument's error: the first term is the error passed on, by the
derivative, the second what the function itself adds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Function:
    """One function.

    Attributes:
        code: Python code of the float64 result, in `x`; empty where float64 has no such function.
        error: Python code of the bound on the result's error, in `x`, `y` and `ex`.
        precise: The value by mpmath: a function of an mpmath context and the argument.
        sign: 1 where the result is never negative, else 0.
    """

    code: str
    error: str
    precise: Callable[[Any, Any], Any]
    sign: int = 0


def _real(name: str) -> Callable[[Any, Any], Any]:
    return lambda mp, x: getattr(mp, name)(x)


FUNCTIONS: dict[str, Function] = {
    "exp": Function("exp({x})", "{y} * {ex} + {y}", _real("exp"), sign=1),
    "expm1": Function("expm1({x})", "({y} + 1) * {ex} + abs({y})", _real("expm1")),
    "log": Function("log({x})", "{ex} / {x} + abs({y})", _real("log")),
    "log1p": Function("log1p({x})", "{ex} / (1 + {x}) + abs({y})", lambda mp, x: mp.log(1 + x)),
    "sin": Function("sin({x})", "{ex} + abs({y})", _real("sin")),
    "cos": Function("cos({x})", "{ex} + abs({y})", _real("cos")),
    "tan": Function("tan({x})", "(1 + {y} * {y}) * {ex} + 2 * abs({y})", _real("tan")),
    "asin": Function("asin({x})", "{ex} / sqrt(1 - {x} * {x}) + abs({y})", _real("asin")),
    "acos": Function("acos({x})", "{ex} / sqrt(1 - {x} * {x}) + abs({y})", _real("acos")),
    "atan": Function("atan({x})", "{ex} / (1 + {x} * {x}) + abs({y})", _real("atan")),
    "sinh": Function("sinh({x})", "cosh({x}) * {ex} + 2 * abs({y})", _real("sinh")),
    "cosh": Function("cosh({x})", "abs(sinh({x})) * {ex} + 2 * {y}", _real("cosh"), sign=1),
    "tanh": Function("tanh({x})", "(1 - {y} * {y}) * {ex} + 2 * abs({y})", _real("tanh")),
    "asinh": Function("asinh({x})", "{ex} / sqrt(1 + {x} * {x}) + 2 * abs({y})", _real("asinh")),
    "acosh": Function("acosh({x})", "{ex} / sqrt({x} * {x} - 1) + 2 * abs({y})", _real("acosh"), sign=1),
    "atanh": Function("atanh({x})", "{ex} / (1 - {x} * {x}) + 2 * abs({y})", _real("atanh")),
    "erf": Function("erf({x})", "1.13 * exp(-{x} * {x}) * {ex} + 2 * abs({y})", _real("erf")),
    "erfc": Function("erfc({x})", "1.13 * exp(-{x} * {x}) * {ex} + 8 * {y}", _real("erfc"), sign=1),
    "erfinv": Function("", "", _real("erfinv")),
    # The logarithmic derivative of gamma is at most |log x| + 1/x for x > 0; below 0 the precise way is taken.
    "gamma": Function("gamma(positive({x}))", "{y} * (abs(log({x})) + 1 / {x}) * {ex} + 20 * {y}", _real("gamma")),
    "loggamma": Function(
        "lgamma(positive({x}))", "(abs(log({x})) + 1 / {x}) * {ex} + 20 * (abs({y}) + 1)", lambda mp, x: mp.loggamma(x)
    ),
    "factorial": Function("", "", lambda mp, x: mp.gamma(x + 1)),
    "lambertw": Function("", "", _real("lambertw")),
}
