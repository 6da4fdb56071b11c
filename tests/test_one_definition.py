"""All that is derived follows from the one definition: change it in one place, and everything changes."""

from __future__ import annotations

import importlib.util
import inspect
import subprocess
import sys
from fractions import Fraction

import pytest

from symbolic_scenarios import latex, solve_for, to_dict
from symbolic_scenarios.catalogue import optimization

WRITTEN = "recompiles * compile_time + experiment_compiled_running"


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """The catalogue module with one word changed: every experiment compiles once more."""
    source = inspect.getsource(optimization)
    assert source.count(WRITTEN) == 1
    path = tmp_path / "changed.py"
    path.write_text(
        source.replace(WRITTEN, "(recompiles + 1) * compile_time + experiment_compiled_running"), encoding="utf-8"
    )
    spec = importlib.util.spec_from_file_location("changed", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "changed", module)
    spec.loader.exec_module(module)
    return module


def test_number_latex_inverse_json_and_show_follow_one_change(changed, tmp_path):
    before, after = optimization.ResNet50CompileBreakeven, changed.ResNet50CompileBreakeven
    assert after.experiment_compiled_total.magnitude == pytest.approx(
        before.experiment_compiled_total.magnitude + 30, rel=1e-14
    )
    assert after.experiment_slowdown == pytest.approx((11 * 30 + 10000 / 2150) / (10000 / 1450), rel=1e-14)
    assert latex(after, "experiment_compiled_total") == r"E_c = \left(k + 1\right) T_c + E_r"
    # One compilation less is left at the break-even: 0.0748... - 1 is below zero, so no count of recompiles pays.
    assert solve_for(after, "recompiles", experiment_slowdown=1).verdict == "none"
    longer = after.variant(experiment_items=1_000_000)
    exact = Fraction(1_000_000) * (Fraction(1, 1450) - Fraction(1, 2150)) / 30 - 1
    assert longer.breakeven_recompiles == pytest.approx(float(exact), rel=1e-13)
    equation = to_dict(changed.CompileBreakevenScenario)["properties"]["experiment_compiled_total"]["equation"]
    assert equation == "(recompiles + 1) * compile_time + experiment_compiled_running"
    shown = subprocess.run(
        [sys.executable, "-c", "from symbolic_scenarios.cli import main; main()", "show", "changed:CompileBreakevenScenario"],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert f"    = {equation}" in shown.stdout.splitlines()
    difference = (
        changed.CompileBreakevenScenario.experiment_slowdown - optimization.CompileBreakevenScenario.experiment_slowdown
    )
    cls = optimization.CompileBreakevenScenario
    assert (difference - cls.compile_time * cls.eager_rate / cls.experiment_items).simplify() == 0
