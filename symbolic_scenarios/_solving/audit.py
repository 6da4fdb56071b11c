"""Put a closed form to the test: seeded instances, at each of which the set is compared with the relation as written.

Random values alone miss what goes wrong: so there are equal values, the ends of the domains, and targets that the
expression takes at some value of the unknown among them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .._domains import Domain
from .._tree import Tree, symbols
from .pieces import Found, Piece, merged
from .values import NoValueError, compare, holds, real, sign_of_sum, value

INSTANCES = 14
_PROBES = 9
Point = Mapping[Any, Fraction]


def passes(
    pieces: Sequence[Piece],
    tree: Tree,
    relation: str,
    target: Tree,
    unknown: Any,
    domains: Mapping[Any, Domain],
    validity: Sequence[Tree],
) -> bool:
    """Whether a solution set agrees with the relation at all instances that were tried."""
    others = sorted({s for one in (tree, target, *validity) for s in symbols(one)} - {unknown}, key=str)
    if any(unknown in piece.symbols for piece in pieces):
        return False
    for seed in range(INSTANCES):
        chance = random.Random(f"audit {seed}")
        values = instance(others, domains, chance, seed)
        start = sampled(domains[unknown], chance, seed)
        values = _at_a_solution(values, tree, target, unknown, start, domains) if seed % 2 else values
        try:
            if not _agrees(
                pieces, values, _Relation(tree, relation, target, unknown, domains[unknown], validity), chance
            ):
                return False
        except (NoValueError, OverflowError):
            continue
    return True


def is_optimal(
    pieces: Sequence[Piece],
    tree: Tree,
    kind: str,
    unknown: Any,
    domains: Mapping[Any, Domain],
    validity: Sequence[Tree],
) -> bool:
    """Whether no other value of the unknown that was tried does better than the points found, at all instances."""
    others = sorted({s for one in (tree, *validity) for s in symbols(one)} - {unknown}, key=str)
    if any(unknown in piece.symbols for piece in pieces):
        return False
    for seed in range(INSTANCES):
        chance = random.Random(f"optimum {seed}")
        values = instance(others, domains, chance, seed)
        relation = _Relation(tree, "==", tree, unknown, domains[unknown], validity)
        try:
            found = merged(pieces, values)
            if not _is_best(found, kind, relation, values, chance):
                return False
        except (NoValueError, OverflowError):
            continue
    return True


def _is_best(found: Sequence[Found], kind: str, relation: _Relation, values: Point, chance: random.Random) -> bool:
    turn = 1 if kind == "min" else -1
    probes = sorted(
        {sampled(relation.domain, chance, place) for place in range(_PROBES)} | _scaled(relation.domain, values)
    )
    tried = [turn * sides[0] for number in probes if (sides := relation.gap(number, values)) is not None]
    if not tried:
        return True
    if not found:
        # Not attained: then it is best towards an end.
        return compare(min(tried, key=real), min(tried[0], tried[-1], key=real)) == 0
    for part in found:
        if not part.is_point:
            continue
        sides = relation.gap(part.low, values)
        if sides is None or any(compare(turn * sides[0], other) > 0 for other in tried):
            return False
        near = [part.low + step for step in ((-1, 1) if relation.domain.integer else ())]
        near += (
            [] if relation.domain.integer else [real(part.low) * (1 + real(Fraction(step, 10**6))) for step in (-1, 1)]
        )
        beside = [turn * one[0] for number in near if (one := relation.gap(number, values)) is not None]
        if any(compare(turn * sides[0], other) > 0 for other in beside):
            return False
    return True


def instance(
    others: Sequence[Any], domains: Mapping[Any, Domain], chance: random.Random, seed: int
) -> dict[Any, Fraction]:
    """Return one value for each symbol, of its domain."""
    values: dict[Any, Fraction] = {}
    for symbol in others:
        domain = domains[symbol]
        again = [known for known in values.values() if domain.contains(known)]
        values[symbol] = (
            chance.choice(again)
            if again and chance.random() < 0.15 + 0.25 * (seed % 3 == 2)
            else sampled(domain, chance, seed)
        )
    return values


def sampled(domain: Domain, chance: random.Random, seed: int = 0) -> Fraction:
    """Return a value of a domain; now and then an end that belongs to it."""
    ends = [
        end
        for end, is_open in ((domain.lower, domain.lower_open), (domain.upper, domain.upper_open))
        if end is not None and not is_open
    ]
    if ends and chance.random() < 0.15:
        return chance.choice(ends)
    if domain.integer:
        low = -20 if domain.lower is None else int(domain.lower) + (1 if domain.lower_open else 0)
        high = (
            low + (6 if seed % 2 else 40)
            if domain.upper is None
            else int(domain.upper) - (1 if domain.upper_open else 0)
        )
        return Fraction(chance.randint(low, max(low, high)))
    if domain.lower is not None and domain.upper is not None:
        return domain.lower + (domain.upper - domain.lower) * Fraction(chance.randint(1, 99), 100)
    size = Fraction(chance.randint(1, 99), chance.choice((1, 7, 10, 25, 50)))
    if domain.lower is not None:
        return domain.lower + size
    if domain.upper is not None:
        return domain.upper - size
    return size * chance.choice((-1, 1))


def _at_a_solution(
    values: dict[Any, Fraction], tree: Tree, target: Tree, unknown: Any, start: Fraction, domains: Mapping[Any, Domain]
) -> dict[Any, Fraction]:
    """Return the values with a target that the expression takes, where the target is an input and that is rational."""
    if target.head != "name" or target.leaf == unknown or target.leaf in symbols(tree):
        return values
    try:
        taken = value(tree, {**values, unknown: start})
    except NoValueError:
        return values
    if not isinstance(taken, Fraction):
        taken = Fraction(str(+taken)[:30]) if abs(taken) < 10**12 and "e" not in str(+taken) else None
    if taken is None or taken.denominator.bit_length() > 400 or not domains[target.leaf].contains(taken):
        return values
    return {**values, target.leaf: taken}


class _Relation:
    """The relation as written, at one instance."""

    def __init__(
        self, tree: Tree, relation: str, target: Tree, unknown: Any, domain: Domain, validity: Sequence[Tree]
    ) -> None:
        self.tree, self.relation, self.target = tree, relation, target
        self.unknown, self.domain, self.validity = unknown, domain, validity

    def gap(self, number: Any, values: Point) -> Any | None:
        """Return (left, right) where the unknown has a value; `None` where nothing may be asked."""
        at = {**values, self.unknown: number}
        low = 1 if self.domain.lower is None else compare(number, self.domain.lower)
        high = 1 if self.domain.upper is None else compare(self.domain.upper, number)
        if low < 0 or (low == 0 and self.domain.lower_open) or high < 0 or (high == 0 and self.domain.upper_open):
            return None
        try:
            if not all(holds(condition, at) for condition in self.validity):
                return None
            return value(self.tree, at), value(self.target, at)
        except NoValueError:
            return None

    def is_flat(self, number: Any, values: Point) -> bool:
        """Whether the two sides of an equation agree to 36 digits here and beside, too, but not exactly.

        Far out `1 - exp(-x)` is 1 to all digits, and never 1: nothing follows from such a value.
        """
        if self.relation != "==":
            return False
        for at in (real(number), real(number) * (1 + real(Fraction(1, 10**6)))):
            sides = self.gap(at, values)
            if sides is None or sign_of_sum([sides[0], -sides[1]]) or isinstance(sides[0], Fraction):
                return False
        return True

    def holds(self, number: Any, values: Point, *, rounded: bool = False) -> bool:
        """Whether a value of the unknown solves it; a rounded one may leave a residue."""
        sides = self.gap(number, values)
        if sides is None:
            return False
        sign = sign_of_sum([sides[0], -sides[1]])
        if self.relation == "==" and sign and rounded:
            return bool(abs(real(sides[0]) - real(sides[1])) <= real(Fraction(1, 10**24)) * (1 + abs(real(sides[1]))))
        return {"==": sign == 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[self.relation]


def _agrees(pieces: Sequence[Piece], values: Point, relation: _Relation, chance: random.Random) -> bool:
    found = merged(pieces, values)
    for part in found:
        if not all(relation.holds(number, values, rounded=True) for number in _inside(part)):
            return False
    probes = sorted(
        {sampled(relation.domain, chance, place) for place in range(_PROBES)} | _scaled(relation.domain, values)
    )
    outside = [number for number in probes if not any(part.contains(number) for part in found)]
    if any(
        relation.holds(number, values) and not relation.is_flat(number, values)
        for number in (*outside, *_beside(found, relation.domain))
    ):
        return False
    return relation.relation != "==" or relation.domain.integer or not _misses_a_root(outside, found, relation, values)


def _inside(part: Found) -> Iterator[Any]:
    """Yield the ends that belong to a part, and some of what lies between."""
    if part.is_point:
        yield part.low
        return
    low = part.low if part.low is not None else (part.high - 100 if part.high is not None else Fraction(-100))
    high = part.high if part.high is not None else low + 100 + abs(low)
    if part.low is not None and not part.low_open:
        yield part.low
    if part.high is not None and not part.high_open:
        yield part.high
    for share in (Fraction(1, 10**6), Fraction(1, 7), Fraction(1, 2), Fraction(999, 1000)):
        middle = real(low) + (real(high) - real(low)) * real(share)
        if part.integers:
            whole = Fraction(int(middle))
            if part.contains(whole):
                yield whole
        else:
            yield middle


def _beside(found: Sequence[Found], domain: Domain) -> Iterator[Any]:
    """Yield what is just outside each part, or an end that does not belong to it."""
    for part in found:
        for end, is_open, side in ((part.low, part.low_open, -1), (part.high, part.high_open, 1)):
            if end is None:
                continue
            step = Fraction(1) if domain.integer else real(Fraction(1, 10**7)) * (1 + abs(real(end)))
            number = (
                end
                if is_open and not domain.integer
                else end + side * step
                if isinstance(end, Fraction) and domain.integer
                else real(end) + side * real(step)
            )
            if domain.integer and not isinstance(number, Fraction):
                continue
            if not part.is_point and not any(other.contains(number) for other in found):
                yield number


def _scaled(domain: Domain, values: Point) -> set[Fraction]:
    """Return small and large values of the unknown, and those of the other inputs: what is critical is often there."""
    candidates = {
        Fraction(1, 1000),
        Fraction(1, 30),
        Fraction(1, 2),
        Fraction(1),
        Fraction(2),
        Fraction(7),
        Fraction(60),
        Fraction(1000),
        *values.values(),
    }
    candidates |= {-one for one in candidates}
    if domain.lower is not None and domain.upper is not None:
        candidates |= {domain.lower + (domain.upper - domain.lower) * Fraction(n, 1000) for n in (1, 20, 500, 980, 999)}
    return {one for one in candidates if domain.contains(one)}


def _misses_a_root(numbers: list[Fraction], found: Sequence[Found], relation: _Relation, values: Point) -> bool:
    """Whether the two sides cross between two neighbours without a part of the set there."""
    known: tuple[Any, int] | None = None
    for number in numbers:
        sides = relation.gap(number, values)
        sign = 0 if sides is None else sign_of_sum([sides[0], -sides[1]])
        if (
            known is not None
            and sign * known[1] < 0
            and not any(_between(part, known[0], number) for part in found)
            and _crosses(known[0], number, relation, values)
        ):
            return True
        known = (number, sign) if sign else None
    return False


def _between(part: Found, low: Any, high: Any) -> bool:
    starts_below = part.low is None or compare(part.low, high) <= 0
    return starts_below and (part.high is None or compare(part.high, low) >= 0)


def _crosses(low: Any, high: Any, relation: _Relation, values: Point) -> bool:
    """Whether a change of sign is a zero: halving brings the two sides together, at a pole or a jump it does not."""
    low, high = real(low), real(high)
    first = None
    start = relation.gap(low, values)
    if start is None:
        return False
    sign = sign_of_sum([start[0], -start[1]])
    first = abs(real(start[0]) - real(start[1]))
    last = first
    for _ in range(60):
        middle = (low + high) / 2
        sides = relation.gap(middle, values)
        if sides is None:
            return False
        last = abs(real(sides[0]) - real(sides[1]))
        here = sign_of_sum([sides[0], -sides[1]])
        if here == 0:
            return True
        if here == sign:
            low = middle
        else:
            high = middle
    return bool(last < first * real(Fraction(1, 10**6)))
