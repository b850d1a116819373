"""The first solve on a machine compiles the kernels (numba keeps the result on disk): do it ahead.

Only so that a person can be told what takes so long; a solver that is not warm just starts slowly.
"""

from __future__ import annotations

from pathlib import Path

from crossword.puzzle import parse
from crossword.types import Guesser, Solver

_COMPILED = "climbing.climb-*.nbi"  # numba's index of the kernel that is compiled last


def is_warm(solver: Solver) -> bool:
    """Whether a solver's kernels lie compiled on disk; true for one that has none."""
    if solver.name not in ("belief", "search"):
        return True
    return any((Path(__file__).parent / "__pycache__").glob(_COMPILED))


def warm_up(solver: Solver, guesser: Guesser) -> None:
    """Solve a small empty grid, which calls every kernel."""
    solver.solve(parse("......\n......\n......"), guesser)
