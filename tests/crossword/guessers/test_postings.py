"""Products of sparse vectors are those of their matrices."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from crossword.guessers.postings import nearest, postings, products


def test_the_nearest_rows_and_their_products_are_those_of_the_matrices() -> None:
    random = np.random.default_rng(0)
    rows = random.random((500, 40)).astype(np.float32) * (random.random((500, 40)) < 0.1)
    queries = random.random((11, 40)).astype(np.float32) * (random.random((11, 40)) < 0.2)
    queries[3] = 0.0
    wanted = queries @ rows.T
    asked = postings(sparse.csr_array(queries.astype(np.float32)))
    stored = postings(sparse.csr_array(rows.T.astype(np.float32)))
    places, values = np.empty((11, 60), np.int64), np.empty((11, 60), np.float32)
    counts = np.empty(11, np.int64)
    nearest(asked, stored, 500, places, values, counts)
    for query, count in enumerate(counts):
        assert count == min(60, (wanted[query] > 0).sum())
        found = wanted[query, places[query, :count]]
        assert np.allclose(values[query, :count], found, atol=1e-6)
        assert np.allclose(np.sort(found), np.sort(wanted[query])[500 - count :], atol=1e-6)
    ends = np.arange(0, 34, 3)
    some = random.integers(0, 500, ends[-1])
    found = products(asked, stored, 500, some, ends)
    assert np.allclose(found, wanted[np.repeat(np.arange(11), 3), some], atol=1e-6)
