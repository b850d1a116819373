"""The tower's arithmetic, compiled: a few clues go through all layers before the next do.

Matrices stay bytes and become numbers a few rows at a time, where they are multiplied with all
tokens at hand: that is as fast as BLAS for many clues, and four times as fast for one, for which
BLAS would only wait for the matrices to come from memory. What one thread works on never leaves
its cache, and threads meet only at the end; a sum is always taken by one thread in one order.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from crossword.guessers.softmax import exp

HEAD = 32  # numbers in a head of attention, as MiniLM has them
AT_ONCE = 4  # rows, and tokens, that are multiplied together: their sums stay in registers
# Sums may be taken in another order, so that they run in vectors; each always in the same one.
REORDERED = {"reassoc", "contract", "nsz"}
_EPSILON = np.float32(1e-12)

F32 = NDArray[np.float32]
I8 = NDArray[np.int8]
I64 = NDArray[np.int64]


class Network(NamedTuple):
    """The weights. A matrix is bytes: (layer, output, input).

    Its scales are two rows a layer: what a byte is worth in each output, and what is added to that.
    Norms have weights and biases.
    """

    first_norm: F32
    asked: I8
    asked_scales: F32
    mixed: I8
    mixed_scales: F32
    mixed_norm: F32
    wide: I8
    wide_scales: F32
    narrow: I8
    narrow_scales: F32
    norm: F32
    projection: I8
    projection_scales: F32


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


@numba.njit(cache=True, nogil=True, fastmath=REORDERED)
def multiply(states: F32, matrix: I8, scales: F32, out: F32) -> None:
    """out = states · matrixᵀ, scaled and with a bias; the states are a multiple of four."""
    outputs, inputs = matrix.shape
    rows = np.zeros((AT_ONCE, inputs), np.float32)
    sums = np.empty((AT_ONCE, AT_ONCE), np.float32)
    for i in range(0, outputs, AT_ONCE):
        here = min(AT_ONCE, outputs - i)
        for r in range(here):
            for k in range(inputs):
                rows[r, k] = np.float32(matrix[i + r, k])
        for t in range(0, states.shape[0], AT_ONCE):
            _sixteen(states[t : t + AT_ONCE], rows, sums)
            for p in range(AT_ONCE):
                for r in range(here):
                    out[t + p, i + r] = sums[p, r] * scales[0, i + r] + scales[1, i + r]


@numba.njit(cache=True, nogil=True, fastmath=REORDERED)
def _normalise(states: F32, scales: F32) -> None:
    """Each row to mean nothing and variance one, then scaled; in place."""
    width = np.float32(states.shape[1])
    for i in range(states.shape[0]):
        row = states[i]
        total = np.float32(0.0)
        for k in range(len(row)):
            total += row[k]
        mean = total / width
        squares = np.float32(0.0)
        for k in range(len(row)):
            row[k] -= mean
            squares += row[k] * row[k]
        scale = np.float32(1.0) / np.sqrt(squares / width + _EPSILON)
        for k in range(len(row)):
            row[k] = row[k] * scale * scales[0, k] + scales[1, k]


# numpy's way with a division by zero, that is none: a branch would keep the loop from vectors.
@numba.njit(cache=True, nogil=True, error_model="numpy")
def gelu(states: F32) -> None:
    """x · (1 + erf(x / √2)) / 2, in place.

    The error function as a quotient of polynomials (Eigen's; within 4e-7), which runs in vectors:
    the library's takes a third of the tower's time.
    """
    for i in range(states.shape[0]):
        for k in range(states.shape[1]):
            value = states[i, k]
            x = min(max(value * np.float32(0.5**0.5), np.float32(-4.0)), np.float32(4.0))
            square = x * x
            above = np.float32(-2.72614225801306e-10)
            above = above * square + np.float32(2.77068142495902e-08)
            above = above * square + np.float32(-2.10102402082508e-06)
            above = above * square + np.float32(-5.69250639462346e-05)
            above = above * square + np.float32(-7.34990630326855e-04)
            above = above * square + np.float32(-2.95459980854025e-03)
            above = above * square + np.float32(-1.60960333262415e-02)
            below = np.float32(-1.45660718464996e-05)
            below = below * square + np.float32(-2.13374055278905e-04)
            below = below * square + np.float32(-1.68282697438203e-03)
            below = below * square + np.float32(-7.37332916720468e-03)
            below = below * square + np.float32(-1.42647390514189e-02)
            half = np.float32(0.5) * value
            states[i, k] = half + half * (x * above / below)


@numba.njit(cache=True, nogil=True, fastmath=REORDERED)
def _attend(asked: F32, out: F32) -> None:
    """What each token of one clue takes from the others; `asked`: queries, keys and values."""
    size, width = out.shape
    scale = np.float32(HEAD**-0.5)
    weights = np.empty(size, np.float32)
    for head in range(0, width, HEAD):
        for t in range(size):
            query = asked[t, head : head + HEAD]
            top = np.float32(-np.inf)
            for u in range(size):
                key = asked[u, width + head : width + head + HEAD]
                product = np.float32(0.0)
                for k in range(HEAD):
                    product += query[k] * key[k]
                weights[u] = product * scale
                top = max(top, weights[u])
            total = np.float32(0.0)
            for u in range(size):
                weights[u] = exp(weights[u] - top)
                total += weights[u]
            mixed = out[t, head : head + HEAD]
            mixed[:] = np.float32(0.0)
            for u in range(size):
                weight = weights[u] / total
                value = asked[u, 2 * width + head : 2 * width + head + HEAD]
                for k in range(HEAD):
                    mixed[k] += weight * value[k]


@numba.njit(cache=True, nogil=True, fastmath=REORDERED)
def read_some(embedded: F32, ends: I64, network: Network, split: int, out: F32) -> None:
    """The vectors of some clues; `embedded` has their tokens, which stand together until `ends`.

    A clue's row in `out` is a vector up to `split` and, if there is more, another from there on.
    """
    tokens, width = embedded.shape
    room = (tokens + AT_ONCE - 1) // AT_ONCE * AT_ONCE
    states = np.zeros((room, width), np.float32)
    states[:tokens] = embedded
    asked = np.empty((room, 3 * width), np.float32)
    mixed = np.zeros((room, width), np.float32)
    more = np.empty((room, width), np.float32)
    wide = np.empty((room, network.wide.shape[1]), np.float32)
    _normalise(states, network.first_norm[0])
    for i in range(network.asked.shape[0]):
        multiply(states, network.asked[i], network.asked_scales[i], asked)
        begin = 0
        for end in ends:
            _attend(asked[begin:end], mixed[begin:end])
            begin = end
        multiply(mixed, network.mixed[i], network.mixed_scales[i], more)
        states += more
        _normalise(states, network.mixed_norm[i])
        multiply(states, network.wide[i], network.wide_scales[i], wide)
        gelu(wide)
        multiply(wide, network.narrow[i], network.narrow_scales[i], more)
        states += more
        _normalise(states, network.norm[i])
    clues = len(ends)
    means = np.zeros(((clues + AT_ONCE - 1) // AT_ONCE * AT_ONCE, width), np.float32)
    found = np.empty((len(means), out.shape[1]), np.float32)
    begin = 0
    for c in range(clues):
        for t in range(begin, ends[c]):
            for k in range(width):
                means[c, k] += states[t, k]
        means[c] /= np.float32(ends[c] - begin)
        begin = ends[c]
    multiply(means, network.projection[0], network.projection_scales[0], found)
    for c in range(clues):
        _to_unit(found[c, :split], out[c, :split])
        _to_unit(found[c, split:], out[c, split:])


@numba.njit(cache=True, nogil=True, fastmath=REORDERED)
def _to_unit(vector: F32, out: F32) -> None:
    squares = np.float32(0.0)
    for k in range(len(vector)):
        squares += vector[k] * vector[k]
    scale = np.float32(1.0) / max(np.sqrt(squares), np.float32(1e-9))
    for k in range(len(vector)):
        out[k] = vector[k] * scale


@numba.njit(parallel=True, cache=True, nogil=True)
def read_all(embedded: F32, ends: I64, chunks: I64, network: Network, split: int, out: F32) -> None:
    """Chunks of clues in parallel; `chunks` has the first clue of each, and their number last."""
    for i in numba.prange(len(chunks) - 1):
        first, last = chunks[i], chunks[i + 1]
        begin = ends[first - 1] if first else 0
        end = ends[last - 1]
        read_some(embedded[begin:end], ends[first:last] - begin, network, split, out[first:last])
