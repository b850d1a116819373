"""Cosines of sparse vectors from an inverted index: for each term, the rows that have it.

The rows that share a term with a query are all that is looked at; their sums are kept in one array
as long as there are rows, which stays in the cache and is searched for the highest at one go.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from crossword.guessers.selection import highest

LEAST = 1e-9  # a product that is less is nothing: the rows share no term
AT_ONCE = 8  # queries that a thread takes at a time, in one array; arbitrary

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


class Postings(NamedTuple):
    """Of term t the rows, and what it weighs there, from `starts[t]` to `starts[t + 1]`.

    Of a query, the other way round, its terms.
    """

    starts: I32
    places: I32
    weights: F32


def postings(matrix: sparse.csr_array) -> Postings:
    """Of the rows of a matrix."""
    starts, places = (one.astype(np.int32) for one in (matrix.indptr, matrix.indices))
    return Postings(starts, places, matrix.data.astype(np.float32))


@numba.njit(cache=True, nogil=True)
def _add_up(queries: Postings, query: int, rows: Postings, sums: F32) -> None:
    """A query's products with all rows."""
    sums[:] = np.float32(0.0)
    for k in range(queries.starts[query], queries.starts[query + 1]):
        term, weight = queries.places[k], queries.weights[k]
        for i in range(rows.starts[term], rows.starts[term + 1]):
            sums[rows.places[i]] += weight * rows.weights[i]


@numba.njit(cache=True, nogil=True)
def products(queries: Postings, rows: Postings, size: int, places: I64, ends: I64) -> F32:
    """Each query's products with rows of its own, `places[ends[q] : ends[q + 1]]` of so many."""
    sums, found = np.empty(size, np.float32), np.empty(len(places), np.float32)
    for query in range(len(ends) - 1):
        _add_up(queries, query, rows, sums)
        for i in range(ends[query], ends[query + 1]):
            found[i] = sums[places[i]]
    return found


@numba.njit(parallel=True, cache=True, nogil=True)
def nearest(
    queries: Postings, rows: Postings, size: int, places: I64, values: F32, counts: I64
) -> None:
    """The highest products of each query with so many rows, but for those that are nothing."""
    number, wanted = places.shape
    for chunk in numba.prange((number + AT_ONCE - 1) // AT_ONCE):
        sums = np.empty(size, np.float32)
        for query in range(chunk * AT_ONCE, min(number, (chunk + 1) * AT_ONCE)):
            _add_up(queries, query, rows, sums)
            best = highest(sums, wanted, LEAST)
            counts[query] = len(best)
            for i in range(len(best)):
                places[query, i], values[query, i] = best[i], sums[best[i]]
