r"""A printed part of an expression: its LaTeX, and what its surroundings must know to place it rightly."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise


class Binding(IntEnum):
    """How tightly a part holds together; it is bracketed where its place asks for more."""

    LOOSEST = 0
    CASES = 1
    OR = 2
    AND = 3
    NOT = 4
    RELATION = 5
    MOD = 6
    SUM = 7
    SUMMATION = 8
    PRODUCT = 9
    QUANTITY = 10
    POWER = 11
    FUNCTION = 12
    ATOM = 13


class Edge(IntEnum):
    """What a part shows at an end, where another factor may stand next to it."""

    DIGIT = 0
    LETTER = 1
    WORD = 2
    QUANTITY = 3
    FRACTION = 4
    BRACKET = 5
    SIGNED_BRACKET = 6


@dataclass(frozen=True, slots=True)
class Piece:
    r"""A printed part.

    Attributes:
        latex: Its LaTeX.
        width: About how wide it is set, in widths of a digit.
        binding: How tightly it holds together.
        start: What it shows at its left end.
        end: What it shows at its right end.
        signed: Whether it starts with a minus sign.
        takes_power: Whether a superscript can follow without brackets; `N^{*}` can't take one.
    """

    latex: str
    width: float
    binding: Binding = Binding.ATOM
    start: Edge = Edge.LETTER
    end: Edge = Edge.LETTER
    signed: bool = False
    takes_power: bool = True

    def bracketed(self) -> Piece:
        """Return the piece in brackets."""
        edge = Edge.SIGNED_BRACKET if self.signed else Edge.BRACKET
        return Piece(rf"\left({self.latex}\right)", self.width + 1, start=edge, end=Edge.BRACKET)

    def at(self, place: Binding, *, follows: bool = False) -> Piece:
        """Return the piece as it stands in a place; `follows` says that an operator stands before it."""
        return self.bracketed() if self.binding < place or (follows and self.signed) else self


def joined_by(left: Piece, right: Piece) -> str:
    r"""Return what stands between two factors: a space where the product is plain without a sign, else `\cdot`.

    Words (`\mathrm{cost}`) would run together or read as a unit or a function, digits as one number, and
    `2 \frac{1}{3}` as a mixed number.
    """
    wordy = {Edge.WORD, Edge.QUANTITY} & {left.end, right.start}
    mixed = right.start is Edge.FRACTION and left.end in (Edge.DIGIT, Edge.FRACTION)
    return r" \cdot " if wordy or mixed or right.start in (Edge.DIGIT, Edge.SIGNED_BRACKET) else " "


def product(factors: list[Piece]) -> Piece:
    """Return factors, each bracketed as it needs, side by side."""
    last = len(factors) - 1
    placed = [
        factor.at(Binding.SUMMATION if place == last else Binding.PRODUCT, follows=place > 0)
        for place, factor in enumerate(factors)
    ]
    written, width = placed[0].latex, placed[0].width
    for left, right in pairwise(placed):
        joint = joined_by(left, right)
        written += joint + right.latex
        width += right.width + (1.2 if joint.strip() else 0.2)
    binding = min(Binding.PRODUCT, placed[-1].binding)
    return Piece(written, width, binding, placed[0].start, placed[-1].end, placed[0].signed)


def quotient(above: Piece, below: Piece) -> Piece:
    """Return a fraction with a bar."""
    width = max(above.width, below.width) + 0.5
    return Piece(rf"\frac{{{above.latex}}}{{{below.latex}}}", width, Binding.FUNCTION, Edge.FRACTION, Edge.FRACTION)


def power(base: Piece, exponent: Piece) -> Piece:
    """Return a base with an exponent."""
    base = base.at(Binding.ATOM)
    if not base.takes_power:
        base = base.bracketed()
    width = base.width + 0.7 * exponent.width
    return Piece(rf"{base.latex}^{{{exponent.latex}}}", width, Binding.POWER, base.start, base.end)


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a sum with the sign before it."""

    sign: str
    piece: Piece

    @property
    def latex(self) -> str:
        """The term as it continues a sum."""
        return f"{self.sign} {self.piece.latex}"

    @property
    def width(self) -> float:
        """How wide it is with its sign."""
        return self.piece.width + 1.8
