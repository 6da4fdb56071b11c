"""Between trees (expressions as written) and SymPy's expressions (canonical)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import sympy
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from ._tree import FALSE, FUNCTIONS, RELATIONS, TRUE, Tree, joined, name, number, symbols

HEADS = {cls: head for head, cls in FUNCTIONS.items()}
RELATION_HEADS = {cls: head for head, cls in RELATIONS.items()}


# --- tree to SymPy ---------------------------------------------------------------------------------------------------


def to_sympy(tree: Tree, values: Mapping[Any, Any] | None = None) -> Any:
    """Return the SymPy expression of a tree; `values` says what its names stand for (by default themselves)."""
    if tree.head == "name":
        return tree.leaf if values is None else values.get(tree.leaf, tree.leaf)
    if tree.head in ("number", "stray", "quoted"):
        return tree.leaf
    if tree.head == "sum" and values is not None:
        values = {leaf: value for leaf, value in values.items() if leaf != tree.args[1].leaf}
    args = [to_sympy(arg, values) for arg in tree.args]
    return _BUILDERS[tree.head](*args) if tree.head in _BUILDERS else FUNCTIONS[tree.head](*args)


def _piecewise(*args: Any) -> Any:
    # SymPy's own evaluation of a Piecewise inside a Piecewise takes exponential time. What it would do that matters
    # (branches that can't be chosen, a first branch that always is) is two lines.
    pairs = [pair for pair in zip(args[::2], args[1::2], strict=True) if pair[1] != sympy.false]
    if pairs and pairs[0][1] == sympy.true:
        return pairs[0][0]
    return sympy.Piecewise(*pairs, evaluate=False) if pairs else sympy.nan


_BUILDERS: dict[str, Callable[..., Any]] = {
    "+": sympy.Add,
    "-": lambda left, right: left - right,
    "*": sympy.Mul,
    "/": lambda left, right: left / right,
    "**": sympy.Pow,
    "neg": lambda arg: -arg,
    "and": sympy.And,
    "or": sympy.Or,
    "not": sympy.Not,
    "true": lambda: sympy.true,
    "false": lambda: sympy.false,
    "piecewise": _piecewise,
    "sum": lambda body, index, low, high: sympy.Sum(body, (index, low, high)),
    **RELATIONS,
}


# --- SymPy to tree ---------------------------------------------------------------------------------------------------


def from_sympy(expression: Any, leaf_tree: Callable[[Any], Tree] = name, rank: Mapping[Any, int] | None = None) -> Tree:
    """Return the tree of a SymPy expression.

    A canonical expression has lost the order in which it was written, so its terms and factors are put in the order
    a person would choose: positive terms first, and each by the order of declaration.

    Args:
        expression: A SymPy expression or condition.
        leaf_tree: What to put for a symbol: a `name`, or the tree that it is a placeholder of.
        rank: The place of each leaf in the order of declaration; leaves that are not in it come last, by their names.
    """
    return _Reader(leaf_tree, rank or {}).read(expression)


class _Reader:
    def __init__(self, leaf_tree: Callable[[Any], Tree], rank: Mapping[Any, int]) -> None:
        self.leaf_tree = leaf_tree
        self.rank = rank

    def read(self, e: Any) -> Tree:
        if e in (sympy.true, sympy.false):
            return TRUE if e == sympy.true else FALSE
        if not e.args and isinstance(e, (sympy.Symbol, Boolean)):
            return self.leaf_tree(e)
        if e.is_Rational or isinstance(e, sympy.NumberSymbol) or e in (sympy.oo, -sympy.oo):
            return number(e)
        if e.is_Add:
            return self._sum_of_terms(e)
        if e.is_Mul:
            return self._product(e)
        if e.is_Pow:
            return self._power(e)
        if isinstance(e, Relational):
            return Tree(RELATION_HEADS[type(e)], (self.read(e.lhs), self.read(e.rhs)))
        if isinstance(e, (sympy.And, sympy.Or)):
            return Tree("and" if isinstance(e, sympy.And) else "or", tuple(self.read(arg) for arg in e.args))
        if isinstance(e, sympy.Not):
            return Tree("not", (self.read(e.args[0]),))
        if isinstance(e, sympy.ITE):  # what SymPy makes of a comparison with a Piecewise
            chosen, then, otherwise = (self.read(arg) for arg in e.args)
            return Tree("or", (Tree("and", (chosen, then)), Tree("and", (Tree("not", (chosen,)), otherwise))))
        if isinstance(e, sympy.Piecewise):
            return Tree("piecewise", tuple(self.read(part) for pair in e.args for part in pair.args))
        if isinstance(e, sympy.Sum) and len(e.limits) == 1:
            index, low, high = e.limits[0]
            if self.leaf_tree(index) != name(index):  # an input is no index: it has a value
                return Tree("stray", leaf=e)
            own = sympy.Dummy(index.name, integer=True)  # an input of the index's name stays another symbol
            body = self.read(e.function.xreplace({index: own}))
            return Tree("sum", (body, name(own), self.read(low), self.read(high)))
        head = HEADS.get(e.func)
        if head is None:
            return Tree("stray", leaf=e)
        if head in ("min", "max"):
            return Tree(head, self._in_order(e.args))
        return Tree(head, tuple(self.read(arg) for arg in e.args))

    def _place(self, tree: Tree) -> tuple[Any, ...]:
        # Plain numbers last; where the order of declaration says nothing, names before brackets, and by the alphabet.
        leaves = sorted((self.rank.get(leaf, len(self.rank)), str(leaf)) for leaf in symbols(tree))
        return (not leaves, [rank for rank, _ in leaves], tree.head != "name", [name for _, name in leaves], str(tree))

    def _in_order(self, args: Any) -> tuple[Tree, ...]:
        return tuple(sorted((self.read(arg) for arg in args), key=self._place))

    def _sum_of_terms(self, e: Any) -> Tree:
        # A term is negative by its sign as printed, not by its value: `-a + b` has the positive term b first.
        positive = self._in_order([term for term in e.args if not term.could_extract_minus_sign()])
        negative = self._in_order([-term for term in e.args if term.could_extract_minus_sign()])
        if positive:
            first = reduce(lambda left, right: joined("+", left, right), positive)
        else:
            first, negative = Tree("neg", negative[:1]), negative[1:]
        return reduce(lambda left, right: Tree("-", (left, right)), negative, first)

    def _product(self, e: Any) -> Tree:
        if e.could_extract_minus_sign():
            return Tree("neg", (self.read(-e),))
        above, below = [], []
        for factor in e.args:
            if factor.is_Rational and not factor.is_Integer:
                above += [sympy.Integer(factor.p)] if factor.p != 1 else []
                below.append(sympy.Integer(factor.q))
            elif factor.is_Pow and factor.exp.could_extract_minus_sign():
                below.append(1 / factor)
            else:
                above.append(factor)
        numerator = self._factors(_with_one_root(above))
        return Tree("/", (numerator, self._factors(_with_one_root(below)))) if below else numerator

    def _factors(self, factors: list[Any]) -> Tree:
        numbers = tuple(self.read(f) for f in factors if not f.free_symbols)
        others = self._in_order([f for f in factors if f.free_symbols])
        return reduce(lambda left, right: joined("*", left, right), (*numbers, *others) or (number(1),))

    def _power(self, e: Any) -> Tree:
        if e.exp.could_extract_minus_sign():
            return Tree("/", (number(1), self.read(1 / e)))
        return Tree("**", (self.read(e.base), self.read(e.exp)))


def _with_one_root(factors: list[Any]) -> list[Any]:
    """Return factors with their square roots under one sign: SymPy splits `sqrt(2*a*b)` where a and b are positive."""
    roots = [factor.base for factor in factors if factor.is_Pow and factor.exp == sympy.Rational(1, 2)]
    if len(roots) < 2:
        return factors
    others = [factor for factor in factors if not (factor.is_Pow and factor.exp == sympy.Rational(1, 2))]
    return [*others, sympy.Pow(sympy.Mul(*roots), sympy.Rational(1, 2), evaluate=False)]
