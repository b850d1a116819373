"""Solving one puzzle before a person's eyes: the grid fills in the terminal as the solver works."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from crossword.pipeline import solve
from crossword.puzzle import Puzzle
from crossword.solvers.warmup import is_warm, warm_up
from crossword.types import Guesser, Progress, Solution, Solver
from crossword.view import draw

FRAME_SECONDS = 0.04
FIRST_RUN = "the first run compiles the solver, which takes about half a minute …"


def prepare(solver: Solver, guesser: Guesser, console: Console) -> None:
    """Compile what isn't yet, and say so: it would look like a hang."""
    if not is_warm(solver):
        console.print(FIRST_RUN, style="dim")
        warm_up(solver, guesser)


def solve_live(
    puzzle: Puzzle,
    guesser: Guesser,
    solver: Solver,
    console: Console,
    *,
    title: str = "",
    timeout_seconds: float | None = None,
    min_confidence: float = 0.0,
    cancelled: Callable[[], bool] | None = None,
    pace_seconds: float = 0.0,
) -> Solution:
    """Solve, and show the grid filling if the console is a terminal.

    The solver never sees the solution, but the viewer may: letters come in green and red if the
    file has one. `pace_seconds` is waited at every step, for those who want to watch.
    """

    def run(on_progress: Callable[[Progress], None] | None) -> Solution:
        return solve(
            puzzle,
            guesser,
            solver,
            timeout_seconds=timeout_seconds,
            min_confidence=min_confidence,
            on_progress=on_progress,
            cancelled=cancelled,
        )

    prepare(solver, guesser, Console(stderr=True))
    if not console.is_terminal:
        return run(None)
    heading = Text(title or puzzle.title or "Solving", style="bold")
    given = {cell: puzzle.fill[cell] for cell in puzzle.given}
    first = Group(heading, draw(puzzle, given), Text("guessing the clues …", style="dim"))
    with Live(first, console=console, auto_refresh=False, transient=True) as live:
        last = 0.0

        def show(progress: Progress) -> None:
            nonlocal last
            now = time.monotonic()
            if pace_seconds:
                time.sleep(pace_seconds)
            elif now - last < FRAME_SECONDS:
                return
            last = now
            live.update(_frame(heading, puzzle, progress), refresh=True)

        return run(show)


def _frame(heading: Text, puzzle: Puzzle, progress: Progress) -> RenderableType:
    stage = Text(progress.stage, style="dim", no_wrap=True)
    return Group(heading, draw(puzzle, progress.fill, progress.confidence), stage)
