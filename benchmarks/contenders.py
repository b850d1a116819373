"""Guessers side by side: ours, and what a user would pick instead, behind one small interface.

The plain ones find the nearest stored clues of the right answer length and list their answers, the
nearest first, of equally near ones the more frequent first. All get the filter by length, an index
a length, and the same number of neighbours; ours are trained and calibrated as `crossword train`
does it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from crossword.types import Guesser, Query
from train.pairs import Pairs

LISTED = 100  # answers
NEIGHBOURS = 300  # stored clues that are looked at, as many as ours does
BATCH = 64

Found = tuple[NDArray[Any], NDArray[Any]]  # similarities and rows, a line for each query
Held = Sequence[tuple[str, str]]


class Contender(Protocol):
    earlier_seconds: float | None  # of building that was done beforehand; None where nobody knows

    def prepare(self) -> None:
        """Import what it needs, so that this counts neither as building nor as its memory."""

    def build(self, stored: Pairs, held: Held, folder: Path) -> None:
        """Learn the stored clues; `held` are others, to fit probabilities on."""

    def ranked(self, queries: Sequence[Query]) -> list[list[str]]:
        """The likeliest answers of each, best first, `LISTED` at most."""


def grouped(queries: Sequence[Query]) -> Iterator[tuple[int, list[int]]]:
    """Lengths, each with the places of some of its queries."""
    by_length: dict[int, list[int]] = {}
    for place, query in enumerate(queries):
        by_length.setdefault(query.length, []).append(place)
    for length, places in sorted(by_length.items()):
        for start in range(0, len(places), BATCH):
            yield length, places[start : start + BATCH]


class Plain(ABC):
    """Answers of the nearest clues; a subclass says what is near."""

    earlier_seconds: float | None = 0.0

    def build(self, stored: Pairs, held: Held, folder: Path) -> None:
        lengths = np.array([len(answer) for answer in stored.answers])
        self._spans = {
            int(n): slice(*np.searchsorted(lengths, [n, n + 1]).tolist())
            for n in np.unique(lengths)
        }
        self._answers = stored.answers
        self._counts = np.array(stored.counts)
        self._learn(stored.clues)
        for length, span in self._spans.items():
            self._index(length, span)

    @abstractmethod
    def _learn(self, clues: list[str]) -> None: ...

    @abstractmethod
    def _index(self, length: int, span: slice) -> None: ...

    @abstractmethod
    def _search(self, length: int, clues: list[str], count: int) -> Found: ...

    def ranked(self, queries: Sequence[Query]) -> list[list[str]]:
        listed: list[list[str]] = [[] for _ in queries]
        for length, places in grouped(queries):
            if length not in self._spans:
                continue
            span = self._spans[length]
            count = min(NEIGHBOURS, span.stop - span.start)
            near, rows = self._search(length, [queries[at].clue for at in places], count)
            for at, similar, found in zip(places, near, rows, strict=True):
                order = np.lexsort((-self._counts[span][found], -similar))
                answers = (self._answers[span.start + row] for row in found[order].tolist())
                listed[at] = list(dict.fromkeys(answers))[:LISTED]
        return listed


class BruteForce(Plain):
    """scikit-learn's nearest neighbours over the TF-IDF of `tfidf`: the first experiments' way."""

    def prepare(self) -> None:
        import sklearn.feature_extraction.text
        import sklearn.neighbors

        self._sklearn = sklearn

    def _learn(self, clues: list[str]) -> None:
        from crossword.guessers.tfidf import terms

        self._vectoriser = self._sklearn.feature_extraction.text.TfidfVectorizer(
            analyzer=terms, sublinear_tf=True, min_df=2, dtype=np.float32
        )
        self._rows = self._vectoriser.fit_transform(clues)
        self._indexes: dict[int, Any] = {}

    def _index(self, length: int, span: slice) -> None:
        index = self._sklearn.neighbors.NearestNeighbors(metric="cosine", algorithm="brute")
        self._indexes[length] = index.fit(self._rows[span])

    def _search(self, length: int, clues: list[str], count: int) -> Found:
        vectors = self._vectoriser.transform(clues)
        distance, rows = self._indexes[length].kneighbors(vectors, count)
        return -distance, rows


class BM25(Plain):
    """`bm25s` as it comes (Lucene's weights), but that it keeps the short words of short clues."""

    def prepare(self) -> None:
        import bm25s

        self._bm25s = bm25s

    def _tokens(self, clues: list[str]) -> Any:
        return self._bm25s.tokenize(
            clues, stopwords=None, token_pattern=r"(?u)\b\w+\b", show_progress=False
        )

    def _learn(self, clues: list[str]) -> None:
        self._clues = clues
        self._indexes: dict[int, Any] = {}

    def _index(self, length: int, span: slice) -> None:
        self._indexes[length] = self._bm25s.BM25()
        self._indexes[length].index(self._tokens(self._clues[span]), show_progress=False)

    def _search(self, length: int, clues: list[str], count: int) -> Found:
        found = self._indexes[length].retrieve(
            self._tokens(clues), k=count, show_progress=False, n_threads=0
        )
        return found.scores, found.documents


class MiniLM(Plain):
    """all-MiniLM-L6-v2 as it comes, its vectors of clues in exact FAISS indexes.

    Read in bfloat16, clues of like length together; or taken from `benchmarks.minilm_vectors`.
    """

    def __init__(self, vectors: Path | None = None) -> None:
        self._folder = vectors

    def prepare(self) -> None:
        import faiss
        import torch

        from benchmarks import minilm_vectors

        torch.set_num_threads(1)
        faiss.omp_set_num_threads(1)
        self._faiss, self._kept = faiss, minilm_vectors.kept
        self._reader = minilm_vectors.Reader()

    def _learn(self, clues: list[str]) -> None:
        if self._folder is None:
            self._rows = self._reader.read(clues)
        else:
            self._rows, self.earlier_seconds = self._kept(self._folder, clues)
        self._indexes: dict[int, Any] = {}

    def _index(self, length: int, span: slice) -> None:
        self._indexes[length] = self._faiss.IndexFlatIP(self._rows.shape[1])
        self._indexes[length].add(self._rows[span])

    def _search(self, length: int, clues: list[str], count: int) -> Found:
        near, rows = self._indexes[length].search(self._reader.read(clues), count)
        return near, rows


class Ours:
    """A part of ours: trained and calibrated here, or opened from a model folder."""

    earlier_seconds: float | None = 0.0

    def __init__(self, name: str, model: Path | None = None) -> None:
        self._name, self._model = name, model

    def prepare(self) -> None:
        from importlib import import_module

        if self._model is None:
            self._train = import_module(f"train.{self._name}")

    def build(self, stored: Pairs, held: Held, folder: Path) -> None:
        if self._model is not None:
            from crossword.loading import open_guesser

            self._guesser: Guesser = open_guesser(self._name, self._model)
            return
        self._train.build(stored, folder, self._train.Settings())
        self._train.calibrate(folder, held)
        self._guesser = self._train.open_part(folder)

    def ranked(self, queries: Sequence[Query]) -> list[list[str]]:
        found = self._guesser.guess(queries, LISTED)
        return [[guess.answer for guess in guesses] for guesses in found]


# Parts that `--model` gives; `hybrid` joins parts of a whole model and is never trained here.
OF_A_MODEL = {"ours: hybrid": "hybrid", "ours: encoder": "encoder"}
ONLY_OF_A_MODEL = "ours: hybrid"
CONTENDERS: dict[str, Any] = {
    "ours: hybrid": lambda model, _: Ours("hybrid", model),
    "ours: encoder": lambda model, _: Ours("encoder", model),
    "ours: tfidf": lambda model, _: Ours("tfidf"),
    "scikit-learn, brute force": lambda *_: BruteForce(),
    "BM25 (bm25s)": lambda *_: BM25(),
    "MiniLM in FAISS": lambda _, vectors: MiniLM(vectors),
}
