"""The closed form of an inverse for reading: a target with a unit (`10 ms`) stands in it as that, not as `1/100`.

A closed form is in base units, where a target is a bare number. In print, next to symbols that carry units, a bare
number would be wrong, so the equation is solved once more with a symbol in the target's place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy

from .._bridge import from_sympy, to_sympy
from .._definition import DefinedInverse, Definition
from .._forms import Form, form, inverse_branches
from .._tree import Tree, name
from .._units import Unit
from ..errors import ScenarioError
from .parts import MOST_DIGITS, scale, value_piece
from .pieces import Piece

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Target:
    """The value that an inverse asks of its property.

    Attributes:
        symbol: A symbol that stands for it.
        magnitude: It in base units, an exact number of SymPy's.
        unit: The property's unit.
    """

    symbol: Any
    magnitude: Any
    unit: Unit

    @property
    def value(self) -> Fraction:
        """The value in the property's unit."""
        return Fraction(int(self.magnitude.p), int(self.magnitude.q)) / scale(self.unit)

    @property
    def piece(self) -> Piece:
        """The value with its unit, as it is printed."""
        return value_piece(self.value, self.unit, MOST_DIGITS)


@dataclass(frozen=True)
class Readable:
    """A form for reading, and the target in it where that has a unit."""

    tree: Tree
    requires: tuple[Tree, ...]
    target: Target | None = None


def readable(definition: Definition, part_name: str) -> Readable:
    """Return the form of a property or inverse for reading.

    Raises:
        ScenarioError: It is an inverse without a unique closed form.
    """
    this = form(definition, part_name)
    if this.refusal is not None:
        raise this.refusal
    if part_name not in definition.inverses:
        return Readable(this.tree, this.requires)
    inverse = definition.inverses[part_name]
    return definition.remembered(("readable", part_name), lambda: _with_target(definition, inverse, this))


def _with_target(definition: Definition, inverse: DefinedInverse, this: Form) -> Readable:
    target = target_of(definition, inverse)
    plain = Readable(this.tree, this.requires)
    if target is None:
        return plain
    try:
        branches = inverse_branches(definition, replace(inverse, target=name(target.symbol))).pieces
    except ScenarioError:
        return plain
    known, number = to_sympy(this.tree), {target.symbol: target.magnitude}
    same = [one for one in branches if sympy.simplify(one.low.xreplace(number) - known) == 0]
    if len(same) != 1:
        return plain
    parts = (*definition.inputs.values(), *definition.constants.values())
    rank = {part.symbol: place for place, part in enumerate(parts)}
    rank[target.symbol] = len(rank)
    requires = tuple(_on_the_right(target, from_sympy(one.relational(), rank=rank)) for one in same[0].conditions)
    return Readable(from_sympy(same[0].low, rank=rank), requires, target)


def _on_the_right(target: Target, condition: Tree) -> Tree:
    """Return a comparison with the target, a number to the reader, on its right side."""
    if condition.head in _MIRRORED and condition.args[0] == name(target.symbol):
        return Tree(_MIRRORED[condition.head], condition.args[::-1])
    return condition


def target_of(definition: Definition, inverse: DefinedInverse) -> Target | None:
    """Return the target of an inverse where it is a number with a unit other than zero."""
    if inverse.target.head != "number" or inverse.target.leaf == 0 or not definition.part(inverse.of).dimension:
        return None
    value = inverse.target.leaf
    sign = {"positive": True} if value > 0 else {"negative": True}
    return Target(sympy.Dummy("target", real=True, **sign), value, definition.part(inverse.of).unit)
