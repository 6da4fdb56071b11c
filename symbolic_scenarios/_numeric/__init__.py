"""Numbers: the values of a scenario from its definition and the magnitudes of its inputs in base units."""

from .evaluator import Evaluator, Failure, Point
from .exact import agree_at, holds_at, value_at
from .precise import UndefinedError

__all__ = ["Evaluator", "Failure", "Point", "UndefinedError", "agree_at", "holds_at", "value_at"]
