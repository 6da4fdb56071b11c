"""Arithmetic in a class body: every operator is recorded as it was written.

`eager_item_time - compiled_item_time` in the body of a scenario meets two declarations, and makes a `Written` that
holds the tree of the difference. A SymPy function (`sympy.ceiling(work / capacity)`) sees a placeholder, a symbol of
which nothing is assumed but that it is real, so that nothing is simplified away; it leads back to the tree.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from numbers import Integral
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from ._bridge import to_sympy
from ._tree import Tree, joined, name, number, walk
from .errors import DefinitionError

_OPERATORS_FOR_PYTHON = (
    "Write sympy.Max and sympy.Min for max and min, sympy.Piecewise for if and else, & and | for `and` and `or`, "
    "and two conditions for a chained comparison."
)


class Operand:
    """Anything that can stand in the expression of a property: a declaration, or an expression of declarations."""

    # SymPy's operators and NumPy's leave the work to ours (SymPy would read a placeholder and lose what is written).
    _op_priority = 1000
    __array_ufunc__ = None

    @property
    def _tree(self) -> Tree:
        raise TypeError("an Operand has a tree")  # pragma: no cover (each subclass has its own)

    def _sympy_(self) -> sympy.Symbol:
        return placeholder(self._tree)

    def __add__(self, other: Any) -> Written:
        return _written("+", self, other)

    def __radd__(self, other: Any) -> Operand:
        if other.__class__ is int and other == 0:  # what Python's sum() starts with
            return self
        return _written("+", other, self)

    def __sub__(self, other: Any) -> Written:
        return _written("-", self, other)

    def __rsub__(self, other: Any) -> Written:
        return _written("-", other, self)

    def __mul__(self, other: Any) -> Written:
        return _written("*", self, other)

    def __rmul__(self, other: Any) -> Written:
        return _written("*", other, self)

    def __truediv__(self, other: Any) -> Written:
        return _written("/", self, other)

    def __rtruediv__(self, other: Any) -> Written:
        return _written("/", other, self)

    def __pow__(self, other: Any) -> Written:
        return _written("**", self, other)

    def __rpow__(self, other: Any) -> Written:
        return _written("**", other, self)

    def __mod__(self, other: Any) -> Written:
        return _written("mod", self, other)

    def __rmod__(self, other: Any) -> Written:
        return _written("mod", other, self)

    def __floordiv__(self, other: Any) -> Written:
        return Written(Tree("floor", (_written("/", self, other)._tree,)))

    def __rfloordiv__(self, other: Any) -> Written:
        return Written(Tree("floor", (_written("/", other, self)._tree,)))

    def __neg__(self) -> Written:
        return Written(Tree("neg", (self._tree,)))

    def __pos__(self) -> Operand:
        return self

    def __abs__(self) -> Written:
        return Written(Tree("abs", (self._tree,)))

    def __ceil__(self) -> Written:
        return Written(Tree("ceiling", (self._tree,)))

    def __floor__(self) -> Written:
        return Written(Tree("floor", (self._tree,)))

    def __eq__(self, other: object) -> bool:
        if self is other or not (
            isinstance(other, (Operand, sympy.Basic, Fraction)) or other.__class__ in (int, float)
        ):
            return self is other
        raise DefinitionError(
            "`==` and `!=` compare declarations, not their values", hint="Write sympy.Eq(a, b) or sympy.Ne(a, b)."
        )

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        raise DefinitionError("an expression in a class body is neither true nor false", hint=_OPERATORS_FOR_PYTHON)

    def __lt__(self, other: Any) -> Condition:
        return Condition(Tree("<", (self._tree, tree_of(other))))

    def __le__(self, other: Any) -> Condition:
        return Condition(Tree("<=", (self._tree, tree_of(other))))

    def __gt__(self, other: Any) -> Condition:
        return Condition(Tree(">", (self._tree, tree_of(other))))

    def __ge__(self, other: Any) -> Condition:
        return Condition(Tree(">=", (self._tree, tree_of(other))))

    def __float__(self) -> float:
        raise DefinitionError(
            "an expression in a class body has no number yet",
            hint="Use SymPy's functions there: sympy.exp for math.exp, sympy.log for math.log.",
        )

    __int__ = __index__ = __complex__ = __round__ = __trunc__ = __float__

    def diff(self, *_: Any) -> Any:
        """Refuse: in a class body a name stands for itself, so a derivative there would be 0 and wrong."""
        raise DefinitionError(
            "a derivative can't be taken in a class body, where a property is only a name",
            hint="Write it out, or take it from the finished class: `MyScenario.total.diff(MyScenario.rate)`.",
        )


class Written(Operand):
    """An expression in a class body."""

    def __init__(self, tree: Tree) -> None:
        self._expression = tree

    @property
    def _tree(self) -> Tree:
        return self._expression


class Condition(Boolean):  # type: ignore[misc]  # SymPy ships no types
    """A comparison in a class body; a SymPy Boolean, so that `Piecewise`, `&`, `|` and `~` take it."""

    __slots__ = ("place", "tree")
    _count = itertools.count()

    def __new__(cls, tree: Tree) -> Condition:
        self = Boolean.__new__(cls)
        self.tree = tree
        self.place = next(cls._count)
        return self  # type: ignore[no-any-return]

    def sort_key(self, order: Any = None) -> Any:
        """Return SymPy's key for the order of arguments: `And(a, b)` keeps them as they were written."""
        return self.class_key(), (1, (f"{self.place:012d}",)), sympy.S.One.sort_key(), sympy.S.One

    def __and__(self, other: Any) -> Condition:
        return Condition(joined("and", self.tree, tree_of(other)))

    def __rand__(self, other: Any) -> Condition:
        return Condition(joined("and", tree_of(other), self.tree))

    def __or__(self, other: Any) -> Condition:
        return Condition(joined("or", self.tree, tree_of(other)))

    def __ror__(self, other: Any) -> Condition:
        return Condition(joined("or", tree_of(other), self.tree))

    def __invert__(self) -> Condition:
        return Condition(Tree("not", (self.tree,)))

    def _hashable_content(self) -> tuple[Any, ...]:
        return (self.tree,)

    def __bool__(self) -> bool:
        raise DefinitionError(
            "a comparison in a class body is neither true nor false before there are values",
            hint=_OPERATORS_FOR_PYTHON,
        )


