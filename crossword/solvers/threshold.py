"""`basic` and `threshold`: the first experiments' solvers that write in ink.

`basic` goes over the slots in order, enters the surest guess that fits, and goes round again until
nothing more can be entered. `threshold` enters only what is at least 0.75 sure, then halves that
bar for each round until it is under 0.05. Neither ever takes a letter back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from crossword.puzzle import Cell, Puzzle
from crossword.solvers.letters import Board, GuessBook, Limits, report, result
from crossword.types import Guesser, ProgressCallback, Solution


class _InkSolver:
    """Rounds over the slots, each with a bar of confidence; what is entered stays."""

    name = ""

    def _bars(self) -> Iterator[float]:
        """The bar of each round."""
        raise NotImplementedError

    def solve(
        self,
        puzzle: Puzzle,
        guesser: Guesser,
        *,
        timeout_seconds: float | None = None,
        on_progress: ProgressCallback | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Solution:
        limits = Limits(timeout_seconds, cancelled)
        board = Board(puzzle)
        confidence: dict[Cell, float] = dict.fromkeys(board.given, 1.0)
        book = GuessBook(board, guesser, limits)
        book.open()
        rounds = 0
        for bar in self._bars():
            if limits.reached() or board.is_complete():
                break
            rounds += 1
            book.refresh()
            changed = self._round(board, book, confidence, bar, limits, on_progress)
            if not changed and bar == 0.0:
                break
        return result(board, book, confidence, limits, rounds)

    def _round(
        self,
        board: Board,
        book: GuessBook,
        confidence: dict[Cell, float],
        bar: float,
        limits: Limits,
        on_progress: ProgressCallback | None,
    ) -> bool:
        """Go over the slots once; whether anything was entered."""
        changed = False
        slots = board.puzzle.slots
        for index, slot in enumerate(slots):
            if limits.reached():
                break
            if board.is_filled(slot):
                continue
            for guess in book.fitting(slot):
                parts = board.parts(slot, guess.answer)
                if parts is None or guess.confidence < bar:
                    continue
                for cell in slot.cells:
                    confidence.setdefault(cell, min(guess.confidence, 1.0))
                board.write(slot, parts)
                changed = True
                report(
                    on_progress,
                    board,
                    confidence,
                    f"{slot.name} {guess.answer}",
                    (index + 1) / len(slots),
                )
                break
        return changed


@dataclass(frozen=True)
class BasicSolver(_InkSolver):
    """Enter the best guess that fits, slot by slot, until nothing changes."""

    name = "basic"

    def _bars(self) -> Iterator[float]:
        while True:
            yield 0.0


@dataclass(frozen=True)
class ThresholdSolver(_InkSolver):
    """Enter the surest guesses first: a bar that starts high and is halved each round."""

    start: float = 0.75
    stop: float = 0.05
    name = "threshold"

    def _bars(self) -> Iterator[float]:
        bar = self.start
        while bar >= self.stop:
            yield bar
            bar /= 2
