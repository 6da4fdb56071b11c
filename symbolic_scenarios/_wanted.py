"""The value that a property is to take, as a user gives it, in base units."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

import sympy

from ._bridge import from_sympy
from ._definition import DefinedInverse, DefinedProperty, Definition
from ._dimensions import ANY, DimensionChecker
from ._text import text
from ._tree import Tree
from ._units import adopt, exact_factor, factor, is_quantity, parse_quantity, shortest, unit_text
from ._units import dimension as dimension_of
from .errors import InputError


def wanted_value(wanted: Any, of: DefinedProperty | DefinedInverse, this: Definition) -> Fraction | Tree:
    """Return a target in base units: an exact number, or an expression of the class's inputs.

    Raises:
        InputError: It is unreadable, has another dimension than the property, or no unit where one is needed.
    """
    if isinstance(wanted, sympy.Expr) and wanted.free_symbols:
        known = {part.symbol for part in (*this.inputs.values(), *this.constants.values())}
        if not wanted.free_symbols <= known:
            strange = ", ".join(sorted(str(symbol) for symbol in wanted.free_symbols - known))
            _refuse("the target uses what is no input of the class", f"{this.name}.{of.name}", found=strange)
        tree = from_sympy(wanted)
        _check_dimension(tree, of, this)
        return tree
    return _magnitude(wanted, of, this)


def _check_dimension(tree: Tree, of: DefinedProperty | DefinedInverse, this: Definition) -> None:
    known = {part.symbol: part for part in (*this.inputs.values(), *this.constants.values())}
    found = DimensionChecker(known, f"{this.name}.{of.name}").dimension(tree)
    if found is not ANY and found != of.dimension:
        _refuse(
            "the target has another dimension",
            f"{this.name}.{of.name}",
            found=f"`{text(tree)}`",
            expected=unit_text(of.unit),
        )


def _magnitude(wanted: Any, of: DefinedProperty | DefinedInverse, this: Definition) -> Fraction:
    """Return the exact magnitude in base units of a target as it was given."""
    place = f"{this.name}.{of.name}"
    unit = unit_text(of.unit)
    expected = f"a value in {unit} or a unit that converts to it" if unit else "a plain number"
    try:
        if isinstance(wanted, str):
            value, given = parse_quantity(wanted)
        elif is_quantity(wanted):
            value, given = adopt(wanted)
        else:
            value, given = shortest(wanted), None
    except InputError as error:
        _refuse(error.problem, place, found=error.found or repr(wanted)[:60], expected=expected, hint=error.hint)
    if given is None or not unit_text(given):
        if unit and value != 0:
            _refuse(
                "the target has no unit",
                place,
                found=str(wanted)[:60],
                expected=expected,
                hint=f'Write {of.name}="{wanted} {unit}".',
            )
        return value
    if dimension_of(given) != of.dimension:
        _refuse("the target has another dimension", place, found=str(wanted)[:60], expected=expected)
    scale = exact_factor(given)
    return value * (Fraction(factor(given)) if scale is None else scale)


def _refuse(problem: str, place: str, **parts: Any) -> NoReturn:
    raise InputError(problem, place=place, **parts)
