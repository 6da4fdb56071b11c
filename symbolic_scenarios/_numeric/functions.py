"""The functions of one argument in float64, with bounds on their errors.

Errors are absolute and counted in units of the float64 rounding unit (2**-53). In the code of a bound, `x` is the
argument, `y` the result and `ex` the bound on the argument's error: the first term is the error passed on, by the
derivative, the second what the function itself adds. A function that is not here is left to the precise way.
"""

from __future__ import annotations

from typing import NamedTuple


class Function(NamedTuple):
    """One function.

    Attributes:
        code: Python code of the result, in `x`.
        error: Python code of the bound on the result's error, in `x`, `y` and `ex`.
        sign: 1 where the result is never negative, else 0.
        room: Python code, in `x`, of the size that the argument's error has to be small against, so that the
            derivative at `x` tells how much of it is passed on.
    """

    code: str
    error: str
    sign: int = 0
    room: str = "min(1 / (1 + abs({x})), abs({x}))"


FUNCTIONS: dict[str, Function] = {
    "exp": Function("exp({x})", "{y} * {ex} + {y}", sign=1),
    "expm1": Function("expm1({x})", "({y} + 1) * {ex} + abs({y})"),
    "log": Function("log({x})", "{ex} / {x} + abs({y})", room="abs({x})"),
    "log1p": Function("log1p({x})", "{ex} / (1 + {x}) + abs({y})", room="min(abs({x}), 1 + {x})"),
    "sin": Function("sin({x})", "{ex} + abs({y})"),
    "cos": Function("cos({x})", "{ex} + abs({y})"),
    "tan": Function("tan({x})", "(1 + {y} * {y}) * {ex} + 2 * abs({y})"),
    "asin": Function("asin({x})", "{ex} / sqrt(1 - {x} * {x}) + abs({y})", room="1 - {x} * {x}"),
    "acos": Function("acos({x})", "{ex} / sqrt(1 - {x} * {x}) + abs({y})", room="1 - {x} * {x}"),
    "atan": Function("atan({x})", "{ex} / (1 + {x} * {x}) + abs({y})"),
    "sinh": Function("sinh({x})", "cosh({x}) * {ex} + 2 * abs({y})"),
    "cosh": Function("cosh({x})", "abs(sinh({x})) * {ex} + 2 * {y}", sign=1),
    "tanh": Function("tanh({x})", "(1 - {y} * {y}) * {ex} + 2 * abs({y})"),
    "asinh": Function("asinh({x})", "{ex} / sqrt(1 + {x} * {x}) + 2 * abs({y})"),
    "acosh": Function("acosh({x})", "{ex} / sqrt({x} * {x} - 1) + 2 * abs({y})", sign=1, room="{x} * {x} - 1"),
    "atanh": Function("atanh({x})", "{ex} / (1 - {x} * {x}) + 2 * abs({y})", room="1 - {x} * {x}"),
    "erf": Function("erf({x})", "1.13 * exp(-{x} * {x}) * {ex} + 2 * abs({y})"),
    "erfc": Function("erfc({x})", "1.13 * exp(-{x} * {x}) * {ex} + 8 * {y}", sign=1),
    # The logarithmic derivative of gamma is at most |log x| + 1/x for x > 0; below 0 the precise way is taken.
    "gamma": Function("gamma(positive({x}))", "{y} * (abs(log({x})) + 1 / {x}) * {ex} + 20 * {y}"),
    "loggamma": Function("lgamma(positive({x}))", "(abs(log({x})) + 1 / {x}) * {ex} + 20 * (abs({y}) + 1)"),
}
