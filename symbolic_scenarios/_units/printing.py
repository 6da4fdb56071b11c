r"""Units and quantities as people write them, in text and in LaTeX.

The text reads back as the same unit: `TB/s`, `1/s`, `kg m/s^2`, `J/(K kg)`. The LaTeX holds no raw µ, Ω, % or $ and
parses in KaTeX's strict mode: `\mathrm{TB/s}`, `\mathrm{s^{-1}}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .expansion import simple
from .numerals import number_text

__all__ = ["quantity_format", "quantity_text", "unit_format", "unit_latex", "unit_text"]

#: A symbol with the size of its power.
_Factor = tuple[str, Fraction]

_LATEX_SIGNS = {"µ": r"\mu ", "Ω": r"\Omega", "%": r"\%", "$": r"\$", "_": r"\_"}

#: pint's flags at the end of a format: short, pretty, plain, compact, HTML, LaTeX. All but L mean our text here.
_SPEC = re.compile(r"(?P<number>.*?)(?P<flags>[~PDCHL]*)", re.DOTALL)


def unit_text(unit: Any) -> str:
    """A unit of this package as text, such as `TB/s`; empty where it is dimensionless with no name."""
    return _text(unit)


def unit_latex(unit: Any) -> str:
    r"""A unit of this package as LaTeX for math mode, such as `\mathrm{TB/s}`; empty where it has no name."""
    return _latex(unit)


def quantity_text(number: float | Fraction, unit: Any, digits: int | None = None) -> str:
    """A number and a unit as text, such as `3.35 TB/s`, `10 %`, `1450/s`.

    Args:
        number: An int, float or Fraction.
        unit: A unit of this package.
        digits: How many significant digits; None writes the shortest text that reads back as the same number.
    """
    return _joined(number_text(number, digits), unit_text(unit))


def unit_format(unit: Any, spec: str) -> str:
    """A unit by a format of pint's, of which only L (LaTeX) makes a difference."""
    return unit_latex(unit) if "L" in spec else unit_text(unit)


def quantity_format(quantity: Any, spec: str) -> str:
    """A quantity by a format: a number's (`.3f`), then pint's flags, of which only L makes a difference."""
    parts = _SPEC.fullmatch(spec)
    number_spec, flags = (parts["number"], parts["flags"]) if parts else (spec, "")
    number = _magnitude_text(quantity.magnitude, number_spec)
    if "L" not in flags:
        return _joined(number, unit_text(quantity.units))
    return rf"{_number_latex(number)}\,{latex}" if (latex := unit_latex(quantity.units)) else _number_latex(number)


def _magnitude_text(magnitude: Any, spec: str) -> str:
    if spec:
        return format(magnitude, spec)
    is_number = isinstance(magnitude, (int, float, Fraction)) and not isinstance(magnitude, bool)
    return number_text(magnitude) if is_number else str(magnitude)


def _number_latex(text: str) -> str:
    digits, _, power = text.partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if power.lstrip("+-").isdigit() else text


def _joined(number: str, unit: str) -> str:
    return f"{number} {unit}" if unit else number


@lru_cache(maxsize=1024)
def _text(unit: Any) -> str:
    above, below = _factors(unit)
    numerator = " ".join(_powered(factor, _text_power) for factor in above) or "1"
    denominator = " ".join(_powered(factor, _text_power) for factor in below)
    if not below:
        return numerator if above else ""
    return f"{numerator}/({denominator})" if len(below) > 1 else f"{numerator}/{denominator}"


@lru_cache(maxsize=1024)
def _latex(unit: Any) -> str:
    above, below = _factors(unit)
    if not above:  # s^{-1}, which stands better behind a number than 1/s
        above, below = [(symbol, -power) for symbol, power in below], []
    numerator = r"\,".join(_powered((_escaped(symbol), power), _latex_power) for symbol, power in above)
    denominator = r"\,".join(_powered((_escaped(symbol), power), _latex_power) for symbol, power in below)
    if below:
        numerator += f"/({denominator})" if len(below) > 1 else f"/{denominator}"
    return rf"\mathrm{{{numerator}}}" if numerator else ""


def _factors(unit: Any) -> tuple[list[_Factor], list[_Factor]]:
    """What stands above and below the stroke, each sorted by symbol: equal units print alike."""
    definitions = unit._REGISTRY._units
    powers = sorted((definitions[name].symbol, simple(power)) for name, power in unit._units.items())
    above = [(symbol, power) for symbol, power in powers if power > 0]
    return above, [(symbol, -power) for symbol, power in powers if power < 0]


def _powered(factor: _Factor, write: Callable[[Fraction], str]) -> str:
    symbol, power = factor
    return symbol if power == 1 else symbol + write(power)


def _text_power(power: Fraction) -> str:
    return f"^{power}" if power.denominator == 1 else f"^{_fractional(power)}"


def _fractional(power: Fraction) -> str:
    text = number_text(power)
    return f"({text})" if "/" in text else text


def _latex_power(power: Fraction) -> str:
    return f"^{{{number_text(power)}}}"


def _escaped(symbol: str) -> str:
    return "".join(_LATEX_SIGNS.get(sign, sign) for sign in symbol)
