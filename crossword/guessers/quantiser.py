"""Vectors as product-quantised codes (Jégou, Douze & Schmid 2011), and scores straight from them.

A vector is cut into pieces, each replaced by the number of the nearest of 256 centroids; FAISS
learns them in training. A query's inner products with all centroids make a table, and a score is
the sum of one table entry a piece; for many queries at once tables stand side by side (`lookups`),
or, where pieces are short, rows are decoded. In any case a million answers need little memory, and
a score is summed by one thread in a fixed order, so that it does not depend on their number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from crossword.guessers import lookups
from crossword.guessers.lookups import LANES
from crossword.guessers.selection import highest

LONG = 4  # numbers of a piece from which on an addition of table entries beats multiplying them
FEW = LANES // 4  # queries, at least, for which it is worth to add for a whole group
TABLES = 1  # up to this many table entries a number of the vector; where the two ways meet here
BLOCK = 512  # rows that a thread takes at a time; arbitrary
AT_ONCE = 4  # rows, and queries, that are multiplied together: their sums stay in registers
# Sums of products may be taken in another order, so that they run in vectors; each is still
# always taken in the same one.
_REORDERED = {"reassoc", "contract", "nsz"}

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Codes:
    """`codes[i, m]` is the centroid of piece m of vector i; `centroids[m, c]` is its piece."""

    codes: NDArray[np.uint8]
    centroids: NDArray[np.float32]

    def __len__(self) -> int:
        return int(self.codes.shape[0])

    @property
    def width(self) -> int:
        return int(self.centroids.shape[0] * self.centroids.shape[2])

    def decode(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        pieces = np.arange(self.codes.shape[1])
        return self.centroids[pieces, self.codes[rows]].reshape(len(rows), self.width)

    def total(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The sum of some rows' vectors, added in their order."""
        out = np.zeros(self.width, dtype=np.float32)
        _add_rows(self.codes, self.centroids, rows, out)
        return out

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        """The codes nearest to vectors; a few at a time, for it is plain numpy."""
        pieces, _, size = self.centroids.shape
        parts = vectors.reshape(len(vectors), pieces, 1, size)
        found = np.empty((len(vectors), pieces), dtype=np.uint8)
        for i, part in enumerate(parts):
            found[i] = ((self.centroids - part) ** 2).sum(axis=2).argmin(axis=1)
        return found

    def score(self, vectors: NDArray[np.float32], begin: int, end: int) -> NDArray[np.float32]:
        """Inner products of vectors with the coded rows `begin:end`.

        Table entries are added up for one query or for sixteen side by side. Where pieces are so
        short that this saves nothing, a few rows are decoded and multiplied with all queries before
        the next: no block of numbers leaves the cache, which BLAS would first copy into an order of
        its own.
        """
        out = np.empty((len(vectors), end - begin), dtype=np.float32)
        codes = self._rows(begin, end)
        pieces, _, size = self.centroids.shape
        if self._side_by_side(vectors):
            for at, table in enumerate(lookups.tables(vectors, self.centroids)):
                lookups.add_up(codes, table, out[at * LANES : (at + 1) * LANES])
        elif len(vectors) * pieces <= TABLES * self.width:
            parts = vectors.reshape(len(vectors), pieces, size, 1)
            tables = np.ascontiguousarray(np.matmul(self.centroids, parts)[..., 0])
            # One query takes a millisecond, less than a busy machine may take to wake a thread.
            if len(vectors) == 1:
                _sum_some(codes, tables[0], out[0])
            else:
                _sum_tables(codes, tables, out)
        else:
            _multiply(codes, self.centroids, np.ascontiguousarray(vectors), out)
        return out

    def nearest(
        self, vectors: NDArray[np.float32], begin: int, end: int, count: int
    ) -> list[tuple[NDArray[np.float32], NDArray[np.int64]]]:
        """The highest scores with the rows `begin:end` for each vector, and which of them it is."""
        if self._side_by_side(vectors) and end - begin > count:
            return lookups.nearest(self._rows(begin, end), self.centroids, vectors, count)
        near = self.score(vectors, begin, end)
        return [(one[at], at) for one, at in ((one, highest(one, count)) for one in near)]

    def _rows(self, begin: int, end: int) -> NDArray[np.uint8]:
        codes = self.codes[begin:end]
        codes.flags.writeable = False  # so that codes in shared memory need no kernel of their own
        return codes

    def _side_by_side(self, vectors: NDArray[np.float32]) -> bool:
        return self.centroids.shape[2] >= LONG and len(vectors) >= FEW


@numba.njit(cache=True, nogil=True)
def _sum_some(codes: U8, table: F32, out: F32) -> None:
    """One query's scores; four rows at once, whose sums need not wait for each other."""
    count, pieces = codes.shape
    whole = count - count % AT_ONCE
    for i in range(0, whole, AT_ONCE):
        s0 = s1 = s2 = s3 = np.float32(0.0)
        for m in range(pieces):
            s0 += table[m, codes[i, m]]
            s1 += table[m, codes[i + 1, m]]
            s2 += table[m, codes[i + 2, m]]
            s3 += table[m, codes[i + 3, m]]
        out[i], out[i + 1], out[i + 2], out[i + 3] = s0, s1, s2, s3
    for i in range(whole, count):
        total = np.float32(0.0)
        for m in range(pieces):
            total += table[m, codes[i, m]]
        out[i] = total


