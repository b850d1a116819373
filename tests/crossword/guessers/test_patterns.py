"""Lists that fit a pattern, with probabilities conditional on it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from crossword.guessers.patterns import LETTER_SHARE, LOG_ZERO, best, log_chance, repeats
from crossword.types import Distribution
from crossword.vocabulary import words_of


def distribution(unknown: float = 0.2, **chances: float) -> Distribution:
    answers = sorted(chances)
    log_probs = np.log([chances[answer] for answer in answers]).astype(np.float32)
    return Distribution(words_of(answers), log_probs, math.log(unknown))


def test_letters_add_up_to_one() -> None:
    assert LETTER_SHARE.sum() == pytest.approx(1.0, abs=1e-3)
    assert LETTER_SHARE.argmax() == ord("E") - 65


def test_without_letters_the_probabilities_are_the_distribution() -> None:
    guesses = best(distribution(CAT=0.5, DOG=0.3), "...", 10, {})
    assert [(g.answer, round(g.probability, 4)) for g in guesses] == [("CAT", 0.5), ("DOG", 0.3)]


def test_letters_make_the_probabilities_conditional() -> None:
    (guess,) = best(distribution(CAT=0.5, DOG=0.3), "..T", 10, {})
    unknown = 0.2 * LETTER_SHARE[ord("T") - 65]
    assert guess.answer == "CAT"
    assert guess.probability == pytest.approx(0.5 / (0.5 + unknown), rel=1e-4)


def test_an_unlikely_answer_that_fits_is_still_listed() -> None:
    (guess,) = best(distribution(CAT=0.7999, ZZZ=0.0001), "Z.Z", 10, {})
    assert guess.answer == "ZZZ"
    assert guess.probability > 0.05


def test_the_limit_keeps_the_best_and_ties_go_by_the_alphabet() -> None:
    guesses = best(distribution(CAT=0.2, ANT=0.2, BAT=0.2, DOG=0.21), "...", 3, {})
    assert guesses[0].answer == "DOG"
    assert [g.answer for g in guesses][1:] == sorted(g.answer for g in guesses[1:])


def test_confidence_is_carried_beside_the_probability() -> None:
    cat, dog = best(distribution(CAT=0.5, DOG=0.3), "...", 10, {1: 0.9})
    assert (cat.confidence, dog.confidence) == (0.0, 0.9)


def test_an_answer_that_is_ruled_out_is_not_listed() -> None:
    ruled = Distribution(
        words_of(["CAT", "DOG"]), np.array([LOG_ZERO, -0.1], np.float32), math.log(0.1)
    )
    assert [g.answer for g in best(ruled, "...", 10, {})] == ["DOG"]


def test_no_answer_fits() -> None:
    assert best(distribution(CAT=0.8), "Q..", 10, {}) == []


def test_more_letters_are_less_likely_for_an_unknown_answer() -> None:
    assert log_chance("...") == 0.0
    assert log_chance("E..") > log_chance("Q..") > log_chance("QQ.")


def test_words_of_the_clue_are_repeats() -> None:
    assert repeats("Cat's cradle?") >= {"CATS", "CRADLE", "CATSCRADLE"}
    assert "CAT" not in repeats("Caterpillar")
