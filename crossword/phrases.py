"""Answers that no list holds: a phrase model that scores any letters and composes new phrases.

A word bigram model with back-off (Katz, 1987) over some 60,000 words, learned from crossword
answers, dictionaries and text by `train/phrases.py`, and a letter 4-gram for what is no phrase.
`log_prob` says how plausible letters are as an answer; `compose` finds the likeliest phrases that
fit a pattern or letter probabilities. It knows nothing of the clue: the guesser adds that.
"""

from __future__ import annotations

import itertools
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossword import phrase_kernels as kernels
from crossword.errors import ModelError, PatternError
from crossword.puzzle import EMPTY, check_pattern
from crossword.vocabulary import MAX_LENGTH

FORMAT = 1
STEP = 12.0  # log-probabilities are kept in twelfths, one byte each: down to -21
FLOOR = -30.0  # a word whose letters are less likely than exp(this) doesn't fit; at -60 the phrases
# for 36 slots of Sundays of 2022 are the same, and take twice as long
MAX_WORDS, MAX_PAIRS = 1 << 20, 1 << 24  # arbitrary bounds on what a file may claim

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A composed answer, its words, and log P(phrase) plus the log-probability of its letters."""

    answer: str
    words: tuple[str, ...]
    log_prob: float


@dataclass(frozen=True, eq=False)
class PhraseModel:
    """Words, word pairs and letters with log-probabilities. Build with `train.phrases`."""

    words: tuple[str, ...]  # shortest first
    first_log: NDArray[np.float32]  # of opening a phrase
    alone_log: NDArray[np.float32]  # of following any word, when backed off
    backoff_log: NDArray[np.float32]
    end_log: NDArray[np.float32]  # of closing a phrase
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    pair_log: NDArray[np.float32]
    letter_log: NDArray[np.float32]  # 27 x 27 x 27 x 27; 26 is the edge
    letters_weight: float = 0.1  # how often an answer is taken to be no phrase at all

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.concatenate(([0], np.cumsum([len(w) for w in self.words]))).astype(np.int64)

    @cached_property
    def _letters(self) -> NDArray[np.uint8]:
        return _encode(self.words)

    @cached_property
    def _table(self) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        size = 1 << max(4, (2 * len(self.words)).bit_length())
        table: tuple[NDArray[np.uint64], NDArray[np.int32]] = kernels.build_table(
            self._letters, self._starts, size
        )
        return table

    @cached_property
    def _sized(self) -> NDArray[np.int64]:
        """Where the words of each length begin: they are sorted by length."""
        lengths = np.diff(self._starts)
        return np.searchsorted(lengths, np.arange(kernels.MAX_WORD + 2)).astype(np.int64)

    @cached_property
    def _by_letter(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        found: tuple[NDArray[np.int32], NDArray[np.int64]] = kernels.index_letters(
            self._letters, self._starts
        )
        return found

    @property
    def _sequences(self) -> tuple[I32, I32, F32, F32, F32, F32, F32]:
        """What follows what, as the kernels take it."""
        return (
            self.rows, self.columns, self.pair_log,
            self.backoff_log, self.alone_log, self.first_log, self.end_log,
        )  # fmt: skip

    def log_prob(self, answers: Sequence[str]) -> NDArray[np.float32]:
        """log P of each answer: its best segmentation, mixed with the letter model."""
        if not answers:
            return np.zeros(0, np.float32)
        phrase, _ = self.segment_ids(answers)
        spelled = self.letters_log_prob(answers)
        with np.errstate(divide="ignore"):
            mixed = np.logaddexp(
                phrase + np.log1p(-self.letters_weight), spelled + np.log(self.letters_weight)
            )
        result: NDArray[np.float32] = mixed.astype(np.float32)
        return result

    def letters_log_prob(self, answers: Sequence[str]) -> NDArray[np.float32]:
        """log P of each answer letter by letter."""
        text, offsets = _encode(answers), _offsets(answers)
        found: NDArray[np.float32] = kernels.letters_log_prob(text, offsets, self.letter_log)
        return found

    def segment(self, answers: Sequence[str]) -> list[tuple[str, ...]]:
        """The likeliest words of each answer; empty where known words don't cover it."""
        if not answers:
            return []
        _, parts = self.segment_ids(answers)
        return [tuple(self.words[w] for w in row if w >= 0) for row in parts.tolist()]

    def segment_ids(self, answers: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """log P and word numbers (-1 where unused) of the best segmentation of each answer."""
        found: tuple[NDArray[np.float32], NDArray[np.int32]] = kernels.segment(
            _encode(answers), _offsets(answers), *self._table, self._starts, *self._sequences
        )
        return found

    def compose(
        self,
        pattern: str | None = None,
        *,
        letter_log_probs: NDArray[np.floating[Any]] | None = None,
        limit: int = 200,
        max_words: int = 4,
        beam: int | None = None,
    ) -> list[Phrase]:
        """The likeliest phrases that fit, best first, no repeats.

        Give a pattern (`"..LL.S"`; all unknown is fine), or `letter_log_probs`, one row of 26 a
        cell, or both. A wider beam (default: twice the limit, at least 300) finds more and takes
        longer.
        """
        letter_log = _letter_matrix(pattern, letter_log_probs)
        possible = letter_log >= FLOOR
        known = np.where(possible.sum(axis=1) == 1, possible.argmax(axis=1), -1)
        if limit < 1 or not 1 <= max_words <= kernels.MAX_PARTS:
            raise ValueError(f"limit is at least 1, max_words 1 to {kernels.MAX_PARTS}")
        scores, parts = kernels.compose(
            letter_log,
            known,
            self._letters,
            self._starts,
            self._sized,
            *self._by_letter,
            *self._sequences,
            beam or max(300, min(2 * limit, 2000)),
            limit + limit // 2 + 20,  # some are the same letters cut in another way
            40,
            max_words,
            np.float32(FLOOR),
        )
        found: dict[str, Phrase] = {}
        for k in np.argsort(-scores, kind="stable").tolist():
            words = tuple(self.words[w] for w in parts[k].tolist() if w >= 0)
            answer = "".join(words)
            if answer not in found:
                found[answer] = Phrase(answer, words, float(scores[k]))
                if len(found) == limit:
                    break
        return list(found.values())

    def save(self, path: Path) -> None:
        """One npz of a few MB; log-probabilities are rounded to 1/12."""
        temporary = path.with_name(path.name + ".part")
        gaps = np.diff(self.columns, prepend=np.int32(0))
        heads = self.rows[:-1][np.diff(self.rows) > 0]
        gaps[heads] = self.columns[heads]
        with temporary.open("wb") as file:
            np.savez_compressed(
                file,
                format=np.array([FORMAT], np.uint32),
                words=np.frombuffer("\n".join(self.words).encode("ascii"), np.uint8),
                first=_pack(self.first_log),
                alone=_pack(self.alone_log),
                backoff=_pack(self.backoff_log),
                end=_pack(self.end_log),
                row_sizes=np.diff(self.rows).astype(np.int32),
                gaps=gaps,
                pairs=_pack(self.pair_log),
                letters=_pack(self.letter_log),
                letters_weight=np.array([self.letters_weight], np.float32),
            )
        temporary.replace(path)

    @classmethod
    def read(cls, path: Path) -> PhraseModel:
        """Read what `save` wrote; a damaged or newer file is refused in one line."""
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                found = int(file["format"][0])
                if found > FORMAT:
                    raise ModelError(f"{path} has format {found}; this version reads {FORMAT}")
                words = tuple(file["words"].tobytes().decode("ascii").split("\n"))
                sizes, gaps = file["row_sizes"], file["gaps"]
                first, alone = _unpack(file["first"]), _unpack(file["alone"])
                backoff, end = _unpack(file["backoff"]), _unpack(file["end"])
                pairs, letter_log = _unpack(file["pairs"]), _unpack(file["letters"])
                weight = float(file["letters_weight"][0])
        except ModelError:
            raise
        except FileNotFoundError:
            raise ModelError(f"no phrase model at {path}") from None
        except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile) as error:
            raise ModelError(f"{path} is no phrase model, or a damaged one: {error}") from error
        rows = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
        columns = _undo_gaps(gaps, rows)
        consistent = (
            0 < len(words) <= MAX_WORDS
            and len(pairs) <= MAX_PAIRS
            and len(rows) == len(words) + 1
            and len(pairs) == len(columns) == rows[-1]
            and all(len(table) == len(words) for table in (first, alone, backoff, end))
            and letter_log.shape == (27, 27, 27, 27)
            and all(0 < len(word) <= kernels.MAX_WORD for word in words)
            and all(len(a) <= len(b) for a, b in itertools.pairwise(words))
            and "".join(words).isalpha()
            and "".join(words).isupper()
            and (len(columns) == 0 or 0 <= int(columns.min()) <= int(columns.max()) < len(words))
        )
        if not consistent:
            raise ModelError(f"{path} is damaged: its parts don't fit together")
        return cls(words, first, alone, backoff, end, rows, columns, pairs, letter_log, weight)


