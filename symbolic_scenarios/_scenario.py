"""`Scenario`: the base class. A class declares inputs and properties; an instance has their values."""

from __future__ import annotations

import inspect
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Never, NoReturn, Self, dataclass_transform

from ._bridge import to_sympy
from ._class_body import RESERVED, define
from ._declarations import MISSING, Input
from ._definition import DefinedInput, Definition, nearest
from ._forms import closed_form, expanded_condition
from ._numeric import Evaluator, Failure, Point
from ._text import text
from ._tree import symbols
from ._units import Unit, exact_factor, factor, quantity_text, unit_text, wrap
from ._values import Given, InputReader
from .errors import DefinitionError, DomainError, FrozenScenarioError, InputError, ScenarioError

_SMALLEST = 1e-290
"""A magnitude below this may have lost digits as a float, or may lose them in a product."""


class _Exit(NamedTuple):
    """How a magnitude in base units leaves: as a plain number, or times a factor in a unit."""

    place: int
    unit: Unit | None
    over: float
    under: float


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Input,))
class _Declared:
    """Carries the decorator: type checkers then read `Scenario.name` and `.description` as keyword arguments, too."""

    _given: dict[str, Given | None]  # here, where type checkers make no keyword arguments of them
    _point: Point


class Scenario(_Declared):
    """Base class of all scenarios.

    A subclass declares inputs, constants, properties, inverses and constraints; see `Input`, `Constant`, `Property`,
    `Inverse`, `Constraint`. Its instances are made from keyword arguments, are frozen and hashable, and equal where
    class and inputs are equal.

    Args:
        name: A name, empty unless given; no part of equality.
        description: A sentence about these inputs, empty unless given; no part of equality.

    Raises:
        InputError: An input is unknown, missing, unreadable, of the wrong dimension or outside its domain.
        DomainError: A constraint of the scenario does not hold.
    """

    name: str = ""
    description: str = ""

    _definition: ClassVar[Definition]
    _evaluator: ClassVar[Evaluator]
    _readers: ClassVar[dict[str, InputReader]]
    _exits: ClassVar[dict[str, _Exit]]

    if not TYPE_CHECKING:
        # Type checkers read the keyword arguments off the declarations.

        def __init__(self, /, *, name: str = "", description: str = "", **inputs: Any) -> None:
            self._fill(name, description, inputs)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        definition = cls._definition = define(cls)
        cls._evaluator = Evaluator(definition)
        cls._readers = {key: _reader(definition, part) for key, part in definition.inputs.items()}
        cls._exits = {key: _exit(definition, cls._evaluator, key) for key in definition.order}
        cls.__signature__ = _signature(cls)  # type: ignore[attr-defined]  # what `inspect.signature` reads

    # --- an instance -------------------------------------------------------------------------------------------------

    def _fill(self, name: str, description: str, inputs: dict[str, Any]) -> None:
        cls = type(self)
        values = cls._evaluator.start.copy()
        given: dict[str, Given | None] = {}
        is_delicate = False
        for key, reader in cls._readers.items():
            if key in inputs:
                found = reader.read(inputs[key])
            elif reader.default is not MISSING:
                found = reader.default
            else:
                self._refuse_missing(inputs)
            given[key] = found
            values[cls._exits[key].place] = self._omitted(key) if found is None else found.magnitude
            if found is not None and -_SMALLEST < found.magnitude < _SMALLEST:
                is_delicate = is_delicate or found.magnitude != 0 or found.exact != 0
        if len(inputs) > len(given) or not inputs.keys() <= given.keys():
            self._refuse_unknown(inputs)
        for label, label_text in (("name", name), ("description", description)):
            if not isinstance(label_text, str):
                raise InputError(f"the {label} is no text", place=cls.__name__, found=repr(label_text)[:60])
        state = self.__dict__
        state["_given"] = given
        state["_point"] = Point(values, self._exact, is_delicate)
        if name:
            state["name"] = name
        if description:
            state["description"] = description
        if cls._definition.constraints:
            self._check_constraints()

    def _exact(self, key: str) -> Fraction:
        given = self._given[key]
        assert given is not None
        return given.exact

    def _value(self, key: str) -> Any:
        """Return what the attribute of an instance gives."""
        found = self._exits.get(key)
        if found is None:
            return self._constraint_holds(key)
        if key in self._given:
            return self._input(key, found)
        magnitude = self._point.values[found.place]
        if magnitude is None or magnitude.__class__ is Failure:
            magnitude = self._evaluator.value(self._point, found.place)
        if found.unit is None:
            return magnitude
        return wrap(magnitude * found.over / found.under, found.unit)

    def _input(self, key: str, found: _Exit) -> Any:
        given = self._given[key]
        if given is None:
            return None
        if found.unit is None:
            return given.magnitude
        if given.unit == found.unit:
            return wrap(float(given.number), found.unit)
        scale = exact_factor(found.unit)
        return wrap(float(given.exact / scale) if scale else given.magnitude / factor(found.unit), found.unit)

    def variant(self, /, **changes: Any) -> Self:
        """Return a copy with other inputs (or another `name`, `description`), checked like a new scenario.

        `None` leaves an optional input out.

        Raises:
            InputError: As when a scenario is made.
            DomainError: As when a scenario is made.
        """
        return type(self)(**{"name": self.name, "description": self.description, **self._given, **changes})

    # --- constraints -------------------------------------------------------------------------------------------------

    def _check_constraints(self) -> None:
        for key, constraint in self._definition.constraints.items():
            if self._constraint_holds(key) is False:
                facts = ", ".join(f"{symbol} = {self._shown(symbol.name)}" for symbol in symbols(constraint.tree))
                raise DomainError(
                    "the scenario violates its constraint"
                    + (f" ({constraint.doc.rstrip('.')})" if constraint.doc else ""),
                    place=f"{self._definition.name}.{key}",
                    found=facts,
                    expected=f"`{text(constraint.tree)}`",
                    condition=text(constraint.tree),
                    meaning=constraint.doc,
                    names=(key,),
                )

    def _constraint_holds(self, key: str) -> bool | None:
        return self._evaluator.holds(self._point, self._definition.constraints[key].tree, key)

    def _shown(self, key: str) -> str:
        given = self._given.get(key)
        if given is not None:
            return given.text
        value = self._value(key)
        if value is None:
            return ""
        return (
            f"{value:.6g}"
            if self._exits[key].unit is None
            else quantity_text(float(f"{value.magnitude:.6g}"), value.units)
        )

    # --- the class ---------------------------------------------------------------------------------------------------

    @classmethod
    def _mathematics(cls, key: str) -> Any:
        """Return what the attribute of the class gives: a symbol, a closed form, a condition."""
        definition = cls._definition
        if key in definition.constraints:
            return to_sympy(expanded_condition(definition, definition.constraints[key].tree))
        if key in definition.inputs or key in definition.constants:
            return definition.part(key).symbol
        return closed_form(definition, key)

    # --- what is refused ---------------------------------------------------------------------------------------------

    def _refuse_missing(self, inputs: dict[str, Any]) -> NoReturn:
        missing = tuple(key for key, reader in self._readers.items() if reader.default is MISSING and key not in inputs)
        self._check_known(inputs)
        raise InputError(
            "inputs are missing" if len(missing) > 1 else "an input is missing",
            place=type(self).__name__,
            expected=", ".join(f"{key} ({self._readers[key]._expected()})" for key in missing),
            names=missing,
        )

    def _refuse_unknown(self, inputs: dict[str, Any]) -> NoReturn:
        self._check_known(inputs)
        raise AssertionError("unreachable: an unknown input was found")  # pragma: no cover

    def _check_known(self, inputs: dict[str, Any]) -> None:
        for key in inputs:
            if key not in self._readers:
                derived = key in self._definition.order or key in self._definition.constraints
                raise InputError(
                    "that is no input: it follows from the inputs" if derived else "there is no such input",
                    place=type(self).__name__,
                    found=f"`{key[:60]}`",
                    expected="one of " + ", ".join(self._readers) if self._readers else "none: it has no inputs",
                    hint="" if derived else nearest(key, list(self._readers)),
                    names=(key,),
                )

    def _omitted(self, key: str) -> Failure:
        return Failure(
            InputError(
                f"the input `{key}` was left out",
                place=f"{self._definition.name}.{key}",
                hint=f"Give it: scenario.variant({key}=...).",
                names=(key,),
            )
        )

    def __setattr__(self, key: str, value: Never) -> None:
        hint = f"Make a changed copy: scenario.variant({key}=...)." if key in self._readers or key in RESERVED else ""
        raise FrozenScenarioError("a scenario can't be changed", place=f"{type(self).__name__}.{key}", hint=hint)

    def __delattr__(self, key: str) -> None:
        self.__setattr__(key, None)  # type: ignore[arg-type]  # it takes no value: it raises

    # --- identity ----------------------------------------------------------------------------------------------------

    def _key(self) -> tuple[Any, ...]:
        key = self.__dict__.get("_identity")
        if key is None:
            key = tuple(None if given is None else given.exact for given in self._given.values())
            self.__dict__["_identity"] = key
        return key

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memory: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), {"name": self.name, "description": self.description, **self._given})

    def __repr__(self) -> str:
        labels = {key: repr(getattr(self, key)) for key in ("name", "description") if getattr(self, key)}
        inputs = {key: _source_text(given) for key, given in self._given.items() if given is not None}
        return f"{type(self).__name__}({', '.join(f'{key}={value}' for key, value in {**labels, **inputs}.items())})"

    def _repr_markdown_(self) -> str:
        rows = ["| | value | |", "|---|---|---|"]
        for key in self._definition.order:
            try:
                value = self._shown(key)
            except ScenarioError as error:
                value = error.problem
            rows.append("| " + " | ".join(map(_inert, (key, value, self._definition.part(key).doc))) + " |")
        heading = f"**{_inert(self.name or type(self).__name__)}** {_inert(self.description)}".strip()
        return "\n".join([heading, "", *rows])


