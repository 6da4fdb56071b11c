"""Certified answers at exact numbers: every root proved, none missed in silence. It knows no units and no scenarios."""

from .optimum import optimum
from .sets import CertifiedSet, Optimum, Piece, Real, Reason
from .solution import solution_set

__all__ = ["CertifiedSet", "Optimum", "Piece", "Real", "Reason", "optimum", "solution_set"]
