"""Inverse questions to scenarios."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scenarios import Q_, Input, Inverse, Property, Scenario, Scenarios, solve_for
from symbolic_scenarios.catalogue.optimization import CompileBreakevenScenario
from symbolic_scenarios.errors import InputError, SolveError

RESNET = Scenarios.ResNet50CompileBreakeven


class Waste(Scenario):
    write: Input = Input("s", "Time to write a checkpoint.", positive=True)
    mtbf: Input = Input("hour", "Mean time between failures.", positive=True)
    interval: Input = Input("s", "Time between checkpoints.", positive=True)
    waste = Property(write / interval + interval / (2 * mtbf), "", "Share of time lost.")
    best = Property(sympy.sqrt(2 * write * mtbf), "s", "Interval of the least waste.")


class TestOnAnInstance:
    def test_the_rate_that_repays_in_50000_items(self):
        """50000*1450/(50000 - 30*1450) by hand."""
        solution = solve_for(RESNET, "compiled_rate", breakeven_items=50000)
        assert solution.verdict == "unique"
        assert solution.value.magnitude == pytest.approx(50000 * 1450 / 6500, rel=1e-14)
        assert str(solution.value.units) == "1/s"
        assert solution.branches[0].condition == "breakeven_items > compile_time * eager_rate"
        assert RESNET.variant(compiled_rate=solution.value).breakeven_items == pytest.approx(50000, rel=1e-11)

    @pytest.mark.parametrize(("compile_time", "wanted", "bound"), [("30 s", 40000, "43500"), ("10 s", 14000, "14500")])
    def test_an_impossible_wish_says_what_it_needs(self, compile_time, wanted, bound):
        solution = solve_for(RESNET.variant(compile_time=compile_time), "compiled_rate", breakeven_items=wanted)
        assert (solution.verdict, solution.value, bool(solution)) == ("none", None, False)
        assert solution.reason == (
            f"breakeven_items = {wanted} (Items that repay one compilation) can never be: no compiled_rate gives it; "
            f"it needs breakeven_items > compile_time * eager_rate = {bound}; its values stay above {bound}"
        )

    def test_targets_come_as_text_quantities_and_symbols_name_the_unknown(self):
        for target in ("0.3 ms", Q_("300 us"), "3e-4 s"):
            solution = solve_for(RESNET, CompileBreakevenScenario.compiled_rate, saving_per_item=target)
            assert solution.value.magnitude == pytest.approx(1 / (1 / 1450 - 3e-4), rel=1e-13)

    def test_an_integer_unknown_has_a_real_boundary(self):
        solution = solve_for(RESNET, "recompiles", experiment_slowdown=1)
        assert solution.boundary == pytest.approx(0.0748462977813419, rel=1e-13)
        assert solution.value is None
        assert (
            solve_for(RESNET.variant(compile_time="1 s"), "recompiles", experiment_compiled_total="1 hour").value
            is None
        )

    def test_two_branches_are_both_given(self):
        """Waste 0.05 at 60 s and 86400 s: 1440 s and 7200 s, the roots of a quadratic."""
        scenario = Waste(write="60 s", mtbf="86400 s", interval="1 s")
        solution = solve_for(scenario, "interval", waste=Fraction(5, 100))
        assert solution.verdict == "several"
        assert solution.value is None
        assert sorted(branch.value.magnitude for branch in solution.branches) == [
            pytest.approx(1440),
            pytest.approx(7200),
        ]
        assert solve_for(scenario, "interval", waste="0.01").verdict == "none"

    def test_a_root_gives_the_power(self):
        scenario = Waste(write="60 s", mtbf="24 hour", interval="1 s")
        solution = solve_for(scenario, "mtbf", best="1 hour")
        assert solution.value.magnitude == pytest.approx(3600**2 / 120 / 3600, rel=1e-14)
        assert str(solution.value.units) == "hour"

    def test_a_property_without_the_unknown_says_so(self):
        solution = solve_for(RESNET, "recompiles", speedup=2)
        assert (solution.verdict, solution.reason) == ("independent", "speedup does not depend on recompiles")

    def test_left_out_inputs_stay_symbols(self):
        solution = solve_for(RESNET.variant(experiment_items=None), "recompiles", experiment_slowdown=1)
        assert solution.value is None
        assert solution.reason == "a value needs experiment_items, which the scenario leaves out"
        assert str(solution) == (
            "recompiles = experiment_items * (1/eager_rate - 1/compiled_rate) / compile_time, if compiled_rate >= eager_rate"
        )


class TestOnAClass:
    def test_the_closed_form_has_its_condition(self):
        solution = solve_for(CompileBreakevenScenario, "compiled_rate", breakeven_items=40000)
        assert str(solution) == (
            "compiled_rate = 1 / (1/eager_rate - compile_time/40000), if compile_time * eager_rate < 40000"
        )

    @pytest.mark.parametrize(
        ("unknown", "target", "line"),
        [
            ("compile_time", {"breakeven_items": 1}, "compile_time = 1/eager_rate - 1/compiled_rate, if compiled_rate > eager_rate"),
            ("eager_rate", {"speedup": 3}, "eager_rate = compiled_rate/3"),
            ("recompiles", {"experiment_slowdown": 1}, "recompiles = experiment_items * (1/eager_rate - 1/compiled_rate) / compile_time, if compiled_rate >= eager_rate"),
            ("compiled_rate", {"saving_per_item": 0}, "compiled_rate = eager_rate"),
            ("compiled_rate", {"saving_per_item": "0.2 ms"}, "compiled_rate = 1 / (1/eager_rate - saving_per_item), if saving_per_item < 1/eager_rate, where saving_per_item = 0.2 ms"),
        ],
    )  # fmt: skip
    def test_what_a_person_would_write(self, unknown, target, line):
        assert str(solve_for(CompileBreakevenScenario, unknown, **target)) == line


class TestRefusals:
    @pytest.mark.parametrize(
        ("unknown", "target", "words"),
        [
            ("compiled_rat", {"speedup": 2}, "there is no input of that name: found `compiled_rat`"),
            ("speedup", {"speedup": 2}, "there is no input of that name: found `speedup`"),
            ("compiled_rate", {"speedpu": 2}, "Did you mean `speedup`?"),
            ("compiled_rate", {"speedup": "2 s"}, "CompileBreakevenScenario.speedup: the target has another dimension: found 2 s, expected a plain number"),
            ("compiled_rate", {"saving_per_item": 3}, 'the target has no unit: found 3, expected a value in ms or a unit that converts to it. Write saving_per_item="3 ms".'),
            ("compiled_rate", {"speedup": "2,5"}, "a comma is not read in a number"),
            ("compiled_rate", {"speedup": float("nan")}, "a finite number is expected"),
        ],
    )  # fmt: skip
    def test_a_question_that_is_not_understood(self, unknown, target, words):
        with pytest.raises(InputError) as caught:
            solve_for(RESNET, unknown, **target)
        assert words in str(caught.value)

    def test_two_targets_are_refused(self):
        with pytest.raises(SolveError, match="solve_for asks for one value of one property"):
            solve_for(RESNET, "compiled_rate", speedup=1, breakeven_items=2)


class TestInverses:
    def test_several_branches_are_refused_unless_one_is_named(self):
        def waste(branch):
            class Interval(Scenario):
                write: Input = Input("s", "", positive=True)
                mtbf: Input = Input("s", "", positive=True)
                interval: Input = Input("s", "", positive=True)
                waste = Property(write / interval + interval / (2 * mtbf), "", "")
                at_five_percent = Inverse(waste, equals="5 %", solve_for=interval, branch=branch)

            return Interval(write="60 s", mtbf="86400 s", interval="1 s")

        with pytest.raises(SolveError) as caught:
            _ = waste(None).at_five_percent
        assert "Interval.at_five_percent: there are several branches" in str(caught.value)
        assert sorted(waste(place).at_five_percent.magnitude for place in (0, 1)) == [
            pytest.approx(1440),
            pytest.approx(7200),
        ]

    def test_a_property_may_use_an_inverse(self):
        class Load(Scenario):
            n: Input[float] = Input("", "", positive=True)
            capacity: Input[float] = Input("", "", positive=True)
            load = Property(n / capacity, "", "")
            full = Inverse(load, equals=1, solve_for=n)
            half = Property(full / 2, "", "")

        assert Load(n=1, capacity=30).half == 15
        assert Load.half == Load.capacity / 2


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([
        lambda x, a, b: a * x + b,
        lambda x, a, b: a / x + b,
        lambda x, a, b: a * x / (x + b),
        lambda x, a, b: (x - a) / (x + b),
        lambda x, a, b: a * x**2 + b,
        lambda x, a, b: sympy.sqrt(a * x) + b,
        lambda x, a, b: 1 / (1 / a + 1 / x) * b,
        lambda x, a, b: x + a * b / x,
        lambda x, a, b: a * sympy.exp(b * x),
        lambda x, a, b: x ** sympy.Rational(3, 2) * a - b,
    ]),
    st.integers(1, 40), st.integers(1, 40), st.integers(1, 40),
)  # fmt: skip
def test_the_solver_finds_the_input_that_a_value_came_from(make, x, a, b):
    body = {
        "x": (x_ := Input("", positive=True)),
        "a": (a_ := Input("", positive=True)),
        "b": (b_ := Input("", positive=True)),
    }
    cls = type("Forward", (Scenario,), {**body, "y": Property(make(x_, a_, b_), "")})
    scenario = cls(x=Fraction(x, 4), a=Fraction(a, 4), b=Fraction(b, 40))
    solution = solve_for(scenario, "x", y=scenario.y)
    assert any(branch.value == pytest.approx(x / 4, rel=1e-6) for branch in solution.branches), str(solution)
    for branch in solution.branches:
        assert scenario.variant(x=branch.value).y == pytest.approx(scenario.y, rel=1e-9)


class TestShown:
    def test_a_solution_is_latex_in_a_notebook(self, katex):
        solution = solve_for(CompileBreakevenScenario, "compiled_rate", breakeven_items=40000)
        assert (
            solution.latex()
            == r"r_c = \frac{1}{\frac{1}{r_e} - \frac{T_c}{40\,000}} \quad \text{if } T_c r_e < 40\,000"
        )
        assert solution._repr_latex_() == rf"$\displaystyle {solution.latex()}$"
        katex(solution.latex())
        several = solve_for(Waste, "interval", waste="5 %")
        assert several.latex().count(r"\\") == 1
        katex(several.latex())
        assert solve_for(RESNET, "recompiles", speedup=2)._repr_latex_() is None
