"""The values of an unknown for which a relation holds, each of them proved, and none of them missed in silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..._domains import Domain
from ..._tree import Tree, number, symbols
from .cells import Cell
from .enclosure import value_range
from .folding import with_values
from .interval import ball, working_precision
from .optimum import extent
from .partition import UNDECIDED, Partition, pieces
from .points import Budget
from .resolution import Place, Resolver, difference
from .roots import Isolator
from .sets import CertifiedSet, Reason
from .steps import Coarse, has_steps

SECONDS = 2.0
"""The time that a question may take by default."""


def solution_set(
    tree: Tree,
    relation: str,
    target: Tree,
    unknown: Any,
    values: Mapping[Any, Fraction],
    domain: Domain,
    validity: Sequence[Tree] = (),
    *,
    seconds: float = SECONDS,
    explain: bool = True,
) -> CertifiedSet:
    """Return all values of the unknown for which `tree relation target` holds.

    A value counts where it is in the domain, the validity conditions hold, and both sides, as they are written, are
    defined.

    Args:
        tree: The left side.
        relation: One of `==`, `!=`, `<`, `<=`, `>`, `>=`.
        target: The right side; it may contain the unknown.
        unknown: The symbol to solve for.
        values: Exact values of all other symbols.
        domain: Where the unknown may lie.
        validity: Conditions that must hold besides.
        seconds: When the time is spent, what is proved so far is returned as incomplete.
        explain: Whether an empty set is to carry its reason.

    Raises:
        KeyError: A symbol has no value.
    """
    if domain.is_empty:
        return CertifiedSet(integer=domain.integer, reason=Reason("domain_empty"))
    question = Tree(relation, (tree, target))
    condition = with_values(Tree("and", (*validity, question)) if validity else question, unknown, values)
    budget = Budget.of(seconds)
    resolver = Resolver(unknown, Isolator(unknown, budget))
    coarse = Coarse(resolver)
    steps = has_steps(condition)

    def ask(place: Place) -> bool:
        return resolver.truth(condition, place)

    def ask_coarse(cell: Cell) -> bool | None:
        return coarse.truth(condition, cell) if steps else None

    parts = Partition(domain, ask, ask_coarse, False).parts()
    found, unclear = pieces(parts, lambda answer: answer is True, domain.integer)
    open_, still_unclear = pieces(parts, lambda answer: answer is UNDECIDED, domain.integer)
    undecided = (*open_, *unclear, *still_unclear)
    reason = None
    if explain and not found and not undecided:
        left = with_values(tree, unknown, values)
        right = with_values(target, unknown, values)
        conditions = [with_values(one, unknown, values) for one in validity]
        reason = _reason(left, right, relation, unknown, domain, conditions, seconds / 10)
    return CertifiedSet(tuple(found), not undecided, undecided, domain.integer, reason)


def _reason(
    left: Tree, right: Tree, relation: str, unknown: Any, domain: Domain, validity: Sequence[Tree], seconds: float
) -> Reason:
    ranged = left if unknown not in symbols(right) else difference(left, right)
    budget = Budget.of(seconds)
    least, greatest = extent(ranged, unknown, domain, validity, budget)
    certified = least.is_complete and greatest.is_complete
    if certified and not (least.is_attained or least.approached) and not (greatest.is_attained or greatest.approached):
        return Reason("undefined", is_certified=True)
    kind = (
        _kind(least.value, greatest.value, right if ranged is left else number(0), relation)
        if certified
        else "conditions"
    )
    return Reason(kind, least.value, greatest.value, least.is_attained, greatest.is_attained, certified)


def _kind(least: Any, greatest: Any, right: Tree, relation: str) -> str:
    with working_precision(256):
        wanted = value_range(right, {})
        if wanted.lo is None or wanted.hi is None:
            return "conditions"
        if relation in ("==", ">", ">=") and greatest is not None and wanted.hi >= ball(greatest.upper).lower():
            return "above_all_values"
        if relation in ("==", "<", "<=") and least is not None and wanted.lo <= ball(least.lower).upper():
            return "below_all_values"
    return "between_values" if relation == "==" else "conditions"
