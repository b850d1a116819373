"""`tfidf`: the answers of the nearest training clues by TF-IDF and cosine.

A clue's terms are its words (counted twice, so that they outweigh the rest), pairs of words that
stand together, and the four-letter pieces of its words. Only clues whose answer has the right
length are looked at. Beside single clues, each answer has a *profile*, all its clues in one
vector, which finds answers whose clues each share only a little with the query.

Sparse, not FAISS: a clue has some 20 of 240,000 terms, so a product of sparse matrices touches
only clues that share a term. Measured in `benchmarks/tfidf_index.py`; see docs/results.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers.calibration import Calibration, Candidates
from crossword.guessers.neighbours import (
    ADDED,
    FEATURES,
    NEIGHBOURS,
    ClueMemory,
    LengthMemory,
    Near,
    NeighbourGuesser,
    gather,
)
from crossword.guessers.postings import Postings, nearest, postings, products
from crossword.text import tokens

NAME = "tfidf"
PROFILE_FEATURES = ("profile", "root profile", "log profile")
ALL_FEATURES = (*FEATURES, *PROFILE_FEATURES)
PIECE = 4  # letters; 3 to 5 was slower and no better (top-5 on 5,000 clues of odd days)
MAX_WORDS = 60  # arbitrary; the longest real clues have some 40, and work must be bounded


def terms(clue: str) -> list[str]:
    """The terms of a clue; training and guessing both use this."""
    words = tokens(clue)[:MAX_WORDS]
    found = words * 2
    found += [f"{first} {second}" for first, second in pairwise(words)]
    for word in words:
        edged = f"<{word}>"
        found += [f"#{edged[i : i + PIECE]}" for i in range(len(edged) - PIECE + 1)]
    return found


class Vectoriser:
    """TF-IDF as scikit-learn's with sublinear counts and unit length, from stored terms."""

    def __init__(self, index: Mapping[str, int], idf: NDArray[np.float32]) -> None:
        self._index, self._idf = index, idf

    @property
    def width(self) -> int:
        return len(self._idf)

    def transform(self, clues: Sequence[str]) -> sparse.csr_array:
        starts, columns, values = [0], [], []
        for clue in clues:
            counts = Counter(self._index[t] for t in terms(clue) if t in self._index)
            places = np.fromiter(counts.keys(), dtype=np.int32, count=len(counts))
            weights = 1 + np.log(np.fromiter(counts.values(), dtype=np.float32, count=len(counts)))
            weights *= self._idf[places]
            columns.append(places)
            values.append(weights / max(float(np.linalg.norm(weights)), 1e-12))
            starts.append(starts[-1] + len(places))
        shape = (len(clues), len(self._idf))
        if not clues:
            return sparse.csr_array(shape, dtype=np.float32)
        data = np.concatenate(values).astype(np.float32)
        return sparse.csr_array((data, np.concatenate(columns), starts), shape=shape)

    def extended(self, clues: Sequence[str], stored: int) -> Vectoriser:
        """With the terms of these clues that are new, weighted as rare among `stored` clues."""
        seen = Counter(term for clue in clues for term in set(terms(clue)))
        new = sorted(term for term in seen if term not in self._index)
        index = {**self._index, **{term: self.width + i for i, term in enumerate(new)}}
        times = np.array([seen[term] for term in new], dtype=np.float32)
        idf = np.log((1 + stored) / (1 + times)) + 1  # as scikit-learn has it
        return Vectoriser(index, np.concatenate([self._idf, idf]).astype(np.float32))

    def save(self, part: Path) -> None:
        ordered = sorted(self._index, key=self._index.__getitem__)
        (part / "terms.txt").write_text("\n".join(ordered) + "\n", encoding="ascii")
        np.save(part / "idf.npy", self._idf, allow_pickle=False)

    @classmethod
    def load(cls, part: Path) -> Vectoriser:
        listed = (part / "terms.txt").read_text(encoding="ascii").split("\n")[:-1]
        idf = np.load(part / "idf.npy", allow_pickle=False)
        if len(listed) != len(idf):
            raise ModelError(f"{part} contradicts itself; please train it again")
        return cls({term: i for i, term in enumerate(listed)}, idf)


