"""What the distribution says of itself."""

import re
import tomllib
from pathlib import Path

import pytest

import symbolic_scenarios

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_version_is_text_of_three_numbers():
    assert re.fullmatch(r"\d+\.\d+\.\d+", symbolic_scenarios.__version__)


def test_the_version_has_an_entry_in_the_changelog():
    assert f"## [{symbolic_scenarios.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_package_declares_that_it_is_typed():
    assert (ROOT / "symbolic_scenarios" / "py.typed").is_file()
    assert "Typing :: Typed" in PROJECT["classifiers"]


def test_the_license_is_apache_2():
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0" in (ROOT / "LICENSE").read_text()


def test_the_command_is_the_one_of_the_readme():
    assert PROJECT["scripts"] == {"symbolic-scenarios": "symbolic_scenarios.cli:main"}


def test_the_oldest_python_is_3_11():
    assert PROJECT["requires-python"] == ">=3.11"


@pytest.mark.parametrize("marker", ["main-command", "test-command"])
def test_a_command_of_the_readme_is_one_line(marker):
    # `.ci/run` takes the two commands from here.
    blocks = re.findall(rf"^<!-- {marker} -->\n+```bash\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
    assert [block.count("\n") for block in blocks] == [1]
