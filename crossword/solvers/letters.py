"""What the first solvers share: a board to write on, lists of guesses, limits, the result.

A `Board` is one solve's own working copy; the puzzle itself is never touched. A given rebus cell
is spelled out in the patterns (`HEART` in one cell makes a slot of 4 cells ask for 8 letters), and
answers are dealt back onto the cells accordingly. Rebus cells that nobody gave are left out: the
first experiments knew none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import monotonic

from crossword.puzzle import EMPTY, LETTERS, Cell, Puzzle, Slot, fits
from crossword.types import (
    Guess,
    Guesser,
    Progress,
    ProgressCallback,
    Query,
    Solution,
    Statistics,
    Status,
)

LIMIT = 100  # guesses a slot is asked for at a time; arbitrary, and far more than are read
BATCH = 64  # queries between two looks at the clock; arbitrary


class Limits:
    """When to stop: a deadline, and a question that the caller may answer with yes."""

    def __init__(
        self, timeout_seconds: float | None = None, cancelled: Callable[[], bool] | None = None
    ) -> None:
        self.start = monotonic()
        self._deadline = None if timeout_seconds is None else self.start + timeout_seconds
        self._cancelled = cancelled
        self.stopped: Status | None = None

    def reached(self) -> bool:
        """Whether to stop now; once true, always true."""
        if self.stopped is None:
            if self._cancelled is not None and self._cancelled():
                self.stopped = "cancelled"
            elif self._deadline is not None and monotonic() >= self._deadline:
                self.stopped = "timeout"
        return self.stopped is not None

    @property
    def seconds(self) -> float:
        return monotonic() - self.start


class Board:
    """The letters entered so far, over a puzzle that stays as it is."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.given = puzzle.given
        self.fill: dict[Cell, str] = {
            cell: text for cell, text in puzzle.fill.items() if cell in puzzle.given
        }

    def pattern(self, slot: Slot, *, given_only: bool = False) -> str:
        """What is known of a slot's answer, given rebus cells spelled out."""
        signs: list[str] = []
        for cell in slot.cells:
            known = cell in self.given or not given_only
            text = self.fill.get(cell, EMPTY) if known else EMPTY
            signs += (sign if sign in LETTERS else EMPTY for sign in text)
        return "".join(signs)

    def parts(self, slot: Slot, answer: str) -> tuple[str, ...] | None:
        """An answer dealt onto the slot's cells; None if it fights a given letter."""
        found: list[str] = []
        at = 0
        for cell in slot.cells:
            given = self.fill[cell] if cell in self.given else None
            width = 1 if given is None else len(given)
            part = answer[at : at + width]
            at += width
            if given is not None:
                if any(g in LETTERS and g != p for g, p in zip(given, part, strict=False)):
                    return None
                part = given
            found.append(part)
        return tuple(found) if at == len(answer) else None

    def is_filled(self, slot: Slot) -> bool:
        return all(cell in self.fill for cell in slot.cells)

    def write(self, slot: Slot, parts: Iterable[str]) -> None:
        for cell, part in zip(slot.cells, parts, strict=True):
            if cell not in self.given:
                self.fill[cell] = part

    def is_complete(self) -> bool:
        """Whether every cell that some slot runs through is filled."""
        return all(cell in self.fill for cell, through in self.puzzle.grid.at.items() if through)


class GuessBook:
    """Each slot's guesses: first with nothing but given letters, then for the letters on the board.

    All slots are asked for together, and so are all that have run dry; a guesser is batched.
    """

    def __init__(self, board: Board, guesser: Guesser, limits: Limits) -> None:
        self._board, self._guesser, self._limits = board, guesser, limits
        self._asked: set[tuple[str, str]] = set()
        self.seconds = 0.0
        self.guesses: dict[str, tuple[Guess, ...]] = {slot.name: () for slot in board.puzzle.slots}

    def open(self) -> None:
        """Ask for every slot, crossing letters unknown."""
        self._ask((slot, self._board.pattern(slot, given_only=True)) for slot in self._slots)

    def refresh(self) -> None:
        """Ask again for the open slots of which no guess fits what the board has."""
        self._ask(
            (slot, self._board.pattern(slot))
            for slot in self._slots
            if not self._board.is_filled(slot) and not self.fitting(slot)
        )

    def fitting(self, slot: Slot) -> list[Guess]:
        """The slot's guesses that agree with the board, the surest first."""
        pattern = self._board.pattern(slot)
        return [guess for guess in self.guesses[slot.name] if fits(guess.answer, pattern)]

    @property
    def _slots(self) -> tuple[Slot, ...]:
        return self._board.puzzle.slots

    def _ask(self, wanted: Iterable[tuple[Slot, str]]) -> None:
        pending = [pair for pair in wanted if (pair[0].name, pair[1]) not in self._asked]
        for begin in range(0, len(pending), BATCH):
            if self._limits.reached():
                return
            batch = pending[begin : begin + BATCH]
            before = monotonic()
            found = self._guesser.guess(
                [Query(self._board.puzzle.clue(slot.name), pattern) for slot, pattern in batch],
                LIMIT,
            )
            self.seconds += monotonic() - before
            for (slot, pattern), guesses in zip(batch, found, strict=True):
                self._asked.add((slot.name, pattern))
                merged = {guess.answer: guess for guess in (*guesses, *self.guesses[slot.name])}
                # Equals by probability, then by alphabet, so that the order is always the same.
                self.guesses[slot.name] = tuple(sorted(merged.values(), key=_rank))


def _rank(guess: Guess) -> tuple[float, float, str]:
    return (-guess.confidence, -guess.log_prob, guess.answer)


def report(
    on_progress: ProgressCallback | None,
    board: Board,
    confidence: Mapping[Cell, float],
    stage: str,
    fraction: float,
) -> None:
    """Tell the caller, with copies, so that nobody holds the solver's own state."""
    if on_progress is not None:
        on_progress(Progress(dict(board.fill), dict(confidence), stage, fraction))


def result(
    board: Board,
    book: GuessBook,
    confidence: Mapping[Cell, float],
    limits: Limits,
    rounds: int,
) -> Solution:
    """The solution as a value: a cell has the one letter that was entered, with its confidence."""
    filled: Status = "solved" if board.is_complete() else "partial"
    return Solution(
        fill=dict(board.fill),
        letters={
            cell: ((text, 1.0 if cell in board.given else confidence.get(cell, 0.0)),)
            for cell, text in board.fill.items()
        },
        candidates={
            name: tuple(sorted(guesses, key=lambda guess: -guess.log_prob)[:10])
            for name, guesses in book.guesses.items()
        },
        status=limits.stopped or filled,
        statistics=Statistics(limits.seconds, book.seconds, rounds),
    )
