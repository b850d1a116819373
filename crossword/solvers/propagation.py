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
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]

SYMBOLS = 27  # 26 letters, and the edge of a word
BLOCK = 64  # words that are passed over together; arbitrary
NEAR = 3.0  # words this close to a slot's best give the floor when all are looked at; arbitrary
NEGLIGIBLE = 1e-20  # share of a slot's unknown answers; two letters against clear messages: less
ALL = -1  # instead of a number of words: all within the width of the best, by log-probability alone


class Candidates(NamedTuple):
    """The words of every slot as flat arrays; numba takes it as it is.

    Slot s has words `words_at[s]:words_at[s+1]` in `log_probs`; the letters of its first word begin
    at `letters_at[s]`. Blocks of its words have the highest of their log-probabilities from
    `tops_at[s]` on, and the number of letters that they share from `shared_at[s]` on.
    `tilt[s, i, c]` multiplies the chain's letters with what the clue says of an unknown answer.
    """

    letters: U8
    letters_at: I64
    log_probs: F32
    words_at: I64
    shared: U8
    shared_at: I64
    tops: F32
    tops_at: I64
    log_unknown: F64
    tilt: F64


@numba.njit(cache=True, nogil=True)
def shared_letters(letters: U8, out: U8) -> None:
    """For each block of words how many letters at their beginning all of them share."""
    count, length = letters.shape
    for b in range(len(out)):
        first = b * BLOCK
        same = length
        for w in range(first + 1, min(first + BLOCK, count)):
            i = 0
            while i < same and letters[w, i] == letters[first, i]:
                i += 1
            same = i
        out[b] = same


@numba.njit(parallel=True, fastmath={"nnan", "nsz"}, cache=True, nogil=True)
def block_tops(log_probs: F32, words_at: I64, tops_at: I64, out: F32) -> None:
    """The highest log-probability in each block of each slot's words."""
    for s in numba.prange(len(words_at) - 1):
        for b in range(tops_at[s + 1] - tops_at[s]):
            begin = words_at[s] + b * BLOCK
            top = np.float32(-1e30)
            for w in range(begin, min(begin + BLOCK, words_at[s + 1])):
                top = max(top, log_probs[w])
            out[tops_at[s] + b] = top


@numba.njit(inline="always")
def _spelled(score, at, s, length, messages, letters, floor):  # type: ignore[no-untyped-def]
    """A score with the messages for a word's letters, given up once it is below the floor."""
    for i in range(length):
        score += messages[s, i, letters[at + i]]
        if score <= floor:
            break
    return score


@numba.njit(parallel=True, cache=True, nogil=True)
def scan(
    words: Candidates, lengths: I64, messages: F32, width: float, every: bool, final: bool,
    active: I32, scores: F32, kept: I64,
) -> None:  # fmt: skip
    """Find the words within `width` of each slot's best under the messages, with their scores.

    The words found are the first `kept[s]` of `active` and `scores` from `words_at[s]` on, as
    indices into the slot's own words. Only those that an earlier scan left there are looked at,
    unless `every` word is to be. Then the best of them give a floor, and most words need not be
    spelled out: no message is above 0, so what is below it can't rise again. That goes for whole
    blocks of words, by the best of them and the letters that they share.

    A slot into which no message says anything, as in the first round of an empty grid, would keep
    most of its words. It gets `ALL` for their number, and nothing is written, if not `final`.
    """
    letters, log_probs, words_at = words.letters, words.log_probs, words.words_at
    shared, tops, tops_at = words.shared, words.tops, words.tops_at
    for s in numba.prange(len(lengths)):
        length = lengths[s]
        begin = words_at[s]
        first = words.letters_at[s]
        lowest = np.float32(-1e30)
        silent = True
        for i in range(length):
            for c in range(messages.shape[2]):
                silent = silent and messages[s, i, c] == 0
        if silent and not final:
            kept[s] = ALL
            continue
        near, best = lowest, lowest
        if kept[s] != ALL and not every:
            count = begin + kept[s]
            for k in range(begin, count):
                at = first + active[k] * length
                score = log_probs[begin + active[k]]
                scores[k] = _spelled(score, at, s, length, messages, letters, lowest)
                best = max(best, scores[k])
        else:
            if kept[s] == ALL:
                for b in range(tops_at[s], tops_at[s + 1]):
                    near = max(near, tops[b] - np.float32(NEAR))
                for b in range(tops_at[s + 1] - tops_at[s]):
                    if tops[tops_at[s] + b] < near:
                        continue
                    for w in range(b * BLOCK, min((b + 1) * BLOCK, words_at[s + 1] - begin)):
                        score = log_probs[begin + w]
                        if score >= near:
                            at = first + w * length
                            score = _spelled(score, at, s, length, messages, letters, lowest)
                            best = max(best, score)
            else:
                for k in range(begin, begin + kept[s]):
                    near = max(near, scores[k] - np.float32(NEAR))
                for k in range(begin, begin + kept[s]):
                    if scores[k] >= near:
                        at = first + active[k] * length
                        score = log_probs[begin + active[k]]
                        score = _spelled(score, at, s, length, messages, letters, lowest)
                        best = max(best, score)
            floor = np.float32(best - width)
            count = begin
            for b in range(tops_at[s + 1] - tops_at[s]):
                bound = tops[tops_at[s] + b]
                at = first + b * BLOCK * length
                for i in range(shared[words.shared_at[s] + b]):
                    bound += messages[s, i, letters[at + i]]
                if bound <= floor:
                    continue
                for w in range(b * BLOCK, min((b + 1) * BLOCK, words_at[s + 1] - begin)):
                    score = log_probs[begin + w]
                    if score <= floor:
                        continue
                    at = first + w * length
                    score = _spelled(score, at, s, length, messages, letters, floor)
                    if score <= floor:
                        continue
                    active[count] = w
                    scores[count] = score
                    count += 1
                    if score > best:
                        best = score
                        floor = np.float32(best - width)
        floor = np.float32(best - width)
        last = begin
        for k in range(begin, count):  # the floor may have risen since a word was kept
            if scores[k] > floor:
                active[last] = active[k]
                scores[last] = scores[k]
                last += 1
        kept[s] = last - begin


