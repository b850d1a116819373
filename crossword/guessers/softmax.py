"""The merger's two softmaxes over all answers, mixed in one compiled pass over each clue's scores.

Log and exponential are polynomials in single precision, so that they run in vectors; sums are in
double, each taken by one thread in one order.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from crossword.guessers.selection import ordered

# Sums may be taken in another order, so that they run in vectors; each always in the same one.
REORDERED = {"reassoc", "contract", "nsz"}
# Columns of what is told of a clue: weights of the answers' priors, what its second softmax scales
# the cosines by, logs of the shares of both, the logits of "none of these" in both.
SEEN, RECENT, NEW, NEWNESS, DOUBT_SCALE, SURE, DOUBT, UNKNOWN, DOUBT_UNKNOWN = range(9)
COLUMNS = 9
LOG_ZERO = np.float32(-60.0)  # that of `patterns`

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@numba.njit(inline="always")
def exp(x: np.float32) -> np.float32:
    """e^x of what is at most 0, to the last bit or two (Cephes' expf); 2e-38 below -87."""
    x = max(x, np.float32(-87.0))
    whole = np.floor(x * np.float32(1.44269504088896341) + np.float32(0.5))
    x = x - whole * np.float32(0.693359375)
    x = x + whole * np.float32(2.12194440e-4)
    y = np.float32(1.9875691500e-4)
    y = y * x + np.float32(1.3981999507e-3)
    y = y * x + np.float32(8.3334519073e-3)
    y = y * x + np.float32(4.1665795894e-2)
    y = y * x + np.float32(1.6666665459e-1)
    y = y * x + np.float32(5.0000001201e-1)
    y = y * x * x + x + np.float32(1.0)
    power = (np.int32(whole) + np.int32(127)) << np.int32(23)
    return y * np.int32(power).view(np.float32)


@numba.njit(inline="always")
def _log_one_more(y: np.float32) -> np.float32:
    """log(1 + y) of what is from 0 to 1: twice the artanh of y / (2 + y), as a series."""
    s = y / (np.float32(2.0) + y)
    square = s * s
    total = np.float32(1 / 13)
    total = total * square + np.float32(1 / 11)
    total = total * square + np.float32(1 / 9)
    total = total * square + np.float32(1 / 7)
    total = total * square + np.float32(1 / 5)
    total = total * square + np.float32(1 / 3)
    total = total * square + np.float32(1.0)
    return np.float32(2.0) * s * total


@numba.njit(cache=True, nogil=True)
def _highest(values: F32) -> np.float32:
    """The highest value, by their bits: of integers that runs in vectors, of floats it doesn't."""
    bits = values.view(np.int32)
    top = ordered(np.float32(-np.inf).view(np.int32))
    for i in range(len(bits)):
        top = max(top, ordered(bits[i]))
    found: np.float32 = np.int32(ordered(np.int32(top))).view(np.float32)
    return found


@numba.njit(cache=True, nogil=True, fastmath=REORDERED)
def _log_total(logits: F32, unknown: float) -> float:
    """The log of the sum of the exponentials."""
    top: np.float32 = max(np.float32(unknown), _highest(logits))
    total = np.exp(unknown - top)
    for i in range(len(logits)):
        total += np.float64(exp(logits[i] - top))
    return float(np.float64(top) + np.log(total))


@numba.njit(cache=True, nogil=True)
def _at(place: int, seen_places: I32, new_places: I32) -> int:
    """Where an answer stands among the seen ones and, after them, the new ones."""
    at = np.searchsorted(seen_places, place)
    if at < len(seen_places) and seen_places[at] == place:
        return int(at)
    return int(len(seen_places) + np.searchsorted(new_places, place))


# numpy's way with a division by zero, that is none: a branch would keep the loop from vectors.
@numba.njit(cache=True, nogil=True, fastmath=REORDERED, error_model="numpy")
def join_one(
    seen: F32, new: F32, seen_places: I32, new_places: I32,
    log_count: F32, log_recent: F32, log_prior: F32,
    told: F64, barred: I64, places: I64, gains: F32, out: F32,
) -> float:  # fmt: skip
    """Log-probabilities of a clue's answers by their places, and that of "none of these" (given).

    `seen` and `new` are the weighted cosines; `barred` has places of answers that are ruled out,
    `places` and `gains` those that the clue's history speaks for.
    """
    split = len(seen)
    sure = np.empty(split + len(new), np.float32)
    doubt = np.empty_like(sure)
    one, two, scale = (
        np.float32(told[SEEN]),
        np.float32(told[RECENT]),
        np.float32(told[DOUBT_SCALE]),
    )
    for i in range(split):
        prior = one * log_count[i] + two * log_recent[i]
        sure[i] = seen[i] + prior
        doubt[i] = scale * seen[i] + prior
    one, two = np.float32(told[NEW]), np.float32(told[NEWNESS])
    for i in range(len(new)):
        prior = one * log_prior[i] + two
        sure[split + i] = new[i] + prior
        doubt[split + i] = scale * new[i] + prior
    for place in barred:
        i = _at(place, seen_places, new_places)
        cosine = seen[i] if i < split else new[i - split]
        sure[i] = cosine + LOG_ZERO
        doubt[i] = scale * cosine + LOG_ZERO
    for k in range(len(places)):
        sure[_at(places[k], seen_places, new_places)] += gains[k]
    total = _log_total(sure, told[UNKNOWN]) - told[SURE]
    unknown = told[UNKNOWN] - total
    less = np.float32(total)
    if told[DOUBT] > LOG_ZERO:
        total = _log_total(doubt, told[DOUBT_UNKNOWN]) - told[DOUBT]
        unknown = np.logaddexp(unknown, told[DOUBT_UNKNOWN] - total)
        other = np.float32(total)
        for i in range(len(sure)):
            first, second = sure[i] - less, doubt[i] - other
            gap = max(first, second) - min(first, second)
            sure[i] = max(first, second) + _log_one_more(exp(-gap))
    else:
        for i in range(len(sure)):
            sure[i] -= less
    for i in range(split):
        out[seen_places[i]] = sure[i]
    for i in range(len(new)):
        out[new_places[i]] = sure[split + i]
    return float(unknown)


@numba.njit(parallel=True, cache=True, nogil=True)
def join_all(
    seen: F32, new: F32, seen_places: I32, new_places: I32,
    log_count: F32, log_recent: F32, log_prior: F32,
    told: F64, barred: I64, barred_ends: I64, places: I64, gains: F32, ends: I64,
    out: F32, begins: I64, unknown: F64,
) -> None:  # fmt: skip
    """`join_one` of the clues of a length in parallel, each into its own part of `out`."""
    size = len(seen_places) + len(new_places)
    for i in numba.prange(len(told)):
        unknown[i] = join_one(
            seen[i], new[i], seen_places, new_places, log_count, log_recent, log_prior, told[i],
            barred[barred_ends[i] : barred_ends[i + 1]], places[ends[i] : ends[i + 1]],
            gains[ends[i] : ends[i + 1]], out[begins[i] : begins[i] + size],
        )  # fmt: skip
