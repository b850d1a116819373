"""Scores straight from codes are the inner products with the decoded vectors."""

from __future__ import annotations

import numpy as np
import pytest

from crossword.guessers.quantiser import Codes


@pytest.mark.parametrize("size", [2, 3, 4, 8])
@pytest.mark.parametrize("queries", [1, 3, 4, 9, 40])
def test_scores_are_inner_products_of_decoded_vectors(size: int, queries: int) -> None:
    """By tables or by decoding, and whatever is left over after groups of four."""
    random = np.random.default_rng(0)
    codes = Codes(
        random.integers(0, 256, (1500, 8), dtype=np.uint8),
        random.standard_normal((8, 256, size)).astype(np.float32),
    )
    vectors = random.standard_normal((queries, 8 * size)).astype(np.float32)
    found = codes.score(vectors, 100, 1399)
    assert np.allclose(found, vectors @ codes.decode(np.arange(100, 1399)).T, atol=1e-3)


@pytest.mark.parametrize("size", [2, 8])
@pytest.mark.parametrize("queries", [1, 3, 4, 37])
def test_the_nearest_rows_are_those_of_sorting(size: int, queries: int) -> None:
    random = np.random.default_rng(1)
    codes = Codes(
        random.integers(0, 256, (21_000, 4), dtype=np.uint8),
        random.standard_normal((4, 256, size)).astype(np.float32),
    )
    vectors = random.standard_normal((queries, 4 * size)).astype(np.float32)
    begin, end, count = 17, 20_980, 50
    scores = vectors @ codes.decode(np.arange(begin, end)).T
    for (near, rows), own in zip(codes.nearest(vectors, begin, end, count), scores, strict=True):
        assert (np.diff(rows) > 0).all()
        assert np.allclose(near, own[rows], atol=1e-4)
        assert np.allclose(np.sort(near), np.sort(own)[-count:], atol=1e-4)


def test_the_nearest_rows_are_found_though_a_sample_misleads() -> None:
    """Each eighth row, and so the whole sample, is nearer than any other; and many are alike."""
    letters = np.zeros((16_384, 1), dtype=np.uint8)
    letters[::8] = 1
    centroids = np.zeros((1, 256, 4), dtype=np.float32)
    centroids[0, 1] = 1.0
    codes = Codes(letters, centroids)
    for near, rows in codes.nearest(np.ones((5, 4), np.float32), 0, 16_384, 2_100):
        assert (near == 4.0).sum() == 2048
        assert (near == 0.0).sum() == 52
        assert len(set(rows.tolist())) == 2_100


def test_fewer_rows_than_asked_for_are_all_near() -> None:
    codes = Codes(np.zeros((3, 2), np.uint8), np.ones((2, 256, 4), np.float32))
    for near, rows in codes.nearest(np.ones((5, 8), np.float32), 0, 3, 4):
        assert rows.tolist() == [0, 1, 2]
        assert near.tolist() == [8.0] * 3


def test_an_empty_range_gives_no_scores() -> None:
    codes = Codes(np.zeros((0, 2), dtype=np.uint8), np.zeros((2, 256, 3), dtype=np.float32))
    assert codes.score(np.ones((2, 6), dtype=np.float32), 0, 0).shape == (2, 0)
