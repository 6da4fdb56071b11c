"""All zeros of a smooth expression in a cell, by halving it in interval arithmetic.

Each box ends without a zero, or monotone with known signs at its ends, or convex with a known sign at its turn (a
double root). What is left is returned as a fuzzy point: never dropped, never called a root.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from ..._tree import Tree, walk
from .algebraic import without_common
from .cells import Cell
from .derivative import NoDerivativeError, derivative
from .dominance import sign_beyond
from .enclosure import enclose, value_range
from .ends import sign_right_of_zero, start_of_tail
from .forms import Reader
from .interval import Interval, add, between, multiply, negative, point, working_precision
from .points import (
    PRECISIONS,
    SEARCH_BITS,
    Budget,
    MonotoneRoot,
    Point,
    UndecidedError,
    compare,
    fuzzy,
    rational,
    simplest_between,
)
from .products import ONE, Polynomial, TooLargeError, tree_of
from .signs import at_number, candidate, sign_of_constant

_BOXES_BEFORE_ENDS = 40
MOST_BOXES = 1_500
_LARGEST_EXPONENT = 4_096
Box = tuple["Fraction | None", "Fraction | None", int]
"""Two ends and how often it was halved."""


class Search:
    """One search by halving."""

    def __init__(
        self, unknown: Any, budget: Budget, functions: list[Tree], above: Polynomial | None, cell: Cell
    ) -> None:
        self.unknown = unknown
        self.budget = budget
        self.functions = functions
        self.cell = cell
        self.above = above
        self.found: list[Point] = []
        self.left: list[Box] = []
        self.clear: tuple[Fraction | None, Fraction | None] | None = None
        self.slopes: list[Tree | None] = []
        self.normal_slopes: dict[int, Tree | None] = {}
        for tree in functions:
            try:
                self.slopes.append(derivative(tree, self.unknown))
            except NoDerivativeError:
                self.slopes.append(None)

    def run(self) -> list[Point]:
        lo, hi = self.cell.outer
        boxes: list[Box] = [(lo, hi, 0)]
        if hi is None and self.above is not None and self.cell.is_positive:
            beyond = sign_beyond(self.above)
            if beyond is not None:
                hi = beyond[0]
                if lo is not None and lo >= hi:
                    return []
                # At the end itself the sign is known to be the one beyond.
                boxes = [(lo, hi, 0)]
        count = 0
        with working_precision(SEARCH_BITS):
            while boxes:
                count += 1
                box = boxes.pop()
                try:
                    self.budget.check()
                except UndecidedError:
                    count = MOST_BOXES + 1
                if count == _BOXES_BEFORE_ENDS:
                    boxes = self._without_ends([*boxes, box])
                    self.left = self._without_ends(self.left)
                    continue
                if count > MOST_BOXES:
                    self.left += [box, *boxes]
                    break
                boxes += self._halves(box)
        self.found += self._merged()
        self.found.sort(key=cmp_to_key(compare))
        return self.found

    def _without_ends(self, boxes: list[Box]) -> list[Box]:
        """Return boxes without what lies beside zero or infinity and has no zero there for certain."""
        if self.above is None or not self.cell.is_positive:
            return boxes
        if self.clear is None:
            low = sign_right_of_zero(self.above, self.unknown) if self.cell.outer[0] == 0 else None
            high = start_of_tail(self.above, self.unknown) if self.cell.outer[1] is None else None
            self.clear = (None if low is None else low[0]), high
        low_end, high_end = self.clear
        kept: list[Box] = []
        for lo, hi, depth in boxes:
            # A zero at the very end of the cleared stretch is not one: the sign there is known, too.
            low_cut = lo if low_end is None or (lo is not None and lo >= low_end) else low_end
            high_cut = hi if high_end is None or (hi is not None and hi <= high_end) else high_end
            if low_cut is None or high_cut is None or low_cut < high_cut:
                kept.append((low_cut, high_cut, depth))
        return kept

    def _range(self, lo: Fraction | None, hi: Fraction | None) -> Interval:
        ends = self.cell.outer
        return between(lo, hi, lo == ends[0], hi == ends[1])

    def _halves(self, box: Box) -> list[Box]:
        """Return the parts of a box that are still open; roots go to `found`."""
        lo, hi, depth = box
        x = self._range(lo, hi)
        for i, tree in enumerate(self.functions):
            value, slope = enclose(tree, {self.unknown: (x, point(1))})
            if value.sign or self._is_excluded_from_middle(tree, x, lo, hi, slope):
                return []
            if slope is not None and slope.sign and self._is_settled_monotone(tree, lo, hi, slope.sign > 0):
                return []
            if self._is_settled_by_form(i, tree, x, lo, hi):
                return []
            curve = self.slopes[i]
            if depth >= 5 and lo is not None and hi is not None and curve is not None:
                parts = self._settled_convex(tree, curve, x, lo, hi, depth)
                if parts is not None:
                    return parts
        middle = _split(lo, hi, depth)
        if middle is None:
            self.left.append(box)
            return []
        if self._sign_at(self.functions[0], middle) == 0:
            self.found.append(rational(middle))
        return [(middle, hi, depth + 1), (lo, middle, depth + 1)]

    def _is_settled_by_form(self, i: int, tree: Tree, x: Interval, lo: Fraction | None, hi: Fraction | None) -> bool:
        """Whether the derivative, after what cancels in it has been cancelled, shows that a box is done."""
        normal = self._normal_slope(i)
        if normal is None:
            return False
        sign = value_range(normal, {self.unknown: x}).sign
        return bool(sign) and self._is_settled_monotone(tree, lo, hi, sign == 1)

    def _normal_slope(self, i: int) -> Tree | None:
        if i not in self.normal_slopes:
            self.normal_slopes[i] = None
            slope = self.slopes[i]
            if slope is not None:
                try:
                    form = Reader(self.unknown, self.cell.is_positive).read(slope)
                    if form.below == ONE and 0 < len(form.above) < 40:
                        core = without_common(form.above) if self.cell.is_positive else form.above
                        self.normal_slopes[i] = tree_of(core, self.unknown)
                except (TooLargeError, ZeroDivisionError):
                    pass
        return self.normal_slopes[i]

    def _is_excluded_from_middle(
        self, tree: Tree, x: Interval, lo: Fraction | None, hi: Fraction | None, slope: Interval | None
    ) -> bool:
        if lo is None or hi is None or slope is None or not slope.is_finite:
            return False
        middle = (lo + hi) / 2
        value = value_range(tree, {self.unknown: point(middle)})
        return bool(add(value, multiply(slope, add(x, negative(point(middle))))).sign)

    def _is_settled_monotone(self, tree: Tree, lo: Fraction | None, hi: Fraction | None, rises: bool) -> bool:
        """Whether a box with a monotone function is done: one root or none."""
        low = None if lo is None else self._sign_at(tree, lo)
        high = None if hi is None else self._sign_at(tree, hi)
        if not rises:
            low, high = (None if low is None else -low), (None if high is None else -high)
        if (low is not None and low >= 0) or (high is not None and high <= 0):
            return True
        if low is None or high is None or lo is None or hi is None:
            return False
        self.found.append(self._root(tree, lo, hi, rises))
        return True

    def _root(self, tree: Tree, lo: Fraction, hi: Fraction, rises: bool) -> Point:
        root = MonotoneRoot(tree, self.unknown, lo, hi, rises)
        low, high = root.bounds(SEARCH_BITS)
        simple = candidate(low, high)
        if simple is not None and sign_of_constant(at_number(tree, self.unknown, simple)) == 0:
            return rational(simple)
        return Point(None, root.bounds)

    def _settled_convex(
        self, tree: Tree, curve: Tree, x: Interval, lo: Fraction, hi: Fraction, depth: int
    ) -> list[Box] | None:
        """Return what is left of a box in which the derivative is monotone; `None` where it is not."""
        bend = enclose(curve, {self.unknown: (x, point(1))})[1]
        if bend is None or not bend.sign:
            return None
        low, high = self._sign_at(curve, lo), self._sign_at(curve, hi)
        if low is None or high is None:
            return None
        if low * high >= 0:
            return [] if self._is_settled_monotone(tree, lo, hi, low + high > 0) else None
        turn = self._root(curve, lo, hi, bend.sign > 0)
        sign = self._sign_at_point(tree, turn)
        if sign is None:
            self.left.append((*turn.bounds(SEARCH_BITS), depth))
            return []
        if sign == 0:
            self.found.append(turn)
            return []
        if sign == bend.sign:
            return []  # its least value is positive, or its greatest negative
        below, above = turn.bounds(SEARCH_BITS)
        assert below is not None
        assert above is not None
        done = self._is_settled_monotone(tree, lo, below, bend.sign < 0) and self._is_settled_monotone(
            tree, above, hi, bend.sign > 0
        )
        return [] if done else None

    def _sign_at_point(self, tree: Tree, at: Point) -> int | None:
        if at.exact is not None:
            return self._sign_at(tree, at.exact)
        for bits in PRECISIONS[:3]:
            with working_precision(bits + 64):
                sign = value_range(tree, {self.unknown: at.interval(bits)}).sign
            if sign:
                return sign
        return None

    def _sign_at(self, tree: Tree, at: Fraction) -> int | None:
        here = point(at)
        if not all(value_range(part, {self.unknown: here}).is_finite for part in walk(tree) if not part.is_condition):
            return None
        sign = value_range(tree, {self.unknown: here}).sign
        return sign if sign else sign_of_constant(at_number(tree, self.unknown, at))

    def _merged(self) -> list[Point]:
        """Return the boxes that are left, neighbours joined, as fuzzy points."""
        boxes = sorted(((lo, hi) for lo, hi, _ in self.left), key=lambda box: (box[0] is not None, box[0] or 0))
        joined: list[tuple[Fraction | None, Fraction | None]] = []
        for lo, hi in boxes:
            if joined and joined[-1][1] is not None and lo is not None and lo <= joined[-1][1]:
                last = joined[-1][1]
                joined[-1] = (joined[-1][0], None if hi is None else max(hi, last))
            else:
                joined.append((lo, hi))
        stretches = []
        for lo, hi in joined:
            inside = [
                one
                for one in self.found
                if one.exact is not None and (lo is None or one.exact >= lo) and (hi is None or one.exact <= hi)
            ]
            self.found = [one for one in self.found if one not in inside]
            stretches.append(fuzzy(lo, hi))
        return stretches


def _split(lo: Fraction | None, hi: Fraction | None, depth: int) -> Fraction | None:
    """Return where to halve a box: by size where its ends differ much in size; `None` where it is too small or far."""
    if lo is None:
        if hi is None:
            return Fraction(0)
        mirrored = _split(-hi, None, depth)
        return None if mirrored is None else -mirrored
    if hi is None:
        if lo < 1:
            return Fraction(1) if lo >= 0 or lo >= -1 else Fraction(0)
        exponent = max(1, lo.numerator.bit_length() - lo.denominator.bit_length())
        return (
            Fraction(2) ** (2 * exponent)
            if exponent <= _LARGEST_EXPONENT // 2 and Fraction(2) ** (2 * exponent) > lo
            else None
        )
    if hi <= 0 and lo < 0:
        mirrored = _split(-hi, -lo, depth)
        return None if mirrored is None else -mirrored
    if lo < 0:
        return Fraction(0)
    if lo == 0:
        if hi > 1:
            return Fraction(1)
        exponent = max(1, hi.denominator.bit_length() - hi.numerator.bit_length())
        return Fraction(1, 2 ** (2 * exponent)) if exponent <= _LARGEST_EXPONENT // 2 else None
    if hi > 4 * lo:
        low = lo.numerator.bit_length() - lo.denominator.bit_length()
        high = hi.numerator.bit_length() - hi.denominator.bit_length()
        middle = Fraction(2) ** ((low + high) // 2)
        return middle if lo < middle < hi else (lo + hi) / 2
    if (hi - lo) * 2**90 < hi:
        return None
    # A short fraction near the middle: exact ends would grow by a bit with each halving.
    return simplest_between(lo + (hi - lo) * Fraction(7, 16), lo + (hi - lo) * Fraction(9, 16))
