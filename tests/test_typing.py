"""What mypy and pyright make of a user's code: silence where it is right, an error on each line where it is wrong.

The fixtures are in `typing/`; a line with an error in it ends with `# error`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "tests" / "typing"

Lines = dict[str, list[int]]


def marked() -> Lines:
    """The lines that are marked, for each fixture."""
    return {
        path.name: [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# error")]
        for path in sorted(FIXTURES.glob("*.py"))
    }


def by_file(errors: set[tuple[str, int]]) -> Lines:
    return {path.name: sorted(line for file, line in errors if file == path.name) for path in FIXTURES.glob("*.py")}


def run(*command: str, **environment: str) -> str:
    """Run a checker; it answers 1 where it has found errors, and more where it could not work."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MYPY", "PYRIGHT"))}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=FIXTURES,
        env={**kept, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def reported_by_mypy(cache: Path) -> Lines:
    # As where the package is installed: silent about the package itself, and SymPy's missing types are no error.
    output = run(
        "mypy",
        "--config-file=",
        "--strict",
        "--follow-imports=silent",
        "--disable-error-code=import-untyped",
        "--output=json",
        f"--cache-dir={cache}",
        *(path.name for path in FIXTURES.glob("*.py")),
        MYPYPATH=str(ROOT),
    )
    found = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return by_file({(Path(one["file"]).name, one["line"]) for one in found if one["severity"] == "error"})


def reported_by_pyright(_: Path) -> Lines:
    # With `--outputjson` pyright's Python wrapper does not look for a newer version; node and pyright itself come
    # with the installed packages. So nothing is downloaded.
    output = run("pyright", "--project", ".", "--pythonpath", sys.executable, "--outputjson")
    found = json.loads(output)["generalDiagnostics"]
    return by_file(
        {(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in found if one["severity"] == "error"}
    )


@pytest.mark.parametrize("reported", [reported_by_mypy, reported_by_pyright])
def test_a_checker_reports_the_marked_lines_and_no_others(reported, tmp_path):
    assert reported(tmp_path) == marked()


def test_the_fixtures_hold_right_code_and_mistakes():
    lines = marked()
    assert lines["good.py"] == []
    assert len(lines["bad.py"]) > 30
