"""The arithmetic of `rebus`, compiled: how longer words fit if one cell takes the surplus."""

from __future__ import annotations

import numba
import numpy as np

from crossword.solvers.propagation import F32, F64, I32, U8


@numba.njit(cache=True, nogil=True)
def longer_fits(
    letters: U8, log_probs: F32, messages: F64, surplus: int, least: float, floors: F64,
    best: F64, words: I32, places: I32, scores: F64,
) -> int:  # fmt: skip
    """Words that fit with `surplus` more letters at one place; returns how many were written.

    The score of a word with the surplus at place i is its log-probability, the messages of the
    places before i for its first letters, and those of the places after i for its last ones;
    place i itself says nothing. Those above `floors[i]` are written out, as many as there is room,
    and `best[i]` is raised. Words less likely than `least` are passed over.
    """
    count = messages.shape[0]
    lowest = floors.min()
    after = np.empty(count + 1)
    found = 0
    for w in range(letters.shape[0]):
        if log_probs[w] <= least:
            continue
        after[count] = 0.0
        for i in range(count - 1, -1, -1):
            after[i] = after[i + 1] + messages[i, letters[w, i + surplus]]
        before = np.float64(log_probs[w])
        for i in range(count):
            score = before + after[i + 1]
            if score > floors[i]:
                best[i] = max(best[i], score)
                if found < len(words):
                    words[found] = w
                    places[found] = i
                    scores[found] = score
                    found += 1
            before += messages[i, letters[w, i]]
            if before <= lowest:
                break
    return found
