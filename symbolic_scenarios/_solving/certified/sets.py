"""What a certified computation returns: numbers with enclosures, pieces of the line, and what is not known."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Real:
    """A real number: exact, or surely between `lower` and `upper`."""

    lower: Fraction
    upper: Fraction

    @property
    def exact(self) -> Fraction | None:
        """Its value where that is known exactly."""
        return self.lower if self.lower == self.upper else None

    @property
    def middle(self) -> Fraction:
        """A fraction near it (its value if that is exact)."""
        return (self.lower + self.upper) / 2

    def __float__(self) -> float:
        return float(self.middle)


@dataclass(frozen=True)
class Piece:
    """A point or an interval; `None` is an infinite end. In an integer domain only the integers of it are meant."""

    lower: Real | None
    upper: Real | None
    lower_open: bool = False
    upper_open: bool = False

    @property
    def is_point(self) -> bool:
        """Whether it is a single number."""
        return self.lower is not None and self.lower is self.upper


@dataclass(frozen=True)
class Reason:
    """Why a set is empty.

    Attributes:
        kind: `above_all_values`, `below_all_values`, `between_values` (values on both sides, this one left out),
            `undefined` (no value anywhere in the domain), `domain_empty`, `conditions` (nothing closer is known).
        least: The infimum of the expression over the domain; `None` is minus infinity or not known.
        greatest: The supremum.
        least_attained: Whether the infimum is a value.
        greatest_attained: Whether the supremum is a value.
        is_certified: Whether these ends are proved.
    """

    kind: str
    least: Real | None = None
    greatest: Real | None = None
    least_attained: bool = False
    greatest_attained: bool = False
    is_certified: bool = False


@dataclass(frozen=True)
class CertifiedSet:
    """All values of an unknown that satisfy a condition.

    Attributes:
        pieces: In order; every one of them is proved.
        is_complete: Whether nothing else is in the set.
        undecided: Where nothing could be proved; empty if complete.
        integer: Whether only integers are meant.
        reason: Why the set is empty, if it is.
    """

    pieces: tuple[Piece, ...] = ()
    is_complete: bool = True
    undecided: tuple[Piece, ...] = ()
    integer: bool = False
    reason: Reason | None = None


@dataclass(frozen=True)
class Optimum:
    """Where an expression is least or greatest.

    Attributes:
        pieces: Where it is so, in order; empty if the bound is not attained.
        value: The least or greatest value, or the bound that is not attained; `None` is infinite or not known.
        is_unbounded: Whether there is no finite bound.
        is_attained: Whether the value occurs.
        approached: Where values come near a bound that is not attained; an end that is `None` is infinity.
        is_complete: Whether that is proved for the whole domain.
        undecided: Where nothing could be proved.
        local: Other places, surely inside, that are best in their neighbourhood.
        integer: Whether only integers are meant.
    """

    pieces: tuple[Piece, ...] = ()
    value: Real | None = None
    is_unbounded: bool = False
    is_attained: bool = False
    approached: tuple[Piece, ...] = ()
    is_complete: bool = True
    undecided: tuple[Piece, ...] = ()
    local: tuple[Piece, ...] = field(default=())
    integer: bool = False
