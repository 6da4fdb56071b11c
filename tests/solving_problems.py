"""Problems for the solver: inputs by domain, the question, and instances. The answers come from `solving_reference`.

Domains: pos, nonneg, real, u01 = (0, 1), c01 = [0, 1], ge1 = [1, oo), int0, int1, int2 = integers from 0, 1, 2.
"""

from __future__ import annotations

from typing import Any

P: list[tuple[str, str, str, str, str, str, list[dict[str, str]], str]] = []


def _add(
    name: str, inputs: str, expression: str, relation: str, target: str, unknown: str, *instances: str, valid: str = ""
) -> None:
    """Add a problem; an instance is written `a=1 b=2`."""
    P.append(
        (
            name,
            inputs,
            expression,
            relation,
            target,
            unknown,
            [dict(one.split("=") for one in i.split()) for i in instances],
            valid,
        )
    )


# One occurrence.
_add("compound", "r:pos n:int1 a:pos", "(1 + r)**n", "==", "a", "r", "n=30 a=1.5", "n=2 a=1", "n=1 a=1.25", "n=3 a=0.5")
_add("compound-n", "r:pos n:pos a:pos", "(1 + r)**n", "==", "a", "n", "r=0.05 a=2", "r=0.05 a=0.5", "r=1 a=1")
_add("min-6", "ai:pos", "Min(2*ai, 10)", "==", "6", "ai", "")
_add("min-10", "ai:pos", "Min(2*ai, 10)", "==", "10", "ai", "")
_add("min-12", "ai:pos", "Min(2*ai, 10)", "==", "12", "ai", "")
_add("min-sym", "ai:pos t:pos", "Min(2*ai, 10)", "<=", "t", "ai", "t=6", "t=10", "t=11")
_add("min-open", "ai:pos t:pos", "Min(2*ai, 10)", "<", "t", "ai", "t=6", "t=10", "t=11")
_add("max-ge", "x:pos a:pos t:pos", "Max(3*x, a)", ">=", "t", "x", "a=2 t=3", "a=4 t=3", "a=3 t=3")
_add("max-gt", "x:nonneg a:pos t:pos", "Max(3*x, a)", ">", "t", "x", "a=2 t=3", "a=4 t=3", "a=3 t=3")
_add(
    "nested-min",
    "x:pos a:pos b:pos t:pos",
    "Min(a, Max(x, b))",
    "==",
    "t",
    "x",
    "a=5 b=2 t=3",
    "a=5 b=2 t=5",
    "a=5 b=2 t=2",
    "a=5 b=7 t=5",
    "a=5 b=2 t=6",
)
_add("half-life", "k:pos t:nonneg c:pos", "c*exp(-k*t)", "==", "1", "t", "k=2 c=5", "k=2 c=0.5", "k=1 c=1")
_add("half-life-le", "k:pos t:nonneg c:pos", "c*exp(-k*t)", "<=", "1", "t", "k=2 c=5", "k=2 c=0.5")
_add("half-life-base", "b:pos t:real c:pos", "b**t", ">=", "c", "t", "b=2 c=8", "b=0.5 c=8", "b=1 c=8", "b=1 c=0.5")
_add("log-sum", "x:pos a:pos", "2 + 3*log(x/a)", "<", "5", "x", "a=2")
_add("square", "x:real a:real", "(x - 1)**2", "==", "a", "x", "a=4", "a=0", "a=-1")
_add("square-le", "x:real a:real", "(x - 1)**2", "<=", "a", "x", "a=4", "a=0", "a=-1")
_add("square-gt", "x:real a:real", "(x - 1)**2", ">", "a", "x", "a=4", "a=0", "a=-1")
_add("cube", "x:real a:real", "(2*x + 1)**3", "==", "a", "x", "a=27", "a=-8", "a=0")
_add("inverse-square", "d:pos p:pos t:pos", "p/d**2", ">=", "t", "d", "p=8 t=2")
_add("reciprocal-real", "x:real a:real", "1/x", "==", "a", "x", "a=4", "a=-2", "a=0")
_add("reciprocal-le", "x:real a:real", "1/x", "<=", "a", "x", "a=4", "a=-2", "a=0")
_add("slope-open", "a:real b:real x:real", "a*x + b", ">=", "1", "x", "a=2 b=3", "a=-2 b=3", "a=0 b=3", "a=0 b=0")
_add("slope-eq", "a:real b:real x:real", "a*x + b", "==", "1", "x", "a=2 b=3", "a=0 b=3", "a=0 b=1")
_add("tanh", "x:real a:real", "tanh(x)", "==", "a", "x", "a=0.5", "a=-0.25")
_add("root-of", "n:int1 x:pos t:pos", "x**(1/n)", "==", "t", "x", "n=3 t=2")
_add("sqrt-real", "x:real t:real", "sqrt(x + 2)", "==", "t", "x", "t=3", "t=-1", "t=0")
_add("sqrt-le", "x:real t:real", "sqrt(x + 2)", "<=", "t", "x", "t=3", "t=-1", "t=0")
_add("log-defined", "x:real", "log(x - 3)", "<=", "0", "x", "")
_add("pole-kept", "x:pos a:pos", "x/(x - a)*(x - a)", "==", "2", "x", "a=2", "a=3")
# Rounding and whole numbers.
_add("ceil-lt", "x:pos a:pos", "ceiling(x/a)", "<", "3", "x", "a=2", "a=0.5")
_add("ceil-broken", "x:pos t:pos", "ceiling(x)", "==", "t", "x", "t=2.5", "t=3")
_add("floor-ge", "x:nonneg a:pos t:pos", "floor(a*x)", ">=", "t", "x", "a=2 t=2.5", "a=2 t=3")
_add("floor-gt", "x:nonneg a:pos t:pos", "floor(a*x)", ">", "t", "x", "a=2 t=2.5", "a=2 t=3")
_add(
    "ceil-cost",
    "x:pos c:pos f:nonneg b:pos",
    "f + c*ceiling(x/8)",
    "<",
    "b",
    "x",
    "c=30 f=5 b=100",
    "c=30 f=10 b=100",
    "c=30 f=90 b=100",
)
_add("int-lt", "n:int1 c:pos b:pos", "n*c", "<", "b", "n", "c=5 b=100", "c=5 b=3", "c=5 b=5", "c=3 b=100")
_add("int-eq", "n:int0 c:pos b:pos", "n*c", "==", "b", "n", "c=5 b=100", "c=5 b=3", "c=3 b=100")
_add("int-pow", "n:int0 t:pos", "2**n", ">=", "t", "n", "t=1024", "t=1025", "t=0.5")
_add("int-exp", "n:int1 q:u01 t:u01", "q**n", "<=", "t", "n", "q=0.5 t=0.125", "q=0.9 t=0.95", "q=0.1 t=0.001")
_add("int-quadratic", "n:int1 b:pos", "n*(n + 1)/2", "<=", "b", "n", "b=55", "b=54", "b=0.5")
# Several occurrences.
_add(
    "ratio",
    "x:pos a:pos b:pos t:pos",
    "(x + a)/(x + b)",
    "==",
    "t",
    "x",
    "a=1 b=3 t=0.5",
    "a=1 b=3 t=2",
    "a=2 b=2 t=1",
    "a=2 b=2 t=3",
)
_add(
    "ratio-le",
    "x:pos a:pos b:pos t:pos",
    "(x + a)/(x + b)",
    "<=",
    "t",
    "x",
    "a=1 b=3 t=0.5",
    "a=1 b=3 t=2",
    "a=3 b=1 t=2",
    "a=2 b=2 t=1",
)
_add(
    "saturation",
    "x:nonneg v:pos k:pos t:pos",
    "v*x/(k + x)",
    ">=",
    "t",
    "x",
    "v=5 k=2 t=3",
    "v=5 k=2 t=5",
    "v=5 k=2 t=7",
)
_add("hill", "x:nonneg n:pos t:u01", "x**n/(1 + x**n)", "==", "t", "x", "n=2.5 t=0.3")
_add("quadratic-open", "a:real x:real", "a*x**2 + x", "==", "1", "x", "a=2", "a=0", "a=-0.25", "a=-1")
_add("quadratic-gt", "x:pos c:pos t:pos", "c*x - x**2", ">", "t", "x", "c=5 t=6", "c=5 t=6.25", "c=5 t=7")
_add("quadratic-ge", "x:pos c:pos t:pos", "c*x - x**2", ">=", "t", "x", "c=5 t=6", "c=5 t=6.25", "c=5 t=7")
_add(
    "sum-of-parts", "x:pos a:pos b:pos t:pos", "a/x + b*x", "<=", "t", "x", "a=2 b=1 t=3", "a=4 b=1 t=4", "a=4 b=1 t=3"
)
_add("biquadratic", "x:real a:pos", "x**4 - 5*x**2", "==", "-a", "x", "a=4", "a=6.25", "a=9")
_add("root-generator", "x:nonneg a:pos", "x + 2*sqrt(x)", "==", "a", "x", "a=3", "a=8")
_add("root-generator-third", "x:pos a:pos", "x**Rational(2,3) - x**Rational(1,3)", "==", "a", "x", "a=2")
_add("exp-generator", "x:real a:pos", "exp(2*x) + exp(x)", "==", "a", "x", "a=6")
_add("cosh-like", "x:real a:pos", "exp(x) + exp(-x)", "==", "a", "x", "a=5", "a=2", "a=1")
_add("two-terms", "x:pos a:pos b:pos", "a*exp(2*x)", "==", "b*exp(x)", "x", "a=1 b=3", "a=3 b=1")
_add(
    "growth-race",
    "t:nonneg a:pos b:pos r:pos s:pos",
    "a*exp(r*t)",
    "==",
    "b*exp(s*t)",
    "t",
    "a=1 b=3 r=2 s=1",
    "a=1 b=3 r=1 s=2",
    "a=2 b=2 r=1 s=1",
    "a=1 b=2 r=1 s=1",
)
_add("growth-bases", "t:nonneg a:pos b:pos", "a*2**t", "==", "b*3**t", "t", "a=5 b=1", "a=1 b=5")
_add("powers-race", "x:pos a:pos b:pos", "a*x**3", "==", "b*x**2", "x", "a=2 b=3")
_add("sum-of-logs", "x:pos a:pos", "log(x) + log(x + 2)", "==", "log(a)", "x", "a=8", "a=3")
_add("radical", "x:real a:real", "sqrt(x + 6) - x", "==", "a", "x", "a=0", "a=6", "a=6.25", "a=7")
_add("lambert-plain", "x:pos a:pos", "x*exp(x)", "==", "a", "x", "a=1", "a=20")
_add("lambert-below", "x:pos a:pos", "x*exp(-x)", "==", "a", "x", "a=0.2", "a=0.5")
_add("lambert-linear", "x:real a:pos", "exp(x)", "==", "a*x", "x", "a=3", "a=2")
_add("lambert-log", "x:pos a:pos", "log(x)/x", "==", "a", "x", "a=0.2", "a=0.5")
_add("lambert-log-neg", "x:pos a:pos", "x*log(x)", "==", "a", "x", "a=3")
_add("lambert-power", "x:pos a:pos", "x**2*exp(-x)", "==", "a", "x", "a=0.3", "a=1")
_add("cubic-one", "x:real a:real", "x**3 + 3*x", "==", "a", "x", "a=4", "a=-4", "a=0")
_add("cubic-three", "x:real a:real", "x**3 - 3*x", "==", "a", "x", "a=1", "a=2", "a=-5", "a=0")
_add("abs-two", "x:real a:pos", "Abs(x - 1) + Abs(x + 1)", "<=", "a", "x", "a=4", "a=1")
_add("abs-ge", "x:real a:real", "Abs(x - 1)", ">=", "a", "x", "a=2", "a=-1", "a=0")
_add("max-kink", "x:pos a:pos t:pos", "Max(a/x, x)", "<=", "t", "x", "a=4 t=3", "a=4 t=2.5", "a=4 t=1")
_add("max-kink-eq", "x:pos a:pos t:pos", "Max(a/x, x)", "==", "t", "x", "a=4 t=3", "a=4 t=1")
_add(
    "tariff-gap",
    "u:nonneg b:nonneg",
    "Piecewise((2*u, u <= 10), (5*u, True))",
    "==",
    "b",
    "u",
    "b=10",
    "b=20",
    "b=30",
    "b=60",
)
_add(
    "tariff-le",
    "u:nonneg b:nonneg",
    "Piecewise((2*u, u <= 10), (5*u, True))",
    "<=",
    "b",
    "u",
    "b=10",
    "b=20",
    "b=30",
    "b=60",
)
# Crossovers, identities, independence, constraints.
_add("cross-a", "x:nonneg", "10 + 5*x", "==", "5*x", "x", "")
_add("cross-b", "x:nonneg", "5 + 5*x", "==", "5 + 5*x", "x", "")
_add("cross-c", "x:nonneg", "10 + 3*x", "==", "x", "x", "")
_add("cross-d", "x:nonneg", "10 + x", "==", "3*x", "x", "")
_add(
    "cross-sym",
    "x:nonneg f:nonneg g:nonneg a:nonneg b:nonneg",
    "f + a*x",
    "<=",
    "g + b*x",
    "x",
    "f=10 g=0 a=1 b=3",
    "f=10 g=0 a=5 b=5",
    "f=0 g=10 a=5 b=5",
    "f=0 g=10 a=3 b=1",
    "f=5 g=5 a=0 b=0",
)
_add("independent", "x:pos a:pos b:pos", "a*x/(b*x)", ">=", "2", "x", "a=4 b=2", "a=3 b=2")
_add("identity", "x:real", "(x + 1)**2", "==", "x**2 + 2*x + 1", "x", "")
_add("hole", "x:real a:pos", "(x**2 - a**2)/(x - a)", ">=", "0", "x", "a=2")
_add(
    "queue",
    "l:nonneg m:pos w:pos",
    "1/(m - l)",
    "<=",
    "w",
    "l",
    "m=10 w=0.5",
    "m=10 w=0.1",
    "m=10 w=0.05",
    valid="l < m",
)
_add("queue-rho", "l:pos m:pos q:pos", "l/(m - l)", "<", "q", "l", "m=10 q=4", valid="l < m")
_add("queue-m", "l:pos m:pos w:pos", "l/m/(m - l)", "==", "w", "m", "l=2 w=0.5", valid="l < m")
_add("capped", "x:pos t:pos", "2*x", "==", "t", "x", "t=6", "t=12", "t=10", valid="x <= 5")
_add(
    "share",
    "f:c01 a:pos b:pos t:pos",
    "f*a + (1 - f)*b",
    "<=",
    "t",
    "f",
    "a=1 b=100 t=8",
    "a=100 b=1 t=8",
    "a=5 b=5 t=5",
    "a=5 b=5 t=4",
)
_add("speedup-lt", "p:c01 n:int2 s:pos", "1/(1 - p + p/n)", "<", "s", "p", "n=4 s=2", "n=4 s=0.5", "n=4 s=5", "n=4 s=1")
_add("harmonic", "x:pos a:pos t:pos", "2*x*a/(x + a)", "==", "t", "x", "a=3 t=4", "a=3 t=6", "a=3 t=7")
_add("erlang-1", "a:pos b:u01", "a/(1 + a)", ">=", "b", "a", "b=0.25")
_add("pipeline", "m:int1 s:int1 e:u01", "m/(m + s - 1)", ">=", "e", "m", "s=4 e=0.9", "s=1 e=0.9", "s=4 e=0.1")
_add(
    "shift-log",
    "n:ge1 a:pos b:pos t:pos",
    "a + b*log(n)/log(2)",
    "<=",
    "t",
    "n",
    "a=1 b=2 t=7",
    "a=8 b=2 t=7",
    "a=7 b=2 t=7",
)

