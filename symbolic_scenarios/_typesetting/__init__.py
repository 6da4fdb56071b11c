"""LaTeX of what a scenario says: equations as written, expanded to the inputs, worked with numbers and units."""

from .equations import equations, latex
from .parts import latex_condition, latex_expression, latex_quantity, latex_symbol

__all__ = ["equations", "latex", "latex_condition", "latex_expression", "latex_quantity", "latex_symbol"]
