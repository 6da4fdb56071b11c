"""The answer to an inverse question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._scenario import Scenario
from ._text import text
from ._tree import Tree
from ._typesetting import latex_condition, latex_expression, latex_symbol
from ._units import Quantity, quantity_text


@dataclass(frozen=True)
class Branch:
    """One closed form of the unknown.

    Attributes:
        tree: The closed form as a tree, in inputs and constants (and the target, where that is a symbol).
        expression: The same as a SymPy expression, in base units.
        conditions: What must hold for it; none where it always holds.
        value: Its value at the instance that was asked: a quantity in the unknown's unit or a plain number. `None` on
            a class, and where an input that it needs was left out.
    """

    tree: Tree
    expression: Any
    conditions: tuple[Tree, ...]
    value: Quantity | float | None = None

    @property
    def condition(self) -> str:
        """The conditions as text; empty where it always holds."""
        return " and ".join(text(condition) for condition in self.conditions)


@dataclass(frozen=True)
class Solution:
    """The answer of `solve_for`.

    Attributes:
        scenario: The class that was asked.
        unknown: The name of the input that was looked for.
        question: What was asked, as text: `breakeven_items = 50000`.
        verdict: `unique`, `several`, `none`, `independent` (the property does not depend on the unknown), or
            `unsolved` (no closed form by the methods of the solver).
        branches: The branches; at an instance those that hold there.
        complete: Whether the branches are all that there are: then a unique value is proved unique.
        where: What a symbol in the branches stands for, as text: the target, where it has a unit.
        reason: Why there is no value, or which values are impossible; empty where there is nothing to say.
    """

    scenario: type[Scenario] = field(repr=False, compare=False)
    unknown: str
    question: str
    verdict: str
    branches: tuple[Branch, ...]
    complete: bool
    reason: str = ""
    where: str = ""
    integer: bool = False

    @property
    def boundary(self) -> Quantity | float | None:
        """The unique real value, also where the unknown is an integer and this lies between two; else `None`."""
        return self.branches[0].value if self.verdict == "unique" else None

    @property
    def value(self) -> Quantity | float | int | None:
        """The unique value in the domain of the unknown, else `None`: for an integer unknown only a whole number."""
        boundary = self.boundary
        if self.integer and boundary is not None:
            return int(boundary) if float(boundary).is_integer() else None
        return boundary

    def __bool__(self) -> bool:
        return bool(self.branches)

    def __str__(self) -> str:
        if not self.branches:
            return self.reason
        return "\n".join(self._line(branch) for branch in self.branches)

    def _line(self, branch: Branch) -> str:
        line = f"{self.unknown} = {text(branch.tree)}"
        if branch.value is not None:
            return f"{line} = {value_text(branch.value)}"
        line += f", if {branch.condition}" if branch.conditions else ""
        return f"{line}, where {self.where}" if self.where else line

    def latex(self) -> str:
        r"""Return the branches as LaTeX, each with its conditions; empty where there is none."""
        rows = []
        for branch in self.branches:
            row = f"{latex_symbol(self.scenario, self.unknown)} = {latex_expression(self.scenario, branch.tree)}"
            conditions = [latex_condition(self.scenario, condition) for condition in branch.conditions]
            joined = r" \land ".join(conditions)
            rows.append(rf"{row} \quad \text{{if }} {joined}" if conditions else row)
        gathered = r" \\ ".join(rows)
        return rf"\begin{{gathered}} {gathered} \end{{gathered}}" if len(rows) > 1 else gathered

    def _repr_latex_(self) -> str | None:
        return f"$\\displaystyle {self.latex()}$" if self.branches else None

    def __repr__(self) -> str:
        return f"<Solution of {self.question} for {self.unknown}: {self.verdict}\n{self}>"


def value_text(value: Any, digits: int = 8) -> str:
    """Return a quantity or a number as text with a number of significant digits."""
    if isinstance(value, Quantity):
        return quantity_text(float(f"{value.magnitude:.{digits}g}"), value.units)
    return str(value) if isinstance(value, int) else f"{value:.{digits}g}"