_MARKS = str.maketrans({mark: f"&#{ord(mark)};" for mark in "\\`*_{}[]<>()#+!|&$~"})


def _inert(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return " ".join(text.translate(_MARKS).split())


def definition(cls: type[Scenario] | Scenario) -> Definition:
    """Return the definition of a scenario class (or of an instance's class): symbols, expressions, units, conditions.

    Raises:
        TypeError: It is no scenario class.
    """
    owner = cls if isinstance(cls, type) else type(cls)
    if not issubclass(owner, Scenario) or owner is Scenario:
        raise TypeError(f"definition() takes a scenario class or an instance, not {cls!r:.80}")
    return owner._definition


def _restored(cls: type[Scenario], values: dict[str, Any]) -> Scenario:
    return cls(**values)


def _source_text(given: Given) -> str:
    written = given.text
    return written if not unit_text(given.unit) and given.number.__class__ in (int, float) else repr(written)


def _reader(definition: Definition, part: DefinedInput) -> InputReader:
    try:
        return InputReader(part, f"{definition.name}.{part.name}")
    except InputError as error:
        raise DefinitionError(
            f"the default is no value of the input: {error.problem}",
            place=part.place,
            found=error.found,
            expected=error.expected,
            hint=error.hint,
        ) from None


def _exit(definition: Definition, evaluator: Evaluator, key: str) -> _Exit:
    part = definition.part(key)
    place = evaluator.places[key]
    if not part.dimension and factor(part.unit) == 1 and str(part.unit) in ("", "dimensionless"):
        return _Exit(place, None, 1.0, 1.0)
    exact = exact_factor(part.unit)
    if exact is None or max(exact.numerator, exact.denominator) > 2**1000:
        return _Exit(place, part.unit, 1.0, factor(part.unit))
    return _Exit(place, part.unit, float(exact.denominator), float(exact.numerator))


def _signature(cls: type[Scenario]) -> inspect.Signature:
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(
            key, kind, default=inspect.Parameter.empty if reader.default is MISSING else reader.part.default
        )
        for key, reader in cls._readers.items()
    ]
    labels = [inspect.Parameter(label, kind, default="") for label in ("name", "description")]
    return inspect.Signature(sorted([*parameters, *labels], key=lambda one: one.default is not inspect.Parameter.empty))
