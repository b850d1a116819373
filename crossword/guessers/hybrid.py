"""`hybrid`: joins the guessers of a model folder into one; the seam for stronger models.

A linear pool: the probability of an answer is the weighted mean of what each guesser gives it,
with weights fitted on held-out clues (`train/hybrid.py`). What a guesser leaves for answers that
it doesn't know goes, in part, to the English words that it lacks, by `ngram`; so the vocabulary
is the union of all. With no model folder this is `ngram` alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import encoder, ngram, tfidf, word2vec
from crossword.guessers.calibration import CALIBRATION
from crossword.guessers.ngram import NgramGuesser
from crossword.guessers.patterns import LOG_ZERO, best, repeated
from crossword.types import Composer, Distribution, Explainer, Guess, Guesser, Query
from crossword.vocabulary import Words, words_of

NAME = "hybrid"
# Guessers that read the clue, in a fixed order; a stronger one joins by a line here.
MEMBERS: dict[str, Callable[[Path], Guesser]] = {
    tfidf.NAME: tfidf.open_part,
    word2vec.NAME: word2vec.open_part,
    encoder.NAME: encoder.open_part,
}


@dataclass(frozen=True)
class Pool:
    """Weights of the members; `unknown` is, by length, the share of a member's unknown mass that
    no English word gets either."""

    weights: Mapping[str, float] = field(default_factory=dict)
    unknown: tuple[float, ...] = (0.6,)
    fitted_on: int = 0

    def weights_of(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The weights of those that are there, adding up to one; alike where none is known."""
        found = np.array([self.weights.get(name, 0.0) for name in names], dtype=np.float64)
        return found / found.sum() if found.sum() > 0 else np.ones(len(names)) / len(names)

    def save(self, part: Path) -> None:
        (part / CALIBRATION).write_text(json.dumps(asdict(self)) + "\n")

    @classmethod
    def load(cls, part: Path) -> Pool:
        try:
            entries = json.loads((part / CALIBRATION).read_text())
            weights = {str(k): float(v) for k, v in entries["weights"].items()}
            return cls(weights, tuple(map(float, entries["unknown"])), int(entries["fitted_on"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{part / CALIBRATION} can't be read: {error}") from None


@dataclass(frozen=True, eq=False)
class _Union:
    """The joint vocabulary of one length, and how a member's words map into it."""

    words: Words
    english: NDArray[np.float64]  # what ngram gives each answer
    places: list[NDArray[np.int64]]  # for each member, where its words stand in the union
    outside: list[NDArray[np.float64]]  # ngram's shares of the answers that a member lacks


class HybridGuesser:
    """The weighted mean of guessers that read the clue, widened by common English."""

    def __init__(
        self, members: Sequence[Guesser], english: NgramGuesser, pool: Pool, *, widen: bool = True
    ) -> None:
        self.members, self.english, self._pool = list(members), english, pool
        # A lone member whose vocabulary is wide already speaks for itself, and nothing is copied.
        self._alone = members[0] if len(members) == 1 and not widen else None
        self._weights = pool.weights_of([member.name for member in members])
        self._unions: dict[int, _Union] = {}

    @property
    def name(self) -> str:
        return NAME

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        """Best first. The confidence is the highest of the members' own."""
        if self._alone is not None:
            return self._alone.guess(queries, limit)
        if not self.members:
            return self.english.guess(queries, limit)
        told: list[dict[str, float]] = [{} for _ in queries]
        for member in self.members:
            for sure, guesses in zip(told, member.guess(queries, max(limit, 1)), strict=True):
                for guess in guesses:
                    sure[guess.answer] = max(sure.get(guess.answer, 0.0), guess.confidence)
        found = []
        for query, sure, joint in zip(queries, told, self.distributions(queries), strict=True):
            position = joint.words.position
            by_place = {position[answer]: value for answer, value in sure.items()}
            found.append(best(joint, query.pattern, limit, by_place))
        return found

    def compose(
        self, letter_log_probs: NDArray[np.float64], limit: int = 100
    ) -> list[tuple[str, float]]:
        """What the first member that composes makes up; nothing where none does."""
        for member in self.members:
            if isinstance(member, Composer):
                return member.compose(letter_log_probs, limit)
        return []

    def explain(self, clue: str, answers: Sequence[str]) -> list[tuple[str, ...]]:
        """What those members say that explain themselves."""
        told: list[tuple[str, ...]] = [() for _ in answers]
        for member in self.members:
            if isinstance(member, Explainer):
                more = member.explain(clue, answers)
                told = [(*old, *new) for old, new in zip(told, more, strict=True)]
        return told

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        if self._alone is not None:
            return self._alone.distributions(queries)
        if not self.members:
            return self.english.distributions(queries)
        own = [member.distributions(queries) for member in self.members]
        return [self._join(query, [found[at] for found in own]) for at, query in enumerate(queries)]

    def _join(self, query: Query, found: Sequence[Distribution]) -> Distribution:
        union = self._union(query.length, found)
        if len(union.words) == 0:
            return Distribution(union.words, np.zeros(0, np.float32), 0.0)
        share = self.unknown_share(query.length)
        chances, unknown = np.zeros(len(union.words)), 0.0
        for weight, one, places, outside in zip(
            self._weights, found, union.places, union.outside, strict=True
        ):
            left = float(np.exp(one.log_unknown))
            given = left * (1 - share) if outside.any() else 0.0
            chances[places] += weight * np.exp(one.log_probs.astype(np.float64))
            chances += weight * given * outside
            unknown += weight * (left - given)
        dropped = repeated(union.words, query.clue)
        chances[dropped] = 0.0
        total = chances.sum() + unknown
        log_probs = np.log(np.maximum(chances / total, np.exp(LOG_ZERO))).astype(np.float32)
        return Distribution(union.words, log_probs, float(np.log(max(unknown / total, 1e-12))))

    def unknown_share(self, length: int) -> float:
        return self._pool.unknown[min(length, len(self._pool.unknown) - 1)]

    def _union(self, length: int, found: Sequence[Distribution]) -> _Union:
        """Made when a length is first met, since a member's words of a length never change."""
        if length not in self._unions:
            words, log_probs, _ = self.english.of(length)
            known = dict(zip(words.strings, np.exp(log_probs).tolist(), strict=True))
            answers = sorted({*known, *(a for one in found for a in one.words.strings)})
            joint = words_of(answers) if answers else Words(np.zeros((0, length), np.uint8))
            english = np.array([known.get(answer, 0.0) for answer in answers])
            places, outside = [], []
            for one in found:
                at = np.array([joint.position[a] for a in one.words.strings], dtype=np.int64)
                lacks = english.copy()
                lacks[at] = 0.0
                places.append(at)
                outside.append(lacks / lacks.sum() if lacks.sum() > 0 else lacks)
            self._unions[length] = _Union(joint, english, places, outside)
        return self._unions[length]


def open_part(part: Path) -> HybridGuesser:
    """The guesser of a part's folder, with the members that lie beside it."""
    return assemble(part.parent, Pool.load(part))


def assemble(folder: Path, pool: Pool) -> HybridGuesser:
    members = [
        opened(folder / name) for name, opened in MEMBERS.items() if (folder / name).is_dir()
    ]
    trained = folder / ngram.NAME
    return HybridGuesser(
        members, ngram.open_part(trained) if trained.is_dir() else NgramGuesser(), pool
    )


def load(model: ModelFolder | None = None) -> HybridGuesser:
    """With the parts that the model has; without a model, common English."""
    if model is None:
        return HybridGuesser([], NgramGuesser(), Pool())
    members = [opened(model.part(name)) for name, opened in MEMBERS.items() if name in model]
    pool = Pool.load(model.part(NAME)) if NAME in model else Pool()
    if encoder.NAME in model and ngram.NAME not in model:
        return HybridGuesser(members, NgramGuesser(), pool, widen=False)
    return HybridGuesser(members, ngram.load(model), pool)
