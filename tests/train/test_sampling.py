"""A sample stands for the whole vocabulary: nothing is left out, nothing counted twice."""

from __future__ import annotations

import numpy as np
import pytest

from train.sampling import sampled


@pytest.mark.parametrize("gold", [None, 3, 99])
def test_options_stand_for_every_answer_once(gold: int | None) -> None:
    scores = np.arange(100, dtype=np.float32)
    places, log_weight = sampled(scores, gold, 10, 20, np.random.default_rng(0))
    assert float(np.exp(log_weight).sum()) == pytest.approx(100, rel=1e-5)
    counted = places[log_weight > -1e6]
    assert len(set(counted.tolist())) == len(counted)
    assert set(range(90, 100)) <= set(places.tolist())
    assert places[0] == (gold or 0)


def test_a_vocabulary_smaller_than_the_sample_is_taken_whole() -> None:
    places, log_weight = sampled(np.zeros(3), 1, 10, 20, np.random.default_rng(0))
    assert sorted(places.tolist()) == [0, 1, 2]
    assert not log_weight.any()
