"""`Scenarios`: the named instances of the catalogue, each loaded when it is first asked for.

What a catalogue module holds is read off its source text, so that listing the catalogue builds no definition. A class
statement and an assignment at the top level of a module is all that a scenario needs to be found.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module, resources
from typing import Any, NamedTuple

from ._definition import nearest
from ._scenario import Scenario
from .errors import InputError

_CATALOGUE = f"{__package__}.catalogue"


class Entry(NamedTuple):
    """A class or a named instance of the catalogue, not loaded yet.

    Attributes:
        name: Its name.
        subject: The module it stands in: `optimization`, `serving`, ...
        class_name: For an instance the name of its class; for a class its own.
        summary: For a class the first line of its docstring.
    """

    name: str
    subject: str
    class_name: str
    summary: str

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return self.name == self.class_name

    def load(self) -> Any:
        """Import the module and return the class or the instance."""
        return getattr(import_module(f"{_CATALOGUE}.{self.subject}"), self.name)


@cache
def entries() -> dict[str, Entry]:
    """Return all classes and instances of the catalogue by name, in the order of their modules."""
    found: dict[str, Entry] = {}
    for file in sorted(resources.files(_CATALOGUE).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py") and not file.name.startswith("_"):
            subject = file.name.removesuffix(".py")
            for entry in _entries_of(ast.parse(file.read_text(encoding="utf-8")), subject):
                found[entry.name] = entry
    return found


def _entries_of(module: ast.Module, subject: str) -> list[Entry]:
    classes: dict[str, Entry] = {}
    instances: list[Entry] = []
    for statement in module.body:
        match statement:
            case ast.ClassDef(name=name, bases=[ast.Name(id="Scenario")]):
                summary = (ast.get_docstring(statement) or "").partition("\n")[0]
                classes[name] = Entry(name, subject, name, summary)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=class_name))) if (
                class_name in classes
            ):
                instances.append(Entry(name, subject, class_name, ""))
    return [*classes.values(), *instances]


def catalogue_class(name: str) -> type[Scenario]:
    """Return a class of the catalogue by name.

    Raises:
        InputError: There is none; the message has the nearest name.
    """
    classes = [entry.name for entry in entries().values() if entry.is_class]
    if name not in classes:
        raise InputError(
            "the catalogue has no scenario class of that name",
            found=f"`{name[:80]}`",
            hint=nearest(name, classes) or f"There are: {', '.join(classes)}.",
        )
    return entries()[name].load()  # type: ignore[no-any-return]


class _Scenarios:
    """The named instances of the catalogue: `Scenarios.ResNet50CompileBreakeven`; `dir(Scenarios)` lists them."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        entry = entries().get(name)
        if entry is None or entry.is_class:
            names = dir(self)
            hint = nearest(name, names) or f"There are: {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
            raise AttributeError(f"the catalogue has no instance `{name[:80]}`. {hint}")
        instance = entry.load()
        self.__dict__[name] = instance
        return instance

    def __dir__(self) -> list[str]:
        return [entry.name for entry in entries().values() if not entry.is_class]

    def __repr__(self) -> str:
        return f"<Scenarios: {', '.join(dir(self))}>"


Scenarios = _Scenarios()
"""The named instances of the catalogue."""
