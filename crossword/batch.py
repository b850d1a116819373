"""Solving and guessing as work for an engine: what to load, and what to do with each item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crossword.loading import open_guesser, open_solver
from crossword.pipeline import solve
from crossword.puzzle import Puzzle
from crossword.types import Guess, Guesser, Query, Solution, Solver


@dataclass(frozen=True)
class Solving:
    """A solution for each puzzle."""

    guesser: str
    solver: str
    model: Path | None = None
    timeout_seconds: float | None = None
    min_confidence: float = 0.0

    def load(self) -> tuple[Guesser, Solver]:
        return open_guesser(self.guesser, self.model), open_solver(self.solver)

    def do(self, loaded: tuple[Guesser, Solver], item: Puzzle) -> Solution:
        return solve(
            item,
            *loaded,
            timeout_seconds=self.timeout_seconds,
            min_confidence=self.min_confidence,
        )


@dataclass(frozen=True)
class Guessing:
    """Guesses for each query; an item is some queries, since guessers like many at a time."""

    guesser: str
    model: Path | None = None
    limit: int = 10

    def load(self) -> Guesser:
        return open_guesser(self.guesser, self.model)

    def do(self, loaded: Guesser, item: Sequence[Query]) -> list[list[Guess]]:
        return loaded.guess(item, self.limit)
