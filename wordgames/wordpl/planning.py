"""Where the shipped strategies' choices come from: tables of second moves, and splits of a total.

With two questions left the chance to win is worked out by playing every likely reply to the first
of them and asking the best last question; that is too slow in play, so the second moves of a
fixed first one are worked out once. Splits are compared on the same answers and the same luck, by
the chance to win at the last question instead of by whether the game was won.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordgames.replies import digits, pattern_code
from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.game import clue_text
from wordgames.wordpl.kernels import CLUES, keep_and_flip, reply_chances, worth
from wordgames.wordpl.strategies import SHANNON, WIN

SECOND_SHARE = 0.555  # of what is left, for the second question of three: the best of fixed splits
_HEAD_ORDER = 2.0  # an order above 1: questions that tell the likeliest answers apart


@dataclass(frozen=True)
class SecondMove:
    """The move after one reply to the first question: the reply's chance, and that to win then."""

    reply: str
    reply_chance: float
    word: str
    epsilon: float
    win_chance: float


def last_chance(belief: Belief, epsilon: float, shortlist: int | None = None) -> float:
    """The chance to win with one question left."""
    return belief.chance_to_win(belief.best_guess(epsilon, WIN, shortlist), epsilon)


def chance_with_two(
    belief: Belief, guess: int, epsilon: float, rest: float, *, cover: float, shortlist: int
) -> float:
    """The chance to win by asking this, then the best last question with the rest of the total.

    Only the likeliest replies, `cover` of all, are played.
    """
    chances = reply_chances(board().patterns[guess], belief.probabilities, epsilon)
    won = seen = 0.0
    for reply in np.argsort(-chances):
        following = belief.after(guess, epsilon, int(reply))
        won += chances[reply] * last_chance(following, rest, shortlist)
        seen += chances[reply]
        if seen > cover:
            break
    return float(won / seen)


def second_of_two(first: str, epsilon: float, total: float) -> Iterator[SecondMove]:
    """The best last word, of all that may be asked, for every reply to the first question."""
    words = board().words.words
    every_guess = np.arange(len(words))
    left = total - epsilon
    for reply, chance, belief in _after_first(first, epsilon):
        everyone = np.arange(len(belief.probabilities))
        values = worth(every_guess, board().patterns, everyone, belief.probabilities, left, WIN)
        guess = int(values.argmax())
        yield SecondMove(reply, chance, words[guess], left, float(values[guess]))


def second_of_three(
    first: str,
    epsilon: float,
    total: float,
    *,
    share: float = SECOND_SHARE,
    spread: Sequence[float] = (-0.8, 0.8),
    cover: float = 0.985,
    inner_cover: float = 0.85,
    shortlist: int = 160,
) -> Iterator[SecondMove]:
    """The second move for the likeliest replies: six words by information and two by the head of
    the belief, each played to the end; then other ε for the best of them."""
    seen = 0.0
    for reply, chance, belief in _after_first(first, epsilon):
        if seen > cover:
            return
        seen += chance
        left = total - epsilon

        def value(guess: int, ask: float, belief: Belief = belief, left: float = left) -> float:
            return chance_with_two(
                belief, guess, ask, left - ask, cover=inner_cover, shortlist=shortlist
            )

        usual = round(left * share, 2)
        words = dict.fromkeys(
            [
                *belief.best_guesses(usual, SHANNON, 6),
                *belief.best_guesses(usual, _HEAD_ORDER, 2),
            ]
        )
        best, word = max((value(guess, usual), guess) for guess in words)
        asks = [(best, usual)] + [
            (value(word, usual + more), round(usual + more, 2)) for more in spread
        ]
        best, ask = max(asks)
        yield SecondMove(reply, chance, board().words.words[word], ask, best)


def chance_of_three(
    first: str,
    epsilon: float,
    total: float,
    *,
    share: float = SECOND_SHARE,
    cover: float = 0.9,
    inner_cover: float = 0.7,
    shortlist: int = 100,
) -> float:
    """About the chance to win with three questions, the second by information.

    It looks at the likeliest replies alone, after which one wins a little more often than after
    all: good for comparing first questions, too high by about one in a hundred games.
    """
    won = seen = 0.0
    for _, chance, belief in _after_first(first, epsilon):
        ask = (total - epsilon) * share
        guess = belief.best_guess(ask, SHANNON)
        rest = total - epsilon - ask
        won += chance * chance_with_two(
            belief, guess, ask, rest, cover=inner_cover, shortlist=shortlist
        )
        seen += chance
        if seen > cover:
            break
    return won / seen


def compared_splits(
    splits: Sequence[Sequence[float]], *, first: str, order: float, games: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """For each game the chance to win at the last question of every split of a total."""
    rng = np.random.default_rng(seed)
    second: dict[tuple[int, int], int] = {}  # depends on the first reply alone
    for _ in range(games):
        answer = int(rng.integers(len(board().words.answers)))
        luck = rng.random((max(map(len, splits)), CLUES))
        chances = np.empty(len(splits))
        for place, split in enumerate(splits):
            belief, guess = Belief(), board().words.index(first)
            for asked, epsilon in enumerate(split[:-1]):
                reply = _noisy(int(board().patterns[guess, answer]), epsilon, luck[asked])
                belief = belief.after(guess, epsilon, reply)
                following = split[asked + 1]
                last = asked == len(split) - 2
                key = (place, reply)
                if asked == 0 and key in second:
                    guess = second[key]
                    continue
                guess = belief.best_guess(following, WIN if last else order)
                if asked == 0:
                    second[key] = guess
            chances[place] = belief.chance_to_win(guess, split[-1])
        yield chances


def _after_first(first: str, epsilon: float) -> Iterator[tuple[str, float, Belief]]:
    """Every reply to the first question with its chance, likeliest first, and the belief then."""
    guess = board().words.index(first)
    chances = reply_chances(board().patterns[guess], Belief().probabilities, epsilon)
    for reply in np.argsort(-chances, kind="stable"):
        code = int(reply)
        yield clue_text(code), float(chances[code]), Belief().after(guess, epsilon, code)


def _noisy(pattern: int, epsilon: float, luck: NDArray[np.float64]) -> int:
    """The pattern through the noise; the same luck keeps the same clues at any higher ε."""
    keep = keep_and_flip(epsilon)[0]
    noisy = []
    for clue, chance in zip(digits(pattern, CLUES), luck, strict=True):
        flipped = chance >= keep
        other = 1 + int(2 * (chance - keep) / (1 - keep)) if flipped else 0
        noisy.append((clue + min(other, 2)) % 3)
    return pattern_code(tuple(noisy))
