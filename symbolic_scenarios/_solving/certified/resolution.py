"""What an expression is at one place: the line is cut until it has no kinks, no steps and one sign there.

A place is a point or an open cell. Asking for a sign in a cell where it changes raises `SplitError` with the points to
cut at; the caller cuts and asks again. So the cells need not be planned, and only those choices are followed that
count: the branch of a Piecewise that is not chosen is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb

from ..._tree import RELATIONS, Tree, name, number, replaced, symbols
from .algebraic import in_generator, irreducible, polynomial, stripped, zero_key
from .cells import Cell
from .enclosure import value_range
from .folding import folded_once
from .forms import Form, Reader
from .interval import between, working_precision
from .points import PRECISIONS, Point, UndecidedError
from .products import Polynomial, TooLargeError, tree_of
from .roots import Isolator
from .signs import at_number, sign_of_constant

Place = Point | Cell
MOST_STEPS = 40
_LARGEST_STEP_BITS = 4_000
_ENTIRE = frozenset({"exp", "sin", "cos", "sinh", "cosh", "tanh", "asinh", "atan", "erf", "erfc"})
_ZERO = number(0)


class UndefinedError(Exception):
    """The expression has no real value at this place."""


class SplitError(Exception):
    """Something changes inside the cell."""

    def __init__(self, points: list[Point]) -> None:
        super().__init__()
        self.points = points


class ManyStepsError(Exception):
    """A floor has more steps in the cell than are worth cutting at."""


class Resolver:
    """Answers questions about expressions in one unknown, place by place."""

    def __init__(self, unknown: Any, isolator: Isolator) -> None:
        self.unknown = unknown
        self.isolator = isolator
        self._readers = {positive: Reader(unknown, positive) for positive in (True, False)}
        self._memo: dict[tuple[int, Tree], Tree] = {}
        self._places: list[Place] = []

    # --- signs -------------------------------------------------------------------------------------------------------

    def form(self, tree: Tree, place: Place) -> Form | None:
        """Return the normal form of a smooth tree at a place, if it has one."""
        positive = place.is_positive if isinstance(place, Cell) else (place.bounds(128)[0] or 0) > 0
        try:
            return self._readers[positive].read(tree)
        except TooLargeError:
            return None
        except ZeroDivisionError:
            raise UndefinedError from None

    def sign(self, tree: Tree, place: Place) -> int:
        """Return the sign of a smooth expression that is defined at the place.

        Raises:
            SplitError: It has zeros inside the cell.
            UndecidedError: It could not be proved.
        """
        self.isolator.budget.check()
        if self.unknown not in symbols(tree):
            return _known(sign_of_constant(tree))
        if isinstance(place, Point):
            return self._sign_at(tree, place)
        form = self.form(tree, place)
        if self._is_zero(form, tree, place):
            return 0
        quick = self._quick_sign(tree, place)
        if quick:
            return quick
        zeros = self.isolator.zeros(form, tree, place)
        if zeros:
            raise SplitError(zeros)
        return _known(sign_of_constant(at_number(tree, self.unknown, place.sample())))

    def _is_zero(self, form: Form | None, tree: Tree, cell: Cell) -> bool:
        """Whether an expression is zero in the whole cell; left of zero its mirror image is asked, too."""
        if form is not None and form.is_zero:
            return True
        hi = cell.outer[1]
        if form is None or hi is None or hi > 0 or polynomial(stripped(form.above)) is not None:
            return False
        image = replaced(tree, {self.unknown: negated(name(self.unknown))})
        try:
            return self._readers[True].read(image).is_zero
        except (TooLargeError, ZeroDivisionError):
            return False

    def _quick_sign(self, tree: Tree, cell: Cell) -> int | None:
        with working_precision(PRECISIONS[0]):
            lo, hi = cell.outer
            return value_range(tree, {self.unknown: between(lo, hi, True, True)}).sign

    def _sign_at(self, tree: Tree, at: Point) -> int:
        if at.is_fuzzy:
            raise UndecidedError("inside an undecided stretch")
        if at.exact is not None:
            return _known(sign_of_constant(at_number(tree, self.unknown, at.exact)))
        form = self.form(tree, at)
        if form is not None:
            if form.is_zero:
                return 0
            if self._vanishes(form.above, at) and not self._vanishes(form.below, at):
                return 0
        for bits in PRECISIONS:
            with working_precision(bits + 64):
                ranges = {self.unknown: at.interval(bits)}
                sign = value_range(tree, ranges).sign
                if not sign and form is not None:
                    above, below = (
                        value_range(tree_of(part, self.unknown), ranges).sign for part in (form.above, form.below)
                    )
                    sign = above * below if above and below else None
            if sign:
                return sign
        raise UndecidedError("a sign at a root could not be proved")

    def _vanishes(self, above: Polynomial, at: Point) -> bool:
        """Whether an expression is a multiple of one that is zero at the point."""
        if not above:
            return True
        core = stripped(above)
        if zero_key(core) in at.vanishing:
            return True
        exact = polynomial(core)
        if exact is None:
            return False
        poly, generator = exact
        for key in at.vanishing:
            if not isinstance(key, frozenset):
                continue
            other = polynomial(dict(key))
            if other is None or {atom for atom, _ in other[1]} != {atom for atom, _ in generator}:
                continue
            if other[1] != generator:
                continue
            common = poly.gcd(other[0])
            if common.degree() < 1:
                continue
            # The point is the only root of one irreducible factor in its bounds; is that factor a common one?
            for factor in irreducible(common):
                if self._is_root_of(factor, generator, at, other[0]):
                    return True
        return False

    def _is_root_of(self, factor: Any, generator: Any, at: Point, whole: Any) -> bool:
        others = [one for one in irreducible(whole) if one != factor and one != -factor]
        for bits in PRECISIONS:
            with working_precision(bits + 64):
                ranges = {self.unknown: at.interval(bits)}
                if value_range(tree_of(in_generator(factor, generator), self.unknown), ranges).sign:
                    return False
                signs = [
                    value_range(tree_of(in_generator(one, generator), self.unknown), ranges).sign for one in others
                ]
                if all(signs):
                    return True
        return False

    # --- expressions -------------------------------------------------------------------------------------------------

    def smooth(self, tree: Tree, place: Place) -> Tree:
        """Return the tree without kinks and steps that it equals at the place.

        Raises:
            UndefinedError: It has no value there.
            SplitError: The cell has to be cut first.
            ManyStepsError: It steps too often in the cell.
            UndecidedError: It could not be proved.
        """
        if not tree.args:
            return tree
        key = (id(place), tree)
        if key not in self._memo:
            self._places.append(place)  # keeps the id from being used again
            self._memo[key] = self._smooth(tree, place)
        return self._memo[key]

    def _smooth(self, tree: Tree, place: Place) -> Tree:
        if tree.head == "piecewise":
            for value, condition in tree.pieces:
                if self.truth(condition, place):
                    return self.smooth(value, place)
            raise UndefinedError
        if tree.head == "sum":
            return self.smooth(_expanded(tree), place)
        args = tuple(self.smooth(arg, place) for arg in tree.args)
        plain = folded_once(Tree(tree.head, args))
        if not plain.args:
            return plain
        if tree.head in _CHOICES:
            return _CHOICES[tree.head](self, args, place)
        if tree.head in PARTIAL:
            PARTIAL[tree.head](self, args, place)
        elif tree.head not in _ENTIRE and tree.head not in ("+", "*", "-", "neg"):
            raise UndecidedError(f"{tree.head} is not handled")
        return plain

    def truth(self, condition: Tree, place: Place) -> bool:
        """Return whether a condition holds at a place; raises as `smooth` does."""
        head, args = condition.head, condition.args
        if head in ("true", "false"):
            return head == "true"
        if head == "and":
            return all(self.truth(arg, place) for arg in args)
        if head == "or":
            return any(self.truth(arg, place) for arg in args)
        if head == "not":
            return not self.truth(args[0], place)
        if head not in RELATIONS:
            raise UndecidedError(f"{head} is no condition")
        left, right = (self.smooth(arg, place) for arg in args)
        return HOLDS[head](self.sign(difference(left, right), place))

    # --- choices -----------------------------------------------------------------------------------------------------

    def _absolute(self, args: tuple[Tree, ...], place: Place) -> Tree:
        return args[0] if self.sign(args[0], place) >= 0 else Tree("neg", args)

    def _sign_value(self, args: tuple[Tree, ...], place: Place) -> Tree:
        return number(self.sign(args[0], place))

    def _least(self, args: tuple[Tree, ...], place: Place) -> Tree:
        best = args[0]
        for arg in args[1:]:
            best = arg if self.sign(difference(arg, best), place) < 0 else best
        return best

    def _most(self, args: tuple[Tree, ...], place: Place) -> Tree:
        best = args[0]
        for arg in args[1:]:
            best = arg if self.sign(difference(arg, best), place) > 0 else best
        return best

    def floor(self, u: Tree, place: Place) -> int:
        """Return the floor of a smooth expression at a place."""
        lo, hi = self._floor_bounds(u, place)
        if lo is None or hi is None or hi - lo > MOST_STEPS:
            if isinstance(place, Cell):
                raise ManyStepsError
            raise UndecidedError("a step is too far out")
        if isinstance(place, Cell) and hi > lo:
            cuts: list[Point] = []
            for n in range(lo, hi + 1):
                try:
                    self.sign(difference(u, number(n)), place)
                except SplitError as split:
                    cuts += [point for point in split.points if all(point is not other for other in cuts)]
            if cuts:
                raise SplitError(cuts)
        # The candidates are few and ordered: halve.
        while lo < hi:
            middle = (lo + hi + 1) // 2
            if self.sign(difference(u, number(middle)), place) >= 0:
                lo = middle
            else:
                hi = middle - 1
        return lo

    def _floor_bounds(self, u: Tree, place: Place) -> tuple[int | None, int | None]:
        bits = PRECISIONS[1]
        with working_precision(bits):
            if isinstance(place, Point):
                ranges = {self.unknown: place.interval(bits)}
                for more in PRECISIONS:
                    with working_precision(more + 64):
                        value = value_range(u, {self.unknown: place.interval(more)} if place.exact is None else ranges)
                        if value.is_finite and value.hi - value.lo < 1:
                            break
            else:
                lo, hi = place.outer
                value = value_range(u, {self.unknown: between(lo, hi, True, True)})
            limit = arb(2) ** _LARGEST_STEP_BITS
            low = None if value.lo is None or abs(value.lo) > limit else value.lo.floor().unique_fmpz()
            high = None if value.hi is None or abs(value.hi) > limit else value.hi.floor().unique_fmpz()
            if high is not None and value.hi_open and value.hi == high and isinstance(place, Cell):
                high -= 1
        return (None if low is None else int(low)), (None if high is None else int(high))

    def _floor_value(self, args: tuple[Tree, ...], place: Place) -> Tree:
        return number(self.floor(args[0], place))

    def _ceiling_value(self, args: tuple[Tree, ...], place: Place) -> Tree:
        return number(-self.floor(negated(args[0]), place))

    def _remainder(self, args: tuple[Tree, ...], place: Place) -> Tree:
        value, divisor = args
        self._nonzero(divisor, place)
        return difference(value, Tree("*", (number(self.floor(Tree("/", args), place)), divisor)))

    # --- where functions have values ---------------------------------------------------------------------------------

    def _nonzero(self, u: Tree, place: Place) -> None:
        if self.sign(u, place) == 0:
            raise UndefinedError

    def _need(self, holds: bool) -> None:
        if not holds:
            raise UndefinedError

    def _power_is_defined(self, args: tuple[Tree, ...], place: Place) -> None:
        base, exponent = args
        if exponent.head == "number" and exponent.leaf.is_Rational:
            whole = bool(exponent.leaf.is_Integer)
            if whole and exponent.leaf >= 0:
                return
            sign = self.sign(base, place)
            self._need(sign > 0 or (sign == 0 and exponent.leaf > 0) or (sign < 0 and whole))
            return
        sign = self.sign(base, place)
        if sign > 0:
            return
        if sign == 0:
            self._need(self.sign(exponent, place) >= 0)
            return
        # A negative base wants a whole exponent: at a point that can be, in a cell only if it is constant.
        whole_value = self._whole_at(exponent, place)
        self._need(whole_value)

    def _whole_at(self, exponent: Tree, place: Place) -> bool:
        if self.unknown in symbols(exponent) and isinstance(place, Cell):
            form = self.form(exponent, place)
            if form is None or any(monomial != () for monomial in form.above):
                return False
        return self.sign(difference(exponent, number(self.floor(exponent, place))), place) == 0

    def _within(self, u: Tree, place: Place, bound: int, strict: bool) -> None:
        for side in (difference(number(bound), u), Tree("+", (u, number(bound)))):
            sign = self.sign(side, place)
            self._need(sign > 0 or (sign == 0 and not strict))

    def _gamma_is_defined(self, args: tuple[Tree, ...], place: Place) -> None:
        if self.sign(args[0], place) > 0:
            return
        n = self.floor(args[0], place)
        self._need(self.sign(difference(args[0], number(n)), place) != 0)

    def _lambert_is_defined(self, args: tuple[Tree, ...], place: Place) -> None:
        least = Tree("+", (args[0], Tree("exp", (number(-1),))))
        self._need(self.sign(least, place) >= 0)
        if len(args) == 2:
            branch = sign_of_constant(args[1])
            if branch:
                self._need(self.sign(args[0], place) < 0)

    def _tangent_is_defined(self, args: tuple[Tree, ...], place: Place) -> None:
        self._nonzero(Tree("cos", args), place)


def difference(left: Tree, right: Tree) -> Tree:
    """Return left - right."""
    return left if right == _ZERO else Tree("-", (left, right))


def negated(tree: Tree) -> Tree:
    """Return the opposite of a tree."""
    return Tree("neg", (tree,))


def _known(sign: int | None) -> int:
    if sign is None:
        raise UndecidedError("a sign could not be proved")
    return sign


def _expanded(tree: Tree) -> Tree:
    body, index, low, high = tree.args
    ends = [end.leaf for end in (low, high) if end.head == "number"]
    if len(ends) != 2 or not all(end.is_Integer for end in ends) or ends[1] - ends[0] > 200:
        raise UndecidedError("the ends of a sum are not few whole numbers")
    terms = tuple(replaced(body, {index.leaf: number(k)}) for k in range(int(ends[0]), int(ends[1]) + 1))
    return terms[0] if len(terms) == 1 else Tree("+", terms) if terms else _ZERO


HOLDS: dict[str, Callable[[int], bool]] = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
    "==": lambda sign: sign == 0,
    "!=": lambda sign: sign != 0,
}

_CHOICES: dict[str, Callable[[Resolver, tuple[Tree, ...], Place], Tree]] = {
    "abs": Resolver._absolute,
    "sign": Resolver._sign_value,
    "min": Resolver._least,
    "max": Resolver._most,
    "floor": Resolver._floor_value,
    "ceiling": Resolver._ceiling_value,
    "mod": Resolver._remainder,
}

PARTIAL: dict[str, Callable[[Resolver, tuple[Tree, ...], Place], None]] = {
    "/": lambda self, args, place: self._nonzero(args[1], place),
    "**": Resolver._power_is_defined,
    "log": lambda self, args, place: self._need(self.sign(args[0], place) > 0),
    "asin": lambda self, args, place: self._within(args[0], place, 1, False),
    "acos": lambda self, args, place: self._within(args[0], place, 1, False),
    "atanh": lambda self, args, place: self._within(args[0], place, 1, True),
    "erfinv": lambda self, args, place: self._within(args[0], place, 1, True),
    "acosh": lambda self, args, place: self._need(self.sign(difference(args[0], number(1)), place) >= 0),
    "tan": Resolver._tangent_is_defined,
    "gamma": Resolver._gamma_is_defined,
    "loggamma": lambda self, args, place: self._need(self.sign(args[0], place) > 0),
    "factorial": lambda self, args, place: self._gamma_is_defined((Tree("+", (args[0], number(1))),), place),
    "lambertw": Resolver._lambert_is_defined,
}


# --- many steps ------------------------------------------------------------------------------------------------------
