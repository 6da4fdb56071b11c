r"""Equations on lines: one line where they fit, else broken before an equals sign or between the terms of a sum."""

from __future__ import annotations

from dataclasses import dataclass

from .pieces import Piece, Term

WIDEST = 70.0
"""The widest line, in widths of a digit: about what a page of text is wide."""

_EQUALS_WIDTH = 2.0


@dataclass(frozen=True)
class Equation:
    """A symbol and what it equals, in steps (`= a + b = 3`), each a list of terms, under a condition.

    Attributes:
        left: The symbol.
        steps: What it equals.
        condition: When; `None` where always.
    """

    left: Piece
    steps: tuple[tuple[Term, ...], ...]
    condition: Piece | None = None

    @property
    def is_short(self) -> bool:
        """Whether it fits on one line."""
        condition = 4 + self.condition.width if self.condition else 0
        return self.left.width + sum(_EQUALS_WIDTH + _width(step) for step in self.steps) + condition <= WIDEST


def display(equation: Equation) -> str:
    """Return one equation: plain where it fits on a line, else a block of aligned lines."""
    if equation.is_short:
        return rows(equation)[0].replace(" &= ", " = ", 1)
    return block([equation])


def block(equations: list[Equation]) -> str:
    """Return equations below each other, aligned at their equals signs."""
    lines = [row for equation in equations for row in rows(equation)]
    return r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}"


def rows(equation: Equation) -> list[str]:
    """Return the lines of an equation, with `&` where they align."""
    if equation.is_short:
        written = [f"{equation.left.latex} &= " + " = ".join(_latex(step) for step in equation.steps)]
    else:
        written = [line for step in equation.steps for line in _broken(step, equation.left.width)]
        written[0] = f"{equation.left.latex} {written[0]}"
    if equation.condition:
        written[-1] += rf" \quad \text{{if }} {equation.condition.latex}"
    return written


def _broken(step: tuple[Term, ...], indent: float) -> list[str]:
    """Return one step on as many lines as its terms need, each filled before the next is begun."""
    lines, width = [f"&= {step[0].piece.latex}"], indent + _EQUALS_WIDTH + step[0].piece.width
    for term in step[1:]:
        if width + term.width <= WIDEST:
            lines[-1] += f" {term.latex}"
            width += term.width
        else:
            lines.append(rf"&\quad {term.latex}")
            width = indent + _EQUALS_WIDTH + term.width
    return lines


def _latex(step: tuple[Term, ...]) -> str:
    return " ".join([step[0].piece.latex, *(term.latex for term in step[1:])])


def _width(step: tuple[Term, ...]) -> float:
    return step[0].piece.width + sum(term.width for term in step[1:])
