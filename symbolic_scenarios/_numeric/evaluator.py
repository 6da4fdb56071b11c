"""The values of one scenario: compiled code where float64 can tell, exact or many-digit evaluation where it can't."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import ctx

from .._balls import Precise, UndefinedError, Value
from .._definition import DefinedConstant, DefinedInput, DefinedProperty, Definition
from .._forms import Form, form
from .._precise import as_float, settled
from .._text import text
from .._tree import Tree, symbols
from .._units import base_unit, factor, quantity_text
from ..errors import DomainError, InputError, ScenarioError
from .code import LONGEST_WHOLE, Code, DoubtError, Known
from .compile import INPUT_ERROR, compiled
from .stable import stable


class Failure:
    """In the place of a value: why there is none."""

    __slots__ = ("error",)

    def __init__(self, error: ScenarioError) -> None:
        self.error = error


class Point:
    """The magnitudes of one scenario in base units, in the order of its definition; computed as they are asked for.

    Attributes:
        values: A float, an int, a `Failure`, or `None` where nothing is computed yet.
        errors: A bound on the error of each value, where one is computed along, in units of 2**-53.
        exact: Gives the exact magnitude of an input.
        is_delicate: Whether a magnitude is so small that float64 holds it with fewer digits.
        precise: Values found on the precise way, by the number of bits and the place.
    """

    __slots__ = ("errors", "exact", "is_delicate", "precise", "values")

    def __init__(self, values: list[Any], exact: Callable[[str], Fraction], is_delicate: bool) -> None:
        self.values = values
        self.is_delicate = is_delicate
        self.precise: dict[int, dict[int, Value]] = {}
        self.errors: list[float] = [0.0] * len(values)
        self.exact = exact


class Evaluator:
    """Computes the values of the scenarios of one definition. Code is generated when it is first needed."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.places = definition.places
        self.needs: list[tuple[int, ...] | None] = [None] * len(self.places)
        self.codes: list[Code | None] = [None] * len(self.places)
        self.known: list[Known | None] = [None] * len(self.places)
        self.start: list[Any] = [None] * len(self.places)
        for name, constant in definition.constants.items():
            self.start[self.places[name]] = float(constant.magnitude)

    # --- values ------------------------------------------------------------------------------------------------------

    def value(self, point: Point, place: int) -> Any:
        """Return a magnitude in base units: a float, or an int where it is a whole number.

        Raises:
            InputError: An input that it needs was left out.
            DomainError: It has no value there.
        """
        value = point.values[place]
        if value is None:
            self._compute(point, place)
            value = point.values[place]
        if value.__class__ is Failure:
            raise copy.copy(value.error)
        return value

    def holds(self, point: Point, tree: Tree, name: str) -> bool | None:
        """Return whether a condition holds; `None` where it needs an input that was left out.

        Raises:
            DomainError: A part of it has no value.
        """
        for symbol in symbols(tree):
            place = self.places[symbol.name]
            if point.values[place] is None:
                self._compute(point, place)
        code = self.definition.remembered(("code", name), lambda: self._coded(tree, (), False)[0])
        try:
            return bool(code(point.values, point.errors))
        except (ArithmeticError, ValueError, TypeError):
            try:
                return bool(self._settled(point, tree))
            except InputError:
                return None
            except UndefinedError as undefined:
                raise self._undefined(name, undefined) from None

    def _compute(self, point: Point, place: int) -> None:
        """Compute a value and, before it, those that it needs; a loop, because a chain of properties may be long."""
        values = point.values
        needs = self.needs[place]
        if needs is not None and all(values[need] is not None for need in needs):  # the usual case, and quick
            values[place] = self._one(point, place)
            return
        waiting = [place]
        while waiting:
            here = waiting[-1]
            if values[here] is None:
                missing = [need for need in self._needs(here) if values[need] is None]
                if missing:
                    waiting.extend(missing)
                    continue
                values[here] = self._one(point, here)
            waiting.pop()

    def _one(self, point: Point, place: int) -> Any:
        if point.is_delicate:
            self.codes[place] or self._compile(place)
            return self._precisely(point, place)
        code = self.codes[place] or self._compile(place)
        try:
            result = code(point.values, point.errors)
        except (ArithmeticError, ValueError, TypeError):
            # TypeError: the code met a Failure. Whether that counts, the precise way finds out: it asks only for what
            # it needs.
            return self._precisely(point, place)
        if result.__class__ is tuple:
            result, point.errors[place] = result
        return self._precisely(point, place) if result.__class__ is Failure else result

    def _needs(self, place: int) -> tuple[int, ...]:
        needs = self.needs[place]
        if needs is None:
            names = self._form(place).names
            needs = self.needs[place] = tuple(self.places[name] for name in names)
        return needs

    def _form(self, place: int) -> Form:
        return form(self.definition, self.definition.order[place])

    # --- the compiled way --------------------------------------------------------------------------------------------

    def _compile(self, place: int) -> Code:
        this = self._form(place)
        code: Code
        if this.refusal is not None:
            code, known = _doubt, Known(None, False, 0)
        else:
            is_whole = self._is_whole(self.definition.order[place])
            tree = this.tree if is_whole else stable(this.tree, self._is_positive, self._opened)
            code, known = self._coded(tree, this.requires, is_whole)
        self.known[place] = known
        self.codes[place] = code
        return code

    def _coded(self, tree: Tree, requires: tuple[Tree, ...], is_whole: bool) -> tuple[Code, Known]:
        try:
            return compiled(tree, requires, is_whole, self._place_of)
        except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
            # Nested too deeply, or a number too long, for Python's compiler.
            return _doubt, Known(1 if is_whole else None, is_whole, 0)

    def _place_of(self, symbol: Any) -> tuple[int, Known]:
        place = self.places[symbol.name]
        known = self.known[place]
        if known is None:
            part = self.definition.part(symbol.name)
            if isinstance(part, DefinedInput):
                domain = part.domain
                sign = (
                    1
                    if domain.lower is not None and domain.lower >= 0
                    else -1
                    if domain.upper is not None and domain.upper <= 0
                    else 0
                )
                known = Known(1 if domain.integer else INPUT_ERROR, domain.integer, sign)
            elif isinstance(part, DefinedConstant):
                known = Known(1, False, 1 if part.magnitude >= 0 else -1)
            else:
                self._compile(place)
                known = self.known[place]
                assert known is not None
            self.known[place] = known
        return place, known

    def _is_positive(self, tree: Tree) -> bool:
        if tree.head == "name":
            return bool(tree.leaf.is_positive)
        if tree.head == "number":
            return bool(tree.leaf > 0)
        if (
            tree.head == "-"
            and tree.args[0].head == "number"
            and tree.args[1].head == "name"
            and tree.args[0].leaf == 1
        ):
            part = self.definition.part(tree.args[1].leaf.name)
            domain = part.domain if isinstance(part, DefinedInput) else None
            return domain is not None and domain.upper is not None and domain.upper <= 1
        return False

    def _opened(self, tree: Tree) -> Tree:
        """Return the quotient of plain names behind the name of a property that has no condition of its own."""
        part = self.definition.properties.get(tree.leaf.name) if tree.head == "name" else None
        if part is None or part.requires or part.tree.head != "/":
            return tree
        return part.tree if all(arg.head in ("name", "number") for arg in part.tree.args) else tree

    # --- the precise way ---------------------------------------------------------------------------------------------

    def _precisely(self, point: Point, place: int) -> Any:
        name = self.definition.order[place]
        this = self._form(place)
        try:
            if this.refusal is not None:
                raise copy.copy(this.refusal)
            for condition in this.requires:
                if not self._settled(point, condition):
                    raise self._condition_fails(point, name, condition, this.otherwise)
            value = self._settled(point, this.tree)
            result = self._rounded(name, value, self._is_whole(name))
        except UndefinedError as undefined:
            return Failure(self._undefined(name, undefined))
        except ScenarioError as error:
            return Failure(self._passed_on(error, name))
        point.errors[place] = abs(result)
        return result

    def _settled(self, point: Point, tree: Tree) -> Value:
        asked = tuple(self.places[symbol.name] for symbol in symbols(tree))

        def names(symbol: Any) -> Value:
            return self._precise_value(point, self.places[symbol.name], point.precise[ctx.prec])

        def evaluate(precise: Precise) -> Value:
            found = point.precise.setdefault(ctx.prec, {})
            self._fill_precise(point, asked, precise, found)
            return precise.value(tree)

        return settled(evaluate, names, tree)

    def _fill_precise(self, point: Point, asked: tuple[int, ...], precise: Precise, found: dict[int, Value]) -> None:
        """Compute what is needed at the present number of bits, in order, not nested, and each thing once."""
        waiting = [place for place in asked if self._is_open(point, place, found)]
        while waiting:
            here = waiting[-1]
            missing = [need for need in self._needs(here) if self._is_open(point, need, found)]
            if missing:
                waiting.extend(missing)
                continue
            if here not in found:
                found[here] = precise.value(self._form(here).tree)
            waiting.pop()

    def _is_open(self, point: Point, place: int, found: dict[int, Value]) -> bool:
        """Whether a place holds a property that has a value and is not computed yet."""
        is_given = self.definition.order[place] in self.definition.inputs or self.start[place] is not None
        return not is_given and place not in found and not isinstance(point.values[place], Failure)

    def _precise_value(self, point: Point, place: int, found: dict[int, Value]) -> Value:
        name = self.definition.order[place]
        if name in self.definition.constants:
            return self.definition.constants[name].magnitude
        value = point.values[place]
        if isinstance(value, Failure):
            raise copy.copy(value.error)
        return point.exact(name) if name in self.definition.inputs else found[place]

    def _is_whole(self, name: str) -> bool:
        part = self.definition.part(name)
        return isinstance(part, DefinedProperty) and part.is_integer

    def _rounded(self, name: str, value: Value, is_whole: bool) -> float | int:
        if is_whole:
            if abs(value) >= 10**LONGEST_WHOLE:
                raise self._no_value(name, f"its value has more than {LONGEST_WHOLE} digits")
            return int(value)
        result = as_float(value)
        if not math.isfinite(result):
            raise self._no_value(name, "its value is too large for a float")
        if value != 0 and abs(result) < 2.3e-308:
            raise self._no_value(name, "its value is too small for a float, and not zero")
        return result

    # --- what is said where there is no value ------------------------------------------------------------------------

    def _no_value(self, name: str, problem: str, **parts: Any) -> DomainError:
        return DomainError(problem, place=f"{self.definition.name}.{name}", names=(name,), **parts)

    def _undefined(self, name: str, undefined: UndefinedError) -> DomainError:
        return self._no_value(name, undefined.reason, found=f"`{text(undefined.tree)}`")

    def _condition_fails(self, point: Point, name: str, condition: Tree, meaning: str) -> DomainError:
        facts = ", ".join(f"{symbol} = {self._shown(point, symbol.name)}" for symbol in symbols(condition))
        return self._no_value(
            name,
            "it has no value here" + (f", because {meaning}" if meaning else ""),
            found=facts,
            expected=f"`{text(condition)}`",
            condition=text(condition),
            meaning=meaning,
        )

    def _shown(self, point: Point, name: str) -> str:
        part = self.definition.part(name)
        value = point.values[self.places[name]]
        if part.dimension and abs(value / factor(part.unit)) < 1e-300:
            return quantity_text(value, base_unit(part.dimension))
        return quantity_text(float(f"{value / factor(part.unit):.6g}"), part.unit)

    def _passed_on(self, error: ScenarioError, name: str) -> ScenarioError:
        """Return the error of something needed as an error of `name`: same facts, said for what was asked."""
        place = f"{self.definition.name}.{name}"
        if not error.place or error.place == place or error.place.startswith(f"{place} "):
            return error
        passed = copy.copy(error)
        origin = error.place.split(" needs ")[-1].removeprefix(f"{self.definition.name}.")
        passed.place = f"{place} needs {origin}"
        return passed


def _doubt(values: list[Any], errors: list[Any]) -> Any:
    raise DoubtError
