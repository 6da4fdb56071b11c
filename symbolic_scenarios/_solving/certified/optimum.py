"""Where an expression is least or greatest over a domain, and whether it gets there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..._domains import Domain
from ..._tree import Tree, name, replaced
from .cells import Cell
from .derivative import NoDerivativeError, derivative
from .dominance import limit
from .enclosure import value_range
from .folding import with_values
from .forms import Reader
from .interval import Interval, between, fractions_around, working_precision
from .partition import TOO_MUCH, UNDECIDED, Part, Partition, integers_in, pieces, real
from .points import PRECISIONS, Budget, Point, UndecidedError, rational
from .products import TooLargeError
from .resolution import ManyStepsError, Place, Resolver, SplitError, UndefinedError, negated
from .roots import Isolator
from .sets import Optimum, Piece, Real
from .signs import at_number, constant_form, sign_of_constant
from .steps import has_steps

SECONDS = 2.0
MOST_CUTS = 12


@dataclass(frozen=True)
class _Shape:
    """An expression without kinks, and the sign of its slope (zero at a point)."""

    tree: Tree
    slope: int


_WORSE = "worse"
"""The answer in a cell in which every value is worse than one that is known."""


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A value that is taken at a place, or approached at the end of one.

    Attributes:
        place: Where it is taken; the cell in which it is approached.
        tree: What to compute.
        at: The point to compute it at; `None` where `bounds` holds the limit.
        bounds: The limit, an interval; both ends `None` and `infinite` -1 or 1 where it is infinite.
        is_taken: Whether it is a value and not only a limit.
    """

    place: Place
    tree: Tree
    at: Point | None
    bounds: Interval | None = None
    infinite: int = 0
    is_taken: bool = True
    end: Point | None = None


def optimum(
    tree: Tree,
    kind: str,
    unknown: Any,
    values: Mapping[Any, Fraction],
    domain: Domain,
    validity: Sequence[Tree] = (),
    *,
    seconds: float = SECONDS,
) -> Optimum:
    """Return where a tree is least (`min`) or greatest (`max`) over the domain.

    Only values of the unknown count for which the validity conditions hold and the tree, as written, is defined.

    Raises:
        KeyError: A symbol has no value.
    """
    plain = with_values(tree, unknown, values)
    return optimum_of(
        plain, kind, unknown, domain, [with_values(one, unknown, values) for one in validity], Budget.of(seconds)
    )


def optimum_of(
    tree: Tree, kind: str, unknown: Any, domain: Domain, validity: Sequence[Tree], budget: Budget
) -> Optimum:
    """Return the optimum of a tree in which only the unknown is left."""
    if domain.is_empty:
        return Optimum(integer=domain.integer)
    return _Search(tree, unknown, domain, validity, budget, kind).run(kind == "max")


def extent(
    tree: Tree, unknown: Any, domain: Domain, validity: Sequence[Tree], budget: Budget
) -> tuple[Optimum, Optimum]:
    """Return both optima of a tree in which only the unknown is left; the cutting is done once."""
    search = _Search(tree, unknown, domain, validity, budget)
    return search.run(False), search.run(True)


