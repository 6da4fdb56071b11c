"""Solving: expressions and domains in, closed forms with their conditions out. It knows no units and no scenarios."""

from .closed import Closed, closed_forms
from .conditions import Sign
from .optima import closed_optimum
from .pieces import Found, Piece
from .systems import Joint, JointlyClosed, solve_system
from .work import Step

__all__ = [
    "Closed",
    "Found",
    "Joint",
    "JointlyClosed",
    "Piece",
    "Sign",
    "Step",
    "closed_forms",
    "closed_optimum",
    "solve_system",
]
