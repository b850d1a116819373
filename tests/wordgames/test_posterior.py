from __future__ import annotations

import numpy as np
import pytest

from wordgames.errors import ImpossibleHistoryError
from wordgames.posterior import entropy_bits, from_log, normalised, updated


def test_bayes_rule_on_three_words() -> None:
    prior = np.array([0.5, 0.25, 0.25])
    assert updated(prior, np.array([0.0, 1.0, 0.5])) == pytest.approx([0, 2 / 3, 1 / 3])


def test_log_weights_do_not_underflow() -> None:
    assert from_log(np.array([-5000.0, -5000.0 + np.log(3)])) == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize("weights", [np.zeros(3), np.array([np.nan, 1.0])])
def test_evidence_that_nothing_fits_is_an_error(weights: np.ndarray) -> None:
    with pytest.raises(ImpossibleHistoryError):
        normalised(weights)
    with pytest.raises(ImpossibleHistoryError):
        from_log(np.full(2, -np.inf))


def test_entropy_counts_bits() -> None:
    assert entropy_bits(np.full(8, 1 / 8)) == pytest.approx(3)
    assert entropy_bits(np.array([1.0, 0.0])) == 0
