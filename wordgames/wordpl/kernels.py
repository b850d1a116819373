"""Number crunching for WORDPL: what a question is worth, for thousands of guesses, in milliseconds.

A guess splits the answers into 243 true clue patterns; the noise then acts on each of the five
clues alone. So the chance of every noisy pattern is a tensor product: five small steps over 243
numbers instead of 243 x 2,315 products. The same holds with maxima instead of sums (expected win)
and with powers (Arimoto's conditional Renyi entropy), see `worth`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

CLUES = 5
PATTERNS = 3**CLUES


@njit(cache=True, nogil=True)
def keep_and_flip(epsilon):  # type: ignore[no-untyped-def]
    """The chance that a clue stays, and that it becomes one given other clue."""
    odds = math.exp(-epsilon / 5.0)  # written so that a huge epsilon does not overflow
    return 1.0 / (1.0 + 2.0 * odds), odds / (1.0 + 2.0 * odds)


@njit(cache=True, nogil=True)
def pattern_likelihood(observed, epsilon):  # type: ignore[no-untyped-def]
    """P(observed pattern | true pattern) for every true pattern."""
    keep, flip = keep_and_flip(epsilon)
    likelihood = np.empty(PATTERNS)
    for true in range(PATTERNS):
        value = 1.0
        left, right = true, observed
        for _ in range(CLUES):
            value *= keep if left % 3 == right % 3 else flip
            left //= 3
            right //= 3
        likelihood[true] = value
    return likelihood


@njit(cache=True, nogil=True, fastmath=True)
def _sum_channel(weights, keep, flip):  # type: ignore[no-untyped-def]
    """In place: sums over true patterns of weight times the chance of each observed pattern."""
    extra = keep - flip
    step = 1
    for _ in range(CLUES):
        for block in range(0, PATTERNS, 3 * step):
            for i in range(block, block + step):
                x, y, z = weights[i], weights[i + step], weights[i + 2 * step]
                shared = flip * (x + y + z)
                weights[i] = shared + extra * x
                weights[i + step] = shared + extra * y
                weights[i + 2 * step] = shared + extra * z
        step *= 3


@njit(cache=True, nogil=True, fastmath=True)
def _max_channel(weights, keep, flip):  # type: ignore[no-untyped-def]
    """In place: as `_sum_channel`, with the largest product in place of the sum."""
    step = 1
    for _ in range(CLUES):
        for block in range(0, PATTERNS, 3 * step):
            for i in range(block, block + step):
                x, y, z = weights[i], weights[i + step], weights[i + 2 * step]
                shared = flip * max(x, y, z)
                weights[i] = max(shared, keep * x)
                weights[i + step] = max(shared, keep * y)
                weights[i + 2 * step] = max(shared, keep * z)
        step *= 3


@njit(cache=True, nogil=True, fastmath=True)
def reply_chances(row, probabilities, epsilon):  # type: ignore[no-untyped-def]
    """The chance of every noisy reply to the guess whose true patterns are `row`."""
    keep, flip = keep_and_flip(epsilon)
    chances = np.zeros(PATTERNS)
    for answer in range(len(probabilities)):
        chances[row[answer]] += probabilities[answer]
    _sum_channel(chances, keep, flip)
    return chances


@njit(cache=True, nogil=True, fastmath=True)
def worth(guesses, patterns, active, probabilities, epsilon, order):  # type: ignore[no-untyped-def]
    """The worth of asking each guess at `epsilon`; larger is better, within one `order`.

    `order` is the order of the entropy that the question should reduce. 1: Shannon's, so this is
    the mutual information but for a constant. 0 (standing for infinity): the expected
    probability of the likeliest answer, which is the chance to win if this is the last question.
    Between lies Arimoto's conditional Renyi entropy: an order below 1 minds the tail of unlikely
    answers, one above 1 the head. `active` lists the answers that count, `probabilities` theirs.
    """
    keep, flip = keep_and_flip(epsilon)
    mass = probabilities
    if order != 0.0 and order != 1.0:
        mass = probabilities**order
        keep, flip = keep**order, flip**order
    weights = np.empty(PATTERNS)
    values = np.empty(len(guesses))
    for place in range(len(guesses)):
        row = patterns[guesses[place]]
        weights[:] = 0.0
        total = 0.0
        if order == 0.0:
            for i in range(len(active)):
                true = row[active[i]]
                weights[true] = max(weights[true], mass[i])
            _max_channel(weights, keep, flip)
            total = weights.sum()
        else:
            for i in range(len(active)):
                weights[row[active[i]]] += mass[i]
            _sum_channel(weights, keep, flip)
            if order == 1.0:
                for chance in weights:
                    if chance > 0.0:
                        total -= chance * math.log(chance)
            else:
                for chance in weights:
                    total += chance ** (1.0 / order)
                if order < 1.0:
                    total = -total
        values[place] = total
    return values


@njit(cache=True, nogil=True, fastmath=True)
def entropy_bound(codes, answer_codes, active, probabilities, epsilon):  # type: ignore[no-untyped-def]
    """For every guess the sum of its five clues' own entropies: never below their joint entropy.

    It costs five table look-ups a guess, so it picks the guesses worth an exact look.
    """
    keep, flip = keep_and_flip(epsilon)
    letters = 1 + max(codes.max(), answer_codes.max())
    placed = np.zeros((CLUES, letters))
    present = np.zeros(letters)
    for i in range(len(active)):
        word = answer_codes[active[i]]
        for position in range(CLUES):
            letter = word[position]
            placed[position, letter] += probabilities[i]
            first = True
            for before in range(position):
                if word[before] == letter:
                    first = False
            if first:
                present[letter] += probabilities[i]
    entropy = np.zeros((CLUES, letters))
    for position in range(CLUES):
        for letter in range(letters):
            green = placed[position, letter]
            for share in (green, present[letter] - green, 1.0 - present[letter]):
                chance = flip + (keep - flip) * max(share, 0.0)
                if chance > 0.0:
                    entropy[position, letter] -= chance * math.log(chance)
    bounds = np.zeros(len(codes))
    for guess in range(len(codes)):
        for position in range(CLUES):
            bounds[guess] += entropy[position, codes[guess, position]]
    return bounds
