"""The one registry of this package: its units, and quantities that belong to it wherever they are unpickled.

pint's own classes unpickle into the application registry, read text with an evaluator, and compare a unit with text by
evaluating it. Quantity, Unit and Registry here differ from pint's in those three things and in how they print.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

from pint.errors import DimensionalityError, UndefinedUnitError
from pint.facets.plain import PlainQuantity
from pint.registry import GenericUnitRegistry
from pint.registry import Quantity as PintQuantity
from pint.registry import Unit as PintUnit
from pint.util import UnitsContainer

from ..errors import DefinitionError, InputError
from .expansion import expansion
from .grammar import Powers, read_quantity, read_unit
from .names import prefixed_units, spellings
from .printing import quantity_format, unit_format
from .suggestions import unknown_unit

if TYPE_CHECKING:
    _QuantityBase = PintQuantity[Any]
else:
    _QuantityBase = PintQuantity  # generic from pint 0.25 on

__all__ = ["Quantity", "Registry", "Unit", "magnitude_of", "registry"]


class Unit(PintUnit):
    """A unit of this package's registry."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_unit, (tuple(self._units.items()),)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):  # pint would evaluate the text
            try:
                other = self._REGISTRY.parse_units(other)
            except InputError:
                return False
        return bool(super().__eq__(other))

    __hash__ = PintUnit.__hash__

    def __str__(self) -> str:
        return unit_format(self, "") or "dimensionless"

    def __format__(self, spec: str) -> str:
        return unit_format(self, spec)

    def __repr__(self) -> str:
        return f"<Unit({str(self)!r})>"


class Quantity(_QuantityBase):
    """A magnitude with a unit of this package's registry."""

    def __new__(cls, value: Any, units: Any = None) -> Quantity:
        if isinstance(value, str):
            value = cls._REGISTRY.parse_expression(value)
        elif isinstance(value, PlainQuantity) and not isinstance(value, Quantity):  # pint would nest the two
            raise InputError("the quantity is of another registry", found=str(value), hint="Q_(quantity) converts it.")
        return cast(Quantity, super().__new__(cls, value, units))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_quantity, (self._magnitude, tuple(self._units.items()))

    def __str__(self) -> str:
        return quantity_format(self, "")

    def __format__(self, spec: str) -> str:
        return quantity_format(self, spec)

    def __repr__(self) -> str:
        return f"<Quantity({str(self)!r})>"


#: Inside `Registry` the plain names are its attributes.
_Quantity: TypeAlias = Quantity
_Unit: TypeAlias = Unit


