"""Several equations in several unknowns: solve one for one unknown, put it into the others, to the end.

Fewer independent equations than unknowns are refused, naming an unknown that stays free.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from .._bridge import to_sympy
from .._domains import Domain
from .._tree import Tree, symbols
from .audit import instance
from .closed import domain_span, domains_of, signs_of
from .conditions import Sign
from .definedness import definedness
from .gathering import roots
from .oracle import Oracle
from .peeling import solve_span
from .pieces import holds
from .polynomials import simplest
from .tidying import tidied
from .values import NoValueError, compare, expression_value, real, value
from .work import NoMethodError, Work


@dataclass(frozen=True)
class Joint:
    """One solution: a value in closed form for each unknown, and when it holds."""

    values: Mapping[Any, Any]
    conditions: tuple[Sign, ...] = ()

    def at(self, point: Mapping[Any, Fraction]) -> dict[Any, Any] | None:
        """Return the values in numbers; `None` where a condition does not hold."""
        if not all(holds(one, point) for one in self.conditions):
            return None
        return {unknown: expression_value(expression, point) for unknown, expression in self.values.items()}


@dataclass(frozen=True)
class JointlyClosed:
    """The solution set of several equations.

    Attributes:
        verdict: `unique`, `several`, `none`, `underdetermined` or `unsolved`.
        pieces: The solutions.
        reason: Why there is none, or which unknown stays free.
        free: The unknowns that stay free.
    """

    verdict: str
    pieces: tuple[Joint, ...] = ()
    reason: str = ""
    free: tuple[Any, ...] = ()

    def at(self, point: Mapping[Any, Fraction]) -> tuple[dict[Any, Any], ...]:
        """Return the distinct solutions where the other inputs have values."""
        found: list[dict[Any, Any]] = []
        for piece in self.pieces:
            values = piece.at(point)
            if values is not None and not any(
                all(compare(values[one], other[one]) == 0 for one in values) for other in found
            ):
                found.append(values)
        return tuple(found)


class _FreeError(Exception):
    """An unknown stays free."""

    def __init__(self, unknown: Any) -> None:
        super().__init__(str(unknown))
        self.unknown = unknown


def solve_system(
    trees: Sequence[Tree],
    targets: Sequence[Tree],
    unknowns: Sequence[Any],
    domains: Mapping[Any, Domain],
    validity: Sequence[Tree] = (),
) -> JointlyClosed:
    """Solve `tree == target` for each pair, for all unknowns at once.

    Args:
        trees: The expressions as written.
        targets: Their values.
        unknowns: The symbols to solve for.
        domains: The domains of all symbols; what is missing is what the assumptions say.
        validity: Conditions that a solution must meet, too.
    """
    known = {**domains_of([*trees, *targets, *validity]), **domains}
    gaps = [to_sympy(tree) - to_sympy(target) for tree, target in zip(trees, targets, strict=True)]
    missing = [unknown for unknown in unknowns if not any(gap.has(unknown) for gap in gaps)]
    try:
        if missing:
            raise _FreeError(missing[0])
        oracle = Oracle(known)
        found = list(_eliminated(oracle, gaps, list(unknowns)))
        asked = [sign for tree in (*trees, *targets) for sign in definedness(tree)]
        asked += [sign for condition in validity for sign in signs_of(condition)]
        pieces = [
            piece for values, signs in found if (piece := _piece(oracle, values, signs, asked, known)) is not None
        ]
    except _FreeError as error:
        name = error.unknown
        return JointlyClosed(
            "underdetermined", (), f"fewer independent equations than unknowns: {name} stays free", (name,)
        )
    except (
        NoMethodError,
        RecursionError,
        sympy.PolynomialError,
        NotImplementedError,
        TypeError,
        ValueError,
        AttributeError,
    ):
        return JointlyClosed("unsolved", (), "no method of the solver applies")
    if not _passes(pieces, trees, targets, unknowns, known):
        return JointlyClosed("unsolved", (), "the closed form that was found fails its audit")
    if not pieces:
        return JointlyClosed("none", (), _contradiction(oracle, gaps, list(unknowns)))
    return JointlyClosed("unique" if len(pieces) == 1 else "several", tuple(pieces))


def _numerator(expression: Any) -> Any:
    return sympy.expand(sympy.fraction(sympy.together(expression))[0])


def _eliminated(oracle: Oracle, gaps: list[Any], unknowns: list[Any]) -> Iterator[tuple[dict[Any, Any], list[Sign]]]:
    gaps = [gap for gap in map(_numerator, gaps) if gap != 0]
    closing = [gap for gap in gaps if not any(gap.has(unknown) for unknown in unknowns)]
    gaps = [gap for gap in gaps if gap not in closing]
    signs = [Sign(gap, "==") for gap in closing]
    if any(oracle.decides(sign) is False for sign in signs):
        return
    if not unknowns:
        yield {}, signs
        return
    if len(gaps) < len(unknowns):
        raise _FreeError(
            next((one for one in reversed(unknowns) if not any(gap.has(one) for gap in gaps)), unknowns[-1])
        )
    for gap, unknown, value_of, conditions in _isolated(oracle, gaps, unknowns):
        others = [other.xreplace({unknown: value_of}) for other in gaps if other is not gap]
        rest = [one for one in unknowns if one != unknown]
        for values, more in _eliminated(oracle, others, rest):
            whole = {**values, unknown: simplest(value_of.xreplace(values))}
            yield whole, [*signs, *more, *(Sign(one.expression.xreplace(values), one.relation) for one in conditions)]


def _isolated(oracle: Oracle, gaps: list[Any], unknowns: list[Any]) -> Iterator[tuple[Any, Any, Any, list[Sign]]]:
    """Yield (equation, unknown, its value, conditions) for the easiest step: all cases of one step."""
    choices = []
    for gap in gaps:
        present = [one for one in unknowns if gap.has(one)]
        for unknown in present:
            slope = sympy.diff(gap, unknown)
            if not slope.has(unknown) and oracle.sign(slope) in (">", "<", "!="):
                choices.append((len(present), sympy.count_ops(slope), str(unknown), gap, unknown, slope))
    if choices:
        *_, gap, unknown, slope = min(choices, key=lambda choice: choice[:3])
        yield gap, unknown, -sympy.expand(gap - slope * unknown) / slope, []
        return
    for gap in gaps:
        present = [one for one in unknowns if gap.has(one)]
        if len(present) == 1:
            work = Work(present[0], oracle)
            for root in roots(work, gap, solve_span):
                if root.is_point:
                    yield gap, present[0], root.low, list(root.conditions)
            return
    raise NoMethodError


def _piece(
    oracle: Oracle, values: dict[Any, Any], signs: list[Sign], asked: list[Sign], known: Mapping[Any, Domain]
) -> Joint | None:
    conditions = list(signs)
    for unknown, expression in values.items():
        span = domain_span(known[unknown])
        if span.low != -sympy.oo:
            conditions.append(Sign(expression - span.low, ">" if span.low_open else ">="))
        if span.high != sympy.oo:
            conditions.append(Sign(span.high - expression, ">" if span.high_open else ">="))
        if known[unknown].integer and not expression.is_integer:
            conditions.append(Sign(expression - sympy.floor(expression), "=="))
    conditions += [Sign(one.expression.xreplace(values), one.relation) for one in asked]
    left = tidied(oracle, conditions)
    return None if left is None else Joint(values, tuple(left))


def _contradiction(oracle: Oracle, gaps: list[Any], unknowns: list[Any]) -> str:
    """Say what the equations together would need and can't have."""
    gaps = [_numerator(gap) for gap in gaps]
    if all(gap.is_polynomial(*unknowns) and sympy.Poly(gap, *unknowns).total_degree() <= 1 for gap in gaps):
        matrix = sympy.Matrix([[sympy.diff(gap, unknown) for unknown in unknowns] for gap in gaps])
        rest = sympy.Matrix([gap.xreplace(dict.fromkeys(unknowns, sympy.Integer(0))) for gap in gaps])
        for row in matrix.T.nullspace():
            needed = sympy.factor((row.T * rest)[0])
            if oracle.decides(Sign(needed, "==")) is False:
                return f"the equations contradict each other: together they need {needed} = 0"
    return "what solves the equations lies outside the domains or where they are defined"


