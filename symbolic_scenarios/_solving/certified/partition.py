"""Cutting the domain of an unknown until each part has one answer, and joining the parts that have the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from ..._domains import Domain
from ...errors import DefinitionError
from .cells import Cell
from .points import PRECISIONS, Point, UndecidedError, compare, fuzzy, rational
from .products import TooLargeError
from .resolution import ManyStepsError, Place, SplitError, UndefinedError
from .sets import Piece, Real

TOO_MUCH = (OverflowError, TooLargeError, DefinitionError)
"""Raised where an expression in between grows beyond use (a tree has a largest size): nothing is proved then."""

MOST_PLACES = 4_000
MOST_INTEGERS = 2_000
MOST_CUTS = 400


class _Undecided:
    def __repr__(self) -> str:
        return "UNDECIDED"


UNDECIDED: Any = _Undecided()


@dataclass(frozen=True)
class Part:
    """A place with the answer there; `UNDECIDED` where there is none."""

    place: Place
    answer: Any


class Partition:
    """Cuts a domain by the answers of a function.

    Args:
        domain: The domain of the unknown.
        ask: Returns the answer at a place, or raises as `Resolver.smooth` does.
        coarse: Returns the answer in a cell with many steps, or `None`.
        undefined: The answer where the expression has no value.
        most_cuts: How often a cell with many steps is halved.
    """

    def __init__(
        self,
        domain: Domain,
        ask: Callable[[Place], Any],
        coarse: Callable[[Cell], Any],
        undefined: Any,
        most_cuts: int = MOST_CUTS,
    ) -> None:
        self.domain = domain
        self.ask = ask
        self.coarse = coarse
        self.undefined = undefined
        self.most_cuts = most_cuts

    def parts(self) -> list[Part]:
        """Return the parts, in order, without gaps (but only its integers where a stretch had to be counted out)."""
        waiting: list[tuple[Place, int]] = [(place, 0) for place in reversed(list(self._start()))]
        done: list[Part] = []
        while waiting:
            place, cuts = waiting.pop()
            if len(done) + len(waiting) > MOST_PLACES:
                done.append(Part(place, UNDECIDED))
                continue
            try:
                # A cell with steps is decided as a whole if it can be: it may have a million of them.
                whole = self.coarse(place) if isinstance(place, Cell) else None
                done.append(Part(place, self.ask(place) if whole is None else whole))
            except UndefinedError:
                done.append(Part(place, self.undefined))
            except SplitError as split:
                waiting += [(part, cuts) for part in reversed(list(_cut(place, split.points)))]
            except ManyStepsError:
                self._step(place, cuts, waiting, done)
            except (UndecidedError, *TOO_MUCH):
                done += self._counted_out(place) or [Part(place, UNDECIDED)]
        return done

    def _step(self, place: Place, cuts: int, waiting: list[tuple[Place, int]], done: list[Part]) -> None:
        assert isinstance(place, Cell)
        counted = self._counted_out(place)
        if counted:
            done += counted
            return
        if cuts > self.most_cuts:
            done.append(Part(place, UNDECIDED))
            return
        try:
            middle = rational(place.sample())
        except UndecidedError:
            done.append(Part(place, UNDECIDED))
            return
        waiting += [(part, cuts + 1) for part in reversed(list(_cut(place, [middle])))]

    def _start(self) -> Iterator[Place]:
        lower, upper = self.domain.lower, self.domain.upper
        low, high = (None if end is None else rational(end) for end in (lower, upper))
        if low is not None and not self.domain.lower_open:
            yield low
            if lower == upper:
                return
        zero_inside = (lower is None or lower < 0) and (upper is None or upper > 0)
        whole = Cell(low, high)
        yield from _cut(whole, [rational(Fraction(0))]) if zero_inside else (whole,)
        if high is not None and not self.domain.upper_open:
            yield high

    def _counted_out(self, place: Place) -> list[Part] | None:
        """Return the integers of a short stretch, each asked for itself."""
        if not self.domain.integer:
            return None
        if isinstance(place, Point):
            if not place.is_fuzzy:
                return None
            lo, hi = place.bounds(0)
            if lo is None or hi is None:
                return None
            first, last = -(-lo.numerator // lo.denominator), hi.numerator // hi.denominator
        else:
            ends = integers_in(place.lo, True, place.hi, True)
            if ends is None or ends[0] is None or ends[1] is None:
                return None
            first, last = ends[0], ends[1]
        if last - first >= MOST_INTEGERS:
            return None
        if first > last:
            return [Part(place, self.undefined)]
        parts = []
        for n in range(first, last + 1):
            at = rational(Fraction(n))
            try:
                parts.append(Part(at, self.ask(at)))
            except UndefinedError:
                parts.append(Part(at, self.undefined))
            except (UndecidedError, ManyStepsError, *TOO_MUCH):
                parts.append(Part(at, UNDECIDED))
        return parts


def _cut(place: Place, points: list[Point]) -> Iterator[Place]:
    assert isinstance(place, Cell)
    ordered: list[Point] = []
    for point in sorted(points, key=cmp_to_key(_by_size)):
        if not ordered or _by_size(ordered[-1], point) < 0:
            ordered.append(point)
        elif _is_same(ordered[-1], point):
            ordered[-1].vanishing |= point.vanishing
        else:
            ordered[-1] = _around(ordered[-1], point)
    before = place.lo
    for point in ordered:
        if before is None or _leaves_room(before, point):
            yield Cell(before, point)
        yield point
        before = point
    if before is None or place.hi is None or _leaves_room(before, place.hi):
        yield Cell(before, place.hi)


def _by_size(p: Any, q: Any) -> int:
    try:
        return compare(p, q)
    except UndecidedError:
        return 0 if p.is_fuzzy == q.is_fuzzy else -1


def _is_same(p: Point, q: Point) -> bool:
    try:
        return compare(p, q) == 0
    except UndecidedError:
        return False


def _around(p: Point, q: Point) -> Point:
    """Return the stretch around two points of which it is not known whether they are one."""
    (p_lo, p_hi), (q_lo, q_hi) = p.bounds(128), q.bounds(128)
    return fuzzy(
        None if p_lo is None or q_lo is None else min(p_lo, q_lo),
        None if p_hi is None or q_hi is None else max(p_hi, q_hi),
    )


def _leaves_room(before: Point, after: Point) -> bool:
    if not (before.is_fuzzy or after.is_fuzzy):
        return True
    end, start = before.bounds(128)[1], after.bounds(128)[0]
    if before.is_fuzzy and end is None:
        return False
    if after.is_fuzzy and start is None:
        return False
    return end is None or start is None or end < start


def integers_in(
    lo: Point | None, lo_open: bool, hi: Point | None, hi_open: bool
) -> tuple[int | None, int | None] | None:
    """Return the first and the last integer between two points (`None`: infinite); nothing if that is undecided."""
    first = last = None
    if lo is not None:
        below = _whole_below(lo)
        if below is None:
            return None
        first = below + (0 if lo.exact == below and not lo_open else 1)
    if hi is not None:
        below = _whole_below(hi)
        if below is None:
            return None
        last = below - (1 if hi.exact == below and hi_open else 0)
    return first, last


def _whole_below(at: Point) -> int | None:
    for bits in PRECISIONS:
        lo, hi = at.bounds(bits)
        if lo is None or hi is None:
            return None
        floors = {lo.numerator // lo.denominator, hi.numerator // hi.denominator}
        if len(floors) == 1:
            return floors.pop()
    return None


def real(at: Point) -> Real:
    """Return a point as a number."""
    lo, hi = at.bounds(128)
    assert lo is not None
    assert hi is not None
    return Real(lo, hi)


def _outer_real(at: Point | None, side: int) -> Real | None:
    if at is None:
        return None
    bound = at.bounds(128)[side]
    return None if bound is None else Real(bound, bound) if at.is_fuzzy else real(at)


Run = tuple["Point | None", bool, "Point | None", bool]


def runs(parts: list[Part], chosen: Callable[[Any], bool]) -> list[Run]:
    """Return the stretches of neighbouring parts that are chosen: two ends, each with whether it is excluded."""
    found: list[Run] = []
    for part in parts:
        if not chosen(part.answer):
            continue
        place = part.place
        new: Run = (place, False, place, False) if isinstance(place, Point) else (place.lo, True, place.hi, True)
        if found and found[-1][2] is not None and found[-1][2] is new[0] and not (found[-1][3] and new[1]):
            found[-1] = (found[-1][0], found[-1][1], new[2], new[3])
        else:
            found.append(new)
    return found


def pieces(parts: list[Part], chosen: Callable[[Any], bool], integer: bool) -> tuple[list[Piece], list[Piece]]:
    """Return the chosen parts as pieces; and those whose integers could not be told."""
    if not integer:
        return [_piece(run) for run in runs(parts, chosen)], []
    found: list[tuple[int | None, int | None]] = []
    unclear: list[Piece] = []
    for run in runs(parts, chosen):
        ends = _integers_of(run)
        if ends is None:
            unclear.append(_piece(run))
            continue
        first, last = ends
        if first is not None and last is not None and first > last:
            continue
        if found and found[-1][1] is not None and first is not None and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return [_whole_piece(*ends) for ends in found], unclear


def _integers_of(run: Run) -> tuple[int | None, int | None] | None:
    lo, lo_open, hi, hi_open = run
    if lo is not None and lo.is_fuzzy and lo is hi:
        low, high = lo.bounds(0)
        first = None if low is None else -(-low.numerator // low.denominator)
        return first, (None if high is None else high.numerator // high.denominator)
    if lo is not None and lo.is_fuzzy:
        end = lo.bounds(0)[1]
        lo, lo_open = (None if end is None else rational(end)), True
    if hi is not None and hi.is_fuzzy:
        end = hi.bounds(0)[0]
        hi, hi_open = (None if end is None else rational(end)), True
    return integers_in(lo, lo_open, hi, hi_open)


def _piece(run: Run) -> Piece:
    lo, lo_open, hi, hi_open = run
    if lo is not None and lo is hi and not lo.is_fuzzy:
        one = real(lo)
        return Piece(one, one)
    if lo is not None and lo is hi:
        low, high = _outer_real(lo, 0), _outer_real(lo, 1)
    else:
        low, high = _outer_real(lo, 1), _outer_real(hi, 0)
    return Piece(low, high, low is None or lo_open, high is None or hi_open)


def _whole_piece(first: int | None, last: int | None) -> Piece:
    low = None if first is None else Real(Fraction(first), Fraction(first))
    high = low if first == last else None if last is None else Real(Fraction(last), Fraction(last))
    return Piece(low, high, low is None, high is None)
