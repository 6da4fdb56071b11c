"""An expression as it was written: the form that all other modules read.

SymPy's own expressions are canonical: `b - a` becomes `-a + b`, `n*t/n` becomes `t`, `sqrt(2*h/g)` becomes
`sqrt(2)*sqrt(h)/sqrt(g)`, and a `Piecewise` folds as soon as its conditions are known. For reading, for units and for
the question where an expression is defined, what the author wrote is what counts. A `Tree` keeps it.

A tree is a head and its arguments. The heads:

| head | arguments | leaf |
|---|---|---|
| `name` | | the `sympy.Symbol` it stands for; in a class body the declaration itself |
| `number` | | a `sympy.Rational`, or one of `pi`, `E`, `oo` |
| `quoted` | | in a class body: a SymPy expression of placeholders, read when the class is complete |
| `stray` | | anything that has no place in a definition; reported when the class is complete |
| `+` `*` | two or more | |
| `-` `/` `**` | two | |
| `neg` | one | |
| `<` `<=` `>` `>=` `==` `!=` | two | |
| `and` `or` | two or more | |
| `not` | one condition | |
| `true` `false` | | |
| `piecewise` | value, condition, value, condition, ... | |
| `sum` | body, index (a `name`), lower end, upper end | |
| a function of `FUNCTIONS` | one; two for `mod`; two or more for `min` and `max` | |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

from .errors import DefinitionError

FUNCTIONS: dict[str, Any] = {
    "abs": sympy.Abs,
    "sign": sympy.sign,
    "min": sympy.Min,
    "max": sympy.Max,
    "ceiling": sympy.ceiling,
    "floor": sympy.floor,
    "mod": sympy.Mod,
    "exp": sympy.exp,
    "log": sympy.log,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "asin": sympy.asin,
    "acos": sympy.acos,
    "atan": sympy.atan,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "asinh": sympy.asinh,
    "acosh": sympy.acosh,
    "atanh": sympy.atanh,
    "erf": sympy.erf,
    "erfc": sympy.erfc,
    "erfinv": sympy.erfinv,
    "gamma": sympy.gamma,
    "loggamma": sympy.loggamma,
    "factorial": sympy.factorial,
    "lambertw": sympy.LambertW,
}
"""The functions that an expression may use, by head."""

RELATIONS: dict[str, Any] = {
    "<": sympy.StrictLessThan,
    "<=": sympy.LessThan,
    ">": sympy.StrictGreaterThan,
    ">=": sympy.GreaterThan,
    "==": sympy.Equality,
    "!=": sympy.Unequality,
}

CONDITIONS = frozenset(RELATIONS) | {"and", "or", "not", "true", "false"}
"""The heads whose value is true or false."""

LARGEST_SIZE = 5_000
LARGEST_DEPTH = 120
"""Bounds on one expression: beyond them reading it, too, has no use, and every walk over it stays far from Python's
recursion limit."""


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """One expression as written; immutable, compared by structure."""

    head: str
    args: tuple[Tree, ...] = ()
    leaf: Any = None
    size: int = field(init=False, compare=False, repr=False)
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(arg.size for arg in self.args))
        object.__setattr__(self, "depth", 1 + max((arg.depth for arg in self.args), default=0))
        if self.size > LARGEST_SIZE or self.depth > LARGEST_DEPTH:
            raise DefinitionError(
                "an expression is too large",
                found=f"{self.size} parts in {self.depth} levels",
                expected=f"at most {LARGEST_SIZE} in {LARGEST_DEPTH}",
                hint="Make parts of it properties of their own.",
            )

    # Equal by structure. The leaves of a class body are declarations, which refuse `==` (it is no equation there).

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Tree) or self.head != other.head or self.args != other.args:
            return False
        ours, theirs = self.leaf, other.leaf
        both = isinstance(ours, sympy.Basic) and isinstance(theirs, sympy.Basic)
        return ours is theirs or (both and bool(ours == theirs))

    def __hash__(self) -> int:
        return hash((self.head, self.args, self.leaf if isinstance(self.leaf, sympy.Basic) else id(self.leaf)))

    @property
    def is_condition(self) -> bool:
        """Whether the tree is true or false rather than a number."""
        return self.head in CONDITIONS

    @property
    def pieces(self) -> Iterator[tuple[Tree, Tree]]:
        """The (value, condition) pairs of a `piecewise`."""
        return zip(self.args[::2], self.args[1::2], strict=True)


TRUE = Tree("true")
FALSE = Tree("false")


def number(value: Any) -> Tree:
    """Return the leaf of an exact number (anything that `sympy.Integer` or `sympy.Rational` takes exactly)."""
    return Tree("number", leaf=sympy.sympify(value))


def name(leaf: Any) -> Tree:
    """Return the leaf of a symbol (or, in a class body, of a declaration)."""
    return Tree("name", leaf=leaf)


def joined(head: str, left: Tree, right: Tree) -> Tree:
    """Return `left head right` for a binary operator, with `a + b + c` and `a * b * c` kept as one node each.

    Only the left side is opened: Python reads `a + b + c` as `(a + b) + c`, so nothing that was bracketed is lost.
    """
    if head in ("+", "*", "and", "or") and left.head == head:
        return Tree(head, (*left.args, right))
    return Tree(head, (left, right))


def walk(tree: Tree) -> Iterator[Tree]:
    """Yield the tree and all its parts, outermost first, left to right."""
    stack = [tree]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(reversed(part.args))


def symbols(tree: Tree) -> dict[Any, None]:
    """Return the free names of a tree in the order in which they appear (as the keys of a dict)."""
    if tree.head == "name":
        return {tree.leaf: None}
    found: dict[Any, None] = {}
    for arg in tree.args:
        found.update(symbols(arg))
    if tree.head == "sum":
        inner = symbols(tree.args[0])
        outer = {**symbols(tree.args[2]), **symbols(tree.args[3])}
        inner.pop(tree.args[1].leaf, None)
        return {**inner, **outer}
    return found


def replaced(tree: Tree, mapping: Mapping[Any, Tree]) -> Tree:
    """Return the tree with names replaced; a bound index of a sum stays."""
    if tree.head == "name":
        return mapping.get(tree.leaf, tree)
    if not tree.args:
        return tree
    if tree.head == "sum":
        mapping = {leaf: to for leaf, to in mapping.items() if leaf != tree.args[1].leaf}
    args = tuple(replaced(arg, mapping) for arg in tree.args)
    if all(new is old for new, old in zip(args, tree.args, strict=True)):
        return tree
    return Tree(tree.head, args, tree.leaf)
