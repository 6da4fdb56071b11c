"""Values worked out elsewhere: mlsysim 0.3.0 computes the same scenario by its own code."""

from __future__ import annotations

import subprocess
import sys

import pytest

from symbolic_scenarios import Scenarios

RESNET = Scenarios.ResNet50CompileBreakeven


@pytest.fixture(scope="module")
def theirs():
    """The instance of that name in mlsysim, if it is installed."""
    import pint

    pytest.importorskip("mlsysim", reason="the extra `verify` is not installed")
    before = pint.get_application_registry().get()  # mlsysim puts its own in its place
    from mlsysim.engine.scenario_types import CompileBreakevenScenario

    registry = pint.get_application_registry().get()
    pint.set_application_registry(before)
    return CompileBreakevenScenario(
        name="theirs",
        description="The same inputs.",
        eager_rate=registry.Quantity(1450, "1/second"),
        compiled_rate=registry.Quantity(2150, "1/second"),
        compile_time=registry.Quantity(30, "second"),
        experiment_items=10_000,
        recompiles=10,
    )


def test_each_property_equals_mlsysims(theirs):
    for name in (
        "eager_item_time", "compiled_item_time", "saving_per_item", "breakeven_items", "speedup", "experiment_eager",
        "experiment_compiled_running", "experiment_compiled_total", "experiment_slowdown",
    ):  # fmt: skip
        ours, other = getattr(RESNET, name), getattr(theirs, name)
        if hasattr(other, "magnitude"):
            assert str(ours.units) == f"{other.units:~}"
            ours, other = ours.magnitude, other.magnitude
        assert ours == pytest.approx(other, rel=1e-12), name


def test_mlsysims_quantities_are_inputs_and_stay_as_they_are(theirs):
    before = repr(theirs.compile_time)
    scenario = RESNET.variant(eager_rate=theirs.eager_rate, compile_time=theirs.compile_time)
    assert scenario == RESNET
    assert repr(theirs.compile_time) == before


@pytest.mark.parametrize(
    "order", ["import mlsysim; import symbolic_scenarios", "import symbolic_scenarios; import mlsysim"]
)
def test_it_does_not_matter_which_is_imported_first(order):
    pytest.importorskip("mlsysim", reason="the extra `verify` is not installed")
    code = f"""
{order}
import pint
from mlsysim.core.units import ureg
from symbolic_scenarios import Scenarios
before = pint.get_application_registry().get()
rate = 1450 / ureg.second
scenario = Scenarios.ResNet50CompileBreakeven.variant(eager_rate=rate, compile_time=0.5 * ureg.minute)
assert scenario == Scenarios.ResNet50CompileBreakeven
assert str(scenario.eager_item_time) == "0.689655172413793 ms"
assert rate == 1450 / ureg.second and pint.get_application_registry().get() is before
assert (3 * ureg.GB).to("MB").magnitude == 3000
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
