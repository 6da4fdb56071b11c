r"""How each function of an expression is set: `\min\left(a, b\right)`, `\left\lceil x \right\rceil`, `n!`."""

from __future__ import annotations

from collections.abc import Callable

from .pieces import Binding, Edge, Piece

_NAMES = {
    "sign": r"\operatorname{sgn}",
    "min": r"\min",
    "max": r"\max",
    "exp": r"\exp",
    "log": r"\ln",
    "sin": r"\sin",
    "cos": r"\cos",
    "tan": r"\tan",
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "sinh": r"\sinh",
    "cosh": r"\cosh",
    "tanh": r"\tanh",
    "asinh": r"\operatorname{arsinh}",
    "acosh": r"\operatorname{arcosh}",
    "atanh": r"\operatorname{artanh}",
    "erf": r"\operatorname{erf}",
    "erfc": r"\operatorname{erfc}",
    "erfinv": r"\operatorname{erf}^{-1}",
    "gamma": r"\Gamma",
    "loggamma": r"\ln\Gamma",
}
_FENCES = {
    "abs": (r"\left|", r"\right|"),
    "ceiling": (r"\left\lceil", r"\right\rceil"),
    "floor": (r"\left\lfloor", r"\right\rfloor"),
}


def function(head: str, args: list[Piece]) -> Piece:
    """Return a function of printed arguments."""
    if head in _FENCES:
        left, right = _FENCES[head]
        return Piece(f"{left} {args[0].latex} {right}", args[0].width + 1, start=Edge.BRACKET, end=Edge.BRACKET)
    return _SPECIAL[head](args) if head in _SPECIAL else _applied(_NAMES[head], args)


def root(radicand: Piece, degree: int) -> Piece:
    """Return a root of any degree."""
    sign = r"\sqrt" if degree == 2 else rf"\sqrt[{degree}]"
    return Piece(rf"{sign}{{{radicand.latex}}}", radicand.width + 1, Binding.FUNCTION, Edge.BRACKET, Edge.BRACKET)


def _applied(name: str, args: list[Piece]) -> Piece:
    inside = ", ".join(arg.latex for arg in args)
    letters = len(name.replace(r"\operatorname", "").strip("\\{}^-1"))
    width = sum(arg.width + 0.6 for arg in args) + letters + 1
    return Piece(rf"{name}\left({inside}\right)", width, Binding.FUNCTION, Edge.LETTER, Edge.BRACKET)


def _factorial(args: list[Piece]) -> Piece:
    arg = args[0].at(Binding.ATOM)
    return Piece(f"{arg.latex}!", arg.width + 0.4, Binding.FUNCTION, arg.start, arg.end)


def _lambertw(args: list[Piece]) -> Piece:
    branch = args[1].latex if len(args) == 2 else "0"
    return _applied(rf"W_{{{branch}}}", args[:1])


_SPECIAL: dict[str, Callable[[list[Piece]], Piece]] = {"factorial": _factorial, "lambertw": _lambertw}
