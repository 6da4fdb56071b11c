"""Scenarios as data and as files."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symbolic_scenarios import Input, Property, Scenario, Scenarios, from_dict, load, to_dict
from symbolic_scenarios.catalogue.optimization import CompileBreakevenScenario
from symbolic_scenarios.errors import InputError

RESNET = Scenarios.ResNet50CompileBreakeven


class Own(Scenario):
    a: Input[float] = Input("", "A number.")
    t: Input = Input("s", "A time.")
    both = Property(a * t, "s", "Both.", requires=a > 0)


class TestDictionaries:
    def test_an_instance_as_data(self):
        assert to_dict(RESNET) == {
            "scenario": "CompileBreakevenScenario",
            "name": "ResNet50CompileBreakeven",
            "description": RESNET.description,
            "inputs": {
                "eager_rate": "1450 1/s",
                "compiled_rate": "2150 1/s",
                "compile_time": "30 s",
                "experiment_items": 10000,
                "recompiles": 10,
            },
        }

    def test_a_class_as_data_has_its_equations(self):
        assert to_dict(Own)["properties"] == {
            "both": {"unit": "s", "doc": "Both.", "equation": "a * t", "requires": ["a > 0"]}
        }

    @given(
        st.floats(allow_nan=False, allow_infinity=False) | st.fractions(max_denominator=10**6),
        st.sampled_from(["{} s", "{} minute", "{} us", "{} day"]),
        st.floats(allow_nan=False, allow_infinity=False, min_value=-1e200, max_value=1e200),
    )
    def test_json_round_trips_to_full_precision(self, a, unit, t):
        scenario = Own(a=a, t=unit.format(t), name="x", description="a <b> & \\ \u2028 name")
        written = json.dumps(to_dict(scenario))
        restored = from_dict(json.loads(written), Own)
        assert restored == scenario
        assert (restored.name, restored.description) == (scenario.name, scenario.description)

    def test_the_catalogue_class_is_found_by_name(self):
        assert from_dict(to_dict(RESNET)) == RESNET
        assert from_dict(to_dict(RESNET), CompileBreakevenScenario) == RESNET

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            ([], "data: the data is no table: found list"),
            ({}, "data: it names no scenario class: found None"),
            ({"scenario": "os:system"}, "the catalogue has no scenario class of that name: found `os:system`"),
            ({"scenario": "CompileBreakevenScenarios"}, "Did you mean `CompileBreakevenScenario`?"),
            ({"scenario": "Own", "import": "os"}, "data: there is no such entry: found `import`, expected scenario, name, description, inputs"),
            ({"scenario": "CompileBreakevenScenario", "inputs": []}, "`inputs` is no table of names and values"),
            ({"scenario": "CompileBreakevenScenario", "inputs": {"recompiles": True}}, "an input is a number or text with a unit: found recompiles = True"),
            ({"scenario": "CompileBreakevenScenario", "inputs": {"name": "x"}}, "`name` is no input"),
            ({"scenario": "CompileBreakevenScenario", "inputs": {"eager_rate": "__import__('os')"}}, "CompileBreakevenScenario.eager_rate: "),
        ],
    )  # fmt: skip
    def test_what_is_no_scenario_is_refused(self, data, words):
        with pytest.raises(InputError) as caught:
            from_dict(data)
        assert words in str(caught.value)

    def test_data_of_another_class_is_refused(self):
        with pytest.raises(
            InputError, match="it is of another class: found `CompileBreakevenScenario`, expected `Own`"
        ):
            from_dict(to_dict(RESNET), Own)


class TestFiles:
    def write(self, folder, name, text):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_toml(self, tmp_path):
        path = self.write(
            tmp_path,
            "mine.toml",
            'scenario = "CompileBreakevenScenario"\nname = "mine"\n[inputs]\neager_rate = "1450/s"\n'
            'compiled_rate = "2150/s"\ncompile_time = "0.5 minute"\nexperiment_items = 10_000\nrecompiles = 10\n',
        )
        assert load(path) == RESNET
        assert load(path).name == "mine"

    def test_json(self, tmp_path):
        assert load(self.write(tmp_path, "mine.json", json.dumps(to_dict(RESNET)))) == RESNET

    def test_decimals_keep_every_digit(self, tmp_path):
        path = self.write(tmp_path, "own.toml", 'scenario = "Own"\n[inputs]\na = 0.10000000000000000001\nt = "1 s"\n')
        assert load(path, Own) == Own(a=Fraction(10**19 + 1, 10**20), t="1 s")

    @pytest.mark.parametrize(
        ("name", "text", "words"),
        [
            ("x.yaml", "scenario: 1", "x.yaml: the file is neither TOML nor JSON by its name"),
            ("x.toml", "scenario = ", "x.toml: the file is not well formed"),
            ("x.json", "{", "x.json: the file is not well formed"),
            ("x.json", '{"scenario": NaN}', "x.json: the file is not well formed: NaN is not finite"),
            ("x.json", '{"scenario": "A", "scenario": "B"}', "x.json: the file is not well formed: the key 'scenario' stands there twice"),
            ("x.json", "[" * 100_000, "x.json: the file is nested too deeply"),
            ("x.json", " " * 1_000_001, "x.json: the file is too large: found 1000001 bytes, expected at most 1000000"),
            ("x.toml", 'scenario = "CompileBreakevenScenario"\n[inputs]\neager_rate = "3 GB"', "x.toml, CompileBreakevenScenario.eager_rate: the value has another dimension"),
        ],
    )  # fmt: skip
    def test_a_bad_file_is_refused_by_name(self, tmp_path, name, text, words):
        with pytest.raises(InputError) as caught:
            load(self.write(tmp_path, name, text))
        assert str(caught.value).startswith(words)

    def test_a_file_that_is_not_there_or_no_text(self, tmp_path):
        with pytest.raises(InputError, match=r"nowhere\.toml: the file can't be read"):
            load(tmp_path / "nowhere.toml")
        (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(InputError, match=r"binary\.toml: the file is not UTF-8 text: found byte 0xff at 0"):
            load(tmp_path / "binary.toml")
