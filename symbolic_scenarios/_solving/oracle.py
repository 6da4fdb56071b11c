"""The sign of an expression from the domains of its symbols, where it can be known.

SymPy's own assumptions know of a symbol only whether it is positive: not that it is below 1, at least 2, or smaller
than another. So each symbol is written by parameters that are positive and nothing else: a share in (0, 1) as
`q/(1 + q)`, an integer from 2 as `2 + q`, b above a as `a + d`. Then a sum of terms of one sign has that sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import sympy

from .._domains import Domain
from .conditions import Sign
from .signs import (
    NEGATED,
    added,
    factors,
    has_transcendental_power,
    joined_logarithms,
    logarithm,
    outweighed,
    plain_sign,
    raised,
    times,
)

_LARGEST = 260
_LARGEST_WITH_FACTS = 100
_DEEPEST = 7
_MOST_SPENT = 60_000


class Oracle:
    """What is known of the signs of expressions in symbols of given domains, and where further conditions hold.

    A sign is one of `>`, `>=`, `<`, `<=`, `==`, `!=` (each against zero), or empty where it is open.
    """

    def __init__(self, domains: Mapping[Any, Domain], facts: Iterable[Sign] = (), base: Oracle | None = None) -> None:
        self.domains = dict(domains)
        self.facts = tuple(facts)
        self.remembered: dict[Any, str] = {}
        self._depth = 0
        # What is known without the facts is worked out once, by the base that all oracles of one question share.
        self._base = base or (Oracle(domains) if self.facts else self)
        self._positive: dict[Any, Any] = (
            {symbol: _parametrised(domain) for symbol, domain in self.domains.items()}
            if self._base is self
            else self._base._positive
        )
        self._lambertw: dict[Any, Any] = {}
        self._derived: dict[Any, Oracle] = {}
        self._steps: dict[tuple[Sign, Any], Any] = {}
        self._spent = 0

    @property
    def plain(self) -> Oracle:
        """The oracle that knows the domains alone."""
        return self._base

    def given(self, facts: Iterable[Sign]) -> Oracle:
        """Return the oracle that knows further conditions."""
        whole = (*self.facts, *(fact for fact in facts if fact not in self.facts))
        if whole == self.facts:
            return self
        if whole not in self._base._derived:
            self._base._derived[whole] = Oracle(self.domains, whole, self._base)
        return self._base._derived[whole]

    def _without(self, symbol: Any) -> Oracle:
        """Return the oracle that knows nothing of one symbol."""
        if symbol not in self._base._derived:
            left = {name: domain for name, domain in self.domains.items() if name != symbol}
            self._base._derived[symbol] = Oracle(left)
        return self._base._derived[symbol]

    def sign(self, expression: Any) -> str:
        """Return the sign of an expression wherever it is defined."""
        if expression not in self.remembered:
            self.remembered[expression] = self._sign(expression)
        return self.remembered[expression]

    def decides(self, asked: Sign) -> bool | None:
        """Return whether a condition holds everywhere (`True`), nowhere (`False`), or depends."""
        known = self.sign(asked.expression)
        return _DECIDED[asked.relation].get(known)

    # --- in steps ----------------------------------------------------------------------------------------------------

    def _sign(self, expression: Any) -> str:
        if found := plain_sign(expression):
            return found
        if sympy.count_ops(expression) > _LARGEST or self._depth > _DEEPEST:
            return ""
        self._depth += 1
        try:
            if self is self._base:
                return self._of_factors(expression)
            for known in self._by_facts(expression):
                if known:
                    return known
        finally:
            self._depth -= 1
        return ""

    def _of_factors(self, expression: Any) -> str:
        changed = expression.xreplace(self._positive) if self._positive else expression
        if changed.has(sympy.LambertW):
            changed = changed.xreplace({one: self._of_lambertw(one) for one in changed.atoms(sympy.LambertW)})
        # Each question has its budget: when it is spent, what is not plain stays open, which is never wrong.
        self._spent += sympy.count_ops(changed)
        if self._spent > _MOST_SPENT:
            return ""
        known = ">"
        for factor, power in factors(changed):
            known = times(known, raised(self._of_factor(factor), power))
            if not known:
                return ""
        return known

    def _of_factor(self, factor: Any) -> str:
        return plain_sign(factor) or self._of_function(factor)

    def _of_lambertw(self, part: Any) -> Any:
        """Return a value of W by a parameter: the lower branch is at most -1, the upper one at least that."""
        if part not in self._lambertw:
            inside = self._inner(sympy.expand(1 + sympy.E * part.args[0])) == ">"
            q = sympy.Dummy("w", positive=True) if inside else sympy.Dummy("w", nonnegative=True)
            if len(part.args) == 2 and part.args[1] == -1:
                self._lambertw[part] = -1 - q
            else:
                sign = self._inner(part.args[0])
                self._lambertw[part] = (
                    sympy.Dummy("w", positive=True) if sign == ">" else -1 / (1 + q) if sign == "<" else q - 1
                )
        return self._lambertw[part]

    def _by_facts(self, expression: Any) -> Iterator[str]:
        """Put `b = bound + d` for a fact that says `b > bound`."""
        if self is not self._base and (known := self._base.sign(expression)):
            yield known
            return
        for fact in self.facts:
            if fact.relation not in (">", ">="):
                if fact.relation == "!=" and fact.expression in (expression, -expression):
                    yield "!="
                continue
            for turn in (1, -1):
                rest = self._base.sign(turn * expression - fact.expression)
                if rest in (">", ">=", "=="):
                    known = added([fact.relation, rest])
                    yield known if turn > 0 else NEGATED[known]
            if sympy.count_ops(fact.expression) + sympy.count_ops(expression) > _LARGEST_WITH_FACTS:
                continue
            for symbol in sorted(fact.expression.free_symbols & expression.free_symbols, key=str):
                slope = sympy.diff(fact.expression, symbol)
                if slope.has(symbol) or (direction := self.sign(slope)) not in ("<", ">"):
                    continue
                step = self._base._steps.setdefault(
                    (fact, symbol), sympy.Dummy("d", **{"positive" if fact.relation == ">" else "nonnegative": True})
                )
                bound = -fact.expression.xreplace({symbol: sympy.Integer(0)}) / slope
                put = bound + step if direction == ">" else bound - step
                yield self._without(symbol).sign(expression.xreplace({symbol: put}))

    def _of_sum(self, total: Any) -> str:
        total = sympy.expand(total)
        if not total.is_Add:
            return self._of_term(total)
        signs = [self._of_term(term) for term in total.args]
        if known := added(signs):
            return known
        if "" not in signs and (known := outweighed(total.args, signs)):
            return known
        return self._with_root(total) or self._by_logarithms(total, signs) or self._of_logarithms(total)

    def _of_term(self, term: Any) -> str:
        known = ">"
        for factor in sympy.Mul.make_args(term):
            known = times(known, plain_sign(factor) or self._of_function(factor))
            if not known:
                return ""
        return known

    def _inner(self, expression: Any) -> str:
        """Return the sign of an expression that is already in positive parameters."""
        if self._depth > _DEEPEST:
            return ""
        self._depth += 1
        try:
            known = plain_sign(expression)
            if not known and sympy.count_ops(expression) <= _LARGEST:
                known = self.remembered.get(expression, "") or self._of_factors(expression)
                self.remembered[expression] = known
            return known
        finally:
            self._depth -= 1

    def _of_function(self, part: Any) -> str:
        if part.is_Add:
            return self._of_sum(part)
        if part.is_Pow:
            base = self._inner(part.base)
            if part.exp.is_Integer:
                return raised(base, int(part.exp))
            if base == ">=" and part.exp.is_positive:
                return ">="
            # A real power of anything that is not negative, where it has a value.
            return (
                ">"
                if base == ">"
                else (">" if part.exp.is_Rational and part.exp.is_negative else ">=" if part.exp.is_Rational else "")
            )
        if isinstance(part, sympy.exp):
            return ">"
        if isinstance(part, sympy.log):
            return self._inner(part.args[0] - 1)
        if isinstance(
            part, (sympy.erfinv, sympy.erf, sympy.atan, sympy.sinh, sympy.asinh, sympy.tanh, sympy.atanh, sympy.asin)
        ):
            return self._inner(part.args[0])
        if isinstance(part, sympy.LambertW):
            return "<" if len(part.args) == 2 and part.args[1] == -1 else self._inner(part.args[0])
        if isinstance(part, sympy.Abs):
            return ">" if self._inner(part.args[0]) in ("<", ">", "!=") else ">="
        if isinstance(part, (sympy.floor, sympy.ceiling)):
            inner = self._inner(part.args[0])
            if isinstance(part, sympy.ceiling):
                return {">": ">", ">=": ">=", "<": "<=", "<=": "<="}.get(inner, "")
            if inner in (">", ">="):
                return ">" if self._inner(part.args[0] - 1) in (">", ">=") else ">="
            return "<" if inner == "<" else "<=" if inner == "<=" else ""
        if isinstance(part, (sympy.Max, sympy.Min)):
            signs = [self._inner(arg) for arg in part.args]
            strong, weak = (">", ">=") if isinstance(part, sympy.Max) else ("<", "<=")
            if strong in signs or weak in signs:
                return strong if strong in signs else weak
            return (
                ""
                if "" in signs or "!=" in signs
                else (NEGATED[weak] if NEGATED[weak] in signs and len(set(signs)) > 1 else signs[0])
            )
        return ""

    def _with_root(self, total: Any) -> str:
        """Decide `p + q*sqrt(r)` by comparing squares."""
        for root in sorted(total.atoms(sympy.Pow), key=str):
            if root.exp != sympy.Rational(1, 2):
                continue
            mark = sympy.Dummy("root", nonnegative=True)
            marked = sympy.expand(total.xreplace({root: mark}))
            if sympy.diff(marked, mark).has(mark):
                continue
            q, p = marked.coeff(mark, 1), marked.coeff(mark, 0)
            sign_p, sign_q = self._inner(p), self._inner(q)
            if not sign_q:
                continue
            gap = self._inner(sympy.expand(q**2 * root.base - p**2))
            if sign_q in (">", "<") and gap == ">":
                return sign_q
            if sign_p in (">", ">=") and sign_q in ("<", "<="):
                return NEGATED[gap]
            if sign_p in ("<", "<=") and sign_q in (">", ">="):
                return gap
        return ""

    def _by_logarithms(self, total: Any, signs: list[str]) -> str:
        """Compare two terms of opposite signs by their logarithms, where a power has a symbol in its exponent."""
        if sorted(signs) != ["<", ">"] or not has_transcendental_power(total):
            return ""
        upper, lower = (total.args[signs.index(sign)] for sign in (">", "<"))
        return self._inner(logarithm(upper, self._inner) - logarithm(-lower, self._inner))

    def _of_logarithms(self, total: Any) -> str:
        product = joined_logarithms(total)
        return "" if product is None else self._inner(product - 1)


_DECIDED: dict[str, dict[str, bool]] = {
    ">": {">": True, "<": False, "<=": False, "==": False},
    ">=": {">": True, ">=": True, "==": True, "<": False},
    "!=": {">": True, "<": True, "!=": True, "==": False},
    "==": {"==": True, ">": False, "<": False, "!=": False},
}


def _parametrised(domain: Domain) -> Any:
    """Return the members of a domain as an expression of positive (or non-negative) parameters."""
    lower, upper = (
        None if end is None else sympy.Rational(end.numerator, end.denominator) for end in (domain.lower, domain.upper)
    )
    q = sympy.Dummy("q", positive=True) if domain.lower_open else sympy.Dummy("q", nonnegative=True)
    p = sympy.Dummy("p", positive=True) if domain.upper_open else sympy.Dummy("p", nonnegative=True)
    if lower is not None and upper is not None:
        if domain.upper_open:
            return (lower + upper * q) / (1 + q)
        if domain.lower_open:
            return (lower * p + upper) / (1 + p)
        # Both ends belong to it: shares q/(p+q) with p and q not both zero.
        return (lower * p + upper * q) / (p + q)
    if lower is not None:
        return lower + q
    if upper is not None:
        return upper - p
    return sympy.Dummy("r", real=True)
