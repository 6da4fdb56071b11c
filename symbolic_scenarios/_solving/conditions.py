"""Conditions as a person would write them: factored, without what is known, the small side left of the large one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy

_FLIPPED = {">": "<", ">=": "<=", "!=": "!=", "==": "=="}
_RELATIONS = {
    ">": sympy.StrictGreaterThan,
    ">=": sympy.GreaterThan,
    "<": sympy.StrictLessThan,
    "<=": sympy.LessThan,
    "!=": sympy.Unequality,
    "==": sympy.Equality,
}


@dataclass(frozen=True)
class Sign:
    """The condition that an expression is positive (`>`), not negative (`>=`), zero (`==`) or not zero (`!=`)."""

    expression: Any
    relation: str

    def tidy(self, positive: frozenset[Any] = frozenset()) -> Sign | bool:
        """Return the condition without factors of known sign; `True` or `False` where that decides it.

        Args:
            positive: Expressions known to be positive beyond the assumptions of their symbols.
        """
        expression = self.expression
        if expression.has(sympy.zoo, sympy.nan):
            return False
        over, under = sympy.fraction(sympy.factor(sympy.together(expression)))
        sign, left = 1, sympy.Integer(1)
        for factor, power in [*_powers(over), *_powers(under)]:
            known = sign_of(factor, positive)
            if known == 0 and factor.is_zero:
                return self.relation in (">=", "==")
            if known:
                sign *= known if power % 2 else 1
            elif power % 2 == 0 and self.relation in (">", "!="):
                left *= factor**2
            else:
                left *= factor
        if left == 1:
            return {">": sign > 0, ">=": sign > 0, "!=": True, "==": False}[self.relation]
        if left.is_Pow and left.exp.is_even and sign > 0 and self.relation in (">", "!="):
            return Sign(left.base, "!=")
        return Sign(sympy.expand(sign * left) if left.is_Add else sign * left, self.relation)

    def bound(self, symbol: Any) -> tuple[str, Any] | None:
        """Return `(relation, bound)` where the condition says `symbol relation bound`."""
        slope = sympy.diff(self.expression, symbol)
        if not slope.is_zero and not slope.has(symbol) and (sign := sign_of(slope)):
            bound = sympy.factor(-self.expression.subs(symbol, 0) / slope)
            return (self.relation if sign > 0 else _FLIPPED[self.relation]), bound
        return None

    def holds(self, point: dict[Any, Any]) -> bool:
        """Return whether the condition holds where each symbol has a value; not where it has none."""
        value = self.expression.xreplace(point).evalf(30)
        return bool(
            value.is_real and {">": value > 0, ">=": value >= 0, "!=": value != 0, "==": value == 0}[self.relation]
        )

    def relational(self, prefer: Any = None) -> Any:
        """Return the condition as a SymPy relation: `prefer` alone on its left if possible, a number on its right."""
        if prefer is not None and (found := self.bound(prefer)) is not None:
            return _RELATIONS[found[0]](prefer, found[1], evaluate=False)
        terms = sympy.Add.make_args(self.expression)
        plus = sympy.Add(*(term for term in terms if not term.could_extract_minus_sign()))
        minus = sympy.Add(*(-term for term in terms if term.could_extract_minus_sign()))
        if plus.is_number and not minus.is_number:
            return _RELATIONS[_FLIPPED[self.relation]](minus, plus, evaluate=False)
        return _RELATIONS[self.relation](plus, minus, evaluate=False)

    def split(self) -> Iterator[Sign]:
        """Yield the conditions that a product is positive: each factor that can't be negative is not zero by itself."""
        rest = self.expression
        if self.relation == ">" and rest.is_Mul:
            for factor in rest.args:
                if factor.is_nonnegative:
                    yield Sign(factor, ">")
                    rest = rest / factor
        yield Sign(rest, self.relation)


def sign_of(expression: Any, positive: frozenset[Any] = frozenset()) -> int:
    """Return 1 or -1 where the sign is known, else 0."""
    if expression in positive or expression.is_positive:
        return 1
    if -expression in positive or expression.is_negative:
        return -1
    return 0


def tidied(conditions: Iterable[Sign]) -> list[Sign] | None:
    """Return what is left to be asked of several conditions; `None` where one of them can't hold.

    A condition that says that a plain symbol is positive helps with the others, and is dropped where they imply it.
    """
    asked = list(dict.fromkeys(conditions))
    while True:
        positive = frozenset(one.expression for one in asked if one.relation == ">")
        after: list[Sign] = []
        for one in asked:
            plain = one.tidy(positive - {one.expression})
            if plain is False:
                return None
            if plain is not True:
                after += [part for part in plain.split() if part not in after]
        after = [_sharpened(one, after) for one in after]
        after = [one for one in after if not _implied(one, after)]
        if after == asked:
            return after
        asked = after


def _sharpened(one: Sign, others: list[Sign]) -> Sign:
    """Return `x > 0` for `x >= 0` where another condition says that x is not zero."""
    if one.relation == ">=" and any(
        other.relation == "!=" and other.expression in (one.expression, sympy.expand(-one.expression))
        for other in others
    ):
        return Sign(one.expression, ">")
    return one


def _implied(one: Sign, others: list[Sign]) -> bool:
    """Whether another condition says more: `x > bound` with a positive bound implies `x > 0`."""
    for other in others:
        if other == one:
            continue
        if other.relation == ">" and other.expression in (
            one.expression,
            sympy.expand(-one.expression) if one.relation == "!=" else None,
        ):
            return True
        gap = sympy.expand(one.expression - other.expression)
        if other.relation in (">", ">=") and one.relation in (">", ">=", "!=") and gap.is_positive:
            return True
    return False


def _powers(product: Any) -> list[tuple[Any, int]]:
    parts = []
    for factor in sympy.Mul.make_args(product):
        base, exponent = factor.as_base_exp()
        if exponent.is_Integer:
            parts.append((base, int(exponent)))
        else:
            parts.append((factor, 1))
    return parts
