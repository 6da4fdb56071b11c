"""Performance arithmetic, written once: numbers with units, LaTeX and inverse quantities from one definition.

    from symbolic_scenarios import Scenarios
    Scenarios.ResNet50CompileBreakeven.breakeven_items

The names are resolved when they are first used, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import errors as errors
    from ._declarations import Constant as Constant
    from ._declarations import Constraint as Constraint
    from ._declarations import Input as Input
    from ._declarations import Inverse as Inverse
    from ._declarations import Property as Property
    from ._instances import Scenarios as Scenarios
    from ._interchange import from_dict as from_dict
    from ._interchange import load as load
    from ._interchange import to_dict as to_dict
    from ._questions import crossover as crossover
    from ._questions import optimum as optimum
    from ._questions import solve_for as solve_for
    from ._questions import when as when
    from ._scenario import Scenario as Scenario
    from ._scenario import definition as definition
    from ._typesetting import equations as equations
    from ._typesetting import latex as latex
    from ._units import Q_ as Q_
    from ._units import registry as _registry

    units = _registry

_HOMES = {
    "Constant": "_declarations",
    "Constraint": "_declarations",
    "Input": "_declarations",
    "Inverse": "_declarations",
    "Property": "_declarations",
    "Q_": "_units",
    "Scenario": "_scenario",
    "Scenarios": "_instances",
    "crossover": "_questions",
    "definition": "_scenario",
    "equations": "_typesetting",
    "errors": "errors",
    "from_dict": "_interchange",
    "latex": "_typesetting",
    "load": "_interchange",
    "optimum": "_questions",
    "solve_for": "_questions",
    "to_dict": "_interchange",
    "units": "_units",
    "when": "_questions",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{home}")
    value = module if name == home else getattr(module, "registry" if name == "units" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


__all__ = [*_HOMES]
