r"""Numbers in LaTeX: rounded to significant digits, grouped by thousands (`133\,607`), `1.5 \times 10^{9}`."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any

from .._units import Unit, unit_latex
from .pieces import Binding, Edge, Piece

_SMALLEST_PLAIN = -4
_LARGEST_PLAIN = 6


def rounded(value: Fraction, digits: int) -> Decimal:
    """Return a number rounded to significant digits, half to even; exact where it has no more digits than that."""
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=-99_999, Emax=99_999)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def number_piece(value: Decimal, *, written_out: bool = False) -> Piece:
    """Return a decimal number as a piece; `written_out` keeps a whole number from becoming a power of ten."""
    text = "".join(map(str, value.as_tuple().digits)).rstrip("0") or "0"
    first = value.adjusted() if text != "0" else 0  # the power of ten of the first digit
    minus = "-" if value < 0 else ""
    if written_out or _SMALLEST_PLAIN <= first < max(_LARGEST_PLAIN, len(text)):
        written = minus + _grouped(_plain(text, first))
        binding = Binding.PRODUCT if minus else Binding.ATOM
        width = len(written.replace(r"\,", ""))
        return Piece(written, width, binding, Edge.DIGIT, Edge.DIGIT, bool(minus), takes_power=r"\," not in written)
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    if mantissa == "1":
        return Piece(rf"{minus}10^{{{first}}}", 4, Binding.POWER, Edge.DIGIT, Edge.DIGIT, bool(minus))
    written = rf"{minus}{mantissa} \times 10^{{{first}}}"
    return Piece(written, len(mantissa) + 5, Binding.QUANTITY, Edge.DIGIT, Edge.DIGIT, bool(minus))


def _plain(text: str, first: int) -> str:
    if first < 0:
        return "0." + "0" * (-first - 1) + text
    above = text[: first + 1].ljust(first + 1, "0")
    return f"{above}.{text[first + 1 :]}" if len(text) > first + 1 else above


def _grouped(number: str) -> str:
    digits, point, rest = number.partition(".")
    if len(digits) < 5:
        return number
    start = len(digits) % 3 or 3
    groups = [digits[:start], *(digits[place : place + 3] for place in range(start, len(digits), 3))]
    return r"\,".join(groups) + point + rest


def quantity_piece(value: Decimal, unit: Unit, *, written_out: bool = False) -> Piece:
    """Return a number with its unit as a piece."""
    number, sign = number_piece(value, written_out=written_out), unit_latex(unit)
    if not sign:
        return number
    written = rf"{number.latex}\,{sign}"
    width = number.width + len(sign.replace(r"\mathrm", "").replace(r"\,", "").strip("{}")) + 0.3
    return Piece(written, width, Binding.QUANTITY, Edge.QUANTITY, Edge.QUANTITY, number.signed)


def exact_piece(leaf: Any) -> Piece:
    """Return an exact number of an expression: a rational, pi, E, infinity."""
    if leaf.is_Integer:
        return number_piece(Decimal(int(leaf)), written_out=True)
    if leaf.is_Rational:
        minus = "-" if leaf < 0 else ""
        above, below = (number_piece(Decimal(int(part)), written_out=True) for part in (abs(leaf.p), leaf.q))
        written = rf"{minus}\frac{{{above.latex}}}{{{below.latex}}}"
        binding = Binding.PRODUCT if minus else Binding.FUNCTION
        return Piece(written, max(above.width, below.width) + 0.5, binding, Edge.FRACTION, Edge.FRACTION, bool(minus))
    if leaf.is_infinite:
        return Piece(r"\infty", 1.5) if leaf > 0 else Piece(r"-\infty", 2.5, Binding.PRODUCT, signed=True)
    return Piece(_CONSTANTS.get(str(leaf), rf"\mathrm{{{leaf}}}"), 1)


_CONSTANTS = {"pi": r"\pi", "E": "e", "GoldenRatio": r"\varphi", "EulerGamma": r"\gamma", "Catalan": "G"}
