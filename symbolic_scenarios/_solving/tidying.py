"""Conditions as a person would write them: without what the domains say anyway, and brought to their simplest form.

`(items/eager_rate - items/compiled_rate)/compile_time >= 0` is `compiled_rate >= eager_rate`: what has a known sign is
divided out, a comparison of powers becomes one of what is raised, and what other conditions imply is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from .conditions import Sign
from .oracle import Oracle
from .signs import factors, has_transcendental_power, joined_logarithms, logarithm

_LARGEST = 120
_DEEPEST = 6


def tidied(oracle: Oracle, conditions: Iterable[Sign]) -> list[Sign] | None:
    """Return what is left to be asked of several conditions; `None` where they can't all hold."""
    asked: list[Sign] = []
    for one in conditions:
        parts = _reduced(oracle, one, 0)
        if parts is None:
            return None
        asked += [part for part in parts if part not in asked]
    asked = _sharpened(asked)
    if _contradicts_an_equality(oracle, asked):
        return None
    # The simplest ones first: they are the ones to keep.
    asked.sort(key=lambda one: sympy.count_ops(one.expression))
    kept: list[Sign] = []
    for one in asked:
        parts = _reduced(oracle.given(kept), one, 0)
        if parts is None:
            return None
        kept += [part for part in parts if part not in kept]
    for one in sorted(kept, key=lambda one: -sympy.count_ops(one.expression)):
        others = [other for other in kept if other != one]
        decided = oracle.given(others).decides(one)
        if decided is False:
            return None
        if decided:
            kept = others
    return _sharpened(kept)


def _contradicts_an_equality(oracle: Oracle, asked: list[Sign]) -> bool:
    """Whether one of several conditions can't hold where another says what one of its symbols is."""
    for one in asked:
        if one.relation != "==":
            continue
        for symbol in sorted(one.expression.free_symbols, key=str):
            slope = sympy.diff(one.expression, symbol)
            if not slope.is_number or slope == 0:
                continue
            put = {symbol: -one.expression.xreplace({symbol: sympy.Integer(0)}) / slope}
            if any(oracle.decides(Sign(other.expression.xreplace(put), other.relation)) is False for other in asked):
                return True
    return False


def _sharpened(asked: list[Sign]) -> list[Sign]:
    """Return `x > 0` for `x >= 0` where another condition says that x is not zero, `x == 0` where x is at most that."""
    found: list[Sign] = []
    for one in asked:
        turned = Sign(sympy.expand(-one.expression), ">=")
        if one.relation == ">=" and turned in asked:
            if turned not in asked[: asked.index(one)]:
                found.append(Sign(one.expression, "=="))
        else:
            found.append(one)
    asked, found = found, []
    nonzero = {one.expression for one in asked if one.relation == "!="} | {
        sympy.expand(-one.expression) for one in asked if one.relation == "!="
    }
    strict = {one.expression for one in asked if one.relation == ">="} | {
        one.expression for one in asked if one.relation == ">"
    }
    for one in asked:
        if one.relation == ">=" and one.expression in nonzero:
            one = Sign(one.expression, ">")
        elif one.relation == "!=" and (one.expression in strict or sympy.expand(-one.expression) in strict):
            continue
        if one not in found:
            found.append(one)
    return found


def _reduced(oracle: Oracle, one: Sign, depth: int) -> list[Sign] | None:
    decided = oracle.decides(one)
    if decided is not None:
        return [] if decided else None
    if depth > _DEEPEST or sympy.count_ops(one.expression) > _LARGEST:
        return [one]
    split = _of_extremes(one)
    if split is None:
        split = _without_known(oracle, one)
    if split is None:
        return None
    if split == [one]:
        split = _by_rule(oracle, one)
    if split in ([one], None):
        return [one]
    found: list[Sign] = []
    for part in split or []:
        parts = _reduced(oracle, part, depth + 1)
        if parts is None:
            return None
        found += parts
    return found


