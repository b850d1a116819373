"""`solve(puzzle, guesser, solver)`: the only place that joins the stages."""

from __future__ import annotations

from collections.abc import Callable

from crossword.puzzle import Puzzle
from crossword.types import Guesser, ProgressCallback, Solution, Solver


def solve(
    puzzle: Puzzle,
    guesser: Guesser,
    solver: Solver,
    *,
    timeout_seconds: float | None = None,
    on_progress: ProgressCallback | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Solution:
    """Solve a puzzle; its answers, if it has any, are taken away before anything looks at it."""
    return solver.solve(
        puzzle.without_answers(),
        guesser,
        timeout_seconds=timeout_seconds,
        on_progress=on_progress,
        cancelled=cancelled,
    )
