"""The solution set of a relation by nothing but evaluation: a dense scan of the domain and bisection, in mpmath.

It shares no code with the solver. Where an end lies is found to 25 digits; whether it belongs to the set is asked at
the rational number next to it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import sympy

DOMAINS: dict[str, tuple[Any, Any, bool, bool, bool]] = {
    "pos": (0, None, True, True, False),
    "nonneg": (0, None, False, True, False),
    "real": (None, None, True, True, False),
    "u01": (0, 1, True, True, False),
    "c01": (0, 1, False, False, False),
    "ge1": (1, None, False, True, False),
    "int0": (0, None, False, True, True),
    "int1": (1, None, False, True, True),
    "int2": (2, None, False, True, True),
}


def _digits(number: Any) -> Any:
    with mpmath.workdps(40):
        return (
            mpmath.mpf(number.numerator) / number.denominator
            if isinstance(number, (int, Fraction))
            else +mpmath.mpf(number)
        )


class Reference:
    """One relation at one instance."""

    def __init__(
        self, left: str, relation: str, right: str, unknown: str, domain: str, values: dict[str, str], valid: str
    ) -> None:
        self.low, self.high, self.low_open, self.high_open, self.integer = DOMAINS[domain]
        self.relation = relation
        self.sides = [self._written(one, unknown, values) for one in (left, right)]
        self.valid = self._written(valid, unknown, values) if valid else None

    @staticmethod
    def _written(text: str, unknown: str, values: dict[str, str]) -> Any:
        names = {name: sympy.Symbol(name) for name in (*values, unknown)}
        with sympy.evaluate(False):
            expression = sympy.sympify(text, locals=names, evaluate=False)
        function = sympy.lambdify([names[name] for name in (unknown, *values)], expression, modules="mpmath")
        fixed = [_digits(Fraction(value)) for value in values.values()]
        return lambda number: function(number, *fixed)

    def gap(self, number: Any) -> Any | None:
        """Return left minus right; `None` where nothing may be asked or has a value."""
        with mpmath.workdps(40):
            number = _digits(number)
            low = self.low is None or (number > self.low if self.low_open else number >= self.low)
            high = self.high is None or (number < self.high if self.high_open else number <= self.high)
            if not (low and high) or not (self.valid is None or self.valid(number)):
                return None
            try:
                parts = [side(number) for side in self.sides]
            except (ZeroDivisionError, ValueError, OverflowError):
                return None
            if any(isinstance(part, mpmath.mpc) or not mpmath.isfinite(part) for part in parts):
                return None
            gap = parts[0] - parts[1]
            return mpmath.mpf(0) if abs(gap) < mpmath.mpf(10) ** -32 * (1 + abs(parts[0])) else gap

    def holds(self, number: Any) -> bool:
        """Whether a number solves the relation."""
        gap = self.gap(number)
        if gap is None:
            return False
        return bool({"==": gap == 0, "<": gap < 0, "<=": gap <= 0, ">": gap > 0, ">=": gap >= 0}[self.relation])

    def crossings(self) -> list[Any]:
        """Return the places where left and right cross or touch zero from a dense scan."""
        grid = self._grid()
        found = []
        known: tuple[Any, Any] | None = None
        for number in grid:
            gap = self.gap(number)
            if gap is not None and gap == 0:
                found.append(mpmath.mpf(number.numerator) / number.denominator)
                known = None
                continue
            if gap is not None and known is not None and known[1] * gap < 0 and not self.integer:
                root = self._bisected(known[0], number, known[1])
                if root is not None:
                    found.append(root)
            known = (number, gap) if gap is not None else None
        return found

    def _bisected(self, low: Fraction, high: Fraction, sign: Any) -> Any | None:
        start = abs(sign)
        last = start
        for _ in range(70):
            middle = (low + high) / 2
            gap = self.gap(middle)
            if gap is None:
                return None
            last = abs(gap)
            if gap == 0:
                low = high = middle
                break
            low, high = (middle, high) if gap * sign > 0 else (low, middle)
        with mpmath.workdps(40):
            return mpmath.mpf(low.numerator) / low.denominator if last < start * mpmath.mpf("1e-12") else None

    def _grid(self) -> list[Fraction]:
        steps = [Fraction(n, 37) for n in range(1, 420)] + [Fraction(12) * Fraction(11, 10) ** n for n in range(1, 90)]
        steps += [Fraction(1, 50) / Fraction(3, 2) ** n for n in range(30)] + [Fraction(n, 4) for n in range(90)]
        if self.low is not None and self.high is not None:
            steps = [self.low + (self.high - self.low) * Fraction(n, 480) for n in range(481)]
        elif self.low is not None:
            steps = [self.low + step for step in steps]
        else:
            steps += [-step for step in steps]
        if self.integer:
            steps = [Fraction(n) for n in range(self.low, 300)]
        return sorted(set(steps))
