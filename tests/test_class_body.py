"""What a class body may say, and the words in which the rest is refused."""

from __future__ import annotations

import re

import pytest
import sympy

from symbolic_scenarios import Q_, Constant, Constraint, Input, Inverse, Property, Scenario, definition, units
from symbolic_scenarios.errors import DefinitionError, DimensionError


def parts():
    """Return inputs of several dimensions, new ones for each class."""
    return {
        "t": Input("s", "A time.", positive=True),
        "r": Input("1/s", "A rate.", positive=True),
        "b": Input("GB", "A size.", positive=True),
        "c": Input("USD", "A cost."),
        "f": Input("FLOP", "Work."),
        "l": Input("m", "A length."),
        "p": Input("", "A share.", within="(0, 1)"),
    }


def shop(**more):
    """Make the class `Shop` of the parts above and `more`, each made from the parts."""
    body = parts()
    for name, make in more.items():
        body[name] = make(**{key: body[key] for key in make.__code__.co_varnames[: make.__code__.co_argcount]})
    return type("Shop", (Scenario,), body)


def place(name):
    return rf"Shop\.{name} \(test_class_body\.py:\d+\): "


class TestDimensions:
    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (
                lambda t, r: Property(t + r, "s"),
                "the parts of `t + r` have different dimensions: found `r` in 1/s, expected s, as `t` has. "
                "One is the reciprocal of the other: invert one of them.",
            ),
            (
                lambda b: Property(b + 2, "GB"),
                "the parts of `b + 2` have different dimensions: found `2`, a plain number, expected GB, as `b` has. "
                "A plain number in it needs a unit: make it an Input or a Constant.",
            ),
            (
                lambda c, f: Property(c + f, "USD"),
                "the parts of `c + f` have different dimensions: found `f` in FLOP, expected USD, as `c` has. "
                "Bring both to one dimension, or look for a missing factor.",
            ),
            (
                lambda b: Property(sympy.exp(b), ""),
                "`exp(b)` needs a plain number: found `b` in GB. Divide it by a quantity of its dimension.",
            ),
            (
                lambda l: Property(l**l, "m"),  # noqa: E741 (a length)
                "the exponent of `l**l` must be a plain number: found `l` in m. Divide it by a quantity of its dimension.",
            ),
            (
                lambda l, p: Property(l**p, "m"),  # noqa: E741 (a length)
                "in `l**p` the unit of the result would depend on the exponent: found `l` in m to the power of `p`. "
                "Raise a ratio of two such quantities to that power.",
            ),
            (
                lambda t: Property(sympy.ceiling(t), "s"),
                "`ceiling(t)` needs a plain number: found `t` in s. Divide it by a quantity of its dimension.",
            ),
            (
                lambda t: Property(t * 2, "GB"),
                "the expression `t * 2` has another dimension than the declared unit: found s, expected GB. "
                'Declare a unit of its dimension, such as "s", or mend the expression.',
            ),
            (
                lambda t: Property(t / t, "s"),
                "the expression `t/t` has another dimension than the declared unit: found a plain number, expected s. "
                'Declare the unit "", or mend the expression.',
            ),
            (
                lambda t: Property(t, "s", requires=t > 1),
                "the parts of `t > 1` have different dimensions: found `1`, a plain number, expected s, as `t` has. "
                "A plain number in it needs a unit: make it an Input or a Constant.",
            ),
            (
                lambda t, r, p: Property(sympy.Piecewise((t, p > 1), (r, True)), "s"),
                "the parts of `(t if p > 1, else r)` have different dimensions: found `r` in 1/s, expected s, as `t` has. "
                "One is the reciprocal of the other: invert one of them.",
            ),
            (
                lambda t, p: Property(sympy.Sum(p, (sympy.Symbol("k"), 1, t)), ""),
                "the ends of `sum(p, k, 1, t)` must be plain numbers: found `t` in s",
            ),
            (
                lambda t, r: Property(sympy.Mod(t, r), "s"),
                "the parts of `mod(t, r)` have different dimensions: found `r` in 1/s, expected s, as `t` has. "
                "One is the reciprocal of the other: invert one of them.",
            ),
            (
                lambda t, r: Property(sympy.Max(t, r), "s"),
                "the parts of `max(t, r)` have different dimensions: found `r` in 1/s, expected s, as `t` has. "
                "One is the reciprocal of the other: invert one of them.",
            ),
            (lambda t, r: Property(sympy.log(t) + r, ""), "`log(t)` needs a plain number: found `t` in s. Divide it by a quantity of its dimension."),
        ],
    )  # fmt: skip
    def test_what_does_not_fit_is_refused_and_the_term_named(self, make, words):
        with pytest.raises(DimensionError, match=place("x") + re.escape(words) + "$"):
            shop(x=make)

    @pytest.mark.parametrize(
        ("make", "unit"),
        [
            (lambda t, r: t * r, ""),
            (lambda b, t: b / t, "GB/s"),
            (lambda t: t**2, "s**2"),
            (lambda l: sympy.sqrt(l**2), "m"),  # noqa: E741 (a length)
            (lambda t: t ** sympy.Rational(-1, 2), "s**-0.5"),
            (lambda t: sympy.Max(t, 0), "s"),
            (lambda t: sympy.Min(t, sympy.oo), "s"),
            (lambda t: abs(t - 2 * t), "s"),
            (lambda t: sympy.Mod(t, t), "s"),
            (lambda p: sympy.erf(p) + sympy.gamma(p) + sympy.sin(p) ** 2 + sympy.exp(-p), ""),
            (lambda t, p: sympy.Piecewise((t, p < sympy.Rational(1, 2)), (0, True)), "s"),
            (lambda t: sympy.Sum(t * sympy.Symbol("k"), (sympy.Symbol("k"), 1, 4)), "s"),
            (lambda b: b * 8, "Gbit"),
            (lambda p: p, "%"),
        ],
    )
    def test_what_fits_is_taken(self, make, unit):
        names = make.__code__.co_varnames[: make.__code__.co_argcount]
        body = parts()
        body["x"] = Property(make(*(body[name] for name in names)), unit)
        assert "x" in definition(type("Shop", (Scenario,), body)).properties