OPTIMA: list[tuple[str, str, str, str, str, list[tuple[dict[str, str], Any]], str]] = [
    # (name, inputs, expression, kind, unknown, (values, argument as text or nothing) by hand, validity)
    ("eoq", "q:pos d:pos k:pos h:pos", "k*d/q + h*q/2", "min", "q", [({"d": "100", "k": "8", "h": "4"}, "20")], ""),
    (
        "usl-peak",
        "n:pos s:u01 k:u01",
        "n/(1 + s*(n - 1) + k*n*(n - 1))",
        "max",
        "n",
        [({"s": "0.19", "k": "0.01"}, "9")],
        "",
    ),
    (
        "parabola",
        "x:nonneg a:real",
        "(x - a)**2",
        "min",
        "x",
        [({"a": "3"}, "3"), ({"a": "-2"}, "0"), ({"a": "0"}, "0")],
        "",
    ),
    ("rising", "x:nonneg a:pos", "a*x + 1", "min", "x", [({"a": "3"}, "0")], ""),
    ("not-attained", "x:pos a:pos", "a*x + 1", "min", "x", [({"a": "3"}, None)], ""),
    ("meet", "x:pos a:pos b:pos", "Max(a/x, b*x)", "min", "x", [({"a": "9", "b": "4"}, "1.5")], ""),
    (
        "whole",
        "n:int1 a:pos b:pos",
        "a/n + b*n",
        "min",
        "n",
        [({"a": "10", "b": "1"}, "3"), ({"a": "1", "b": "9"}, "1")],
        "",
    ),
    ("capacity", "m:pos l:pos c:pos", "c*m + 1/(m - l)", "min", "m", [({"l": "3", "c": "4"}, "3.5")], "l < m"),
    ("power", "x:pos a:pos b:pos", "a*x**2 + b/x", "min", "x", [({"a": "1", "b": "16"}, "2")], ""),
    ("revenue", "p:nonneg a:pos b:pos", "p*(a - b*p)", "max", "p", [({"a": "10", "b": "2"}, "2.5")], ""),
]