class SparseSearch:
    """Stored clues as rows of a sparse matrix, turned into an inverted index by length."""

    def __init__(self, vectoriser: Vectoriser, rows: StoredRows) -> None:
        self.vectoriser, self._rows = vectoriser, rows
        self._inverted: dict[int, tuple[Postings, Postings]] = {}

    def _of(self, length: int, memory: LengthMemory) -> tuple[Postings, Postings]:
        """Terms × clues and terms × answers, made when a length is first asked for."""
        if length not in self._inverted:
            stop = memory.start + len(memory)
            part = self._rows.part(memory.start, stop, self.vectoriser.width)
            profiles = _profiles(part, memory)
            self._inverted[length] = postings(part.T.tocsr()), postings(profiles.T.tocsr())
        return self._inverted[length]

    def candidates(
        self, clues: Sequence[str], length: int, memory: LengthMemory
    ) -> list[Candidates]:
        if len(memory) == 0:
            return [_no_candidates() for _ in clues]
        queries = postings(self.vectoriser.transform(clues))
        stored, profiles = self._of(length, memory)
        near = _top(queries, stored, len(memory))
        akin = [places for _, places in _top(queries, profiles, len(memory.words))]
        found = gather(near, memory, akin)
        ends = np.cumsum([0, *(len(one.positions) for one in found)])
        positions = np.concatenate([one.positions for one in found])
        # Of answers that came through a clue alone, the profile counts too.
        kin = products(queries, profiles, len(memory.words), positions, ends)
        extra = np.stack([kin, np.sqrt(kin), np.log(kin + np.float32(0.03))], axis=1)
        rows = np.concatenate([np.concatenate([one.features for one in found]), extra], axis=1)
        return [
            Candidates(one.positions, own, one.confidence, one.nearest)
            for one, own in zip(found, np.split(rows, ends[1:-1]), strict=True)
        ]


def _top(queries: Postings, rows: Postings, size: int) -> list[Near]:
    """For each query the highest products with so many rows, at most NEIGHBOURS."""
    count = len(queries.starts) - 1
    places = np.empty((count, NEIGHBOURS), np.int64)
    values = np.empty((count, NEIGHBOURS), np.float32)
    counts = np.empty(count, np.int64)
    nearest(queries, rows, size, places, values, counts)
    return [(values[q, :n], places[q, :n]) for q, n in enumerate(counts.tolist())]


def _profiles(rows: sparse.csr_array, memory: LengthMemory) -> sparse.csr_array:
    """Each answer's clues in one vector of unit length.

    The root of the sum, not the sum: a term in nine clues of ten says more than one in one of
    ten, but not nine times as much (top-5 on 5,000 clues of odd days: 0.612 against 0.605).
    """
    ones = np.ones(len(memory), dtype=np.float32)
    places = (memory.row_answers, np.arange(len(memory)))
    summed = (
        sparse.csr_array((ones, places), shape=(len(memory.words), len(memory))) @ rows
    ).tocsr()
    summed.data = np.sqrt(summed.data)
    length = np.sqrt(np.asarray(summed.multiply(summed).sum(axis=1)).ravel())
    scale = 1 / np.maximum(length, 1e-12)
    summed.data *= np.repeat(scale, np.diff(summed.indptr)).astype(np.float32)
    return summed


def _no_candidates() -> Candidates:
    width = len(ALL_FEATURES)
    return Candidates(
        np.zeros(0, np.int64), np.zeros((0, width), np.float32), np.zeros(0, np.float32), 0.0
    )


class StoredRows:
    """The vectors of all stored clues, as arrays that are mapped, not read whole."""

    def __init__(
        self, data: NDArray[np.float16], indices: NDArray[np.int32], indptr: NDArray[np.int64]
    ) -> None:
        self._data, self._indices, self._indptr = data, indices, indptr

    @classmethod
    def of(cls, matrix: sparse.csr_array) -> StoredRows:
        """Half precision is enough for a cosine, and halves the file."""
        return cls(
            matrix.data.astype(np.float16),
            matrix.indices.astype(np.int32),
            matrix.indptr.astype(np.int64),
        )

    def part(self, start: int, stop: int, width: int) -> sparse.csr_array:
        starts = self._indptr[start : stop + 1]
        span = slice(int(starts[0]), int(starts[-1]))
        data = np.asarray(self._data[span], dtype=np.float32)
        arrays = (data, np.asarray(self._indices[span]), np.asarray(starts) - starts[0])
        return sparse.csr_array(arrays, shape=(stop - start, width))

    def save(self, part: Path) -> None:
        for name in ("data", "indices", "indptr"):
            np.save(part / f"{name}.npy", getattr(self, f"_{name}"), allow_pickle=False)

    @classmethod
    def load(cls, part: Path) -> StoredRows:
        return cls(
            *(
                np.load(part / f"{name}.npy", mmap_mode="r", allow_pickle=False)
                for name in ("data", "indices", "indptr")
            )
        )


def open_part(part: Path, calibration: Calibration | None = None) -> NeighbourGuesser:
    """The guesser in a part's folder; with a calibration of its own, or else the stored one."""
    try:
        search = SparseSearch(Vectoriser.load(part), StoredRows.load(part))
    except (OSError, ValueError) as error:
        raise ModelError(f"{part} can't be read: {error}; please train it again") from None
    fitted = calibration or Calibration.load(part, ALL_FEATURES, ADDED)
    return NeighbourGuesser(NAME, ClueMemory.load(part), search, fitted)


def load(model: ModelFolder | None = None) -> NeighbourGuesser:
    """The guesser of a model folder."""
    if model is None:
        raise ModelError("tfidf needs a trained model: crossword train --corpus … --only tfidf")
    return open_part(model.part(NAME))