class TestMistakes:
    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (
                lambda p: Property(0.5 * p, ""),
                "a float literal is not exact: found 0.5. "
                "Write sympy.Rational(1, 2), or an Input or a Constant with a unit and a source.",
            ),
            (
                lambda p: Property(sympy.exp(0.1 * p), ""),
                "a float literal is not exact: found 0.1. "
                "Write sympy.Rational(1, 10), or an Input or a Constant with a unit and a source.",
            ),
            (lambda t: Property(t, "sec onds"), "the unit can't be read: the unit is unknown: found 'onds' in 'sec onds'."),
            (lambda t: Property(t, None), "the unit is no text: found None."),
            (lambda t: Property("t*2", "s"), "the expression is made of declarations and exact numbers: found 't*2' (str)"),
            (lambda t: Property(t + Q_("3 s"), "s"), "a quantity can't stand in an expression: found 3 s. Make it a Constant("),
            (lambda t: Property(t + 3 * units.s, "s"), "a quantity can't stand in an expression: found 3 s. Make it a Constant("),
            (lambda t: Property(t, "s", requires=(t == t)), "requires takes a comparison: found True. Write `a < b`"),
            (lambda t: Property(t, "s", requires=t), "requires takes a comparison: found `t`. Compare it: `... > 0`."),
            (lambda p: Property(sympy.besselj(0, p), ""), "the function is not supported in a definition: found `besselj`"),
            (lambda p: Property(sympy.Symbol("z") * p, ""), "the expression uses a name that is not declared above it in this class: found `z`"),
            (lambda p: Property(Input("") * p, ""), "the expression uses a declaration that is not above it in this class"),
            (lambda p: Property(sympy.sqrt(2 * Input("")) * p, ""), "the expression uses a declaration that is not above it in this class"),
            (lambda p: Property(sympy.I * p, ""), "the expression is made of declarations and exact numbers: found 'I'"),
            (lambda p: Property(p > 0, ""), "a property is a quantity, not a condition: found `p > 0`."),
            (lambda p: Property(p, "", latex=r"\href{javascript:x}{y}"), r"the LaTeX symbol has a command that is not for symbols, `\href`"),
            (lambda p: Property(p, "", latex="T_{c"), "the LaTeX symbol has braces that do not match"),
            (lambda: Input("", within="0..1"), "within= is no interval: found '0..1'"),
            (lambda: Input("s", within="[0, 5 GB]"), "an end of within= has another dimension: found '5 GB', expected s"),
            (lambda: Input("", positive=True, within="[-2, 0]"), "no value lies in the domain"),
            (lambda: Input("s", integer=True), 'integer=True is for counts, which have no unit: found s, expected the unit ""'),
            (lambda: Input("s", default=3), 'the default is no value of the input: the value has no unit: found 3, expected a value in s'),
            (lambda: Input("", positive=True, default=-3), "the default is no value of the input: the value is outside the domain: found -3"),
            (lambda: Constant(0.5), "a float literal is not exact: found 0.5."),
            (lambda: Constant("989 FLPO/s"), "the unit is unknown: found 'FLPO' in '989 FLPO/s'. Is FLOP (flop) meant?"),
            (lambda p: Inverse(p, equals=1, solve_for=p), "an Inverse is of a property: found `p`, an input."),
            (lambda t: Inverse("x", equals=1, solve_for=t), "an Inverse names a property and an input of its own class: found 'x'."),
            (lambda t: Constraint(t, "x"), "a Constraint takes a comparison: found `t`."),
        ],
    )  # fmt: skip
    def test_each_has_its_own_words(self, make, words):
        with pytest.raises(DefinitionError, match=place("x") + re.escape(words)):
            shop(x=make)

    @pytest.mark.parametrize("name", ["name", "description", "variant", "_hidden"])
    def test_reserved_names_are_refused(self, name):
        with pytest.raises(DefinitionError, match=re.escape(f"the name is reserved: found `{name}`")):
            shop(**{name: lambda p: Property(p, "")})

    def test_one_declaration_has_one_name(self):
        with pytest.raises(DefinitionError, match=r"one declaration has two names: found Shop\.p and Shop\.q"):
            shop(q=lambda p: p)

    def test_pythons_max_if_and_chained_comparisons_are_refused_where_they_stand(self):
        p = Input("")
        for use in (lambda: max(p, 2 * p), lambda: 0 < p < 1, lambda: 1 if p > 0 else 2):
            with pytest.raises(
                DefinitionError, match=r"neither true nor false before there are values\. Write sympy\.Max"
            ):
                use()

    def test_pythons_functions_of_floats_are_refused_where_they_stand(self):
        import math

        p = Input("")
        for use in (lambda: math.exp(p), lambda: int(p), lambda: round(p)):
            with pytest.raises(DefinitionError, match=r"has no number yet\. Use SymPy's functions"):
                use()

    def test_a_derivative_in_a_class_body_is_refused_not_zero(self):
        p = Input("")
        with pytest.raises(DefinitionError, match="a property is only a name"):
            sympy.diff(p * p, p)

    def test_an_inverse_with_a_target_of_another_dimension_is_refused(self):
        with pytest.raises(
            DefinitionError,
            match="the target has another dimension than the property: found 1 GB, expected a quantity in s",
        ):
            shop(x=lambda t, p: Property(t * p, "s"), y=lambda x, t: Inverse(x, equals="1 GB", solve_for=t))

    def test_a_class_with_inputs_is_final(self):
        with pytest.raises(
            DefinitionError,
            match="a scenario class is final: a different law is a different class: found a subclass of Shop",
        ):
            type("Special", (shop(),), {})

    def test_mathematics_of_another_class_is_refused(self):
        other = shop()
        with pytest.raises(DefinitionError, match="a name that is not declared above it in this class: found `p`"):
            type("Second", (Scenario,), {"q": (q := Input("")), "x": Property(other.p * q, "")})

    def test_an_expression_of_thousands_of_terms_is_refused(self):
        with pytest.raises(DefinitionError, match="an expression is too large: found 5001 parts"):
            shop(x=lambda p: Property(sum(p for _ in range(6000)), ""))


