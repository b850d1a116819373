"""Trains `word2vec`: skip-gram vectors of clue words (gensim), and a FAISS index of the clues.

    python -m train.word2vec --corpus archive.zip --out models/w2v --weighting sif
    crossword train --corpus archive.zip --only word2vec --out models/w2v

Weightings of the mean (the comparison is in docs/results.md): `mean`, all words alike; `idf`,
rare words count more; `sif`, a/(a+p(word)) less the first principal direction (Arora et al. 2017).
One worker, so that the same corpus gives the same vectors.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from gensim.models import Word2Vec
from numpy.typing import NDArray

from crossword.errors import DataError
from crossword.guessers.index import INDEX_RECORDS, write_index
from crossword.guessers.neighbours import FEATURES
from crossword.guessers.word2vec import NAME, ClueEmbedder, open_part
from crossword.text import tokens
from train.calibration import cases_of, fit, uncalibrated
from train.pairs import Pairs

WEIGHTINGS = ("mean", "idf", "sif")
SAMPLE = 50_000  # clues from which the common direction is reckoned


@dataclass(frozen=True)
class Settings:
    dimensions: int = 100
    window: int = field(default=10, metadata={"help": "clues are short: most of one is seen"})
    epochs: int = 8
    min_count: int = 2
    weighting: str = field(default="sif", metadata={"help": f"of {', '.join(WEIGHTINGS)}"})
    sif: float = field(default=1e-3, metadata={"help": "the a of SIF"})
    index_megabytes: int = field(
        default=2048, metadata={"help": "memory for the index; beyond it vectors are coded"}
    )
    seed: int = 1

    def __post_init__(self) -> None:
        if self.weighting not in WEIGHTINGS:
            known = ", ".join(WEIGHTINGS)
            raise DataError(f"no weighting called {self.weighting!r}; there are: {known}")


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration."""
    split = [tokens(clue) for clue in pairs.clues]
    sentences = [
        [*words, answer.lower()] for words, answer in zip(split, pairs.answers, strict=True)
    ]
    # Pairs are sorted by answer; skip-gram's rate falls as it goes, so they must be mixed.
    order = np.random.default_rng(settings.seed).permutation(len(sentences)).tolist()
    model = Word2Vec(
        [sentences[i] for i in order],
        vector_size=settings.dimensions,
        window=settings.window,
        epochs=settings.epochs,
        min_count=settings.min_count if len(pairs) >= 10_000 else 1,
        sg=1,
        negative=5,
        sample=1e-4,
        workers=1,
        seed=settings.seed,
    )
    words = list(model.wv.index_to_key)
    index = {word: i for i, word in enumerate(words)}
    vectors = np.asarray(model.wv.vectors, dtype=np.float32)
    weights = _weights(words, split, settings)
    direction = np.zeros(settings.dimensions, dtype=np.float32)
    plain = ClueEmbedder(index, vectors, weights, direction)
    if settings.weighting == "sif":
        direction = _direction(plain.average([pairs.clues[i] for i in order[:SAMPLE]]))
    ClueEmbedder(index, vectors, weights, direction).save(part)
    embedder = ClueEmbedder.load(part)  # with the rounding that guessing will meet
    memory = pairs.memory()
    memory.save(part)
    share = settings.index_megabytes * 2**20 / len(pairs)
    records = {}
    for length in memory.lengths:
        rows = memory.of(length)
        stored = pairs.clues[rows.start : rows.start + len(rows)]
        made = write_index(part, length, embedder.embed(stored), bytes_per_row=share)
        records[length] = asdict(made)
    (part / INDEX_RECORDS).write_text(json.dumps(records, indent=1) + "\n")


def _weights(
    words: Sequence[str], clues: Sequence[Sequence[str]], settings: Settings
) -> NDArray[np.float32]:
    if settings.weighting == "mean":
        return np.ones(len(words), dtype=np.float32)
    if settings.weighting == "idf":
        seen = Counter(word for clue in clues for word in set(clue))
        found = [np.log((1 + len(clues)) / (1 + seen[word])) + 1 for word in words]
        return np.array(found, dtype=np.float32)
    counted = Counter(word for clue in clues for word in clue)
    total = max(counted.total(), 1)
    shares = np.array([counted[word] / total for word in words])
    return np.asarray(settings.sif / (settings.sif + shares), dtype=np.float32)


def _direction(averages: NDArray[np.float32]) -> NDArray[np.float32]:
    """The first right singular vector of the clues' vectors, its sign fixed."""
    gram = averages.T.astype(np.float64) @ averages
    first = np.linalg.eigh(gram)[1][:, -1]
    return np.asarray(first * np.sign(first[np.abs(first).argmax()]), dtype=np.float32)


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the probabilities on clues that `build` has not seen."""
    guesser = open_part(part, uncalibrated(FEATURES))
    fit(cases_of(guesser, held), FEATURES).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
