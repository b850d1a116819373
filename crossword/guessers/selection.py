"""The highest of many numbers, in one compiled pass over them.

A sample tells a level that more than enough are above; a stretch of numbers that has none such is
passed over at the speed of vectors, and only those above are sorted out. Levels are found by
halving: to count what is above one needs no branch, of which a processor would guess half wrong.
"""

from __future__ import annotations

from typing import Any

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


@numba.njit(inline="always")
def ordered(bits: np.int32) -> np.int32:
    """The bits of a float as an integer that is the greater the greater the float; and back."""
    return bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF))


@numba.njit(cache=True, nogil=True)
def level_of(values: F32, count: int) -> np.float32:
    """The lowest of the `count` highest."""
    bits = values.view(np.int32)
    keys = np.empty(len(bits), np.int32)
    for i in range(len(bits)):
        keys[i] = ordered(bits[i])
    low, high = -(2**31), 2**31 - 1
    while low < high:
        middle = (low + high + 1) >> 1
        level, hits = np.int32(middle), np.int32(0)
        for i in range(len(keys)):
            hits += np.int32(keys[i] >= level)
        if hits >= count:
            low = middle
        else:
            high = middle - 1
    found: np.float32 = np.int32(ordered(np.int32(low))).view(np.float32)
    return found


@numba.njit(cache=True, nogil=True)
def rank_of(values: F32, count: int) -> tuple[np.float32, int]:
    """The lowest of the `count` highest, and how many of those that equal it belong to them."""
    level = level_of(values, count)
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
    lowest: Any = np.float32(least)  # in single precision, as all else, or it is slower
    level: Any = max(level_of(values[::step].copy(), rank + 1), lowest)
    found = np.empty(len(values), np.int64)  # of which hardly any is ever touched
    above = _reaching(values, level, found)
    if above < count:  # the sample was not like the rest, or there are no more
        above = _reaching(values, lowest, found)
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
