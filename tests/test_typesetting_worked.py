"""Worked equations: whoever computes with the numbers shown gets the result shown."""

import re
from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symbolic_scenarios import Constant, Input, Inverse, Property, Scenario
from symbolic_scenarios._typesetting import equations, latex, latex_quantity
from symbolic_scenarios._typesetting.targets import readable
from symbolic_scenarios._typesetting.worked import Worked
from symbolic_scenarios._units import parse_unit
from symbolic_scenarios.catalogue.optimization import CompileBreakevenScenario, ResNet50CompileBreakeven
from symbolic_scenarios.errors import DomainError, InputError

WORKED = {
    "eager_item_time": r"t_e = \frac{1}{1450\,\mathrm{s^{-1}}} = 0.689655\,\mathrm{ms}",
    "saving_per_item": r"s = 0.689655\,\mathrm{ms} - 0.465116\,\mathrm{ms} = 0.224539\,\mathrm{ms}",
    "breakeven_items": r"N^{*} = \frac{30\,\mathrm{s}}{0.224539\,\mathrm{ms}} = 133\,607",
    "speedup": r"S = \frac{2150\,\mathrm{s^{-1}}}{1450\,\mathrm{s^{-1}}} = 1.48276",
    "experiment_eager": r"E_e = \frac{10\,000}{1450\,\mathrm{s^{-1}}} = 6.89655\,\mathrm{s}",
    "experiment_compiled_total": r"E_c = 10 \cdot 30\,\mathrm{s} + 4.65116\,\mathrm{s} = 304.651\,\mathrm{s}",
    "experiment_slowdown": r"\sigma = \frac{304.651\,\mathrm{s}}{6.89655\,\mathrm{s}} = 44.1744",
}


class TestCompileBreakeven:
    @pytest.mark.parametrize(("named", "expected"), WORKED.items())
    def test_the_numbers_stand_where_the_names_stood(self, named, expected, katex):
        assert latex(ResNet50CompileBreakeven, named, form="worked") == expected
        katex(expected)

    def test_the_numbers_shown_give_the_result_shown(self):
        assert round(30 / (Fraction("0.224539") / 1000)) == 133_607
        assert round(Fraction("304.651") / Fraction("6.89655"), 4) == Fraction("44.1744")
        assert round(Fraction("0.689655") - Fraction("0.465116"), 6) == Fraction("0.224539")

    def test_an_inverse_is_worked_by_its_closed_form(self, katex):
        found = latex(ResNet50CompileBreakeven, "breakeven_recompiles", form="worked")
        assert found.endswith(" = 0.0748463")
        assert r"10\,000" in found
        katex(found)

    def test_near_rates_get_the_digits_that_their_difference_needs(self, katex):
        near = ResNet50CompileBreakeven.variant(compiled_rate="1450.0001/s")
        found = latex(near, "saving_per_item", form="worked")
        first, second, result = (
            Fraction(number) for number in re.findall(r"[\d.]+(?=\\,\\mathrm\{ms\}| \\times)", found)
        )
        assert (first, second) == (Fraction("0.6896551724138"), Fraction("0.6896551248514"))
        assert found.endswith(r"= 4.75624 \times 10^{-8}\,\mathrm{ms}")
        assert round((first - second) * 10**8, 5) == result
        katex(found)

    def test_a_property_without_a_value_says_why(self):
        slower = ResNet50CompileBreakeven.variant(compiled_rate="1000/s")
        with pytest.raises(DomainError, match="compiled execution is not faster"):
            latex(slower, "breakeven_items", form="worked")

    def test_a_property_of_an_omitted_input_names_the_input(self):
        without = ResNet50CompileBreakeven.variant(recompiles=None)
        with pytest.raises(InputError, match="recompiles"):
            latex(without, "experiment_slowdown", form="worked")

    def test_among_all_equations_one_without_a_value_keeps_its_names_and_condition(self, katex):
        slower = ResNet50CompileBreakeven.variant(compiled_rate="1000/s", recompiles=None)
        found = equations(slower, form="worked")
        assert r"S &= \frac{1000\,\mathrm{s^{-1}}}{1450\,\mathrm{s^{-1}}} = 0.689655 \\" in found
        assert r"N^{*} &= \frac{T_c}{s} \quad \text{if } s > 0 \\" in found
        assert r"E_c &= k T_c + E_r \\" in found
        katex(found)

    def test_the_layered_form_of_an_instance_is_that_of_its_class(self):
        assert equations(ResNet50CompileBreakeven) == equations(CompileBreakevenScenario)


class Mixed(Scenario):
    """One property for each trap of putting numbers in."""

    a: Input[float] = Input("", latex="a")
    n: Input[int] = Input("", latex="n", integer=True)
    m: Input[int | None] = Input("", latex="m", integer=True, default=None)
    t: Input = Input("s", latex="t")
    peak = Constant("989 TFLOP/s", latex="P")
    hour = Constant("1 hour", latex="h")
    power = Property(a**2, "", latex="p")
    area = Property(t**2, "s^2", latex="A")
    difference = Property(n - a, "", latex="d")
    product = Property(n * a * t, "s", latex="q")
    work = Property(peak * hour, "FLOP", latex="W")
    pieces = Property(sympy.ceiling(t / hour), "", latex="c")
    case = Property(sympy.Piecewise((m * t, n > 100), (t, True)), "min", latex="u")
    root = Property(sympy.sqrt(n), "", latex="r")
    stubborn = Property(sympy.ceiling(root**2) + sympy.floor(root**2), "", latex="g")
    same = Property(t, "s", latex="v")
    added = Property(sympy.Sum(a ** sympy.Symbol("k"), (sympy.Symbol("k"), 1, n)), "", latex="y")
    when = Inverse(product, equals="7 ms", solve_for=t)


