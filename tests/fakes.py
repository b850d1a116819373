"""A guesser that knows what a test tells it, so that solver tests run in milliseconds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from crossword.puzzle import fits
from crossword.types import Distribution, Guess, Query
from crossword.vocabulary import Vocabulary


class FakeGuesser:
    """`FakeGuesser({"clue": [("ANSWER", 0.9)]})`: the number is confidence and probability.

    Probabilities that sum to more than one are scaled to sum to one; the confidence stays.
    `calls` holds each batch that was asked for.
    """

    name = "fake"

    def __init__(self, table: Mapping[str, Sequence[tuple[str, float]]]) -> None:
        self.table = {
            clue: sorted(pairs, key=lambda pair: -pair[1]) for clue, pairs in table.items()
        }
        self.vocabulary = Vocabulary.of(a for pairs in table.values() for a, _ in pairs)
        self.calls: list[list[Query]] = []

    def _known(self, query: Query) -> list[tuple[str, float, float]]:
        pairs = [(a, p) for a, p in self.table.get(query.clue, ()) if len(a) == query.length]
        scale = max(1.0, sum(p for _, p in pairs))
        return [(a, p, p / scale) for a, p in pairs]

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        self.calls.append(list(queries))
        return [
            [
                Guess(answer, math.log(probability), confidence, ("fake",))
                for answer, confidence, probability in self._known(query)
                if fits(answer, query.pattern)
            ][:limit]
            for query in queries
        ]

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        self.calls.append(list(queries))
        return [self._distribution(query) for query in queries]

    def _distribution(self, query: Query) -> Distribution:
        words = self.vocabulary.words(query.length)
        mass = np.full(len(words), 1e-9, dtype=np.float64)
        for answer, _, probability in self._known(query):
            mass[words.position[answer]] = probability
        unknown = max(1e-6, 1.0 - mass.sum())
        total = mass.sum() + unknown
        return Distribution(
            words, np.log(mass / total).astype(np.float32), math.log(unknown / total)
        )
