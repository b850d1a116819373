"""The highest of many numbers, in one compiled pass over them.

A sample tells a level that more than enough are above; a stretch of numbers that has none such is
passed over at the speed of vectors, and only those above are sorted out.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

SAMPLE = 2048  # numbers, about; arbitrary
STRETCH = 64

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]


@numba.njit(cache=True, nogil=True)
def sample_for(size: int, count: int) -> tuple[int, int]:
    """Which numbers to sample, each so many-th, for a level that more than `count` should reach.

    The level is the number that has so many above it in the sample.
    """
    step = max(1, size // SAMPLE)
    return step, min((size - 1) // step, 2 * count // step + 8)


@numba.njit(cache=True, nogil=True)
def rank_of(values: F32, count: int) -> tuple[float, int]:
    """The lowest of the `count` highest, and how many of those that equal it belong to them."""
    at = len(values) - count
    level = np.partition(values, at)[at]
    return level, count - (values > level).sum()


@numba.njit(cache=True, nogil=True)
def _reaching(values: F32, level: float, found: I64) -> int:
    """Writes the places of the values from a level on; how many they are."""
    count, whole = 0, len(values) - len(values) % STRETCH
    for begin in range(0, whole, STRETCH):
        some = np.int32(0)
        for i in range(begin, begin + STRETCH):
            some += np.int32(values[i] >= level)
        if some:
            for i in range(begin, begin + STRETCH):
                if values[i] >= level:
                    found[count] = i
                    count += 1
    for i in range(whole, len(values)):
        if values[i] >= level:
            found[count] = i
            count += 1
    return count


@numba.njit(cache=True, nogil=True)
def highest(values: F32, count: int, least: float = -np.inf) -> I64:
    """The places of the highest values from `least` on, in their order; of equal ones the first."""
    if len(values) == 0 or count <= 0:
        return np.empty(0, np.int64)
    step, rank = sample_for(len(values), count)
    sample = values[::step].copy()
    level = max(np.partition(sample, len(sample) - 1 - rank)[len(sample) - 1 - rank], least)
    found = np.empty(len(values), np.int64)  # of which hardly any is ever touched
    above = _reaching(values, level, found)
    if above < count:  # the sample was not like the rest, or there are no more
        above = _reaching(values, least, found)
    if above > count:
        level, equal = rank_of(values[found[:above]], count)
        above = 0
        for i in found:
            if values[i] > level or (values[i] == level and equal > 0):
                equal -= values[i] == level
                found[above] = i
                above += 1
                if above == count:
                    break
    return found[:above].copy()