class Registry(GenericUnitRegistry[Quantity, Unit]):
    """Units read by this package's parser only, complete when made, and never changed afterwards.

    All prefixed units are made at the start. pint makes them when first met, which changes tables that other threads
    may be reading.
    """

    Quantity = Quantity
    Unit = Unit

    def __init__(self, path: Path) -> None:
        if "_REGISTRY" in vars(Quantity):
            raise TypeError("the quantities of this package belong to one registry; use `symbolic_scenarios.units`")
        self._is_complete = False
        self._exact_conversions: dict[tuple[UnitsContainer, UnitsContainer], Any] = {}
        super().__init__(filename=str(path), on_redefinition="raise")
        # pint replaces signs in a text by these before it parses; our grammar reads the signs themselves.
        self.preprocessors = []

    def _init_dynamic_classes(self) -> None:
        super()._init_dynamic_classes()
        # pint derives a class of its own for each registry. Ours are the classes of this module: they can be imported.
        for cls in (Quantity, Unit):
            cls._REGISTRY = self  # type: ignore[assignment]
        self.Quantity, self.Unit = Quantity, Unit

    def _after_init(self) -> None:
        super()._after_init()
        plain = {definition.name: definition for definition in self._units.values()}
        names: dict[str, str] = {}
        for spelling, name in spellings(plain, self._prefixes):
            names.setdefault(spelling, name)
        for pair in prefixed_units(plain):
            super().get_name(pair.name)
        #: Every spelling that is read, with the name of its unit.
        self._spellings = MappingProxyType(names)
        self._is_complete = True

    # ---- Reading: every entry point for text leads to our grammar ----

    def parse_units_as_container(
        self, input_string: str, as_delta: bool | None = None, case_sensitive: bool | None = None
    ) -> UnitsContainer:
        """The powers of a unit's text. There are no offset units, and case always counts: both options do nothing."""
        return self._container(read_unit(input_string, self._spellings))

    def _parse_units_as_container(
        self, input_string: str, as_delta: bool = True, case_sensitive: bool = True
    ) -> UnitsContainer:
        return self.parse_units_as_container(input_string)

    def parse_expression(self, input_string: str, case_sensitive: bool | None = None, **values: Any) -> _Quantity:
        """The quantity that a text states: a number and a unit, no arithmetic."""
        if values:
            raise InputError("names are not replaced in a quantity's text", found=", ".join(values))
        number, powers = read_quantity(input_string, self._spellings)
        return Quantity(magnitude_of(number), self._container(powers))

    __call__ = parse_expression

    def get_name(self, name_or_alias: str, case_sensitive: bool | None = None) -> str:
        """The name of a unit by any of its spellings; pint would make prefixed units here."""
        if not self._is_complete:
            name: str = super().get_name(name_or_alias, case_sensitive)
            return name
        if name_or_alias in self._units:
            return str(self._units[name_or_alias].name)
        if name_or_alias == "dimensionless":
            return ""
        try:
            return self._spellings[name_or_alias]
        except KeyError:
            raise unknown_unit(name_or_alias, name_or_alias, self._spellings) from None

    def get_dimensionality(self, input_units: Any) -> UnitsContainer:
        """The dimensions of a unit; text is a unit, or one dimension such as `[time]`."""
        if isinstance(input_units, str):
            is_dimension = input_units in self._dimensions
            input_units = {input_units: 1} if is_dimension else self.parse_units_as_container(input_units)
        return super().get_dimensionality(input_units)

    def get_base_units(self, input_units: Any, check_nonmult: bool = True, system: Any = None) -> tuple[Any, _Unit]:
        """The factor to base units and the base units."""
        return cast(tuple[Any, _Unit], super().get_base_units(self._read(input_units), check_nonmult, system))

    def get_compatible_units(self, input_units: Any, group_or_system: str | None = None) -> frozenset[_Unit]:
        """All units of the same dimension."""
        return cast(frozenset[_Unit], super().get_compatible_units(self._read(input_units), group_or_system))

    def _read(self, units: Any) -> Any:
        return self.parse_units_as_container(units) if isinstance(units, str) else units

    def _container(self, powers: Powers) -> UnitsContainer:
        return self.UnitsContainer(powers)

    def _get_conversion_factor(self, src: UnitsContainer, dst: UnitsContainer) -> Any:
        """The nearest float to the exact factor, where pint multiplies rounded ones: 3.35 TB/s are 3350.0 GB/s."""
        try:
            return self._exact_conversions[src, dst]
        except KeyError:
            pass
        factor = super()._get_conversion_factor(src, dst)
        if isinstance(factor, DimensionalityError):
            return factor
        exact = expansion(src / dst, self._units, self._prefixes).exact()
        self._exact_conversions[src, dst] = factor if exact is None else magnitude_of(exact)
        return self._exact_conversions[src, dst]

    # ---- Attributes are units ----

    def __getattr__(self, item: str) -> _Unit:
        if item.startswith("_") or item not in self.__dict__.get("_spellings", ()):
            raise UndefinedUnitError(item)  # an AttributeError
        return Unit(self._container({self._spellings[item]: 1}))

    def __contains__(self, item: object) -> bool:
        return item in self._spellings

    # ---- One registry, complete: no changes, no copies ----

    def define(self, definition: Any) -> None:
        """Refused: the units are those of the reviewed file."""
        self._refuse_change()

    def load_definitions(self, file: Any, is_resource: bool = False) -> Any:
        """Refused once the registry is complete."""
        if self._is_complete:
            self._refuse_change()
        return super().load_definitions(file, is_resource)

    def _refuse_change(self) -> NoReturn:
        hint = "Give the value in one of its units, or make a registry of your own: its quantities are read by name."
        raise DefinitionError("units cannot be added to this registry", hint=hint)

    def __copy__(self) -> Registry:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Registry:  # type: ignore[override]  # pint says type[Registry]
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _the_registry, ()


def magnitude_of(number: Fraction) -> int | float:
    """An exact number as the magnitude of a quantity: an int where it is a whole number that a float holds too."""
    if number.denominator == 1 and abs(number) <= 2**53:
        return int(number)
    return float(number)


def _the_registry() -> Registry:
    return registry


def _restore_unit(powers: tuple[tuple[str, int | float], ...]) -> Unit:
    return Unit(registry._container(dict(powers)))


def _restore_quantity(magnitude: Any, powers: tuple[tuple[str, int | float], ...]) -> Quantity:
    return Quantity(magnitude, registry._container(dict(powers)))


registry = Registry(Path(__file__).with_name("definitions.txt"))
