"""All zeros of one expression without kinks in an open stretch of the line.

Polynomials (in the unknown, a root of it, or one exponential) are isolated exactly by flint; anything else is left to
the search. Left of zero the mirror image is searched, because roots and logarithms can be taken apart right of it only.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from flint import arb

from ..._tree import Tree, name, replaced
from .algebraic import (
    in_generator,
    irreducible,
    is_free_of_opaque,
    is_plainly_positive,
    polynomial,
    real_roots,
    root_bounds,
    stripped,
    zero_key,
)
from .cells import Cell
from .forms import Form, Reader
from .interval import ball, working_precision
from .points import SEARCH_BITS, Budget, Point, UndecidedError, compare, rational
from .products import EXP_X, Monomial, Polynomial, TooLargeError, X, tree_of
from .search import Search
from .signs import at_number, candidate, sign_of_constant

MOST_ISOLATED_DEGREE = 24
"""Beyond it flint's isolation of all complex roots takes longer than halving."""


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
            if len(above) == 1 and is_free_of_opaque(next(iter(above))):
                return []
            if cell.is_positive and is_plainly_positive(above):
                return []
            exact = polynomial(above)
            if exact is not None and exact[0].degree() <= MOST_ISOLATED_DEGREE:
                return self._of_polynomial(*exact, above, cell)
        hi = cell.outer[1]
        if hi is not None and hi <= 0:
            return self._mirrored(tree, cell)
        functions = [tree] if above is None or len(above) > 60 else [tree_of(above, self.unknown), tree]
        return Search(self.unknown, self.budget, functions, above, cell).run()

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
            for root in real_roots(factor):
                mapped = self._mapped(root, factor, generator)
                if mapped is None:
                    continue
                with working_precision(SEARCH_BITS):
                    low, high = mapped.bounds(SEARCH_BITS)
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
                return rational(exact) if exact is not None else Point(None, root_bounds(factor, root, lambda t: t))
            if root < 0:
                return None
            if exact is not None:
                return rational(exact**power)
            return Point(None, root_bounds(factor, root, lambda t: t**power))
        if not root > 0:
            return None

        def rate() -> Any:
            return sum((ball(c) * (arb(1) if atom == EXP_X else arb(atom[1]).log()) for atom, c in generator), arb(0))

        mapped = Point(None, root_bounds(factor, root, lambda t: t.log() / rate()))
        lo, hi = mapped.bounds(SEARCH_BITS)
        if lo is None or hi is None:
            return mapped
        simple = candidate(lo, hi)
        if simple is not None:
            tree = tree_of(in_generator(factor, generator), self.unknown)
            if sign_of_constant(at_number(tree, self.unknown, simple)) == 0:
                return rational(simple)
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


# --- anything else ---------------------------------------------------------------------------------------------------
