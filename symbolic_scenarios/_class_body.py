"""From the declarations of a class body to its `Definition`, with every check that can be made before there are values."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import sympy

from ._bridge import from_sympy
from ._declarations import Condition, Constant, Constraint, Declaration, Input, Inverse, Property
from ._definition import (
    Defined,
    DefinedConstant,
    DefinedConstraint,
    DefinedInput,
    DefinedInverse,
    DefinedProperty,
    Definition,
)
from ._dimensions import ANY, NUMBER, DimensionChecker, unit_of
from ._domains import INTEGERS, NONNEGATIVE, POSITIVE, REALS, Domain, interval
from ._latex_source import objection_to_latex
from ._operands import is_placeholder
from ._text import text
from ._tree import FUNCTIONS, Tree, name, number, symbols, walk
from ._units import Unit, adopt, dimension, exact_factor, parse_quantity, parse_unit, shortest, unit_text
from .errors import DefinitionError, DimensionError, InputError

RESERVED = ("name", "description", "variant")
"""Attributes that every scenario has; names that start with an underscore are this package's too."""

_INTEGER_HEADS = frozenset({"+", "-", "*", "neg", "abs", "min", "max", "mod", "piecewise"})


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
        self.trees = {symbol: tree for one in self.declared.values() for tree, symbol in one.placeholders.items()}
        self.parts: dict[str, Any] = {}
        self.constraints: dict[str, DefinedConstraint] = {}
        self.leaves: dict[Any, Tree] = {}
        self.rank: dict[Any, int] = {}
        self.by_symbol: dict[Any, Defined] = {}
        self.reading = ""

    def definition(self) -> Definition:
        self._check_class()
        for key, declaration in self.declared.items():
            self.reading = _place(self.cls, key, declaration)
            self._check_name(key, declaration)
            part = _READERS[type(declaration)](self, key, declaration)
            if isinstance(part, DefinedConstraint):
                self.constraints[key] = part
            else:
                self.parts[key] = part
                self.leaves[declaration] = name(part.symbol)
                self.rank[part.symbol] = len(self.rank)
                self.by_symbol[part.symbol] = part
        of_kind: Callable[[type], dict[str, Any]] = lambda kind: {  # noqa: E731 (a name for one line used four times)
            key: part for key, part in self.parts.items() if isinstance(part, kind)
        }
        return Definition(
            name=self.cls.__name__,
            doc=inspect.getdoc(self.cls) if self.cls.__doc__ else "",  # type: ignore[arg-type]  # not None: it has a docstring
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

    def _check_name(self, key: str, declaration: Declaration) -> None:
        if key in RESERVED or key.startswith("_"):
            self._refuse(
                "the name is reserved",
                found=f"`{key}`",
                hint=f"Every scenario has {', '.join(RESERVED)}, and names that start with an underscore are the package's own.",
            )
        if not key.isidentifier():
            self._refuse("the name is no Python identifier", found=repr(key))
        if len(declaration.names) > 1:
            owners = " and ".join(f"{owner.__name__}.{given}" for owner, given in declaration.names)
            self._refuse("one declaration has two names", found=owners, hint="Declare a second one.")
        if not isinstance(declaration.doc, str):
            self._refuse("the description is no text", found=repr(declaration.doc))
        if declaration.latex is not None and (objection := objection_to_latex(declaration.latex)):
            self._refuse(f"the LaTeX symbol {objection}", found=repr(declaration.latex), hint='Write a symbol such as latex="T_c".')

    # --- one reader for each kind of declaration ---------------------------------------------------------------------

    def input(self, key: str, declared: Input[Any]) -> DefinedInput:
        unit = self._unit(declared.unit)
        domain = self._domain(declared, unit)
        symbol = sympy.Symbol(key, **domain.assumptions())
        return DefinedInput(**self._common(key, declared, unit, symbol), domain=domain, default=declared.default)

    def constant(self, key: str, declared: Constant[Any]) -> DefinedConstant:
        value, unit = self._value(declared.value, "a Constant")
        magnitude = value * self._factor(unit)
        sign = {"positive": True} if magnitude > 0 else {"negative": True} if magnitude < 0 else {"zero": True}
        symbol = sympy.Symbol(key, real=True, **sign)
        common = self._common(key, declared, unit, symbol)
        return DefinedConstant(**common, magnitude=magnitude, value=value, citation=declared.citation)

    def property(self, key: str, declared: Property[Any]) -> DefinedProperty:
        unit = self._unit(declared.unit)
        tree = self._expression(declared.expression)
        if tree.is_condition:
            self._refuse("a property is a quantity, not a condition", found=f"`{text(tree)}`", hint="Write a Constraint, or requires=.")
        self._check_dimension(tree, unit)
        requires = tuple(self._condition(one, "requires") for one in declared.requires)
        is_integer = self._is_integer(tree)
        symbol = sympy.Symbol(key, real=True, **({"integer": True} if is_integer else {}))
        common = self._common(key, declared, unit, symbol)
        return DefinedProperty(
            **common, tree=tree, requires=requires, otherwise=declared.otherwise.strip().rstrip("."), is_integer=is_integer
        )

    def inverse(self, key: str, declared: Inverse[Any]) -> DefinedInverse:
        of, unknown = (self._named(one, key) for one in (declared.of, declared.solve_for))
        if not isinstance(of, (DefinedProperty, DefinedInverse)):
            self._refuse("an Inverse is of a property", found=f"`{of.name}`, an input", hint="Name the property first, then solve_for=.")
        if not isinstance(unknown, DefinedInput):
            self._refuse("solve_for= names an input", found=f"`{unknown.name}`, which follows from the inputs")
        target = self._target(declared.equals, of)
        symbol = sympy.Symbol(key, real=True)
        common = self._common(key, declared, unknown.unit, symbol)
        return DefinedInverse(**common, of=of.name, target=target, unknown=unknown.name, branch=declared.branch)

    def constraint(self, key: str, declared: Constraint) -> DefinedConstraint:
        tree = self._condition(declared.condition, "a Constraint")
        return DefinedConstraint(key, self.reading, declared.doc, tree)

    # --- units and values --------------------------------------------------------------------------------------------

    def _common(self, key: str, declared: Declaration, unit: Unit, symbol: Any) -> dict[str, Any]:
        return {
            "name": key,
            "place": self.reading,
            "doc": declared.doc,
            "latex": declared.latex,
            "symbol": symbol,
            "unit": unit,
            "dimension": dimension(unit),
        }

    def _unit(self, written: Any) -> Unit:
        if not isinstance(written, str):
            self._refuse("the unit is no text", found=repr(written), hint='Write it as text: "ms", "GB/s", or "" for a plain number.')
        try:
            return parse_unit(written)
        except InputError as error:
            self._refuse(f"the unit can't be read: {error.problem}", found=error.found or repr(written), hint=error.hint)

    def _factor(self, unit: Unit) -> Fraction:
        factor = exact_factor(unit)
        if factor is None:
            self._refuse("the unit has no exact factor", found=unit_text(unit), hint="Write the value in a unit that has one (rad for degree).")
        return factor

    def _value(self, written: Any, what: str) -> tuple[Fraction, Unit]:
        if isinstance(written, float):
            self._refuse_float(written)
        try:
            if isinstance(written, str):
                return parse_quantity(written)
            if hasattr(written, "magnitude") and hasattr(written, "units"):
                return adopt(written)
            if isinstance(written, (int, Fraction, Decimal)):
                return shortest(written), parse_unit("")
        except InputError as error:
            self._refuse(error.problem, found=error.found or repr(written), expected=error.expected, hint=error.hint)
        self._refuse(f"{what} takes a value with its unit", found=repr(written)[:80], expected='text such as "989 TFLOP/s"')

    def _domain(self, declared: Input[Any], unit: Unit) -> Domain:
        domain = REALS
        factor = exact_factor(unit) or Fraction(1)
        if declared.within is not None:
            try:
                domain = interval(declared.within, lambda end: self._end(end, unit, factor))
            except ValueError as error:
                if isinstance(error, InputError):
                    raise
                self._refuse("within= is no interval", found=repr(declared.within), expected='text such as "(0, 1)", "[0, 1)", "[1, oo)"')
        for flag, half in ((declared.positive, POSITIVE), (declared.nonnegative, NONNEGATIVE), (declared.integer, INTEGERS)):
            if flag:
                domain = domain.meet(half)
        if domain.is_empty:
            self._refuse("no value lies in the domain", found=domain.text(declared.name))
        if declared.integer and dimension(unit) != NUMBER:
            self._refuse("integer=True is for counts, which have no unit", found=unit_text(unit), expected='the unit ""')
        return domain

    def _end(self, end: str, unit: Unit, factor: Fraction) -> Fraction:
        value, written = parse_quantity(end)
        if written == parse_unit(""):
            return value * factor
        if dimension(written) != dimension(unit):
            self._refuse("an end of within= has another dimension", found=repr(end), expected=unit_text(unit))
        return value * self._factor(written)

    # --- expressions -------------------------------------------------------------------------------------------------

    def _expression(self, written: Tree) -> Tree:
        tree = self._resolved(written)
        for symbol in symbols(tree):
            if symbol not in self.by_symbol:
                self._refuse(
                    "the expression uses a name that is not declared above it in this class",
                    found=f"`{symbol}`",
                    expected="one of " + ", ".join(self.parts) if self.parts else "",
                    hint="Attributes of a finished class are SymPy expressions of its own inputs; declare what this class needs itself.",
                )
        for part in walk(tree):
            if part.head == "stray":
                self._refuse_stray(part.leaf)
        return tree

    def _resolved(self, tree: Tree) -> Tree:
        if tree.head == "name":
            if tree.leaf not in self.leaves:
                self._refuse_foreign(tree.leaf)
            return self.leaves[tree.leaf]
        if tree.head == "quoted":
            return from_sympy(tree.leaf, self._leaf, self.rank)
        if not tree.args:
            return tree
        return Tree(tree.head, tuple(self._resolved(arg) for arg in tree.args), tree.leaf)

    def _leaf(self, atom: Any) -> Tree:
        if isinstance(atom, Condition):
            return self._resolved(atom.tree)
        if is_placeholder(atom):
            if atom not in self.trees:
                self._refuse_foreign(None)
            return self._resolved(self.trees[atom])
        return name(atom)

    def _condition(self, written: Tree, what: str) -> Tree:
        if written.head == "stray":
            self._refuse(
                f"{what} takes a comparison",
                found=repr(written.leaf)[:80],
                hint="Write `a < b`, `a >= b`, `sympy.Eq(a, b)`, or several joined by & and |.",
            )
        tree = self._expression(written)
        if not tree.is_condition:
            self._refuse(f"{what} takes a comparison", found=f"`{text(tree)}`", hint="Compare it: `... > 0`.")
        self._checker().dimension(tree)
        return tree

    def _named(self, one: Any, key: str) -> Defined:
        if isinstance(one, Declaration) and one in self.leaves:
            return self.parts[self.leaves[one].leaf.name]  # type: ignore[no-any-return]
        self._refuse(
            "an Inverse names a property and an input of its own class",
            found=repr(one)[:80],
            hint=f"Write `{key} = Inverse(some_property, equals=1, solve_for=some_input)`.",
        )

    def _target(self, equals: Any, of: Defined) -> Tree:
        if isinstance(equals, Declaration) or hasattr(equals, "_tree"):
            tree = self._expression(equals._tree)
            self._check_dimension(tree, of.unit)
            return tree
        value, unit = self._value(equals, "equals=")
        if dimension(unit) != of.dimension and value != 0:
            self._refuse("the target has another dimension than the property", found=f"{equals}", expected=f"a quantity in {unit_text(of.unit)}")
        magnitude = value * self._factor(unit)
        return number(sympy.Rational(magnitude.numerator, magnitude.denominator))

    def _checker(self) -> DimensionChecker:
        return DimensionChecker(self.by_symbol, self.reading)

    def _check_dimension(self, tree: Tree, unit: Unit) -> None:
        found = self._checker().dimension(tree)
        if found is not ANY and found != dimension(unit):
            raise DimensionError(
                f"the expression `{_shortened(text(tree))}` has another dimension than the declared unit",
                place=self.reading,
                found=unit_of(found),
                expected=unit_text(unit) or "a plain number",
                hint=f'Declare a unit of its dimension, such as "{unit_of(found)}", or mend the expression.' if found else 'Declare the unit "", or mend the expression.',
            )

    def _is_integer(self, tree: Tree) -> bool:
        if tree.head == "name":
            part = self.by_symbol.get(tree.leaf)
            if part is None:  # the index of a sum
                return True
            return (isinstance(part, DefinedInput) and part.domain.integer) or (isinstance(part, DefinedProperty) and part.is_integer)
        if tree.head == "number":
            return bool(tree.leaf.is_Integer)
        if tree.head in ("ceiling", "floor", "sign"):
            return True
        if tree.head == "piecewise":
            return all(self._is_integer(value) for value, _ in tree.pieces)
        if tree.head == "**":
            base, exponent = tree.args
            return self._is_integer(base) and exponent.head == "number" and bool(exponent.leaf.is_Integer) and exponent.leaf >= 0
        return tree.head in _INTEGER_HEADS and all(self._is_integer(arg) for arg in tree.args)

    # --- refusals ----------------------------------------------------------------------------------------------------

    def _refuse_foreign(self, leaf: Any) -> NoReturn:
        place = "" if leaf is None else f"{leaf.names[0][0].__name__}.{leaf.names[0][1]}" if leaf.names else "a declaration without a name"
        self._refuse(
            "the expression uses a declaration that is not above it in this class",
            found=place or "a declaration of another class",
            hint="Every input, constant and property of an expression is an attribute of the same class, declared before it is used.",
        )

    def _refuse_float(self, value: Any) -> NoReturn:
        exact = Fraction(repr(float(value)))
        self._refuse(
            "a float literal is not exact",
            found=str(value),
            hint=f"Write sympy.Rational({exact.numerator}, {exact.denominator}), or an Input or a Constant with a unit and a source.",
        )

    def _refuse_stray(self, value: Any) -> NoReturn:
        if isinstance(value, (float, sympy.Float)):
            self._refuse_float(value)
        if hasattr(value, "magnitude") and hasattr(value, "units"):
            self._refuse("a quantity can't stand in an expression", found=str(value), hint=f'Make it a Constant("{value}", "...", source="...").')
        if isinstance(value, sympy.Basic) and value.args:
            supported = ", ".join(sorted(FUNCTIONS))
            self._refuse("the function is not supported in a definition", found=f"`{value.func.__name__}`", expected=f"one of {supported}, piecewise, sum")
        self._refuse(
            "the expression is made of declarations and exact numbers", found=f"{str(value)[:80]!r} ({type(value).__name__})"
        )

    def _refuse(self, problem: str, **parts: str) -> NoReturn:
        raise DefinitionError(problem, place=self.reading, **parts)


_READERS: dict[type, Callable[[_ClassBody, str, Any], Any]] = {
    Input: _ClassBody.input,
    Constant: _ClassBody.constant,
    Property: _ClassBody.property,
    Inverse: _ClassBody.inverse,
    Constraint: _ClassBody.constraint,
}


def _place(cls: type, key: str, declaration: Declaration) -> str:
    return f"{cls.__name__}.{key} ({os.path.basename(declaration.source)})"


def _shortened(written: str) -> str:
    return written if len(written) <= 80 else written[:77] + "..."
