"""What to write instead of an unknown unit."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from ..errors import InputError
from .numerals import quoted

__all__ = ["unknown_unit"]

#: Names that people do write, and why they are no unit here.
_KNOWN_MISTAKES = (
    (r"[kKMGTPEZY]?(FLOPS|Flops|flops)|(kilo|mega|giga|tera|peta|exa)flops",
     'It is written both for an amount and for a rate: write "TFLOP/s" for the rate, "TFLOP" for the amount.'),
    (r"[kKMGTPE]?OPS", 'Write "TOP/s" for a rate of operations, "TOP" for an amount.'),
    (r"(delta_)?deg[CF]|celsius|fahrenheit",
     "Units with an offset are not read: write an absolute temperature or a difference in kelvin."),
    (r"d[Bb]m?|decibels?", "Logarithmic units are not read: write the ratio itself."),
    (r"per", 'Write "/": "1450/s".'),
    (r"[A-Z]{3}", "The only currency is USD: a rate to another one is an input."),
)  # fmt: skip


def unknown_unit(spelling: str, text: str, names: Mapping[str, str]) -> InputError:
    """The error for a unit that is in no table, with the nearest spellings that are.

    Args:
        spelling: The part that is unknown.
        text: The whole text, shown in the error.
        names: Every spelling of a unit with the unit's name.
    """
    hint = _reason(spelling, bool(nearest := _nearest(spelling, names)))
    if not hint and nearest:
        described = (name if names[name] == name else f"{name} ({names[name]})" for name in nearest)
        hint = f"The nearest units are: {', '.join(described)}." if len(nearest) > 1 else f"Is {next(described)} meant?"
    found = quoted(spelling) if spelling == text else f"{quoted(spelling)} in {quoted(text)}"
    return InputError("the unit is unknown", found=found, hint=hint or 'Write a unit such as "s", "GB" or "TFLOP/s".')


def _reason(spelling: str, has_nearest: bool) -> str:
    for pattern, reason in _KNOWN_MISTAKES:
        if re.fullmatch(pattern, spelling) and not (has_nearest and pattern == "[A-Z]{3}"):
            return reason
    return ""


def _nearest(spelling: str, names: Mapping[str, str]) -> list[str]:
    """One spelling for each near unit: those that differ in case only, else those that difflib finds near."""
    if not 2 <= len(spelling) <= 40:  # one letter is near to too much
        return []
    lower = spelling.lower()
    near = [name for name in names if name.lower() == lower]
    if not near and len(spelling) > 2:
        near = difflib.get_close_matches(spelling, list(names), n=4, cutoff=0.75)
    first = {names[name]: name for name in reversed(near)}
    return list(reversed(first.values()))[:3]
