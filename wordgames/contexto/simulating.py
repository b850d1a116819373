"""Whole games of Contexto by program: against the judge, or against anything that gives ranks."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wordgames import simulation
from wordgames.contexto.judge import Game, Judge
from wordgames.contexto.knowledge import Model
from wordgames.contexto.solver import DISTANCE_OFFSET, Solver, new_solver

MAX_GUESSES = 300
MANY = 100  # the figure `over_100` counts games beyond this


@dataclass(frozen=True)
class Outcome:
    """A finished game: the guesses with their ranks (None: refused), and whether it was found."""

    game: int
    target: str
    found: bool
    guesses: tuple[tuple[str, int | None], ...]

    @property
    def count(self) -> int:
        """Guesses that the game ranked; a refused word costs nothing, as in the real game."""
        return sum(rank is not None for _, rank in self.guesses)


def play(
    solver: Solver,
    rank_of: Callable[[str], tuple[str, int] | None],
    *,
    game: int = 0,
    target: str = "",
    max_guesses: int = MAX_GUESSES,
) -> Outcome:
    """Plays until the word is found or the guesses are used up.

    `rank_of` gives the word the game took the guess for and its rank, or None if refused.
    """
    guesses: list[tuple[str, int | None]] = []
    ranked: set[str] = set()
    found = False
    refused = 0
    while len(ranked) < max_guesses and refused < max_guesses and not found:
        word = solver.propose(1)[0].word
        reply = rank_of(word)
        if reply is None:
            solver.refuse(word)
            guesses.append((word, None))
            refused += 1
            continue
        taken_for, rank = reply
        if taken_for != word:
            solver.refuse(word)  # it is another word's form, so never the hidden word itself
            refused += 1  # counted, so that a game which renames everything ends too
        if taken_for not in ranked:
            ranked.add(taken_for)
            guesses.append((taken_for, rank))
            solver.tell(taken_for, rank)
        found = rank == 1
    return Outcome(game, target, found, tuple(guesses))


class _Task:
    """One game of the judge's, in whatever process."""

    def __init__(
        self, judge: Judge, model: Model, strategy: str, max_guesses: int, distance_offset: float
    ) -> None:
        self.judge, self.model, self.strategy = judge, model, strategy
        self.max_guesses, self.distance_offset = max_guesses, distance_offset

    def __call__(self, game: Game) -> Outcome:
        if game.target not in self.model.index:
            # No guess can ever find it: a failure, without the pretence of playing.
            return Outcome(game.number, game.target, False, ())
        ranks = self.judge.ranks(game)

        def rank_of(word: str) -> tuple[str, int] | None:
            rank = ranks.rank(word)
            return None if rank is None else (word, rank)

        solver = new_solver(self.strategy, model=self.model, distance_offset=self.distance_offset)
        return play(
            solver, rank_of, game=game.number, target=game.target, max_guesses=self.max_guesses
        )


def simulate(
    games: Sequence[Game],
    judge: Judge,
    model: Model,
    *,
    strategy: str = "bayes",
    max_guesses: int = MAX_GUESSES,
    distance_offset: float = DISTANCE_OFFSET,
    jobs: int = 1,
    show_progress: bool | None = None,
) -> simulation.Run[Outcome]:
    """Plays every game; interrupted, those played so far."""
    task = _Task(judge, model, strategy, max_guesses, distance_offset)
    return simulation.run(task, games, jobs=jobs, label=strategy, show_progress=show_progress)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of a simulation: `median mean over_100 failures` and what is behind them.

    A failure (not found, or never in the vocabulary) ranks behind every found game in the
    median, counts in `over_100`, and is left out of the mean.
    """
    counts = [outcome.count if outcome.found else float("inf") for outcome in outcomes]
    found = [outcome.count for outcome in outcomes if outcome.found]
    median = statistics.median(counts) if counts else float("nan")
    return {
        "games": len(outcomes),
        "median": median if abs(median) < float("inf") else None,
        "mean": statistics.fmean(found) if found else None,
        "over_100": sum(count > MANY for count in counts) / len(counts) if counts else None,
        "failures": len(outcomes) - len(found),
        "worst": max(found, default=None),
        "distribution": _distribution(found),
    }


def _distribution(counts: Sequence[int]) -> dict[int, int]:
    return dict(sorted(simulation.Summary.of(counts).distribution.items()))
