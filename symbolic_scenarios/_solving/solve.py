"""One equation in one unknown, over the reals: all branches, each with the conditions under which it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from .._bridge import from_sympy
from .._domains import Domain
from .._tree import Tree, name, replaced
from .closed import closed_forms, domains_of
from .conditions import Sign, tidied


@dataclass(frozen=True)
class Branch:
    """A value of the unknown in closed form, and what must hold for it."""

    value: Any
    conditions: tuple[Sign, ...]

    @property
    def symbols(self) -> set[Any]:
        """The symbols in the value and its conditions."""
        return set().union(self.value.free_symbols, *(one.expression.free_symbols for one in self.conditions))

    def at(self, symbol: Any, number: Any) -> Branch | None:
        """Return the branch where a symbol has a value, its conditions tidied again; `None` where it can't hold."""
        value = self.value.subs(symbol, number)
        conditions = tidied(Sign(one.expression.subs(symbol, number), one.relation) for one in self.conditions)
        if conditions is None or value.has(sympy.zoo, sympy.nan):
            return None
        return Branch(value, tuple(conditions))


@dataclass(frozen=True)
class Solved:
    """All branches of an equation.

    Attributes:
        verdict: `solved` (the list of branches is complete), `none` (no branch can ever hold), `independent` (the
            unknown does not occur), `unsolved` (no method here applies).
        branches: The branches that can hold.
    """

    verdict: str
    branches: tuple[Branch, ...] = ()


def solve(
    tree: Tree,
    target: Any,
    unknown: Any,
    domain: Domain,
    requires: Iterable[Tree] = (),
    domains: Mapping[Any, Domain] | None = None,
) -> Solved:
    """Solve `tree == target` for `unknown`.

    Args:
        tree: An expression in symbols that carry their assumptions.
        target: A SymPy expression without the unknown.
        unknown: The symbol to solve for.
        domain: The domain of the unknown; that it be whole is not asked: a boundary between whole numbers is an answer.
        requires: Conditions of the expression's property.
        domains: The domains of the other symbols, where they say more than the assumptions.
    """
    boundary = replace(domain, integer=False)
    free = sympy.Symbol(unknown.name, **boundary.assumptions())
    put = {unknown: name(free)}
    validity = [replaced(condition, put) for condition in requires]
    wanted = from_sympy(target)
    known = {**domains_of([tree, wanted, *validity]), **(domains or {})}
    closed = closed_forms(replaced(tree, put), "==", wanted, free, boundary, validity, known)
    if closed.verdict in ("independent", "always"):
        return Solved("independent")
    # An interval that is one only where inputs happen to be equal is no branch; any other one is, and has no value.
    lines = [piece for piece in closed.pieces if not piece.is_point]
    if closed.verdict == "unsolved" or not all(
        any(one.relation == "==" for one in piece.conditions) for piece in lines
    ):
        return Solved("unsolved")
    branches = tuple(Branch(piece.low, piece.conditions) for piece in closed.pieces if piece.is_point)
    return Solved("solved" if branches else "none", branches)