def tree_of(value: Any) -> Tree:
    """Return the tree of an operand, a number or a SymPy expression; what has no place in a definition as `stray`."""
    if isinstance(value, Operand):
        return value._tree
    if isinstance(value, bool):
        return Tree("stray", leaf=value)
    if isinstance(value, Integral):
        return number(int(value))
    if isinstance(value, Fraction):
        return number(sympy.Rational(value.numerator, value.denominator))
    if isinstance(value, Condition):
        tree: Tree = value.tree
        return tree
    return Tree("quoted" if isinstance(value, sympy.Basic) else "stray", leaf=value)


def _written(head: str, left: Any, right: Any) -> Written:
    return Written(joined(head, tree_of(left), tree_of(right)))


_PLACEHOLDER = "written"


def placeholder(tree: Tree) -> Any:
    """Return the symbol that stands for a tree inside a SymPy function; the same tree always gets the same symbol.

    The first declaration of the tree keeps the pair, so that it lives as long as the class and no longer. A tree with
    a symbol of the user's own in it (the index of a `sympy.Sum`) must stay visible to SymPy, and only the
    declarations in it are replaced.
    """
    leaves = [part.leaf for part in walk(tree) if part.head in ("name", "quoted")]
    own = {s for leaf in leaves if isinstance(leaf, sympy.Basic) for s in leaf.free_symbols if s.name != _PLACEHOLDER}
    home = next(leaf for leaf in leaves if not isinstance(leaf, sympy.Basic))
    if own:
        return to_sympy(tree, {leaf: placeholder(name(leaf)) for leaf in leaves if not isinstance(leaf, sympy.Basic)})
    return home.placeholders.setdefault(tree, sympy.Dummy(_PLACEHOLDER, real=True))


def is_placeholder(symbol: Any) -> bool:
    """Whether a SymPy symbol was made by `placeholder`."""
    return isinstance(symbol, sympy.Dummy) and symbol.name == _PLACEHOLDER
