r"""Equations as LaTeX: one by name, or all of a scenario."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from .._definition import Definition, nearest
from .._forms import expanded
from .._scenario import Scenario, definition
from .._tree import Tree
from ..errors import InputError, ScenarioError
from .lines import Equation, block, display
from .parts import MOST_DIGITS, symbol_pieces
from .pieces import Binding, Piece, Term
from .printer import Printer
from .symbols import shape_of, symbols_of
from .targets import Target, readable, target_of
from .worked import Worked


def latex(x: type[Scenario] | Scenario, name: Any, form: str = "layered") -> str:
    r"""Return the equation of a property or an inverse as LaTeX.

    Args:
        x: A scenario class or an instance.
        name: The property or inverse, as text or as a symbol.
        form: `layered`, as written (`N^{*} = \frac{T_c}{s}`); `expanded`, in inputs and constants only; `worked`, with
            the numbers of an instance and their units. The numbers of a worked equation give the result at the digits
            shown, to whoever computes with them; where no rounding does (a step that rests on an irrational number),
            the names stay.

    Raises:
        InputError: There is no such property or form; a class has no numbers to be worked with; or an input that the
            property needs was left out of the instance.
        DomainError: The property has no value there.
        SolveError: It is an inverse without a unique closed form.
        DefinitionError: The expanded form would be too large.
    """
    record = definition(x)
    part = record.find(name, (record.properties, record.inverses), "property or inverse")
    return display(_builder(x, record, form)(part.name))


def equations(x: type[Scenario] | Scenario, form: str = "layered") -> str:
    r"""Return the equations of all properties and inverses as one block of LaTeX, aligned, with their conditions.

    An inverse without a closed form stands there as its question; a property that has no value at an instance stands
    there without numbers.

    Args:
        x: A scenario class or an instance.
        form: `layered`, `expanded` or `worked`, as for `latex`.

    Raises:
        InputError: There is no such form, or a class has no numbers to be worked with.
    """
    record = definition(x)
    build = _builder(x, record, form)
    names = [name for name in record.order if name in record.properties or name in record.inverses]
    return block([_row(record, name, build) for name in names]) if names else ""


Builder = Callable[[str], Equation]


def _builder(x: type[Scenario] | Scenario, record: Definition, form: str) -> Builder:
    if form == "layered":
        return lambda name: _layered(record, name)
    if form == "expanded":
        return lambda name: _expanded(record, name)
    if form != "worked":
        forms = ["layered", "expanded", "worked"]
        raise InputError(
            "there is no such form",
            place=record.name,
            found=f"{form!r:.60}",
            expected="one of " + ", ".join(forms),
            hint=nearest(str(form), forms),
        )
    if isinstance(x, type):
        raise InputError(
            "a class has no numbers to be worked with",
            place=record.name,
            expected="an instance, for the worked form",
            hint=f'Make one: latex({record.name}(...), name, form="worked").',
        )
    return lambda name: _worked(x, record, name)


def _row(record: Definition, name: str, build: Builder) -> Equation:
    """Return an equation with its conditions, or, where it can't be built, what can be said instead."""
    try:
        equation = build(name)
    except ScenarioError:
        try:
            equation = _layered(record, name)
        except ScenarioError:
            return _question(record, name)
    return Equation(equation.left, equation.steps, _conditions(record, name))


def _layered(record: Definition, name: str) -> Equation:
    this = _readable(record, name)
    return Equation(_left(record, name), (_terms(record, this.tree, this.target),))


def _expanded(record: Definition, name: str) -> Equation:
    if name in record.inverses:
        return _layered(record, name)
    return Equation(_left(record, name), (_terms(record, expanded(record, name)),))


def _worked(scenario: Scenario, record: Definition, name: str) -> Equation:
    # An instance without a value says why before a class without a closed form does.
    scenario._value(name)
    this = _readable(record, name)
    worked = Worked(scenario, name, this)
    if worked.digits is None:
        steps = [_terms(record, worked.tree, this.target), (Term("+", worked.result.piece(MOST_DIGITS)),)]
        return Equation(_left(record, name), tuple(steps))
    operand_digits, result_digits = worked.digits
    pieces = {symbol: operand.piece(operand_digits) for symbol, operand in worked.operands.items()}
    expression = tuple(Printer(pieces.__getitem__).terms(worked.tree))
    result = (Term("+", worked.result.piece(result_digits)),)
    return Equation(_left(record, name), (expression,) if expression == result else (expression, result))


# --- parts of an equation --------------------------------------------------------------------------------------------


def _readable(record: Definition, name: str) -> Any:
    try:
        return readable(record, name)
    except ScenarioError as error:
        raise copy.copy(error) from None  # it is kept, and would gather the tracebacks of all who ask


def _left(record: Definition, name: str) -> Piece:
    return shape_of(symbols_of(record)[name])


def _terms(record: Definition, tree: Tree, target: Target | None = None) -> tuple[Term, ...]:
    return tuple(Printer(_names(record, target)).terms(tree))


def _names(record: Definition, target: Target | None) -> Callable[[Any], Piece]:
    symbol_piece = symbol_pieces(record)
    if target is None:
        return symbol_piece
    return lambda leaf: target.piece if leaf == target.symbol else symbol_piece(leaf)


def _conditions(record: Definition, name: str) -> Piece | None:
    this = readable(record, name)
    if not this.requires:
        return None
    tree = this.requires[0] if len(this.requires) == 1 else Tree("and", this.requires)
    return Printer(_names(record, this.target)).piece(tree)


def _question(record: Definition, name: str) -> Equation:
    r"""Return what an inverse asks: `\left.\sigma\right|_{k = k^{*}} = 1`."""
    inverse = record.inverses[name]
    symbols = symbols_of(record)
    of = symbols[inverse.of]
    where = f"{symbols[inverse.unknown]} = {symbols[name]}"
    left = Piece(rf"\left.{of}\right|_{{{where}}}", shape_of(of).width + 0.7 * shape_of(where).width, Binding.ATOM)
    target = target_of(record, inverse)
    right = (Term("+", target.piece),) if target else _terms(record, inverse.target)
    return Equation(left, (right,))
