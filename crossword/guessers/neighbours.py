"""Guessing from the clues that were seen: what the guessers by nearest clues share.

`ClueMemory` holds the answers and, for each stored clue, which answer it had and how often.
`gather` joins the nearest clues of a query into candidates: the first experiments' confidence
(0.5·e^(−d) each, repeats joined as independent probabilities) and the features that calibration
weighs. `NeighbourGuesser` puts a search and a calibration together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError
from crossword.guessers.calibration import Calibration, Candidates
from crossword.guessers.neighbour_kernels import gather_all
from crossword.guessers.patterns import best, repeated
from crossword.types import Distribution, Guess, Query
from crossword.vocabulary import MAX_LENGTH, Words, words_of

SHARE = "exact share"
FEATURES = (
    *("nearest", "nearest^4", "log kernel 6", "log kernel 12", "log frequency", "exact"), SHARE
)  # fmt: skip
ADDED = (SHARE,)  # since the first models; without them those still open
NEIGHBOURS = 300  # clues that are looked at; arbitrary
REMEMBERED = 400  # clues (some 10 MB), since solvers ask again as letters come in
BATCH = 64  # queries at a time, so that a product stays small enough for the cache


@dataclass(frozen=True, eq=False)
class LengthMemory:
    """What is remembered of the answers of one length; rows are stored clues."""

    words: Words
    start: int  # the first row of this length among all rows
    row_answers: NDArray[np.int64]  # for each row the position of its answer in `words`
    row_counts: NDArray[np.float32]

    @cached_property
    def frequency(self) -> NDArray[np.float64]:
        """How often each answer was seen; at least 1, since it is in the vocabulary."""
        counts = np.bincount(self.row_answers, self.row_counts, len(self.words))
        return np.asarray(np.maximum(counts, 1.0))

    @cached_property
    def log_frequency(self) -> NDArray[np.float32]:
        return np.asarray(np.log1p(self.frequency), dtype=np.float32)

    @cached_property
    def log_prior(self) -> NDArray[np.float32]:
        return np.asarray(np.log(self.frequency / self.frequency.sum()), dtype=np.float32)

    def __len__(self) -> int:
        return len(self.row_answers)


class ClueMemory:
    """All answers, sorted by length and alphabet; and rows of stored clues, sorted by length."""

    def __init__(
        self, answers: Sequence[str], rows: NDArray[np.int32], counts: NDArray[np.int32]
    ) -> None:
        self._answers, self._rows, self._counts = answers, rows, counts
        lengths = np.array([len(answer) for answer in answers], dtype=np.int64)
        self._bounds = np.searchsorted(lengths, np.arange(MAX_LENGTH + 2))
        self._made: dict[int, LengthMemory] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def columns(self) -> tuple[Sequence[str], NDArray[np.int32], NDArray[np.int32]]:
        """The answers; and for each row the place of its answer, and its count."""
        return self._answers, self._rows, self._counts

    @property
    def lengths(self) -> list[int]:
        return [n for n in range(1, MAX_LENGTH + 1) if self._bounds[n] < self._bounds[n + 1]]

    def of(self, length: int) -> LengthMemory:
        """The memory of one length, made when it is first asked for."""
        if length not in self._made:
            self._made[length] = self._make(length)
        return self._made[length]

    def _make(self, length: int) -> LengthMemory:
        if length > MAX_LENGTH or self._bounds[length] == self._bounds[length + 1]:
            empty = Words(np.zeros((0, length), dtype=np.uint8))
            return LengthMemory(empty, 0, np.zeros(0, np.int64), np.zeros(0, np.float32))
        first, last = int(self._bounds[length]), int(self._bounds[length + 1])
        start, stop = np.searchsorted(self._rows, [first, last]).tolist()
        return LengthMemory(
            words_of(self._answers[first:last]),
            start,
            self._rows[start:stop].astype(np.int64) - first,
            self._counts[start:stop].astype(np.float32),
        )

    def extended(
        self, answers: Sequence[str], counts: Sequence[int]
    ) -> tuple[ClueMemory, NDArray[np.int64]]:
        """With rows added, each after those of its answer's length.

        Also tells of each row where it was: among the rows before, with the added ones after them.
        """
        joint = sorted({*self._answers, *answers}, key=lambda answer: (len(answer), answer))
        place = {answer: i for i, answer in enumerate(joint)}
        moved = np.array([place[answer] for answer in self._answers], dtype=np.int32)
        added = np.array([place[answer] for answer in answers], dtype=np.int32)
        rows = np.concatenate([moved[self._rows], added])
        lengths = np.array([len(answer) for answer in joint], dtype=np.int64)
        order = np.argsort(lengths[rows], kind="stable")
        times = np.concatenate([self._counts, np.array(counts, dtype=np.int32)])
        return ClueMemory(joint, rows[order], times[order].astype(np.int32)), order

    def save(self, part: Path) -> None:
        (part / "answers.txt").write_text("\n".join(self._answers) + "\n", encoding="ascii")
        np.save(part / "row-answers.npy", self._rows, allow_pickle=False)
        np.save(part / "row-counts.npy", self._counts, allow_pickle=False)

    @classmethod
    def load(cls, part: Path) -> ClueMemory:
        try:
            answers = (part / "answers.txt").read_text(encoding="ascii").split()
            rows = np.load(part / "row-answers.npy", mmap_mode="r", allow_pickle=False)
            counts = np.load(part / "row-counts.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise ModelError(f"{part} can't be read: {error}; please train it again") from None
        if rows.shape != counts.shape or (len(rows) and int(rows[-1]) >= len(answers)):
            raise ModelError(f"{part} contradicts itself; please train it again")
        return cls(answers, rows, counts)


# The cosines of the nearest stored clues, and their rows, in no order.
Near = tuple[NDArray[np.float32], NDArray[np.int64]]


class Search(Protocol):
    """Finds the candidates of clues among the answers of one length."""

    def candidates(
        self, clues: Sequence[str], length: int, memory: LengthMemory
    ) -> Sequence[Candidates]: ...


def gather(
    nearest: Sequence[Near], memory: LengthMemory, others: Sequence[NDArray[np.int64]] | None = None
) -> list[Candidates]:
    """The candidates that the nearest clues of each query make, all queries at once.

    `others` are answers of each query to be weighed as well. The confidence of one neighbour is the
    first experiments' formula, 0.5·e^(−d); its distance is Euclidean between unit vectors.
    """
    more = others if others is not None else [np.zeros(0, np.int64)] * len(nearest)
    near = np.concatenate([one for one, _ in nearest])
    rows = np.concatenate([rows for _, rows in nearest])
    added = np.concatenate(more)
    room = len(near) + len(added)
    positions, joined = np.empty(room, np.int64), np.empty(room, np.float32)
    features = np.empty((room, len(FEATURES)), np.float32)
    ends = gather_all(
        near, rows, np.cumsum([0, *(len(one) for one, _ in nearest)]),
        added, np.cumsum([0, *map(len, more)]), memory.row_answers, memory.row_counts,
        memory.log_frequency, positions, features, joined,
    )  # fmt: skip
    # Copied, for they are remembered, and the room for them is not.
    return [
        Candidates(
            positions[begin:end].copy(), features[begin:end].copy(), joined[begin:end].copy(),
            float(one.max(initial=0.0)),
        )
        for (one, _), begin, end in zip(nearest, ends.tolist(), ends[1:].tolist(), strict=False)
    ]  # fmt: skip


class NeighbourGuesser:
    """Answers of the nearest clues of the right length, with calibrated probabilities."""

    def __init__(
        self, name: str, memory: ClueMemory, search: Search, calibration: Calibration
    ) -> None:
        self._name, self.memory, self.search, self.calibration = name, memory, search, calibration
        self._known: dict[tuple[str, int], Candidates] = {}

    @property
    def name(self) -> str:
        return self._name

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        found: list[list[Guess]] = [[] for _ in queries]
        for at, candidates, distribution in self._scored(queries):
            pattern = queries[at].pattern
            found[at] = best(distribution, pattern, limit, candidates.confidences())
        return found

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        found: dict[int, Distribution] = {}
        for at, _, distribution in self._scored(queries):
            found[at] = distribution
        return [found[at] for at in range(len(queries))]

    def candidates(self, queries: Sequence[Query]) -> Iterator[tuple[int, Candidates]]:
        """The candidates of each query, with its place in the list; grouped by length."""
        by_length: dict[int, list[int]] = {}
        for at, query in enumerate(queries):
            if (known := self._known.get((query.clue, query.length))) is not None:
                yield at, known
            else:
                by_length.setdefault(query.length, []).append(at)
        for length, places in sorted(by_length.items()):
            memory = self.memory.of(length)
            for start in range(0, len(places), BATCH):
                batch = places[start : start + BATCH]
                clues = [queries[at].clue for at in batch]
                found = self.search.candidates(clues, length, memory)
                for at, candidates in zip(batch, found, strict=True):
                    if len(self._known) >= REMEMBERED:
                        self._known.clear()
                    self._known[queries[at].clue, length] = candidates
                    yield at, candidates

    def _scored(self, queries: Sequence[Query]) -> Iterator[tuple[int, Candidates, Distribution]]:
        for at, candidates in self.candidates(queries):
            memory = self.memory.of(queries[at].length)
            dropped = repeated(memory.words, queries[at].clue)
            yield (
                at,
                candidates,
                self.calibration.distribution(memory.words, memory.log_prior, candidates, dropped),
            )