@numba.njit(parallel=True, cache=True, nogil=True)
def _sum_tables(codes: U8, tables: F32, out: F32) -> None:
    """Blocks of rows in parallel."""
    count = len(codes)
    for b in numba.prange((count + BLOCK - 1) // BLOCK):
        begin, end = b * BLOCK, min((b + 1) * BLOCK, count)
        for q in range(tables.shape[0]):
            _sum_some(codes[begin:end], tables[q], out[q, begin:end])


@numba.njit(cache=True, nogil=True)
def _add_rows(codes: U8, centroids: F32, rows: I64, out: F32) -> None:
    pieces, _, size = centroids.shape
    for row in rows:
        for m in range(pieces):
            own = centroids[m, codes[row, m]]
            for k in range(size):
                out[m * size + k] += own[k]


@numba.njit(inline="always")
def _decode_row(codes: U8, centroids: F32, out: F32) -> None:
    pieces, _, size = centroids.shape
    # The usual sizes: all numbers of a piece are read before any is written, so that they are
    # copied at one go.
    if size == 2:
        for m in range(pieces):
            own = centroids[m, codes[m]]
            c0, c1 = own[0], own[1]
            out[2 * m], out[2 * m + 1] = c0, c1
    elif size == 8:
        for m in range(pieces):
            own, to = centroids[m, codes[m]], out[8 * m : 8 * m + 8]
            c0, c1, c2, c3, c4, c5, c6, c7 = (
                own[0], own[1], own[2], own[3], own[4], own[5], own[6], own[7]
            )  # fmt: skip
            to[0], to[1], to[2], to[3] = c0, c1, c2, c3
            to[4], to[5], to[6], to[7] = c4, c5, c6, c7
    else:
        for m in range(pieces):
            for k in range(size):
                out[m * size + k] = centroids[m, codes[m], k]


@numba.njit(parallel=True, fastmath=_REORDERED, cache=True, nogil=True)
def _multiply(codes: U8, centroids: F32, vectors: F32, out: F32) -> None:
    """Blocks of rows in parallel, four rows by four queries at a time."""
    count, pieces = codes.shape
    width = pieces * centroids.shape[2]
    queries = vectors.shape[0]
    for b in numba.prange((count + BLOCK - 1) // BLOCK):
        rows = np.zeros((AT_ONCE, width), np.float32)
        sums = np.empty((AT_ONCE, AT_ONCE), np.float32)
        for i in range(b * BLOCK, min((b + 1) * BLOCK, count), AT_ONCE):
            here = min(AT_ONCE, count - i)
            for r in range(here):
                _decode_row(codes[i + r], centroids, rows[r])
            for q in range(0, queries - queries % AT_ONCE, AT_ONCE):
                _sixteen(vectors[q : q + AT_ONCE], rows, sums)
                for p in range(AT_ONCE):
                    for r in range(here):
                        out[q + p, i + r] = sums[p, r]
            for q in range(queries - queries % AT_ONCE, queries):
                a = b_ = c = d = np.float32(0.0)
                for k in range(width):
                    x = vectors[q, k]
                    a += x * rows[0, k]
                    b_ += x * rows[1, k]
                    c += x * rows[2, k]
                    d += x * rows[3, k]
                sums[0, 0], sums[0, 1], sums[0, 2], sums[0, 3] = a, b_, c, d
                for r in range(here):
                    out[q, i + r] = sums[0, r]


@numba.njit(inline="always")
def _sixteen(x: F32, y: F32, sums: F32) -> None:
    """The inner products of four rows with four, each read once."""
    s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = np.float32(0.0)
    s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = np.float32(0.0)
    for k in range(x.shape[1]):
        x0, x1, x2, x3 = x[0, k], x[1, k], x[2, k], x[3, k]
        y0, y1, y2, y3 = y[0, k], y[1, k], y[2, k], y[3, k]
        s00, s01, s02, s03 = s00 + x0 * y0, s01 + x0 * y1, s02 + x0 * y2, s03 + x0 * y3
        s10, s11, s12, s13 = s10 + x1 * y0, s11 + x1 * y1, s12 + x1 * y2, s13 + x1 * y3
        s20, s21, s22, s23 = s20 + x2 * y0, s21 + x2 * y1, s22 + x2 * y2, s23 + x2 * y3
        s30, s31, s32, s33 = s30 + x3 * y0, s31 + x3 * y1, s32 + x3 * y2, s33 + x3 * y3
    sums[0, 0], sums[0, 1], sums[0, 2], sums[0, 3] = s00, s01, s02, s03
    sums[1, 0], sums[1, 1], sums[1, 2], sums[1, 3] = s10, s11, s12, s13
    sums[2, 0], sums[2, 1], sums[2, 2], sums[2, 3] = s20, s21, s22, s23
    sums[3, 0], sums[3, 1], sums[3, 2], sums[3, 3] = s30, s31, s32, s33
