"""The derivative of an expression without kinks, as a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from ..._tree import Tree, number, symbols

ZERO, ONE, TWO = number(0), number(1), number(2)
_PI = Tree("number", leaf=sympy.pi)


class NoDerivativeError(Exception):
    """There is no rule for a part of the expression."""


def times(*factors: Tree) -> Tree:
    """Return a product without ones; zero if a factor is."""
    if ZERO in factors:
        return ZERO
    kept = tuple(factor for factor in factors if factor != ONE)
    return kept[0] if len(kept) == 1 else Tree("*", kept) if kept else ONE


def total(*terms: Tree) -> Tree:
    """Return a sum without zeros."""
    kept = tuple(term for term in terms if term != ZERO)
    return kept[0] if len(kept) == 1 else Tree("+", kept) if kept else ZERO


def minus(tree: Tree) -> Tree:
    """Return the opposite."""
    return tree if tree == ZERO else Tree("neg", (tree,))


def over(above: Tree, below: Tree) -> Tree:
    """Return a quotient."""
    return above if above == ZERO or below == ONE else Tree("/", (above, below))


def _square(tree: Tree) -> Tree:
    return Tree("**", (tree, TWO))


def _root(tree: Tree) -> Tree:
    return Tree("**", (tree, number(sympy.Rational(1, 2))))


def derivative(tree: Tree, unknown: Any) -> Tree:
    """Return the derivative.

    Raises:
        NoDerivativeError: A part has no rule: a kink, a step, or a rare function.
    """
    if tree.head == "name":
        return ONE if tree.leaf == unknown else ZERO
    if unknown not in symbols(tree):
        return ZERO
    args = tree.args
    slopes = [derivative(arg, unknown) for arg in args]
    if tree.head == "+":
        return total(*slopes)
    if tree.head == "-":
        return total(slopes[0], minus(slopes[1]))
    if tree.head == "neg":
        return minus(slopes[0])
    if tree.head == "*":
        return total(*(times(*args[:i], slope, *args[i + 1 :]) for i, slope in enumerate(slopes)))
    if tree.head == "/":
        above = total(times(slopes[0], args[1]), minus(times(args[0], slopes[1])))
        return over(slopes[0], args[1]) if slopes[1] == ZERO else over(above, _square(args[1]))
    if tree.head == "**":
        return _of_power(tree, slopes)
    if tree.head == "lambertw":
        return over(slopes[0], Tree("+", (args[0], Tree("exp", (tree,)))))
    if tree.head in _RULES:
        return times(_RULES[tree.head](tree, args[0]), slopes[0])
    raise NoDerivativeError(tree.head)


def _of_power(tree: Tree, slopes: list[Tree]) -> Tree:
    base, exponent = tree.args
    if slopes[1] == ZERO:
        lower = Tree("number", leaf=exponent.leaf - 1) if exponent.head == "number" else Tree("-", (exponent, ONE))
        return times(exponent, base if lower == ONE else ONE if lower == ZERO else Tree("**", (base, lower)), slopes[0])
    by_exponent = times(tree, Tree("log", (base,)), slopes[1])
    return total(by_exponent, over(times(tree, exponent, slopes[0]), base))


def _gauss(u: Tree) -> Tree:
    return times(over(TWO, _root(_PI)), Tree("exp", (minus(_square(u)),)))


_RULES: dict[str, Callable[[Tree, Tree], Tree]] = {
    "exp": lambda tree, u: tree,
    "log": lambda tree, u: over(ONE, u),
    "sin": lambda tree, u: Tree("cos", (u,)),
    "cos": lambda tree, u: minus(Tree("sin", (u,))),
    "tan": lambda tree, u: Tree("+", (ONE, _square(tree))),
    "asin": lambda tree, u: over(ONE, _root(Tree("-", (ONE, _square(u))))),
    "acos": lambda tree, u: minus(over(ONE, _root(Tree("-", (ONE, _square(u)))))),
    "atan": lambda tree, u: over(ONE, Tree("+", (ONE, _square(u)))),
    "sinh": lambda tree, u: Tree("cosh", (u,)),
    "cosh": lambda tree, u: Tree("sinh", (u,)),
    "tanh": lambda tree, u: over(ONE, _square(Tree("cosh", (u,)))),
    "asinh": lambda tree, u: over(ONE, _root(Tree("+", (ONE, _square(u))))),
    "acosh": lambda tree, u: over(ONE, _root(Tree("-", (_square(u), ONE)))),
    "atanh": lambda tree, u: over(ONE, Tree("-", (ONE, _square(u)))),
    "erf": lambda tree, u: _gauss(u),
    "erfc": lambda tree, u: minus(_gauss(u)),
    "erfinv": lambda tree, u: times(over(_root(_PI), TWO), Tree("exp", (_square(tree),))),
    "gamma": lambda tree, u: times(tree, Tree("digamma", (u,))),
    "loggamma": lambda tree, u: Tree("digamma", (u,)),
    "factorial": lambda tree, u: times(tree, Tree("digamma", (Tree("+", (u, ONE)),))),
}
