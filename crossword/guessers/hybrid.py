"""`hybrid`: joins the guessers of a model folder into one; the seam for stronger models.

A logarithmic pool (Genest and Zidek 1986): the log-probability of an answer is the weighted sum of
what each guesser gives it, made to sum to one over the union of their vocabularies and "none of
these". An answer that a guesser doesn't know counts as a share of what that guesser leaves for the
unknown. Weights are fitted on held-out clues (`train/hybrid.py`). It beats the weighted mean, since
guessers that err in different ways rule out each other's errors. Where a network was trained to
weigh their evidence (`ranker`), it takes the pool's place. Without a model it is `ngram`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import encoder, language, ngram, ranker, transformer
from crossword.guessers.calibration import CALIBRATION
from crossword.guessers.encoder import EncoderGuesser
from crossword.guessers.neighbours import NeighbourGuesser
from crossword.guessers.ngram import NgramGuesser
from crossword.guessers.patterns import LOG_ZERO, best, repeated
from crossword.guessers.ranker import RankedGuesser
from crossword.types import Composer, Distribution, Explainer, Guess, Guesser, Query
from crossword.vocabulary import Words, words_of

NAME = "hybrid"


def _when_met(name: str) -> Callable[[Path], Guesser]:
    """Opens a part by a module that is only imported then, for the libraries that it brings."""

    def open_part(part: Path) -> Guesser:
        guesser: Guesser = import_module(f"crossword.guessers.{name}").open_part(part)
        return guesser

    return open_part


# In a fixed order; a stronger guesser joins by a line here.
MEMBERS: dict[str, Callable[[Path], Guesser]] = {
    encoder.NAME: encoder.open_part,
    transformer.NAME: transformer.open_part,
    language.NAME: language.open_part,
    "tfidf": _when_met("tfidf"),
    "word2vec": _when_met("word2vec"),
    "sentence": _when_met("sentence"),
    ngram.NAME: ngram.open_part,
}
# Each speaks for those before it too, which then are left out.
ENCODERS = (encoder.NAME, transformer.NAME, language.NAME)
LACKING = -8.0  # before any fit: an unknown answer is one of some thousands
LEAST = -30.0  # the least log-probability that a member may speak; arbitrary


@dataclass(frozen=True)
class Pool:
    """Weights of the members' log-probabilities, and what is added to logs of the unknown.

    `lacking`: for an answer that a member doesn't know, to the log of what it leaves for such.
    `unknown`: by length, for "none of these" in the pool.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    lacking: Mapping[str, float] = field(default_factory=dict)
    unknown: tuple[float, ...] = (0.0,)
    fitted_on: int = 0

    def weights_of(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The weights of those that are there; alike, adding up to one, where none is known.

        Where some are missing that the fit had, the others take their share.
        """
        found = np.array([self.weights.get(name, 0.0) for name in names], dtype=np.float64)
        if found.sum() <= 0:
            return np.ones(len(names)) / max(len(names), 1)
        found *= sum(self.weights.values()) / found.sum()
        return found

    def lacking_of(self, names: Sequence[str]) -> NDArray[np.float64]:
        return np.array([self.lacking.get(name, LACKING) for name in names], dtype=np.float64)

    def save(self, part: Path) -> None:
        (part / CALIBRATION).write_text(json.dumps(asdict(self)) + "\n")

    @classmethod
    def load(cls, part: Path) -> Pool:
        try:
            entries = json.loads((part / CALIBRATION).read_text())
            weights, lacking = (
                {str(k): float(v) for k, v in entries[name].items()}
                for name in ("weights", "lacking")
            )
            unknown = tuple(map(float, entries["unknown"]))
            return cls(weights, lacking, unknown, int(entries["fitted_on"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{part / CALIBRATION} can't be read: {error}") from None


@dataclass(frozen=True, eq=False)
class Union:
    """The joint vocabulary of one length, and where each member's words stand in it."""

    words: Words
    places: list[NDArray[np.int64]]


class HybridGuesser:
    """The logarithmic pool of its members."""

    def __init__(self, members: Sequence[Guesser], pool: Pool = Pool()) -> None:
        self.members, self._pool = list(members), pool
        self.weights = pool.weights_of([member.name for member in members])
        self.lacking = pool.lacking_of([member.name for member in members])
        # One member speaks for itself, and nothing is copied.
        self._alone = members[0] if len(members) == 1 else None
        self._unions: dict[int, Union] = {}

    @property
    def name(self) -> str:
        return NAME

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        """Best first. The confidence is the highest of the members' own."""
        if self._alone is not None:
            return self._alone.guess(queries, limit)
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
        self, clue: str, letter_log_probs: NDArray[np.float64], limit: int = 100
    ) -> list[tuple[str, float]]:
        """What the first member that composes makes up; nothing where none does."""
        for member in self.members:
            if isinstance(member, Composer):
                return member.compose(clue, letter_log_probs, limit)
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
        own = [member.distributions(queries) for member in self.members]
        return [self._join(query, [found[at] for found in own]) for at, query in enumerate(queries)]

    def _join(self, query: Query, found: Sequence[Distribution]) -> Distribution:
        union = self.union(query.length, found)
        if len(union.words) == 0:
            return Distribution(union.words, np.zeros(0, np.float32), 0.0)
        logits = np.zeros(len(union.words))
        unknown = self._pool.unknown[min(query.length, len(self._pool.unknown) - 1)]
        for weight, lacking, one, places in zip(
            self.weights, self.lacking, found, union.places, strict=True
        ):
            # From the level of an answer that the member lacks, up or down for those it knows.
            level = one.log_unknown + lacking
            logits += weight * level
            logits[places] += weight * (np.maximum(one.log_probs, LEAST) - level)
            unknown += weight * one.log_unknown
        logits[repeated(union.words, query.clue)] = LOG_ZERO
        top = max(float(logits.max()), unknown)
        total = top + np.log(np.exp(logits - top).sum() + np.exp(unknown - top))
        log_probs = np.maximum(logits - total, LOG_ZERO).astype(np.float32)
        return Distribution(union.words, log_probs, float(unknown - total))

    def union(self, length: int, found: Sequence[Distribution]) -> Union:
        """Made when a length is first met, since a member's words of a length never change."""
        if length not in self._unions:
            answers = sorted({answer for one in found for answer in one.words.strings})
            joint = words_of(answers) if answers else Words(np.zeros((0, length), np.uint8))
            places = [
                np.array([joint.position[a] for a in one.words.strings], dtype=np.int64)
                for one in found
            ]
            self._unions[length] = Union(joint, places)
        return self._unions[length]


