"""One question in base units: closed forms in symbols, certified numbers where every other input has a value.

The closed forms say what the answer is and when; the certified set says what it is here. Where both exist they are held
against each other, and the certified one decides: a closed form that does not give it is not shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy

from ._domains import Domain
from ._precise import lock
from ._solving.certified import CertifiedSet, Optimum, Real, optimum, solution_set
from ._solving.certified import Piece as Certified
from ._solving.closed import Closed, closed_forms, domains_of, signs_of
from ._solving.conditions import Sign
from ._solving.optima import closed_optimum
from ._solving.oracle import Oracle
from ._solving.pieces import Found, Piece, holds, merged
from ._solving.tidying import tidied
from ._solving.values import NoValueError
from ._tree import Tree, symbols

_LONGEST_SIMPLIFIED = 60
_LONGEST_CLOSED = 130
"""Parts of the longest expression for which a closed form is looked for: beyond, it takes long and fills a page."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What is asked: where `tree RELATION target` holds, or (relation `min` or `max`) where `tree` is best.

    Attributes:
        tree: The expression, in inputs and constants.
        relation: `==`, `<`, `<=`, `>`, `>=`, `min` or `max`.
        target: What it is compared with; of an optimum `None`.
        unknown: The symbol that is looked for.
        domain: Its domain.
        validity: What must hold besides.
        domains: The domains of all other symbols.
    """

    tree: Tree
    relation: str
    target: Tree | None
    unknown: Any
    domain: Domain
    validity: tuple[Tree, ...]
    domains: Mapping[Any, Domain] = field(default_factory=dict)

    @property
    def over_the_reals(self) -> Problem:
        """The same problem for an unknown between the whole numbers, too."""
        return replace(self, domain=replace(self.domain, integer=False))

    @cached_property
    def closed(self) -> Closed:
        """The solution set in closed form.

        The solver takes a condition on the other inputs for granted; here it is asked, and shown with the others.
        """
        if self.tree.size > _LONGEST_CLOSED:
            return Closed(
                "unsolved", complete=False, reason="the expression is too long for a closed form that is read"
            )
        own = tuple(one for one in self.validity if self.unknown in symbols(one))
        arguments = (self.unknown, self.domain, own, self.domains)
        if self.target is None:
            closed = closed_optimum(self.tree, self.relation, *arguments)
        else:
            closed = closed_forms(self.tree, self.relation, self.target, *arguments)
        closed = replace(closed, pieces=tuple(map(_simplest, closed.pieces)))
        return self._under([one for one in self.validity if one not in own], closed)

    def _under(self, conditions: list[Tree], closed: Closed) -> Closed:
        trees = [self.tree, *conditions, *([] if self.target is None else [self.target])]
        known = {**domains_of(trees), **self.domains}
        asked = tidied(Oracle(known), [sign for condition in conditions for sign in signs_of(condition)])
        if not conditions or not closed.pieces:
            return closed
        if asked is None:
            return replace(closed, pieces=(), verdict="none", reason="its conditions contradict each other")
        oracle, pieces = Oracle(known, asked), []
        for piece in closed.pieces:
            left = tidied(oracle, piece.conditions)
            whole = None if left is None else tidied(Oracle(known), [*left, *asked])
            if whole is not None:
                pieces.append(replace(piece, conditions=tuple(whole)))
        return replace(
            closed, pieces=tuple(pieces), verdict=closed.verdict if len(pieces) != 1 else _verdict(pieces[0], closed)
        )

    @property
    def symbols(self) -> set[Any]:
        """All symbols of the problem but the unknown."""
        trees = [self.tree, *self.validity, *([] if self.target is None else [self.target])]
        return {symbol for tree in trees for symbol in symbols(tree)} - {self.unknown}

    def at(self, values: Mapping[Any, Fraction]) -> Outcome:
        """Return the solution set where every other symbol has an exact value, each part with its closed form."""
        outcome = self.numbers(values)
        if outcome.is_complete or self.closed.verdict == "unsolved":
            return replace(outcome, parts=tuple(self._part(part.certified, values) for part in outcome.parts))
        try:
            found = merged(self.closed.pieces, values)
        except NoValueError:
            return outcome
        parts = tuple(self._part(_as_certified(part), values) for part in found)
        return replace(outcome, parts=parts, is_complete=self.closed.complete)

    def numbers(self, values: Mapping[Any, Fraction]) -> Outcome:
        """Return the solution set where every other symbol has an exact value, as proved numbers only."""
        arguments = (self.unknown, values, self.domain, self.validity)
        certified: CertifiedSet | Optimum
        with lock:
            if self.target is None:
                certified = optimum(self.tree, self.relation, *arguments)
            else:
                certified = solution_set(self.tree, self.relation, self.target, *arguments)
        return Outcome(tuple(Part(piece, None) for piece in certified.pieces), certified.is_complete, certified)

    def failing(self, values: Mapping[Any, Fraction]) -> list[Sign]:
        """Return for each piece in closed form the first of its conditions that fails."""
        found = []
        for piece in self.closed.pieces:
            failed = next((one for one in piece.conditions if not holds(one, values)), None)
            found += [failed] if failed is not None else []
        return found

    def _part(self, certified: Certified, values: Mapping[Any, Fraction]) -> Part:
        """Return a certified piece together with the closed form that gives it, if there is one."""
        for piece in self.closed.pieces:
            try:
                found = merged([piece], values)
            except NoValueError:
                continue
            if len(found) == 1 and _agree(found[0], certified):
                return Part(certified, piece)
        return Part(certified, None)


@dataclass(frozen=True)
class Part:
    """A part of a solution set in numbers, and its closed form."""

    certified: Certified
    piece: Piece | None


@dataclass(frozen=True)
class Outcome:
    """A solution set in numbers; `is_complete` says whether it is proved to be all."""

    parts: tuple[Part, ...]
    is_complete: bool
    certified: CertifiedSet | Optimum


def _verdict(piece: Piece, closed: Closed) -> str:
    return "unique" if closed.verdict == "several" and piece.is_point else closed.verdict


def _simplest(piece: Piece) -> Piece:
    """Return the piece with its ends in the form that names the fewest symbols, in the fewest operations."""
    low = _simplest_form(piece.low)
    return replace(piece, low=low, high=low if piece.is_point else _simplest_form(piece.high))


def _simplest_form(end: Any) -> Any:
    if end.count_ops() > _LONGEST_SIMPLIFIED:
        return end
    forms = [end, sympy.factor_terms(end), sympy.together(end)]
    if not end.is_number:
        forms.append(1 / sympy.expand(1 / end))  # 1/(1/a - t/n) instead of a*n/(n - a*t)
    return min(forms, key=lambda one: (sum(one.count(symbol) for symbol in one.free_symbols), one.count_ops()))


def _as_certified(found: Found) -> Certified:
    low = None if found.low is None else _real(found.low)
    high = low if found.is_point else None if found.high is None else _real(found.high)
    return Certified(low, high, found.low_open, found.high_open)


def _real(value: Any) -> Real:
    exact = as_exact(value)
    return Real(exact, exact)


def as_exact(value: Any) -> Fraction:
    """Return a number of the solver as a fraction."""
    if isinstance(value, Fraction):
        return value
    sign, mantissa, exponent, _ = value._mpf_  # what mpmath keeps: a whole number times a power of two
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)


def _agree(found: Found, certified: Certified) -> bool:
    if found.is_point != certified.is_point:
        return False
    return _near(found.low, certified.lower) and _near(found.high, certified.upper)


def _near(value: Any, real: Real | None) -> bool:
    if value is None or real is None:
        return value is None and real is None
    exact = as_exact(value)
    return abs(exact - real.middle) <= abs(real.middle) * Fraction(1, 10**15) + (real.upper - real.lower)