class TestAsWritten:
    """The definition holds the expression as it was written, and the equation as SymPy has it."""

    def test_sympy_rewrites_nothing(self):
        from symbolic_scenarios._text import text

        cls = type(
            "Fall",
            (Scenario,),
            {
                "h": (h := Input("m", positive=True)),
                "g": (g := Input("m/s**2", positive=True)),
                "n": (n := Input("", positive=True)),
                "time": Property(sympy.sqrt(2 * h / g), "s"),
                "difference": Property(g - h * g / h, "m/s**2"),
                "cancelled": Property(n * h / n, "m"),
                "inner": Property(sympy.Max(n - 1, 0) * n + sympy.exp(-(n + 2 * n)), ""),
            },
        )
        written = {name: text(part.tree) for name, part in definition(cls).properties.items()}
        assert written == {
            "time": "sqrt(2 * h / g)",
            "difference": "g - h * g / h",
            "cancelled": "n * h / n",
            "inner": "max(n - 1, 0) * n + exp(-(n + 2 * n))",
        }
        assert cls.cancelled == cls.h

    def test_sympy_behaves_as_the_record_assumes(self):
        """Pins of SymPy: if one fails, the reason for keeping expressions as written has changed."""
        h, g = sympy.symbols("h g", positive=True)
        assert sympy.sqrt(2 * h / g) == sympy.sqrt(2) * sympy.sqrt(h) / sympy.sqrt(g)
        assert str(g - h) == "g - h"
        assert str(h - g) == "-g + h"
        assert h * g / g == h
        assert sympy.Piecewise((g, h > 0), (h, True)) == g
        assert sympy.Eq(h, h) == sympy.true

    def test_names_of_sympys_own_objects_are_ordinary_inputs(self):
        names = ["E", "I", "S", "N", "pi", "e", "beta", "gamma", "lambda_", "sqrt", "max", "Q", "C", "O"]
        body = {name: Input("") for name in names}
        body["total"] = Property(
            sympy.pi * body["pi"] + body["E"] * body["I"] + body["S"] / body["N"] + sum(body[n] for n in names[5:]), ""
        )
        cls = type("Names", (Scenario,), body)
        scenario = cls(**{name: place for place, name in enumerate(names, 1)})
        assert scenario.total == pytest.approx(3.141592653589793 * 5 + 1 * 2 + 3 / 4 + sum(range(6, 15)), rel=1e-14)
        assert cls.total.diff(cls.pi) == sympy.pi
        assert cls.total.has(cls.E)
        assert not cls.total.has(sympy.E)


