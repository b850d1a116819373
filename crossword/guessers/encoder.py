"""`encoder`: a dual encoder that scores answers directly, with what the clue was answered before.

A clue is the sum of its features' vectors (see `features`), an answer has a vector of its own, made
in training from its letters, its words and its clues; their cosine says how well they go together.
An answer that has never been clued can still win. Each answer has a prior, and fingerprints of
clues tell which answers the very clue, or one of the same words, has had. One small softmax model,
fitted on a later year, joins all that into a probability for each answer, and for "none of these".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers.fingerprints import bag_key, exact_key
from crossword.guessers.merger import Memory, Merger, Recalled
from crossword.guessers.patterns import ranked
from crossword.guessers.tables import Answers, Encoder
from crossword.phrase_kernels import MAX_PARTS
from crossword.phrases import PhraseModel
from crossword.types import Distribution, Guess, Query
from crossword.vocabulary import MAX_LENGTH

NAME = "encoder"
PHRASES = "phrases.npz"
# How a clue's cosine with the sum of a phrase's words counts, and what that brings on average, so
# that all phrases together gain nothing. Chosen by hand after a look at the 508 answers of 2022
# that are in no list and fall into words, on which 20 was the best of six weights.
PHRASE_COSINE, PHRASE_LEVEL = 16.0, 1.4
GUESSED = 64  # queries that are guessed at a time, some 20 MB; arbitrary
MEANING = ("meaning",)  # what speaks for an answer that the clue's history has not
REMEMBERED = 4_000  # words of phrases whose vectors are kept, 4 MB; arbitrary


class EncoderGuesser:
    """The encoder with its merger: calibrated probabilities for a whole vocabulary."""

    def __init__(
        self, encoder: Encoder, merger: Merger, phrases: PhraseModel | None = None
    ) -> None:
        self.encoder, self.merger, self.phrases = encoder, merger, phrases
        self._word_vectors: dict[str, NDArray[np.float32] | None] = {}

    @property
    def name(self) -> str:
        return NAME

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        """Best first. The confidence is the probability itself."""
        found: dict[int, list[Guess]] = {}
        # Some at a time, since distributions take much room; those of one length together.
        order = sorted(range(len(queries)), key=lambda i: queries[i].length)
        for begin in range(0, len(order), GUESSED):
            batch = order[begin : begin + GUESSED]
            told = self.told([queries[i] for i in batch])
            found |= {
                i: self.listed(one, memory, queries[i].pattern, limit)
                for i, (one, memory) in zip(batch, told, strict=True)
            }
        return [found[i] for i in range(len(queries))]

    @staticmethod
    def listed(found: Distribution, memory: Memory, pattern: str, limit: int) -> list[Guess]:
        reasons = {place: _reason(memory.recalled, times) for place, times in memory.counts.items()}
        return [
            Guess(answer, log_prob, exp(log_prob), reasons.get(place, MEANING))
            for place, answer, log_prob in ranked(found, pattern, limit)
        ]

    def explain(self, clue: str, answers: Sequence[str]) -> list[tuple[str, ...]]:
        """Whether the clue's history speaks for each answer, or its meaning alone."""
        told: dict[int, tuple[Answers, Memory]] = {}
        for length in {len(answer) for answer in answers}:
            known = self.encoder.answers(length)
            told[length] = known, self.memory(clue, known)

        def reason(answer: str) -> tuple[str, ...]:
            known, memory = told[len(answer)]
            place = known.words.find(answer)
            if place is None:
                return ("in no list, composed of words",)
            return _reason(memory.recalled, memory.counts.get(place, 0))

        return [tuple(f"{self.name}: {line}" for line in reason(answer)) for answer in answers]

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        return [found for found, _ in self.told(queries)]

    def told(self, queries: Sequence[Query]) -> list[tuple[Distribution, Memory]]:
        """Each query's distribution, and what the history says of its clue."""
        found: dict[int, tuple[Distribution, Memory]] = {}
        lengths = [query.length for query in queries]
        # One after another in one array, which a solver then takes as it is.
        ends = np.cumsum([len(self.encoder.answers(length).words) for length in lengths])
        log_probs = np.empty(ends[-1] if len(ends) else 0, dtype=np.float32)
        readings = self.encoder.readings([query.clue for query in queries], lengths)
        for length in sorted(set(lengths)):
            places = [i for i, one in enumerate(lengths) if one == length]
            answers = self.encoder.answers(length)
            memories = [self.memory(queries[i].clue, answers) for i in places]
            weights = np.array(
                [
                    self.merger.readings(queries[i].clue, length, memory.recalled)
                    for i, memory in zip(places, memories, strict=True)
                ],
                dtype=np.float32,
            )[:, : readings.shape[1]]
            # Products add up, so that readings are weighed and summed before they meet the answers.
            vectors = np.einsum("br,brn->bn", weights, readings[places])
            seen, new = self.encoder.products(vectors, answers)
            size = len(answers.words)
            begins = [int(ends[i]) - size for i in places]
            clues = [queries[i].clue for i in places]
            unknown = self.merger.join(clues, answers, memories, seen, new, log_probs, begins)
            for i, memory, begin, rest in zip(places, memories, begins, unknown, strict=True):
                part = log_probs[begin : begin + size]
                found[i] = Distribution(answers.words, part, rest), memory
        return [found[i] for i in range(len(queries))]

    def compose(
        self, clue: str, letter_log_probs: NDArray[np.float64], limit: int = 100
    ) -> list[tuple[str, float]]:
        """Phrases in no list that suit the letters and the clue; nothing without a phrase model."""
        if self.phrases is None or len(letter_log_probs) > MAX_LENGTH:
            return []
        most = max(3, min(MAX_PARTS, 1 + len(letter_log_probs) // 3))
        # More than are wanted, for the clue has not chosen yet.
        found = self.phrases.compose(
            letter_log_probs=letter_log_probs, limit=2 * limit, max_words=most
        )
        answers = [phrase.answer for phrase in found]
        log_probs = self.phrases.log_prob(answers) - self._log_share(len(letter_log_probs))
        log_probs = log_probs + self.suits(clue, [phrase.words for phrase in found])
        fitting = log_probs + _letters_log_prob(answers, letter_log_probs)
        order = np.argsort(-fitting, kind="stable")[:limit]
        return [(answers[i], float(log_probs[i])) for i in order.tolist()]

    def suits(self, clue: str, phrases: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """What the clue adds to the log-probability of each phrase, by its words' own vectors."""
        (vector,) = self.encoder.vectors([clue])
        known: dict[str, NDArray[np.float32] | None] = {}
        totals = np.zeros((len(phrases), len(vector)), dtype=np.float32)
        has_own = np.zeros(len(phrases), dtype=bool)
        for i, words in enumerate(phrases):
            for word in words:
                if word not in known:
                    known[word] = self._word_vector(word) if len(word) > 2 else None
                if (own := known[word]) is not None:
                    totals[i] += own
                    has_own[i] = True
        cosines = totals @ vector / (np.linalg.norm(totals, axis=1) + 1e-9)
        return np.where(has_own, PHRASE_COSINE * cosines.astype(np.float64) - PHRASE_LEVEL, 0.0)

    def _word_vector(self, word: str) -> NDArray[np.float32] | None:
        """The vector of a word as an answer; phrases have the same words again and again."""
        kept = self._word_vectors
        if word in kept:
            return kept[word]
        if len(kept) >= REMEMBERED:  # not emptied, since another thread may be reading it
            kept = self._word_vectors = {}
        found = kept[word] = self.encoder.answer_vector(word.upper())
        return found

    def _log_share(self, length: int) -> float:
        """log of the share of seen answers that have this length."""
        rows = self.encoder.lexicon.rows(length)
        seen = int((self.encoder.counts[rows] > 0).sum())
        return float(np.log((seen + 1) / (int((self.encoder.counts > 0).sum()) + 1)))

    def memory(self, clue: str, answers: Answers) -> Memory:
        """The answers that this clue, or else one of the same words, has had."""
        length = answers.words.length
        kinds: tuple[tuple[Literal["exact", "bag"], int, tuple[float, ...]], ...] = (
            ("exact", exact_key(clue, length), self.merger.exact),
            ("bag", bag_key(clue, length), self.merger.bag),
        )
        for kind, key, weights in kinds:
            places, times = self.encoder.recall(kind, key, length)
            counts = times.astype(np.float64)
            if len(places):
                gains = (
                    weights[0]
                    + weights[1] * np.log(counts)
                    + weights[2] * np.log(counts.sum())
                    + weights[3] * np.log(len(counts))
                )
                told = dict(zip(places.tolist(), counts.astype(int).tolist(), strict=True))
                return Memory(places, gains, told, kind)
        return Memory(np.zeros(0, dtype=np.int64), np.zeros(0))


def _reason(recalled: Recalled, times: int) -> tuple[str, ...]:
    """What speaks for an answer that the clue's history has so often."""
    kind = "this very clue" if recalled == "exact" else "a clue of these words"
    return (f"{kind} had it {times}×",) if times else MEANING


def _letters_log_prob(
    answers: Sequence[str], letter_log_probs: NDArray[np.float64]
) -> NDArray[np.float64]:
    length = len(letter_log_probs)
    letters = np.frombuffer("".join(answers).encode("ascii"), dtype=np.uint8) - np.uint8(65)
    found: NDArray[np.float64] = letter_log_probs[
        np.arange(length), letters.reshape(len(answers), length)
    ].sum(axis=1)
    return found


def read_phrases(part: Path) -> PhraseModel | None:
    return PhraseModel.read(part / PHRASES) if (part / PHRASES).is_file() else None


def open_part(part: Path) -> EncoderGuesser:
    return EncoderGuesser(Encoder.read(part), Merger.load(part), read_phrases(part))


def load(model: ModelFolder | None = None) -> EncoderGuesser:
    if model is None:
        raise ModelError("the guesser encoder needs a model; train one with: crossword train")
    return open_part(model.part(NAME))
