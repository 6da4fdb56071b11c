"""From the declarations of a class body to its `Definition`, with every check that needs no values."""

from __future__ import annotations

import inspect
import keyword
import os
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import sympy

from ._declarations import Constant, Constraint, Declaration, Input, Inverse, Property
from ._definition import (
    Defined,
    DefinedConstant,
    DefinedConstraint,
    DefinedInput,
    DefinedInverse,
    DefinedProperty,
    Definition,
)
from ._dimensions import NUMBER
from ._domains import INTEGERS, NONNEGATIVE, POSITIVE, REALS, Domain, interval
from ._expressions import Expressions, float_literal
from ._latex_source import objection_to_latex
from ._operands import Condition, Written
from ._text import text
from ._tree import Tree, number
from ._units import Unit, adopt, dimension, exact_factor, factor, parse_quantity, parse_unit, shortest, unit_text
from .errors import DefinitionError, InputError

RESERVED = ("name", "description", "variant")
"""Attributes that every scenario has; names that start with an underscore are this package's too."""


def define(cls: type) -> Definition:
    """Read the declarations of a class.

    Raises:
        DefinitionError: A declaration is wrong; the message says which, what stands there and what to write.
        DimensionError: The units of an expression do not fit together.
    """
    return _ClassBody(cls).definition()


