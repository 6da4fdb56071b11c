"""Expressions as plain text, in the notation of Python: for messages, the terminal and files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from ._tree import RELATIONS, Tree

# How tightly a head binds; a part is bracketed where it binds less tightly than its place asks.
_LOOSEST, _OR, _AND, _NOT, _RELATION, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(10)
_BINDING = {
    "or": _OR,
    "and": _AND,
    "not": _NOT,
    **dict.fromkeys(RELATIONS, _RELATION),
    "+": _SUM,
    "-": _SUM,
    "neg": _SIGN,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "**": _POWER,
}


def _name(leaf: Any) -> str:
    return str(getattr(leaf, "name", leaf))  # SymPy would mark the index of a sum with an underscore


def text(tree: Tree, name_text: Callable[[Any], str] = _name) -> str:
    """Return an expression as text that reads like the Python it was written in."""
    return _Writer(name_text).write(tree, _LOOSEST)


class _Writer:
    def __init__(self, name_text: Callable[[Any], str]) -> None:
        self.name_text = name_text

    def write(self, tree: Tree, place: int) -> str:
        written = self._bare(tree)
        return f"({written})" if _binding(tree) < place else written

    def _bare(self, tree: Tree) -> str:
        head, args = tree.head, tree.args
        if head == "name":
            return self.name_text(tree.leaf)
        if head in ("number", "stray", "quoted"):
            return str(tree.leaf)
        if head in ("true", "false"):
            return head
        if head in ("+", "*", "and", "or"):
            place = _BINDING[head]
            first, *rest = args
            joint = f" {head} "
            return joint.join([self.write(first, place), *(self.write(arg, place + 1) for arg in rest)])
        if head in ("-", "/"):
            place = _BINDING[head]
            joint = " - " if head == "-" else "/" if all(_is_short(arg) for arg in args) else " / "
            return self.write(args[0], place) + joint + self.write(args[1], place + 1)
        if head == "**" and args[1].head == "number" and args[1].leaf == sympy.Rational(1, 2):
            return f"sqrt({self.write(args[0], _LOOSEST)})"
        if head == "**":
            return self.write(args[0], _POWER + 1) + "**" + self.write(args[1], _POWER)
        if head == "neg":
            return "-" + self.write(args[0], _PRODUCT)
        if head == "not":
            return "not " + self.write(args[0], _NOT)
        if head in RELATIONS:
            return self.write(args[0], _SUM) + f" {head} " + self.write(args[1], _SUM)
        if head == "piecewise":
            branches = [
                self.write(value, _LOOSEST)
                + ("" if condition.head == "true" else " if " + self.write(condition, _LOOSEST))
                for value, condition in tree.pieces
            ]
            return "(" + ", else ".join(branches) + ")"
        return f"{head}({', '.join(self.write(arg, _LOOSEST) for arg in args)})"


def _binding(tree: Tree) -> int:
    if tree.head == "**" and tree.args[1].head == "number" and tree.args[1].leaf == sympy.Rational(1, 2):
        return _ATOM
    if tree.head == "number":
        if not tree.leaf.is_Integer and tree.leaf.is_Rational:
            return _PRODUCT
        return _SIGN if tree.leaf.could_extract_minus_sign() else _ATOM
    return _BINDING.get(tree.head, _ATOM)


def _is_short(tree: Tree) -> bool:
    return tree.head in ("name", "number")
