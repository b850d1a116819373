"""The arithmetic of `search`, compiled: score a whole fill, and climb by changing slots or cells.

The score of a fill is the sum over slots of log P(its word | its clue), where a word in no list is
scored by the letter chain. Moves: another word in a slot, another letter in a cell, other words in
two crossing slots at once; every crossing word is scored anew each time.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from crossword.solvers.propagation import F32, F64, I32, I64, U8

NO_WORD = -1e30


@numba.njit(cache=True, nogil=True)
def find_word(letters: U8, at: int, count: int, length: int, word: U8) -> int:
    """The index of a word among `count` sorted words that begin at `at`, or -1."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        here = at + middle * length
        order = 0
        for i in range(length):
            if letters[here + i] != word[i]:
                order = -1 if letters[here + i] < word[i] else 1
                break
        if order == 0:
            return middle
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return -1


@numba.njit(cache=True, nogil=True)
def chain_score(word: U8, length: int, chain: F64, ends: F64, log_ends: F64, tilt: F64) -> float:
    """log P(word | its length) of the letter chain, tilted by what the clue says."""
    first = second = 26
    total = 0.0
    for i in range(length):
        total += math.log(chain[first, second, word[i]]) + math.log(max(tilt[i, word[i]], 1e-9))
        first, second = second, word[i]
    return float(total + math.log(ends[first, second]) - log_ends[length])


@numba.njit(cache=True, nogil=True)
def slot_score(
    s: int, word: U8, letters: U8, letters_at: I64, log_probs: F32, words_at: I64, lengths: I64,
    log_unknown: F64, tilt: F64, chain: F64, ends: F64, log_ends: F64,
) -> float:  # fmt: skip
    """log P(word | clue of slot s), known or not."""
    length = lengths[s]
    count = words_at[s + 1] - words_at[s]
    index = find_word(letters, letters_at[s], count, length, word)
    other = log_unknown[s] + chain_score(word, length, chain, ends, log_ends, tilt[s])
    if index < 0:
        return float(other)
    known = np.float64(log_probs[words_at[s] + index])
    top = max(known, other)
    return float(top + math.log(math.exp(known - top) + math.exp(other - top)))


@numba.njit(cache=True, nogil=True)
def read_word(s: int, length: int, cell_of: I64, fixed: I64, fill: U8, out: U8) -> None:
    """The word that a fill has in a slot; fixed places come from `fixed`."""
    for i in range(length):
        cell = cell_of[s, i]
        out[i] = fill[cell] if cell >= 0 else fixed[s, i]


@numba.njit(cache=True, nogil=True)
def fill_scores(
    fill: U8, cell_of: I64, fixed: I64, letters: U8, letters_at: I64, log_probs: F32,
    words_at: I64, lengths: I64, log_unknown: F64, tilt: F64, chain: F64, ends: F64, log_ends: F64,
) -> F64:  # fmt: skip
    """The score of every slot under a fill."""
    out = np.empty(len(lengths))
    word = np.empty(cell_of.shape[1], np.uint8)
    for s in range(len(lengths)):
        read_word(s, lengths[s], cell_of, fixed, fill, word)
        out[s] = slot_score(
            s, word, letters, letters_at, log_probs, words_at, lengths, log_unknown, tilt,
            chain, ends, log_ends,
        )  # fmt: skip
    return out


@numba.njit(cache=True, nogil=True)
def rescore(
    touched: I64, count: int, fill: U8, scores: F64, fresh: F64, cell_of: I64, fixed: I64,
    letters: U8, letters_at: I64, log_probs: F32, words_at: I64, lengths: I64, log_unknown: F64,
    tilt: F64, chain: F64, ends: F64, log_ends: F64, word: U8, enough: float,
) -> float:  # fmt: skip
    """What a fill gains over `scores` in the first `count` touched slots.

    Gives up (with a hopeless figure) as soon as the gain can't reach `enough` any more: no slot
    can score above 0.
    """
    room = 0.0
    for k in range(count):
        room -= scores[touched[k]]
    gain = 0.0
    for k in range(count):
        s = touched[k]
        read_word(s, lengths[s], cell_of, fixed, fill, word)
        fresh[k] = slot_score(
            s, word, letters, letters_at, log_probs, words_at, lengths, log_unknown, tilt,
            chain, ends, log_ends,
        )  # fmt: skip
        gain += fresh[k] - scores[s]
        room += scores[s]
        if gain + room < enough:
            return NO_WORD
    return gain


