"""A trigram model of the letters of answers: what an answer in no list may look like.

Estimated from a vocabulary with interpolated smoothing (Jelinek-Mercer, fixed weights). Shared by
belief propagation (as a chain it can sum over) and by search (as a score of a filled word).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crossword.vocabulary import Vocabulary

EDGE = 26
_MIX = (0.60, 0.30, 0.095, 0.005)  # trigram, bigram, unigram, uniform; tuned on 2022
_LONGEST = 64


@dataclass(frozen=True, eq=False)
class LetterChain:
    """`chain[a, b, c]` = P(c | a, b); `ends[a, b]` = P(the word ends | a, b)."""

    chain: NDArray[np.float64]
    ends: NDArray[np.float64]

    @cached_property
    def log_ends(self) -> NDArray[np.float64]:
        """log P(a word has this length), up to the longest we ask for."""
        state = np.zeros((27, 27))
        state[EDGE, EDGE] = 1.0
        found = np.full(_LONGEST + 1, -np.inf)
        scale = 0.0
        for length in range(1, _LONGEST + 1):
            state = np.einsum("ab,abc->bc", state, self.chain)
            state = np.pad(state, ((0, 0), (0, 27 - state.shape[1])))
            total = state.sum()
            scale += np.log(total)
            state /= total
            found[length] = scale + np.log((state[:, :26] * self.ends).sum())
        return found

    def log_prob(self, letters: NDArray[np.uint8]) -> NDArray[np.float64]:
        """log P(word | its length) for each row of a letter matrix."""
        count, length = letters.shape
        total = np.zeros(count)
        first = np.full(count, EDGE)
        second = np.full(count, EDGE)
        for i in range(length):
            third = letters[:, i].astype(np.int64)
            total += np.log(self.chain[first, second, third])
            first, second = second, third
        total += np.log(self.ends[first, second])
        return np.asarray(total - self.log_ends[min(length, _LONGEST)])


def letter_chain(vocabulary: Vocabulary) -> LetterChain:
    """The trigram chain of a vocabulary, every answer counted once."""
    tri = np.zeros((27, 27, 27))
    for words in vocabulary.by_length.values():
        tri += words.trigrams
    bi, uni = tri.sum(axis=0), tri.sum(axis=(0, 1))
    shares = (
        tri / np.maximum(tri.sum(axis=2, keepdims=True), 1.0),
        np.broadcast_to(bi / np.maximum(bi.sum(axis=1, keepdims=True), 1.0), tri.shape),
        np.broadcast_to(uni / max(uni.sum(), 1.0), tri.shape),
        np.full(tri.shape, 1.0 / 27),
    )
    mixed = sum(weight * share for weight, share in zip(_MIX, shares, strict=True))
    mixed = np.asarray(mixed)
    mixed /= mixed.sum(axis=2, keepdims=True)
    # A word does not end before its first letter; the symbol for "end" is the last one.
    mixed[EDGE, EDGE, EDGE] = 0.0
    mixed[EDGE, EDGE] /= mixed[EDGE, EDGE].sum()
    return LetterChain(
        np.ascontiguousarray(mixed[:, :, :26]), np.ascontiguousarray(mixed[:, :26, 26])
    )
