"""What a NAME and a `name=value` on the command line mean."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._scenario import Scenario


_COMPARISON = re.compile(r"\s*(\w+)\s*(<=|>=|==|<|>|=)\s*(\S.{0,200}?)\s*")


class UsageError(Exception):
    """The command was not understood."""


def find(name: str) -> Any:
    """Return the class or the instance that a NAME means."""
    from .._instances import entries
    from .._interchange import load
    from .._scenario import Scenario

    if name.lower().endswith((".toml", ".json")):
        return load(name)
    if ":" in name:
        return _imported(name)
    entry = entries().get(name)
    if entry is None:
        from .._definition import nearest

        hint = nearest(name, list(entries())) or "`symbolic-scenarios list` shows what there is."
        raise UsageError(f"the catalogue has no scenario {name[:80]!r}. {hint}")
    found = entry.load()
    assert isinstance(found, Scenario) or issubclass(found, Scenario)
    return found


def _imported(name: str) -> Any:
    """Import the class or the instance of `module:Class`."""
    from importlib import import_module

    from .._scenario import Scenario

    module_name, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module beside the caller, as `python -m` finds it
    try:
        found: Any = import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:
        if hasattr(error, "place"):
            raise
        raise UsageError(f"{name} can't be imported: {type(error).__name__}: {error}") from None
    if not isinstance(found, Scenario) and not (
        isinstance(found, type) and issubclass(found, Scenario) and found is not Scenario
    ):
        raise UsageError(f"{name} is no scenario class and no scenario")
    return found


def pairs_of(texts: list[str]) -> dict[str, str]:
    """Return what a list of `name=value` sets."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise UsageError(f"{text[:80]!r} is not of the form name=value")
        if name in pairs:
            raise UsageError(f"{name[:60]!r} is set twice")
        pairs[name] = value
    return pairs


def comparison(text: str) -> tuple[str, str, str]:
    """Return the property, the relation and the value of `property < value`."""
    found = _COMPARISON.fullmatch(text)
    if found is None:
        raise UsageError(f"{text[:80]!r} is not of the form 'property < value', with <, <=, >, >= or ==")
    left, sign, right = found.groups()
    return left, "==" if sign == "=" else sign, right


def made(found: Any, changes: dict[str, str]) -> Scenario:
    """Return a scenario: an instance with changes, or one of a class with these inputs."""
    return found(**changes) if isinstance(found, type) else found.variant(**changes) if changes else found  # type: ignore[no-any-return]
