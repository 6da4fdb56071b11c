"""Units and quantities: one registry, one way to read text, exact factors."""

from .factors import Dimension, base_unit, dimension, exact_factor, factor, to_base
from .foreign import adopt, is_quantity
from .numerals import number_text, shortest
from .printing import quantity_text, unit_latex, unit_text
from .reading import Q_, parse_quantity, parse_unit
from .registry import Quantity, Registry, Unit, registry
from .wrapping import wrap

__all__ = [
    "Q_",
    "Dimension",
    "Quantity",
    "Registry",
    "Unit",
    "adopt",
    "base_unit",
    "dimension",
    "exact_factor",
    "factor",
    "is_quantity",
    "number_text",
    "parse_quantity",
    "parse_unit",
    "quantity_text",
    "registry",
    "shortest",
    "to_base",
    "unit_latex",
    "unit_text",
    "wrap",
]