class TestTheClass:
    def test_a_chain_of_a_thousand_properties_works_and_its_closed_form_is_refused_by_name(self):
        body = {"x0": (before := Input("")), "x1": (last := Input(""))}
        for place in range(2, 1000):
            before, last = last, Property(last / 2 + before / 3, "")
            body[f"x{place}"] = last
        cls = type("Chain", (Scenario,), body)
        by_hand = [1.5, 2.5]
        while len(by_hand) < 1000:
            by_hand.append(by_hand[-1] / 2 + by_hand[-2] / 3)
        assert cls(x0=1.5, x1=2.5).x999 == pytest.approx(by_hand[-1], rel=1e-10)
        with pytest.raises(DefinitionError, match=r"Chain\.x999: its closed form is too large to be written out"):
            _ = cls.x999

    def test_help_reads_every_attribute_and_answers(self):
        import pydoc

        text = pydoc.render_doc(shop(x=lambda t, r: Property(t * r, "", "A product.")))
        assert "class Shop" in text

    def test_ordinary_methods_live_beside_declarations(self):
        class Own(Scenario):
            a: Input[float] = Input("", "")
            twice = Property(a * 2, "", "")

            def greeting(self) -> str:
                return f"twice is {self.twice:g}"

        assert Own(a=2).greeting() == "twice is 4"


