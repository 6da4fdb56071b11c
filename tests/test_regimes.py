"""Regimes, optima, crossovers, systems: what is asked of a scenario besides one value."""

from __future__ import annotations

import pytest
import sympy

from symbolic_scenarios import Constraint, Input, Property, Scenario, Scenarios, crossover, optimum, solve_for, when
from symbolic_scenarios.errors import InputError, SolveError

RESNET = Scenarios.ResNet50CompileBreakeven


class Cost(Scenario):
    fixed: Input[float] = Input("", "", nonnegative=True)
    slope: Input[float] = Input("", "", nonnegative=True)
    items: Input[float | None] = Input("", "", nonnegative=True, default=None)
    total = Property(fixed + slope * items, "", "")


class Roofline(Scenario):
    ai: Input[float] = Input("", "", positive=True)
    rate = Property(sympy.Min(2 * ai, 10), "", "")


class Young(Scenario):
    write: Input = Input("s", "", positive=True)
    mtbf: Input = Input("hour", "", positive=True)
    interval: Input = Input("s", "", positive=True)
    waste = Property(write / interval + interval / (2 * mtbf), "", "")


class Queue(Scenario):
    arrival: Input = Input("1/s", "", positive=True)
    service: Input = Input("1/s", "", positive=True)
    wait = Property(1 / (service - arrival), "s", "")
    stable = Constraint(arrival < service, "The queue is stable.")


class TestCrossover:
    @pytest.mark.parametrize(
        ("a", "b", "verdict", "value"),
        [
            ((10, 5), (0, 5), "none", None),
            ((5, 5), (5, 5), "always", None),
            ((10, 3), (0, 1), "none", None),
            ((10, 1), (0, 3), "unique", 5),
        ],
    )
    def test_of_two_costs(self, a, b, verdict, value):
        one, other = (Cost(fixed=fixed, slope=slope) for fixed, slope in (a, b))
        solution = crossover(one, other, "total", over="items")
        assert (solution.verdict, solution.value) == (verdict, value)


class TestMinimum:
    @pytest.mark.parametrize(("target", "text"), [(6, "ai = 3"), (10, "ai >= 5")])
    def test_on_the_class(self, target, text):
        assert str(solve_for(Roofline, "ai", rate=target)) == text

    def test_what_can_not_be_reached_says_why(self):
        solution = solve_for(Roofline(ai=1), "ai", rate=12)
        assert (solution.verdict, solution.reason) == (
            "none",
            "rate = 12 can never be: no ai gives it; it needs rate <= 10; its largest value is 10",
        )
        assert solve_for(Roofline, "ai", rate=12).verdict == "none"

    def test_a_rate_of_growth_in_closed_form(self):
        cls = type("Growth", (Scenario,), {"r": (r := Input("", within="(0, 1)")), "y": Property((1 + r) ** 30, "")})
        solution = solve_for(cls, "r", y="1.5")
        assert solution.branches[0].exactness == "closed form"
        assert solve_for(cls(r=0.5), "r", y="1.5").value == pytest.approx(1.5 ** (1 / 30) - 1, rel=1e-14)


class TestRegimes:
    def test_a_regime_in_closed_form_and_in_numbers(self):
        """0.1 ms are saved as long as 1/r_e >= 0.1 ms + 1/2150 s: r_e < 1/(0.0001 + 1/2150)."""
        assert str(when(RESNET, "saving_per_item", ">", "0.1 ms", by="eager_rate")) == "eager_rate < 1769.5473 1/s"
        on_class = when(type(RESNET), "saving_per_item", ">", "0.1 ms", by="eager_rate")
        assert str(on_class) == "eager_rate < 1 / (saving_per_item + 1/compiled_rate), where saving_per_item > 0.1 ms"

    def test_whole_numbers_at_an_exact_boundary(self):
        """An exact break-even of 20: `<= 1` holds up to 20, `< 1` up to 19."""
        scenario = RESNET.variant(
            eager_rate="100/s", compiled_rate="250/s", compile_time="30 s", experiment_items=100_000
        )
        assert str(when(scenario, "experiment_slowdown", "<=", 1, by="recompiles")) == "recompiles <= 20"
        assert str(when(scenario, "experiment_slowdown", "<", 1, by="recompiles")) == "recompiles <= 19"
        solution = solve_for(scenario, "recompiles", experiment_slowdown=1)
        assert (solution.boundary, solution.value) == (20, 20)
        assert [branch.value for branch in solution.at()] == [20]

    def test_both_readings_of_a_boundary_between_whole_numbers(self):
        solution = solve_for(RESNET, "recompiles", experiment_slowdown=1)
        assert solution.boundary == pytest.approx(0.0748462977813419, rel=1e-13)
        assert solution.value is None
        assert solution.integer_reading() == "experiment_slowdown <= 1 for recompiles at most 0"
        assert solution.at() == ()

    def test_a_constraint_counts_in_equations_and_inequalities(self):
        """Without arrival < service an overloaded queue would meet its bound with a negative wait."""
        queue = Queue(arrival="1/s", service="2/s")
        assert str(when(queue, "wait", "<=", "2 s", by="arrival")) == "arrival <= 1.5 1/s"
        assert (
            str(solve_for(Queue, "arrival", wait="2 s"))
            == "arrival = service - 1/wait, if wait > 1/service, where wait = 2 s"
        )
        assert solve_for(queue, "service", wait="-1 s").verdict == "none"

    def test_a_relation_that_there_is_not(self):
        with pytest.raises(InputError, match="there is no such relation"):
            when(RESNET, "speedup", "=<", 2, by="eager_rate")


