"""`Scenarios` and the catalogue, and the contract that every scenario of it keeps."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from symbolic_scenarios import Scenarios, definition, equations, from_dict, latex, to_dict
from symbolic_scenarios._instances import entries
from symbolic_scenarios.errors import InputError

INSTANCES = dir(Scenarios)
CLASSES = [name for name, entry in entries().items() if entry.is_class]


class TestScenarios:
    def test_it_lists_its_names_and_loads_one(self):
        assert "ResNet50CompileBreakeven" in INSTANCES
        assert Scenarios.ResNet50CompileBreakeven.name == "ResNet50CompileBreakeven"
        assert Scenarios.ResNet50CompileBreakeven is Scenarios.ResNet50CompileBreakeven

    def test_an_unknown_name_has_the_nearest(self):
        with pytest.raises(
            AttributeError,
            match=r"no instance `ResNet50CompilBreakeven`\. Did you mean `ResNet50CompileBreakeven`\?",
        ):
            _ = Scenarios.ResNet50CompilBreakeven

    def test_listing_builds_no_class(self):
        code = "import sys; from symbolic_scenarios import Scenarios; dir(Scenarios); sys.exit('symbolic_scenarios.catalogue.optimization' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", INSTANCES)
class TestEveryInstance:
    def test_it_is_named_and_described(self, name):
        scenario = getattr(Scenarios, name)
        assert scenario.name == name
        assert len(scenario.description) > 20

    def test_every_property_has_a_value_or_says_why_not(self, name):
        scenario = getattr(Scenarios, name)
        for part in definition(scenario).derived:
            missing = [key for key in definition(scenario).inputs_of(part.name) if getattr(scenario, key) is None]
            if missing:
                with pytest.raises(InputError, match=missing[0]):
                    getattr(scenario, part.name)
            else:
                assert getattr(scenario, part.name) is not None

    def test_it_survives_json(self, name):
        scenario = getattr(Scenarios, name)
        assert from_dict(json.loads(json.dumps(to_dict(scenario)))) == scenario

    def test_its_worked_equations_are_latex(self, name, katex):
        katex(equations(getattr(Scenarios, name), form="worked"))


@pytest.mark.parametrize("name", CLASSES)
class TestEveryClass:
    def test_its_docstring_says_what_a_stranger_asks(self, name):
        doc = definition(entries()[name].load()).doc
        for section in ("Assumptions:", "Excludes:", "References:"):
            assert section in doc

    def test_its_equations_are_latex_in_every_form(self, name, katex):
        cls = entries()[name].load()
        katex(equations(cls))
        for part in definition(cls).derived:
            for form in ("layered", "expanded"):
                katex(latex(cls, part.name, form=form))
