"""`encoder`: a dual encoder that scores answers directly, with what the clue was answered before.

A clue is the sum of its features' vectors (see `features`), an answer has a vector of its own, made
in training from its letters, its words and its clues; their cosine says how well they go together.
An answer that has never been clued can still win. Each answer has a prior, and fingerprints of
clues tell which answers the very clue, or one of the same words, has had. One small softmax model,
fitted on a later year, joins all that into a probability for each answer, and for "none of these".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from math import exp
from pathlib import Path
from typing import Any, Literal
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers.calibration import CALIBRATION
from crossword.guessers.features import clue_features, keys_of, rows_of
from crossword.guessers.fingerprints import ClueHistory, bag_key, exact_key
from crossword.guessers.patterns import LOG_ZERO, ranked, repeats
from crossword.guessers.quantiser import Codes
from crossword.lexicon import Lexicon
from crossword.phrase_kernels import MAX_PARTS
from crossword.phrases import PhraseModel
from crossword.text import KINDS, kind_of
from crossword.types import Distribution, Guess, Query
from crossword.vocabulary import MAX_LENGTH, Words

NAME = "encoder"
LENGTHS = 16  # lengths 0 to 15 have weights of their own, longer ones share the last
TABLES, ANSWERS, HISTORY = "{}.safetensors", "answers.npz", "history.npz"
# How a clue's cosine with the sum of a phrase's words counts, and what that brings on average, so
# that all phrases together gain nothing. Chosen by hand after a look at the 508 answers of 2022
# that are in no list and fall into words, on which 20 was the best of six weights.
PHRASE_COSINE, PHRASE_LEVEL = 16.0, 1.4
GUESSED = 64  # queries that are guessed at a time, some 20 MB; arbitrary
REMEMBERED = 4_000  # words of phrases whose vectors are kept, 4 MB; arbitrary
FEATURES = ("clues", "rare")
RARE = 0.05  # recent uses of an answer that had none; the best of three for counts alone, on 2022
COUNTS, PHRASES, LATER = "counts.npz", "phrases.npz", "history-{}.npz"


Recalled = Literal["exact", "bag", "no"]  # what of a clue's history there is
RECALLED: tuple[Recalled, ...] = ("exact", "bag", "no")


@dataclass(frozen=True)
class Merger:
    """The weights of the softmax. By length: cosine, prior of seen and of new answers, unknown.

    The prior of a seen answer is the log of how many clues it has had (`seen`) and of how often it
    was used lately (`recent`).
    `tower` weighs the cosine of a second reading of the clue, where there is one (`transformer`).
    An answer in the clue's history gains `exact` (or `bag`): a constant, and weights of the log of
    its count, of all counts, and of the number of different answers. Where there is a history,
    the cosines learned it too and say it twice, so that their weights are scaled: (cosine, tower,
    priors). `kinds` scales all cosines by the kind of clue, in the order of `KINDS`.

    A softmax alone is too sure where it is sure: now and then a clue means something else than it
    seems to, or than it meant before. So a second one is mixed in, which forgets the history and
    has its cosines scaled (`doubt_scale`). Its share is logistic: `doubt` by the kind of history,
    and `doubt_count` for the log of how often the clue has been seen.
    """

    cosine: tuple[float, ...] = (30.0,) * LENGTHS
    tower: tuple[float, ...] = (0.0,) * LENGTHS
    seen: tuple[float, ...] = (0.8,) * LENGTHS
    recent: tuple[float, ...] = (0.0,) * LENGTHS
    new: tuple[float, ...] = (0.8,) * LENGTHS
    newness: tuple[float, ...] = (0.0,) * LENGTHS
    unknown: tuple[float, ...] = (0.0,) * LENGTHS
    exact: tuple[float, ...] = (8.0, 1.0, 0.0, 0.0)
    bag: tuple[float, ...] = (3.0, 1.0, 0.0, 0.0)
    exact_scales: tuple[float, ...] = (1.0, 1.0, 1.0)
    bag_scales: tuple[float, ...] = (1.0, 1.0, 1.0)
    unknown_exact: float = 0.0
    unknown_bag: float = 0.0
    kinds: tuple[float, ...] = (1.0,) * len(KINDS)
    doubt: tuple[float, ...] = (-30.0,) * len(RECALLED)
    doubt_count: float = 0.0
    doubt_scale: float = 0.5
    doubt_unknown: float = 0.0
    fitted_on: int = 0

    def scales(self, recalled: Recalled) -> tuple[float, ...]:
        return {"exact": self.exact_scales, "bag": self.bag_scales}.get(recalled, (1.0,) * 3)

    def log_doubt(self, recalled: Recalled, count: int) -> tuple[float, float]:
        """Logs of the shares of the first softmax and of the second, for a clue seen so often."""
        logit = self.doubt[RECALLED.index(recalled)]
        logit += self.doubt_count * float(np.log(max(count, 1)))
        return -float(np.logaddexp(0, logit)), -float(np.logaddexp(0, -logit))

    def readings(self, clue: str, length: int, recalled: Recalled) -> tuple[float, float]:
        """The weights of the two readings' cosines for one clue."""
        at, scales = min(length, LENGTHS - 1), self.scales(recalled)
        kind = self.kinds[KINDS.index(kind_of(clue))]
        return self.cosine[at] * scales[0] * kind, self.tower[at] * scales[1] * kind

    def save(self, part: Path) -> None:
        (part / CALIBRATION).write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, part: Path) -> Merger:
        path = part / CALIBRATION
        try:
            entries: dict[str, Any] = json.loads(path.read_text())
            fields: dict[str, Any] = {
                name: tuple(map(float, value)) if isinstance(value, list) else value
                for name, value in entries.items()
            }
            return cls(**fields)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise ModelError(f"{path} can't be read: {error}") from None


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Vectors of clue features: sorted keys, and a coded row for each."""

    keys: NDArray[np.uint32]
    rows: Codes


@dataclass(frozen=True, eq=False)
class Memory:
    """What the history says of one clue: places of answers, and the logit that each gains."""

    places: NDArray[np.int64]
    gains: NDArray[np.float64]
    counts: Mapping[int, int] = field(default_factory=dict)
    recalled: Recalled = "no"


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one length: seen ones and new ones are coded in tables of their own."""

    words: Words
    seen: NDArray[np.int64]  # places of the seen answers among the words
    new: NDArray[np.int64]
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
                found[i] += table.rows.decode(rows).sum(axis=0)
        norms = np.linalg.norm(found, axis=1, keepdims=True)
        found /= np.maximum(norms, 1e-9)
        return found

    def readings(self, clues: Sequence[str]) -> NDArray[np.float32]:
        """(clue, reading, number): the vectors of each clue that the merger weighs; here one."""
        return self.vectors(clues)[:, None]

    def answers(self, length: int) -> Answers:
        if length not in self._lengths:
            rows = self.lexicon.rows(length)
            counts = self.counts[rows]
            seen, new = np.flatnonzero(counts), np.flatnonzero(counts == 0)
            before = int(self._seen_before[rows.start])
            words = self.lexicon.words.get(length, Words(np.zeros((0, length), dtype=np.uint8)))
            self._lengths[length] = Answers(
                words, seen, new, before, rows.start - before,
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
            known = np.arange(rows.stop - rows.start)
            if self.since is not None:
                known = known[self.since[rows] <= age]
            keep = found < len(known)  # a colliding key may stand for another length
            places.append(known[found[keep]])
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
            told = self._read([queries[i] for i in batch])
            found |= {
                i: self._listed(one, memory, queries[i].pattern, limit)
                for i, (one, memory) in zip(batch, told, strict=True)
            }
        return [found[i] for i in range(len(queries))]

    @staticmethod
    def _listed(found: Distribution, memory: Memory, pattern: str, limit: int) -> list[Guess]:
        times = memory.counts
        return [
            Guess(answer, log_prob, exp(log_prob), _reason(memory.recalled, times.get(place, 0)))
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
        return [found for found, _ in self._read(queries)]

    def _read(self, queries: Sequence[Query]) -> list[tuple[Distribution, Memory]]:
        """Each query's distribution, and what the history says of its clue."""
        found: dict[int, tuple[Distribution, Memory]] = {}
        lengths = [query.length for query in queries]
        # One after another in one array, which a solver then takes as it is.
        ends = np.cumsum([len(self.encoder.answers(length).words) for length in lengths])
        log_probs = np.empty(ends[-1] if len(ends) else 0, dtype=np.float32)
        readings = self.encoder.readings([query.clue for query in queries])
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
            priors = {one: self._priors(answers, one) for one in {m.recalled for m in memories}}
            for row, i in enumerate(places):
                memory = memories[row]
                joined = self._join(
                    queries[i].clue, answers, memory, priors[memory.recalled], seen[row], new[row],
                    log_probs[ends[i] - len(answers.words) : ends[i]],
                )  # fmt: skip
                found[i] = joined, memory
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

    def _priors(self, answers: Answers, recalled: Recalled) -> NDArray[np.float32]:
        """What speaks for each answer of a length before the clue is read."""
        merger, at = self.merger, min(answers.words.length, LENGTHS - 1)
        scale = merger.scales(recalled)[2]
        found = np.empty(len(answers.words), np.float32)
        found[answers.seen] = scale * (
            merger.seen[at] * answers.log_count + merger.recent[at] * answers.log_recent
        )
        found[answers.new] = merger.new[at] * scale * answers.log_prior + merger.newness[at]
        return found

    def _join(
        self, clue: str, answers: Answers, memory: Memory, priors: NDArray[np.float32],
        seen: NDArray[np.float32], new: NDArray[np.float32], out: NDArray[np.float32],
    ) -> Distribution:  # fmt: skip
        """`seen` and `new` are the weighted cosines; the log-probabilities are written to `out`."""
        words, merger = answers.words, self.merger
        at = min(words.length, LENGTHS - 1)
        if len(words) == 0:
            return Distribution(words, out, 0.0)
        cosines = np.empty(len(words), np.float32)
        cosines[answers.seen], cosines[answers.new] = seen, new
        barred = [
            place for word in repeats(clue)
            if len(word) == words.length and (place := words.find(word)) is not None
        ]  # fmt: skip
        more = {"exact": merger.unknown_exact, "bag": merger.unknown_bag, "no": 0.0}
        unknown = merger.unknown[at] + more[memory.recalled]
        sure = cosines + priors
        sure[barred] += LOG_ZERO - priors[barred]
        sure[memory.places] += memory.gains.astype(np.float32)
        log_sure, log_doubt = merger.log_doubt(memory.recalled, sum(memory.counts.values()))
        sure, sure_unknown = _softmax(sure, unknown, log_sure)
        if log_doubt > LOG_ZERO:
            cosines *= np.float32(merger.doubt_scale)
            cosines += priors
            cosines[barred] += LOG_ZERO - priors[barred]
            doubt, doubt_unknown = _softmax(cosines, unknown + merger.doubt_unknown, log_doubt)
            sure = _log_sum(sure, doubt)
            sure_unknown = float(np.logaddexp(sure_unknown, doubt_unknown))
        out[:] = sure
        return Distribution(words, out, sure_unknown)


def _reason(recalled: Recalled, times: int) -> tuple[str, ...]:
    """What speaks for an answer that the clue's history has so often."""
    kind = "this very clue" if recalled == "exact" else "a clue of these words"
    return (f"{kind} had it {times}×",) if times else ("meaning",)


def _softmax(
    logits: NDArray[np.float32], unknown: float, log_share: float
) -> tuple[NDArray[np.float32], float]:
    """Log-probabilities that sum to the share, over the logits and the one of "none of these"."""
    top = max(float(logits.max()), unknown)
    shifted = np.exp(logits - np.float32(top))
    total = top + np.log(shifted.sum(dtype=np.float64) + np.exp(unknown - top)) - log_share
    return logits - np.float32(total), float(unknown - total)


def _log_sum(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """numpy's logaddexp in steps that run in vectors: ten times as fast. Writes over `second`."""
    found: NDArray[np.float32] = np.maximum(first, second)
    np.subtract(first, second, out=second)
    np.abs(second, out=second)
    np.negative(second, out=second)
    np.exp(second, out=second)
    np.log1p(second, out=second)
    found += second
    return found


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
