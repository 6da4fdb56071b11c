"""What stands in the body of a scenario class: inputs, constants, properties, inverses, constraints.

A declaration keeps what its author wrote. When the class is complete, `_class_body` reads all of them into one record;
nothing else reads them. Afterwards a declaration is a descriptor: mathematics on the class, a value on an instance.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, Never, Protocol, overload

from ._operands import Condition, Operand, tree_of
from ._tree import Tree, name
from .errors import FrozenScenarioError

if TYPE_CHECKING:
    from sympy import Expr, Symbol
    from sympy.logic.boolalg import Boolean
    from typing_extensions import TypeVar

    from ._units import Quantity

    T = TypeVar("T", default=Quantity)
else:
    # Defaults of type variables come with Python 3.13; only type checkers read this one.
    from typing import TypeVar

    T = TypeVar("T")


class SupportsQuantity(Protocol):
    """A quantity of any pint registry.

    To type checkers `3 * ureg.second` is a quantity or a unit, so this asks only for what both have; a unit without a
    number is refused when the scenario is made.
    """

    @property
    def dimensionality(self) -> Any: ...

    @property
    def dimensionless(self) -> bool: ...


class _Missing:
    def __repr__(self) -> str:
        return "no default"


MISSING: Any = _Missing()


class Declaration(Operand):
    """The common part: a name (given by the class), a description, a LaTeX symbol, the place in the source."""

    def __init__(self, doc: str, latex: str | None) -> None:
        self.doc = self.__doc__ = doc
        self.latex = latex
        self.names: list[tuple[type, str]] = []
        self.name = ""
        self.placeholders: dict[Tree, Any] = {}
        self.source = _line_of_declaration()

    def __set_name__(self, owner: type, name: str) -> None:
        # What is wrong with a name is said when the class is complete: Python 3.11 would wrap an error raised here.
        self.names.append((owner, name))
        self.name = self.name or name

    @property
    def _tree(self) -> Tree:
        return name(self)

    def _read(self, instance: Any, owner: Any) -> Any:
        if instance is None:
            return owner._mathematics(self.name)
        return instance._value(self.name)

    def __set__(self, instance: Any, value: Never) -> None:
        raise FrozenScenarioError(
            "a scenario can't be changed",
            place=f"{type(instance).__name__}.{self.name}",
            hint=f"Make a changed copy: scenario.variant({self.name}=...)."
            if isinstance(self, Input)
            else "Its value follows from the inputs.",
        )

    def __delete__(self, instance: Any) -> None:
        self.__set__(instance, None)  # type: ignore[arg-type]  # it takes no value: it raises


class Input(Declaration, Generic[T]):
    """A quantity that a scenario is given.

    On the class it is a SymPy symbol for the magnitude in base units. On an instance it is a quantity in the declared
    unit, or a plain number where the unit is dimensionless (`""`); say so in the annotation: `Input[float]`,
    `Input[int]`, `Input[int | None]`.

    Args:
        unit: The declared unit, as text (`"ms"`, `"GB/s"`, `""`).
        doc: One sentence that says what the input is.
        latex: Its symbol; without it, the name is set upright.
        positive: Only values above 0.
        nonnegative: Only values of 0 or more.
        integer: Only whole numbers.
        within: An interval, such as `"(0, 1)"`, `"[0, 1)"`, `"[1, oo)"`; ends are in the declared unit.
        default: The value where none is given; `None` makes the input optional: properties that need it are then
            unavailable.
    """

    def __init__(
        self,
        unit: str,
        doc: str = "",
        *,
        latex: str | None = None,
        positive: bool = False,
        nonnegative: bool = False,
        integer: bool = False,
        within: str | None = None,
        default: Any = MISSING,
    ) -> None:
        super().__init__(doc, latex)
        self.unit = unit
        self.positive = positive
        self.nonnegative = nonnegative
        self.integer = integer
        self.within = within
        self.default = default

    @overload
    def __get__(self, instance: None, owner: type) -> Symbol: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._read(instance, owner)

    if TYPE_CHECKING:
        # The type of the keyword argument that the input becomes.
        def __set__(self, instance: Any, value: T | str | SupportsQuantity) -> None: ...


class Constant(Declaration, Generic[T]):
    """A value with a source: a hardware peak, the bytes of a format, the hours of a year by one convention.

    It is a symbol in every form, and a value on an instance.

    Args:
        value: The value with its unit, as text (`"989 TFLOP/s"`), or an exact number.
        doc: One sentence that says what it is.
        latex: Its symbol; without it, the name is set upright.
        source: Where the value comes from.
    """

    @overload
    def __init__(
        self: Constant[Quantity],
        value: str | SupportsQuantity,
        doc: str = ...,
        *,
        latex: str | None = ...,
        source: str = ...,
    ) -> None: ...
    @overload
    def __init__(
        self: Constant[float], value: int | Fraction, doc: str = ..., *, latex: str | None = ..., source: str = ...
    ) -> None: ...
    def __init__(self, value: Any, doc: str = "", *, latex: str | None = None, source: str = "") -> None:
        super().__init__(doc, latex)
        self.value = value
        self.citation = source

    @overload
    def __get__(self, instance: None, owner: type) -> Symbol: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._read(instance, owner)


class Property(Declaration, Generic[T]):
    """A quantity that follows from the inputs by one expression.

    On the class it is the closed form in the inputs, a SymPy expression in base units. On an instance it is a quantity
    in the declared unit, or a plain number where the unit is dimensionless.

    Args:
        expression: An expression of inputs, constants and properties declared above.
        unit: The declared unit, as text.
        doc: One sentence that says what the property is.
        latex: Its symbol; without it, the name is set upright.
        requires: The condition (or conditions) under which the property has a value.
        otherwise: What it means that `requires` fails, as a clause.
    """

    @overload
    def __init__(
        self: Property[float],
        expression: Any,
        unit: Literal[""],
        doc: str = ...,
        *,
        latex: str | None = ...,
        requires: Any = ...,
        otherwise: str = ...,
    ) -> None: ...
    @overload
    def __init__(
        self: Property[Quantity],
        expression: Any,
        unit: str,
        doc: str = ...,
        *,
        latex: str | None = ...,
        requires: Any = ...,
        otherwise: str = ...,
    ) -> None: ...
    def __init__(
        self,
        expression: Any,
        unit: str,
        doc: str = "",
        *,
        latex: str | None = None,
        requires: Any = (),
        otherwise: str = "",
    ) -> None:
        super().__init__(doc, latex)
        self.expression = tree_of(expression)
        self.unit = unit
        self.requires = tuple(tree_of(one) for one in _several(requires))
        self.otherwise = otherwise

    @overload
    def __get__(self, instance: None, owner: type) -> Expr: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._read(instance, owner)


class Inverse(Declaration, Generic[T]):
    """The value of one input at which a property takes a given value; derived by the solver when first read.

    Args:
        of: A property declared above.
        equals: The value it is to take: a number or text with a unit (`"10 ms"`), or another property or input.
        solve_for: The input that is looked for.
        doc: One sentence that says what it is.
        latex: Its symbol; without it, the input's symbol with an asterisk.
        branch: Which branch, counted from 0 in the order that `solve_for` lists them, where there are several.
    """

    @overload
    def __init__(
        self: Inverse[Quantity],
        of: Property[Any],
        *,
        equals: Any,
        solve_for: Input[Quantity],
        doc: str = ...,
        latex: str | None = ...,
        branch: int | None = ...,
    ) -> None: ...
    @overload
    def __init__(
        self: Inverse[float],
        of: Property[Any],
        *,
        equals: Any,
        solve_for: Input[Any],
        doc: str = ...,
        latex: str | None = ...,
        branch: int | None = ...,
    ) -> None: ...
    def __init__(
        self,
        of: Any,
        *,
        equals: Any,
        solve_for: Any,
        doc: str = "",
        latex: str | None = None,
        branch: int | None = None,
    ) -> None:
        super().__init__(doc, latex)
        self.of = of
        self.equals = equals
        self.solve_for = solve_for
        self.branch = branch

    @overload
    def __get__(self, instance: None, owner: type) -> Expr: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._read(instance, owner)


class Constraint(Declaration):
    """What must hold for the whole scenario: checked when an instance is made, used by the solver.

    On the class it is the condition, a SymPy Boolean. On an instance it is `True`, or `None` where an omitted input
    leaves it open.

    Args:
        condition: A comparison of inputs, constants and properties declared above.
        doc: One sentence that says what it means.
    """

    def __init__(self, condition: Any, doc: str = "") -> None:
        super().__init__(doc, None)
        self.condition = tree_of(condition)

    @overload
    def __get__(self, instance: None, owner: type) -> Boolean: ...
    @overload
    def __get__(self, instance: object, owner: type) -> bool | None: ...
    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._read(instance, owner)


def _several(conditions: Any) -> Sequence[Any]:
    return conditions if isinstance(conditions, (tuple, list)) else (conditions,)


def _line_of_declaration() -> str:
    """Return `file.py:12` for the line outside this file that makes the declaration."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


__all__ = [
    "MISSING",
    "Condition",
    "Constant",
    "Constraint",
    "Declaration",
    "Input",
    "Inverse",
    "Property",
    "SupportsQuantity",
]
