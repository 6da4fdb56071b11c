"""A scenario made and all its values read, against the same nine properties written in plain pint arithmetic.

Run by hand: `python -m benchmarks.scalar`. The two ways take turns, and the best of several rounds counts, because a
machine that does other work makes single measurements worthless.
"""

from __future__ import annotations

import math
from timeit import Timer

import pint

from symbolic_scenarios.catalogue.optimization import CompileBreakevenScenario

ROUNDS, REPEATS = 15, 40

ureg = pint.UnitRegistry()


class InPlainPint:
    """The nine properties by hand, each in its unit, as such classes are usually written."""

    def __init__(self, eager_rate, compiled_rate, compile_time, experiment_items, recompiles):
        self.eager_rate = eager_rate
        self.compiled_rate = compiled_rate
        self.compile_time = compile_time
        self.experiment_items = experiment_items
        self.recompiles = recompiles

    @property
    def eager_item_time(self):
        return (1 / self.eager_rate).to("ms")

    @property
    def compiled_item_time(self):
        return (1 / self.compiled_rate).to("ms")

    @property
    def saving_per_item(self):
        return (self.eager_item_time - self.compiled_item_time).to("ms")

    @property
    def breakeven_items(self):
        return (self.compile_time / self.saving_per_item).to("").magnitude

    @property
    def speedup(self):
        return (self.compiled_rate / self.eager_rate).to("").magnitude

    @property
    def experiment_eager(self):
        return (self.experiment_items / self.eager_rate).to("s")

    @property
    def experiment_compiled_running(self):
        return (self.experiment_items / self.compiled_rate).to("s")

    @property
    def experiment_compiled_total(self):
        return (self.recompiles * self.compile_time + self.experiment_compiled_running).to("s")

    @property
    def experiment_slowdown(self):
        return (self.experiment_compiled_total / self.experiment_eager).to("").magnitude


NAMES = [name for name, value in vars(InPlainPint).items() if isinstance(value, property)]


def all_values(cls, inputs):
    scenario = cls(**inputs)
    return [getattr(scenario, name) for name in NAMES]


def plain(value):
    return getattr(value, "magnitude", value)


def main() -> None:
    from symbolic_scenarios import Q_

    numbers = {"eager_rate": (1450, "1/s"), "compiled_rate": (2150, "1/s"), "compile_time": (30, "s")}
    counts = {"experiment_items": 10_000, "recompiles": 10}
    theirs = {**{name: ureg.Quantity(*value) for name, value in numbers.items()}, **counts}
    ours = {**{name: Q_(*value) for name, value in numbers.items()}, **counts}
    ways = {
        "plain pint": Timer(lambda: all_values(InPlainPint, theirs)),
        "symbolic_scenarios": Timer(lambda: all_values(CompileBreakevenScenario, ours)),
    }
    for left, right in zip(all_values(InPlainPint, theirs), all_values(CompileBreakevenScenario, ours), strict=True):
        assert math.isclose(plain(left), plain(right), rel_tol=1e-12)
    best = dict.fromkeys(ways, math.inf)
    for _ in range(ROUNDS):
        for way, timer in ways.items():
            best[way] = min(best[way], timer.timeit(REPEATS) / REPEATS)
    for way, seconds in best.items():
        print(f"{way:20} {seconds * 1e6:9.1f} us for construction and nine values")
    print(f"ratio {best['plain pint'] / best['symbolic_scenarios']:.0f}")


if __name__ == "__main__":
    main()
