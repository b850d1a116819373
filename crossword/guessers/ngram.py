"""`ngram`: the fallback when nothing is known of a clue: common English that fits the pattern.

Words come from wordfreq; sequences of two and three common words are made from them, ranked as
if words followed each other at random, which is crude but puts OFTHE before OXEMU. With a trained
part, the answers of a corpus come first, by how often they were used. The clue plays no part
but that its own words are dropped. Needs no model folder.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers.calibration import CALIBRATION
from crossword.guessers.patterns import LOG_ZERO, best, repeated
from crossword.text import normalise_answer
from crossword.types import Distribution, Guess, Query
from crossword.vocabulary import MAX_LENGTH, Words, words_of

NAME = "ngram"
SEQUENCE_WORDS = {2: 3_000, 3: 200}  # how many of the commonest words make up sequences
MAX_SEQUENCES = 10_000  # of each length; arbitrary, so that a distribution stays small
JOIN_COST = 3.0  # in nats for each join: most sequences of words are no phrase; arbitrary


@dataclass(frozen=True)
class Rates:
    """How answers are made: by length, the last one for all that are longer.

    `unseen`: share of answers that the corpus's counts don't know; `unknown`: share of those
    that English doesn't know either. `flatness`: answers are less uneven than running text.
    The defaults, for when there is no corpus, are counted on the answers of even-odd's even days.
    """

    unseen: tuple[float, ...] = (1.0,)
    unknown: tuple[float, ...] = (
        0.08, 0.08, 0.08, 0.005, 0.02, 0.06, 0.135, 0.235,
        0.30, 0.50, 0.64, 0.815, 0.816, 0.87, 0.885, 0.95,
    )  # fmt: skip
    flatness: float = 0.4
    fitted_on: int = 0

    def save(self, part: Path) -> None:
        (part / CALIBRATION).write_text(json.dumps(asdict(self)) + "\n")

    @classmethod
    def load(cls, part: Path) -> Rates:
        try:
            entries = json.loads((part / CALIBRATION).read_text())
            return cls(
                tuple(map(float, entries["unseen"])),
                tuple(map(float, entries["unknown"])),
                float(entries["flatness"]),
                int(entries["fitted_on"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{part / CALIBRATION} can't be read: {error}") from None


@cache
def english() -> dict[int, dict[str, float]]:
    """wordfreq's English words by length, as answers, with their log frequency."""
    from wordfreq import get_frequency_dict

    found: dict[int, dict[str, float]] = {}
    for text, frequency in get_frequency_dict("en", wordlist="best").items():
        # The quick way round the normaliser, for nine words in ten.
        answer = text.upper() if text.isascii() and text.isalpha() else normalise_answer(text)
        # With digits the letters alone would be another word; a lone letter is no answer.
        if 1 < len(answer) <= MAX_LENGTH and not any(map(str.isdigit, text)):
            group = found.setdefault(len(answer), {})
            group[answer] = group.get(answer, 0.0) + frequency
    return {
        length: {answer: log(frequency) for answer, frequency in group.items()}
        for length, group in found.items()
    }


@cache
def _common(count: int) -> dict[int, list[tuple[str, float]]]:
    """The commonest words by length, for sequences; 'A' and 'I' are words here."""
    from wordfreq import top_n_list, word_frequency

    found: dict[int, list[tuple[str, float]]] = {}
    for text in top_n_list("en", count):
        if text.isascii() and text.isalpha() and (len(text) > 1 or text in ("a", "i")):
            log_frequency = float(np.log(word_frequency(text, "en")))
            found.setdefault(len(text), []).append((text.upper(), log_frequency))
    return found


def sequences(length: int) -> dict[str, float]:
    """The likeliest sequences of two or three words with this many letters in all."""
    scores: list[NDArray[np.float64]] = []
    parts: list[tuple[list[list[tuple[str, float]]], NDArray[np.int64]]] = []
    for size, count in SEQUENCE_WORDS.items():
        groups = _common(count)
        for lengths in product(sorted(groups), repeat=size):
            if sum(lengths) != length:
                continue
            words = [groups[one] for one in lengths]
            sums = np.zeros(1) - JOIN_COST * (size - 1)
            for group in words:
                sums = np.add.outer(sums, [score for _, score in group]).ravel()
            top = np.arange(len(sums))
            if len(sums) > MAX_SEQUENCES:
                top = np.argpartition(-sums, MAX_SEQUENCES)[:MAX_SEQUENCES]
            scores.append(sums[top])
            parts.append((words, top))
    found: dict[str, float] = {}
    if not scores:
        return found
    owner = np.repeat(np.arange(len(parts)), [len(top) for _, top in parts])
    place = np.concatenate([top for _, top in parts])
    joined = np.concatenate(scores)
    for at in np.argsort(-joined, kind="stable")[:MAX_SEQUENCES].tolist():
        words = parts[owner[at]][0]
        places = np.unravel_index(place[at], tuple(len(group) for group in words))
        text = "".join(group[i][0] for group, i in zip(words, places, strict=True))
        found.setdefault(text, float(joined[at]))
    return found