def _letter_matrix(
    pattern: str | None, letter_log_probs: NDArray[np.floating[Any]] | None
) -> NDArray[np.float32]:
    """One row of 26 log-probabilities a cell; a known letter rules out the others."""
    if letter_log_probs is not None:
        matrix = np.array(letter_log_probs, dtype=np.float32)
        if matrix.ndim != 2 or matrix.shape[1] != 26 or np.isnan(matrix).any():
            raise PatternError("letter_log_probs needs a row of 26 numbers for each cell")
        matrix = np.maximum(matrix, kernels.IMPOSSIBLE, dtype=np.float32)
    elif pattern is not None:
        matrix = np.zeros((len(pattern), 26), dtype=np.float32)
    else:
        raise PatternError("a pattern or letter probabilities are needed")
    if not 1 <= len(matrix) <= MAX_LENGTH:
        raise PatternError(f"an answer has 1 to {MAX_LENGTH} letters, not {len(matrix)}")
    if pattern is not None:
        check_pattern(pattern)
        if len(pattern) != len(matrix):
            raise PatternError("the pattern and the letter probabilities differ in length")
        for i, sign in enumerate(pattern):
            if sign != EMPTY:
                matrix[i, np.arange(26) != ord(sign) - 65] = kernels.IMPOSSIBLE
    return matrix


def _encode(answers: Sequence[str]) -> NDArray[np.uint8]:
    text = "".join(answers)
    if text and not (text.isascii() and text.isalpha() and text.isupper()):
        raise PatternError("answers are capital letters A-Z; see crossword.text.normalise_answer")
    letters: NDArray[np.uint8] = np.frombuffer(text.encode("ascii"), np.uint8) - np.uint8(65)
    return letters


def _offsets(answers: Sequence[str]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum([len(a) for a in answers]))).astype(np.int64)


def _pack(log_probs: NDArray[np.float32]) -> NDArray[np.uint8]:
    packed: NDArray[np.uint8] = np.clip(np.rint(log_probs * -STEP), 0, 255).astype(np.uint8)
    return packed


def _unpack(packed: NDArray[np.uint8]) -> NDArray[np.float32]:
    return packed.astype(np.float32) / np.float32(-STEP)


def _undo_gaps(gaps: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Columns from gaps: a running sum that starts anew with each row."""
    total = np.cumsum(gaps, dtype=np.int64)
    sizes = np.diff(rows)
    heads = rows[:-1][sizes > 0]
    before = total[heads] - gaps[heads]
    return (total - np.repeat(before, sizes[sizes > 0])).astype(np.int32)
