"""All zeros of one expression without kinks in an open stretch of the line.

Polynomials (in the unknown, a root of it, or one exponential) are isolated exactly by flint. Anything else is halved until
each box is without a zero, or monotone with known signs at its ends, or convex with a known sign at its turn (a double
root). What is left is returned as a fuzzy point: never dropped, never called a root.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from math import lcm
from typing import Any

import sympy
from flint import arb, fmpz_poly

from ..._tree import Tree, name, number, replaced, walk
from .derivative import NoDerivativeError, derivative
from .dominance import sign_beyond
from .enclosure import enclose, value_range
from .folding import folded
from .forms import EXP_X, ONE, Form, Monomial, Polynomial, Reader, TooLargeError, X, primitive, sorted_monomial, tree_of
from .interval import Interval, add, ball, between, fractions_around, multiply, negative, point, working_precision
from .points import PRECISIONS, Budget, MonotoneRoot, Point, UndecidedError, compare, fuzzy, rational, simplest_between

MOST_BOXES = 1_500
_SEARCH_BITS = 128
_LARGEST_EXPONENT = 4_096
_LARGEST_DEGREE = 120
_LARGEST_CANDIDATE_BITS = 60


@dataclass(frozen=True, eq=False)
class Cell:
    """An open stretch between two points; `None` is infinity."""

    lo: Point | None
    hi: Point | None

    @property
    def outer(self) -> tuple[Fraction | None, Fraction | None]:
        """Fractions (or infinities) just outside, or at, its ends."""
        lo = None if self.lo is None else self.lo.bounds(_SEARCH_BITS + 32)[1 if self.lo.is_fuzzy else 0]
        hi = None if self.hi is None else self.hi.bounds(_SEARCH_BITS + 32)[0 if self.hi.is_fuzzy else 1]
        return lo, hi

    @property
    def is_positive(self) -> bool:
        """Whether it lies right of zero."""
        lo = self.outer[0]
        return lo is not None and (lo >= 0 or (self.lo is not None and compare(self.lo, rational(Fraction(0))) >= 0))

    def sample(self) -> Fraction:
        """Return a fraction inside."""
        for bits in PRECISIONS:
            lo = None if self.lo is None else self.lo.bounds(bits)[1]
            hi = None if self.hi is None else self.hi.bounds(bits)[0]
            if lo is None or hi is None or lo < hi:
                return _inside(lo, hi)
        raise UndecidedError("two points are too near to each other")

    def contains(self, other: Point) -> bool:
        """Whether a point lies inside."""
        return (self.lo is None or compare(other, self.lo) > 0) and (self.hi is None or compare(other, self.hi) < 0)


def _inside(lo: Fraction | None, hi: Fraction | None) -> Fraction:
    if lo is None:
        return Fraction(0) if hi is None else min(2 * hi, hi / 2, Fraction(-1)) if hi <= 0 else Fraction(0)
    if hi is None:
        return max(2 * lo, Fraction(1)) if lo >= 0 else Fraction(0)
    width = hi - lo
    return simplest_between(lo + width / 4, hi - width / 4)


def zero_key(a: Polynomial) -> Any:
    """Return a value that expressions with the same zeros share, if they differ by a factor only."""
    return frozenset(primitive(a)[1].items())


def at_number(tree: Tree, unknown: Any, value: Fraction) -> Tree:
    """Return the tree with a number for the unknown."""
    return folded(replaced(tree, {unknown: number(sympy.Rational(value.numerator, value.denominator))}))


def constant_form(tree: Tree) -> Form | None:
    """Return the form of a tree without the unknown; `None` where there is none."""
    try:
        return Reader(None, False).read(tree)
    except (TooLargeError, ZeroDivisionError):
        return None


def sign_of_constant(tree: Tree) -> int | None:
    """Return the sign of a tree without the unknown; `None` where it cannot be proved.

    Zero is proved by exact cancellation only; every other sign by a ball.
    """
    form = constant_form(tree)
    if form is not None and form.is_zero:
        return 0
    if form is not None and form.below == ONE and len(form.above) == 1 and () in form.above:
        return 1 if form.above[()] > 0 else -1
    for bits in PRECISIONS:
        with working_precision(bits):
            sign = value_range(tree, {}).sign
            if sign is None and form is not None:
                sign = value_range(_signed(form), {}).sign
            if sign:
                return sign
    return None


def _signed(form: Form) -> Tree:
    above, below = tree_of(form.above, None), tree_of(form.below, None)
    return above if form.below == ONE else Tree("*", (above, below))


class Isolator:
    """Finds zeros of expressions in one unknown and remembers them."""

    def __init__(self, unknown: Any, budget: Budget) -> None:
        self.unknown = unknown
        self.budget = budget
        self._known: dict[Any, list[tuple[Cell, list[Point]]]] = {}

    def zeros(self, form: Form | None, tree: Tree, cell: Cell) -> list[Point]:
        """Return all zeros inside a cell, in order; fuzzy points where something could not be decided.

        Args:
            form: The normal form of the tree (not zero everywhere), if it has one.
            tree: The expression, defined and smooth in the cell.
            cell: Where to look; zero does not lie inside.
        """
        core = None if form is None else stripped(form.above)
        key = tree if core is None else zero_key(core)
        for known_cell, known in self._known.get(key, ()):
            if _covers(known_cell, cell):
                return [zero for zero in known if cell.contains(zero)]
        found = self._isolate(core, tree, cell)
        for zero in found:
            zero.vanishing.add(key)
        found = [zero for zero in found if cell.contains(zero)]
        self._known.setdefault(key, []).append((cell, found))
        return found

    def _isolate(self, above: Polynomial | None, tree: Tree, cell: Cell) -> list[Point]:
        if above is not None:
            if len(above) == 1 and _is_free_of_opaque(next(iter(above))):
                return []
            if cell.is_positive and _is_plainly_positive(above):
                return []
            exact = polynomial(above)
            if exact is not None:
                return self._of_polynomial(*exact, above, cell)
        hi = cell.outer[1]
        if hi is not None and hi <= 0:
            return self._mirrored(tree, cell)
        functions = [tree] if above is None or len(above) > 60 else [tree_of(above, self.unknown), tree]
        return _Search(self, functions, above, cell).run()

    def _mirrored(self, tree: Tree, cell: Cell) -> list[Point]:
        """Return the zeros left of zero: those of the mirror image, where roots and logarithms are taken apart."""
        image = replaced(tree, {self.unknown: Tree("neg", (name(self.unknown),))})
        try:
            above = stripped(Reader(self.unknown, True).read(image).above)
        except (TooLargeError, ZeroDivisionError):
            above = None
        if above == {}:
            raise UndecidedError("zero everywhere left of zero")
        mirror = Cell(*(None if end is None else _opposite(end) for end in (cell.hi, cell.lo)))
        return [_opposite(zero) for zero in reversed(self._isolate(above, image, mirror))]

    # --- polynomials -------------------------------------------------------------------------------------------------

    def _of_polynomial(self, poly: Any, generator: Monomial, above: Polynomial, cell: Cell) -> list[Point]:
        found = []
        lo, hi = cell.outer
        for factor in irreducible(poly):
            for root in _real_roots(factor):
                mapped = self._mapped(root, factor, generator)
                if mapped is None:
                    continue
                with working_precision(_SEARCH_BITS):
                    low, high = mapped.bounds(_SEARCH_BITS)
                if (lo is None or high is None or high >= lo) and (hi is None or low is None or low <= hi):
                    found.append(mapped)
        found.sort(key=cmp_to_key(compare))
        return found

    def _mapped(self, root: Any, factor: Any, generator: Monomial) -> Point | None:
        """Return the point of a root of the generator: the unknown itself, a root of it, or one exponential."""
        exact = Fraction(-int(factor[0]), int(factor[1])) if factor.degree() == 1 else None
        [(first, exponent), *_] = generator
        if first == X:
            power = exponent.denominator
            if power == 1:
                return rational(exact) if exact is not None else Point(None, _poly_bounds(factor, root, lambda t: t))
            if root < 0:
                return None
            if exact is not None:
                return rational(exact**power)
            return Point(None, _poly_bounds(factor, root, lambda t: t**power))
        if not root > 0:
            return None

        def rate() -> Any:
            return sum((ball(c) * (arb(1) if atom == EXP_X else arb(atom[1]).log()) for atom, c in generator), arb(0))

        mapped = Point(None, _poly_bounds(factor, root, lambda t: t.log() / rate()))
        lo, hi = mapped.bounds(_SEARCH_BITS)
        if lo is None or hi is None:
            return mapped
        candidate = _candidate(lo, hi)
        if candidate is not None:
            tree = tree_of(in_generator(factor, generator), self.unknown)
            if sign_of_constant(at_number(tree, self.unknown, candidate)) == 0:
                return rational(candidate)
        return mapped


def _opposite(at: Point) -> Point:
    if at.exact is not None:
        return rational(-at.exact)

    def bounds(bits: int) -> tuple[Fraction | None, Fraction | None]:
        lo, hi = at.bounds(bits)
        return None if hi is None else -hi, None if lo is None else -lo

    return Point(None, bounds, is_fuzzy=at.is_fuzzy)


def _covers(outer: Cell, inner: Cell) -> bool:
    try:
        low = outer.lo is None or (inner.lo is not None and compare(outer.lo, inner.lo) <= 0)
        return low and (outer.hi is None or (inner.hi is not None and compare(inner.hi, outer.hi) <= 0))
    except UndecidedError:
        return False


def _candidate(lo: Fraction, hi: Fraction) -> Fraction | None:
    simplest = simplest_between(lo, hi)
    bits = simplest.numerator.bit_length() + simplest.denominator.bit_length()
    return simplest if bits <= _LARGEST_CANDIDATE_BITS else None


def _is_free_of_opaque(monomial: Monomial) -> bool:
    return all(atom[0] in ("x", "exp x", "prime x", "E", "prime", "log", "constant", "exp") for atom, _ in monomial)


def _is_plainly_positive(a: Polynomial) -> bool:
    signs = {coefficient > 0 for coefficient in a.values()}
    return len(signs) == 1 and all(_is_free_of_opaque(monomial) for monomial in a)


def stripped(a: Polynomial) -> Polynomial:
    """Return the sum without what all its terms share and what is never zero, up to a factor."""
    return primitive(without_common(a))[1]


def without_common(a: Polynomial) -> Polynomial:
    """Return the sum without the powers and exponentials that all its terms share: positive right of zero."""
    movable = {atom for monomial in a for atom, _ in monomial if atom[0] in ("x", "exp x", "prime x", "exp")}
    least = {atom: min(dict(monomial).get(atom, Fraction(0)) for monomial in a) for atom in movable}
    result: Polynomial = {}
    for monomial, coefficient in a.items():
        powers = dict(monomial)
        for atom, exponent in least.items():
            powers[atom] = powers.get(atom, Fraction(0)) - exponent
        kept = {atom: e for atom, e in powers.items() if e}
        result[sorted_monomial(kept)] = coefficient
    return result


def polynomial(a: Polynomial) -> tuple[Any, Monomial] | None:
    """Return a sum of products as a polynomial in one generator, or `None`."""
    vectors = {monomial: dict(monomial) for monomial in a}
    direction: dict[Any, Fraction] = next((dict(m) for m in a if m), {})
    if not direction:
        return None
    kinds = {atom[0] for atom in direction}
    if not (kinds == {"x"} or kinds <= {"exp x", "prime x"}):
        return None
    first = next(iter(direction))
    multiples: dict[Monomial, Fraction] = {}
    for monomial, vector in vectors.items():
        factor = vector.get(first, Fraction(0)) / direction[first]
        if vector != {atom: e * factor for atom, e in direction.items() if factor}:
            return None
        multiples[monomial] = factor
    if kinds == {"x"}:
        unit = Fraction(1, lcm(*(e.get(X, Fraction(0)).denominator for e in vectors.values())))
        scale = unit / direction[X]
    else:
        scale = Fraction(1, lcm(*(factor.denominator for factor in multiples.values())))
    generator = tuple((atom, e * scale) for atom, e in direction.items())
    degrees = {monomial: factor / scale for monomial, factor in multiples.items()}
    shift = min(degrees.values())
    if max(degrees.values()) - shift > _LARGEST_DEGREE:
        return None
    common = lcm(*(c.denominator for c in a.values()))
    coefficients = [0] * (int(max(degrees.values()) - shift) + 1)
    for monomial, degree in degrees.items():
        coefficients[int(degree - shift)] = int(a[monomial] * common)
    return fmpz_poly(coefficients), generator


def irreducible(poly: Any) -> list[Any]:
    """Return the factors of a polynomial: irreducible, or of a high degree without double roots."""
    if poly.degree() <= 60:
        return [factor for factor, _ in poly.factor()[1]]
    return [factor for factor, _ in poly.factor_squarefree()[1]]


def _real_roots(factor: Any) -> list[Any]:
    if factor.degree() == 1:
        return [ball(Fraction(-int(factor[0]), int(factor[1])))]
    with working_precision(_SEARCH_BITS):
        return [root.real for root, _ in factor.complex_roots() if root.imag == 0]


def _poly_bounds(
    factor: Any, root: Any, mapped: Callable[[Any], Any]
) -> Callable[[int], tuple[Fraction | None, Fraction | None]]:
    """Return the bounds of a simple root, mapped by an increasing or decreasing function."""
    cache: dict[int, tuple[Fraction | None, Fraction | None]] = {}

    def bounds(bits: int) -> tuple[Fraction | None, Fraction | None]:
        if bits not in cache:
            with working_precision(bits + 64):
                near = root if bits <= _SEARCH_BITS - 40 else _refined(factor, root)
                value = mapped(near)
                around = fractions_around(value.lower(), value.upper()) if value.is_finite() else None
                cache[bits] = around or (None, None)
        return cache[bits]

    return bounds


def _refined(factor: Any, root: Any) -> Any:
    """Return the same root with the bits of the working precision: flint isolates anew, and only one root is there."""
    if factor.degree() == 1:
        return ball(Fraction(-int(factor[0]), int(factor[1])))
    [again] = [one.real for one, _ in factor.complex_roots() if one.imag == 0 and one.real.overlaps(root)]
    return again


def in_generator(factor: Any, generator: Monomial) -> Polynomial:
    """Return a polynomial in a generator as a sum of products."""
    return {
        sorted_monomial({atom: e * k for atom, e in generator}) if k else (): Fraction(int(c))
        for k, c in enumerate(factor.coeffs())
        if c
    }


# --- anything else ---------------------------------------------------------------------------------------------------

Box = tuple["Fraction | None", "Fraction | None", int]
"""Two ends and how often it was halved."""


class _Search:
    """One search by halving."""

    def __init__(self, isolator: Isolator, functions: list[Tree], above: Polynomial | None, cell: Cell) -> None:
        self.unknown = isolator.unknown
        self.budget = isolator.budget
        self.functions = functions
        self.cell = cell
        self.above = above
        self.found: list[Point] = []
        self.left: list[Box] = []
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
        with working_precision(_SEARCH_BITS):
            while boxes:
                count += 1
                box = boxes.pop()
                try:
                    self.budget.check()
                except UndecidedError:
                    count = MOST_BOXES + 1
                if count > MOST_BOXES:
                    self.left += [box, *boxes]
                    break
                boxes += self._halves(box)
        self.found += self._merged()
        self.found.sort(key=cmp_to_key(compare))
        return self.found

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
        low, high = root.bounds(_SEARCH_BITS)
        candidate = _candidate(low, high)
        if candidate is not None and sign_of_constant(at_number(tree, self.unknown, candidate)) == 0:
            return rational(candidate)
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
            self.left.append((*turn.bounds(_SEARCH_BITS), depth))
            return []
        if sign == 0:
            self.found.append(turn)
            return []
        if sign == bend.sign:
            return []  # its least value is positive, or its greatest negative
        below, above = turn.bounds(_SEARCH_BITS)
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
