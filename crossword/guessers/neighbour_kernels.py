"""From the nearest clues of a query to its candidates' numbers, compiled: a query at a time.

What the numbers mean, `neighbours` tells; this is its arithmetic, in one pass over the clues, where
numpy would sort all pairs of query and answer to bring those together that are alike.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

EXACT = 0.999  # a cosine over this is the same clue, rounding aside
CONFIDENT = 5  # nearest clues make up the confidence, as in the first experiments
KERNELS = (6.0, 12.0)

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@numba.njit(cache=True, nogil=True)
def _one(
    near: F32, rows: I64, others: I64, row_answers: I64, row_counts: F32, log_frequency: F32,
    slots: I32, positions: I64, features: F32, joined: F32,
) -> int:  # fmt: skip
    """The candidates of a query, written to the last three; how many they are.

    `slots` has -1 for each answer, and is left so.
    """
    count = 0
    for answers in (row_answers[rows], others):
        for answer in answers:
            if slots[answer] < 0:
                slots[answer] = 0
                positions[count] = answer
                count += 1
    positions[:count].sort()
    for i in range(count):
        slots[positions[i]] = i
    highest, floor = np.zeros(count), 0.0
    same, doubt = np.zeros(count), np.zeros(count)
    sums = np.zeros((count, len(KERNELS)))
    if len(near):
        floor = np.float64(near.min())  # stands in for neighbours that were not taken
    for i in range(len(near)):
        at, cosine, times = slots[row_answers[rows[i]]], np.float64(near[i]), row_counts[rows[i]]
        highest[at] = max(highest[at], cosine)
        if cosine > EXACT:
            same[at] += times
        for k in range(len(KERNELS)):
            sums[at, k] += times * np.exp(KERNELS[k] * (cosine - 1))
    # 1 − ∏(1 − c) over different clues: one that came n times is not n witnesses. Counted n times,
    # the first guesses with 0.9 and more were right in 79 % of cases; counted once, in 100 %.
    taken = np.zeros(len(near), np.bool_)
    for _ in range(min(CONFIDENT, len(near))):
        best = -1
        for i in range(len(near)):
            if not taken[i] and (best < 0 or near[i] > near[best]):
                best = i
        taken[best] = True
        distance = np.sqrt(max(2 - 2 * np.float64(near[best]), 0.0))
        doubt[slots[row_answers[rows[best]]]] += np.log1p(-0.5 * np.exp(-distance))
    all_same = max(same.sum(), 1.0)
    for i in range(count):
        features[i, 0], features[i, 1] = highest[i], highest[i] ** 4
        for k in range(len(KERNELS)):
            features[i, 2 + k] = np.log(sums[i, k] + 0.3 * np.exp(KERNELS[k] * (floor - 1)))
        features[i, 4], features[i, 5] = log_frequency[positions[i]], highest[i] > EXACT
        # Of the times that this very clue was seen, how often with this answer: recall at 1 on
        # 2,500 clues of 2022 is 0.502 with it, 0.492 without.
        features[i, 6] = same[i] / all_same
        joined[i] = -np.expm1(doubt[i])
        slots[positions[i]] = -1
    return count


@numba.njit(cache=True, nogil=True)
def gather_all(
    near: F32, rows: I64, ends: I64, others: I64, other_ends: I64, row_answers: I64,
    row_counts: F32, log_frequency: F32, positions: I64, features: F32, joined: F32,
) -> I64:  # fmt: skip
    """The candidates of all queries, one query after another; where each query's end."""
    slots = np.full(len(log_frequency), -1, np.int32)
    found = np.zeros(len(ends), np.int64)
    for q in range(len(ends) - 1):
        at = found[q]
        found[q + 1] = at + _one(
            near[ends[q] : ends[q + 1]], rows[ends[q] : ends[q + 1]],
            others[other_ends[q] : other_ends[q + 1]], row_answers, row_counts, log_frequency,
            slots, positions[at:], features[at:], joined[at:],
        )  # fmt: skip
    return found
