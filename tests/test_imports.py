"""Who imports whom, and what is imported when."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import symbolic_scenarios

PACKAGE = Path(symbolic_scenarios.__file__).parent

#: The flow of the design, from left to right: a module imports only from those before it.
LAYERS = (
    "errors",
    "_rationals",
    "_tree",
    "_balls",
    "_precise",
    "_latex_source",
    "_bridge",
    "_text",
    "_units",
    "_domains",
    "_dimensions",
    "_operands",
    "_declarations",
    "_definition",
    "_expressions",
    "_class_body",
    "_solving",
    "_problem",
    "_forms",
    "_numeric",
    "_values",
    "_scenario",
    "_instances",
    "_interchange",
    "_typesetting",
    "_wanted",
    "_solution",
    "_question",
    "_systems",
    "_questions",
    "catalogue",
    "cli",
)

#: The package itself, whose names are the public ones.
PUBLIC = "symbolic_scenarios"

#: Layers that are held to less than all that is before them.
NARROWER = {
    "_solving": {"errors", "_tree", "_bridge", "_domains", "_solving"},
    "catalogue": {PUBLIC},
}

#: Layers that may import the package itself.
USERS = {"cli"}

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def layer_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def allowed(layer: str) -> set[str]:
    if layer in NARROWER:
        return NARROWER[layer]
    return {*LAYERS[: LAYERS.index(layer)], layer} | ({PUBLIC} if layer in USERS else set())


def imported_layers(source: str, within: tuple[str, ...]) -> Iterator[str]:
    """Yield the layers that a module's source imports, wherever in it.

    Args:
        source: The text of the module.
        within: The packages that hold it, the outermost first.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = within[: len(within) - node.level + 1] if node.level else ()
            home = ".".join((*base, *([node.module] if node.module else [])))
            names = [f"{home}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            outermost, *inner = name.split(".")
            if outermost == PUBLIC:
                yield inner[0] if inner and inner[0] in {layer_of(path) for path in MODULES} else PUBLIC


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_from_those_left_of_it(module):
    layer = layer_of(module)
    assert layer in LAYERS, f"{layer} has no place in the flow: give it one in LAYERS, and in the design"
    within = (PUBLIC, *module.relative_to(PACKAGE).parts[:-1])
    assert set(imported_layers(module.read_text(), within)) - allowed(layer) == set()


@pytest.mark.parametrize(
    ("source", "within", "layers"),
    [
        ("from ._units import Unit", (PUBLIC,), {"_units"}),
        ("from .._units.registry import Unit", (PUBLIC, "_numeric"), {"_units"}),
        ("from .registry import Unit", (PUBLIC, "_units"), {"_units"}),
        ("from . import errors", (PUBLIC,), {"errors"}),
        ("from .. import errors", (PUBLIC, "_units"), {"errors"}),
        ("from . import __version__", (PUBLIC,), {PUBLIC}),
        ("from symbolic_scenarios import Input", (PUBLIC, "catalogue"), {PUBLIC}),
        ("import symbolic_scenarios._tree as tree", (PUBLIC,), {"_tree"}),
        ("def f():\n    from ._scenario import Scenario", (PUBLIC,), {"_scenario"}),
        ("import sympy, os.path", (PUBLIC,), set()),
    ],
)
def test_every_form_of_import_is_read(source, within, layers):
    assert set(imported_layers(source, within)) == layers


def test_the_package_itself_imports_none_of_its_modules():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            assert node.module.split(".")[0] in sys.stdlib_module_names


def loaded_after(code: str) -> set[str]:
    """Return the modules that a new interpreter has loaded after it has run the code."""
    report = "import sys; print('loaded:', *sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("loaded:")[2].split())


HELP = """
import sys
from symbolic_scenarios.cli import main
sys.argv = ["symbolic-scenarios", "--help"]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


@pytest.mark.parametrize("code", ["import symbolic_scenarios", HELP], ids=["import", "help"])
def test_neither_libraries_nor_catalogue_are_loaded_before_they_are_needed(code):
    loaded = loaded_after(code)
    assert "symbolic_scenarios" in loaded
    assert {name for name in loaded if name.split(".")[0] in ("sympy", "pint", "numpy", "mpmath")} == set()
    assert {name for name in loaded if name.startswith("symbolic_scenarios.catalogue")} == set()


@pytest.mark.parametrize("name", symbolic_scenarios.__all__)
def test_a_public_name_resolves(name):
    assert getattr(symbolic_scenarios, name) is not None
    assert name in dir(symbolic_scenarios)


def test_another_name_is_an_attribute_error_that_says_so():
    with pytest.raises(AttributeError, match=r"'symbolic_scenarios' has no attribute 'Scenaro'"):
        symbolic_scenarios.Scenaro  # noqa: B018 (reading it is the test)


def test_type_checkers_see_every_public_name():
    # They do not follow `__getattr__`. They take `from x import name as name` for public, and a plain assignment.
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    seen = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for statement in node.body:
                if isinstance(statement, ast.ImportFrom):
                    seen |= {alias.asname for alias in statement.names if alias.asname == alias.name}
                elif isinstance(statement, ast.Assign):
                    seen |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
    assert set(symbolic_scenarios.__all__) - seen == set()
