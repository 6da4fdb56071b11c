"""Where an expression, as it was written, has a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._bridge import to_sympy
from .._tree import Tree, walk
from .conditions import Sign


def definedness(tree: Tree) -> Iterator[Sign]:
    """Yield the conditions under which every part of a tree has a real value.

    `n*t/n` is `t` for SymPy; as it is written it has no value at `n = 0`, and that is what its author said.
    """
    for part in walk(tree):
        args = part.args
        if part.head == "/":
            yield Sign(to_sympy(args[1]), "!=")
        elif part.head == "**":
            yield from _of_power(to_sympy(args[0]), to_sympy(args[1]))
        elif part.head == "log":
            yield Sign(to_sympy(args[0]), ">")


def _of_power(base: Any, exponent: Any) -> Iterator[Sign]:
    if exponent.is_integer:
        if not exponent.is_nonnegative:
            yield Sign(base, "!=")
    else:
        yield Sign(base, ">=" if exponent.is_positive else ">")
