"""Quantities of other pint registries are converted by name and checked for scale."""

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pint
import pytest

from symbolic_scenarios._units import Q_, Quantity, adopt, parse_unit, quantity_text
from symbolic_scenarios.errors import InputError

F = Fraction
plain = pint.UnitRegistry()


def _registry(*lines, **options):
    return pint.UnitRegistry(["second = [time] = s", "kilo- = 1000 = k-", *lines], **options)


class TestAdopting:
    @pytest.mark.parametrize(
        ("number", "unit", "text"),
        [
            (3.35, "terabyte/second", "3.35 TB/s"),
            (100, "gigabit/second", "100 Gbit/s"),
            (2, "GiB", "2 GiB"),
            (5, "kWh", "5 kWh"),
            (3, "month", "3 month"),
            (20, "degree", "20 deg"),
            (10, "percent", "10 %"),
            (0.1, "ms", "0.1 ms"),
            (3, "count", "3 count"),
            (1, "1/second", "1 1/s"),
            (4, "second**0.5", "4 s^0.5"),
            (3, "delta_degC", "3 K"),  # unknown here: by its root units
            (2, "foot", "0.6096 m"),
            (1, "mile", "1609.344 m"),
            (1, "baud", "1 bit/s"),
            (5, "", "5"),
        ],
    )
    def test_a_quantity_of_a_plain_registry_keeps_its_meaning(self, number, unit, text):
        assert quantity_text(*adopt(plain.Quantity(number, unit))) == text

    def test_a_quantity_of_the_application_registry_is_read(self):
        assert quantity_text(*adopt(pint.Quantity(3, "second"))) == "3 s"

    def test_a_foreign_quantity_is_not_nested_in_ours(self):
        with pytest.raises(InputError, match=r"Q_\(quantity\) converts it"):
            Quantity(plain.Quantity(3, "s"), "s")

    def test_our_own_quantity_is_taken_as_it_is(self):
        assert adopt(Q_("3.35 TB/s")) == (F(67, 20), parse_unit("TB/s"))

    @pytest.mark.parametrize(
        ("number", "unit", "message"),
        [
            (20, "degC", "offset"),
            (3, "dB", "logarithmic"),
            (60, "rpm", "differs between the registries"),
            (3, "lux", "'candela'"),
            (np.array([1.0, 2.0]), "second", "one value is expected"),
            (float("nan"), "second", "a finite number is expected"),
            (1 + 2j, "second", "a real number is expected"),
        ],
    )
    def test_what_has_no_right_reading_here_is_refused(self, number, unit, message):
        with pytest.raises(InputError, match=message):
            adopt(plain.Quantity(number, unit))

    @pytest.mark.parametrize("thing", [3, "3 s", None, SimpleNamespace(magnitude=3, units="s")])
    def test_what_is_no_quantity_is_refused(self, thing):
        with pytest.raises(InputError, match="a quantity is expected"):
            adopt(thing)

    def test_a_kilobyte_of_1024_bytes_is_refused(self):
        other = _registry("bit = []", "byte = 8 * bit", "KB = 1024 * byte")
        with pytest.raises(InputError, match="KB is 8192 base units in the quantity's registry, 8000 here"):
            adopt(other.Quantity(3, "KB"))

    def test_a_name_of_another_dimension_is_refused(self):
        other = _registry("tick = second", "token = 1 * second", "meter = [time2]")
        with pytest.raises(InputError, match="another dimension"):
            adopt(other.Quantity(3, "token"))

    def test_information_money_and_work_that_are_numbers_there_are_converted_by_name(self):
        other = _registry("count = []", "bit = count", "byte = 8 * bit", "dollar = 1 * count", "flop = count")
        assert quantity_text(*adopt(other.Quantity(2, "kilobyte/second"))) == "2 kB/s"
        assert quantity_text(*adopt(other.Quantity(2, "dollar"))) == "2 USD"
        assert quantity_text(*adopt(other.Quantity(2, "flop/byte"))) == "2 FLOP/B"

    def test_a_registry_of_decimals_is_read(self):
        other = _registry("bit = []", "byte = 8 * bit", non_int_type=Decimal)
        assert adopt(other.Quantity(Decimal("0.1"), "kilobyte")) == (F(1, 10), parse_unit("kB"))

    def test_definitions_in_a_circle_are_refused_at_once(self):
        other = _registry("tock = 2 * second")
        other._units["tock"] = SimpleNamespace(
            name="tock",
            is_multiplicative=True,
            is_base=False,
            converter=SimpleNamespace(scale=2),
            reference={"tock": 1},
        )
        with pytest.raises(InputError, match="circles"):
            adopt(other.Quantity(3, other.UnitsContainer({"tock": 1})))

    def test_the_other_registry_is_not_changed(self):
        other = pint.UnitRegistry()
        quantity = other.Quantity(3.0, other.UnitsContainer({"terabyte": 1, "foot": 1, "microsecond": -1}))
        names, cache = set(other._units), len(other._cache.root_units)
        adopt(quantity)
        assert (set(other._units), len(other._cache.root_units)) == (names, cache)


@pytest.fixture(scope="module")
def units():
    """The units of mlsysim, which makes its registry pint's application registry: put back afterwards."""
    before = pint.application_registry.get()
    yield pytest.importorskip("mlsysim.core.units", exc_type=ImportError)
    pint.set_application_registry(before)


class TestMlsysim:
    """The registry of the simulator that the catalogue is compared with."""

    @pytest.mark.parametrize(
        ("number", "unit", "text"),
        [
            (3.35, "TB/second", "3.35 TB/s"),
            (989, "TFLOPs/second", "989 TFLOP/s"),
            (400, "Gbps", "400 Gbps"),
            (2.5, "USD/hour", "2.5 USD/hour"),
            (80, "GiB", "80 GiB"),
            (3, "KB", "3 kB"),
            (5, "Mtoken", "5 Mtoken"),
            (7, "Bparam", "7000000000 count"),
            (4, "TOPS", "4000000000000 FLOP/s"),
            (2, "MS", "0.002 s"),
            (1.5, "flop/byte", "1.5 FLOP/B"),
        ],
    )
    def test_its_quantities_keep_their_meaning(self, units, number, unit, text):
        assert quantity_text(*adopt(units.Q_(number, unit))) == text
