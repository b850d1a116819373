"""Answers in no list, composed for the letters that a slot seems to have.

Where belief propagation holds it likely that a slot's answer is unknown, a phrase model is asked
for phrases that suit the clue and the letters seen so far; they join the slot's words with a part
of the mass of "none of these", the rest of which stays with the letter chain.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from crossword.solvers.layout import Layout
from crossword.types import Distribution
from crossword.vocabulary import Words

# `Composer.compose` of a guesser that has it.
Compose = Callable[[str, NDArray[np.float64], int], list[tuple[str, float]]]

LIMIT = 150  # phrases a slot; arbitrary
LEAST_UNKNOWN = 0.01  # slots less likely unknown than this are left alone; tuned on 2022
SHARE = 0.95  # of the mass of unknown answers that phrases get; tuned on 2022
SHORTEST = 5  # letters; shorter answers in no list are hardly ever phrases


def widened(
    layout: Layout,
    distributions: list[Distribution],
    messages: NDArray[np.float64],
    unknown: NDArray[np.float64],
    compose: Compose,
) -> tuple[list[Distribution], int]:
    """The distributions with composed answers in them, and how many slots were widened."""
    found = list(distributions)
    count = 0
    for s, distribution in enumerate(distributions):
        length = int(layout.lengths[s])
        if length < SHORTEST or unknown[s] < LEAST_UNKNOWN:
            continue
        letter_log = messages[s, :length] - np.logaddexp.reduce(
            messages[s, :length], axis=1, keepdims=True
        )
        phrases = compose(layout.queries[s].clue, letter_log, LIMIT)
        wider = with_answers(distribution, phrases)
        if wider is not distribution:
            found[s] = wider
            count += 1
    return found, count


def with_answers(
    distribution: Distribution, phrases: list[tuple[str, float]], share: float = SHARE
) -> Distribution:
    """A distribution with more answers; each (answer, log P of it among the unknown ones)."""
    words = distribution.words
    listed = sorted(phrases)
    rows = np.array([[ord(c) - 65 for c in answer] for answer, _ in listed], dtype=np.uint8)
    rows = rows.reshape(len(listed), words.length)
    # As strings of bytes, which numpy compares: places are found for all at one go.
    kind = np.dtype((np.bytes_, words.length))
    known, asked = np.ascontiguousarray(words.letters).view(kind)[:, 0], rows.view(kind)[:, 0]
    places = np.searchsorted(known, asked)
    fresh = np.ones(len(listed), dtype=bool)
    inside = places < len(known)
    fresh[inside] = known[places[inside]] != asked[inside]
    if not fresh.any():
        return distribution
    rows, places = rows[fresh], places[fresh]
    gained = np.array([p for _, p in listed], dtype=np.float64)[fresh]
    # No more than the whole share can be given away, however sure the phrase model is.
    total = float(np.logaddexp.reduce(gained))
    log_probs = gained - max(total, 0.0) + np.log(share) + distribution.log_unknown
    return Distribution(
        Words(np.insert(words.letters, places, rows, axis=0)),
        np.insert(distribution.log_probs, places, log_probs.astype(np.float32)),
        distribution.log_unknown + float(np.log1p(-share)),
        distribution.letters,
    )