class _ClassBody:
    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.declared = {key: value for key, value in vars(cls).items() if isinstance(value, Declaration)}
        self.expressions = Expressions(list(self.declared.values()))
        self.parts: dict[str, Any] = {}
        self.constraints: dict[str, DefinedConstraint] = {}
        self.place = ""

    def definition(self) -> Definition:
        self._check_class()
        for key, declaration in self.declared.items():
            self.place = self.expressions.place = _place(self.cls, key, declaration)
            self._check_name(key, declaration)
            part = _READERS[type(declaration)](self, key, declaration)
            if isinstance(part, DefinedConstraint):
                self.constraints[key] = part
            else:
                self.parts[key] = part
                self.expressions.add(declaration, part)

        def of_kind(kind: type) -> dict[str, Any]:
            return {key: part for key, part in self.parts.items() if isinstance(part, kind)}

        return Definition(
            name=self.cls.__name__,
            doc=inspect.cleandoc(self.cls.__doc__ or ""),
            inputs=of_kind(DefinedInput),
            constants=of_kind(DefinedConstant),
            properties=of_kind(DefinedProperty),
            inverses=of_kind(DefinedInverse),
            constraints=self.constraints,
            order=tuple(self.parts),
        )

    # --- the class and its names -------------------------------------------------------------------------------------

    def _check_class(self) -> None:
        for base in self.cls.__mro__[1:]:
            if any(isinstance(value, Declaration) for value in vars(base).values()):
                raise DefinitionError(
                    "a scenario class is final: a different law is a different class",
                    place=self.cls.__name__,
                    found=f"a subclass of {base.__name__}",
                    expected="a subclass of Scenario",
                    hint="Declare its inputs and properties in a class of their own.",
                )

        if "__init__" in vars(self.cls):
            raise DefinitionError(
                "a scenario is made from its inputs, and has no `__init__` of its own",
                place=self.cls.__name__,
                hint="Make what is computed a Property, and what is given an Input with a default.",
            )
        for key, value in vars(self.cls).items():
            if isinstance(value, (Written, Condition)) and not key.startswith("_"):
                raise DefinitionError(
                    "an expression stands there without a declaration",
                    place=f"{self.cls.__name__}.{key}",
                    hint=f'Write `{key} = Property(..., "unit", "What it is.")`; a helper starts with an underscore.',
                )
        for key, annotation in vars(self.cls).get("__annotations__", {}).items():
            if key not in vars(self.cls) and "Input" in str(annotation):
                raise DefinitionError(
                    "an input is annotated and not declared",
                    place=f"{self.cls.__name__}.{key}",
                    hint=f'Write `{key}: Input = Input("unit", "What it is.")`.',
                )

    def _check_name(self, key: str, declaration: Declaration) -> None:
        if key in RESERVED or key.startswith("_"):
            self._refuse(
                "the name is reserved",
                found=f"`{key}`",
                hint=f"Every scenario has {', '.join(RESERVED)}; a leading underscore is the package's own.",
            )
        if not key.isidentifier() or keyword.iskeyword(key):
            self._refuse("the name is no Python identifier", found=repr(key))
        if len(declaration.names) > 1:
            owners = " and ".join(f"{owner.__name__}.{given}" for owner, given in declaration.names)
            self._refuse("one declaration has two names", found=owners, hint="Declare a second one.")
        if not isinstance(declaration.doc, str):
            self._refuse("the description is no text", found=repr(declaration.doc))
        if declaration.latex is not None and (objection := objection_to_latex(declaration.latex)):
            self._refuse(
                f"the LaTeX symbol {objection}",
                found=repr(declaration.latex),
                hint='Write a symbol such as latex="T_c".',
            )

    # --- one reader for each kind of declaration ---------------------------------------------------------------------

    def input(self, key: str, declared: Input[Any]) -> DefinedInput:
        unit = self._unit(declared.unit)
        domain = self._domain(declared, unit)
        symbol = sympy.Symbol(key, **domain.assumptions())
        return DefinedInput(**self._common(key, declared, unit, symbol), domain=domain, default=declared.default)

    def constant(self, key: str, declared: Constant[Any]) -> DefinedConstant:
        value, unit = self._value(declared.value, "a Constant")
        magnitude = value * self._factor(unit)
        if not abs(magnitude) < 10**300:
            self._refuse("the value is beyond what a float can hold in base units", found=str(declared.value)[:60])
        sign = {"positive": True} if magnitude > 0 else {"negative": True} if magnitude < 0 else {"zero": True}
        symbol = sympy.Symbol(key, real=True, **sign)
        common = self._common(key, declared, unit, symbol)
        return DefinedConstant(**common, magnitude=magnitude, value=value, citation=declared.citation)

    def property(self, key: str, declared: Property[Any]) -> DefinedProperty:
        unit = self._unit(declared.unit)
        tree = self.expressions.read(declared.expression)
        if tree.is_condition:
            self._refuse(
                "a property is a quantity, not a condition",
                found=f"`{text(tree)}`",
                hint="Write a Constraint, or requires=.",
            )
        self.expressions.check_dimension(tree, unit)
        requires = tuple(self.expressions.condition(one, "requires") for one in declared.requires)
        is_integer = self.expressions.is_integer(tree)
        symbol = sympy.Symbol(key, real=True, **({"integer": True} if is_integer else {}))
        common = self._common(key, declared, unit, symbol)
        return DefinedProperty(
            **common,
            tree=tree,
            requires=requires,
            otherwise=self._clause(declared.otherwise),
            is_integer=is_integer,
        )

    def _clause(self, otherwise: Any) -> str:
        if not isinstance(otherwise, str):
            self._refuse("otherwise= is no text", found=repr(otherwise)[:60])
        return otherwise.strip().rstrip(".")

    def inverse(self, key: str, declared: Inverse[Any]) -> DefinedInverse:
        of, unknown = (self._named(one, key) for one in (declared.of, declared.solve_for))
        if not isinstance(of, (DefinedProperty, DefinedInverse)):
            self._refuse(
                "an Inverse is of a property",
                found=f"`{of.name}`, an input",
                hint="Name the property first, then solve_for=.",
            )
        if not isinstance(unknown, DefinedInput):
            self._refuse("solve_for= names an input", found=f"`{unknown.name}`, which follows from the inputs")
        if declared.branch is not None and (not isinstance(declared.branch, int) or declared.branch < 0):
            self._refuse("branch= counts from 0", found=repr(declared.branch)[:60])
        target = self._target(declared.equals, of)
        symbol = sympy.Symbol(key, real=True)
        common = self._common(key, declared, unknown.unit, symbol)
        return DefinedInverse(**common, of=of.name, target=target, unknown=unknown.name, branch=declared.branch)

    def constraint(self, key: str, declared: Constraint) -> DefinedConstraint:
        tree = self.expressions.condition(declared.condition, "a Constraint")
        return DefinedConstraint(key, self.place, declared.doc, tree)

    # --- units and values --------------------------------------------------------------------------------------------

    def _common(self, key: str, declared: Declaration, unit: Unit, symbol: Any) -> dict[str, Any]:
        return {
            "name": key,
            "place": self.place,
            "doc": declared.doc,
            "latex": declared.latex,
            "symbol": symbol,
            "unit": unit,
            "dimension": dimension(unit),
        }

    def _unit(self, written: Any) -> Unit:
        if not isinstance(written, str):
            self._refuse(
                "the unit is no text",
                found=repr(written),
                hint='Write it as text: "ms", "GB/s", or "" for a plain number.',
            )
        try:
            return parse_unit(written)
        except InputError as error:
            self._refuse(
                f"the unit can't be read: {error.problem}", found=error.found or repr(written), hint=error.hint
            )

    def _factor(self, unit: Unit) -> Fraction:
        factor = exact_factor(unit)
        if factor is None:
            self._refuse(
                "the unit has no exact factor",
                found=unit_text(unit),
                hint="Write the value in a unit that has one (rad for degree).",
            )
        return factor

    def _value(self, written: Any, what: str) -> tuple[Fraction, Unit]:
        if isinstance(written, float):
            raise float_literal(written, self.place)
        try:
            if isinstance(written, str):
                return parse_quantity(written)
            if hasattr(written, "magnitude") and hasattr(written, "units"):
                return adopt(written)
            if isinstance(written, (int, Fraction, Decimal, sympy.Rational)):
                return shortest(written), parse_unit("")
        except InputError as error:
            self._refuse(error.problem, found=error.found or repr(written), expected=error.expected, hint=error.hint)
        self._refuse(
            f"{what} takes a value with its unit", found=repr(written)[:80], expected='text such as "989 TFLOP/s"'
        )

    def _domain(self, declared: Input[Any], unit: Unit) -> Domain:
        domain = REALS
        scale = exact_factor(unit) or Fraction(factor(unit))
        if declared.within is not None:
            try:
                domain = interval(declared.within, lambda end: self._end(end, unit, scale))
            except ValueError as error:
                if isinstance(error, DefinitionError):
                    raise
                self._refuse(
                    "within= is no interval",
                    found=repr(declared.within),
                    expected='text such as "(0, 1)", "[0, 1)", "[1, oo)"',
                )
        for flag, half in (
            (declared.positive, POSITIVE),
            (declared.nonnegative, NONNEGATIVE),
            (declared.integer, INTEGERS),
        ):
            if flag:
                domain = domain.meet(half)
        if domain.is_empty:
            self._refuse("no value lies in the domain", found=domain.text(declared.name))
        if declared.integer and dimension(unit) != NUMBER:
            self._refuse(
                "integer=True is for counts, which have no unit", found=unit_text(unit), expected='the unit ""'
            )
        return domain

    def _end(self, end: str, unit: Unit, scale: Fraction) -> Fraction:
        value, written = parse_quantity(end)
        if written == parse_unit(""):
            return value * scale
        if dimension(written) != dimension(unit):
            self._refuse("an end of within= has another dimension", found=repr(end), expected=unit_text(unit))
        return value * self._factor(written)

    # --- inverses ----------------------------------------------------------------------------------------------------

    def _named(self, one: Any, key: str) -> Defined:
        if isinstance(one, Declaration) and one in self.expressions.parts:
            return self.expressions.parts[one]
        self._refuse(
            "an Inverse names a property and an input of its own class",
            found=repr(one)[:80],
            hint=f"Write `{key} = Inverse(some_property, equals=1, solve_for=some_input)`.",
        )

    def _target(self, equals: Any, of: Defined) -> Tree:
        if isinstance(equals, Declaration) or hasattr(equals, "_tree"):
            tree = self.expressions.read(equals._tree)
            self.expressions.check_dimension(tree, of.unit)
            return tree
        value, unit = self._value(equals, "equals=")
        if dimension(unit) != of.dimension and value != 0:
            self._refuse(
                "the target has another dimension than the property",
                found=f"{equals}",
                expected=f"a quantity in {unit_text(of.unit)}",
            )
        magnitude = value * self._factor(unit)
        return number(sympy.Rational(magnitude.numerator, magnitude.denominator))

    def _refuse(self, problem: str, **parts: Any) -> NoReturn:
        raise DefinitionError(problem, place=self.place, **parts)


_READERS: dict[type, Callable[[_ClassBody, str, Any], Any]] = {
    Input: _ClassBody.input,
    Constant: _ClassBody.constant,
    Property: _ClassBody.property,
    Inverse: _ClassBody.inverse,
    Constraint: _ClassBody.constraint,
}


def _place(cls: type, key: str, declaration: Declaration) -> str:
    return f"{cls.__name__}.{key} ({os.path.basename(declaration.source)})"
