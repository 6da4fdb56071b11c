"""From a tree to straight-line Python on float64, with a bound on its error.

The code of a property takes the values of a scenario, in the order of its definition, and returns the property's value
and the bound on its error. It computes a rounding, a comparison or a difference only where the error bound leaves no
doubt about the answer. Otherwise, and where float64 overflows or has no value, it raises, and the caller takes the
precise way. That is rare, and the price of it is paid only where it is needed.

Errors are counted in units of the rounding unit 2**-53. As long as nothing cancels they are known relative to the
value before there are numbers (a product of two inputs is off by at most five units); after a subtraction they are
computed along.

The source text holds names and numbers made here and nothing else: no text of a user gets into it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._tree import Tree, walk
from .functions import FUNCTIONS
from .precise import LARGEST_SUM

LARGEST_ERROR = 4000
"""Relative error, in rounding units, up to which a result counts as good: 4.4e-13."""
INPUT_ERROR = 2
"""An input is rounded once as a number and once by the factor of its unit."""
_LARGEST_WHOLE_POWER = 64
_DEEPEST_INDENT = 40
"""Python reads a hundred levels; what lies deeper is left to the precise way."""
_SAFE_RANGE = "1e-290 < abs({}) < 1e290"


class DoubtError(ArithmeticError):
    """Float64 can't tell here; the precise way has to."""


@dataclass(frozen=True)
class Known:
    """What is known of a value before it is computed.

    Attributes:
        relative: The bound on its relative error, or `None` where the bound is computed along.
        is_integer: Whether it is a whole number, kept as an `int`: exact, until it meets a float.
        sign: 1 if it is never negative, -1 if it is never positive, 0 if that is not known.
    """

    relative: int | None
    is_integer: bool
    sign: int


@dataclass(frozen=True)
class _Node:
    """A value in the code: the name of its variable, what is known of it, the variable of its absolute error."""

    code: str
    known: Known
    error: str = ""

    @property
    def bound(self) -> str:
        """Code of the absolute error."""
        if self.known.relative is None:
            return self.error
        return "0.0" if self.known.relative == 0 else f"{self.known.relative} * abs({self.code})"


Code = Callable[[list[Any], list[Any]], Any]


def compiled(tree: Tree, requires: tuple[Tree, ...], place_of: Callable[[Any], tuple[int, Known]]) -> tuple[Code, Known]:
    """Return the code of a property, and what is known of its value.

    Args:
        tree: The expression, in a stable form.
        requires: Conditions; where one is not certainly true, the code raises.
        place_of: The place of a name in the list of values, and what is known of it.

    Returns:
        A function of the list of values and the list of errors. It returns `(value, error)` where the error is
        computed along, else the value; for a condition a `bool`.
    """
    return _Emitter(place_of).function(tree, requires)


