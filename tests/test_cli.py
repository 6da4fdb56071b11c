"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from symbolic_scenarios.cli import main

COMMAND = [sys.executable, "-c", "from symbolic_scenarios.cli import main; main()"]


def run(*args, cwd=None, **environment):
    done = subprocess.run(
        [*COMMAND, *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env={**os.environ, **environment},
        check=False,
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done


class TestEval:
    def test_it_prints_the_ten_values(self):
        done = run("eval", "ResNet50CompileBreakeven")
        assert (done.returncode, done.stderr) == (0, "")
        values = {
            line.split()[0]: line.split()[1]
            for line in done.stdout.splitlines()
            if line.startswith(("e", "c", "s", "b"))
        }
        assert values["eager_item_time"] == "0.689655172"
        assert values["breakeven_items"] == "133607.142857143"
        assert values["experiment_slowdown"] == "44.174418605"
        assert values["breakeven_recompiles"] == "0.0748463"

    def test_changed_inputs_change_the_values_and_what_has_none_says_why_on_stderr(self):
        done = run("eval", "ResNet50CompileBreakeven", "compiled_rate=1000/s")
        assert done.returncode == 0
        assert "with compiled_rate = 1000/s" in done.stdout
        assert "no item count repays the compilation" in done.stderr
        assert "no item count" not in done.stdout

    def test_json_is_complete_and_full_precision(self):
        data = json.loads(run("eval", "ResNet50CompileBreakeven", "recompiles=3", "--json").stdout)
        assert data["inputs"]["recompiles"] == 3
        assert data["values"]["saving_per_item"] == {
            "magnitude": pytest.approx(0.22453889334402566, rel=1e-15),
            "unit": "ms",
        }

    def test_latex_prints_the_worked_equations(self, katex):
        lines = run("eval", "ResNet50CompileBreakeven", "--latex").stdout.splitlines()
        assert r"N^{*} = \frac{30\,\mathrm{s}}{0.224539\,\mathrm{ms}} = 133\,607" in lines
        for line in lines:
            katex(line)

    def test_a_class_takes_its_inputs(self):
        done = run(
            "eval",
            "CompileBreakevenScenario",
            "eager_rate=1450/s",
            "compiled_rate=2150/s",
            "compile_time=30 s",
            "--json",
        )
        assert json.loads(done.stdout)["values"]["breakeven_items"] == pytest.approx(133607.142857142857)

    def test_a_file_and_a_module(self, tmp_path):
        (tmp_path / "mine.toml").write_text(
            'scenario = "CompileBreakevenScenario"\n[inputs]\neager_rate = "1450/s"\ncompiled_rate = "2150/s"\ncompile_time = "30 s"\n'
        )
        (tmp_path / "shop.py").write_text(
            "from symbolic_scenarios import Input, Property, Scenario\n"
            "class Shop(Scenario):\n    a: Input[float] = Input('', 'A [bold] number.')\n    b = Property(a * 2, '', 'Twice.')\n"
        )
        assert "133607.142857" in run("eval", str(tmp_path / "mine.toml")).stdout
        done = run("eval", "shop:Shop", "a=4", cwd=tmp_path)
        assert "8" in done.stdout
        assert "A [bold] number." in done.stdout


class TestShow:
    def test_it_shows_equations_conditions_closed_forms(self):
        done = run("show", "CompileBreakevenScenario")
        assert done.returncode == 0
        for line in (
            "    = compile_time/saving_per_item, if saving_per_item > 0",
            "    = compile_time / (1/eager_rate - 1/compiled_rate)",
            "    = experiment_items * (1/eager_rate - 1/compiled_rate) / compile_time, if compiled_rate >= eager_rate",
        ):
            assert line in done.stdout.splitlines()
        assert "eager_rate        1/s   eager_rate > 0" in done.stdout

    def test_a_target_with_a_unit_says_in_which_unit_it_stands(self, tmp_path):
        (tmp_path / "waits.py").write_text(
            "from symbolic_scenarios import Input, Inverse, Property, Scenario\n"
            "class Waits(Scenario):\n    a: Input = Input('ms', '', positive=True)\n    n: Input[float] = Input('', '', positive=True)\n"
            "    total = Property(a * n, 'ms', '')\n    many = Inverse(total, equals='5 ms', solve_for=n)\n"
        )
        done = run("show", "waits:Waits", cwd=tmp_path)
        assert "    = 1 / (200 * a)" in done.stdout.splitlines()
        assert "    here total is put in as 1/200, in s" in done.stdout.splitlines()

    def test_as_json_and_as_latex(self, katex):
        data = json.loads(run("show", "ResNet50CompileBreakeven", "--json").stdout)
        assert data["properties"]["breakeven_items"]["equation"] == "compile_time/saving_per_item"
        assert data["values"]["speedup"] == pytest.approx(2150 / 1450, rel=1e-15)
        katex(run("show", "CompileBreakevenScenario", "--latex").stdout)


class TestSolve:
    def test_a_value(self):
        done = run("solve", "ResNet50CompileBreakeven", "breakeven_items=50000", "--for", "compiled_rate")
        assert (done.returncode, done.stdout) == (0, "compiled_rate = 11153.846 1/s\n")
        assert "if breakeven_items > compile_time * eager_rate" in done.stderr

    @pytest.mark.parametrize(
        ("changes", "wanted", "bound"), [([], "40000", "43500"), (["compile_time=10 s"], "14000", "14500")]
    )
    def test_no_value_exits_4_and_says_what_is_needed(self, changes, wanted, bound):
        done = run("solve", "ResNet50CompileBreakeven", f"breakeven_items={wanted}", *changes, "--for", "compiled_rate")
        assert (done.returncode, done.stdout) == (4, "")
        assert f"breakeven_items = {wanted} (Items that repay one compilation) can never be" in done.stderr
        assert f"it needs breakeven_items > compile_time * eager_rate = {bound}" in done.stderr

    def test_on_a_class_json_and_latex(self, katex):
        question = ["solve", "CompileBreakevenScenario", "breakeven_items=40000", "--for", "compiled_rate"]
        assert (
            run(*question).stdout
            == "compiled_rate = 1 / (1/eager_rate - compile_time/40000), if compile_time * eager_rate < 40000\n"
        )
        assert json.loads(run(*question, "--json").stdout)["branches"][0]["conditions"] == [
            "compile_time * eager_rate < 40000"
        ]
        line = run(*question, "--latex").stdout.strip()
        assert line == r"r_c = \frac{1}{\frac{1}{r_e} - \frac{T_c}{40\,000}} \quad \text{if } T_c r_e < 40\,000"
        katex(line)


class TestWhenAndOptimum:
    def test_when(self):
        done = run("when", "ResNet50CompileBreakeven", "saving_per_item > 0.1 ms", "--for", "eager_rate")
        assert (done.returncode, done.stdout) == (0, "eager_rate < 1769.5473 1/s\n")
        done = run(
            "when",
            "ResNet50CompileBreakeven",
            "experiment_slowdown<=1",
            "experiment_items=1000000",
            "--for",
            "recompiles",
        )
        assert (done.returncode, done.stdout) == (0, "recompiles <= 7\n")

    def test_optimum(self, tmp_path):
        (tmp_path / "young.py").write_text(
            "from symbolic_scenarios import Input, Property, Scenario\n"
            "class Young(Scenario):\n    write: Input = Input('s', '', positive=True)\n    mtbf: Input = Input('hour', '', positive=True)\n"
            "    interval: Input = Input('s', '', positive=True)\n    waste = Property(write / interval + interval / (2 * mtbf), '', '')\n"
        )
        done = run(
            "optimum",
            "young:Young",
            "waste",
            "write=60 s",
            "mtbf=24 hour",
            "interval=1 s",
            "--over",
            "interval",
            cwd=tmp_path,
        )
        assert (done.returncode, done.stdout) == (0, "interval = 3219.9379 s\n")
        assert "= sqrt(2 * mtbf * write)" in done.stderr
        assert (
            run("optimum", "young:Young", "waste", "--over", "interval", cwd=tmp_path).stdout
            == "interval = sqrt(2 * mtbf * write)\n"
        )

    def test_explain_gives_the_steps(self):
        done = run("solve", "CompileBreakevenScenario", "speedup=2", "--for", "eager_rate", "--explain")
        assert "the question" in done.stderr


class TestList:
    def test_it_groups_by_subject_and_searches(self):
        assert run("list").stdout.startswith(
            "optimization\n  CompileBreakevenScenario  When does compiling a model pay for itself?\n"
        )
        assert "ResNet50CompileBreakeven" in run("list", "compiling").stdout
        assert run("list", "no such thing").returncode == 2
        assert {"name", "subject", "class", "summary"} == set(json.loads(run("list", "--json").stdout)[0])


class TestMistakes:
    @pytest.mark.parametrize(
        ("args", "code", "words"),
        [
            (["eval"], 2, "Missing argument"),
            (["frobnicate"], 2, "No such command"),
            (["eval", "ResNet50CompileBreakevn"], 2, "Did you mean `ResNet50CompileBreakeven`?"),
            (["eval", "ResNet50CompileBreakeven", "recompiles"], 2, "'recompiles' is not of the form name=value"),
            (["eval", "no.such.module:Class"], 2, "can't be imported: ModuleNotFoundError"),
            (["eval", "os:path"], 2, "os:path is no scenario class and no scenario"),
            (["eval", "nowhere.toml"], 3, "nowhere.toml: the file can't be read"),
            (["eval", "ResNet50CompileBreakeven", "compile_time=10"], 3, 'Write compile_time="10 s".'),
            (["eval", "ResNet50CompileBreakeven", "compile_time=10 GB"], 3, "the value has another dimension: found 10 GB"),
            (["eval", "ResNet50CompileBreakeven", "compile_tme=10 s"], 3, "Did you mean `compile_time`?"),
            (["eval", "ResNet50CompileBreakeven", "compiled_rate=-1/s"], 3, "the value is outside the domain"),
            (["eval", "CompileBreakevenScenario"], 3, "inputs are missing"),
            (["solve", "ResNet50CompileBreakeven", "speedup=2"], 2, "Missing option '--for'"),
            (["solve", "ResNet50CompileBreakeven", "speedup=2 s", "--for", "eager_rate"], 3, "the target has another dimension"),
            (["solve", "ResNet50CompileBreakeven", "speedup=2", "--for", "nothing"], 3, "there is no input of that name"),
            (["solve", "ResNet50CompileBreakeven", "speedup=2", "breakeven_items=3", "--for", "eager_rate"], 2, "one value of one property"),
            (["solve", "ResNet50CompileBreakeven", "--for", "eager_rate", "recompiles=3"], 2, "PROPERTY=VALUE"),
            (["eval", "ResNet50CompileBreakeven", "recompiles=3", "recompiles=4"], 2, "is set twice"),
            (["when", "ResNet50CompileBreakeven", "speedup 2", "--for", "eager_rate"], 2, "is not of the form 'property < value'"),
            (["when", "ResNet50CompileBreakeven", "speedpu < 2", "--for", "eager_rate"], 3, "Did you mean `speedup`?"),
            (["when", "ResNet50CompileBreakeven", "speedup < __import__('os')", "--for", "eager_rate"], 3, "CompileBreakevenScenario.speedup: "),
            (["solve", "ResNet50CompileBreakeven", "speedup=2", "--for", "recompiles"], 4, "speedup does not depend on recompiles"),
        ],
    )  # fmt: skip
    def test_each_has_its_code_and_its_words(self, args, code, words, capsys, monkeypatch):
        # In this process: starting Python for each of these takes longer than all else here.
        monkeypatch.setattr(sys, "argv", ["symbolic-scenarios", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        done = capsys.readouterr()
        assert (ended.value.code, done.out) == (code, "")
        assert words in done.err

    def test_an_ascii_terminal_and_no_color_lose_nothing(self, tmp_path):
        (tmp_path / "micro.py").write_text(
            "from symbolic_scenarios import Input, Property, Scenario\n"
            "class Micro(Scenario):\n    t: Input = Input('us', 'Größe.')\n    b = Property(t * 2, 'us', 'Twice.')\n",
            encoding="utf-8",
        )
        done = run("eval", "micro:Micro", "t=4 us", cwd=tmp_path, PYTHONIOENCODING="ascii", NO_COLOR="1", TERM="dumb")
        assert done.returncode == 0
        assert "\x1b" not in done.stdout
        assert "Gr\\xf6\\xdfe." in done.stdout
        assert done.stdout.isascii()

    def test_a_class_whose_definition_is_wrong_is_explained(self, tmp_path):
        (tmp_path / "wrong.py").write_text(
            "from symbolic_scenarios import Input, Property, Scenario\n"
            "class Wrong(Scenario):\n    t: Input = Input('s', '')\n    b = Property(t + 1, 's', '')\n"
        )
        done = run("show", "wrong:Wrong", cwd=tmp_path)
        assert done.returncode == 3
        assert "Wrong.b (wrong.py:4): the parts of `t + 1` have different dimensions" in done.stderr

    def test_a_reader_that_leaves_early_is_no_error(self):
        pipe = subprocess.run(
            f'"{sys.executable}" -c "from symbolic_scenarios.cli import main; main()" show CompileBreakevenScenario | head -n 1',
            shell=True, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert pipe.stdout.startswith("CompileBreakevenScenario")
        assert "Error" not in pipe.stderr
