"""Scenarios as data: dictionaries for JSON, and scenario files in TOML or JSON.

Data names a class of the catalogue, never a module to import, and is read by the standard library's readers: nothing
in it is ever executed.
"""

from __future__ import annotations

import json
import tomllib
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from ._definition import Definition
from ._forms import form
from ._instances import catalogue_class
from ._scenario import Scenario, definition
from ._text import text
from ._units import unit_text
from .errors import InputError, ScenarioError

LARGEST_FILE = 1_000_000
"""Bytes of the largest scenario file that is read."""
_KEYS = ("scenario", "name", "description", "inputs")
_EXAMPLE = 'Write scenario = "CompileBreakevenScenario" and a table [inputs] with lines such as compile_time = "30 s".'


def to_dict(x: type[Scenario] | Scenario) -> dict[str, Any]:
    """Return a scenario as a dictionary that JSON can hold.

    An instance gives its class, labels and inputs, with units as text and to full precision: `from_dict` reads them
    back to an equal scenario. A class gives its definition, as text: inputs, equations, conditions, units.
    """
    if isinstance(x, Scenario):
        inputs = {key: _data(given.text) for key, given in x._given.items() if given is not None}
        labels = {key: value for key in ("name", "description") if (value := getattr(x, key))}
        return {"scenario": type(x).__name__, **labels, "inputs": inputs}
    return _class_data(definition(x), x)


def _data(written: str) -> str | int:
    return int(written) if written.isdigit() and len(written) <= 15 else written


def _class_data(this: Definition, cls: type[Scenario]) -> dict[str, Any]:
    return {
        "scenario": this.name,
        "doc": this.doc,
        "inputs": {
            part.name: {"unit": unit_text(part.unit), "doc": part.doc, "domain": cls._readers[part.name].domain_text()}
            for part in this.inputs.values()
        },
        "constants": {
            part.name: {
                "value": str(part.value),
                "unit": unit_text(part.unit),
                "doc": part.doc,
                "source": part.citation,
            }
            for part in this.constants.values()
        },
        "properties": {
            part.name: {"unit": unit_text(part.unit), "doc": part.doc, **_equation(this, part.name)}
            for part in this.derived
        },
        "constraints": {
            part.name: {"condition": text(part.tree), "doc": part.doc} for part in this.constraints.values()
        },
    }


def _equation(this: Definition, name: str) -> dict[str, Any]:
    found = form(this, name)
    if found.refusal is not None:
        return {"refusal": str(found.refusal)}
    return {"equation": text(found.tree), "requires": [text(condition) for condition in found.requires]}


def from_dict(data: Any, cls: type[Scenario] | None = None) -> Scenario:
    """Return the scenario that a dictionary (of `to_dict`, or of a scenario file) describes.

    Args:
        data: `{"scenario": class name, "inputs": {name: text or number}}`, and `name` and `description` if wanted.
        cls: The class to make; without it, the data names a class of the catalogue.

    Raises:
        InputError: The data is not of that form, or an input is no value of its kind.
    """
    return _read(data, cls, "data")


def load(path: str | Path, cls: type[Scenario] | None = None) -> Scenario:
    """Return the scenario of a file in TOML or JSON.

    Args:
        path: A file whose name ends in `.toml` or `.json`.
        cls: The class to make; without it, the file names a class of the catalogue.

    Raises:
        InputError: The file can't be read or is not of the form of `from_dict`; the message names the file.
    """
    file = Path(path)
    try:
        return _read(_parsed(file), cls, file.name)
    except ScenarioError as error:
        if not error.place.startswith(file.name):
            error.place = f"{file.name}, {error.place}" if error.place else file.name
        raise


def _read(data: Any, cls: type[Scenario] | None, place: str) -> Scenario:
    if not isinstance(data, dict):
        _refuse("the data is no table", place, found=type(data).__name__, hint=_EXAMPLE)
    for key in data:
        if key not in _KEYS:
            _refuse(
                "there is no such entry", place, found=f"`{str(key)[:60]}`", expected=", ".join(_KEYS), hint=_EXAMPLE
            )
    inputs = data.get("inputs", {})
    if not isinstance(inputs, dict) or not all(isinstance(key, str) for key in inputs):
        _refuse("`inputs` is no table of names and values", place, found=repr(inputs)[:60], hint=_EXAMPLE)
    for key, value in inputs.items():
        if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal, Fraction)):
            _refuse("an input is a number or text with a unit", place, found=f"{key} = {value!r:.60}", hint=_EXAMPLE)
    labels = {key: data[key] for key in ("name", "description") if key in data}
    return _class_for(data, cls, place)(**_not_labels(inputs, place), **labels)


def _not_labels(inputs: dict[str, Any], place: str) -> dict[str, Any]:
    for key in ("name", "description"):
        if key in inputs:
            _refuse(
                f"`{key}` is no input",
                place,
                found=f"inputs.{key}",
                hint=f"Write `{key}` beside `scenario`, not in `inputs`.",
            )
    return inputs


def _class_for(data: dict[str, Any], cls: type[Scenario] | None, place: str) -> type[Scenario]:
    named = data.get("scenario", None if cls is None else cls.__name__)
    if not isinstance(named, str):
        _refuse("it names no scenario class", place, found=repr(named)[:60], hint=_EXAMPLE)
    if cls is None:
        return catalogue_class(named)
    definition(cls)  # it is a scenario class
    if named != cls.__name__:
        _refuse("it is of another class", place, found=f"`{named[:80]}`", expected=f"`{cls.__name__}`")
    return cls


def _parsed(file: Path) -> Any:
    readers = {".toml": _toml, ".json": _json}
    if file.suffix.lower() not in readers:
        _refuse(
            "the file is neither TOML nor JSON by its name", file.name, expected="a name that ends in .toml or .json"
        )
    written = _text_of(file)
    try:
        return readers[file.suffix.lower()](written)
    except RecursionError:
        _refuse("the file is nested too deeply", file.name)
    except ValueError as error:
        _refuse(f"the file is not well formed: {error}", file.name)


def _text_of(file: Path) -> str:
    try:
        size = file.stat().st_size
        data = file.read_bytes() if size <= LARGEST_FILE else b""
    except (OSError, ValueError) as error:
        _refuse(f"the file can't be read ({getattr(error, 'strerror', None) or error})", file.name)
    if size > LARGEST_FILE:
        _refuse("the file is too large", file.name, found=f"{size} bytes", expected=f"at most {LARGEST_FILE}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse("the file is not UTF-8 text", file.name, found=f"byte {data[error.start]:#04x} at {error.start}")


def _toml(written: str) -> Any:
    return tomllib.loads(written, parse_float=_decimal)


def _json(written: str) -> Any:
    return json.loads(written, parse_float=_decimal, parse_constant=_decimal, object_pairs_hook=_without_repeats)


def _decimal(written: str) -> Decimal:
    try:
        number = Decimal(written)
    except InvalidOperation:
        raise ValueError(f"{written[:40]} is no number") from None
    if not number.is_finite():
        raise ValueError(f"{written[:40]} is not finite")
    return number


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {repeated[:60]!r} stands there twice")
    return table


def _refuse(problem: str, place: str, **parts: Any) -> NoReturn:
    raise InputError(problem, place=place, **parts)
