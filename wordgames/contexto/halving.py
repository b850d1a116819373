"""The known strategy: every two ranked guesses cut the space of words in half.

If a is ranked before b, the hidden word should be nearer to a than to b, give or take the
distance offset. Only consecutive pairs of the ranking make rules; the words that fulfil most
rules stay. Two openers near the mean of all words; then by the best rank so far: far from the
best guess while it is poor, near when it is fair, and next to the mean of the five best when good.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wordgames.contexto.knowledge import Model
from wordgames.contexto.solver import DISTANCE_OFFSET, Proposal, best_first
from wordgames.errors import ImpossibleHistoryError, UnknownWordError

OPENERS = 2
WORDS = 8_000  # likeliest words of the model that it plays with; rare ones only lead it astray
NEAREST = 5  # best guesses whose mean is the last stage's aim


class HalvingSolver:
    """One game; see `solver.Solver`."""

    def __init__(self, model: Model, *, distance_offset: float = DISTANCE_OFFSET) -> None:
        self.model = model
        self.distance_offset = distance_offset
        lengths = np.linalg.norm(model.matrix, axis=1, keepdims=True)
        self._unit = model.matrix / np.maximum(lengths, 1e-9)
        self._ranked: dict[int, int] = {}
        self._rows = np.sort(np.argsort(-model.log_prior, kind="stable")[:WORDS])
        self._from: dict[int, NDArray[np.float32]] = {}  # distances of these rows from a guess
        self._out: set[int] = set()

    def tell(self, word: str, rank: int) -> None:
        """A guess and its rank. A word that the model does not know tells nothing."""
        try:
            guess = self.model.place(word)
        except UnknownWordError:
            return
        self._ranked[guess] = rank
        self._from[guess] = self._distance(self._unit[guess], self._rows)
        self._out.add(guess)

    def refuse(self, word: str) -> None:
        """The game does not know the word, so it is not the hidden one."""
        if word in self.model.index:
            self._out.add(self.model.index[word])

    def propose(self, count: int = 1) -> list[Proposal]:
        """The next words of the strategy, best first."""
        kept = self.kept()
        if not len(kept):
            raise ImpossibleHistoryError("every word of the vocabulary has been tried")
        words = [self.model.words[i] for i in self._ordered(kept)[:count]]
        return [Proposal(word, None) for word in words]

    def kept(self) -> NDArray[np.int64]:
        """The untried words that fulfil most rules."""
        pairs = [(self.model.words[i], rank) for i, rank in self._ranked.items()]
        guesses = [self.model.index[word] for word, _ in best_first(pairs)]
        fulfilled = np.zeros(len(self._rows), np.int64)
        for better, worse in pairwise(guesses):
            fulfilled += self._from[better] < self._from[worse] + self.distance_offset
        fulfilled[np.isin(self._rows, list(self._out))] = -1
        most = fulfilled.max()
        return self._rows[fulfilled == most] if most >= 0 else self._rows[:0]

    def _ordered(self, kept: NDArray[np.int64]) -> NDArray[np.int64]:
        """The kept words, the one to try first."""
        if len(self._ranked) < OPENERS:
            return kept[
                np.argsort(self._distance(self._unit[self._rows].mean(axis=0), kept), kind="stable")
            ]
        best = min(self._ranked, key=lambda guess: self._ranked[guess])
        rank = self._ranked[best]
        if rank > 300:
            away = kept[np.argsort(self._distance(self._unit[best], kept), kind="stable")]
            half, quarter = len(away) // 2, 3 * len(away) // 4
            part = (
                away[quarter:] if rank > 3000 else away[half:] if rank > 1500 else away[: half + 1]
            )
            # Within the part the likeliest word first; the rest follows for `count`.
            return part[np.argsort(-self.model.log_prior[part], kind="stable")]
        best_five = sorted(self._ranked, key=lambda guess: self._ranked[guess])[:NEAREST]
        aim = self._unit[best_five].mean(axis=0)
        return kept[np.argsort(self._distance(aim, kept), kind="stable")]

    def _distance(self, aim: NDArray[np.float32], words: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.asarray(1.0 - self._unit[words] @ (aim / max(float(np.linalg.norm(aim)), 1e-9)))
