"""From a distribution over every answer of a length to a list of guesses that fit a pattern.

With letters known, probabilities are made conditional on them: what fits keeps its proportion,
and the unknown answers keep their mass times the chance that one of them has just those letters.
Every guesser here ends with this, so that all of them mean the same by `log_prob`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from crossword.guessers.selection import highest
from crossword.puzzle import EMPTY
from crossword.text import normalise_answer, tokens
from crossword.types import Distribution, Guess
from crossword.vocabulary import Words

LOG_ZERO = -60.0  # an answer that is ruled out; finite, so that sums of arrays stay finite

# How often each letter A-Z stands in answers of NYT dailies (even days of 1976-2018).
LETTER_SHARE = np.array(
    [
        0.1165, 0.0173, 0.0276, 0.0370, 0.1420, 0.0095, 0.0186, 0.0219, 0.0619, 0.0018, 0.0088,
        0.0534, 0.0274, 0.0624, 0.0728, 0.0264, 0.0008, 0.0757, 0.0891, 0.0729, 0.0212, 0.0082,
        0.0095, 0.0024, 0.0129, 0.0021,
    ]
)  # fmt: skip


def repeats(clue: str) -> frozenset[str]:
    """The answers that would repeat a word of the clue, or the whole clue."""
    words = {word for word in map(normalise_answer, tokens(clue)) if word}
    return frozenset(words | {normalise_answer(clue)})


def repeated(words: Words, clue: str) -> list[int]:
    """The positions of the answers that a clue rules out, since they repeat its words."""
    length = words.length
    found = (words.find(word) for word in repeats(clue) if len(word) == length)
    return sorted(at for at in found if at is not None)


def log_chance(pattern: str) -> float:
    """The log-probability that an answer nobody knows has just the pattern's letters."""
    return float(sum(np.log(LETTER_SHARE[ord(c) - 65]) for c in pattern if c != EMPTY))


def best(
    distribution: Distribution, pattern: str, limit: int, confidence: Mapping[int, float]
) -> list[Guess]:
    """The likeliest answers that fit, conditional on the pattern's letters.

    `confidence` has the formula's confidence by the answer's position; others have none (0).
    """
    return [
        Guess(answer, log_prob, confidence.get(place, 0.0))
        for place, answer, log_prob in ranked(distribution, pattern, limit)
    ]


def ranked(
    distribution: Distribution, pattern: str, limit: int
) -> Iterator[tuple[int, str, float]]:
    """(position, answer, log-probability) of the likeliest answers that fit, the best first."""
    words, scores = distribution.words, distribution.log_probs
    shift = 0.0
    fitting = np.arange(len(words))
    if any(sign != EMPTY for sign in pattern):
        fitting = np.flatnonzero(words.matches(pattern))
        scores = scores[fitting]
        unknown = distribution.log_unknown + log_chance(pattern)
        shift = float(np.logaddexp.reduce([*scores.astype(np.float64), unknown]))
    if 0 < limit < len(scores):
        top = highest(scores, limit)
        fitting, scores = fitting[top], scores[top]
    possible = scores > LOG_ZERO / 2
    fitting, scores = fitting[possible], scores[possible]
    # Ties go to the lower position, that is to the alphabet: the same list on every machine.
    order = np.lexsort((fitting, -scores))[: max(limit, 0)]
    fitting = fitting[order]
    log_probs = np.minimum(scores[order].astype(np.float64) - shift, 0.0)
    # Only these as strings: all that are known would take longer, and much memory.
    text, size = bytes(words.letters[fitting] + np.uint8(65)).decode("ascii"), words.length
    answers = (text[i * size : (i + 1) * size] for i in range(len(fitting)))
    return zip(fitting.tolist(), answers, log_probs.tolist(), strict=True)