def _without_known(oracle: Oracle, one: Sign) -> list[Sign] | None:
    """Divide out the factors of known sign; `None` where the condition can't hold."""
    turn, left, found = 1, sympy.Integer(1), []
    for factor, power in factors(one.expression):
        known = oracle.sign(factor)
        if known in ("<", "<=") and power % 2:
            turn, factor = -turn, -factor
            known = {"<": ">", "<=": ">="}[known]
        if known == ">" or (power < 0 and (known or power % 2 == 0)):
            continue
        if one.relation == "!=":
            found.append(Sign(factor, "!="))
        elif one.relation == ">" and (power % 2 == 0 or known == ">="):
            found.append(Sign(factor, "!=" if power % 2 == 0 else ">"))
        else:
            left *= factor if power % 2 else factor**2
    if left == 1:
        holds = {">": turn > 0, ">=": turn > 0, "!=": True, "==": False}[one.relation]
        return found if holds else None
    if one.relation == "==":
        turn = 1
    rest = sympy.expand(turn * left) if left.is_Add else turn * left
    if one.relation in ("==", "!=") and rest.could_extract_minus_sign():
        rest = -rest
    return [*found, Sign(rest, one.relation)]


def _of_extremes(one: Sign) -> list[Sign] | None:
    """`high - Max(a, b) >= 0` says two things."""
    for term in sympy.Add.make_args(one.expression):
        coefficient, kept = term.as_coeff_Mul()
        splits = isinstance(kept, sympy.Max) if coefficient < 0 else isinstance(kept, sympy.Min)
        if splits and one.relation in (">", ">="):
            return [Sign(one.expression - term + coefficient * arg, one.relation) for arg in kept.args]
    return None


def _by_rule(oracle: Oracle, one: Sign) -> list[Sign] | None:
    expression, relation = one.expression, one.relation
    turn = -1 if expression.could_extract_minus_sign() and not expression.is_Add else 1
    if isinstance(turn * expression, sympy.log):
        return [Sign(turn * (expression.args[0] if turn > 0 else (-expression).args[0]) - turn, relation)]
    if isinstance(expression, sympy.floor) and relation in (">", ">="):
        return [Sign(expression.args[0] - (1 if relation == ">" else 0), ">=")]
    if isinstance(expression, sympy.ceiling) and relation == ">":
        return [Sign(expression.args[0], ">")]
    if not expression.is_Add:
        return None
    product = joined_logarithms(expression)
    if product is not None:
        return [Sign(product - 1, relation)]
    signs = [oracle.sign(term) for term in expression.args]
    if sorted(signs) == ["<", ">"] and has_transcendental_power(expression):
        upper, lower = (expression.args[signs.index(sign)] for sign in (">", "<"))
        gap = logarithm(upper, oracle.sign) - logarithm(-lower, oracle.sign)
        if not (
            gap.is_Add and joined_logarithms(gap) is not None and len(gap.args) == 2 and not expression.has(sympy.sqrt)
        ):
            return [Sign(gap, relation)]
    return _of_rounding(expression, relation) or _of_root(oracle, expression, relation)


def _of_rounding(expression: Any, relation: str) -> list[Sign] | None:
    """`floor(u) >= k` is `u >= k` for a whole k."""
    for term in expression.args:
        rest = expression - term
        if relation == ">=" and rest.is_integer:
            if isinstance(term, sympy.floor):
                return [Sign(term.args[0] + rest, relation)]
            if isinstance(-term, sympy.ceiling):
                return [Sign(rest - (-term).args[0], relation)]
        if relation == ">" and rest.is_integer:
            if isinstance(term, sympy.ceiling):
                return [Sign(term.args[0] + rest, relation)]
            if isinstance(-term, sympy.floor):
                return [Sign(rest - (-term).args[0], relation)]
    return None


def _of_root(oracle: Oracle, expression: Any, relation: str) -> list[Sign] | None:
    """`p + q*sqrt(r) > 0` without the root, where that is one case."""
    roots = [one for one in expression.atoms(sympy.Pow) if one.exp == sympy.Rational(1, 2)]
    if len(roots) != 1 or relation not in (">", ">="):
        return None
    mark = sympy.Dummy("root", nonnegative=True)
    marked = sympy.expand(expression.xreplace({roots[0]: mark}))
    if sympy.diff(marked, mark).has(mark):
        return None
    q, p = marked.coeff(mark, 1), marked.coeff(mark, 0)
    gap = sympy.expand(p**2 - q**2 * roots[0].base)
    sign_p, sign_q = oracle.sign(p), oracle.sign(q)
    if sign_q in ("<", "<="):
        return [Sign(p, ">="), Sign(gap, relation)]
    if sign_q in (">", ">=") and sign_p in ("<", "<="):
        return [Sign(-gap, relation)]
    if sign_q == ">" and oracle.sign(gap) == ">":
        return [Sign(p, ">")]
    return None
