"""What passes between guessers, solvers and those who call them; and their two protocols.

A guess carries two numbers: `confidence`, the first experiments' formula that the first solvers
read and that need not sum to one, and `log_prob`, normalised with what is left for answers that
are not listed. A `Distribution` is the same for a whole vocabulary, as arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from crossword.puzzle import Cell, Puzzle, check_pattern

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from crossword.vocabulary import Words

Status = Literal["solved", "partial", "timeout", "cancelled"]


@dataclass(frozen=True, slots=True)
class Query:
    """A clue and what is known of its answer: capital letters, '.' for unknown."""

    clue: str
    pattern: str

    def __post_init__(self) -> None:
        check_pattern(self.pattern)

    @property
    def length(self) -> int:
        return len(self.pattern)


class Guess(NamedTuple):
    """An answer with its probability, its confidence, and what speaks for it.

    A tuple, since guessers make them by the hundred thousand.
    """

    answer: str
    log_prob: float
    confidence: float
    evidence: tuple[str, ...] = ()

    @property
    def probability(self) -> float:
        return math.exp(self.log_prob)


@dataclass(frozen=True, eq=False, slots=True)
class Distribution:
    """A log-probability for every known answer of one length, and for "none of these".

    `exp(log_probs)` and `exp(log_unknown)` sum to one. `letters[i, j]` is the probability that an
    unknown answer has the j-th letter at place i, given the clue, where the guesser has a view.
    """

    words: Words
    log_probs: NDArray[np.float32]
    log_unknown: float
    letters: NDArray[np.float32] | None = None


@runtime_checkable
class Guesser(Protocol):
    """Many queries in, one list (or distribution) each out; never one at a time inside."""

    @property
    def name(self) -> str: ...

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        """Best first, no repeats, each fits its pattern; the probabilities sum to at most one."""
        ...

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        """Every answer of each query's length, its pattern not yet applied."""
        ...


@runtime_checkable
class Composer(Protocol):
    """A guesser that can also make up answers which are in no list."""

    def compose(
        self, clue: str, letter_log_probs: NDArray[np.float64], limit: int = 100
    ) -> list[tuple[str, float]]:
        """Likely phrases for letter probabilities (a row of 26 a place), none listed twice.

        Each with log P(phrase | clue) among all unknown answers of that length; the letters choose
        the phrases, but do not count in that figure.
        """
        ...


@runtime_checkable
class Explainer(Protocol):
    """A guesser that can also say why it would give an answer."""

    def explain(self, clue: str, answers: Sequence[str]) -> list[tuple[str, ...]]:
        """For each answer, listed or not, what speaks for it, a line each."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """A solver's state in mid-work: what it would enter now, and how sure it is of each cell."""

    fill: Mapping[Cell, str]
    confidence: Mapping[Cell, float]
    stage: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a solve took. `seconds` includes guessing; `rounds` is the solver's own unit."""

    seconds: float = 0.0
    guess_seconds: float = 0.0
    rounds: int = 0
    details: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Solution:
    """A solver's result as a value. `letters` has for each cell the likely contents, best first."""

    fill: Mapping[Cell, str]
    letters: Mapping[Cell, tuple[tuple[str, float], ...]]
    candidates: Mapping[str, tuple[Guess, ...]]
    status: Status
    statistics: Statistics = Statistics()

    def confidence(self, cell: Cell) -> float:
        """The probability of what was entered in a cell; 0 where nothing was."""
        entered = self.fill.get(cell)
        return next((p for text, p in self.letters.get(cell, ()) if text == entered), 0.0)


ProgressCallback = Callable[[Progress], None]


@runtime_checkable
class Solver(Protocol):
    """Fills a puzzle without answers. Never mutates, prints or evaluates; honours the deadline."""

    @property
    def name(self) -> str: ...

    def solve(
        self,
        puzzle: Puzzle,
        guesser: Guesser,
        *,
        timeout_seconds: float | None = None,
        on_progress: ProgressCallback | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Solution: ...
