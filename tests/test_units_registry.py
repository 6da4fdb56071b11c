"""Units have exact factors; quantities belong to one registry in every process and thread."""

import copy
import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pint
import pytest

from symbolic_scenarios._units import (
    Q_,
    Quantity,
    Unit,
    base_unit,
    dimension,
    exact_factor,
    factor,
    parse_quantity,
    parse_unit,
    registry,
    shortest,
    to_base,
    wrap,
)
from symbolic_scenarios._units.wrapping import constructor, fast_quantity, slow_quantity
from symbolic_scenarios.errors import InputError

F = Fraction


class TestFactors:
    @pytest.mark.parametrize(
        ("unit", "exact"),
        [
            ("", F(1)),
            ("TB/s", F(8 * 10**12)),
            ("minute", F(60)),
            ("rpm", F(1, 60)),
            ("eV", F(1602176634, 10**28)),
            ("km^0.5", None),
            ("(kB/B)^0.5", None),
            ("MB^0.5/B^0.5", F(1000)),
            ("degree", None),
            ("deg/minute", None),
            ("PiB", F(8 * 2**50)),
        ],
    )
    def test_a_factor_is_exact_or_none(self, unit, exact):
        assert exact_factor(parse_unit(unit)) == exact

    @pytest.mark.parametrize(
        ("unit", "nearest"),
        [
            ("degree", 0.017453292519943295),
            ("degree^2", 0.0003046174197867086),
            ("1/degree", 57.29577951308232),
            ("km^0.5", 31.622776601683793),
            ("rpm", 0.016666666666666666),
            ("month", 2629800.0),
        ],
    )
    def test_a_factor_as_a_float_is_the_nearest_one(self, unit, nearest):
        assert factor(parse_unit(unit)) == nearest

    def test_a_factor_beyond_floats_is_refused(self):
        with pytest.raises(InputError, match="beyond float64"):
            factor(parse_unit("YB^12 Ym^12"))

    @pytest.mark.parametrize(
        ("unit", "expected", "base"),
        [
            ("GB/s", (("information", F(1)), ("time", F(-1))), "bit/s"),
            ("TFLOP", (("operation", F(1)),), "FLOP"),
            ("USD/hour", (("currency", F(1)), ("time", F(-1))), "USD/s"),
            ("token", (), ""),
            ("degree", (), ""),
            ("W", (("length", F(2)), ("mass", F(1)), ("time", F(-3))), "kg m^2/s^3"),
            ("s^(1/3)", (("time", F(1, 3)),), "s^(1/3)"),
        ],
    )
    def test_a_dimension_and_its_base_unit(self, unit, expected, base):
        assert dimension(parse_unit(unit)) == expected
        assert base_unit(expected) == parse_unit(base)
        assert exact_factor(base_unit(expected)) == 1

    def test_a_number_in_base_units_is_exact(self):
        assert to_base(F("0.57"), parse_unit("minute")) == F(171, 5)
        assert to_base(F(1), parse_unit("degree")) is None


class TestShortest:
    @pytest.mark.parametrize(
        ("value", "fraction"),
        [
            (0.1, F(1, 10)),
            (7, F(7)),
            (-0.0, F(0)),
            (F(1, 3), F(1, 3)),
            (Decimal("0.57"), F(57, 100)),
            (Decimal("0E-999999"), F(0)),
            (np.float64(0.1), F(1, 10)),
            (np.float32(0.1), F(1, 10)),
            (np.int64(5), F(5)),
            (np.array(0.3), F(3, 10)),
            (1e308, F(10) ** 308),
            (5e-324, F("5e-324")),
        ],
    )
    def test_a_number_is_the_fraction_of_its_shortest_decimal(self, value, fraction):
        assert shortest(value) == fraction

    @pytest.mark.parametrize(
        "value",
        [
            True,
            np.bool_(True),
            float("nan"),
            float("inf"),
            np.float32("nan"),
            Decimal("NaN"),
            Decimal("1e999999999"),
            1j,
            "3",
            None,
            [1],
            np.array([1.0]),
            pytest.param(10**400, id="an integer of 400 digits"),
            pytest.param(10**100_000, id="an integer of 100 000 digits"),
            pytest.param(F(1, 10**400), id="a fraction of 400 digits"),
        ],
    )
    def test_what_is_no_finite_real_number_is_refused(self, value):
        with pytest.raises(InputError):
            shortest(value)


