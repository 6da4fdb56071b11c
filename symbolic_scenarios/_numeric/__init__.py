"""Numbers: the values of a scenario from its definition and the magnitudes of its inputs in base units."""

from .evaluator import Evaluator, Failure, Point

__all__ = ["Evaluator", "Failure", "Point"]
