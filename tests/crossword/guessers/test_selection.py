"""The highest of many numbers, whatever their order, and whatever equals them."""

from __future__ import annotations

import numpy as np
import pytest

from crossword.guessers.selection import highest, level_of, rank_of


@pytest.mark.parametrize("size", [1, 63, 64, 400, 5_000, 50_001])
@pytest.mark.parametrize("count", [1, 30, 400])
def test_the_highest_are_those_of_sorting(size: int, count: int) -> None:
    values = np.random.default_rng(size).standard_normal(size).astype(np.float32)
    wanted = np.sort(np.argsort(-values, kind="stable")[:count])
    assert highest(values, count).tolist() == wanted.tolist()


def test_of_equal_values_the_first_are_taken() -> None:
    values = np.array([1, 2, 1, 2, 1, 1] * 1_000, dtype=np.float32)
    found = highest(values, 2_003)
    assert (values[found] == 2).sum() == 2_000
    assert found[values[found] == 1].tolist() == [0, 2, 4]


def test_a_sample_that_misleads_does_no_harm() -> None:
    values = np.zeros(16_384, dtype=np.float32)
    values[::8] = 1.0
    assert len(highest(values, 3_000)) == 3_000
    assert len(highest(1 - values, 3_000)) == 3_000


def test_what_is_less_than_the_least_is_left_out() -> None:
    values = np.array([-1.0, 0.0, 0.5, 2.0], dtype=np.float32)
    assert highest(values, 3, 0.1).tolist() == [2, 3]
    assert highest(values, 0).tolist() == []
    assert highest(values[:0], 3).tolist() == []


@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_a_level_is_a_value(count: int) -> None:
    values = np.array([3, -1, 0, 7, -np.inf, 3, 3, -0.5, np.inf], dtype=np.float32)
    assert level_of(values, count) == np.sort(values)[-count]


def test_how_many_of_the_equal_ones_belong_to_the_highest() -> None:
    assert rank_of(np.array([5, 3, 3, 3, 1], dtype=np.float32), 3) == (3.0, 2)