def open_part(part: Path) -> HybridGuesser | RankedGuesser:
    """The guesser of a part's folder, with the members that lie beside it."""
    folder = part.parent
    names = [name for name in MEMBERS if (folder / name).is_dir()]
    return _joined(_members(names, lambda name: folder / name), part)


def assemble(folder: Path) -> list[Guesser]:
    """The members that lie in a folder."""
    names = [name for name in MEMBERS if (folder / name).is_dir()]
    return _members(names, lambda name: folder / name)


def load(model: ModelFolder | None = None) -> HybridGuesser | RankedGuesser:
    """With the parts that the model has; without a model, common English."""
    if model is None:
        return HybridGuesser([NgramGuesser()])
    names = [name for name in MEMBERS if name in model]
    members = _members(names, model.part)
    return _joined(members, model.part(NAME)) if NAME in model else HybridGuesser(members)


def _joined(members: Sequence[Guesser], part: Path) -> HybridGuesser | RankedGuesser:
    """By the network, if there is one for just these members; else by the pool."""
    if (part / ranker.FILE).is_file():
        network = ranker.Network.read(part)
        heard = witnesses(members)
        if heard is not None:
            ranked = RankedGuesser(*heard, network)
            if network.members == tuple(member.name for member in ranked.members):
                return ranked
    return HybridGuesser(members, Pool.load(part))


def witnesses(
    members: Sequence[Guesser],
) -> tuple[EncoderGuesser, list[NeighbourGuesser]] | None:
    """Whom a ranker hears first, and then; nothing where nobody has a view of all answers."""
    first = [one for one in members if isinstance(one, EncoderGuesser)]
    others = [one for one in members if isinstance(one, NeighbourGuesser)]
    return (first[0], others) if first else None


def _members(names: Sequence[str], part_of: Callable[[str], Path]) -> list[Guesser]:
    """The members in their order. Common English joins where no encoder brings it."""
    spoken_for = [name for name in ENCODERS if name in names][:-1]
    found: list[Guesser] = [
        MEMBERS[name](part_of(name)) for name in names if name not in spoken_for
    ]
    if encoder.NAME not in names and ngram.NAME not in names:
        found.append(NgramGuesser())
    return found
