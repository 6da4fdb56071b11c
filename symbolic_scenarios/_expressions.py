"""The expressions of a class body: from what was written to trees of symbols, with every check on the way."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

import sympy

from ._bridge import from_sympy
from ._declarations import Declaration
from ._definition import Defined, DefinedInput, DefinedProperty
from ._dimensions import ANY, DimensionChecker, unit_of
from ._operands import Condition, is_placeholder
from ._text import text
from ._tree import FUNCTIONS, Tree, name, symbols, walk
from ._units import Unit, dimension, unit_text
from .errors import DefinitionError, DimensionError

_INTEGER_HEADS = frozenset({"+", "-", "*", "neg", "abs", "min", "max", "mod"})


class Expressions:
    """Reads the expressions of one class body, in which more and more names are known.

    Attributes:
        place: Where the expression that is read stands, for messages.
    """

    def __init__(self, declared: list[Declaration]) -> None:
        self.place = ""
        self.trees = {symbol: tree for one in declared for tree, symbol in one.placeholders.items()}
        self.parts: dict[Declaration, Defined] = {}
        self.by_symbol: dict[Any, Defined] = {}
        self.rank: dict[Any, int] = {}

    def add(self, declaration: Declaration, part: Defined) -> None:
        """Make a part known: expressions declared below it may use it."""
        self.parts[declaration] = part
        self.by_symbol[part.symbol] = part
        self.rank[part.symbol] = len(self.rank)

    def read(self, written: Tree) -> Tree:
        """Return the tree of what was written.

        Raises:
            DefinitionError: A part of it has no place in a definition.
        """
        tree = self._resolved(written)
        for symbol in symbols(tree):
            if symbol not in self.by_symbol:
                self._refuse(
                    "the expression uses a name that is not declared above it in this class",
                    found=f"`{symbol}`",
                    expected="one of " + ", ".join(map(str, self.rank)) if self.rank else "",
                    hint="An attribute of another class is made of its own inputs; declare here what this class needs.",
                )
        for part in walk(tree):
            if part.head == "stray":
                self._refuse_stray(part.leaf)
            self._check_kinds(part)
        return tree

    def _check_kinds(self, part: Tree) -> None:
        """Hold that a condition stands where one belongs, and a number where one belongs."""
        for place, arg in enumerate(part.args):
            asks = part.head in ("and", "or", "not") or (part.head == "piecewise" and place % 2 == 1)
            if arg.is_condition != asks:
                self._refuse(
                    f"a {'condition' if asks else 'number'} is expected in `{text(part)}`",
                    found=f"`{text(arg)}`, a {'number' if asks else 'condition'}",
                )

    def _resolved(self, tree: Tree) -> Tree:
        if tree.head == "name":
            if tree.leaf not in self.parts:
                self._refuse_foreign(tree.leaf)
            return name(self.parts[tree.leaf].symbol)
        if tree.head == "quoted":
            return from_sympy(tree.leaf, self._leaf, self.rank)
        if not tree.args:
            return tree
        return Tree(tree.head, tuple(self._resolved(arg) for arg in tree.args), tree.leaf)

    def _leaf(self, atom: Any) -> Tree:
        if isinstance(atom, Condition):
            return self._resolved(atom.tree)
        if is_placeholder(atom):
            if atom not in self.trees:
                self._refuse_foreign(None)
            return self._resolved(self.trees[atom])
        return name(atom)

    def condition(self, written: Tree, what: str) -> Tree:
        """Return the tree of a condition; `what` names it in messages."""
        if written.head == "stray":
            self._refuse(
                f"{what} takes a comparison",
                found=repr(written.leaf)[:80],
                hint="Write `a < b`, `a >= b`, `sympy.Eq(a, b)`, or several joined by & and |.",
            )
        tree = self.read(written)
        if not tree.is_condition:
            self._refuse(f"{what} takes a comparison", found=f"`{text(tree)}`", hint="Compare it: `... > 0`.")
        DimensionChecker(self.by_symbol, self.place).dimension(tree)
        return tree

    def check_dimension(self, tree: Tree, unit: Unit) -> None:
        """Hold that a tree has the dimension of a declared unit."""
        found = DimensionChecker(self.by_symbol, self.place).dimension(tree)
        if found is not ANY and found != dimension(unit):
            raise DimensionError(
                f"the expression `{_shortened(text(tree))}` has another dimension than the declared unit",
                place=self.place,
                found=unit_of(found),
                expected=unit_text(unit) or "a plain number",
                hint=f'Declare a unit of its dimension, such as "{unit_of(found)}", or mend the expression.'
                if found
                else 'Declare the unit "", or mend the expression.',
            )

    def is_integer(self, tree: Tree) -> bool:
        """Whether the value of a tree is a whole number, by its form."""
        if tree.head == "name":
            part = self.by_symbol.get(tree.leaf)
            if part is None:  # the index of a sum
                return True
            return (isinstance(part, DefinedInput) and part.domain.integer) or (
                isinstance(part, DefinedProperty) and part.is_integer
            )
        if tree.head == "number":
            return bool(tree.leaf.is_Integer)
        if tree.head in ("ceiling", "floor", "sign"):
            return True
        if tree.head == "piecewise":
            return all(self.is_integer(value) for value, _ in tree.pieces)
        if tree.head == "sum":
            return self.is_integer(tree.args[0])
        if tree.head == "**":
            base, exponent = tree.args
            return (
                self.is_integer(base)
                and exponent.head == "number"
                and bool(exponent.leaf.is_Integer)
                and exponent.leaf >= 0
            )
        return tree.head in _INTEGER_HEADS and all(self.is_integer(arg) for arg in tree.args)

    # --- refusals ----------------------------------------------------------------------------------------------------

    def _refuse_foreign(self, leaf: Any) -> NoReturn:
        owned = [f"{owner.__name__}.{attribute}" for owner, attribute in leaf.names] if leaf is not None else []
        self._refuse(
            "the expression uses a declaration that is not above it in this class",
            found=owned[0] if owned else "a declaration without a name, or of another class",
            hint="All that an expression uses is an attribute of the same class, declared before it.",
        )

    def _refuse_stray(self, value: Any) -> NoReturn:
        if isinstance(value, (float, sympy.Float)):
            raise float_literal(value, self.place)
        if hasattr(value, "magnitude") and hasattr(value, "units"):
            self._refuse(
                "a quantity can't stand in an expression",
                found=str(value),
                hint=f'Make it a Constant("{value}", "...", source="...").',
            )
        if isinstance(value, sympy.Sum):
            self._refuse(
                "a Sum has one index, a symbol of its own",
                found=", ".join(str(limit) for limit in value.limits)[:80],
                hint='Write k = sympy.Symbol("k") and sympy.Sum(..., (k, 1, n)); make an inner sum a property.',
            )
        if isinstance(value, sympy.Basic) and value.args:
            supported = ", ".join(sorted(FUNCTIONS))
            self._refuse(
                "the function is not supported in a definition",
                found=f"`{value.func.__name__}`",
                expected=f"one of {supported}, piecewise, sum",
            )
        self._refuse(
            "the expression is made of declarations and exact numbers",
            found=f"{str(value)[:80]!r} ({type(value).__name__})",
        )

    def _refuse(self, problem: str, **parts: Any) -> NoReturn:
        raise DefinitionError(problem, place=self.place, **parts)


def float_literal(value: Any, place: str) -> DefinitionError:
    """Return the error that refuses a float in a definition."""
    exact = Fraction(repr(float(value)))
    rational = f"sympy.Rational({exact.numerator}, {exact.denominator})"
    return DefinitionError(
        "a float literal is not exact",
        place=place,
        found=str(value),
        hint=f"Write {rational}, or an Input or a Constant with a unit and a source.",
    )


def _shortened(written: str) -> str:
    return written if len(written) <= 80 else written[:77] + "..."
