"""The arithmetic of `rebus`, compiled: what slots say, and how words of other lengths fit."""

from __future__ import annotations

import math

import numba
import numpy as np

from crossword.solvers.propagation import F32, F64, I32, I64, U8, chain_marginals


@numba.njit(parallel=True, cache=True, nogil=True)
def weigh_slots(
    scores: F32, words_at: I64, kept: I64, lengths: I64, messages: F64, tilt: F64,
    log_unknown: F64, chain: F64, ends: F64, log_ends: F64, totals: F64, spelled: F64,
) -> None:  # fmt: skip
    """Each slot's log-evidence under the messages, and that of an unknown answer by place.

    `spelled[s, i]` leaves out the message into place i, and says nothing of what stands there.
    """
    for s in numba.prange(len(lengths)):
        length = lengths[s]
        weights = np.empty((length, 26))
        for i in range(length):
            for c in range(26):
                weights[i, c] = math.exp(messages[s, i, c]) * tilt[s, i, c]
        marginals = np.empty((length, 26))
        log_z = chain_marginals(weights, chain, ends, marginals)
        log_z += log_unknown[s] - log_ends[length]
        top = log_z
        for k in range(words_at[s], words_at[s] + kept[s]):
            top = max(top, np.float64(scores[k]))
        total = math.exp(log_z - top)
        for k in range(words_at[s], words_at[s] + kept[s]):
            total += math.exp(scores[k] - top)
        totals[s] = top + math.log(total)
        for i in range(length):
            inverse = 0.0
            for c in range(26):
                inverse += marginals[i, c] / max(weights[i, c], 1e-30)
            spelled[s, i] = log_z + math.log(inverse)


@numba.njit(cache=True, nogil=True)
def gapped_fits(
    letters: U8, log_probs: F32, messages: F64, gap: int, floors: F64,
    best: F64, words: I32, places: I32, scores: F64,
) -> int:  # fmt: skip
    """Words of another length that fit with a gap; returns how many were written.

    The slot's places from i on, `gap` of them, say nothing, and as many letters of the word go
    unread as the lengths then ask for. A word's score is its log-probability, the messages of the
    places before i for its first letters, and those of the places after the gap for its last
    ones. Those above `floors[i]` are written out, as many as there is room, and `best[i]` is
    raised. With a gap of one place, a word that is longer has the rest of its letters there: a
    rebus cell. Without a gap, a longer word loses letters; a shorter one needs a gap to gain some.
    """
    count = messages.shape[0]
    surplus = letters.shape[1] - count
    lowest = floors.min()
    after = np.empty(count + 1)
    found = 0
    for w in range(letters.shape[0]):
        after[count] = 0.0
        for i in range(count - 1, gap - 1, -1):
            after[i] = after[i + 1] + messages[i, letters[w, i + surplus]]
        before = np.float64(log_probs[w])
        for i in range(count - gap + 1):
            score = before + after[i + gap]
            if score > floors[i]:
                best[i] = max(best[i], score)
                if found < len(words):
                    words[found] = w
                    places[found] = i
                    scores[found] = score
                    found += 1
            if i < count - gap:
                before += messages[i, letters[w, i]]
                if before <= lowest:
                    break
    return found


@numba.njit(cache=True, nogil=True)
def find_contents(
    letters: U8, begins: I64, codes: U8, sizes: I64, most: int,
    words: I64, places: I64, contents: I64,
) -> int:  # fmt: skip
    """Where words have contents of at most `most` letters, from a place of their own on.

    `codes[c, :sizes[c]]` is the c-th content, of two letters at least. Returns how many were found,
    and writes as many as there is room for.
    """
    begun = np.zeros((26, 26), np.bool_)  # two letters that some content begins with
    for c in range(len(sizes)):
        begun[codes[c, 0], codes[c, 1]] = True
    found = 0
    for w in range(letters.shape[0]):
        for i in range(begins[w], letters.shape[1] - 1):
            first, second = letters[w, i], letters[w, i + 1]
            if first >= 26 or second >= 26 or not begun[first, second]:
                continue
            for c in range(len(sizes)):
                size = sizes[c]
                if size > most or i + size > letters.shape[1]:
                    continue
                same = True
                for k in range(size):
                    if letters[w, i + k] != codes[c, k]:
                        same = False
                        break
                if same:
                    if found < len(words):
                        words[found], places[found], contents[found] = w, i, c
                    found += 1
    return found
