"""The answer to an inverse question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._scenario import Scenario
from ._text import text
from ._tree import Tree
from ._typesetting import latex_condition, latex_expression, latex_symbol
from ._units import Quantity, quantity_text


@dataclass(frozen=True)
class Branch:
    """One part of the answer: a value of the unknown, or an interval of values.

    Attributes:
        low: The value (or the lower end) in closed form, as a tree; `None` where it is infinite or has no closed form.
        high: The upper end.
        low_open: Whether the lower end does not belong to it.
        high_open: Whether the upper end does not.
        is_point: Whether it is one value.
        conditions: What must hold for it, in the names of the scenario; none where it always holds.
        ends: The two ends at the instance that was asked: quantities in the unknown's unit or plain numbers, `None`
            where infinite; `None` on a class.
        own_ends: Which ends are only those of the unknown's domain.
        joint: Of a question for several inputs: the name, the closed form and (at an instance) the value of each.
        exactness: `closed form`, or `certified to 30 digits` where only the number is known.
    """

    low: Tree | None
    high: Tree | None
    low_open: bool
    high_open: bool
    is_point: bool
    conditions: tuple[Tree, ...]
    ends: tuple[Any, Any] | None = None
    exactness: str = "closed form"
    own_ends: tuple[bool, bool] = field(default=(False, False), repr=False)
    joint: tuple[tuple[str, Tree, Any], ...] = ()

    @property
    def value(self) -> Quantity | float | None:
        """The value at the instance that was asked, if it is one value."""
        return self.ends[0] if self.ends is not None and self.is_point else None

    @property
    def condition(self) -> str:
        """The conditions as text; empty where it always holds."""
        return " and ".join(text(condition) for condition in self.conditions)

    def statement(self, unknown: str) -> str:
        """Return the branch as a statement about the unknown."""
        if self.joint:
            parts = [
                [name, text(tree), *([] if value is None else [value_text(value)])] for name, tree, value in self.joint
            ]
            line = ", ".join(" = ".join(dict.fromkeys(part)) for part in parts)
        elif self.is_point:
            shown = [text(self.low)] if self.low is not None else []
            shown += [value_text(self.ends[0])] if self.ends is not None else []
            line = " = ".join([unknown, *dict.fromkeys(shown)])
        else:
            line = self._interval(unknown)
        show = self.conditions and self.ends is None and not any(value is not None for _, _, value in self.joint)
        return f"{line}, if {self.condition}" if show else line

    def _interval(self, unknown: str) -> str:
        low, high = (self._end(tree, place) for place, tree in enumerate((self.low, self.high)))
        below, above = "<" if self.low_open else "<=", "<" if self.high_open else "<="
        if low and self.own_ends[0] and (high or not self.low_open):
            low = "" if high else low
        if high and self.own_ends[1] and low:
            high = ""
        if low and high:
            return f"{low} {below} {unknown} {above} {high}"
        if low:
            return f"{unknown} {'>' if self.low_open else '>='} {low}"
        return f"{unknown} {above} {high}" if high else f"any {unknown}"

    def _end(self, tree: Tree | None, place: int) -> str:
        if self.ends is not None:
            return "" if self.ends[place] is None else value_text(self.ends[place])
        return "" if tree is None else text(tree)


@dataclass(frozen=True)
class Solution:
    """The answer to a question for one input.

    Attributes:
        scenario: The class that was asked.
        unknown: The name of the input that was looked for.
        question: What was asked, as text: `breakeven_items = 50000`.
        verdict: `unique`, `several`, `region` (an interval), `always` (every value of the unknown), `none`,
            `independent` (the property does not depend on the unknown), `not attained` (an optimum only in a limit),
            `unsolved` (no closed form, on a class), `undecided` (not everything could be proved).
        branches: The parts of the answer; at an instance those that hold there.
        complete: Whether the branches are proved to be all: then a unique value is unique.
        reason: Why there is no value, or which values are impossible; empty where there is nothing to say.
        where: What a symbol in the branches stands for, as text: the target, where it has a unit.
        boundary: The unique real value, also where the unknown is an integer and this lies between two; else `None`.
        steps: How the closed form was reached, each an equation or a comparison and what was done.
    """

    scenario: type[Scenario] = field(repr=False, compare=False)
    unknown: str
    question: str
    verdict: str
    branches: tuple[Branch, ...]
    complete: bool
    reason: str = ""
    where: str = ""
    boundary: Quantity | float | None = None
    steps: tuple[tuple[str, str], ...] = ()
    reading: str = field(default="", repr=False)
    answer_at: Callable[[dict[str, Any]], Solution] | None = field(default=None, repr=False, compare=False)

    @property
    def value(self) -> Quantity | float | int | None:
        """The unique value in the domain of the unknown, else `None`: for an integer unknown only a whole number."""
        found = self.boundary if self.verdict == "unique" else None
        if self.reading and isinstance(found, float):  # an integer is looked for
            return int(found) if found.is_integer() else None
        return found

    def at(self, **values: Any) -> tuple[Branch, ...]:
        """Return the values in the domain of the unknown where the other inputs have values.

        Args:
            **values: Values of inputs, as a scenario takes them; on an instance they replace its own.

        Raises:
            InputError: A value is not understood, or one is missing.
        """
        assert self.answer_at is not None
        return self.answer_at(values).branches

    def integer_reading(self) -> str:
        """Return what the answer means for whole numbers: `experiment_slowdown <= 1 for recompiles at most 0`."""
        return self.reading

    def explain(self) -> str:
        """Return the steps to the closed form, one a line, each with what was done."""
        width = max((len(line) for line, _ in self.steps), default=0)
        return "\n".join(f"{line:{width}}   {why}" for line, why in self.steps)

    def __bool__(self) -> bool:
        return bool(self.branches)

    def __str__(self) -> str:
        if not self.branches:
            return self.reason
        lines = [branch.statement(self.unknown) for branch in self.branches]
        if self.complete and all(
            branch.conditions and branch.ends is None and not branch.is_point for branch in self.branches
        ):
            lines[-1] += ", otherwise never"
        return "\n".join(f"{line}, where {self.where}" if self.where else line for line in lines)

    def latex(self) -> str:
        r"""Return the branches as LaTeX, each with its conditions; empty where there is none."""
        rows = [row for branch in self.branches if (row := self._row(branch))]
        gathered = r" \\ ".join(rows)
        return rf"\begin{{gathered}} {gathered} \end{{gathered}}" if len(rows) > 1 else gathered

    def _row(self, branch: Branch) -> str:
        if branch.joint:
            parts = [
                (latex_symbol(self.scenario, name), latex_expression(self.scenario, tree))
                for name, tree, _ in branch.joint
            ]
            return r",\quad ".join(f"{symbol} = {value}" for symbol, value in parts)
        symbol = latex_symbol(self.scenario, self.unknown)
        ends = [None if end is None else latex_expression(self.scenario, end) for end in (branch.low, branch.high)]
        if branch.is_point:
            row = f"{symbol} = {ends[0]}" if ends[0] else ""
        else:
            low = f"{ends[0]} {'<' if branch.low_open else chr(92) + 'le'} " if ends[0] else ""
            high = f" {'<' if branch.high_open else chr(92) + 'le'} {ends[1]}" if ends[1] else ""
            row = f"{low}{symbol}{high}"
        conditions = [latex_condition(self.scenario, condition) for condition in branch.conditions]
        joined = r" \land ".join(conditions)
        return rf"{row} \quad \text{{if }} {joined}" if row and conditions else row

    def _repr_latex_(self) -> str | None:
        return f"$\\displaystyle {self.latex()}$" if self.branches else None

    def __repr__(self) -> str:
        return f"<Solution of {self.question} for {self.unknown}: {self.verdict}\n{self}>"


def _equation(name: str, tree: Tree, value: Any) -> str:
    shown = [text(tree)] if value is None else [text(tree), value_text(value)]
    return " = ".join([name, *dict.fromkeys(shown)])


def value_text(value: Any, digits: int = 8) -> str:
    """Return a quantity or a number as text with a number of significant digits."""
    if isinstance(value, Quantity):
        return quantity_text(float(f"{value.magnitude:.{digits}g}"), value.units)
    return str(value) if isinstance(value, int) else f"{value:.{digits}g}"
