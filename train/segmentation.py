"""Cuts an answer into the words that it most likely runs together: LETITGO → LET IT GO.

Viterbi over word frequencies (wordfreq), as in Norvig's "Natural Language Corpus Data" (2009).
Short letter groups count as words only where they are common, or every answer would fall apart.
"""

from __future__ import annotations

import math
from functools import cache

import wordfreq

WORDS = 80_000
LONGEST = 14
_COST = 1.0  # a word's own cost, so that fewer and longer words win; arbitrary
_RANKS = {2: 3_000, 3: 15_000}  # short words must be among the commonest


@cache
def _log_frequencies() -> dict[str, float]:
    found: dict[str, float] = {}
    for rank, word in enumerate(wordfreq.top_n_list("en", WORDS)):
        letters = word.upper().replace("'", "")
        if not (letters.isascii() and letters.isalpha()):
            continue
        if len(letters) == 1 and letters not in "AIO":
            continue
        if rank > _RANKS.get(len(letters), WORDS):
            continue
        value = math.log(wordfreq.word_frequency(word, "en"))
        found[letters] = max(found.get(letters, -math.inf), value)
    return found


def segment(answer: str) -> tuple[str, ...]:
    """The words of an answer of two words or more; nothing for one word, or for none we know."""
    known = _log_frequencies()
    size = len(answer)
    best = [0.0] + [-math.inf] * size
    back = [0] * (size + 1)
    for end in range(1, size + 1):
        for start in range(max(0, end - LONGEST), end):
            value = known.get(answer[start:end])
            if value is not None and best[start] + value - _COST > best[end]:
                best[end] = best[start] + value - _COST
                back[end] = start
    if best[size] == -math.inf:
        return ()
    words: list[str] = []
    end = size
    while end:
        words.append(answer[back[end] : end])
        end = back[end]
    return tuple(reversed(words)) if len(words) > 1 else ()
