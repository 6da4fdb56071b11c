"""Numbers: read exactly from text and from Python values, and written so that they read back as the same number.

A number is kept as the fraction that its shortest decimal stands for: 0.1 is 1/10, not the nearest binary fraction.
"""

from __future__ import annotations

import decimal
import math
import numbers
import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..errors import InputError

__all__ = ["number_text", "quoted", "read_number", "shortest"]

_EXPONENT_LIMIT = 400
_LARGEST = Fraction(sys.float_info.max)
_SMALLEST = Fraction("5e-324")
#: A longer integer is beyond float64; Python itself refuses to print it at 4300 digits.
_BIT_LIMIT = sys.float_info.max_exp

_DIGITS = r"[0-9]+(?:_[0-9]+)*"
# The look-ahead keeps `1/2.5` and `1/2e5` from being read as the ratio 1/2.
_RATIO = re.compile(rf"(?P<above>[+-]?{_DIGITS})/(?P<below>{_DIGITS})(?![0-9._eE])")
_DECIMAL = re.compile(
    rf"(?P<digits>[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS}))(?:[eE](?P<power>[+-]?[0-9]+))?"
)


def quoted(text: str, limit: int = 40) -> str:
    """The text in quotes for an error message, shortened and without control characters."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def read_number(text: str) -> tuple[Fraction, str] | None:
    """The number that `text` starts with, exactly, and the rest of the text; None where it starts with none.

    Raises:
        InputError: The number is beyond float64, or a ratio with the denominator zero.
    """
    if ratio := _RATIO.match(text):
        above, below = (int(ratio[part].replace("_", "")) for part in ("above", "below"))
        if below == 0:
            raise InputError("a ratio needs a denominator other than zero", found=quoted(text))
        return _bounded(Fraction(above, below), text), text[ratio.end() :]
    if number := _DECIMAL.match(text):
        power = number["power"] or "0"
        if len(power) > 5 or abs(int(power)) > _EXPONENT_LIMIT:
            raise _out_of_range(text)
        value = Fraction(number["digits"].replace("_", "")) * Fraction(10) ** int(power)
        return _bounded(value, text), text[number.end() :]
    return None


def shortest(value: Any) -> Fraction:
    """The fraction that a number's shortest decimal stands for: 0.1 gives 1/10.

    Args:
        value: An int, float, Fraction, Decimal or numpy scalar, finite.

    Raises:
        InputError: The value is no real number (a truth value, a complex number, text), not finite, or beyond float64.
    """
    fraction = _fraction(value)
    if fraction is None:
        is_number = isinstance(value, (float, Decimal)) or type(value).__module__ == "numpy"
        problem = "a finite number is expected" if is_number else "a real number is expected"
        raise InputError(problem, found=f"{quoted(str(value))} ({type(value).__name__})")
    return _bounded(fraction, str(value) if isinstance(value, float) else "a number")


def _fraction(value: Any) -> Fraction | None:
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return None
    if isinstance(value, float):  # np.float64 too, whose own repr is `np.float64(0.1)`
        return Fraction(float.__repr__(value)) if math.isfinite(value) else None
    if isinstance(value, numbers.Rational):  # int, Fraction, numpy's integers, SymPy's rationals
        above, below = int(value.numerator), int(value.denominator)
        if max(above.bit_length(), below.bit_length()) > 4 * _BIT_LIMIT:
            raise _out_of_range("a number")
        return Fraction(above, below)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return None
        if value and abs(value.adjusted()) > _EXPONENT_LIMIT:  # Fraction(Decimal("1e999999999")) would not end
            raise _out_of_range(str(value))
        return Fraction(value) if value else Fraction(0)
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return _numpy_fraction(value)
    return None


def _numpy_fraction(value: Any) -> Fraction | None:
    import numpy

    scalar = value[()]
    if isinstance(scalar, numpy.floating) and numpy.isfinite(scalar):
        # In the value's own precision: float32(0.1) is 1/10, although its float is 0.10000000149.
        return Fraction(numpy.format_float_scientific(scalar, unique=True, trim="0"))
    return Fraction(int(scalar)) if isinstance(scalar, numpy.integer) else None


def _bounded(value: Fraction, text: str) -> Fraction:
    if value and not _SMALLEST <= abs(value) <= _LARGEST:
        raise _out_of_range(text)
    return value


def _out_of_range(text: str) -> InputError:
    return InputError("the number is beyond float64", found=quoted(text), expected="5e-324 to 1.7e308 in size")


def number_text(value: float | Fraction, digits: int | None = None) -> str:
    """A number as text, such as `1450`, `3.35`, `1e20` or `1/3`.

    Args:
        value: An int, float, Fraction or numpy scalar.
        digits: How many significant digits to round to; None writes the shortest text that reads back as this number.
    """
    if isinstance(value, numbers.Rational) and digits is None:
        return _exact_text(Fraction(int(value.numerator), int(value.denominator)))
    if digits is None:
        return _tidy(float.__repr__(value) if isinstance(value, float) else str(value))
    rounded = float(f"{float(value):.{digits}g}")
    if math.isfinite(rounded) and abs(rounded) >= 10.0 ** max(digits, 6):
        return _tidy(f"{rounded:.{digits - 1}e}")
    return _tidy(repr(rounded))


def _exact_text(value: Fraction) -> str:
    try:
        near = float(value)
    except OverflowError:
        near = math.inf
    if math.isfinite(near) and Fraction(repr(near)) == value:
        return _tidy(repr(near))
    if value.denominator == 1:
        return str(value.numerator)
    with decimal.localcontext(prec=_EXPONENT_LIMIT, Emin=-9999, Emax=9999) as context:
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        if context.flags[decimal.Inexact]:
            return f"{value.numerator}/{value.denominator}"
    return _tidy(str(exact))


def _tidy(text: str) -> str:
    """Python's text for a number without the parts that say nothing: 1450.0 is 1450, 1e+16 is 1e16, -0.0 is 0."""
    digits, _, power = text.lower().partition("e")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    if digits in {"-0", "0", ""}:
        return "0"
    return f"{digits}e{int(power)}" if power else digits
