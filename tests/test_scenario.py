"""Instances: values in, quantities out, identity."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import threading
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symbolic_scenarios import Q_, Constant, Constraint, Input, Property, Scenario, Scenarios
from symbolic_scenarios.catalogue.optimization import CompileBreakevenScenario
from symbolic_scenarios.errors import DomainError, FrozenScenarioError, InputError

RESNET = Scenarios.ResNet50CompileBreakeven
PROPERTIES = [
    "eager_item_time",
    "compiled_item_time",
    "saving_per_item",
    "breakeven_items",
    "speedup",
    "experiment_eager",
    "experiment_compiled_running",
    "experiment_compiled_total",
    "experiment_slowdown",
]


class Plain(Scenario):
    a: Input[float] = Input("", "A number.")
    share: Input[float] = Input("", "A share.", within="(0, 1)", default="1/2")
    n: Input[int | None] = Input("", "A count.", integer=True, within="[1, oo)", default=None)
    t: Input = Input("s", "A time.", within="[0, 5 minute]", default="1 minute")
    peak = Constant("989 TFLOP/s", "A peak.", source="a data sheet")
    double = Property(a * 2, "", "Twice.")
    counted = Property(n * t, "s", "In all.")
    work = Property(peak * t, "TFLOP", "Work.")
    percent = Property(share, "%", "In percent.")


class Queue(Scenario):
    arrival: Input = Input("1/s", "", positive=True)
    service: Input = Input("1/s", "", positive=True)
    limit: Input[float | None] = Input("", "", default=None)
    load = Property(arrival / service, "", "")
    stable = Constraint(arrival < service, "The queue is stable.")
    bounded = Constraint(load < limit, "The load is within its limit.")


class TestValuesIn:
    @pytest.mark.parametrize(
        ("given", "value"),
        [
            (3, 3.0),
            (2.5, 2.5),
            ("2.5", 2.5),
            ("10 %", 0.1),
            (Fraction(1, 4), 0.25),
            (Decimal("0.1"), 0.1),
            (np.float64(1.5), 1.5),
            (np.int64(2), 2.0),
            (Q_("25 %"), 0.25),
            (pint.UnitRegistry().Quantity(50, "percent"), 0.5),
        ],
    )
    def test_a_plain_number_comes_in_many_forms(self, given, value):
        assert Plain(a=given).a == value
        assert type(Plain(a=given).a) is float

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            (float("nan"), "a finite number is expected"),
            (float("inf"), "a finite number is expected"),
            (np.nan, "a finite number is expected"),
            ("nan", "the number has to be finite"),
            ("1e999", "the number is beyond float64"),
            (True, "a real number is expected"),
            (None, "the value is missing"),
            ([1], "a real number is expected"),
            (1 + 2j, "a real number is expected"),
            ("3 s", "the value has another dimension: found 3 s, expected a plain number"),
            ("", "a quantity is expected: found empty text"),
            (
                "3,5",
                "a comma is not read in a number: found '3,5', expected a plain number. Write \"3.5\" for a decimal",
            ),
            (pint.UnitRegistry().Quantity(3, "degC"), "a unit with an offset or a logarithmic one is not read"),
            (pint.UnitRegistry().Quantity(np.array([1.0, 2.0]), "percent"), "one value is expected"),
            (object(), "a real number is expected"),
        ],
    )
    def test_what_is_no_plain_number_is_refused(self, given, words):
        with pytest.raises(InputError) as caught:
            Plain(a=given)
        assert str(caught.value).startswith(f"Plain.a: {words}"[:60])
        assert words in str(caught.value)
        assert caught.value.names == ("a",)

    def test_a_bare_number_for_a_dimensional_input_is_refused_and_the_way_to_write_it_said(self):
        with pytest.raises(InputError) as caught:
            Plain(a=1, t=30)
        assert str(caught.value) == (
            "Plain.t: the value has no unit: found 30, expected a value in s or a unit that converts to it. "
            'Write t="30 s".'
        )

    def test_a_unit_without_a_number_is_refused(self):
        with pytest.raises(InputError, match=r"Plain\.t: "):
            Plain(a=1, t="s")

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"share": 0}, "Plain.share: the value is outside the domain: found 0, expected 0 < share < 1"),
            ({"share": "100 %"}, "Plain.share: the value is outside the domain: found 100 %, expected 0 < share < 1"),
            ({"n": 0}, "Plain.n: the value is outside the domain: found 0, expected n >= 1, an integer"),
            ({"n": 2.5}, "Plain.n: the value is outside the domain: found 2.5, expected n >= 1, an integer"),
            ({"t": "6 minute"}, "Plain.t: the value is outside the domain: found 6 minute, expected 0 <= t <= 300 s"),
            ({"t": "300.0000000000001 s"}, "Plain.t: the value is outside the domain"),
            ({"t": "-1 ms"}, "Plain.t: the value is outside the domain: found -1 ms, expected 0 <= t <= 300 s"),
        ],
    )
    def test_a_value_outside_its_domain_is_refused(self, changes, words):
        with pytest.raises(InputError) as caught:
            Plain(a=1, **changes)
        assert str(caught.value).startswith(words)

    def test_the_ends_of_a_domain_are_exact(self):
        assert Plain(a=1, t="5 minute").t.magnitude == 300
        assert Plain(a=1, t="0 s").t.magnitude == 0

    def test_integers_are_ints(self):
        for value in (3, 3.0, "3", "3e0", Fraction(3), np.int32(3)):
            assert Plain(a=1, n=value).n == 3
            assert type(Plain(a=1, n=value).n) is int

    def test_unknown_and_missing_inputs_are_named(self):
        with pytest.raises(InputError) as caught:
            CompileBreakevenScenario(eager_rat="1/s")
        assert str(caught.value) == (
            "CompileBreakevenScenario: there is no such input: found `eager_rat`, expected one of eager_rate, "
            "compiled_rate, compile_time, experiment_items, recompiles. Did you mean `eager_rate`?"
        )
        with pytest.raises(InputError) as caught:
            CompileBreakevenScenario(eager_rate="1/s")
        assert str(caught.value) == (
            "CompileBreakevenScenario: inputs are missing: expected compiled_rate (a value in 1/s or a unit that "
            "converts to it), compile_time (a value in s or a unit that converts to it)"
        )
        assert caught.value.names == ("compiled_rate", "compile_time")

    def test_a_property_is_no_input(self):
        with pytest.raises(InputError, match="that is no input: it follows from the inputs: found `speedup`"):
            RESNET.variant(speedup=2)


class TestForeignQuantities:
    def test_quantities_of_a_plain_registry_are_taken_and_left_alone(self):
        theirs = pint.UnitRegistry()
        rate, time = 1450 / theirs.second, 0.5 * theirs.minute
        before = (repr(rate), repr(time))
        scenario = RESNET.variant(eager_rate=rate, compile_time=time)
        assert scenario == RESNET
        assert (repr(rate), repr(time)) == before

    def test_the_application_registry_is_never_touched(self):
        before = pint.get_application_registry().get()
        _ = RESNET.breakeven_items, RESNET.variant(compile_time=pint.UnitRegistry().Quantity(1, "s"))
        assert pint.get_application_registry().get() is before


class TestValuesOut:
    def test_the_nine_properties_and_the_inverse(self):
        """Values of mlsysim 0.3.0, and 10000*(1/1450 - 1/2150)/30 worked out by fractions."""
        expected = {
            "eager_item_time": (0.689655172413793, "ms"),
            "compiled_item_time": (0.4651162790697675, "ms"),
            "saving_per_item": (0.22453889334402555, "ms"),
            "experiment_eager": (6.896551724137931, "s"),
            "experiment_compiled_running": (4.651162790697675, "s"),
            "experiment_compiled_total": (304.6511627906977, "s"),
        }
        for name, (magnitude, unit) in expected.items():
            quantity = getattr(RESNET, name)
            assert quantity.magnitude == pytest.approx(magnitude, rel=1e-14)
            assert quantity.units == Q_(1, unit).units
        assert RESNET.breakeven_items == pytest.approx(133607.14285714287, rel=1e-14)
        assert RESNET.speedup == pytest.approx(1.4827586206896552, rel=1e-14)
        assert RESNET.experiment_slowdown == pytest.approx(44.174418604651166, rel=1e-14)
        assert RESNET.breakeven_recompiles == pytest.approx(
            float(Fraction(10000) * (Fraction(1, 1450) - Fraction(1, 2150)) / 30), rel=1e-14
        )
        assert round(float(RESNET.eager_item_time.magnitude), 4) == 0.6897

    def test_kinds_of_values(self):
        scenario = Plain(a=1, n=3)
        assert type(scenario.double) is float
        assert scenario.peak == Q_("989 TFLOP/s")
        assert scenario.work.to("TFLOP").magnitude == pytest.approx(989 * 60, rel=1e-14)
        assert (scenario.percent.magnitude, str(scenario.percent.units)) == (50, "%")
        assert scenario.counted == Q_("180 s")

    def test_an_input_is_read_in_its_declared_unit(self):
        assert Plain(a=1, t="0.5 minute").t.magnitude == 30
        assert str(Plain(a=1, t="0.5 minute").t.units) == "s"

    def test_compiling_that_does_not_pay_leaves_eight_values(self):
        slower = RESNET.variant(compiled_rate="1000/s")
        for name in PROPERTIES:
            if name != "breakeven_items":
                assert getattr(slower, name) is not None
        with pytest.raises(DomainError) as caught:
            _ = slower.breakeven_items
        assert str(caught.value) == (
            "CompileBreakevenScenario.breakeven_items: it has no value here, because compiled execution is not faster: "
            "no item count repays the compilation: found saving_per_item = -0.310345 ms, expected `saving_per_item > 0`"
        )
        with pytest.raises(DomainError, match="expected `compiled_rate >= eager_rate`"):
            _ = slower.breakeven_recompiles

    def test_what_needs_an_omitted_input_names_it_and_the_rest_has_values(self):
        without = RESNET.variant(recompiles=None)
        assert without.recompiles is None
        needing = {"experiment_compiled_total", "experiment_slowdown"}
        for name in set(PROPERTIES) - needing:
            assert getattr(without, name) is not None
        assert without.breakeven_recompiles == RESNET.breakeven_recompiles
        for name in needing:
            with pytest.raises(InputError) as caught:
                getattr(without, name)
            assert caught.value.names == ("recompiles",)
            assert f"CompileBreakevenScenario.{name} needs recompiles: the input `recompiles` was left out" in str(
                caught.value
            )


class TestTheClass:
    def test_an_attribute_of_the_class_is_mathematics(self):
        cls = CompileBreakevenScenario
        k, c, e, t, n = cls.recompiles, cls.compiled_rate, cls.eager_rate, cls.compile_time, cls.experiment_items
        assert cls.experiment_slowdown.equals((k * t + n / c) * e / n)
        assert (cls.experiment_slowdown.diff(k) - t * e / n).simplify() == 0
        assert cls.breakeven_recompiles.equals(n * (1 / e - 1 / c) / t)
        assert k.is_integer
        assert k.is_nonnegative

    def test_a_constraint_on_the_class_is_its_condition(self):
        assert Queue.stable == (Queue.arrival < Queue.service)

    def test_the_signature_lists_the_inputs(self):
        import inspect

        assert list(inspect.signature(Queue).parameters) == ["arrival", "service", "limit", "name", "description"]


class TestConstraints:
    def test_a_violated_constraint_refuses_the_scenario(self):
        with pytest.raises(DomainError) as caught:
            Queue(arrival="3/s", service="2/s")
        assert str(caught.value) == (
            "Queue.stable: the scenario violates its constraint (The queue is stable): "
            "found arrival = 3 1/s, service = 2 1/s, expected `arrival < service`"
        )

    def test_equality_at_the_border_is_decided_exactly(self):
        with pytest.raises(DomainError):
            Queue(arrival="0.3/s", service="300e-3/s")
        assert Queue(arrival="0.3/s", service="0.3000000000000001/s").stable is True

    def test_a_constraint_that_needs_an_omitted_input_is_open(self):
        assert Queue(arrival="1/s", service="2/s").bounded is None
        assert Queue(arrival="1/s", service="2/s", limit=0.6).bounded is True
        with pytest.raises(DomainError, match=r"found load = 0\.5, limit = 0\.4, expected `load < limit`"):
            Queue(arrival="1/s", service="2/s", limit=0.4)


class TestIdentity:
    def test_equality_is_by_class_and_exact_inputs(self):
        assert Plain(a="0.1") == Plain(a=0.1) == Plain(a="10 %") == Plain(a=Fraction(1, 10))
        assert Plain(a=0.1) != Plain(a="0.1000000000000000001")
        assert Plain(a=1, t="0.57 minute") == Plain(a=1, t="34.2 s")
        assert Plain(a=1, name="x") == Plain(a=1)
        assert Plain(a=1) != 1
        assert hash(Plain(a=1, t="0.57 minute")) == hash(Plain(a=1, t="34.2 s"))

    def test_a_scenario_is_frozen(self):
        scenario = Plain(a=1)
        for name in ("a", "double", "name", "other"):
            with pytest.raises(FrozenScenarioError):
                setattr(scenario, name, 2)
            with pytest.raises(FrozenScenarioError):
                delattr(scenario, name)
        assert scenario.a == 1

    def test_a_variant_is_a_checked_copy(self):
        scenario = Plain(a=1, name="first", t="2 s")
        changed = scenario.variant(a=2)
        assert (changed.a, changed.t, changed.name) == (2, scenario.t, "first")
        assert scenario.a == 1
        with pytest.raises(InputError):
            scenario.variant(share=2)

    def test_repr_is_the_call_that_makes_it(self):
        assert (
            repr(Plain(a=0.1, n=3, t="0.57 minute", name="x"))
            == "Plain(name='x', a=0.1, share=0.5, n=3, t='0.57 minute')"
        )
        assert eval(repr(RESNET), {"CompileBreakevenScenario": CompileBreakevenScenario}) == RESNET

    @given(st.floats(allow_nan=False, allow_infinity=False))
    def test_any_float_round_trips_by_repr_and_pickle(self, a):
        scenario = Plain(a=a)
        assert eval(repr(scenario), {"Plain": Plain}) == scenario
        assert pickle.loads(pickle.dumps(scenario)) == scenario
        assert scenario.a == a


class TestCopiesProcessesThreads:
    def test_copies_are_equal(self):
        for scenario in (RESNET, Plain(a=Fraction(1, 3), t="0.57 minute", name="x")):
            assert copy.deepcopy(scenario) == copy.copy(scenario) == pickle.loads(pickle.dumps(scenario)) == scenario
            assert pickle.loads(pickle.dumps(scenario)).name == scenario.name
        time = RESNET.eager_item_time
        assert copy.deepcopy(time) == pickle.loads(pickle.dumps(time)) == time
        assert type(pickle.loads(pickle.dumps(time))) is type(time)

    def test_errors_pickle_with_their_facts(self):
        with pytest.raises(DomainError) as caught:
            _ = RESNET.variant(compiled_rate="1000/s").breakeven_items
        restored = pickle.loads(pickle.dumps(caught.value))
        assert str(restored) == str(caught.value)
        assert restored.condition == "saving_per_item > 0"

    def test_a_spawned_pool_gives_and_takes_them(self):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            values = pool.map(_breakeven_and_time, [RESNET, RESNET.variant(compile_time="10 s")])
        assert values[0] == (RESNET.breakeven_items, RESNET.eager_item_time, RESNET)
        assert values[1][0] == pytest.approx(RESNET.breakeven_items / 3, rel=1e-14)

    def test_eight_threads_see_what_one_sees(self):
        def fresh():
            body = {"a": (a := Input("", positive=True)), "b": (b := Input("s", positive=True))}
            body.update({f"p{k}": Property(a**k * b, "s") for k in range(1, 30)})
            return type("Fresh", (Scenario,), body)

        cls, results = fresh(), []
        start = threading.Barrier(8)

        def work():
            start.wait()
            results.append(
                [getattr(cls(a=1.5, b=f"{k} s"), f"p{p}").magnitude for k in range(1, 20) for p in range(1, 30)]
            )

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expected = [pytest.approx(1.5**p * k, rel=1e-12) for k in range(1, 20) for p in range(1, 30)]
        assert len(results) == 8
        assert all(result == expected for result in results)


def _breakeven_and_time(scenario):
    return scenario.breakeven_items, scenario.eager_item_time, scenario


class TestShown:
    def test_a_notebook_shows_a_table_in_which_text_is_inert(self):
        shown = Plain(a=2, name="<b>x</b>|y", t="1 s")._repr_markdown_()
        assert shown.splitlines()[0] == "**&#60;b&#62;x&#60;/b&#62;&#124;y**"
        assert "| double | 4 | Twice. |" in shown.splitlines()
        assert "| counted | the input &#96;n&#96; was left out | In all. |" in shown.splitlines()

    def test_a_definition_says_what_it_holds(self):
        from symbolic_scenarios import definition

        assert repr(definition(Plain)) == "<Definition of Plain: inputs 4, constants 1, properties 4>"
