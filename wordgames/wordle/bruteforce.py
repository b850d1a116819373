"""`mean`, `max`, `entropy` and `partitions`: every allowed guess against every remaining answer.

One pass of the counting kernel gives all four measures of how a guess splits what remains; each
strategy orders by its own. One step deep: what follows the reply is not looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordgames.wordle.game import Indices, Position, Wordle
from wordgames.wordle.kernels import tally
from wordgames.wordle.strategies import CostStrategy

_SQUARES, _LARGEST, _BUCKETS, _LOGS = range(4)


def figures(game: Wordle, guesses: Indices, remaining: Indices) -> NDArray[np.float64]:
    """For each guess, in columns: expected and worst remaining size, buckets, bits of reply."""
    n = len(remaining)
    counted = tally(game.matrix, guesses, remaining, game.patterns)
    return np.column_stack(
        (
            counted[:, _SQUARES] / n,
            counted[:, _LARGEST],
            counted[:, _BUCKETS],
            np.log2(n) - counted[:, _LOGS] / n,
        )
    )


class _BruteForce(CostStrategy):
    column = 0
    sign = 1.0  # -1 where more is better

    def __init__(self, game: Wordle) -> None:
        self.game = game

    def costs(self, position: Position, guesses: Indices) -> NDArray[np.float64]:
        column = figures(self.game, guesses, position.remaining)[:, self.column]
        return np.asarray(self.sign * column)


class Mean(_BruteForce):
    """The least expected number of remaining answers."""

    name = "mean"


class Max(_BruteForce):
    """The least worst number of remaining answers."""

    name = "max"
    column = 1


class Partitions(_BruteForce):
    """The most different replies."""

    name = "partitions"
    column = 2
    sign = -1.0


class Entropy(_BruteForce):
    """The most bits of information in the reply."""

    name = "entropy"
    column = 3
    sign = -1.0
