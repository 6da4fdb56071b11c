r"""The small parts of a page: the symbol of a name, a condition, a quantity."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .._definition import Definition
from .._scenario import Scenario, definition
from .._tree import Tree
from .._units import Unit, exact_factor, factor, shortest
from .numbers import quantity_piece, rounded
from .pieces import Piece
from .printer import Printer
from .symbols import shape_of, symbols_of

DIGITS = 6
"""How many significant digits of a number are shown."""

MOST_DIGITS = 17
"""The most digits that are ever shown: as many as tell any two floats apart."""


def latex_symbol(x: type[Scenario] | Scenario, name: Any) -> str:
    r"""Return the LaTeX symbol of an input, constant, property or inverse: `T_c`, `\mathrm{cost}`.

    Raises:
        InputError: There is no such name.
    """
    record = definition(x)
    kinds = (record.inputs, record.constants, record.properties, record.inverses)
    part = record.find(name, kinds, "input, constant, property or inverse")
    return symbols_of(record)[part.name]


def latex_condition(x: type[Scenario] | Scenario, condition: Tree | str) -> str:
    """Return a condition as LaTeX: `s > 0`.

    Args:
        x: The scenario class, or an instance of it.
        condition: A condition of its definition, or the name of a constraint.

    Raises:
        InputError: There is no constraint of that name.
    """
    record = definition(x)
    tree: Any = condition
    if isinstance(condition, str):
        tree = record.find(condition, (record.constraints,), "constraint").tree
    return Printer(symbol_pieces(record)).piece(tree).latex


def latex_expression(x: type[Scenario] | Scenario, tree: Tree) -> str:
    r"""Return an expression of a scenario's names as LaTeX: `\frac{T_c}{s}`.

    Args:
        x: The scenario class, or an instance of it.
        tree: An expression, such as the closed form of a solution.
    """
    return Printer(symbol_pieces(definition(x))).piece(tree).latex


def latex_quantity(number: float | Fraction, unit: Unit, digits: int = DIGITS) -> str:
    r"""Return a number with its unit as LaTeX: `0.224539\,\mathrm{ms}`, `133\,607`, `1.5 \times 10^{9}`.

    Args:
        number: A float or Fraction; an int keeps all its digits.
        unit: A unit of this package.
        digits: How many significant digits to round to.
    """
    return value_piece(number, unit, digits).latex


def value_piece(number: float | Fraction, unit: Unit, digits: int) -> Piece:
    """Return a number with its unit as a piece, rounded; an int keeps all its digits."""
    if isinstance(number, int):
        return quantity_piece(Decimal(number), unit, written_out=True)
    return quantity_piece(rounded(shortest(number), digits), unit)


def symbol_pieces(record: Definition) -> Callable[[Any], Piece]:
    """Return what gives the symbol of a name as a piece."""
    symbols = symbols_of(record)
    return lambda leaf: shape_of(symbols[leaf.name])


def scale(unit: Unit) -> Fraction:
    """Return how many base units a unit is; where that is irrational, to the digits of a float."""
    return exact_factor(unit) or Fraction(factor(unit))
