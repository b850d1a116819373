"""Runs a guesser and a solver over puzzles, by any engine, and scores each.

Scores come in the order of the puzzles, so a report does not depend on the engine or the number of
jobs (but for seconds, and for what a deadline cuts short). A solver that breaks on a puzzle gets
nothing for it, and the score carries the error.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from crossword.engine import Engine, LocalEngine
from crossword.evaluation.metrics import PuzzleScore, Seen, score
from crossword.evaluation.recorder import Recorder
from crossword.evaluation.seen import SEEN_FILE, SeenPairs
from crossword.loading import open_guesser
from crossword.pipeline import solve
from crossword.puzzle import Puzzle
from crossword.references import resolved
from crossword.registry import DEFAULT_GUESSER, DEFAULT_SOLVER, solvers
from crossword.types import Guesser, Solution, Solver

log = logging.getLogger(__name__)

Item = tuple[str, Puzzle]


@dataclass(frozen=True)
class Setup:
    """What is measured. A worker makes its own guesser and solver from this."""

    guesser: str = DEFAULT_GUESSER
    solver: str = DEFAULT_SOLVER
    model: Path | None = None
    timeout_seconds: float | None = None
    min_confidence: float = 0.0


class Benchmark:
    """A loaded guesser and solver, ready to be measured on one puzzle after another."""

    def __init__(
        self,
        guesser: Guesser,
        solver: Solver,
        *,
        seen: SeenPairs | None = None,
        timeout_seconds: float | None = None,
        min_confidence: float = 0.0,
    ) -> None:
        self._guesser, self._solver, self._pairs = guesser, solver, seen
        self._timeout_seconds, self._min_confidence = timeout_seconds, min_confidence

    @classmethod
    def load(cls, setup: Setup) -> Benchmark:
        pairs = None
        if setup.model is not None and (setup.model / SEEN_FILE).is_file():
            pairs = SeenPairs.load(setup.model / SEEN_FILE)
        return cls(
            open_guesser(setup.guesser, setup.model),
            solvers.create(setup.solver),
            seen=pairs,
            timeout_seconds=setup.timeout_seconds,
            min_confidence=setup.min_confidence,
        )

    def _seen(self, clue: str, answer: str) -> Seen:
        if self._pairs is None:
            return "unknown"
        return "seen" if (clue, answer) in self._pairs else "new"

    def measure(self, name: str, puzzle: Puzzle) -> PuzzleScore:
        """Solve one puzzle and count; the time is that of solving, all guessing included."""
        recorder = Recorder(self._guesser, resolved(puzzle))
        error = ""
        before = perf_counter()
        try:
            solution = solve(
                puzzle,
                recorder,
                self._solver,
                timeout_seconds=self._timeout_seconds,
                min_confidence=self._min_confidence,
            )
        except Exception as failure:
            log.exception("the solver broke on %s", name)
            error = f"{type(failure).__name__}: {failure}"
            given = {cell: puzzle.fill[cell] for cell in puzzle.given}
            solution = Solution(given, {}, {}, "partial")
        seconds = perf_counter() - before
        return score(
            puzzle,
            solution,
            name=name,
            ranks=recorder.ranks(),
            seen=self._seen,
            seconds=seconds,
            error=error,
        )


@dataclass(frozen=True)
class Measuring:
    """A score for each puzzle, as work for an engine."""

    setup: Setup

    def load(self) -> Benchmark:
        return Benchmark.load(self.setup)

    def do(self, loaded: Benchmark, item: Item) -> PuzzleScore:
        return loaded.measure(*item)


def run(
    items: Iterable[Item], setup: Setup, *, jobs: int = 1, engine: Engine | None = None
) -> Iterator[PuzzleScore]:
    """A score for each puzzle, in order. Stop iterating at any time to stop the work."""
    solvers.factory(setup.solver)  # an unknown name is told before anything is loaded
    return (engine or LocalEngine(jobs)).map(Measuring(setup), items)
