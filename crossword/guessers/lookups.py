"""Scores of many queries at once from tables of products, sixteen queries side by side.

A coded vector's product with a query is a sum of one table entry a piece (`quantiser`). The entries
of sixteen queries for the same centroid stand together, so that one addition of vectors serves them
all: with eight numbers a piece that is an eighth of multiplying, and nothing is decoded. A sum is
taken in the order of the pieces, by one thread.
"""

from __future__ import annotations

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from crossword.guessers.packing import packed
from crossword.guessers.selection import level_of, rank_of, sample_for

LANES = 16  # queries side by side: as many numbers as the widest vectors hold
BLOCK = 2048  # rows that a thread takes at a time; arbitrary
SIFTED = 8192  # rows likewise, where few are kept: more of them in fewer places
TURNED = 128  # rows whose scores are put from side by side to one after another; a divisor of it

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]


def tables(vectors: F32, centroids: F32) -> F32:
    """(group, piece, centroid, query): products, with queries of nothing to fill the last group."""
    pieces, _, size = centroids.shape
    filled = np.zeros((-(-len(vectors) // LANES) * LANES, pieces * size), np.float32)
    filled[: len(vectors)] = vectors
    parts = filled.reshape(-1, LANES, pieces, size).transpose(0, 2, 3, 1)
    found: F32 = np.matmul(centroids, np.ascontiguousarray(parts))
    return found


@numba.njit(inline="always")
def _sum_row(codes: U8, table: F32, out: F32) -> None:
    """One row's scores for the queries of a group; written out, since only so they are packed."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = np.float32(0.0)
    s8 = s9 = s10 = s11 = s12 = s13 = s14 = s15 = np.float32(0.0)
    for m in range(len(codes)):
        entry = table[m, codes[m]]
        s0, s1, s2, s3 = (
            s0 + entry[0], s1 + entry[1], s2 + entry[2], s3 + entry[3]
        )  # fmt: skip
        s4, s5, s6, s7 = (
            s4 + entry[4], s5 + entry[5], s6 + entry[6], s7 + entry[7]
        )  # fmt: skip
        s8, s9, s10, s11 = (
            s8 + entry[8], s9 + entry[9], s10 + entry[10], s11 + entry[11]
        )  # fmt: skip
        s12, s13, s14, s15 = (
            s12 + entry[12], s13 + entry[13], s14 + entry[14], s15 + entry[15]
        )  # fmt: skip
    out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7] = s0, s1, s2, s3, s4, s5, s6, s7
    out[8], out[9], out[10], out[11], out[12] = s8, s9, s10, s11, s12
    out[13], out[14], out[15] = s13, s14, s15


@numba.njit(inline="always")
def _any_reaches(row: F32, levels: F32) -> bool:
    return bool(
        (row[0] >= levels[0]) | (row[1] >= levels[1]) | (row[2] >= levels[2])
        | (row[3] >= levels[3]) | (row[4] >= levels[4]) | (row[5] >= levels[5])
        | (row[6] >= levels[6]) | (row[7] >= levels[7]) | (row[8] >= levels[8])
        | (row[9] >= levels[9]) | (row[10] >= levels[10]) | (row[11] >= levels[11])
        | (row[12] >= levels[12]) | (row[13] >= levels[13]) | (row[14] >= levels[14])
        | (row[15] >= levels[15])
    )  # fmt: skip


# Read-only, as codes in shared memory are.
_CODES = types.Array(types.uint8, 2, "C", readonly=True)
_TABLE, _LEVELS, _SCORES = types.float32[:, :, ::1], types.float32[::1], types.float32[:, ::1]
_SIFTED_PLACES, _SIFTED_SCORES = types.int32[:, :, ::1], types.float32[:, :, ::1]
_COUNTS = types.int32[:, ::1]


@packed(types.void(_CODES, _TABLE, _SCORES))
def add_up(codes: U8, table: F32, out: F32) -> None:
    """`out[q, i]`: the score of row i for query q of one group; blocks of rows in parallel."""
    count, queries = len(codes), len(out)
    for block in numba.prange((count + BLOCK - 1) // BLOCK):
        rows = np.empty((TURNED, LANES), np.float32)
        for begin in range(block * BLOCK, min(count, (block + 1) * BLOCK), TURNED):
            size = min(TURNED, count - begin)
            for i in range(size):
                _sum_row(codes[begin + i], table, rows[i])
            whole = size - size % 4
            for q in range(queries):
                to = out[q, begin : begin + size]
                for i in range(0, whole, 4):
                    a, b, c, d = rows[i, q], rows[i + 1, q], rows[i + 2, q], rows[i + 3, q]
                    to[i], to[i + 1], to[i + 2], to[i + 3] = a, b, c, d
                for i in range(whole, size):
                    to[i] = rows[i, q]


@packed(types.void(_CODES, _TABLE, _LEVELS, _SIFTED_PLACES, _SIFTED_SCORES, _COUNTS))
def sift(codes: U8, table: F32, levels: F32, places: I32, scores: F32, counts: I32) -> None:
    """Of one group, only what reaches each query's level: where it is, and its score.

    `places[b, q, : counts[b, q]]` are those of a block's rows, in their order.
    """
    for block in numba.prange(len(counts)):
        found = np.zeros(LANES, np.int32)
        row = np.empty(LANES, np.float32)
        for i in range(block * SIFTED, min(len(codes), (block + 1) * SIFTED)):
            _sum_row(codes[i], table, row)
            if _any_reaches(row, levels):
                for q in range(LANES):
                    if row[q] >= levels[q]:
                        places[block, q, found[q]] = i
                        scores[block, q, found[q]] = row[q]
                        found[q] += 1
        counts[block] = found


@numba.njit(cache=True, nogil=True)
def _choose(places: I32, scores: F32, counts: I32, out_places: I64, out_scores: F32) -> None:
    """The highest scores that were sifted for each query, in the order of their places.

    As many as there is room for; of equal ones the first.
    """
    queries, wanted = out_places.shape
    for q in range(queries):
        every = np.empty(counts[:, q].sum(), np.float32)
        at = 0
        for block in range(len(counts)):
            for i in range(counts[block, q]):
                every[at] = scores[block, q, i]
                at += 1
        level, equal = rank_of(every, wanted)
        at = 0
        for block in range(len(counts)):
            for i in range(counts[block, q]):
                score = scores[block, q, i]
                if score > level or (score == level and equal > 0):
                    equal -= score == level
                    out_places[q, at], out_scores[q, at] = places[block, q, i], score
                    at += 1


def nearest(codes: U8, centroids: F32, vectors: F32, count: int) -> list[tuple[F32, I64]]:
    """The highest scores for each vector, and their rows in order; there must be enough rows.

    Most scores are forgotten as soon as they are known: as in `selection.highest`, a sample tells
    a level that enough of them reach.
    """
    step, rank = sample_for(len(codes), count)
    some = np.ascontiguousarray(codes[::step])
    some.flags.writeable = False
    sampled = np.empty((LANES, len(some)), np.float32)
    room = -(-len(codes) // SIFTED), LANES
    places = np.empty((*room, SIFTED), np.int32)  # of which hardly any is ever touched
    scores = np.empty((*room, SIFTED), np.float32)
    counts = np.empty(room, np.int32)
    found_places = np.empty((len(vectors), count), np.int64)
    found_scores = np.empty((len(vectors), count), np.float32)
    for group, table in enumerate(tables(vectors, centroids)):
        here = slice(group * LANES, min((group + 1) * LANES, len(vectors)))
        queries = here.stop - here.start
        add_up(some, table, sampled)
        levels = np.full(LANES, np.inf, np.float32)
        levels[:queries] = [level_of(one, rank + 1) for one in sampled[:queries]]
        sift(codes, table, levels, places, scores, counts)
        lacking = counts.sum(axis=0)[:queries] < count
        if lacking.any():  # a sample that was not like the rest
            levels[:queries][lacking] = -np.inf
            sift(codes, table, levels, places, scores, counts)
        _choose(places, scores, counts, found_places[here], found_scores[here])
    return list(zip(found_scores, found_places, strict=True))
