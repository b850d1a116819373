"""Which puzzles of a collection an evaluation takes: a split, and a draw of N with a seed.

A draw gives each puzzle a key from the seed and the puzzle's own content, and takes the N lowest.
So it doesn't depend on file names, their order or what else is in the collection; a bigger draw
holds the smaller one; and one pass over a stream is enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from heapq import nsmallest
from typing import TypeVar

from crossword.errors import DataError
from crossword.puzzle import Puzzle

T = TypeVar("T")

SPLITS = {
    "even-odd": "odd days of the month (train on even ones)",
    "forward": "puzzles dated 2023 (train on what is before)",
    "forward-tune": "puzzles dated 2022, for tuning (train on what is before)",
}


@dataclass(frozen=True)
class Selection:
    """The puzzles that count: of a split's test part, and dated `since` ≤ date < `until`."""

    split: str | None = None
    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        if self.split is not None and self.split not in SPLITS:
            raise DataError(f"no split called {self.split!r}; there are: {', '.join(SPLITS)}")
        for day in (self.since, self.until):
            if day is not None:
                _date(day)

    def takes(self, puzzle: Puzzle) -> bool:
        if self.split is None and self.since is None and self.until is None:
            return True
        try:
            day = date.fromisoformat(puzzle.date)
        except ValueError:
            return False  # whoever asks for dates has no use for a puzzle without one
        if self.split == "even-odd" and day.day % 2 == 0:
            return False
        if self.split == "forward" and day.year != 2023:
            return False
        if self.split == "forward-tune" and day.year != 2022:
            return False
        if self.since is not None and day < _date(self.since):
            return False
        return self.until is None or day < _date(self.until)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DataError(f"{text!r} is no date; write it as 2023-01-31") from None


def identity(puzzle: Puzzle) -> bytes:
    """What makes two files the same puzzle: the solved grid, rebus cells in full."""
    digest = blake2b(digest_size=16)
    digest.update("\n".join(puzzle.grid.rows).encode())
    for cell, text in sorted((puzzle.solution or {}).items()):
        digest.update(f"{cell}{text}".encode())
    return digest.digest()


def draw(items: Iterable[tuple[T, Puzzle]], limit: int, seed: int) -> list[tuple[T, Puzzle]]:
    """`limit` items at random, in the random order; the same for the same puzzles and seed."""

    def key(item: tuple[T, Puzzle]) -> bytes:
        return blake2b(f"{seed}:".encode() + identity(item[1]), digest_size=16).digest()

    return nsmallest(limit, items, key=key)
