"""Sums of embedding rows and their updates, compiled: what torch's EmbeddingBag is for.

Torch's own sparse gradients sort and copy every occurrence of every feature in each step; here an
update walks each row's occurrences once and applies row-wise Adagrad in place, which made a step
of the encoder several times faster on two cores (docs/models.md). Every row is written by one
thread in a fixed order, so results do not depend on the number of threads.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from numpy.typing import NDArray

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
F32 = NDArray[np.float32]


@numba.njit(parallel=True, fastmath=True, cache=True)
def pool(starts: I64, rows: I32, table: F32, out: F32) -> None:
    """out[i] = the sum of the table's rows `rows[starts[i]:starts[i+1]]`."""
    for i in numba.prange(len(starts) - 1):
        out[i, :] = 0
        for j in range(starts[i], starts[i + 1]):
            row = rows[j]
            for k in range(table.shape[1]):
                out[i, k] += table[row, k]


@numba.njit(parallel=True, fastmath=True, cache=True)
def update(
    touched: I64, starts: I64, bags: I64, gradient: F32, table: F32, squares: F32, rate: float
) -> None:
    """Row-wise Adagrad: each touched row moves by its summed gradient over the root of `squares`.

    `bags[starts[t]:starts[t+1]]` are the bags that row `touched[t]` was summed into.
    """
    width = table.shape[1]
    for t in numba.prange(len(touched)):
        total = np.zeros(width, np.float32)
        for j in range(starts[t], starts[t + 1]):
            bag = bags[j]
            for k in range(width):
                total[k] += gradient[bag, k]
        square = np.float32(0.0)
        for k in range(width):
            square += total[k] * total[k]
        row = touched[t]
        squares[row] += square / width
        factor = np.float32(rate / math.sqrt(squares[row] + 1e-12))
        for k in range(width):
            table[row, k] -= factor * total[k]


@numba.njit(cache=True)
def select(
    starts: I64, rows: I32, chosen: I64, drop: float, own: I64, drop_own: float, seed: int
) -> tuple[I64, I32]:
    """The bags of the chosen items, features dropped at random.

    `own[i]` is the row that stands for item i as a whole (-1: none), which is dropped at a rate
    of its own, so that what lies under it learns to do without.
    """
    np.random.seed(seed)
    size = 0
    for item in chosen:
        size += starts[item + 1] - starts[item]
    out_starts = np.empty(len(chosen) + 1, np.int64)
    out_rows = np.empty(size, np.int32)
    out_starts[0] = 0
    at = 0
    for i in range(len(chosen)):
        item = chosen[i]
        lose_own = len(own) > 0 and own[item] >= 0 and np.random.random() < drop_own
        for j in range(starts[item], starts[item + 1]):
            if lose_own and rows[j] == own[item]:
                continue
            if drop > 0.0 and np.random.random() < drop:
                continue
            out_rows[at] = rows[j]
            at += 1
        out_starts[i + 1] = at
    return out_starts, out_rows[:at]


@numba.njit(cache=True)
def transpose(starts: I64, rows: I32) -> tuple[I64, I64, I64]:
    """From bags of rows to rows with their bags: (touched, starts, bags), as `update` takes."""
    order = np.argsort(rows, kind="mergesort")
    bag_of = np.empty(len(rows), np.int64)
    for i in range(len(starts) - 1):
        for j in range(starts[i], starts[i + 1]):
            bag_of[j] = i
    count = 0
    for t in range(len(order)):
        if t == 0 or rows[order[t]] != rows[order[t - 1]]:
            count += 1
    touched = np.empty(count, np.int64)
    begins = np.empty(count + 1, np.int64)
    bags = np.empty(len(rows), np.int64)
    count = 0
    for t in range(len(order)):
        if t == 0 or rows[order[t]] != rows[order[t - 1]]:
            touched[count] = rows[order[t]]
            begins[count] = t
            count += 1
        bags[t] = bag_of[order[t]]
    begins[count] = len(order)
    return touched, begins, bags
