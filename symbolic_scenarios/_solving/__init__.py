"""Solving: expressions and domains in, closed forms with their conditions out. It knows no units and no scenarios."""

from .conditions import Sign
from .solve import Branch, Solved, solve

__all__ = ["Branch", "Sign", "Solved", "solve"]
