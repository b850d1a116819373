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


def test_an_empty_range_gives_no_scores() -> None:
    codes = Codes(np.zeros((0, 2), dtype=np.uint8), np.zeros((2, 256, 3), dtype=np.float32))
    assert codes.score(np.ones((2, 6), dtype=np.float32), 0, 0).shape == (2, 0)
