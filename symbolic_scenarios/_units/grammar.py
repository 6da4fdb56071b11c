"""The grammar of quantity text: `3.35 TB/s`, `10 %`, `1450/s`, `J/(kg K)`.

Text is data. It is cut into tokens by one regular expression and read by a small recursive descent; nothing of it
reaches `eval` or pint's own evaluator (which reads `1 000 hour` as 0 and does not come back from `9**9**9`). Every text
has one right reading or is refused with what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from ..errors import InputError
from .numerals import quoted, read_number
from .suggestions import unknown_unit

__all__ = ["POWER_LIMIT", "Powers", "read_quantity", "read_unit"]

#: Unit names, each with its power; pint keeps whole powers as int and others as float.
Powers = dict[str, "int | float"]

POWER_LIMIT = 12
_LENGTH_LIMIT = 200
_DEPTH_LIMIT = 4

# Signs that look alike are one: micro and the Greek mu, ohm and omega, minus and hyphen, all spaces.
_SAME = str.maketrans({"μ": "µ", "\u2126": "Ω", "−": "-", "·": "*", "⋅": "*", "×": "*", "\t": " ", "\u00a0": " "})
_SAME |= str.maketrans({"\u202f": " ", "\u2009": " "})
_SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")

_POWER = r"[+-]?[0-9]{1,3}(?:\.[0-9]{1,17})?"
_TOKEN = re.compile(
    rf"""\ *(?:
      (?P<name>[A-Za-zµΩ%$_]+)
    | (?P<power>(?:\*\*|\^)\ *(?:{_POWER}|\(\ *{_POWER}(?:/[0-9]{{1,3}})?\ *\)))
    | (?P<superscript>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}})
    | (?P<number>[0-9.]+)
    | (?P<mark>[*/()])
    )\ *""",
    re.VERBOSE,
)


class _Token(NamedTuple):
    kind: str
    text: str


def read_quantity(text: str, names: Mapping[str, str]) -> tuple[Fraction, Powers]:
    """The number, exactly as written, and the powers of the units of a quantity's text.

    Args:
        text: Such as `3.35 TB/s`.
        names: Every spelling of a unit with the unit's name.

    Raises:
        InputError: The text has no right reading; the error shows it and says what to write.
    """
    plain = _plain(text)
    if not plain:
        raise InputError("a quantity is expected", found="empty text", hint='Write a number and a unit, such as "3 s".')
    parts = read_number(plain)
    if parts is None:
        raise _no_number(text, plain, names)
    number, rest = parts
    _refuse_broken_number(text, plain, rest)
    unit = rest.strip(" ")
    return number, {} if unit == "dimensionless" else _Reader(text, unit, names).powers()


def read_unit(text: str, names: Mapping[str, str]) -> Powers:
    """The powers of the units of a unit's text; empty text, `1` and `dimensionless` are no unit.

    Raises:
        InputError: The text has no right reading, or carries a number.
    """
    plain = _plain(text)
    return {} if plain in {"", "1", "dimensionless"} else _Reader(text, plain, names).powers()


def _plain(text: str) -> str:
    if not isinstance(text, str):
        raise InputError("text is expected", found=type(text).__name__)
    if len(text) > _LENGTH_LIMIT:
        hint = f"A quantity has at most {_LENGTH_LIMIT} characters."
        raise InputError("the text is too long", found=f"{quoted(text)} ({len(text)} characters)", hint=hint)
    return text.translate(_SAME).strip(" ")


def _no_number(text: str, plain: str, names: Mapping[str, str]) -> InputError:
    if re.match(r"[+-]?(nan|inf|infinity)\b", plain, re.IGNORECASE):
        return InputError("the number has to be finite", found=quoted(text))
    if plain.startswith("$"):
        return InputError("the unit stands after the number", found=quoted(text), hint='Write "2.5 $/hour".')
    _Reader(text, plain, names).powers()  # an unknown unit is the better thing to report
    hint = f'Write "1 {plain}" if one is meant.' if plain[0] != "/" else f'Write "1{plain}" if one is meant.'
    return InputError("a number is missing", found=quoted(text), hint=hint)


def _refuse_broken_number(text: str, plain: str, rest: str) -> None:
    """Refuse what looks like more of the number: a decimal comma, grouping by spaces, arithmetic, a second number."""
    read = plain[: len(plain) - len(rest)]
    if comma := re.match(r" *,[0-9]+", rest):
        decimal = f"{read}.{comma[0].lstrip(' ,')}"
        hint = f'Write "{decimal}" for a decimal, or group thousands as "1_000".'
        raise InputError("a comma is not read in a number", found=quoted(text), hint=hint)
    if group := re.match(r"(?: [0-9]{3})+(?![0-9])", rest):
        joined = (read + group[0]).split()
        hint = f'Write "{"".join(joined)}" or "{"_".join(joined)}" if one number is meant.'
        raise InputError("spaces inside a number are ambiguous", found=quoted(text), hint=hint)
    if re.match(r"[_.'*^+⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹-]", rest):
        hint = 'Write one number and its unit, such as "1_000.5 s"; nothing is calculated here.'
        raise InputError("the number cannot be read", found=quoted(text), hint=hint)


class _Reader:
    """Reads the unit part of one text. `text` is what is shown in errors, `rest` what is read."""

    def __init__(self, text: str, rest: str, names: Mapping[str, str]) -> None:
        self._text = text
        self._names = names
        self._tokens = self._cut(rest)
        self._place = 0

    def _cut(self, rest: str) -> list[_Token]:
        tokens = []
        place = 0
        while place < len(rest):
            match = _TOKEN.match(rest, place)
            if match is None or match.lastgroup is None:
                raise self._error(f"{rest[place]!r} cannot be read in a unit")
            tokens.append(_Token(match.lastgroup, match[match.lastgroup]))
            place = match.end()
        return tokens

    def powers(self) -> Powers:
        """The whole text's units with their powers."""
        result = self._quotient(_DEPTH_LIMIT) if self._tokens else {}
        if self._place < len(self._tokens):
            raise self._unexpected()
        return result

    def _quotient(self, depth: int) -> Powers:
        """`product / factor / factor`; after a stroke one factor only, since `W/m K` has two readings."""
        powers: Powers = {}
        if self._next() == _Token("number", "1") and self._next(1) == _Token("mark", "/"):
            self._place += 1
        elif self._next() != _Token("mark", "/"):
            powers = self._product(depth)
        strokes = 0
        while self._next() == _Token("mark", "/"):
            self._place += 1
            strokes += 1
            _multiply(powers, self._factor(depth), -1)
        if strokes and self._starts_factor():
            raise self._ambiguous()
        return powers

    def _product(self, depth: int) -> Powers:
        powers = self._factor(depth)
        while self._starts_factor():
            if self._next() == _Token("mark", "*"):
                self._place += 1
            _multiply(powers, self._factor(depth), 1)
        return powers

    def _factor(self, depth: int) -> Powers:
        token = self._next()
        if token is not None and token.kind == "name":
            self._place += 1
            powers: Powers = {self._name(token.text): 1}
        elif token == _Token("mark", "(") and depth:
            self._place += 1
            powers = self._quotient(depth - 1)
            if self._next() != _Token("mark", ")"):
                raise self._error("a bracket is not closed") if self._next() is None else self._unexpected()
            self._place += 1
        else:
            raise self._unexpected()
        return _raised(powers, self._exponent())

    def _exponent(self) -> Fraction:
        token = self._next()
        if token is None or token.kind not in {"power", "superscript"}:
            return Fraction(1)
        self._place += 1
        digits = token.text.translate(_SUPERSCRIPTS).strip("*^() ").replace(" ", "")
        above, _, below = digits.partition("/")
        if below and not below.strip("0"):
            raise self._error("a power needs a denominator other than zero")
        power = Fraction(above) / Fraction(below or "1")
        if abs(power) > POWER_LIMIT:
            raise self._error(f"the power {digits} is out of range, at most {POWER_LIMIT} is read")
        return power

    def _name(self, spelling: str) -> str:
        try:
            return self._names[spelling]
        except KeyError:
            raise unknown_unit(spelling, self._text, self._names) from None

    def _next(self, ahead: int = 0) -> _Token | None:
        place = self._place + ahead
        return self._tokens[place] if place < len(self._tokens) else None

    def _starts_factor(self) -> bool:
        token = self._next()
        return token is not None and (token.kind == "name" or token.text in {"*", "("})

    def _unexpected(self) -> InputError:
        token = self._next()
        if token is None:
            return self._error("the unit ends too early")
        if token.kind == "number":
            hint = 'Write one number and one unit, such as "1.5 hour" or "90 minute"; a power is written m^2.'
            return self._error(f"a second number {token.text!r} stands in the unit", hint)
        return self._error(f"{token.text!r} does not fit there")

    def _ambiguous(self) -> InputError:
        hint = 'Write "W/(m K)" where both are below the stroke, "W K/m" where only one is.'
        return self._error("a product after a stroke is ambiguous", hint)

    def _error(self, problem: str, hint: str = "") -> InputError:
        hint = hint or 'Write a number and a unit, such as "3.35 TB/s", "1450/s" or "5 J/(kg K)".'
        return InputError(problem, found=quoted(self._text), hint=hint)


def _multiply(powers: Powers, others: Powers, sign: int) -> None:
    for name, power in others.items():
        total = powers.pop(name, 0) + sign * power
        if total:
            powers[name] = total


def _raised(powers: Powers, exponent: Fraction) -> Powers:
    if exponent == 0:
        return {}
    scaled = {name: Fraction(power) * exponent for name, power in powers.items()}
    return {name: int(power) if power.denominator == 1 else float(power) for name, power in scaled.items()}