@numba.njit(cache=True, nogil=True)
def climb(
    fill: U8, scores: F64, options: I32, options_at: I64, cross: I64, cell_of: I64, fixed: I64,
    letters: U8, letters_at: I64, log_probs: F32, words_at: I64, lengths: I64, log_unknown: F64,
    tilt: F64, chain: F64, ends: F64, log_ends: F64, pairs: bool, sweeps: int,
) -> int:  # fmt: skip
    """Improve `fill` and its `scores` in place until no move helps; returns the moves made.

    `options` are the words (indices into a slot's own) that are tried in each slot.
    """
    count, widest = cross.shape
    word = np.empty(widest, np.uint8)
    touched = np.empty(2 * widest + 2, np.int64)
    fresh = np.empty(2 * widest + 2)
    kept_fresh = np.empty(2 * widest + 2)
    trial = fill.copy()
    moves = 0
    for _ in range(sweeps):
        before = moves
        for s in range(count):
            length = lengths[s]
            best_gain, best = 1e-6, -1
            for k in range(options_at[s], options_at[s + 1]):
                at = letters_at[s] + options[k] * length
                n = 1
                touched[0] = s
                fits = True
                for i in range(length):
                    cell = cell_of[s, i]
                    letter = letters[at + i]
                    if cell < 0:
                        if fixed[s, i] < 26 and fixed[s, i] != letter:
                            fits = False
                            break
                        continue
                    if fill[cell] != letter:
                        trial[cell] = letter
                        if cross[s, i] >= 0:
                            touched[n] = cross[s, i] // widest
                            n += 1
                if fits:
                    gain = rescore(
                        touched, n, trial, scores, fresh, cell_of, fixed, letters, letters_at,
                        log_probs, words_at, lengths, log_unknown, tilt, chain, ends, log_ends,
                        word, best_gain,
                    )  # fmt: skip
                    if gain > best_gain:
                        best_gain, best = gain, k
                for i in range(length):
                    cell = cell_of[s, i]
                    if cell >= 0:
                        trial[cell] = fill[cell]
            if best >= 0:
                at = letters_at[s] + options[best] * length
                for i in range(length):
                    cell = cell_of[s, i]
                    if cell >= 0:
                        fill[cell] = letters[at + i]
                        trial[cell] = fill[cell]
                n = 1
                touched[0] = s
                for i in range(length):
                    if cross[s, i] >= 0:
                        touched[n] = cross[s, i] // widest
                        n += 1
                rescore(
                    touched, n, fill, scores, fresh, cell_of, fixed, letters, letters_at,
                    log_probs, words_at, lengths, log_unknown, tilt, chain, ends, log_ends, word,
                    NO_WORD,
                )  # fmt: skip
                for k in range(n):
                    scores[touched[k]] = fresh[k]
                moves += 1
        for s in range(count):
            for i in range(lengths[s]):
                cell = cell_of[s, i]
                if cell < 0 or (cross[s, i] >= 0 and cross[s, i] // widest < s):
                    continue
                n = 1
                touched[0] = s
                if cross[s, i] >= 0:
                    touched[1] = cross[s, i] // widest
                    n = 2
                best_gain, best_letter = 1e-6, -1
                for letter in range(26):
                    if letter == fill[cell]:
                        continue
                    trial[cell] = letter
                    gain = rescore(
                        touched, n, trial, scores, fresh, cell_of, fixed, letters, letters_at,
                        log_probs, words_at, lengths, log_unknown, tilt, chain, ends, log_ends,
                        word, best_gain,
                    )  # fmt: skip
                    if gain > best_gain:
                        best_gain, best_letter = gain, letter
                        kept_fresh[:n] = fresh[:n]
                if best_letter >= 0:
                    fill[cell] = best_letter
                    for k in range(n):
                        scores[touched[k]] = kept_fresh[k]
                    moves += 1
                trial[cell] = fill[cell]
        if pairs:
            for s in range(count):
                for i in range(lengths[s]):
                    if cross[s, i] < 0 or cross[s, i] // widest < s:
                        continue
                    t, j = cross[s, i] // widest, cross[s, i] % widest
                    best_gain, best_a, best_b = 1e-6, -1, -1
                    for a in range(options_at[s], options_at[s + 1]):
                        at_a = letters_at[s] + options[a] * lengths[s]
                        for b in range(options_at[t], options_at[t + 1]):
                            at_b = letters_at[t] + options[b] * lengths[t]
                            if letters[at_a + i] != letters[at_b + j]:
                                continue
                            n = 2
                            touched[0], touched[1] = s, t
                            fits = True
                            for m in range(lengths[s]):
                                cell, letter = cell_of[s, m], letters[at_a + m]
                                if cell < 0:
                                    fits = fits and (fixed[s, m] >= 26 or fixed[s, m] == letter)
                                elif fill[cell] != letter:
                                    trial[cell] = letter
                                    if cross[s, m] >= 0 and m != i:
                                        touched[n] = cross[s, m] // widest
                                        n += 1
                            for m in range(lengths[t]):
                                cell, letter = cell_of[t, m], letters[at_b + m]
                                if cell < 0:
                                    fits = fits and (fixed[t, m] >= 26 or fixed[t, m] == letter)
                                elif fill[cell] != letter:
                                    trial[cell] = letter
                                    if cross[t, m] >= 0 and m != j:
                                        touched[n] = cross[t, m] // widest
                                        n += 1
                            if fits:
                                gain = rescore(
                                    touched, n, trial, scores, fresh, cell_of, fixed, letters,
                                    letters_at, log_probs, words_at, lengths, log_unknown, tilt,
                                    chain, ends, log_ends, word, best_gain,
                                )  # fmt: skip
                                if gain > best_gain:
                                    best_gain, best_a, best_b = gain, a, b
                            for m in range(lengths[s]):
                                if cell_of[s, m] >= 0:
                                    trial[cell_of[s, m]] = fill[cell_of[s, m]]
                            for m in range(lengths[t]):
                                if cell_of[t, m] >= 0:
                                    trial[cell_of[t, m]] = fill[cell_of[t, m]]
                    if best_a >= 0:
                        at_a = letters_at[s] + options[best_a] * lengths[s]
                        at_b = letters_at[t] + options[best_b] * lengths[t]
                        for m in range(lengths[s]):
                            if cell_of[s, m] >= 0:
                                fill[cell_of[s, m]] = letters[at_a + m]
                        for m in range(lengths[t]):
                            if cell_of[t, m] >= 0:
                                fill[cell_of[t, m]] = letters[at_b + m]
                        trial[:] = fill
                        scores[:] = fill_scores(
                            fill, cell_of, fixed, letters, letters_at, log_probs, words_at,
                            lengths, log_unknown, tilt, chain, ends, log_ends,
                        )  # fmt: skip
                        moves += 1
        if moves == before:
            break
    return moves
