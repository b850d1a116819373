"""A table of answers with a log prior and a bit mask of sources, and its compact file.

Answers are sorted by length, then alphabet, and front-coded (Witten, Moffat & Bell, "Managing
Gigabytes", 1999): each keeps only what differs from the one before it. Priors are rounded to
1/16. A million answers take some 5 MB. The file is a plain npz, read without pickle.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError
from crossword.vocabulary import MAX_LENGTH, Vocabulary, Words

FORMAT = 1
MAX_ANSWERS = 20_000_000  # arbitrary bound on what a file may claim
STEP = 16  # a log prior is kept in sixteenths
SEEN = 1  # the bit of `sources` that says: was an answer in the training corpus


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Answers of every length; `rows(length)` gives the slice of the arrays for one length."""

    words: Mapping[int, Words]
    log_prior: NDArray[np.float32]
    sources: NDArray[np.uint64]
    source_names: tuple[str, ...]

    @classmethod
    def of(
        cls,
        answers: Mapping[str, tuple[float, int]],
        source_names: Iterable[str],
    ) -> Lexicon:
        """From {answer: (log prior, bit mask)}."""
        ordered = sorted(answers, key=lambda a: (len(a), a))
        values = [answers[a] for a in ordered]
        vocabulary = Vocabulary.of(ordered)
        if len(vocabulary) != len(ordered):
            raise ModelError("answers must be capital letters A-Z, 1 to 60 of them")
        return cls(
            vocabulary.by_length,
            np.array([v[0] for v in values], dtype=np.float32),
            np.array([v[1] for v in values], dtype=np.uint64),
            tuple(source_names),
        )

    @cached_property
    def starts(self) -> Mapping[int, int]:
        """Where each length begins in `log_prior` and `sources`."""
        starts, at = {}, 0
        for length, words in self.words.items():
            starts[length] = at
            at += len(words)
        return starts

    def rows(self, length: int) -> slice:
        start = self.starts.get(length, 0)
        count = len(self.words[length]) if length in self.words else 0
        return slice(start, start + count)

    def __len__(self) -> int:
        return int(self.log_prior.shape[0])

    @property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.words)

    def kept(self, keep: NDArray[np.bool_]) -> Lexicon:
        """Only some of the answers, told in the order of the table."""
        words = {
            length: Words(some.letters[keep[self.rows(length)]])
            for length, some in self.words.items()
            if keep[self.rows(length)].any()
        }
        return Lexicon(words, self.log_prior[keep], self.sources[keep], self.source_names)

    def save(self, path: Path) -> None:
        """Write to a temporary name, then rename, so that a file is whole or not there."""
        lengths = np.array(list(self.words), dtype=np.uint8)
        counts = np.array([len(words) for words in self.words.values()], dtype=np.uint32)
        coded = [front_code(words.letters) for words in self.words.values()]
        masks, codes = np.unique(self.sources, return_inverse=True)
        temporary = path.with_name(path.name + ".part")
        with temporary.open("wb") as file:
            np.savez_compressed(
                file,
                format=np.array([FORMAT], dtype=np.uint32),
                lengths=lengths,
                counts=counts,
                shared=np.concatenate([c[0] for c in coded] or [np.zeros(0, np.uint8)]),
                rest=np.concatenate([c[1] for c in coded] or [np.zeros(0, np.uint8)]),
                log_prior=np.clip(np.rint(self.log_prior * -STEP), 0, 65535).astype(np.uint16),
                masks=masks,
                mask_of=codes.astype(np.uint16 if len(masks) < 65536 else np.uint32),
                source_names=np.frombuffer("\n".join(self.source_names).encode(), dtype=np.uint8),
            )
        temporary.replace(path)

    @classmethod
    def read(cls, path: Path) -> Lexicon:
        """Read a file that `save` wrote; a damaged or newer one is refused in one line."""
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                found = int(file["format"][0])
                if found > FORMAT:
                    raise ModelError(f"{path} has format {found}; this version reads {FORMAT}")
                lengths, counts = file["lengths"].tolist(), file["counts"].tolist()
                shared, rest = file["shared"], file["rest"]
                log_prior = file["log_prior"].astype(np.float32) / -STEP
                sources = file["masks"][file["mask_of"]].astype(np.uint64)
                names = tuple(file["source_names"].tobytes().decode().split("\n"))
            total = sum(counts)
            if total > MAX_ANSWERS or not len(shared) == len(log_prior) == len(sources) == total:
                raise ModelError(f"{path} is damaged: its parts don't fit together")
            words, at, used = {}, 0, 0
            for length, count in zip(lengths, counts, strict=True):
                if not 0 < length <= MAX_LENGTH:
                    raise ModelError(f"{path} is damaged: an answer of {length} letters")
                part = shared[at : at + count]
                size = int(count * length - part.sum(dtype=np.int64))
                words[length] = Words(front_decode(part, rest[used : used + size], length))
                at, used = at + count, used + size
        except ModelError:
            raise
        except FileNotFoundError:
            raise ModelError(f"no answer table at {path}") from None
        except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile) as error:
            raise ModelError(f"{path} is no answer table, or a damaged one: {error}") from error
        return cls(words, log_prior, sources, names)


def front_code(letters: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """How many letters each row shares with the one before, and the letters that it doesn't."""
    count, length = letters.shape
    shared = np.zeros(count, dtype=np.uint8)
    if count > 1:
        same = np.cumprod(letters[1:] == letters[:-1], axis=1, dtype=np.uint8)
        shared[1:] = same.sum(axis=1)
    keep = np.arange(length)[None, :] >= shared[:, None]
    return shared, letters[keep]


def front_decode(
    shared: NDArray[np.uint8], rest: NDArray[np.uint8], length: int
) -> NDArray[np.uint8]:
    """The inverse of `front_code`, column by column: a letter not kept is the one above it."""
    count = len(shared)
    if count and (shared[0] != 0 or int(shared.max()) > length):
        raise ValueError("front coding is inconsistent")
    letters = np.zeros((count, length), dtype=np.uint8)
    keep = np.arange(length)[None, :] >= shared[:, None]
    letters[keep] = rest
    if rest.size and int(rest.max()) > 25:
        raise ValueError("a letter beyond Z")
    for column in range(length):
        last = np.where(keep[:, column], np.arange(count), 0)
        letters[:, column] = letters[np.maximum.accumulate(last), column]
    return letters