class _Search:
    """Looks for the least value; the greatest is the least of the opposite."""

    def __init__(
        self, tree: Tree, unknown: Any, domain: Domain, validity: Sequence[Tree], budget: Budget, kind: str = ""
    ) -> None:
        self.tree, self.unknown, self.domain, self.validity = tree, unknown, domain, validity
        self.flipped = False
        self.budget = budget
        self.resolver = Resolver(unknown, Isolator(unknown, budget))
        self.has_unclear_tie = False
        self.kind = kind
        self.has_steps = has_steps(tree)
        self.best_known: Any = None
        self.parts = Partition(domain, self._shape, self._worse, None, MOST_CUTS if not kind else 4 * MOST_CUTS).parts()

    def _worse(self, cell: Cell) -> Any:
        """Return `_WORSE` where all values in a cell with steps are worse than one that is known."""
        if not (self.kind and self.has_steps):
            return None
        lo, hi = cell.outer
        tree = self.tree if self.kind == "min" else negated(self.tree)
        with working_precision(PRECISIONS[0]):
            values = value_range(tree, {self.unknown: between(lo, hi, True, True)})
            self._learn(tree, cell)
        if self.best_known is None or values.lo is None or not values.lo > self.best_known:
            return None
        return _WORSE

    def _learn(self, tree: Tree, cell: Cell) -> None:
        """Take a value inside a cell for a bound of the best, if it counts there."""
        try:
            inside = cell.sample()
            at = rational(Fraction(inside.numerator // inside.denominator) if self.domain.integer else inside)
            if not self.domain.contains(at.exact or Fraction(0)):
                return
            if not all(self.resolver.truth(condition, at) for condition in self.validity):
                return
            value = value_range(self.resolver.smooth(tree, at), {self.unknown: at.interval(PRECISIONS[0])})
        except (UndefinedError, UndecidedError):
            return
        if value.hi is not None and (self.best_known is None or value.hi < self.best_known):
            self.best_known = value.hi

    def run(self, flipped: bool) -> Optimum:
        """Return where it is least, or (`flipped`) greatest."""
        self.flipped, self.has_unclear_tie = flipped, False
        parts = [Part(part.place, self._turned(part.answer)) for part in self.parts]
        undecided, unclear = pieces(parts, lambda answer: answer is UNDECIDED, self.domain.integer)
        undecided += unclear
        try:
            candidates = [one for part in parts for one in self._candidates(part)]
            best = self._best(candidates)
        except (UndecidedError, SplitError, ManyStepsError, *TOO_MUCH):
            return Optimum(is_complete=False, undecided=(Piece(None, None, True, True),), integer=self.domain.integer)
        complete = not undecided and not self.has_unclear_tie
        if not best:
            return Optimum(is_complete=complete, undecided=tuple(undecided), integer=self.domain.integer)
        taken = [one for one in best if one.is_taken]
        if taken:
            places = {id(one.place) for one in taken}
            extra = [Part(one.place, True) for one in taken if all(one.place is not part.place for part in parts)]
            marked = [Part(part.place, id(part.place) in places) for part in parts]
            found, _ = pieces(marked, bool, self.domain.integer)
            found += pieces(extra, bool, self.domain.integer)[0]
            found.sort(key=lambda piece: (piece.lower is not None, piece.lower.middle if piece.lower else 0))
            value = self._value(taken[0])
            return Optimum(
                tuple(found),
                value,
                False,
                True,
                (),
                complete,
                tuple(undecided),
                self._local(parts, places),
                self.domain.integer,
            )
        ends = tuple(self._end(one) for one in best)
        value = self._value(best[0])
        return Optimum(
            (),
            value,
            best[0].infinite != 0,
            False,
            ends,
            complete,
            tuple(undecided),
            self._local(parts, set()),
            self.domain.integer,
        )

    def _turned(self, answer: Any) -> Any:
        return _Shape(negated(answer.tree), -answer.slope) if self.flipped and isinstance(answer, _Shape) else answer

    def _shape(self, place: Place) -> _Shape | None:
        for condition in self.validity:
            if not self.resolver.truth(condition, place):
                return None
        smooth = self.resolver.smooth(self.tree, place)
        if isinstance(place, Point):
            return _Shape(smooth, 0)
        try:
            slope = derivative(smooth, self.unknown)
        except NoDerivativeError:
            raise UndecidedError("no derivative") from None
        return _Shape(smooth, self.resolver.sign(slope, place))

    # --- candidates --------------------------------------------------------------------------------------------------

    def _candidates(self, part: Part) -> list[_Candidate]:
        shape, place = part.answer, part.place
        if not isinstance(shape, _Shape):
            return []
        if isinstance(place, Point):
            if self.domain.integer and (place.exact is None or place.exact.denominator != 1):
                return []
            return [_Candidate(place, shape.tree, place)]
        if self.domain.integer:
            return self._whole_candidates(shape, place)
        if shape.slope == 0:
            return [_Candidate(place, shape.tree, rational(place.sample()))]
        return [self._at_end(shape, place)]

    def _whole_candidates(self, shape: _Shape, place: Cell) -> list[_Candidate]:
        ends = integers_in(place.lo, True, place.hi, True)
        if ends is None:
            raise UndecidedError("the integers between two points could not be told")
        first, last = ends
        if first is not None and last is not None and first > last:
            return []
        if shape.slope == 0:
            return [
                _Candidate(
                    place,
                    shape.tree,
                    rational(Fraction(first if first is not None else last if last is not None else 0)),
                )
            ]
        nearest = first if shape.slope > 0 else last
        if nearest is None:
            return [self._at_end(shape, place)]
        at = rational(Fraction(nearest))
        return [_Candidate(at, shape.tree, at)]

    def _at_end(self, shape: _Shape, cell: Cell) -> _Candidate:
        end = cell.lo if shape.slope > 0 else cell.hi
        if end is not None and end.is_fuzzy:
            end = rational(end.bounds(0)[1 if shape.slope > 0 else 0] or Fraction(0))
        if end is not None:
            try:
                self.resolver.smooth(shape.tree, end)
            except (UndefinedError, UndecidedError):
                pass
            else:
                return _Candidate(cell, shape.tree, end, is_taken=False, end=end)
        if end is None:
            far = self._far(shape, cell)
            if far in ("oo", "-oo"):
                return _Candidate(cell, shape.tree, None, None, 1 if far == "oo" else -1, False, end)
            if isinstance(far, Fraction):
                zero = between(far, far, False, False)
                return _Candidate(cell, shape.tree, None, zero, 0, False, end)
            if isinstance(far, Interval):
                return _Candidate(cell, shape.tree, None, far, 0, False, end)
        return self._near_end(shape, cell, end)

    def _far(self, shape: _Shape, cell: Cell) -> Any:
        """Return the limit at infinity, as `dominance.limit` does; at minus infinity by looking at the mirror."""
        tree = shape.tree
        if shape.slope > 0:
            tree = replaced(tree, {self.unknown: negated(name(self.unknown))})
        try:
            return limit(Reader(self.unknown, True).read(tree))
        except (TooLargeError, ZeroDivisionError):
            return None

    def _near_end(self, shape: _Shape, cell: Cell, end: Point | None) -> _Candidate:
        """Return the limit as what the values near the end are enclosed in."""
        best = Interval(None, None, True, True)
        lo, hi = cell.outer
        near = cell.sample()
        with working_precision(PRECISIONS[0]):
            for _ in range(40):
                box = between(lo, near, True, False) if shape.slope > 0 else between(near, hi, False, True)
                best = value_range(shape.tree, {self.unknown: box})
                if best.hi is not None and best.hi < -(2**200) and best.lo is None:
                    return _Candidate(cell, shape.tree, None, best, -1, False, end)
                near = (
                    Cell(rational(near), cell.hi).sample()
                    if shape.slope < 0
                    else Cell(cell.lo, rational(near)).sample()
                )
                if end is None and abs(near) > 1:
                    near = near * abs(near) if near.numerator.bit_length() < 4000 else near
                elif best.is_finite and best.hi - best.lo < 2.0**-100:
                    break
        return _Candidate(cell, shape.tree, None, best, 0, False, end)

    # --- comparing ---------------------------------------------------------------------------------------------------

    def _best(self, candidates: list[_Candidate]) -> list[_Candidate]:
        best: list[_Candidate] = []
        for one in candidates:
            if not best:
                best = [one]
                continue
            order = self._compare(one, best[0])
            if order < 0:
                best = [one]
            elif order == 0:
                best.append(one)
        return best

    def _compare(self, a: _Candidate, b: _Candidate) -> int:
        if a.infinite or b.infinite:
            return (a.infinite > b.infinite) - (a.infinite < b.infinite)
        if a.at is not None and b.at is not None:
            if a.at is b.at and a.tree == b.tree:
                return 0
            if a.at.exact is not None and b.at.exact is not None:
                left, right = (
                    at_number(one.tree, self.unknown, one.at.exact)
                    for one in (a, b)
                    if one.at is not None and one.at.exact is not None
                )
                sign = sign_of_constant(Tree("-", (left, right)))
                if sign is not None:
                    return sign
        for bits in PRECISIONS:
            x, y = self._bounds(a, bits), self._bounds(b, bits)
            if _is_below(x, y):
                return -1
            if _is_below(y, x):
                return 1
        if a.at is b.at and a.at is not None:
            return 0  # a limit at a point and the value there, which are continued into each other
        self.has_unclear_tie = True
        return 0

    def _bounds(self, one: _Candidate, bits: int) -> Interval:
        if one.at is None:
            return one.bounds or Interval(None, None, True, True)
        with working_precision(bits + 64):
            return value_range(one.tree, {self.unknown: one.at.interval(bits)})

    def _value(self, one: _Candidate) -> Real | None:
        if one.infinite:
            return None
        exact = None
        if one.at is not None and one.at.exact is not None:
            form = constant_form(at_number(one.tree, self.unknown, one.at.exact))
            if form is not None and (form.is_zero or set(form.above) == {()}) and form.below == {(): Fraction(1)}:
                exact = form.above.get((), Fraction(0))
        if exact is not None:
            return Real(-exact, -exact) if self.flipped else Real(exact, exact)
        bounds = self._bounds(one, 256)
        if bounds.lo is None or bounds.hi is None:
            return None
        around = fractions_around(bounds.lo, bounds.hi)
        if around is None:
            return None
        lo, hi = around
        return Real(-hi, -lo) if self.flipped else Real(lo, hi)

    def _end(self, one: _Candidate) -> Piece:
        if one.end is None:
            return Piece(None, None, True, True)
        at = real(one.end)
        return Piece(at, at)

    def _local(self, parts: list[Part], best: set[int]) -> tuple[Piece, ...]:
        """Return the other points at which the slope turns from falling to rising."""
        found = []
        for before, part, after in zip(parts, parts[1:], parts[2:], strict=False):
            shapes = [one.answer for one in (before, part, after)]
            if not all(isinstance(shape, _Shape) for shape in shapes) or id(part.place) in best:
                continue
            if isinstance(part.place, Point) and shapes[0].slope < 0 < shapes[2].slope:
                found.append(Part(part.place, True))
        return tuple(pieces(found, bool, False)[0])


def _is_below(x: Interval, y: Interval) -> bool:
    if x.hi is None or y.lo is None:
        return False
    return bool(x.hi < y.lo)
