"""`positional`: the remaining word with the likeliest letters in their positions.

P(letter | position) is taken once, over the whole word list. Letters already tried count only
min(g / 4, 1) of it, g being the guesses made, so the second and third guess look for new ones.
It asks for nothing but letter counts: a baseline that a person could play.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordgames.wordle.game import Indices, Position, Wordle
from wordgames.wordle.strategies import CostStrategy

FULL_TRUST_AFTER = 4  # guesses; from then on a letter that was tried counts in full


class Positional(CostStrategy):
    name = "positional"

    def __init__(self, game: Wordle) -> None:
        self.game = game

    def candidates(self, position: Position) -> Indices:
        return self.game.vocabulary.answers[position.remaining]

    def costs(self, position: Position, guesses: Indices) -> NDArray[np.float64]:
        vocabulary = self.game.vocabulary
        shares = vocabulary.position_shares.copy()
        tried = sorted({int(c) for guess, _ in position.history for c in vocabulary.codes[guess]})
        shares[:, tried] *= min(position.turn / FULL_TRUST_AFTER, 1)
        letters = shares[np.arange(vocabulary.length), vocabulary.codes[guesses]]
        return np.asarray(-letters.sum(axis=1))
