"""A guesser and a solver for the browser tests, loaded by the service's workers as a plugin.

The guesser has read the shipped puzzles: it knows each clue's answer, is surer of some than of
others, and has a second thought about each. The solver takes its time, so that a test (or a
screenshot) can watch it at work. Both are deterministic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import sleep
from zlib import crc32

import data
from crossword import formats
from crossword.puzzle import Puzzle
from crossword.registry import guessers, solvers
from crossword.solvers.confidence import ConfidenceSolver
from crossword.types import Guess, Guesser, Progress, ProgressCallback, Query, Solution
from tests.fakes import FakeGuesser

PUZZLES = Path(data.__file__).parent / "puzzles"
STEP_SECONDS = 0.05  # between two reports; a grid of 74 slots then takes some seconds


def _answers() -> Iterator[tuple[str, str]]:
    for path in sorted(PUZZLES.iterdir()):
        if path.suffix == ".md":
            continue
        puzzle = formats.read(path)
        for slot in puzzle.grid.slots:
            answer = puzzle.answer(slot.name)
            if answer and len(answer) == len(slot):
                yield puzzle.clues[slot.name], answer


class WellRead(FakeGuesser):
    """Says where it has an answer from, as a trained guesser does."""

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        source = ("the same clue, in a puzzle of ours",)
        return [
            [guess._replace(evidence=source) for guess in guesses]
            for guesses in super().guess(queries, limit)
        ]


@guessers.register("well-read")
def _well_read() -> WellRead:
    known = dict(_answers())
    by_length: dict[int, list[str]] = defaultdict(list)
    for answer in sorted(set(known.values())):
        by_length[len(answer)].append(answer)
    table: dict[str, list[tuple[str, float]]] = {}
    for clue, answer in known.items():
        mark = crc32(clue.encode())
        others = by_length[len(answer)]
        second = others[mark % len(others)]
        share = 0.55 + 0.44 * (mark % 97) / 97
        table[clue] = [(answer, share)]
        if second != answer:
            table[clue].append((second, (1 - share) / 2))
    return WellRead(table)


@solvers.register("unhurried")
class UnhurriedSolver:
    name = "unhurried"

    def solve(
        self,
        puzzle: Puzzle,
        guesser: Guesser,
        *,
        timeout_seconds: float | None = None,
        on_progress: ProgressCallback | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Solution:
        def slowly(progress: Progress) -> None:
            sleep(STEP_SECONDS)
            if on_progress is not None:
                on_progress(progress)

        return ConfidenceSolver().solve(
            puzzle,
            guesser,
            timeout_seconds=timeout_seconds,
            on_progress=slowly,
            cancelled=cancelled,
        )