class TestFoundByReview:
    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (lambda p: Property(sympy.Sum(p**2, (p, 1, 3)), ""), "a Sum has one index, a symbol of its own"),
            (lambda p: p * 2, "an expression stands there without a declaration"),
            (lambda t, b: Property(0 * b + t, "s"), "the parts of `0 * b + t` have different dimensions"),
            (lambda: Input("", integer=True, within="(0, 1)"), "no value lies in the domain"),
            (lambda: Input("", within="[x, 3]"), "within= is no interval"),
            (lambda: Constant("1e300 PB"), "the value is beyond what a float can hold in base units"),
            (lambda p: Property(p, "", otherwise=None), "otherwise= is no text"),
            (lambda p: Property(sympy.Piecewise((p < 1, p > 0), (p > 1, True)), ""), "a number is expected in"),
        ],
    )
    def test_a_mistake_is_refused(self, make, words):
        with pytest.raises(DefinitionError, match=re.escape(words)):
            shop(x=make)

    def test_pythons_equality_and_truth_are_refused_where_they_stand(self):
        a, b = Input(""), Input("")
        for use in (lambda: a == b, lambda: a != 3, lambda: 2 * a == sympy.pi):
            with pytest.raises(DefinitionError, match=r"Write sympy\.Eq\(a, b\)"):
                use()
        for use in (lambda: 3 if a else 4, lambda: a and b, lambda: not a):
            with pytest.raises(DefinitionError, match="neither true nor false"):
                use()

    def test_an_init_a_keyword_and_a_bare_annotation_are_refused(self):
        with pytest.raises(DefinitionError, match="no `__init__` of its own"):
            type("Own", (Scenario,), {"__init__": lambda self: None})
        with pytest.raises(DefinitionError, match="no Python identifier"):
            shop(**{"lambda": lambda p: Property(p, "")})
        with pytest.raises(DefinitionError, match="an input is annotated and not declared"):
            type("Bare", (Scenario,), {"__annotations__": {"a": "Input[float]"}})

    def test_ends_of_a_domain_in_degrees_are_degrees(self):
        cls = type("Angle", (Scenario,), {"x": Input("degree", within="[0, 90]")})
        assert cls(x="89 degree").x.magnitude == 89
        with pytest.raises(ValueError, match="outside the domain"):
            cls(x="91 degree")

    def test_inputs_may_be_called_self_x_and_unknown(self):
        from symbolic_scenarios import solve_for

        cls = type(
            "Odd",
            (Scenario,),
            {"self": (s := Input("", positive=True)), "x": Property(s * 2, ""), "unknown": Property(s * 3, "")},
        )
        scenario = cls(self=2).variant(self=3)
        assert (scenario.x, solve_for(scenario, "self", x=8).value, solve_for(scenario, "self", unknown=9).value) == (
            6,
            4,
            3,
        )

    def test_a_sum_by_python_starts_with_its_first_term(self):
        from symbolic_scenarios._text import text

        cls = shop(x=lambda t: Property(sum([t, t]), "s"))
        assert text(definition(cls).properties["x"].tree) == "t + t"
