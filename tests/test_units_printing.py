"""Units and quantities print as people write them, and what is printed reads back as the same."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symbolic_scenarios._units import (
    Q_,
    Quantity,
    number_text,
    parse_quantity,
    parse_unit,
    quantity_text,
    registry,
    unit_latex,
    unit_text,
)
from symbolic_scenarios.errors import InputError

F = Fraction
names = st.sampled_from(sorted({definition.name for definition in registry._units.values()}))
powers = st.one_of(
    st.integers(-12, 12).filter(bool),
    st.sampled_from([0.5, -0.5, 1.5, 1 / 3, -2 / 3]),
)
units = st.dictionaries(names, powers, max_size=4).map(lambda powers: registry.Unit(registry.UnitsContainer(powers)))
floats = st.floats(allow_nan=False, allow_infinity=False)


class TestPrinting:
    @pytest.mark.parametrize(
        ("written", "text", "latex"),
        [
            ("", "", ""),
            ("1/second", "1/s", r"\mathrm{s^{-1}}"),
            ("1/(s K)", "1/(K s)", r"\mathrm{K^{-1}\,s^{-1}}"),
            ("terabyte/second", "TB/s", r"\mathrm{TB/s}"),
            ("millisecond", "ms", r"\mathrm{ms}"),
            ("us", "µs", r"\mathrm{\mu s}"),
            ("kΩ", "kΩ", r"\mathrm{k\Omega}"),
            ("percent", "%", r"\mathrm{\%}"),
            ("$/hour", "USD/hour", r"\mathrm{USD/hour}"),
            ("k$", "kUSD", r"\mathrm{kUSD}"),
            ("Gb/s", "Gbit/s", r"\mathrm{Gbit/s}"),
            ("teraflop/second", "TFLOP/s", r"\mathrm{TFLOP/s}"),
            ("J/kg/K", "J/(K kg)", r"\mathrm{J/(K\,kg)}"),
            ("kg m s^-2", "kg m/s^2", r"\mathrm{kg\,m/s^{2}}"),
            ("s^0.5", "s^0.5", r"\mathrm{s^{0.5}}"),
            ("s^(1/3)", "s^(1/3)", r"\mathrm{s^{1/3}}"),
            ("Mtoken/s", "Mtoken/s", r"\mathrm{Mtoken/s}"),
            ("kWh", "kWh", r"\mathrm{kWh}"),
            ("rpm", "rpm", r"\mathrm{rpm}"),
            ("deg", "deg", r"\mathrm{deg}"),
        ],
    )
    def test_a_unit_prints_as_people_write_it(self, written, text, latex):
        assert unit_text(parse_unit(written)) == text
        assert unit_latex(parse_unit(written)) == latex

    @pytest.mark.parametrize("name", sorted(registry._units))
    def test_no_latex_of_a_unit_holds_a_raw_sign(self, name):
        latex = unit_latex(parse_unit(name))
        assert latex.isascii()
        assert not set("$#&~") & set(latex)
        assert "%" not in latex.replace(r"\%", "")
        assert "_" not in latex

    @pytest.mark.parametrize(
        ("value", "digits", "text"),
        [
            (1450.0, None, "1450"),
            (3.35, None, "3.35"),
            (1e16, None, "1e16"),
            (1e-7, None, "1e-7"),
            (-0.0, None, "0"),
            (100, None, "100"),
            (10**30, None, "1e30"),
            (10**17 + 1, None, "100000000000000001"),
            (F(171, 5), None, "34.2"),
            (F(1, 3), None, "1/3"),
            (F(10**17 + 1, 10), None, "10000000000000000.1"),
            (np.float64(0.1), None, "0.1"),
            (np.int64(5), None, "5"),
            (float("nan"), None, "nan"),
            (float("inf"), None, "inf"),
            (1234567, 3, "1.23e6"),
            (43499.6, 3, "43500"),
            (0.0748031, 3, "0.0748"),
            (3350000000000.0, 3, "3.35e12"),
            (F(1, 3), 4, "0.3333"),
        ],
    )
    def test_a_number_prints_shortly(self, value, digits, text):
        assert number_text(value, digits) == text

    @pytest.mark.parametrize(
        ("quantity", "spec", "text"),
        [
            (Q_("3.35 TB/s"), "", "3.35 TB/s"),
            (Q_("1450/s"), "", "1450 1/s"),
            (Q_("10 %"), "", "10 %"),
            (Q_(5), "", "5"),
            (Q_("3.14159 s"), ".2f", "3.14 s"),
            (Q_("3.14159 s"), ".2f~P", "3.14 s"),
            (Q_("3.14159 s"), "~P", "3.14159 s"),
            (Q_("3 us"), "L", r"3\,\mathrm{\mu s}"),
            (Q_("3e20 us"), "L", r"3 \times 10^{20}\,\mathrm{\mu s}"),
            (Q_(5), "L", "5"),
            (Quantity(np.array([1.0, 2.0]), "s"), "", "[1. 2.] s"),
        ],
    )
    def test_a_quantity_prints_by_a_format(self, quantity, spec, text):
        assert format(quantity, spec) == text

    def test_a_quantity_shows_itself(self):
        assert repr(Q_("3.35 TB/s")) == "<Quantity('3.35 TB/s')>"
        assert repr(parse_unit("TB/s")) == "<Unit('TB/s')>"
        assert str(parse_unit("")) == "dimensionless"
        assert f"{parse_unit('us'):L}" == r"\mathrm{\mu s}"
        assert Q_("3 us")._repr_latex_() == r"$3\,\mathrm{\mu s}$"
        assert Q_("3 us")._repr_html_() == "3 µs"

    @given(units)
    def test_a_printed_unit_reads_back(self, unit):
        assert parse_unit(unit_text(unit)) == unit

    @given(floats | st.integers(-(10**30), 10**30) | st.fractions(max_denominator=10**9), units)
    def test_a_printed_quantity_reads_back(self, number, unit):
        exact = F(repr(number)) if isinstance(number, float) else F(number)
        assert parse_quantity(quantity_text(number, unit)) == (exact, unit)

    @given(floats, units)
    def test_the_text_of_a_quantity_reads_back(self, number, unit):
        quantity = registry.Quantity(number, unit)
        restored = registry(str(quantity))
        assert (restored.magnitude, restored.units) == (number, unit)

    @given(st.text(max_size=60) | st.from_regex(r"[0-9.e_/ -]{1,8} ?[a-zA-Z%$*/()^0-9 ]{0,20}", fullmatch=True))
    def test_any_text_is_read_or_refused_with_an_input_error(self, text):
        try:
            number, unit = parse_quantity(text)
        except InputError:
            return
        assert parse_quantity(quantity_text(number, unit)) == (number, unit)
