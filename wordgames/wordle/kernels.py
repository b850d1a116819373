"""The counting loops of Wordle, compiled: how a guess splits the words that remain.

All take the pattern matrix (guesses x answers), the guesses to look at (rows), the remaining
answers (columns) and the number of pattern codes. A stamp a pattern saves clearing the counters.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def tally(matrix, guesses, remaining, patterns):
    """For each guess: sum of squared bucket sizes, largest bucket, buckets, sum of size*log2."""
    n = len(remaining)
    weighted_log = np.zeros(n + 1)
    for size in range(2, n + 1):
        weighted_log[size] = size * np.log2(size)
    stamps = np.full(patterns, -1, np.int32)
    sizes = np.zeros(patterns, np.int32)
    figures = np.empty((len(guesses), 4))
    for k in range(len(guesses)):
        row = matrix[guesses[k]]
        squares = 0
        largest = 0
        buckets = 0
        logs = 0.0
        for answer in remaining:
            pattern = row[answer]
            if stamps[pattern] != k:
                stamps[pattern] = k
                sizes[pattern] = 0
                buckets += 1
            size = sizes[pattern]
            sizes[pattern] = size + 1
            squares += 2 * size + 1
            largest = max(largest, size + 1)
            logs += weighted_log[size + 1] - weighted_log[size]
        figures[k, 0] = squares
        figures[k, 1] = largest
        figures[k, 2] = buckets
        figures[k, 3] = logs
    return figures


@njit(cache=True, nogil=True)
def gains(matrix, guesses, remaining, patterns, enough):
    """For each guess, buckets, plus one if it may be the answer; stops early at `enough`.

    The first entry of the result is the place of a guess that reached `enough`, or -1; entries
    after that guess are then not computed.
    """
    stamps = np.full(patterns, -1, np.int32)
    result = np.zeros(len(guesses) + 1, np.int32)
    result[0] = -1
    for k in range(len(guesses)):
        row = matrix[guesses[k]]
        gain = 0
        for answer in remaining:
            pattern = row[answer]
            if stamps[pattern] != k:
                stamps[pattern] = k
                gain += 1
            if pattern == patterns - 1:
                gain += 1
        result[k + 1] = gain
        if gain >= enough:
            result[0] = k
            break
    return result


@njit(cache=True, nogil=True)
def grouped(row, remaining):
    """The remaining answers ordered by their reply, and where each reply's group starts."""
    replies = np.empty(len(remaining), row.dtype)
    for k in range(len(remaining)):
        replies[k] = row[remaining[k]]
    order = np.argsort(replies, kind="mergesort")
    starts = [0]
    for k in range(1, len(order)):
        if replies[order[k]] != replies[order[k - 1]]:
            starts.append(k)
    starts.append(len(order))
    return remaining[order], starts


@njit(cache=True, nogil=True)
def hard_mode(codes, guesses, guess, pattern):
    """Which guesses hard mode still allows: greens stay, and every coloured letter is used.

    Coloured letters count with their copies; a grey letter may be used again, as in the game.
    """
    length = codes.shape[1]
    green = np.zeros(length, np.bool_)
    needed = np.zeros(length, np.int32)
    colours = np.zeros(length, np.int32)
    rest = pattern
    for i in range(length - 1, -1, -1):
        colours[i] = rest % 3
        rest //= 3
    for i in range(length):
        green[i] = colours[i] == 2
        for j in range(length):
            if colours[j] > 0 and codes[guess, j] == codes[guess, i]:
                needed[i] += 1
    keep = np.zeros(len(guesses), np.bool_)
    for k in range(len(guesses)):
        word = codes[guesses[k]]
        fits = True
        for i in range(length):
            if green[i] and word[i] != codes[guess, i]:
                fits = False
                break
            if needed[i] > 0:
                copies = 0
                for j in range(length):
                    if word[j] == codes[guess, i]:
                        copies += 1
                if copies < needed[i]:
                    fits = False
                    break
        keep[k] = fits
    return keep
