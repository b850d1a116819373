"""`solve(puzzle, guesser, solver)`: the only place that joins the stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from crossword.puzzle import Puzzle
from crossword.references import resolved
from crossword.types import Guesser, ProgressCallback, Solution, Solver


def solve(
    puzzle: Puzzle,
    guesser: Guesser,
    solver: Solver,
    *,
    timeout_seconds: float | None = None,
    min_confidence: float = 0.0,
    on_progress: ProgressCallback | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Solution:
    """Solve a puzzle; its answers, if it has any, are taken away before anything looks at it.

    Cells of which the solver is less than `min_confidence` sure are left blank.
    """
    solution = solver.solve(
        resolved(puzzle.without_answers()),
        guesser,
        timeout_seconds=timeout_seconds,
        on_progress=on_progress,
        cancelled=cancelled,
    )
    return without_unsure(puzzle, solution, min_confidence) if min_confidence > 0 else solution


def without_unsure(puzzle: Puzzle, solution: Solution, min_confidence: float) -> Solution:
    """The solution with the unsure cells blank; given letters stay."""
    fill = {
        cell: text
        for cell, text in solution.fill.items()
        if cell in puzzle.given or solution.confidence(cell) >= min_confidence
    }
    if len(fill) < len(solution.fill) and solution.status == "solved":
        return replace(solution, fill=fill, status="partial")
    return replace(solution, fill=fill)
