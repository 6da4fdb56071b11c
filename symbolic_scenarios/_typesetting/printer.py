r"""Expressions as LaTeX, in the order in which they were written.

SymPy's own printer would reorder terms and read names as markup; this one prints a tree. What it changes is layout
only, by laws that are exact: a division becomes a bar (`a/b/c` becomes `\frac{a}{b c}`), brackets that make no
difference (`a + (b + c)`) go, and those that typesetting needs come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from .._tree import RELATIONS, Tree, symbols
from . import numbers
from .functions import function, root
from .pieces import Binding, Edge, Piece, Term, power, product, quotient
from .symbols import index_symbol, shape_of, text_latex

_RELATION_SIGNS = {"<": "<", "<=": r"\le", ">": ">", ">=": r"\ge", "==": "=", "!=": r"\ne"}
_JOINTS = {"and": (r" \land ", Binding.AND), "or": (r" \lor ", Binding.OR)}


class Printer:
    """Prints trees; `name_piece` gives the piece of a name: its symbol, or its value."""

    def __init__(self, name_piece: Callable[[Any], Piece], indices: Mapping[Any, str] | None = None) -> None:
        self.name_piece = name_piece
        self.indices = dict(indices or {})

    def piece(self, tree: Tree) -> Piece:
        """Return a tree as a piece."""
        head = tree.head
        if head in _PRINTERS:
            return _PRINTERS[head](self, tree)
        return function(head, [self.piece(arg) for arg in tree.args])

    def terms(self, tree: Tree) -> list[Term]:
        """Return the terms of a sum, each ready to be written down; of anything else, itself."""
        signed = _signed_terms(tree)
        place = Binding.SUMMATION if len(signed) > 1 else Binding.LOOSEST
        return [Term(sign, self.piece(term).at(place, follows=n > 0)) for n, (sign, term) in enumerate(signed)]

    # --- names and numbers -------------------------------------------------------------------------------------------

    def _name(self, tree: Tree) -> Piece:
        return shape_of(self.indices[tree.leaf]) if tree.leaf in self.indices else self.name_piece(tree.leaf)

    def _number(self, tree: Tree) -> Piece:
        return numbers.exact_piece(tree.leaf)

    def _text(self, tree: Tree) -> Piece:
        text = tree.head if tree.leaf is None else str(tree.leaf)
        return Piece(text_latex(text), len(text), start=Edge.WORD, end=Edge.WORD)

    # --- arithmetic --------------------------------------------------------------------------------------------------

    def _sum_of_terms(self, tree: Tree) -> Piece:
        first, *rest = self.terms(tree)
        written = " ".join([first.piece.latex, *(term.latex for term in rest)])
        width = first.piece.width + sum(term.width for term in rest)
        return Piece(written, width, Binding.SUM, signed=first.piece.signed)

    def _product(self, tree: Tree) -> Piece:
        return product([self.piece(factor) for factor in _factors(tree)])

    def _quotient(self, tree: Tree) -> Piece:
        above, below = tree.args[0], [tree.args[1]]
        while above.head == "/":
            above, below = above.args[0], [above.args[1], *below]
        return quotient(self.piece(above), self.piece(below[0] if len(below) == 1 else Tree("*", tuple(below))))

    def _power(self, tree: Tree) -> Piece:
        base, exponent = tree.args
        if exponent.head != "number" or not exponent.leaf.is_Rational or exponent.leaf.is_Integer:
            return power(self.piece(base), self.piece(exponent))
        above, below = int(exponent.leaf.p), int(exponent.leaf.q)
        if above == 1:
            return root(self.piece(base), below)
        return power(self.piece(base), Piece(f"{above}/{below}", len(f"{above}/{below}")))

    def _negative(self, tree: Tree) -> Piece:
        arg = self.piece(tree.args[0]).at(Binding.SUMMATION, follows=True)
        binding = min(Binding.PRODUCT, arg.binding)
        return Piece(f"-{arg.latex}", arg.width + 1, binding, arg.start, arg.end, signed=True)

    def _modulo(self, tree: Tree) -> Piece:
        left, right = (self.piece(arg).at(Binding.QUANTITY, follows=True) for arg in tree.args)
        return Piece(rf"{left.latex} \bmod {right.latex}", left.width + right.width + 4, Binding.MOD)

    # --- conditions and cases ----------------------------------------------------------------------------------------

    def _relation(self, tree: Tree) -> Piece:
        left, right = (self.piece(arg).at(Binding.MOD) for arg in tree.args)
        written = f"{left.latex} {_RELATION_SIGNS[tree.head]} {right.latex}"
        return Piece(written, left.width + right.width + 2, Binding.RELATION)

    def _junction(self, tree: Tree) -> Piece:
        joint, binding = _JOINTS[tree.head]
        parts = [self.piece(arg).at(Binding.NOT) for arg in tree.args]
        return Piece(joint.join(part.latex for part in parts), sum(part.width + 2 for part in parts), binding)

    def _not(self, tree: Tree) -> Piece:
        arg = self.piece(tree.args[0]).at(Binding.ATOM)
        return Piece(rf"\lnot {arg.latex}", arg.width + 1, Binding.NOT)

    def _cases(self, tree: Tree) -> Piece:
        rows, width = [], 0.0
        for value, condition in tree.pieces:
            left, right = self.piece(value), self.piece(condition)
            when = r"\text{otherwise}" if condition.head == "true" else rf"\text{{if }} {right.latex}"
            rows.append(f"{left.latex} & {when}")
            width = max(width, left.width + right.width + 4)
        written = r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"
        return Piece(written, width + 1, Binding.CASES)

    def _summation(self, tree: Tree) -> Piece:
        body, index, low, high = tree.args
        free = [leaf for leaf in symbols(tree) if leaf not in self.indices]
        taken = {self.name_piece(leaf).latex for leaf in free} | set(self.indices.values())
        inner = Printer(self.name_piece, {**self.indices, index.leaf: index_symbol(index.leaf, taken)})
        below = rf"{inner.indices[index.leaf]}={self.piece(low).latex}"
        inside = inner.piece(body).at(Binding.SUMMATION, follows=True)
        written = rf"\sum_{{{below}}}^{{{self.piece(high).latex}}} {inside.latex}"
        return Piece(written, inside.width + 2, Binding.SUMMATION, Edge.BRACKET, inside.end)


def _signed_terms(tree: Tree) -> list[tuple[str, Tree]]:
    if tree.head == "+":
        return [term for arg in tree.args for term in _signed_terms(arg)]
    if tree.head == "-":
        return [*_signed_terms(tree.args[0]), ("-", tree.args[1])]
    return [("+", tree)]


def _factors(tree: Tree) -> list[Tree]:
    return reduce(lambda found, arg: found + (_factors(arg) if arg.head == "*" else [arg]), tree.args, [])


_PRINTERS: dict[str, Callable[[Printer, Tree], Piece]] = {
    "name": Printer._name,
    "number": Printer._number,
    "+": Printer._sum_of_terms,
    "-": Printer._sum_of_terms,
    "*": Printer._product,
    "/": Printer._quotient,
    "**": Printer._power,
    "neg": Printer._negative,
    "mod": Printer._modulo,
    "and": Printer._junction,
    "or": Printer._junction,
    "not": Printer._not,
    "piecewise": Printer._cases,
    "sum": Printer._summation,
    **dict.fromkeys(("true", "false", "stray", "quoted"), Printer._text),
    **dict.fromkeys(RELATIONS, Printer._relation),
}
