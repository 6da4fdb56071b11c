"""One equation in one unknown, over the reals: all branches, each with the conditions under which it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy

from .._bridge import to_sympy
from .._domains import Domain
from .._tree import Tree
from .conditions import Sign, tidied
from .definedness import definedness
from .isolation import NoMethodError, candidates


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


def solve(tree: Tree, target: Any, unknown: Any, domain: Domain, requires: Iterable[Tree] = ()) -> Solved:
    """Solve `tree == target` for `unknown`.

    Args:
        tree: An expression in symbols that carry their assumptions.
        target: A SymPy expression without the unknown.
        unknown: The symbol to solve for.
        domain: The domain of the unknown; that it be whole is not asked: a boundary between whole numbers is an answer.
        requires: Conditions of the expression's property.
    """
    # The unknown's sign belongs to the domain, which is asked of each candidate; until then it is any real number.
    free = sympy.Dummy(unknown.name, real=True)
    left = to_sympy(tree, {unknown: free})
    if not left.has(free):
        return Solved("independent")
    try:
        found = list(dict.fromkeys(candidates(left, target, free)))
    except NoMethodError:
        return Solved("unsolved")
    asked = [*definedness(tree), *(sign for condition in requires for sign in _signs(condition))]
    branches = []
    for candidate in found:
        value = _simplest(candidate.value)
        if value.has(sympy.zoo, sympy.nan, sympy.oo):
            continue
        put_in = (Sign(one.expression.subs(unknown, value), one.relation) for one in asked)
        conditions = tidied([*_in_domain(value, domain), *candidate.conditions, *put_in])
        if conditions is not None and _solves(left.subs(free, value) - target, conditions):
            branches.append(Branch(value, tuple(conditions)))
    return Solved("solved" if branches else "none", tuple(branches))


def _in_domain(value: Any, domain: Domain) -> Iterable[Sign]:
    if domain.lower is not None:
        lower = sympy.Rational(domain.lower.numerator, domain.lower.denominator)
        yield Sign(value - lower, ">" if domain.lower_open else ">=")
    if domain.upper is not None:
        upper = sympy.Rational(domain.upper.numerator, domain.upper.denominator)
        yield Sign(upper - value, ">" if domain.upper_open else ">=")


def _signs(condition: Tree) -> Iterable[Sign]:
    if condition.head == "and":
        return [sign for arg in condition.args for sign in _signs(arg)]
    if condition.head not in ("<", "<=", ">", ">=", "!=", "=="):
        raise NoMethodError
    left, right = (to_sympy(arg) for arg in condition.args)
    if condition.head in ("<", "<="):
        return [Sign(right - left, {"<": ">", "<=": ">="}[condition.head])]
    return [Sign(left - right, condition.head)]


def _simplest(value: Any) -> Any:
    """Return the one of a few equal forms that names the fewest symbols, in the fewest operations."""
    forms = [value, sympy.factor_terms(value), sympy.factor(value), sympy.together(value)]
    return min(forms, key=lambda one: (sum(one.count(symbol) for symbol in one.free_symbols), sympy.count_ops(one)))


def _solves(residue: Any, conditions: list[Sign]) -> bool:
    """Whether a candidate put into the equation leaves nothing where its conditions hold.

    Decided as an identity, else at sample points to 30 digits. A candidate that no sample point tests stays: it is
    put in once more where it gets a value.
    """
    if residue.has(sympy.zoo, sympy.nan):
        return False
    if sympy.simplify(residue) == 0:
        return True
    symbols = sorted(residue.free_symbols.union(*(one.expression.free_symbols for one in conditions)), key=str)
    for seed in range(40):
        point = {symbol: _sample(symbol, seed, place) for place, symbol in enumerate(symbols)}
        if all(one.holds(point) for one in conditions):
            found = residue.xreplace(point).evalf(30)
            if not found.is_real or abs(found) > sympy.Float("1e-20"):
                return False
    return True


def _sample(symbol: Any, seed: int, place: int) -> Any:
    turn = (seed * (2 * place + 3) + 5 * place) % 29
    number = sympy.Integer(1 + turn) if symbol.is_integer else sympy.Rational(7 + 13 * turn, 11 + 3 * place)
    if symbol.is_negative or (not symbol.is_nonnegative and seed % 3 == 2):
        return -number
    return number