class TestOptimum:
    def test_in_closed_form_and_in_numbers(self):
        assert str(optimum(Young, "waste", over="interval")) == "interval = sqrt(2 * mtbf * write)"
        scenario = Young(write="60 s", mtbf="24 hour", interval="1 s")
        assert optimum(scenario, "waste", over="interval").value.magnitude == pytest.approx(
            (2 * 60 * 86400) ** 0.5, rel=1e-14
        )

    def test_one_that_is_not_attained(self):
        solution = optimum(RESNET, "eager_item_time", over="eager_rate")
        assert (solution.verdict, solution.reason) == ("not attained", "the least eager_item_time is not attained")


class TestSystems:
    class Line(Scenario):
        latency: Input = Input("s", "", nonnegative=True)
        cost: Input = Input("s/MB", "", positive=True)
        small: Input = Input("MB", "", positive=True)
        large: Input = Input("MB", "", positive=True)
        small_time = Property(latency + small * cost, "s", "")
        large_time = Property(latency + large * cost, "s", "")

    def test_two_measurements_give_latency_and_cost(self):
        line = self.Line(latency="1 s", cost="1 s/MB", small="10 MB", large="100 MB")
        solution = solve_for(line, ["latency", "cost"], small_time="3 s", large_time="12 s")
        assert solution.verdict == "unique"
        values = {name: value.magnitude for name, _, value in solution.branches[0].joint}
        assert values == {"latency": pytest.approx(2), "cost": pytest.approx(0.1)}

    def test_too_few_equations_are_refused_and_the_free_unknown_named(self):
        with pytest.raises(SolveError, match=r"fewer independent equations than unknowns: (cost|latency) stays free"):
            solve_for(self.Line, ["latency", "cost"], small_time="3 s")

    def test_a_contradiction_says_so(self):
        line = self.Line(latency="1 s", cost="1 s/MB", small="10 MB", large="10 MB")
        assert solve_for(line, ["latency", "cost"], small_time="3 s", large_time="12 s").verdict == "none"


def test_explain_writes_the_steps_down():
    steps = solve_for(type(RESNET), "recompiles", experiment_slowdown=1).explain().splitlines()
    assert steps[0].endswith("the question")
    assert steps[-1].startswith("recompiles == ")


class TestFoundByReview:
    """Questions that an earlier solver answered wrongly."""

    class Odd(Scenario):
        x: Input[float] = Input("", "")
        a: Input[float] = Input("", "")
        b: Input[float] = Input("", "", positive=True)
        cube = Property(x**3, "", "")
        power = Property(x**b, "", "")
        scaled = Property((a - 1) * x, "", "")
        share = Property(1 - (1 - x) ** b, "", "")

    @pytest.mark.parametrize(
        ("b", "target", "values"),
        [
            (2, {"cube": -8}, [-2]),
            (2, {"power": 4}, [-2, 2]),
            (3, {"power": -8}, [-2]),
            (2, {"power": 0}, [0]),
            (1, {"share": 7}, [7]),
        ],
    )
    def test_no_root_is_denied(self, b, target, values):
        solution = solve_for(self.Odd(x=1, a=1, b=b), "x", **target)
        assert [branch.value for branch in solution.branches] == [pytest.approx(value, rel=1e-14) for value in values]

    def test_where_every_value_is_a_solution_it_says_so(self):
        assert solve_for(self.Odd(x=1, a=1, b=1), "x", scaled=0).verdict == "always"
        assert str(solve_for(self.Odd, "x", scaled=0)) == "x = 0, if a != 1\nany x, if a == 1"

    def test_a_bound_that_is_not_reached(self):
        cls = type(
            "Amdahl",
            (Scenario,),
            {
                "f": (f := Input("", within="[0, 1)")),
                "g": (g := Input("", within="[1, oo)")),
                "s": Property(1 / ((1 - f) + f / g), ""),
            },
        )
        assert solve_for(cls(f=0.8, g=2), "g", s=6).reason.endswith("its values stay below 5")
        assert solve_for(cls(f=0, g=2), "g", s=1).verdict == "always"

    def test_a_long_expression_has_numbers_and_no_page_of_a_formula(self):
        body = {
            "x": (x := Input("", positive=True)),
            "a": (a := Input("", positive=True)),
            "b": (b := Input("", positive=True)),
        }
        long = sum((a + i) * (x + b * i) ** 2 / (b + i) for i in range(1, 13))
        cls = type("Long", (Scenario,), {**body, "y": Property(long, "")})
        scenario = cls(x=3, a=1, b=2)
        assert solve_for(scenario, "x", y=scenario.y).value == pytest.approx(3, rel=1e-12)
        assert solve_for(cls, "x", y=7).verdict == "unsolved"

    def test_a_solution_beyond_floats_is_refused(self):
        """exp(exp(7.8)) is 8e1059."""
        cls = type("Double", (Scenario,), {"x": (x := Input("")), "y": Property(sympy.log(sympy.log(x)), "")})
        with pytest.raises(SolveError, match=r"x: the solution is too large for a float: found about 10\^1059"):
            solve_for(cls(x=3), "x", y="7.8")
