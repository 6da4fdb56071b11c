"""Which spellings name which unit: the table that every unit text is looked up in.

pint joins any prefix with any unit, so that `dB` would be a decibyte and `mb` a millibit. Here a prefix goes only with
the units that it is used with, and a spelling outside the table is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["Prefixed", "prefixed_units", "spellings"]

_LARGE = frozenset({"kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta"})
_SMALL = frozenset({"milli", "micro", "nano", "pico", "femto"})
_BINARY = frozenset({"kibi", "mebi", "gibi", "tebi", "pebi"})

#: A thousandth of a byte, an operation, a dollar or a token is a slip of the shift key (`mb`), not a unit.
_COUNTED = frozenset({
    "bit", "byte", "bit_per_second", "flop", "operation", "dollar", "tonne",
    "count", "item", "token", "request", "query", "parameter", "image", "frame", "sample", "example", "step",
    "epoch", "batch", "user", "device",
})  # fmt: skip
_MEASURED = frozenset({
    "second", "hertz", "meter", "gram", "liter", "newton", "pascal", "joule", "watt", "watt_hour", "electron_volt",
    "ampere", "ampere_hour", "coulomb", "volt", "ohm", "farad", "henry", "kelvin", "radian",
})  # fmt: skip

#: Units whose name is written with a prefix's symbol too: Gbit, Tflop.
_ALSO_SHORT = frozenset({"bit", "flop"})

#: K stands for 1000 before counted units only: KB, never KW.
_LOOSE_KILO = "K"


class Prefixed(NamedTuple):
    """A unit with a prefix, as pint names the two."""

    prefix: str
    unit: str

    @property
    def name(self) -> str:
        """The name of the two together, such as `gigabyte`."""
        return self.prefix + self.unit


def _prefixes_of(unit: str) -> frozenset[str]:
    if unit in {"bit", "byte"}:
        return _LARGE | _BINARY
    if unit in _COUNTED:
        return _LARGE
    if unit == "meter":
        return _LARGE | _SMALL | {"centi"}
    return _LARGE | _SMALL if unit in _MEASURED else frozenset()


def prefixed_units(units: Iterable[str]) -> Iterator[Prefixed]:
    """Every permitted prefix of every unit; `units` are names that carry no prefix themselves."""
    for unit in units:
        for prefix in sorted(_prefixes_of(unit)):
            yield Prefixed(prefix, unit)


def spellings(units: Mapping[str, Any], prefixes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every spelling with the name that it stands for, units without a prefix first.

    Args:
        units: pint's definitions by name, only those without a prefix.
        prefixes: pint's prefix definitions by name.
    """
    for definition in units.values():
        for spelling in (*_long(definition), *_short(definition), *_plurals(_long(definition))):
            yield spelling, definition.name
    for pair in prefixed_units(units):
        for spelling in _prefixed_spellings(units[pair.unit], prefixes[pair.prefix]):
            yield spelling, pair.name


def _prefixed_spellings(definition: Any, prefix: Any) -> Iterator[str]:
    names = _long(definition)
    yield from (prefix.name + name for name in (*names, *_plurals(names)))
    symbols = [prefix.symbol, *prefix.aliases]
    if definition.name not in _COUNTED:
        symbols = [symbol for symbol in symbols if symbol != _LOOSE_KILO]
    short = list(_short(definition))
    if definition.name in _ALSO_SHORT or not definition.has_symbol:
        short += [definition.name, *_plurals((definition.name,))]
    yield from (symbol + name for symbol in symbols for name in short)


def _long(definition: Any) -> tuple[str, ...]:
    """The name, and further spellings that are words: octet, watthour."""
    return (definition.name, *(alias for alias in definition.aliases if alias.islower() and len(alias) > 3))


def _short(definition: Any) -> tuple[str, ...]:
    """The symbol and all further spellings."""
    return (*((definition.symbol,) if definition.has_symbol else ()), *definition.aliases)


def _plurals(names: Iterable[str]) -> tuple[str, ...]:
    """The plurals of words. A percent has none, and neither has a flop: `teraflops` is written for a rate."""
    singular = ("z", "s", "percent", "ppm", "_per_second", "_per_minute", "flop")
    return tuple(_plural(name) for name in names if not name.endswith(singular))


def _plural(name: str) -> str:
    if name.endswith("ch"):
        return name + "es"
    return name[:-1] + "ies" if name.endswith("ry") else name + "s"
