"""Wordle's strategies by name, and the shape they share.

A strategy is built for one game. `choose` gives the guess to play; `ranked` gives the best few
with their costs (the least is best; what it measures, each strategy says).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wordgames.strategy import Registry, Strategy
from wordgames.wordle.game import Indices, Position, Wordle


class RankedGuess(NamedTuple):
    """A guess (index of a word) and its cost to a strategy, least best."""

    guess: int
    cost: float


class WordleStrategy(Strategy[Position, int], Protocol):
    name: str
    game: Wordle

    def ranked(self, position: Position, count: int) -> list[RankedGuess]: ...


class CostStrategy:
    """A strategy that puts a cost on every guess and takes the least."""

    name: str
    game: Wordle

    def costs(self, position: Position, guesses: Indices) -> NDArray[np.float64]:
        """The cost of each guess; the least is best."""
        raise NotImplementedError

    def candidates(self, position: Position) -> Indices:
        """The guesses to look at: all that are allowed."""
        return position.allowed

    def choose(self, position: Position) -> int:
        return self.ranked(position, 1)[0].guess

    def ranked(self, position: Position, count: int) -> list[RankedGuess]:
        answers = self.game.vocabulary.answers[position.remaining]
        if len(answers) <= 2:
            # One of two answers right, the other next: nothing is better.
            return [RankedGuess(int(answer), 0.0) for answer in answers[:count]]
        guesses = self.candidates(position)
        costs = self.costs(position, guesses)
        # Among equals, a word that may be the answer; then the order of the list.
        order = np.lexsort((guesses, ~np.isin(guesses, answers), np.round(costs, 9)))
        return [RankedGuess(int(guesses[k]), float(costs[k])) for k in order[:count]]


STRATEGIES: Registry[WordleStrategy] = Registry(
    "strategy",
    {
        "score": "wordgames.wordle.score:Score",
        "mean": "wordgames.wordle.bruteforce:Mean",
        "max": "wordgames.wordle.bruteforce:Max",
        "entropy": "wordgames.wordle.bruteforce:Entropy",
        "partitions": "wordgames.wordle.bruteforce:Partitions",
        "lookahead": "wordgames.wordle.lookahead:Lookahead",
        "positional": "wordgames.wordle.positional:Positional",
        "learned": "wordgames.wordle.learned:Learned",
    },
)
