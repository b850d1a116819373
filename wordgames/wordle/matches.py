"""Letter and position matches of guesses against the words that remain: what `score` adds up
and `learned` learns from.

Repeated letters are told apart by copy: the second E of a guess matches the words that have at
least two. So a guess is never paid twice for one letter, nor a repeat taken for a waste.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordgames.wordle.game import Indices, Wordle


class Matches:
    """Match tables of one game, computed once and then looked up by position."""

    def __init__(self, game: Wordle) -> None:
        codes = game.vocabulary.codes.astype(np.int32)
        length = codes.shape[1]
        letters = len(game.vocabulary.alphabet.letters)
        copies = np.zeros_like(codes)
        for i in range(1, length):
            copies[:, i] = (codes[:, :i] == codes[:, i : i + 1]).sum(axis=1)
        self._answers = game.vocabulary.answers
        self._features = letters * length
        # One number for "at least copy c of letter l", one for "letter l at position i".
        self._copy_of = codes * length + copies
        self._place_of = codes * length + np.arange(length, dtype=np.int32)
        self.repeats: NDArray[np.float64] = (copies > 0).sum(axis=1) / length

    def shares(
        self, remaining: Indices, guesses: Indices
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For every letter of every guess: the share of remaining words with that letter (at
        least as many copies), and the share with it in that position."""
        words = self._answers[remaining]
        tables = []
        for feature_of in (self._copy_of, self._place_of):
            counts = np.bincount(feature_of[words].ravel(), minlength=self._features)
            tables.append((counts / len(words))[feature_of[guesses]])
        return tables[0], tables[1]
