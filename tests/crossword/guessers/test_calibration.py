"""Features become probabilities that add up, and survive a round trip."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from crossword.errors import ModelError
from crossword.guessers.calibration import CALIBRATION, Calibration, Candidates, Option
from crossword.guessers.patterns import LOG_ZERO
from crossword.types import Distribution
from crossword.vocabulary import words_of

WORDS = words_of(["ANT", "BEE", "CAT", "DOG"])
PRIOR = np.log(np.array([0.4, 0.3, 0.2, 0.1])).astype(np.float32)
FITTED = Calibration(("near",), (2.0,), Option((0.0, 0.5), 1.0), Option((-1.0,), 0.0), 7)


def candidates(*pairs: tuple[int, float], nearest: float = 0.0) -> Candidates:
    positions = np.array([at for at, _ in pairs], dtype=np.int64)
    features = np.array([[score] for _, score in pairs], dtype=np.float32).reshape(-1, 1)
    return Candidates(positions, features, np.zeros(len(pairs), np.float32), nearest)


def total(found: Distribution) -> float:
    known = float(np.exp(found.log_probs.astype(np.float64)).sum())
    return known + math.exp(found.log_unknown)


@pytest.mark.parametrize("dropped", [[], [2], [0, 2], [0, 1, 2, 3]])
@pytest.mark.parametrize("pairs", [[], [(2, 1.0)], [(0, 1.0), (1, 0.2), (2, 0.1), (3, 3.0)]])
def test_probabilities_add_up_to_one(pairs: list[tuple[int, float]], dropped: list[int]) -> None:
    found = FITTED.distribution(WORDS, PRIOR, candidates(*pairs), dropped)
    assert total(found) == pytest.approx(1.0, abs=1e-5)
    assert (found.log_probs[dropped] == LOG_ZERO).all()


def test_scores_decide_between_candidates_and_the_prior_between_the_rest() -> None:
    found = FITTED.distribution(WORDS, PRIOR, candidates((2, 1.0), (3, 0.5)))
    assert found.log_probs[2] - found.log_probs[3] == pytest.approx(1.0, abs=1e-5)
    assert found.log_probs[0] - found.log_probs[1] == pytest.approx(math.log(4 / 3), abs=1e-5)


def test_the_bias_is_that_of_the_length_or_the_longest_known() -> None:
    option = Option((0.0, 1.0, 2.0), 10.0)
    assert option.score(1, 0.5) == 6.0
    assert option.score(40, 0.0) == 2.0


def test_a_length_without_words_is_all_unknown() -> None:
    found = FITTED.distribution(words_of([]), PRIOR[:0], candidates())
    assert found.log_unknown == 0.0


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    FITTED.save(tmp_path)
    assert Calibration.load(tmp_path, ["near"]) == FITTED


def test_other_features_are_refused(tmp_path: Path) -> None:
    FITTED.save(tmp_path)
    with pytest.raises(ModelError, match="other features"):
        Calibration.load(tmp_path, ["near", "far"])


def test_a_feature_that_came_later_weighs_nothing_in_an_older_model(tmp_path: Path) -> None:
    FITTED.save(tmp_path)
    read = Calibration.load(tmp_path, ["new", "near"], added=["new"])
    assert read.features == ("new", "near")
    assert read.weights == (0.0, *FITTED.weights)


@pytest.mark.parametrize("text", ["", "{}", "[1]", json.dumps({"features": 1, "weights": "x"})])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / CALIBRATION).write_text(text)
    with pytest.raises(ModelError, match="can't be read"):
        Calibration.load(tmp_path, ["near"])