class NgramGuesser:
    """Answers by how common they are; the same for every clue of a length."""

    def __init__(
        self, counts: dict[int, dict[str, int]] | None = None, rates: Rates | None = None
    ) -> None:
        self._counts, self._rates = counts or {}, rates or Rates()
        self._made: dict[int, tuple[Words, NDArray[np.float32], float]] = {}

    @property
    def name(self) -> str:
        return NAME

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        found = []
        for query, distribution in zip(queries, self.distributions(queries), strict=True):
            guesses = best(distribution, query.pattern, limit, {})
            # Nothing is near here, so what the formula calls confidence is the probability.
            found.append([Guess(g.answer, g.log_prob, g.probability) for g in guesses])
        return found

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        return [self._distribution(query) for query in queries]

    def _distribution(self, query: Query) -> Distribution:
        words, log_probs, log_unknown = self.of(query.length)
        dropped = repeated(words, query.clue) if len(words) else []
        if not dropped:
            return Distribution(words, log_probs, log_unknown)
        left = np.log1p(-min(float(np.exp(log_probs[dropped]).sum()), 1 - 1e-6))
        log_probs = log_probs - np.float32(left)
        log_probs[dropped] = LOG_ZERO
        return Distribution(words, log_probs, float(log_unknown - left))

    def of(self, length: int) -> tuple[Words, NDArray[np.float32], float]:
        """The answers of a length with their log-probabilities, and that of an unknown one."""
        if length not in self._made:
            self._made[length] = self._make(length)
        return self._made[length]

    def _make(self, length: int) -> tuple[Words, NDArray[np.float32], float]:
        counts = self._counts.get(length, {})
        known = {**sequences(length), **english().get(length, {})}
        if not known and not counts:
            return Words(np.zeros((0, length), dtype=np.uint8)), np.zeros(0, np.float32), 0.0
        answers = sorted({*known, *counts})
        unseen = _at(self._rates.unseen, length) if counts else 1.0
        unknown = unseen * _at(self._rates.unknown, length) if known else unseen
        seen = np.array([counts.get(answer, 0) for answer in answers], dtype=np.float64)
        common = np.array([known.get(answer, -np.inf) for answer in answers])
        common[seen > 0] = -np.inf  # an answer that was seen goes by its count
        chances = np.zeros(len(answers))
        if counts:
            chances += (1 - unseen) * seen / seen.sum()
        if np.isfinite(common).any():
            flat = self._rates.flatness * common
            flat = np.exp(flat - flat.max())
            chances += (unseen - unknown) * flat / flat.sum()
        else:
            unknown = unseen
        log_probs = np.log(np.maximum(chances, 1e-20)).astype(np.float32)
        log_probs.setflags(write=False)  # it is shared by all queries of this length
        return words_of(answers), log_probs, float(np.log(max(unknown, 1e-9)))


def _at(rates: tuple[float, ...], length: int) -> float:
    return rates[min(length, len(rates) - 1)]


def load_counts(part: Path) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    try:
        answers = (part / "answers.txt").read_text(encoding="ascii").split()
        counts = np.load(part / "counts.npy", allow_pickle=False).tolist()
        for answer, count in zip(answers, counts, strict=True):
            found.setdefault(len(answer), {})[answer] = int(count)
    except (OSError, ValueError) as error:
        raise ModelError(f"{part} can't be read: {error}; please train it again") from None
    return found


def open_part(part: Path) -> NgramGuesser:
    return NgramGuesser(load_counts(part), Rates.load(part))


def load(model: ModelFolder | None = None) -> NgramGuesser:
    """With a model that has the part, a corpus's answers come first; else plain English."""
    if model is None or NAME not in model:
        return NgramGuesser()
    return open_part(model.part(NAME))