def _passes(
    pieces: list[Joint],
    trees: Sequence[Tree],
    targets: Sequence[Tree],
    unknowns: Sequence[Any],
    known: Mapping[Any, Domain],
) -> bool:
    """Whether the solutions solve the equations as written, and a solution that was chosen first is found again."""
    everything = JointlyClosed("", tuple(pieces))
    order = sorted({s for tree in (*trees, *targets) for s in symbols(tree)}, key=str)
    for seed in range(10):
        at = instance(order, known, random.Random(f"system {seed}"), seed)
        try:
            if seed % 2 and all(target.head == "name" for target in targets):
                at |= {target.leaf: Fraction(value(tree, at)) for tree, target in zip(trees, targets, strict=True)}
                if not all(known[target.leaf].contains(at[target.leaf]) for target in targets):
                    continue
                found = everything.at({one: number for one, number in at.items() if one not in unknowns})
                if not any(
                    all(compare(one[unknown], at[unknown]) == 0 for unknown in unknowns) for one in found
                ) and not _vanishes(pieces, at):
                    return False
            for one in everything.at({key: number for key, number in at.items() if key not in unknowns}):
                for tree, target in zip(trees, targets, strict=True):
                    left, right = value(tree, {**at, **one}), value(target, at)
                    if abs(real(left) - real(right)) > real(Fraction(1, 10**24)) * (1 + abs(real(right))):
                        return False
        except (NoValueError, TypeError):
            continue
    return True


def _vanishes(pieces: list[Joint], at: Mapping[Any, Fraction]) -> bool:
    """Whether a condition that something is not zero fails here: then the equations leave an unknown free."""
    return any(one.relation == "!=" and not holds(one, at) for piece in pieces for one in piece.conditions)
