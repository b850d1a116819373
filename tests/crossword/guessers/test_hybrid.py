"""The pool of guessers: its sums, its vocabulary, and what is there decides who joins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import hybrid
from crossword.guessers.hybrid import HybridGuesser, Pool
from crossword.guessers.ngram import NgramGuesser
from crossword.types import Distribution, Guess, Query
from crossword.vocabulary import words_of


class Fixed:
    """A guesser that gives the same chances to any clue."""

    def __init__(self, name: str, **chances: float) -> None:
        self.name, self._chances = name, chances

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        found = [Guess(a, math.log(p), p / 2) for a, p in self._chances.items()]
        return [found[:limit] for _ in queries]

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        answers = sorted(self._chances)
        log_probs = np.log([self._chances[a] for a in answers]).astype(np.float32)
        unknown = math.log(1 - sum(self._chances.values()))
        return [Distribution(words_of(answers), log_probs, unknown) for _ in queries]


def pooled(unknown: float = 0.0) -> HybridGuesser:
    members = [Fixed("one", XQZ=0.6, CAT=0.2), Fixed("two", CAT=0.5)]
    weights, lacking = {"one": 0.75, "two": 0.25}, {"one": -2.0, "two": -3.0}
    return HybridGuesser(members, Pool(weights, lacking, (unknown,)))


def chance(found: Distribution, answer: str) -> float:
    return float(np.exp(found.log_probs[found.words.position[answer]]))


def test_the_pool_is_the_weighted_sum_of_logs() -> None:
    (found,) = pooled().distributions([Query("Whatever", "...")])
    cat = 0.2**0.75 * 0.5**0.25
    xqz = 0.6**0.75 * (0.5 * math.exp(-3.0)) ** 0.25  # the second leaves 0.5 for what it lacks
    none = 0.2**0.75 * 0.5**0.25
    total = cat + xqz + none
    assert chance(found, "CAT") == pytest.approx(cat / total, rel=1e-3)
    assert chance(found, "XQZ") == pytest.approx(xqz / total, rel=1e-3)
    assert math.exp(found.log_unknown) == pytest.approx(none / total, rel=1e-3)


def test_the_unknown_has_a_weight_of_its_own() -> None:
    (plain,) = pooled().distributions([Query("Whatever", "...")])
    (raised,) = pooled(2.0).distributions([Query("Whatever", "...")])
    odds = [d.log_unknown - d.log_probs[d.words.position["CAT"]] for d in (plain, raised)]
    assert odds[1] - odds[0] == pytest.approx(2.0, rel=1e-3)


def test_one_member_speaks_for_itself() -> None:
    one = Fixed("one", CAT=0.5)
    (found,) = HybridGuesser([one]).distributions([Query("Whatever", "...")])
    assert chance(found, "CAT") == pytest.approx(0.5)


def test_all_adds_up_also_when_clue_words_are_dropped() -> None:
    (found,) = pooled().distributions([Query("A cat", "...")])
    assert np.exp(found.log_probs).sum() + math.exp(found.log_unknown) == pytest.approx(1, abs=1e-3)
    assert chance(found, "CAT") < 1e-20


def test_the_confidence_is_the_highest_of_the_members() -> None:
    guesses = {g.answer: g for g in pooled().guess([Query("Whatever", "...")], 10)[0]}
    assert guesses["CAT"].confidence == 0.25
    assert guesses["XQZ"].confidence == 0.3


def test_without_a_model_it_is_common_english() -> None:
    found = hybrid.load().guess([Query("Whatever", "C.T")], 3)[0]
    assert found == NgramGuesser().guess([Query("Whatever", "C.T")], 3)[0]


def test_it_joins_the_parts_that_a_model_has(tiny_model: ModelFolder) -> None:
    made = hybrid.load(model=tiny_model)
    assert {"tfidf", "word2vec"} <= {member.name for member in made.members}
    assert made.guess([Query("Barking pet", "...")], 1)[0][0].answer == "DOG"


def test_unknown_weights_count_alike() -> None:
    assert Pool().weights_of(["a", "b"]).tolist() == [0.5, 0.5]
    # Of those that are there, one takes over the share of one that is not.
    assert Pool({"a": 1.0, "b": 3.0}).weights_of(["b", "c"]).tolist() == [4.0, 0.0]


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    pool = Pool({"tfidf": 0.7}, {"tfidf": -4.0}, (0.1, 0.2), 3)
    pool.save(tmp_path)
    assert Pool.load(tmp_path) == pool
    (tmp_path / "calibration.json").write_text('{"weights": 1}')
    with pytest.raises(ModelError, match="can't be read"):
        Pool.load(tmp_path)