@numba.njit(fastmath={"reassoc", "contract", "nsz"}, cache=True, nogil=True)
def chain_marginals(weights: F64, chain: F64, ends: F64, out: F64) -> float:
    """Letter marginals of a trigram chain under per-place letter weights; returns log Z.

    `chain[a, b, c]` is P(c | a, b) with symbol 26 for the edge, `ends[a, b]` is P(end | a, b).
    Pairs of letters of which the messages leave next to nothing are passed over, so that a slot
    whose letters are clear takes little time. Sums may be taken in an order that runs in vectors.
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
                share = forward[i, b, c] / total
                forward[i, b, c] = share if share > NEGLIGIBLE else 0.0
    backward = ends.copy()
    earlier = np.empty((SYMBOLS, 26))
    ahead = np.empty(26)
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
            earlier[:] = 0.0
            peak = 0.0
            for b in range(26):
                for c in range(26):
                    ahead[c] = weights[i, c] * backward[b, c]
                for a in range(SYMBOLS):
                    if forward[i - 1, a, b] == 0.0:
                        continue
                    mass = 0.0
                    for c in range(26):
                        mass += chain[a, b, c] * ahead[c]
                    earlier[a, b] = mass
                    peak = max(peak, mass)
            if peak > 0.0:
                for a in range(SYMBOLS):
                    for b in range(26):
                        earlier[a, b] /= peak
            backward, earlier = earlier, backward
    return log_z


@numba.njit(cache=True, nogil=True)
def exp_below(logs: F32, level: np.float32, out: F32, powers: I32) -> None:
    """exp(log - level) of up to a block of numbers; a polynomial (Cephes), so it runs in vectors.

    `powers` is room for as many.
    """
    scale = powers.view(np.float32)
    for j in range(len(logs)):
        x = max(logs[j] - level, np.float32(-87.0))
        whole = np.floor(x * np.float32(1.44269504) + np.float32(0.5))
        x = x - whole * np.float32(0.693359375) + whole * np.float32(2.12194440e-4)
        y = np.float32(1.9875691500e-4)
        y = y * x + np.float32(1.3981999507e-3)
        y = y * x + np.float32(8.3334519073e-3)
        y = y * x + np.float32(4.1665795894e-2)
        y = y * x + np.float32(1.6666665459e-1)
        y = y * x + np.float32(5.0000001201e-1)
        out[j] = y * x * x + x + np.float32(1.0)
        powers[j] = (np.int32(whole) + np.int32(127)) << np.int32(23)  # the bits of 2^whole
    for j in range(len(logs)):
        out[j] *= scale[j]


@numba.njit(cache=True, nogil=True)
def add_all(s: int, words: Candidates, floor: np.float32, top: np.float32, sums: F64) -> float:
    """Add exp(log-probability - top) of a slot's words above the floor by place and letter.

    Returns their sum. The letters that a block shares take its sum at one go.
    """
    length = sums.shape[0]
    masses, powers = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.int32)
    begin, end = words.words_at[s], words.words_at[s + 1]
    known = 0.0
    for b in range(words.tops_at[s + 1] - words.tops_at[s]):
        if words.tops[words.tops_at[s] + b] <= floor:
            continue
        first = begin + b * BLOCK
        logs = words.log_probs[first : min(first + BLOCK, end)]
        exp_below(logs, top, masses, powers)
        shared = words.shared[words.shared_at[s] + b]
        total = 0.0
        at = words.letters_at[s] + b * BLOCK * length
        for j in range(len(logs)):
            if logs[j] > floor:
                mass = np.float64(masses[j])
                total += mass
                for i in range(shared, length):
                    sums[i, words.letters[at + j * length + i]] += mass
        for i in range(shared):
            sums[i, words.letters[at + i]] += total
        known += total
    return known


@numba.njit(parallel=True, cache=True, nogil=True)
def slot_beliefs(
    words: Candidates, lengths: I64, width: float, active: I32, scores: F32, kept: I64,
    messages: F64, log_unknown: F64, chain: F64, ends: F64, log_ends: F64, symbols: F64,
    beliefs: F64, unknown: F64,
) -> None:  # fmt: skip
    """Each slot's letter beliefs given the messages into it, and P(its answer is unknown).

    The words and their scores are those that `scan` found for the same messages and `width`.
    `log_ends[length]` normalises the chain over words of one length. Codes from 26 on are symbols
    that stand for several letters (see `rebus`); `symbols` has the odds that an unknown answer has
    each of them at a place, against one letter there; none in an ordinary run.
    """
    signs = messages.shape[2]
    letters, words_at, tilt = words.letters, words.words_at, words.tilt
    for s in numba.prange(len(lengths)):
        length = lengths[s]
        begin = words_at[s]
        best = -1e300
        for k in range(begin, begin + kept[s]):
            best = max(best, np.float64(scores[k]))
        if kept[s] == ALL:
            for b in range(words.tops_at[s], words.tops_at[s + 1]):
                best = max(best, np.float64(words.tops[b]))
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
        if kept[s] == ALL:
            known = add_all(s, words, np.float32(best - width), np.float32(top), sums)
        for k in range(begin, begin + kept[s]):
            mass = math.exp(scores[k] - top)
            known += mass
            at = words.letters_at[s] + active[k] * length
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
