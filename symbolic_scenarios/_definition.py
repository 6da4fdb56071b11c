"""The one record of a scenario class: symbols, expressions, units, domains, conditions, order.

`_class_body` reads the declarations once, when the class is complete, and checks them. All else in this package reads
the `Definition`, never the declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

import sympy

from ._dimensions import Dimension
from ._domains import Domain
from ._tree import Tree, symbols
from ._units import Unit
from .errors import InputError

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Defined:
    """What every named part has.

    Attributes:
        name: The attribute's name.
        place: `Class.name (file.py:12)`, for messages.
        doc: One sentence that says what it is.
        latex: Its symbol in LaTeX, where the author gave one.
        symbol: Its SymPy symbol: a magnitude in base units.
        unit: The declared unit.
        dimension: The unit's dimension.
    """

    name: str
    place: str
    doc: str
    latex: str | None
    symbol: sympy.Symbol
    unit: Unit
    dimension: Dimension


@dataclass(frozen=True, eq=False)
class DefinedInput(Defined):
    """An input: its domain in base units, and the default as it was given."""

    domain: Domain
    default: Any


@dataclass(frozen=True, eq=False)
class DefinedConstant(Defined):
    """A constant: its exact magnitude in base units, its value as it was given, and where it comes from."""

    magnitude: Fraction
    value: Fraction
    citation: str


@dataclass(frozen=True, eq=False)
class DefinedProperty(Defined):
    """A property: its expression as written, its conditions, and what it means that they fail."""

    tree: Tree
    requires: tuple[Tree, ...]
    otherwise: str
    is_integer: bool


@dataclass(frozen=True, eq=False)
class DefinedInverse(Defined):
    """An inverse: `of` takes the value `target` (in base units); `unknown` is looked for."""

    of: str
    target: Tree
    unknown: str
    branch: int | None


@dataclass(frozen=True, eq=False)
class DefinedConstraint:
    """A condition on the whole scenario."""

    name: str
    place: str
    doc: str
    tree: Tree


@dataclass(frozen=True, eq=False)
class Definition:
    """All that a scenario class says, read once.

    Attributes:
        name: The name of the class.
        doc: Its docstring.
        inputs: The inputs by name, in the order of declaration.
        constants: The constants.
        properties: The properties.
        inverses: The inverses.
        constraints: The constraints.
        order: The names of all that has a value, in an order in which each can be computed from those before it.
    """

    name: str
    doc: str
    inputs: Mapping[str, DefinedInput]
    constants: Mapping[str, DefinedConstant]
    properties: Mapping[str, DefinedProperty]
    inverses: Mapping[str, DefinedInverse]
    constraints: Mapping[str, DefinedConstraint]
    order: tuple[str, ...]
    _memory: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        kinds = ("inputs", "constants", "properties", "inverses", "constraints")
        counts = [f"{kind} {len(getattr(self, kind))}" for kind in kinds if getattr(self, kind)]
        return f"<Definition of {self.name}: {', '.join(counts) or 'empty'}>"

    @property
    def derived(self) -> Iterator[DefinedProperty | DefinedInverse]:
        """Properties and inverses in the order of declaration."""
        return (part for name in self.order if isinstance(part := self.part(name), (DefinedProperty, DefinedInverse)))

    @property
    def places(self) -> Mapping[str, int]:
        """The place of each name in the order."""
        return self.remembered("places", lambda: {name: place for place, name in enumerate(self.order)})

    def part(self, name: str) -> DefinedInput | DefinedConstant | DefinedProperty | DefinedInverse:
        """Return the input, constant, property or inverse of a name.

        Raises:
            KeyError: There is none.
        """
        kinds: tuple[Mapping[str, Any], ...] = (self.inputs, self.properties, self.inverses, self.constants)
        for kind in kinds:
            if name in kind:
                return kind[name]  # type: ignore[no-any-return]  # the four have no common type of value
        raise KeyError(name)

    def needs(self, name: str) -> tuple[str, ...]:
        """Return the names that the expression (or the inverse's question) of `name` is made of."""
        part = self.part(name)
        if isinstance(part, DefinedProperty):
            trees = (part.tree, *part.requires)
            return tuple(dict.fromkeys(symbol.name for tree in trees for symbol in symbols(tree)))
        if isinstance(part, DefinedInverse):
            return tuple(dict.fromkeys((part.of, *(symbol.name for symbol in symbols(part.target)))))
        return ()

    def inputs_of(self, name: str) -> tuple[str, ...]:
        """Return the inputs that the value of `name` can depend on, in the order of declaration."""
        reach = self.remembered("inputs_of", self._reach)
        return tuple(one for one in self.inputs if one in reach[name])

    def _reach(self) -> dict[str, frozenset[str]]:
        reach: dict[str, frozenset[str]] = {name: frozenset([name]) for name in self.inputs}
        for name in self.order:
            if name not in reach:
                reach[name] = frozenset().union(*(reach[one] for one in self.needs(name)))
            if name in self.inverses:
                reach[name] -= {self.inverses[name].unknown}
        return reach

    def remembered(self, key: Any, compute: Callable[[], T]) -> T:
        """Return what `compute` gives, computed once for this definition."""
        if key not in self._memory:
            self._memory[key] = compute()
        return self._memory[key]  # type: ignore[no-any-return]

    def find(self, named: Any, kinds: tuple[Mapping[str, Any], ...], what: str) -> Any:
        """Return the part that a user named by text or by symbol.

        Raises:
            InputError: There is no such part; the message lists what there is, the nearest name first.
        """
        name = str(named) if isinstance(named, str) else str(getattr(named, "name", ""))
        for kind in kinds:
            if name in kind:
                return kind[name]
        known = [one for kind in kinds for one in kind]
        raise InputError(
            f"there is no {what} of that name",
            place=self.name,
            found=f"`{str(named)[:80]}`",
            expected="one of " + ", ".join(known) if known else "nothing: it has none",
            hint=nearest(name, known) or ("" if name else "Write its name as text."),
            names=(str(named),),
        )


def nearest(word: str, known: list[str]) -> str:
    """Return a hint with the known name nearest to a misspelt one, or nothing."""
    import difflib

    close = difflib.get_close_matches(word, known, n=1)
    return f"Did you mean `{close[0]}`?" if close else ""