class TestTraps:
    @pytest.mark.parametrize(
        ("named", "expected"),
        [
            ("power", r"p = \left(-0.5\right)^{2} = 0.25"),
            ("area", r"A = \left(6000\,\mathrm{s}\right)^{2} = 3.6 \times 10^{7}\,\mathrm{s^{2}}"),
            ("difference", r"d = 2 - \left(-0.5\right) = 2.5"),
            ("product", r"q = 2 \cdot \left(-0.5\right) \cdot 6000\,\mathrm{s} = -6000\,\mathrm{s}"),
            ("work", r"W = 989\,\mathrm{TFLOP/s} \cdot 1\,\mathrm{hour} = 3.5604 \times 10^{18}\,\mathrm{FLOP}"),
            ("pieces", r"c = \left\lceil \frac{6000\,\mathrm{s}}{1\,\mathrm{hour}} \right\rceil = 2"),
            ("case", r"u = 6000\,\mathrm{s} = 100\,\mathrm{minute}"),
            ("root", r"r = \sqrt{2} = 1.41421"),
            ("stubborn", r"g = \left\lceil r^{2} \right\rceil + \left\lfloor r^{2} \right\rfloor = 4"),
            ("same", r"v = 6000\,\mathrm{s}"),
            ("added", r"y = \sum_{k=1}^{2} \left(-0.5\right)^{k} = -0.25"),
            ("when", r"t^{*} = \frac{0.007\,\mathrm{s}}{-0.5 \cdot 2} = -0.007\,\mathrm{s}"),
        ],
    )
    def test_a_value_is_bracketed_and_chosen_as_mathematics_needs_it(self, named, expected, katex):
        mixed = Mixed(a=Fraction(-1, 2), n=2, t="100 min")
        if named == "when":
            mixed = mixed.variant(t="-1 s")
        found = latex(mixed, named, form="worked")
        assert found == expected
        katex(found)

    def test_a_count_shows_all_its_digits(self):
        found = latex(Mixed(a=1, n=123_456_789, t="1 s"), "difference", form="worked")
        assert found == r"d = 123\,456\,789 - 1 = 1.23457 \times 10^{8}"


class TestQuantities:
    @pytest.mark.parametrize(
        ("number", "unit", "expected"),
        [
            (0, "", "0"),
            (0.0, "ms", r"0\,\mathrm{ms}"),
            (9999, "", "9999"),
            (10_000, "", r"10\,000"),
            (1_500_000_000, "", r"1\,500\,000\,000"),
            (1.5e9, "", r"1.5 \times 10^{9}"),
            (1e9, "B", r"10^{9}\,\mathrm{B}"),
            (-1e9, "B", r"-10^{9}\,\mathrm{B}"),
            (133_607.14, "", r"133\,607"),
            (12_345.67, "s", r"12\,345.7\,\mathrm{s}"),
            (999_999.7, "", "10^{6}"),
            (0.0001, "", "0.0001"),
            (0.00001234567, "", r"1.23457 \times 10^{-5}"),
            (-0.25, "%", r"-0.25\,\mathrm{\%}"),
            (Fraction(1, 3), "", "0.333333"),
            (5e-324, "", r"5 \times 10^{-324}"),
            (3, "us", r"3\,\mathrm{\mu s}"),
        ],
    )
    def test_a_number_prints_as_a_person_would_write_it(self, number, unit, expected, katex):
        found = latex_quantity(number, parse_unit(unit))
        assert found == expected
        katex(found)


LAWS = {
    "power": lambda a, n, t: a**2,
    "difference": lambda a, n, t: n - a,
    "product": lambda a, n, t: n * a * t,
    "area": lambda a, n, t: t * t,
    "pieces": lambda a, n, t: -(-t // 3600),
}


class TestWhatIsShown:
    @settings(max_examples=150, deadline=None)
    @given(
        st.sampled_from(sorted(LAWS)),
        st.floats(-1e9, 1e9).filter(lambda a: abs(a) > 1e-9),
        st.integers(-(10**7), 10**7),
        st.floats(-1e9, 1e9).filter(lambda t: abs(t) > 1e-9),
    )
    def test_the_operands_shown_give_the_result_shown(self, katex, named, a, n, t):
        mixed = Mixed(a=a, n=n, t=f"{t} s")
        worked = Worked(mixed, named, readable(Mixed._definition, named))
        assume(worked.digits is not None)
        operand_digits, result_digits = worked.digits
        shown = {"a": Fraction(0), "n": Fraction(0), "t": Fraction(0)}
        shown |= {symbol.name: Fraction(one.shown(operand_digits)) for symbol, one in worked.operands.items()}
        result = LAWS[named](shown["a"], shown["n"], shown["t"])
        said = Fraction(worked.result.shown(result_digits))
        assert abs(result - said) <= abs(said) * Fraction(1, 10 ** (result_digits - 1)) / 2
        katex(latex(mixed, named, form="worked"))

    @settings(max_examples=60, deadline=None)
    @given(st.floats(1, 1e6), st.floats(1, 1e6))
    def test_a_saving_is_shown_with_operands_that_give_it(self, eager, compiled):
        scenario = ResNet50CompileBreakeven.variant(eager_rate=f"{eager}/s", compiled_rate=f"{compiled}/s")
        worked = Worked(scenario, "saving_per_item", readable(CompileBreakevenScenario._definition, "saving_per_item"))
        assert worked.digits is not None
        operand_digits, result_digits = worked.digits
        first, second = (Fraction(one.shown(operand_digits)) for one in worked.operands.values())
        said = Fraction(worked.result.shown(result_digits))
        assert abs(first - second - said) <= abs(said) * Fraction(1, 10 ** (result_digits - 1)) / 2