class TestQ:
    def test_text_numbers_and_quantities_become_quantities(self):
        assert Q_("3.35 TB/s").magnitude == 3.35
        assert Q_(30, "s") == Q_("30 s")
        assert Q_(Q_("3 s"), "ms").magnitude == 3000
        assert Q_(pint.UnitRegistry().Quantity(2.5, "hour")).units == parse_unit("hour")
        assert Q_(np.float32(0.1), "s").magnitude == 0.1
        assert type(Q_(F(1, 2)).magnitude) is float
        assert type(Q_("3 s").magnitude) is int

    @pytest.mark.parametrize(("value", "unit"), [(True, "s"), ([1, 2], "s"), (float("nan"), "s"), ("3 s", "GB")])
    def test_what_is_no_quantity_is_refused(self, value, unit):
        with pytest.raises(InputError):
            Q_(value, unit)


class TestDimensionsOfOurOwn:
    @pytest.mark.parametrize(("left", "right"), [("1 GB", "2"), ("1 USD", "1 FLOP"), ("1 bit", "1 token")])
    def test_what_the_si_counts_as_numbers_does_not_mix(self, left, right):
        with pytest.raises(pint.DimensionalityError):
            Q_(left) + Q_(right)

    def test_counts_are_numbers(self):
        assert Q_("5 token") + 2 == 7


def _double(quantity):
    assert type(quantity) is Quantity
    return 2 * quantity


class TestBelongingToOneRegistry:
    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_pickles_come_back_into_this_registry(self, protocol):
        for thing in (Q_("3.35 TB/s"), parse_unit("TB/s"), Q_(np.float64(3), "s")):
            restored = pickle.loads(pickle.dumps(thing, protocol))
            assert restored == thing
            assert type(restored) is type(thing)
            assert restored._REGISTRY is registry
        assert pickle.loads(pickle.dumps(registry, protocol)) is registry

    def test_copies_stay_in_this_registry(self):
        quantity = Q_("3.35 TB/s")
        for copied in (copy.copy(quantity), copy.deepcopy(quantity)):
            assert copied == quantity
            assert copied + quantity == Q_("6.7 TB/s")
        assert copy.deepcopy(registry) is copy.copy(registry) is registry

    def test_quantities_cross_into_spawned_processes_and_back(self):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            assert pool.map(_double, [Q_("3 s"), Q_("4 GB")]) == [Q_("6 s"), Q_("8 GB")]

    def test_the_application_registry_of_pint_is_not_touched(self):
        code = (
            "import pint; before = pint.application_registry.get()\n"
            "from symbolic_scenarios._units import Q_, registry\n"
            "import pickle; pickle.loads(pickle.dumps(Q_('3 TB/s')))\n"
            "assert pint.application_registry.get() is before and before is not registry\n"
            "assert type(before).__name__ == 'LazyRegistry'"  # not even made: that takes a quarter of a second
        )
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_a_second_registry_cannot_take_the_quantities_over(self):
        with pytest.raises(TypeError, match="one registry"):
            type(registry)(None)

    def test_eight_threads_read_and_convert_at_once(self):
        def work(number):
            texts = (f"{number + 1} {prefix}{unit}" for prefix in "kMGT" for unit in ("B/s", "W hour", "FLOP/minute"))
            return [to_base(*parse_quantity(text)) for text in texts] + [Q_(number, "GiB/day").to("kb/s").magnitude]

        with ThreadPoolExecutor(8) as threads:
            together = list(threads.map(work, range(64)))
        assert together == [work(number) for number in range(64)]


class TestFastConstructor:
    def test_it_makes_what_the_public_constructor_makes(self):
        unit = parse_unit("TB/s")
        assert wrap is fast_quantity
        assert wrap(3.35, unit) == Quantity(3.35, unit)
        assert pickle.dumps(wrap(3.35, unit)) == pickle.dumps(Quantity(3.35, unit))

    def test_the_public_constructor_stands_in_where_the_fast_one_makes_something_else(self):
        def forgets_the_unit(magnitude, unit):
            return fast_quantity(magnitude, parse_unit(""))

        def adds_an_attribute(magnitude, unit):
            quantity = fast_quantity(magnitude, unit)
            quantity._more = 1
            return quantity

        def fails(magnitude, unit):
            raise AttributeError

        for broken in (forgets_the_unit, adds_an_attribute, fails):
            assert constructor(broken, slow_quantity) is slow_quantity

    def test_units_made_by_arithmetic_are_of_this_registry(self):
        assert type((Q_("3 GB") / Q_("2 s")).units) is Unit
