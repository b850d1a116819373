"""Answers grouped by length, as letter matrices that solvers and guessers index into.

`Words` holds every answer of one length, sorted, as a uint8 matrix (0 = A … 25 = Z), so that
pattern filters and belief propagation run as array operations. Strings are made when asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import EMPTY, LETTERS

MAX_LENGTH = 60  # arbitrary; the longest answer in the corpora has 30-odd letters


@dataclass(frozen=True, eq=False)
class Words:
    """Every known answer of one length; row i of `letters` is answer i."""

    letters: NDArray[np.uint8]

    def __len__(self) -> int:
        return int(self.letters.shape[0])

    @property
    def length(self) -> int:
        return int(self.letters.shape[1])

    def __getitem__(self, index: int) -> str:
        return bytes(self.letters[index] + np.uint8(65)).decode("ascii")

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    @cached_property
    def strings(self) -> tuple[str, ...]:
        text = (self.letters + np.uint8(65)).tobytes().decode("ascii")
        step = self.length
        return tuple(text[i : i + step] for i in range(0, len(text), step))

    @cached_property
    def position(self) -> Mapping[str, int]:
        return {answer: i for i, answer in enumerate(self.strings)}

    @cached_property
    def trigrams(self) -> NDArray[np.float64]:
        """How often letters follow two others; code 26 stands for the edge of a word.

        Kept, since a solver needs it for every puzzle.
        """
        edge = np.full((len(self), 1), 26, dtype=np.int64)
        padded = np.hstack([edge, edge, self.letters.astype(np.int64), edge])
        found = np.zeros((27, 27, 27))
        for i in range(padded.shape[1] - 2):
            code = (padded[:, i] * 27 + padded[:, i + 1]) * 27 + padded[:, i + 2]
            found += np.bincount(code, minlength=27**3).reshape(found.shape)
        return found

    def find(self, answer: str) -> int | None:
        """The place of an answer; by halving, so that no table of strings is needed.

        Only for words that are sorted, as those of a `Vocabulary` and a `Lexicon` are.
        """
        if len(answer) != self.length or not len(self) or not LETTERS.issuperset(answer):
            return None
        kind = np.dtype((np.bytes_, self.length))  # rows as strings of bytes, which numpy compares
        rows = np.ascontiguousarray(self.letters).view(kind)[:, 0]
        wanted = (np.frombuffer(answer.encode("ascii"), np.uint8) - np.uint8(65)).view(kind)
        place = int(np.searchsorted(rows, wanted)[0])
        return place if place < len(rows) and rows[place] == wanted[0] else None

    def matches(self, pattern: str) -> NDArray[np.bool_]:
        """Which answers fit a pattern of this length."""
        keep = np.ones(len(self), dtype=bool)
        for i, sign in enumerate(pattern):
            if sign != EMPTY:
                keep &= self.letters[:, i] == ord(sign) - 65
        return keep


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All known answers by length. A length that nobody knows gives an empty `Words`."""

    by_length: Mapping[int, Words]

    @classmethod
    def of(cls, answers: Iterable[str]) -> Vocabulary:
        """From any answers; what isn't all A-Z, or is too long, is left out."""
        grouped: dict[int, set[str]] = {}
        for answer in answers:
            if answer and len(answer) <= MAX_LENGTH and LETTERS.issuperset(answer):
                grouped.setdefault(len(answer), set()).add(answer)
        return cls({length: words_of(sorted(group)) for length, group in sorted(grouped.items())})

    def words(self, length: int) -> Words:
        found = self.by_length.get(length)
        return found if found is not None else Words(np.zeros((0, length), dtype=np.uint8))

    def __len__(self) -> int:
        return sum(len(words) for words in self.by_length.values())

    def __contains__(self, answer: str) -> bool:
        return answer in self.words(len(answer)).position

    def __iter__(self) -> Iterator[str]:
        for words in self.by_length.values():
            yield from words.strings


def words_of(answers: Sequence[str]) -> Words:
    """`Words` from answers of one length, in the order given."""
    length = len(answers[0]) if answers else 0
    flat = np.frombuffer("".join(answers).encode("ascii"), dtype=np.uint8) - np.uint8(65)
    return Words(flat.reshape(len(answers), length))
