"""From a tree to straight-line Python on float64, with a bound on its error.

The code of a property takes the values of a scenario, in the order of its definition, and returns the property's value
and the bound on its error. It computes a rounding, a comparison or a difference only where the error bound leaves no
doubt about the answer. Otherwise, and where float64 overflows or has no value, it raises, and the caller takes the
precise way. That is rare, and the price of it is paid only where it is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import sympy

from .._balls import LARGEST_SUM
from .._tree import Tree
from .code import Code, Known, Node, Writer
from .functions import FUNCTIONS

LARGEST_ERROR = 4000
"""Relative error, in rounding units, up to which a result counts as good: 4.4e-13."""
INPUT_ERROR = 2
"""An input is rounded once as a number and once by the factor of its unit."""
_LARGEST_WHOLE_POWER = 64
_DEEPEST_INDENT = 40
"""Python reads a hundred levels; what lies deeper is left to the precise way."""


def compiled(
    tree: Tree, requires: tuple[Tree, ...], is_whole: bool, place_of: Callable[[Any], tuple[int, Known]]
) -> tuple[Code, Known]:
    """Return the code of a property, and what is known of its value.

    Args:
        tree: The expression, in a stable form.
        requires: Conditions; where one is not certainly true, the code raises.
        is_whole: Whether the value is to be an `int`.
        place_of: The place of a name in the list of values, and what is known of it.

    Returns:
        A function of the list of values and the list of errors. It returns `(value, error)` where the error is
        computed along, else the value; for a condition a `bool`.
    """
    return _Emitter(place_of).function(tree, requires, is_whole)


class _Emitter(Writer):
    def __init__(self, place_of: Callable[[Any], tuple[int, Known]]) -> None:
        super().__init__()
        self.place_of = place_of
        self.loaded: dict[Any, Node] = {}

    def function(self, tree: Tree, requires: tuple[Tree, ...], is_whole: bool) -> tuple[Code, Known]:
        for condition in requires:
            self.line(f"if not {self.condition(condition)}: raise DoubtError")
        if tree.is_condition:
            self.line(f"return {self.condition(tree)}")
            return self.finished(), Known(0, False, 0)
        node = self.node(tree)
        known = node.known
        if is_whole:
            # A whole number that float64 had a part in is not certain.
            self.line(f"return whole({node.code})" if known.is_integer else "raise DoubtError")
            known = Known(1, True, known.sign)
        elif known.is_integer:
            self.line(f"return float({node.code})")
            known = Known(1, False, known.sign)
        elif known.relative is not None and known.relative <= LARGEST_ERROR // 2:
            self.line(f"if not 1e-300 < abs({node.code}) < 1e308: raise DoubtError")
            self.line(f"return {node.code}")
        else:
            known = Known(None, False, known.sign)
            error = self.new(node.bound)
            self.line(f"if not 1e-300 < abs({node.code}) < 1e308: raise DoubtError")
            self.line(f"if not {error} <= {LARGEST_ERROR} * abs({node.code}): raise DoubtError")
            self.line(f"return {node.code}, {error}")
        return self.finished(), known

    # --- values ------------------------------------------------------------------------------------------------------

    def node(self, tree: Tree) -> Node:
        rule = _RULES.get(tree.head)
        return rule(self, tree) if rule else self.call(tree)

    def part(self, tree: Tree) -> Node:
        """Return a value that goes on into something where a loss of range would be hidden."""
        node = self.node(tree)
        return node if tree.head in ("name", "number") else self.in_range(node)

    def name(self, tree: Tree) -> Node:
        if tree.leaf not in self.loaded:
            place, known = self.place_of(tree.leaf)
            variable = self.new(f"v[{place}]")
            error = self.new(f"e[{place}]") if known.relative is None else ""
            self.loaded[tree.leaf] = Node(variable, known, error)
        return self.loaded[tree.leaf]

    def number(self, tree: Tree) -> Node:
        leaf = tree.leaf
        if leaf.is_infinite or (leaf != 0 and not 1e-290 < abs(leaf) < 1e290):
            return self.doubt()
        if leaf.is_Integer:
            return Node(f"({int(leaf)})", Known(0, True, 1 if leaf >= 0 else -1))
        return Node(f"({float(leaf)!r})", Known(1, False, 1 if leaf >= 0 else -1))

    def sum_of(self, tree: Tree) -> Node:
        total = self.node(tree.args[0])
        for arg in tree.args[1:]:
            total = self.plus(total, self.node(arg), "+")
        return total

    def difference(self, tree: Tree) -> Node:
        left, right = (self.node(arg) for arg in tree.args)
        return self.plus(left, right, "-")

    def plus(self, left: Node, right: Node, operator: str) -> Node:
        right_sign = right.known.sign if operator == "+" else -right.known.sign
        sign = left.known.sign if left.known.sign == right_sign else 0
        code = f"{left.code} {operator} {right.code}"
        if left.known.is_integer and right.known.is_integer:
            return self.made(code, sign, relative=1, is_integer=True)
        if sign and left.known.relative is not None and right.known.relative is not None:
            return self.made(code, sign, relative=1 + max(left.known.relative, right.known.relative))
        return self.made(code, sign, relative=None, error=f"{left.bound} + {right.bound} + abs({{y}})")

    def product(self, tree: Tree) -> Node:
        result = self.part(tree.args[0])
        for place, arg in enumerate(tree.args[1:]):
            if place:
                self.in_range(result)
            result = self.times(result, self.part(arg))
        return result

    def times(self, left: Node, right: Node) -> Node:
        sign = left.known.sign * right.known.sign
        code = f"{left.code} * {right.code}"
        if left.known.is_integer and right.known.is_integer:
            return self.made(code, sign, relative=1, is_integer=True)
        if left.known.relative is not None and right.known.relative is not None:
            return self.made(code, sign, relative=left.known.relative + right.known.relative + 1)
        error = f"abs({left.code}) * ({right.bound}) + abs({right.code}) * ({left.bound}) + abs({{y}})"
        return self.made(code, sign, relative=None, error=error)

    def quotient(self, tree: Tree) -> Node:
        left, right = (self.part(arg) for arg in tree.args)
        sign = left.known.sign * right.known.sign
        code = f"{left.code} / {right.code}"
        if left.known.relative is not None and right.known.relative is not None:
            return self.made(code, sign, relative=left.known.relative + right.known.relative + 1)
        error = f"({left.bound}) / abs({right.code}) + abs({{y}}) * (({right.bound}) / abs({right.code}) + 1)"
        self.first_order(right)
        return self.made(code, sign, relative=None, error=error)

    def power(self, tree: Tree) -> Node:
        exponent = tree.args[1].leaf if tree.args[1].head == "number" else None
        if tree.args[1].head == "neg" and tree.args[1].args[0].head == "number":
            exponent = -tree.args[1].args[0].leaf
        if exponent is None or not exponent.is_Rational or abs(exponent) > _LARGEST_WHOLE_POWER:
            return self.general_power(tree)
        base = self.part(tree.args[0])
        if exponent.is_Integer:
            return self.whole_power(base, int(exponent))
        self.line(f"if not {base.code} > 0: raise DoubtError")
        root = f"sqrt({base.code})" if exponent == sympy.Rational(1, 2) else f"{base.code} ** {float(exponent)!r}"
        stretch = math.ceil(abs(exponent) * 2) / 2
        # An exponent that float64 does not hold is off by up to half a unit, times the logarithm of the base (< 710).
        own = 3 if float(exponent) == exponent else 3 + math.ceil(abs(exponent) * 360)
        if base.known.relative is not None:
            return self.made(root, 1, relative=math.ceil(base.known.relative * stretch) + own)
        self.first_order(base)
        return self.made(root, 1, relative=None, error=f"{{y}} * ({stretch} * ({base.bound}) / {base.code} + {own})")

    def whole_power(self, base: Node, exponent: int) -> Node:
        sign = 1 if exponent % 2 == 0 else base.known.sign
        code = f"{base.code} ** ({exponent})"
        if base.known.is_integer and exponent >= 0:
            return self.made(code, sign, relative=1, is_integer=True)
        if base.known.relative is not None:
            return self.made(code, sign, relative=abs(exponent) * base.known.relative + 2)
        self.first_order(base)
        error = f"abs({{y}}) * ({abs(exponent)} * ({base.bound}) / abs({base.code}) + 2)"
        return self.made(code, sign, relative=None, error=error)

    def general_power(self, tree: Tree) -> Node:
        base, exponent = (self.part(arg) for arg in tree.args)
        self.line(f"if not {base.code} > 0: raise DoubtError")
        if base.known.is_integer or exponent.known.is_integer:
            code = f"float({base.code}) ** float({exponent.code})"
        else:
            code = f"{base.code} ** {exponent.code}"
        passed_on = f"abs({exponent.code}) * ({base.bound}) / {base.code} + abs(log({base.code})) * ({exponent.bound})"
        self.line(f"if not {passed_on} <= 1e9: raise DoubtError")
        error = f"{{y}} * ({passed_on} + 3)"
        return self.made(code, 1, relative=None, error=error)

    def negative(self, tree: Tree) -> Node:
        arg = self.node(tree.args[0])
        known = Known(arg.known.relative, arg.known.is_integer, -arg.known.sign)
        return Node(self.new(f"-{arg.code}"), known, arg.error)

    def absolute(self, tree: Tree) -> Node:
        arg = self.node(tree.args[0])
        known = Known(arg.known.relative, arg.known.is_integer, 1)
        return Node(self.new(f"abs({arg.code})"), known, arg.error)

    def extreme(self, tree: Tree) -> Node:
        nodes = [self.node(arg) for arg in tree.args]
        code = f"{tree.head}({', '.join(node.code for node in nodes)})"
        signs = {node.known.sign for node in nodes}
        sign = signs.pop() if len(signs) == 1 else 1 if tree.head == "max" and 1 in signs else 0
        if all(node.known.is_integer for node in nodes):
            return self.made(code, sign, relative=1, is_integer=True)
        relatives = [node.known.relative for node in nodes]
        if None not in relatives:
            return self.made(f"float({code})", sign, relative=max(one for one in relatives if one is not None))
        return self.made(f"float({code})", sign, relative=None, error=f"max({', '.join(node.bound for node in nodes)})")

    def rounding(self, tree: Tree) -> Node:
        arg = self.part(tree.args[0])
        if arg.known.is_integer:
            return arg
        return self.rounded(arg, "ceil" if tree.head == "ceiling" else "floor")

    def rounded(self, arg: Node, way: str) -> Node:
        """Round where both ends of the error's interval round to the same number."""
        reach = self.new(f"({arg.bound} + abs({arg.code})) * 2.3e-16")
        low = self.new(f"{way}({arg.code} - {reach})")
        self.line(f"if {low} != {way}({arg.code} + {reach}): raise DoubtError")
        return Node(low, Known(1, True, arg.known.sign))

    def modulo(self, tree: Tree) -> Node:
        left, right = (self.part(arg) for arg in tree.args)
        if left.known.is_integer and right.known.is_integer:
            return self.made(f"{left.code} % {right.code}", right.known.sign, relative=1, is_integer=True)
        ratio = self.made(
            f"{left.code} / {right.code}",
            0,
            relative=None,
            error=f"({left.bound}) / abs({right.code}) + abs({{y}}) * (({right.bound}) / abs({right.code}) + 1)",
        )
        whole = self.rounded(ratio, "floor")
        error = f"{left.bound} + abs({whole.code}) * ({right.bound}) + 2 * abs({left.code}) + abs({{y}})"
        return self.made(f"{left.code} - {right.code} * {whole.code}", right.known.sign, relative=None, error=error)

    def sign_of(self, tree: Tree) -> Node:
        arg = self.node(tree.args[0])
        if not arg.known.is_integer:
            self.line(f"if not abs({arg.code}) > ({arg.bound}) * 2.3e-16: raise DoubtError")
        return self.made(f"({arg.code} > 0) - ({arg.code} < 0)", arg.known.sign, relative=1, is_integer=True)

    def doubt(self) -> Node:
        """Leave it to the precise way."""
        self.line("raise DoubtError")
        return Node("0.0", Known(None, False, 0), "0.0")

    def first_order(self, arg: Node, room: str = "abs({x})") -> None:
        """Refuse an argument whose error is not small against the room in which a first-order bound is good."""
        if arg.known.relative is None or room != "abs({x})":
            self.line(f"if not {arg.bound} <= 1e9 * {room.replace('{x}', arg.code)}: raise DoubtError")

    def call(self, tree: Tree) -> Node:
        function = FUNCTIONS.get(tree.head)
        if function is None:
            return self.doubt()
        arg = self.part(tree.args[0])
        self.first_order(arg, function.room)
        x = self.new(f"float({arg.code})") if arg.known.is_integer else arg.code
        error = function.error.replace("{x}", x).replace("{ex}", f"({arg.bound})")
        return self.made(function.code.replace("{x}", x), function.sign, relative=None, error=error)

    # --- choices and loops -------------------------------------------------------------------------------------------

    def piecewise(self, tree: Tree) -> Node:
        value, error = self.fresh(), self.fresh()
        outer_indent, outer_loaded = self.indent, self.loaded
        knowns = []
        for branch, condition in tree.pieces:
            if self.indent > _DEEPEST_INDENT:
                break
            self.line(f"if {self.condition(condition)}:")
            self.indent += 1
            loaded = self.loaded
            self.loaded = dict(loaded)
            node = self.node(branch)
            self.line(f"{value} = {node.code}")
            self.line(f"{error} = {node.bound}")
            knowns.append(node.known)
            self.loaded = dict(loaded)
            self.indent -= 1
            self.line("else:")
            self.indent += 1
        self.line("raise DoubtError")
        self.indent, self.loaded = outer_indent, outer_loaded
        signs = {known.sign for known in knowns}
        sign = signs.pop() if len(signs) == 1 else 0
        if all(known.is_integer for known in knowns):
            return Node(value, Known(1, True, sign))
        self.line(f"{value} = float({value})")
        relatives = [known.relative for known in knowns]
        if None not in relatives:
            return Node(value, Known(max(one for one in relatives if one is not None), False, sign))
        return Node(value, Known(None, False, sign), error)

    def series(self, tree: Tree) -> Node:
        body, index, low, high = tree.args
        first, last = (self.node(end) for end in (low, high))
        for end in (first, last):
            if not end.known.is_integer:
                self.line("raise DoubtError")
        self.line(f"if not -1 <= {last.code} - {first.code} < {LARGEST_SUM}: raise DoubtError")
        terms, error, place = self.new("[]"), self.new("0.0"), self.fresh()
        outer = self.loaded
        self.loaded = {**outer, index.leaf: Node(place, Known(1, True, 0))}
        self.line(f"for {place} in range({first.code}, {last.code} + 1):")
        self.indent += 1
        term = self.node(body)
        self.line(f"{terms}.append({term.code})")
        if not term.known.is_integer:
            self.line(f"{error} += {term.bound}")
        self.indent -= 1
        self.loaded = outer
        if term.known.is_integer:
            return self.made(f"sum({terms})", term.known.sign, relative=1, is_integer=True)
        return self.made(f"fsum({terms})", term.known.sign, relative=None, error=f"{error} + abs({{y}})")

    # --- conditions --------------------------------------------------------------------------------------------------

    def condition(self, tree: Tree) -> str:
        """Emit a condition and return the variable (or the word) that holds its truth."""
        if tree.head in ("true", "false"):
            return tree.head.title()
        if tree.head == "not":
            return self.new(f"not {self.condition(tree.args[0])}")
        if tree.head in ("and", "or"):
            return self.chain(tree)
        left, right = (self.part(arg) for arg in tree.args)
        if left.known.is_integer and right.known.is_integer:
            # The difference, because what has no value would compare unequal instead of failing.
            return self.new(f"{left.code} - {right.code} {tree.head} 0")
        difference = self.new(f"{left.code} - {right.code}")
        self.line(
            f"if not abs({difference}) > ({left.bound} + {right.bound} + abs({difference})) * 2.3e-16: raise DoubtError"
        )
        return self.new(f"{difference} {tree.head} 0")

    def chain(self, tree: Tree) -> str:
        """Emit `and` or `or`: a later part is computed only if the earlier ones leave it open."""
        truth = self.new(self.condition(tree.args[0]))
        outer_indent, outer_loaded = self.indent, self.loaded
        for arg in tree.args[1:]:
            if self.indent > _DEEPEST_INDENT:
                self.line("raise DoubtError")
                break
            self.line(f"if {truth}:" if tree.head == "and" else f"if not {truth}:")
            self.indent += 1
            self.loaded = dict(self.loaded)
            self.line(f"{truth} = {self.condition(arg)}")
        self.indent, self.loaded = outer_indent, outer_loaded
        return truth


_RULES: dict[str, Callable[[_Emitter, Tree], Node]] = {
    "name": _Emitter.name,
    "number": _Emitter.number,
    "+": _Emitter.sum_of,
    "-": _Emitter.difference,
    "*": _Emitter.product,
    "/": _Emitter.quotient,
    "**": _Emitter.power,
    "neg": _Emitter.negative,
    "abs": _Emitter.absolute,
    "min": _Emitter.extreme,
    "max": _Emitter.extreme,
    "ceiling": _Emitter.rounding,
    "floor": _Emitter.rounding,
    "mod": _Emitter.modulo,
    "sign": _Emitter.sign_of,
    "piecewise": _Emitter.piecewise,
    "sum": _Emitter.series,
}
