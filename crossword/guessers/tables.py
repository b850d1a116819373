"""The encoder's tables: vectors of clue features and of answers, priors, and the clue history.

What a model part of `encoder` holds, the arithmetic on it, and how it is written and read. Vectors
are coded (`quantiser`). What the cosines and the history mean for a probability is the merger's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from crossword.errors import ModelError
from crossword.guessers.features import clue_features, keys_of, rows_of
from crossword.guessers.fingerprints import ClueHistory
from crossword.guessers.quantiser import Codes
from crossword.lexicon import Lexicon
from crossword.vocabulary import Words

TABLES, ANSWERS, HISTORY = "{}.safetensors", "answers.npz", "history.npz"
COUNTS, LATER = "counts.npz", "history-{}.npz"
FEATURES = ("clues", "rare")
RARE = 0.05  # recent uses of an answer that had none; the best of three for counts alone, on 2022


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Vectors of clue features: sorted keys, and a coded row for each."""

    keys: NDArray[np.uint32]
    rows: Codes


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one length: seen ones and new ones are coded in tables of their own."""

    words: Words
    seen: NDArray[np.int32]  # places of the seen answers among the words
    new: NDArray[np.int32]
    seen_at: int  # where they begin in the coded tables
    new_at: int
    log_count: NDArray[np.float32]  # of the seen answers
    log_recent: NDArray[np.float32]  # of the seen answers
    log_prior: NDArray[np.float32]  # of the new answers


class Encoder:
    """The tables of a model part, and the arithmetic on them; no calibration."""

    def __init__(
        self, features: Sequence[FeatureTable], seen: Codes, new: Codes, lexicon: Lexicon,
        counts: NDArray[np.uint16], history: ClueHistory,
        later: Sequence[ClueHistory] = (), since: NDArray[np.uint8] | None = None,
        recent: NDArray[np.float16] | None = None,
    ) -> None:  # fmt: skip
        # Common features and rare ones, whose codes are shorter; no feature is in two tables.
        self.features, self.seen, self.new = tuple(features), seen, new
        self.lexicon, self.counts, self.history = lexicon, counts, history
        # What updates added: histories of their own, and for each answer the update it came with
        # (0: training). A history's places are among the answers that were there when it was made.
        self.later, self.since = tuple(later), since
        # Uses of each answer, the older the less; models of before it was kept have none.
        self.recent = np.zeros(len(counts), np.float16) if recent is None else recent
        self._lengths: dict[int, Answers] = {}
        self._seen_before = np.concatenate([[0], np.cumsum(counts > 0)])

    def vectors(self, clues: Sequence[str]) -> NDArray[np.float32]:
        """A vector of unit length for each clue; zero where no feature is known."""
        found = np.zeros((len(clues), self.seen.width), dtype=np.float32)
        for i, clue in enumerate(clues):
            keys = keys_of(clue_features(clue))
            for table in self.features:
                rows = rows_of(keys, table.keys)
                found[i] += table.rows.total(rows)
        norms = np.linalg.norm(found, axis=1, keepdims=True)
        found /= np.maximum(norms, 1e-9)
        return found

    def readings(self, clues: Sequence[str], lengths: Sequence[int]) -> NDArray[np.float32]:
        """(clue, reading, number): the vectors of each clue that the merger weighs; here one.

        `lengths` are those of the answers that are asked for."""
        return self.vectors(clues)[:, None]

    def answers(self, length: int) -> Answers:
        if length not in self._lengths:
            rows = self.lexicon.rows(length)
            counts = self.counts[rows]
            seen, new = np.flatnonzero(counts), np.flatnonzero(counts == 0)
            before = int(self._seen_before[rows.start])
            words = self.lexicon.words.get(length, Words(np.zeros((0, length), dtype=np.uint8)))
            self._lengths[length] = Answers(
                words, seen.astype(np.int32), new.astype(np.int32), before, rows.start - before,
                np.log(counts[seen] + 0.3).astype(np.float32),
                np.log(self.recent[rows][seen].astype(np.float32) + np.float32(RARE)),
                self.lexicon.log_prior[rows][new],
            )  # fmt: skip
        return self._lengths[length]

    def products(
        self, vectors: NDArray[np.float32], answers: Answers
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """With the seen and with the new answers of a length: cosines, if vectors are unit ones."""
        return (
            self.seen.score(vectors, answers.seen_at, answers.seen_at + len(answers.seen)),
            self.new.score(vectors, answers.new_at, answers.new_at + len(answers.new)),
        )

    def answer_vector(self, answer: str) -> NDArray[np.float32] | None:
        """The vector of an answer, if it is in the vocabulary."""
        answers = self.answers(len(answer))
        place = answers.words.find(answer)
        if place is None:
            return None
        for codes, places, begin in (
            (self.seen, answers.seen, answers.seen_at),
            (self.new, answers.new, answers.new_at),
        ):
            at = int(np.searchsorted(places, place))
            if at < len(places) and places[at] == place:
                found: NDArray[np.float32] = codes.decode(np.array([begin + at]))[0]
                return found
        return None

    def recall(
        self, kind: Literal["exact", "bag"], key: int, length: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Places and counts of the answers that a clue's key has had, by all histories."""
        rows = self.lexicon.rows(length)
        places, counts = [], []
        for age, history in enumerate((self.history, *self.later)):
            found, times = getattr(history, kind).find(key)
            if not len(found):
                continue
            known = None if self.since is None else np.flatnonzero(self.since[rows] <= age)
            size = rows.stop - rows.start if known is None else len(known)
            keep = found < size  # a colliding key may stand for another length
            kept = found[keep].astype(np.int64)
            places.append(kept if known is None else known[kept])
            counts.append(times[keep].astype(np.int64))
        if len(places) == 1:
            return places[0], counts[0]
        joint, at = np.unique(np.concatenate([*places, np.zeros(0, np.int64)]), return_inverse=True)
        total = np.bincount(at, np.concatenate([*counts, np.zeros(0)]), len(joint))
        return joint, total.astype(np.int64)

    def save(self, part: Path) -> None:
        # A file each, since none that ships may be over 50 MB.
        coded = {"seen": self.seen, "new": self.new}
        coded |= {
            name: table.rows for name, table in zip(FEATURES, self.features, strict=False)
        }  # fmt: skip
        arrays: dict[str, dict[str, NDArray[np.generic]]] = {
            name: {"codes": codes.codes, "centroids": codes.centroids.astype(np.float16)}
            for name, codes in coded.items()
        }
        for name, table in zip(FEATURES, self.features, strict=False):
            arrays[name]["keys"] = table.keys
        for name, tables in arrays.items():
            contiguous = {key: np.ascontiguousarray(array) for key, array in tables.items()}
            save_file(contiguous, str(part / TABLES.format(name)))
        stored: dict[str, Any] = {"counts": self.counts, "recent": self.recent}
        if self.since is not None:
            stored["since"] = self.since
        with (part / COUNTS).open("wb") as file:
            np.savez_compressed(file, **stored)  # mostly zeros
        self.lexicon.save(part / ANSWERS)
        self.history.save(part / HISTORY)
        for age, history in enumerate(self.later, 1):
            history.save(part / LATER.format(age))

    @classmethod
    def read(cls, part: Path) -> Encoder:
        try:
            # Models of before the rare features had a table of their own have only the first.
            features = [name for name in FEATURES if (part / TABLES.format(name)).is_file()]
            tables = {
                name: load_file(str(part / TABLES.format(name)))
                for name in (*(features or FEATURES[:1]), "seen", "new")
            }
            coded = {
                name: Codes(arrays["codes"], arrays["centroids"].astype(np.float32))
                for name, arrays in tables.items()
            }
            lexicon = Lexicon.read(part / ANSWERS)
            with (part / COUNTS).open("rb") as raw, np.load(raw, allow_pickle=False) as stored:
                counts = stored["counts"]
                since, recent = stored.get("since"), stored.get("recent")
            sizes = (int((counts > 0).sum()), int((counts == 0).sum()))
            aligned = {len(counts), len(counts if recent is None else recent)} == {len(lexicon)}
            if not aligned or sizes != (len(coded["seen"]), len(coded["new"])):
                raise ModelError(f"{part} is damaged: its tables don't fit together")
            later, ages = [], count(1)
            while since is not None and (file := part / LATER.format(next(ages))).is_file():
                later.append(ClueHistory.read(file))
            return cls(
                [FeatureTable(tables[name]["keys"], coded[name]) for name in features],
                coded["seen"], coded["new"], lexicon=lexicon, counts=counts,
                history=ClueHistory.read(part / HISTORY), later=later, since=since, recent=recent,
            )  # fmt: skip
        except (OSError, LookupError, ValueError, TypeError, BadZipFile, SafetensorError) as error:
            raise ModelError(f"{part} can't be read: {error}") from None
