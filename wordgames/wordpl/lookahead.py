"""Two questions ahead: the chance to win by asking a word now and the best last question after.

Every likely reply is played, and after each a last word is searched among those with the highest
clue entropy bound, first by the likeliest answers alone. This is `Belief.best_guess` for a last
question in one compiled loop: a game needs it a few hundred times, a table some millions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.kernels import entropy_bound, pattern_likelihood, reply_chances, worth

_CUT = 1e-4  # answers this much less likely than the best do not change which word is best
# Enough to choose among a few words in play: of the gain of a close look (cover 0.99, shortlist 80)
# this keeps three quarters, on 232 games of a seed of its own; a cover of 0.9 keeps nine tenths and
# takes twice as long.
_QUICK_COVER = 0.8
_QUICK_SHORTLIST = 40
_BINS = 2048  # of the histogram that finds the highest bounds without sorting


def chance_with_two(
    belief: Belief, guess: int, epsilon: float, rest: float, *, cover: float, shortlist: int
) -> float:
    """The chance to win by asking this, then the best last question with the rest of the total.

    Only the likeliest replies, `cover` of all, are played; the last word comes from `shortlist`.
    """
    return float(
        _chance_with_two(
            belief.probabilities,
            guess,
            epsilon,
            rest,
            board().patterns,
            board().codes,
            board().answer_codes,
            cover,
            shortlist,
        )
    )


def best_of(belief: Belief, guesses: Sequence[int], epsilon: float, rest: float) -> int:
    """The guess after which the best last question wins most often, by a quick look at each."""
    return max(
        guesses,
        key=lambda guess: chance_with_two(
            belief, guess, epsilon, rest, cover=_QUICK_COVER, shortlist=_QUICK_SHORTLIST
        ),
    )


@njit(cache=True, nogil=True)
def _chance_with_two(  # type: ignore[no-untyped-def]
    probabilities, guess, epsilon, rest, patterns, codes, answer_codes, cover, shortlist
):
    row = patterns[guess]
    chances = reply_chances(row, probabilities, epsilon)
    joint = np.empty(len(probabilities))
    won = seen = 0.0
    for reply in np.argsort(-chances):
        likelihood = pattern_likelihood(reply, epsilon)
        for answer in range(len(probabilities)):
            joint[answer] = probabilities[answer] * likelihood[row[answer]]
        won += _best_last(joint, patterns, codes, answer_codes, rest, shortlist)
        seen += chances[reply]
        if seen > cover:
            break
    return won / seen


@njit(cache=True, nogil=True)
def _best_last(joint, patterns, codes, answer_codes, epsilon, shortlist):  # type: ignore[no-untyped-def]
    """The chance of these (unnormalised) answers to be found by the best last question."""
    active = np.flatnonzero(joint > _CUT * joint.max())
    mass = joint[active]
    bounds = entropy_bound(codes, answer_codes, active, mass / mass.sum(), epsilon)
    guesses = _highest(bounds, shortlist)
    # Few answers and few finalists: the longer the shortlist, the closer the look.
    head, finalists = 16 + shortlist // 6, 4 + shortlist // 20
    if len(active) > head:
        few = active[np.argsort(-mass)[:head]]
        values = worth(guesses, patterns, few, joint[few], epsilon, 0.0)
        guesses = guesses[np.argsort(-values)[:finalists]]
    return worth(guesses, patterns, active, mass, epsilon, 0.0).max()


@njit(cache=True, nogil=True)
def _highest(bounds, count):  # type: ignore[no-untyped-def]
    """The guesses with the highest bounds, `count` or a few more, in the order of the words."""
    low = bounds.min()
    scale = _BINS / (bounds.max() - low + 1e-12)
    bins = ((bounds - low) * scale).astype(np.int64)
    held = np.zeros(_BINS + 1, np.int64)
    for place in bins:
        held[place] += 1
    least = _BINS
    found = held[least]
    while found < count and least > 0:
        least -= 1
        found += held[least]
    return np.flatnonzero(bins >= least)
