"""`word2vec`: the answers of the nearest training clues by averaged word vectors (gensim, FAISS).

Vectors are skip-gram (Mikolov et al. 2013) over clues with their answers as words among them, so
that an answer in one clue meets the same word in another. A clue is the weighted mean of its
words' vectors less their common direction; the weighting is part of the model (see
`train/word2vec.py`, where mean, idf and SIF are compared). gensim isn't needed to guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers.calibration import Calibration, Candidates
from crossword.guessers.index import LengthIndex
from crossword.guessers.neighbours import (
    FEATURES,
    ClueMemory,
    LengthMemory,
    NeighbourGuesser,
    gather,
)
from crossword.text import tokens

NAME = "word2vec"
MAX_WORDS = 60  # arbitrary; as in tfidf
NEIGHBOURS = 100  # FAISS slows down with more, and the far ones tell little


class ClueEmbedder:
    """Clues as unit vectors; a clue with no known word is all zeros."""

    def __init__(
        self,
        index: Mapping[str, int],
        vectors: NDArray[np.float32],
        weights: NDArray[np.float32],
        direction: NDArray[np.float32],
    ) -> None:
        self._index, self.vectors = index, vectors
        self.weights, self._direction = weights, direction

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    def average(self, clues: Sequence[str]) -> NDArray[np.float32]:
        """The weighted means, before the common direction is taken off."""
        made = np.zeros((len(clues), self.dimensions), dtype=np.float32)
        for i, clue in enumerate(clues):
            places = [self._index[t] for t in tokens(clue)[:MAX_WORDS] if t in self._index]
            if places:
                made[i] = self.weights[places] @ self.vectors[places] / len(places)
        return made

    def embed(self, clues: Sequence[str]) -> NDArray[np.float32]:
        made = self.average(clues)
        known = np.abs(made).max(axis=1, initial=0) > 0
        made -= np.outer(made @ self._direction, self._direction)
        norms = np.linalg.norm(made, axis=1)
        known &= norms > 1e-9  # a clue along the common direction says nothing
        made[~known] = 0
        made[known] /= norms[known, None]
        return made

    def save(self, part: Path) -> None:
        ordered = sorted(self._index, key=self._index.__getitem__)
        (part / "words.txt").write_text("\n".join(ordered) + "\n", encoding="ascii")
        np.save(part / "vectors.npy", self.vectors.astype(np.float16), allow_pickle=False)
        np.save(part / "weights.npy", self.weights, allow_pickle=False)
        np.save(part / "direction.npy", self._direction, allow_pickle=False)

    @classmethod
    def load(cls, part: Path) -> ClueEmbedder:
        try:
            words = (part / "words.txt").read_text(encoding="ascii").split("\n")[:-1]
            vectors, weights, direction = (
                np.load(part / f"{name}.npy", allow_pickle=False).astype(np.float32)
                for name in ("vectors", "weights", "direction")
            )
        except (OSError, ValueError) as error:
            raise ModelError(f"{part} can't be read: {error}; please train it again") from None
        if not len(words) == len(vectors) == len(weights) or vectors.shape[1:] != direction.shape:
            raise ModelError(f"{part} contradicts itself; please train it again")
        return cls({word: i for i, word in enumerate(words)}, vectors, weights, direction)


class DenseSearch:
    """The nearest stored clues by FAISS."""

    def __init__(self, embedder: ClueEmbedder, index: LengthIndex) -> None:
        self.embedder, self._index = embedder, index

    def candidates(
        self, clues: Sequence[str], length: int, memory: LengthMemory
    ) -> list[Candidates]:
        vectors = self.embedder.embed(clues)
        similarity, rows = self._index.search(length, vectors, NEIGHBOURS)
        # A clue of unknown words has no neighbours; an index may find fewer than it was asked.
        found = (rows >= 0) & vectors.any(axis=1, keepdims=True)
        nearest = zip(similarity, rows, found, strict=True)
        return gather([(near[there], places[there]) for near, places, there in nearest], memory)


def open_part(part: Path, calibration: Calibration | None = None) -> NeighbourGuesser:
    """The guesser in a part's folder; with a calibration of its own, or else the stored one."""
    embedder = ClueEmbedder.load(part)
    search = DenseSearch(embedder, LengthIndex(part, embedder.dimensions))
    fitted = calibration or Calibration.load(part, FEATURES)
    return NeighbourGuesser(NAME, ClueMemory.load(part), search, fitted)


def load(model: ModelFolder | None = None) -> NeighbourGuesser:
    """The guesser of a model folder."""
    if model is None:
        raise ModelError(
            "word2vec needs a trained model: crossword train --corpus … --only word2vec"
        )
    return open_part(model.part(NAME))