class _Emitter:
    def __init__(self, place_of: Callable[[Any], tuple[int, Known]]) -> None:
        self.place_of = place_of
        self.lines: list[str] = []
        self.indent = 1
        self.count = 0
        self.loaded: dict[Any, _Node] = {}

    def function(self, tree: Tree, requires: tuple[Tree, ...]) -> tuple[Code, Known]:
        for condition in requires:
            self.line(f"if not {self.condition(condition)}: raise DoubtError")
        if tree.is_condition:
            self.line(f"return {self.condition(tree)}")
            return self.finished(), Known(0, False, 0)
        node = self.node(tree)
        known = node.known
        if known.is_integer:
            self.line(f"return {node.code}")
        elif known.relative is not None and known.relative <= LARGEST_ERROR // 2:
            self.line(f"if not 1e-300 < abs({node.code}) < 1e308: raise DoubtError")
            self.line(f"return {node.code}")
        else:
            known = Known(None, False, known.sign)
            error = self.new(node.bound)
            self.line(f"if not (1e-300 < abs({node.code}) < 1e308 and {error} <= {LARGEST_ERROR} * abs({node.code})): raise DoubtError")
            self.line(f"return {node.code}, {error}")
        return self.finished(), known

    def finished(self) -> Code:
        source = "def code(v, e):\n" + "\n".join(self.lines)
        space = dict(_NAMES)
        exec(compile(source, "<compiled scenario>", "exec"), space)
        return space["code"]  # type: ignore[no-any-return]

    # --- lines -------------------------------------------------------------------------------------------------------

    def line(self, code: str) -> None:
        self.lines.append("    " * self.indent + code)

    def fresh(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def new(self, code: str) -> str:
        variable = self.fresh()
        self.line(f"{variable} = {code}")
        return variable

    def made(self, code: str, sign: int, *, relative: int | None, error: str = "", is_integer: bool = False) -> _Node:
        """Put a value into a variable, and its error too where that is computed along."""
        variable = self.new(code)
        known = Known(relative, is_integer, sign)
        if known.relative is None:
            return _Node(variable, known, self.new(error.replace("{y}", variable)))
        return _Node(variable, known)

    def in_range(self, node: _Node) -> _Node:
        """Refuse a part that has left the range in which float64 keeps its relative error."""
        if not node.known.is_integer:
            self.line(f"if not {_SAFE_RANGE.format(node.code)}: raise DoubtError")
        return node

    # --- values ------------------------------------------------------------------------------------------------------

    def node(self, tree: Tree) -> _Node:
        rule = _RULES.get(tree.head)
        return rule(self, tree) if rule else self.call(tree)

    def part(self, tree: Tree) -> _Node:
        """Return a value that goes on into a product or a function, where a loss of range would be hidden."""
        node = self.node(tree)
        return self.in_range(node) if tree.head in ("*", "/", "**", "exp") else node

    def name(self, tree: Tree) -> _Node:
        if tree.leaf not in self.loaded:
            place, known = self.place_of(tree.leaf)
            variable = self.new(f"v[{place}]")
            error = self.new(f"e[{place}]") if known.relative is None else ""
            self.loaded[tree.leaf] = _Node(variable, known, error)
        return self.loaded[tree.leaf]

    def number(self, tree: Tree) -> _Node:
        leaf = tree.leaf
        if leaf.is_Integer:
            return _Node(f"({int(leaf)})", Known(0, True, 1 if leaf >= 0 else -1))
        if leaf.is_infinite:
            self.line("raise DoubtError")
            return _Node("0.0", Known(0, False, 0))
        return _Node(f"({float(leaf)!r})", Known(1, False, 1 if leaf >= 0 else -1))

    def sum_of(self, tree: Tree) -> _Node:
        total = self.node(tree.args[0])
        for arg in tree.args[1:]:
            total = self.plus(total, self.node(arg), "+")
        return total

    def difference(self, tree: Tree) -> _Node:
        left, right = (self.node(arg) for arg in tree.args)
        return self.plus(left, right, "-")

    def plus(self, left: _Node, right: _Node, operator: str) -> _Node:
        right_sign = right.known.sign if operator == "+" else -right.known.sign
        sign = left.known.sign if left.known.sign == right_sign else 0
        code = f"{left.code} {operator} {right.code}"
        if left.known.is_integer and right.known.is_integer:
            return self.made(code, sign, relative=1, is_integer=True)
        if sign and left.known.relative is not None and right.known.relative is not None:
            return self.made(code, sign, relative=1 + max(left.known.relative, right.known.relative))
        return self.made(code, sign, relative=None, error=f"{left.bound} + {right.bound} + abs({{y}})")

    def product(self, tree: Tree) -> _Node:
        result = self.part(tree.args[0])
        for place, arg in enumerate(tree.args[1:]):
            if place:
                self.in_range(result)
            result = self.times(result, self.part(arg))
        return result

    def times(self, left: _Node, right: _Node) -> _Node:
        sign = left.known.sign * right.known.sign
        code = f"{left.code} * {right.code}"
        if left.known.is_integer and right.known.is_integer:
            return self.made(code, sign, relative=1, is_integer=True)
        if left.known.relative is not None and right.known.relative is not None:
            return self.made(code, sign, relative=left.known.relative + right.known.relative + 1)
        error = f"abs({left.code}) * ({right.bound}) + abs({right.code}) * ({left.bound}) + abs({{y}})"
        return self.made(code, sign, relative=None, error=error)

    def quotient(self, tree: Tree) -> _Node:
        left, right = (self.part(arg) for arg in tree.args)
        sign = left.known.sign * right.known.sign
        code = f"{left.code} / {right.code}"
        if left.known.relative is not None and right.known.relative is not None:
            return self.made(code, sign, relative=left.known.relative + right.known.relative + 1)
        error = f"({left.bound}) / abs({right.code}) + abs({{y}}) * (({right.bound}) / abs({right.code}) + 1)"
        # To first order only as long as the divisor's own error is small.
        self.line(f"if not {right.bound} <= 1e9 * abs({right.code}): raise DoubtError")
        return self.made(code, sign, relative=None, error=error)

    def power(self, tree: Tree) -> _Node:
        exponent = tree.args[1].leaf if tree.args[1].head == "number" else None
        if tree.args[1].head == "neg" and tree.args[1].args[0].head == "number":
            exponent = -tree.args[1].args[0].leaf
        if exponent is None or not exponent.is_Rational or abs(exponent) > _LARGEST_WHOLE_POWER:
            return self.general_power(tree)
        base = self.part(tree.args[0])
        if exponent.is_Integer:
            return self.whole_power(base, int(exponent))
        self.line(f"if not {base.code} > 0: raise DoubtError")
        root = f"sqrt({base.code})" if exponent == _half() else f"{base.code} ** {float(exponent)!r}"
        stretch = math.ceil(abs(exponent) * 2) / 2
        if base.known.relative is not None:
            return self.made(root, 1, relative=math.ceil(base.known.relative * stretch) + 3)
        return self.made(root, 1, relative=None, error=f"{{y}} * ({stretch} * ({base.bound}) / {base.code} + 3)")

    def whole_power(self, base: _Node, exponent: int) -> _Node:
        sign = 1 if exponent % 2 == 0 else base.known.sign
        code = f"{base.code} ** ({exponent})"
        if base.known.is_integer and exponent >= 0:
            return self.made(code, sign, relative=1, is_integer=True)
        if base.known.relative is not None:
            return self.made(code, sign, relative=abs(exponent) * base.known.relative + 2)
        return self.made(code, sign, relative=None, error=f"abs({{y}}) * ({abs(exponent)} * ({base.bound}) / abs({base.code}) + 2)")

    def general_power(self, tree: Tree) -> _Node:
        base, exponent = (self.part(arg) for arg in tree.args)
        self.line(f"if not {base.code} > 0: raise DoubtError")
        if base.known.is_integer or exponent.known.is_integer:
            code = f"float({base.code}) ** float({exponent.code})"
        else:
            code = f"{base.code} ** {exponent.code}"
        error = (
            f"{{y}} * (abs({exponent.code}) * ({base.bound}) / {base.code} + abs(log({base.code})) * ({exponent.bound}) + 3)"
        )
        return self.made(code, 1, relative=None, error=error)

    def negative(self, tree: Tree) -> _Node:
        arg = self.node(tree.args[0])
        known = Known(arg.known.relative, arg.known.is_integer, -arg.known.sign)
        return _Node(self.new(f"-{arg.code}"), known, arg.error)

    def absolute(self, tree: Tree) -> _Node:
        arg = self.node(tree.args[0])
        known = Known(arg.known.relative, arg.known.is_integer, 1)
        return _Node(self.new(f"abs({arg.code})"), known, arg.error)

    def extreme(self, tree: Tree) -> _Node:
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

    def rounding(self, tree: Tree) -> _Node:
        arg = self.node(tree.args[0])
        if arg.known.is_integer:
            return arg
        return self.rounded(arg, "ceil" if tree.head == "ceiling" else "floor")

    def rounded(self, arg: _Node, way: str) -> _Node:
        """Round where both ends of the error's interval round to the same number."""
        reach = self.new(f"({arg.bound} + abs({arg.code})) * 2.3e-16")
        low = self.new(f"{way}({arg.code} - {reach})")
        self.line(f"if {low} != {way}({arg.code} + {reach}): raise DoubtError")
        return _Node(low, Known(1, True, arg.known.sign))

    def modulo(self, tree: Tree) -> _Node:
        left, right = (self.node(arg) for arg in tree.args)
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

    def sign_of(self, tree: Tree) -> _Node:
        arg = self.node(tree.args[0])
        if not arg.known.is_integer:
            self.line(f"if not abs({arg.code}) > ({arg.bound}) * 2.3e-16: raise DoubtError")
        return self.made(f"({arg.code} > 0) - ({arg.code} < 0)", arg.known.sign, relative=1, is_integer=True)

    def call(self, tree: Tree) -> _Node:
        function = FUNCTIONS[tree.head]
        if not function.code or len(tree.args) != 1:
            self.line("raise DoubtError")
            return _Node("0.0", Known(0, False, 0))
        arg = self.part(tree.args[0])
        x = self.new(f"float({arg.code})") if arg.known.is_integer else arg.code
        error = function.error.replace("{x}", x).replace("{ex}", f"({arg.bound})")
        return self.made(function.code.replace("{x}", x), function.sign, relative=None, error=error)

    # --- choices and loops -------------------------------------------------------------------------------------------

    def piecewise(self, tree: Tree) -> _Node:
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
            return _Node(value, Known(1, True, sign))
        relatives = [known.relative for known in knowns]
        if None not in relatives:
            return _Node(value, Known(max(one for one in relatives if one is not None), False, sign))
        return _Node(value, Known(None, False, sign), error)

    def series(self, tree: Tree) -> _Node:
        body, index, low, high = tree.args
        first, last = (self.node(end) for end in (low, high))
        for end in (first, last):
            if not end.known.is_integer:
                self.line("raise DoubtError")
        self.line(f"if {last.code} - {first.code} >= {LARGEST_SUM}: raise DoubtError")
        total, error, place = self.new("0"), self.new("0.0"), self.fresh()
        outer = self.loaded
        self.loaded = {**outer, index.leaf: _Node(place, Known(1, True, 0))}
        self.line(f"for {place} in range({first.code}, {last.code} + 1):")
        self.indent += 1
        term = self.node(body)
        self.line(f"{total} += {term.code}")
        if not term.known.is_integer:
            self.line(f"{error} += {term.bound} + abs({total})")
        self.indent -= 1
        self.loaded = outer
        if term.known.is_integer:
            return _Node(total, Known(1, True, term.known.sign))
        return _Node(total, Known(None, False, term.known.sign), error)

    # --- conditions --------------------------------------------------------------------------------------------------

    def condition(self, tree: Tree) -> str:
        """Emit a condition and return the variable (or the word) that holds its truth."""
        if tree.head in ("true", "false"):
            return tree.head.title()
        if tree.head == "not":
            return self.new(f"not {self.condition(tree.args[0])}")
        if tree.head in ("and", "or"):
            return self.chain(tree)
        left, right = (self.node(arg) for arg in tree.args)
        if left.known.is_integer and right.known.is_integer:
            return self.new(f"{left.code} {tree.head} {right.code}")
        difference = self.new(f"{left.code} - {right.code}")
        self.line(f"if not abs({difference}) > ({left.bound} + {right.bound} + abs({difference})) * 2.3e-16: raise DoubtError")
        return self.new(f"{difference} {tree.head} 0")

    def chain(self, tree: Tree) -> str:
        """Emit `and` or `or`: a later part is computed only if the earlier ones leave it open."""
        truth = self.new(self.condition(tree.args[0]))
        outer_indent, outer_loaded = self.indent, self.loaded
        for arg in tree.args[1:]:
            self.line(f"if {truth}:" if tree.head == "and" else f"if not {truth}:")
            self.indent += 1
            self.loaded = dict(self.loaded)
            self.line(f"{truth} = {self.condition(arg)}")
        self.indent, self.loaded = outer_indent, outer_loaded
        return truth


def _half() -> Any:
    import sympy

    return sympy.Rational(1, 2)


def _positive(x: float) -> float:
    if not x > 0:
        raise DoubtError
    return x


_NAMES: dict[str, Any] = {
    "DoubtError": DoubtError,
    "positive": _positive,
    **{name: getattr(math, name) for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor",
        "gamma", "lgamma", "log", "log1p", "sin", "sinh", "sqrt", "tan", "tanh",
    )},
}  # fmt: skip

_RULES: dict[str, Callable[[_Emitter, Tree], _Node]] = {
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
