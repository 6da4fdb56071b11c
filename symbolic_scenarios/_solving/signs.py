"""How signs combine: of products, powers and sums; and the parts of an expression that they are asked of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import sympy

_TIMES = {
    **{(">", sign): sign for sign in (">", ">=", "<", "<=", "!=")},
    (">=", ">="): ">=",
    ("<", "<"): ">",
    ("<", "<="): ">=",
    ("<=", "<="): ">=",
    ("<", ">="): "<=",
    ("<=", ">="): "<=",
    ("<", "!="): "!=",
    ("!=", "!="): "!=",
}
NEGATED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "==", "!=": "!=", "": ""}


def plain_sign(expression: Any) -> str:
    """Return what SymPy itself knows of a sign, at little cost."""
    if expression.is_number:
        if expression.is_Rational:
            return ">" if expression > 0 else "<" if expression < 0 else "=="
        number = expression.evalf(30)
        if not number.is_real or abs(number) < sympy.Float("1e-20"):
            return "==" if expression.is_zero else ""
        return ">" if number > 0 else "<"
    if expression.is_Symbol or expression.is_Pow or expression.is_Mul:
        for known, sign in (
            (expression.is_positive, ">"),
            (expression.is_negative, "<"),
            (expression.is_nonnegative, ">="),
        ):
            if known:
                return sign
        return "<=" if expression.is_nonpositive else "!=" if expression.is_nonzero else ""
    return ""


def outweighed(terms: Sequence[Any], signs: list[str]) -> str:
    """Decide `r - r*n + r*n**2`: a negative term is outweighed by two positive ones of which it is the middle."""
    free = [term for term, sign in zip(terms, signs, strict=True) if sign == ">"]
    negative = [term for term, sign in zip(terms, signs, strict=True) if sign in ("<", "<=")]
    if len(terms) > 14 or len(negative) > 3:
        return ""
    strict = len(free) > 2 * len(negative)
    for term in negative:
        for one, other in combinations(free, 2):
            ratio = 4 * one * other / term**2
            if ratio.is_Rational and ratio >= 1:
                strict = strict or ratio > 1
                free = [left for left in free if left not in (one, other)]
                break
        else:
            return ""
    return ">" if strict else ">="


def times(left: str, right: str) -> str:
    """Return the sign of a product from the signs of its factors."""
    if "==" in (left, right):
        return "=="
    return _TIMES.get((left, right)) or _TIMES.get((right, left), "")


def raised(sign: str, power: int) -> str:
    """Return the sign of an integer power."""
    if power == 0:
        return ">"
    if power < 0:
        # Where it is defined, what is under a fraction is not zero.
        sign = {">=": ">", "<=": "<"}.get(sign, sign)
    if power % 2:
        return sign
    return ">" if sign in (">", "<", "!=") or power < 0 else "==" if sign == "==" else ">="


def added(signs: list[str]) -> str:
    """Return the sign of a sum from the signs of its terms."""
    left = set(signs) - {"=="}
    if not left:
        return "=="
    if left <= {">", ">="}:
        return ">" if ">" in left else ">="
    if left <= {"<", "<="}:
        return "<" if "<" in left else "<="
    return ""


@lru_cache(maxsize=4096)
def factors(expression: Any) -> tuple[tuple[Any, int], ...]:
    """Return the factors of an expression over a common denominator, with their (integer) powers."""
    if expression.is_Symbol or expression.is_number:
        return ((expression, 1),)
    over = sympy.together(expression) if expression.has(sympy.Add) else expression
    found: list[tuple[Any, int]] = []
    for part, power in zip(sympy.fraction(over), (1, -1), strict=True):
        for piece in sympy.Mul.make_args(_factored(part)):
            base, exponent = (piece, sympy.Integer(1)) if isinstance(piece, sympy.exp) else piece.as_base_exp()
            if exponent.is_Integer:
                found.append((base, power * int(exponent)))
            else:
                found.append((piece, power))
    return tuple(one for one in found if one[0] != 1) or ((sympy.Integer(1), 1),)


def _factored(expression: Any) -> Any:
    """Return the expression factored where that is cheap."""
    if not expression.has(sympy.Add) or sympy.count_ops(expression) > 160:
        return expression
    try:
        return sympy.factor(expression)
    except (sympy.PolynomialError, NotImplementedError, TypeError):
        return expression


def has_transcendental_power(expression: Any) -> bool:
    """Whether an expression has an exponential, or a power that is no integer one, outside of Lambert's W."""
    expression = expression.xreplace({one: sympy.Dummy() for one in expression.atoms(sympy.LambertW)})
    return bool(expression.has(sympy.exp)) or any(not power.exp.is_Integer for power in expression.atoms(sympy.Pow))


def logarithm(positive: Any, sign: Callable[[Any], str]) -> Any:
    """Return the logarithm of a positive product, as a sum; what is not known to be positive stays together."""
    terms, rest = [], sympy.Integer(1)
    for factor in sympy.Mul.make_args(positive):
        if isinstance(factor, sympy.exp):
            terms.append(factor.args[0])
        elif factor.is_Pow and sign(factor.base) == ">":
            terms.append(factor.exp * logarithm(factor.base, sign))
        elif sign(factor) == ">":
            terms.append(sympy.log(factor))
        else:
            rest *= factor
    return sympy.Add(*terms, sympy.log(rest))


def joined_logarithms(total: Any) -> Any | None:
    """Return P where a sum of whole or broken multiples of logarithms is log(P); `None` where it is no such sum."""
    product, count = sympy.Integer(1), 0
    for term in sympy.Add.make_args(total):
        coefficient, rest = term.as_coeff_Mul()
        if rest.is_Rational:
            product *= sympy.exp(coefficient * rest)
        elif isinstance(rest, sympy.log) and coefficient.is_Rational:
            product *= rest.args[0] ** coefficient
            count += 1
        else:
            return None
    return product if count else None
