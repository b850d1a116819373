"""The arithmetic of belief propagation on a grid, compiled: messages between slots and cells.

Sum-product on the factor graph with a variable for each cell (26 letters) and a factor for each
slot. A slot's factor is a mixture: a known answer (its log-probability), or an unknown one, whose
letters follow a trigram chain; the weight of the two is inferred with everything else. Words that
can't matter (far below the best, given the messages) sit a round out.
All arrays are flat, so that slots run in parallel; each slot's sums are made by one thread in a
fixed order, hence results do not depend on the number of threads.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]

SYMBOLS = 27  # 26 letters, and the edge of a word


@numba.njit(parallel=True, cache=True, nogil=True)
def scan(
    letters: U8, letters_at: I64, log_probs: F32, words_at: I64, lengths: I64,
    messages: F32, width: float, every: bool, active: I32, scores: F32, kept: I64,
) -> None:  # fmt: skip
    """Find the words within `width` of each slot's best under the messages, with their scores.

    Slot s has words `words_at[s]:words_at[s+1]` in `log_probs`; the letters of its first word begin
    at `letters_at[s]`. The words found are the first `kept[s]` of `active` and `scores` from
    `words_at[s]` on, as indices into the slot's own words. Only those that an earlier scan left
    there are looked at, unless `every` word is to be; then they give a floor, and most words need
    not be spelled out: no message is above 0, so a word that is below it can't rise again.
    """
    for s in numba.prange(len(lengths)):
        length = lengths[s]
        begin = words_at[s]
        best = -np.float32(1e30)
        for k in range(begin, begin + kept[s]):
            score = log_probs[begin + active[k]]
            at = letters_at[s] + active[k] * length
            for i in range(length):
                score += messages[s, i, letters[at + i]]
            scores[k] = score
            best = max(best, score)
        floor = np.float32(best - width)
        count = begin if every else begin + kept[s]
        for w in range(words_at[s + 1] - begin if every else 0):
            score = log_probs[begin + w]
            if score <= floor:
                continue
            at = letters_at[s] + w * length
            for i in range(length):
                score += messages[s, i, letters[at + i]]
                if score <= floor:
                    break
            if score <= floor:
                continue
            active[count] = w
            scores[count] = score
            count += 1
            if score > best:
                best = score
                floor = np.float32(best - width)
        last = begin
        for k in range(begin, count):  # the floor may have risen since a word was kept
            if scores[k] > floor:
                active[last] = active[k]
                scores[last] = scores[k]
                last += 1
        kept[s] = last - begin


@numba.njit(cache=True, nogil=True)
def chain_marginals(weights: F64, chain: F64, ends: F64, out: F64) -> float:
    """Letter marginals of a trigram chain under per-place letter weights; returns log Z.

    `chain[a, b, c]` is P(c | a, b) with symbol 26 for the edge, `ends[a, b]` is P(end | a, b).
    """
    length = weights.shape[0]
    forward = np.zeros((length, SYMBOLS, 26))
    log_z = 0.0
    for i in range(length):
        total = 0.0
        for b in range(SYMBOLS):
            # At place 0 the history is (edge, edge); at place 1 it is (edge, letter).
            if (i == 0) != (b == 26):
                continue
            for a in range(SYMBOLS):
                if (i <= 1) != (a == 26):
                    continue
                before = 1.0 if i == 0 else forward[i - 1, a, b]
                if before == 0.0:
                    continue
                for c in range(26):
                    forward[i, b, c] += before * chain[a, b, c]
        for b in range(SYMBOLS):
            for c in range(26):
                forward[i, b, c] *= weights[i, c]
                total += forward[i, b, c]
        if total <= 0.0:
            out[:] = 1.0 / 26
            return -1e30
        log_z += math.log(total)
        for b in range(SYMBOLS):
            for c in range(26):
                forward[i, b, c] /= total
    backward = np.zeros((SYMBOLS, 26))
    for b in range(SYMBOLS):
        for c in range(26):
            backward[b, c] = ends[b, c]
    for i in range(length - 1, -1, -1):
        total = 0.0
        for c in range(26):
            mass = 0.0
            for b in range(SYMBOLS):
                mass += forward[i, b, c] * backward[b, c]
            out[i, c] = mass
            total += mass
        if i == length - 1:
            if total <= 0.0:
                out[:] = 1.0 / 26
                return -1e30
            log_z += math.log(total)
        for c in range(26):
            out[i, c] /= total
        if i > 0:
            earlier = np.zeros((SYMBOLS, 26))
            peak = 0.0
            for a in range(SYMBOLS):
                if (i == 1) != (a == 26):
                    continue
                for b in range(26):
                    mass = 0.0
                    for c in range(26):
                        mass += chain[a, b, c] * weights[i, c] * backward[b, c]
                    earlier[a, b] = mass
                    peak = max(peak, mass)
            if peak > 0.0:
                for a in range(SYMBOLS):
                    for b in range(26):
                        earlier[a, b] /= peak
            backward = earlier
    return log_z


@numba.njit(parallel=True, cache=True, nogil=True)
def slot_beliefs(
    letters: U8, letters_at: I64, words_at: I64, lengths: I64,
    active: I32, scores: F32, kept: I64, messages: F64, tilt: F64, log_unknown: F64,
    chain: F64, ends: F64, log_ends: F64, symbols: F64, beliefs: F64, unknown: F64,
) -> None:  # fmt: skip
    """Each slot's letter beliefs given the messages into it, and P(its answer is unknown).

    The words and their scores are those that `scan` found for the same messages.
    `tilt[s, i, c]` multiplies the chain's letters with what the clue says of an unknown answer.
    `log_ends[length]` normalises the chain over words of one length. Codes from 26 on are symbols
    that stand for several letters (see `rebus`); `symbols` has the odds that an unknown answer has
    each of them at a place, against one letter there; none in an ordinary run.
    """
    signs = messages.shape[2]
    for s in numba.prange(len(lengths)):
        length = lengths[s]
        begin = words_at[s]
        end = begin + kept[s]
        best = -1e300
        for k in range(begin, end):
            best = max(best, np.float64(scores[k]))
        weights = np.empty((length, 26))
        for i in range(length):
            for c in range(26):
                weights[i, c] = math.exp(messages[s, i, c]) * tilt[s, i, c]
        marginals = np.empty((length, 26))
        log_z = chain_marginals(weights, chain, ends, marginals)
        log_z += log_unknown[s] - log_ends[length]
        # A symbol takes the place of one letter, the rest of the answer staying as it is: the
        # letters of a place without its own message sum to one, which gives their total with it.
        odds = np.zeros((length, signs - 26))
        for i in range(length):
            inverse = 0.0
            if signs > 26:
                for c in range(26):
                    if weights[i, c] > 0.0:
                        inverse += marginals[i, c] / weights[i, c]
            for c in range(signs - 26):
                odds[i, c] = symbols[c] * math.exp(messages[s, i, 26 + c]) * inverse
        all_odds = odds.sum()
        log_z += math.log1p(all_odds)
        top = max(best, log_z)
        known = 0.0
        sums = np.zeros((length, signs))
        for k in range(begin, end):
            mass = math.exp(scores[k] - top)
            known += mass
            at = letters_at[s] + active[k] * length
            for i in range(length):
                sums[i, letters[at + i]] += mass
        other = math.exp(log_z - top)
        total = known + other
        if total <= 0.0:
            known, other, total = 0.0, 1.0, 1.0
        unknown[s] = other / total
        for i in range(length):
            here = odds[i].sum()
            spelled = other * (1.0 + all_odds - here) / (1.0 + all_odds) / total
            for c in range(26):
                beliefs[s, i, c] = sums[i, c] / total + spelled * marginals[i, c]
            for c in range(26, signs):
                beliefs[s, i, c] = (sums[i, c] + other * odds[i, c - 26] / (1.0 + all_odds)) / total
