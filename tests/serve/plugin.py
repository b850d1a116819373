"""A guesser and a solver for tests of the service, loaded by its workers as a plugin.

The guesser knows the answers of `tests.grids.square`. The solver does what the puzzle's title
says: `slow` reports until it is told to stop, `stubborn` never stops, `broken` raises; any other
puzzle is solved.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

from crossword.puzzle import Puzzle
from crossword.registry import guessers, solvers
from crossword.solvers.confidence import ConfidenceSolver
from crossword.types import Guesser, Progress, ProgressCallback, Solution, Statistics
from tests.fakes import FakeGuesser
from tests.grids import knowing


@guessers.register("square")
def _square() -> FakeGuesser:
    return knowing()


@solvers.register("scripted")
class ScriptedSolver:
    name = "scripted"

    def solve(
        self,
        puzzle: Puzzle,
        guesser: Guesser,
        *,
        timeout_seconds: float | None = None,
        on_progress: ProgressCallback | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Solution:
        if puzzle.title == "broken":
            raise RuntimeError(f"can't make sense of {puzzle.clue('1A')}")
        if puzzle.title == "stubborn":
            sleep(60)
        if puzzle.title == "slow":
            return _slow(timeout_seconds or 60.0, on_progress, cancelled)
        return ConfidenceSolver().solve(
            puzzle,
            guesser,
            timeout_seconds=timeout_seconds,
            on_progress=on_progress,
            cancelled=cancelled,
        )


def _slow(
    seconds: float, on_progress: ProgressCallback | None, cancelled: Callable[[], bool] | None
) -> Solution:
    began = monotonic()
    while monotonic() - began < seconds:
        if cancelled is not None and cancelled():
            return Solution({(0, 0): "C"}, {}, {}, "cancelled", Statistics(monotonic() - began))
        if on_progress is not None:
            share = (monotonic() - began) / seconds
            on_progress(Progress({(0, 0): "C"}, {(0, 0): share}, "slowly", share))
        sleep(0.01)
    return Solution({(0, 0): "C"}, {}, {}, "timeout", Statistics(monotonic() - began))
