"""The fit finds the weights that made the cases, and stays sober on few of them."""

from __future__ import annotations

import numpy as np
import pytest

from crossword.errors import DataError
from crossword.guessers.calibration import Candidates, Option
from crossword.vocabulary import words_of
from train.calibration import ELSEWHERE, UNKNOWN, Cases, fit, uncalibrated

WEIGHTS = np.array([2.0, -1.0])


def made(count: int, elsewhere: float = 0.5, unknown: float = -0.5, seed: int = 0) -> Cases:
    """Cases drawn from a logit with known weights: ten candidates each, two features."""
    draw = np.random.default_rng(seed)
    features = draw.normal(size=(count, 10, 2)) + np.array([3.0, 0.0])
    scores = features @ WEIGHTS - 3 * WEIGHTS[0]
    options = np.tile([elsewhere, unknown], (count, 1))
    every = np.concatenate([scores, options], axis=1)
    chances = np.exp(every - every.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    chosen = np.array([draw.choice(12, p=row) for row in chances])
    right = np.where(chosen < 10, np.arange(count) * 10 + chosen, 0)
    right[chosen == 10], right[chosen == 11] = ELSEWHERE, UNKNOWN
    starts = np.arange(count + 1) * 10
    lengths = draw.integers(3, 8, count)
    return Cases(features.reshape(-1, 2), starts, right, lengths, np.zeros(count))


def test_the_fit_finds_the_weights_that_made_the_cases() -> None:
    fitted = fit(made(6000), ["a", "b"])
    assert fitted.weights == pytest.approx(WEIGHTS, abs=0.1)
    # The candidates' scores were shifted by −6, which the fit puts into the options.
    assert fitted.elsewhere.score(5, 0) - 6 == pytest.approx(0.5, abs=0.3)
    assert fitted.elsewhere.score(5, 0) - fitted.unknown.score(5, 0) == pytest.approx(1.0, abs=0.3)
    assert fitted.fitted_on == 6000


def test_a_handful_of_cases_rules_nothing_out() -> None:
    few = made(8, elsewhere=-50.0, unknown=-50.0)
    fitted = fit(few, ["a", "b"])
    words = words_of(["ANT", "BEE", "CAT"])
    candidates = Candidates(
        np.array([0]), few.features[:1].astype(np.float32), np.zeros(1, np.float32), 0.0
    )
    found = fitted.distribution(words, np.log(np.ones(3, np.float32) / 3), candidates)
    assert np.exp(found.log_unknown) > 1e-3


def test_no_cases_are_an_error() -> None:
    none = np.zeros(0, dtype=np.int64)
    with pytest.raises(DataError, match="too small"):
        fit(Cases(np.zeros((0, 2)), np.zeros(1, np.int64), none, none, np.zeros(0)), ["a", "b"])


def test_uncalibrated_holds_every_candidate_alike() -> None:
    plain = uncalibrated(["a", "b"])
    assert plain.scores(np.ones((3, 2), np.float32)).tolist() == [0, 0, 0]
    assert plain.unknown == Option((0.0,), 0.0)
