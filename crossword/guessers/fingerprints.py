"""Which answers a clue has had before, without keeping any clue: 32-bit fingerprints.

Two keys a clue, each made with the answer's length: its words in order, and the set of its content
words with endings cut. A key is a CRC-32; with a million keys in four thousand million places a
wrong match is one in four thousand look-ups. There is no text in the table, and none can be read
off it: countless texts share each key. Who tries all single words of a dictionary will find which
of them have been clues; for phrases, guessed matches drown in chance ones.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError
from crossword.text import tokens

MAX_COUNT = 255
_STOP = frozenset(
    [
        *("a", "an", "the", "of", "in", "on", "for", "to", "and", "or", "is", "it", "with", "as"),
        *("by", "at", "from", "that", "this", "one's", "its", "be", "are", "was", "say", "some"),
        *("perhaps", "maybe", "?", "!", ":", '"', "it's", "e", "g", "eg"),
    ]
)
_ENDINGS = ("'s", "ing", "ed", "es", "s", "ly", "er")


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def exact_key(clue: str, length: int) -> int:
    return crc32(f"{length}|{' '.join(tokens(clue))}".encode())


def bag_key(clue: str, length: int) -> int:
    bag = sorted({_stem(word) for word in tokens(clue) if word not in _STOP})
    return crc32(f"{length}b{' '.join(bag)}".encode())


@dataclass(frozen=True, eq=False)
class Fingerprints:
    """Sorted keys; for each the place of an answer among the words of its length, and a count."""

    keys: NDArray[np.uint32]
    answers: NDArray[np.int32]
    counts: NDArray[np.uint8]

    @classmethod
    def of(cls, entries: Iterable[tuple[int, int, int]]) -> Fingerprints:
        """From (key, answer's place, count), counts of the same pair added up."""
        table = np.array(list(entries), dtype=np.uint64).reshape(-1, 3)
        joint = (table[:, 0] << np.uint64(32)) | table[:, 1]
        pairs, where = np.unique(joint, return_inverse=True)
        counts = np.bincount(where, weights=table[:, 2].astype(np.float64), minlength=len(pairs))
        return cls(
            (pairs >> np.uint64(32)).astype(np.uint32),
            (pairs & np.uint64(0xFFFFFFFF)).astype(np.int32),
            np.minimum(counts, MAX_COUNT).astype(np.uint8),
        )

    def find(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """The answers seen under a key, with their counts."""
        begin = int(np.searchsorted(self.keys, np.uint32(key), side="left"))
        end = int(np.searchsorted(self.keys, np.uint32(key), side="right"))
        return self.answers[begin:end], self.counts[begin:end]


@dataclass(frozen=True, eq=False)
class ClueHistory:
    """Both tables of fingerprints."""

    exact: Fingerprints
    bag: Fingerprints

    @classmethod
    def of(
        cls, clues: Sequence[str], places: Sequence[int], lengths: Sequence[int],
        counts: Sequence[int], *, bags: bool = True,
    ) -> ClueHistory:  # fmt: skip
        """Without `bags`, clues are only known again by all of their words."""
        rows = list(zip(clues, lengths, places, counts, strict=True))
        told = rows if bags else []
        return cls(
            Fingerprints.of((exact_key(clue, n), place, count) for clue, n, place, count in rows),
            Fingerprints.of((bag_key(clue, n), place, count) for clue, n, place, count in told),
        )

    def save(self, path: Path) -> None:
        """Compressed, keys as differences: a million pairs take some 5 MB a table."""
        arrays: dict[str, Any] = {}
        for name, table in (("exact", self.exact), ("bag", self.bag)):
            arrays[f"{name}_gaps"] = np.diff(table.keys, prepend=np.uint32(0))
            arrays[f"{name}_answers"] = table.answers
            arrays[f"{name}_counts"] = table.counts
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)

    @classmethod
    def read(cls, path: Path) -> ClueHistory:
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                return cls(
                    *(
                        Fingerprints(
                            np.cumsum(file[f"{name}_gaps"], dtype=np.uint32),
                            file[f"{name}_answers"],
                            file[f"{name}_counts"],
                        )
                        for name in ("exact", "bag")
                    )
                )
        except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise ModelError(f"{path} can't be read: {error}") from None
