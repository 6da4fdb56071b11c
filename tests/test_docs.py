"""The README and the examples say what the package does."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

EXAMPLES = {
    "own_scenario.py": r"""requests that fit: 209
one step: 23.805 ms
memory that leaves 40 GB: 54 GB
t = \frac{14\,\mathrm{GB} + 209 \cdot 314.573\,\mathrm{MB}}{3.35\,\mathrm{TB/s}} = 23.8047\,\mathrm{ms}
""",
    "breakeven_question.py": """breakeven_items = 50000
   compiled_rate = 1 / (1/eager_rate - compile_time/breakeven_items) = 11153.846 1/s
breakeven_items = 40000
   breakeven_items = 40000 (Items that repay one compilation) can never be: no compiled_rate gives it; it needs breakeven_items > compile_time * eager_rate = 43500; its values stay above 43500
With a compilation of 10 s:
   compiled_rate = 1 / (1/eager_rate - compile_time/breakeven_items) = 2274.5098 1/s
   check: 40000.0
""",
}
"""By hand: floor(66e9/314.5728e6) = 209; (14e9 + 209*314.5728e6)/3.35e12 s; 50000*1450/6500; 40000*1450/25500."""


def test_the_sessions_of_the_readme_are_true():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 10
    assert failed == 0


def test_the_terminal_of_the_readme_is_true():
    (block,) = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for session in block.split("$ ")[1:]:
        command, _, expected = session.partition("\n")
        name, *args = shlex.split(command)
        assert name == "symbolic-scenarios"
        code = "from symbolic_scenarios.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=False)
        assert done.stdout == expected


def test_the_class_in_the_readme_is_the_class_in_the_catalogue():
    source = (ROOT / "symbolic_scenarios/catalogue/optimization.py").read_text(encoding="utf-8")
    block = next(
        block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "class CompileBreakeven" in block
    )
    lines = [line for line in block.splitlines() if line.strip()]
    assert len(lines) > 12
    squeezed = re.sub(r"\s+", "", source)
    for line in lines:
        assert re.sub(r"\s+", "", line) in squeezed, line


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_print_what_is_right(name):
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs/examples" / name)], capture_output=True, text=True, check=True
    )
    assert done.stdout == EXAMPLES[name]
    assert (done.stderr, set(EXAMPLES)) == ("", {path.name for path in (ROOT / "docs/examples").glob("*.py")})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_project_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
