"""The first solve on a machine compiles the kernels (numba keeps the result on disk): do it ahead.

Only so that a person can be told what takes so long; a solver that is not warm just starts slowly.
"""

from __future__ import annotations

from pathlib import Path

from crossword.puzzle import parse
from crossword.types import Composer, Guesser, Solver

_COMPILED = "climbing.climb-*.nbi"  # numba's index of the last of a solver's own kernels
# Letters that no words have together, so that rebus cells are looked for.
_ODD = {(0, 0): "Q", (0, 2): "X", (1, 1): "Z", (2, 3): "J", (2, 5): "Q"}
_LENGTH = 7  # letters of a composed answer; any will do


def is_warm(solver: Solver) -> bool:
    """Whether a solver's kernels lie compiled on disk; true for one that has none."""
    if solver.name not in ("belief", "search"):
        return True
    from crossword.solvers.climbing import climb

    folder = climb.stats.cache_path  # the environment may move it
    return folder is not None and any(Path(folder).glob(_COMPILED))


def warm_up(solver: Solver, guesser: Guesser) -> None:
    """Solve a small grid, empty and with odd letters, and compose an answer: all kernels."""
    empty = parse("......\n......\n......")
    solver.solve(empty, guesser)
    solver.solve(empty.with_given(_ODD), guesser)
    if isinstance(guesser, Composer):  # a solve asks for it only where answers seem unknown
        import numpy as np  # not with the module: `crossword --help` imports it, and shall be quick

        guesser.compose("", np.full((_LENGTH, 26), -np.log(26.0)), 1)
