"""`confidence`: the first experiments' solver that writes in pencil.

Every cell has a confidence, taken from the guess that wrote it. A second guess with the same letter
there corroborates it, c ← 1−(1−c)(1−c′); one with another letter overwrites it if the guess is
surer, and then the guess that was overwritten no longer speaks for its other letters either. Only
guesses above a bar are tried: 0.90 at first, halved each round until nothing changes; in the end
also guesses that nothing speaks for may fill what is blank. A slot speaks for a cell once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from crossword.puzzle import Cell, Puzzle, Slot
from crossword.solvers.letters import Board, GuessBook, Limits, report, result
from crossword.types import Guesser, ProgressCallback, Solution

EPSILON = 1e-6  # a guess must be surer by more than rounding
MAX_ROUNDS = 60  # arbitrary; two guesses may overwrite each other in turn for ever


class _Pencil:
    """For each cell, how sure the guess of each slot through it is of the letter there."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.support: dict[Cell, dict[str, float]] = {}

    def confidence(self, cell: Cell) -> float:
        if cell in self.board.given:
            return 1.0
        return 1.0 - prod(1.0 - c for c in self.support.get(cell, {}).values())

    def confidences(self) -> dict[Cell, float]:
        return {cell: self.confidence(cell) for cell in self.board.fill}

    def allows(self, slot: Slot, parts: tuple[str, ...], sure: float) -> bool:
        """Whether a guess changes something, and is surer than every letter that it contradicts."""
        changes = [
            cell
            for cell, part in zip(slot.cells, parts, strict=True)
            if self.board.fill.get(cell) != part
        ]
        return bool(changes) and all(
            sure > self.confidence(cell) + EPSILON for cell in changes if cell in self.board.fill
        )

    def write(self, slot: Slot, parts: tuple[str, ...], sure: float) -> None:
        placed = list(zip(slot.cells, parts, strict=True))
        overwritten = [cell for cell, part in placed if self.board.fill.get(cell) != part]
        # Before the new guess speaks: what it replaces may be an older guess of the same slot.
        for name in {name for cell in overwritten for name in self.support.get(cell, ())}:
            self._withdraw(name)
        for cell, _ in placed:
            self.support.setdefault(cell, {})[slot.name] = sure
        self.board.write(slot, parts)

    def _withdraw(self, name: str) -> None:
        """A guess of which a letter was overwritten is wrong: it speaks for no other letter."""
        for cell in self.board.puzzle.slot(name).cells:
            self.support.get(cell, {}).pop(name, None)


@dataclass(frozen=True)
class ConfidenceSolver:
    """Guesses corroborate and overwrite each other under a falling bar of confidence."""

    start: float = 0.90
    stop: float = 0.05  # below this, the bar is 0
    name = "confidence"

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
        pencil = _Pencil(board)
        book = GuessBook(board, guesser, limits)
        book.open()
        bar, rounds = self.start, 0
        while rounds < MAX_ROUNDS and not limits.reached():
            rounds += 1
            book.refresh()
            changed = self._round(pencil, book, bar, limits, on_progress)
            if not changed and bar == 0.0:
                break
            bar = bar / 2 if bar / 2 >= self.stop else 0.0
        return result(board, book, pencil.confidences(), limits, rounds)

    def _round(
        self,
        pencil: _Pencil,
        book: GuessBook,
        bar: float,
        limits: Limits,
        on_progress: ProgressCallback | None,
    ) -> bool:
        changed = False
        slots = pencil.board.puzzle.slots
        for index, slot in enumerate(slots):
            if limits.reached():
                break
            for guess in book.guesses[slot.name]:
                if guess.confidence < bar:
                    break  # the surest come first
                parts = pencil.board.parts(slot, guess.answer)
                sure = min(guess.confidence, 1.0)
                if parts is None or not pencil.allows(slot, parts, sure):
                    continue
                pencil.write(slot, parts, sure)
                changed = True
                report(
                    on_progress,
                    pencil.board,
                    pencil.confidences(),
                    f"{slot.name} {guess.answer}",
                    (index + 1) / len(slots),
                )
                break
        return changed
