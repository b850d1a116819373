"""Where the shipped strategies' choices come from: tables of second moves, and splits of a total.

With two questions left the chance to win is worked out by playing every likely reply to the first
of them and asking the best last question (`lookahead`). For many words, closely, that is too slow
in play, so the second moves of a fixed first one are worked out once. Splits are compared on the
same answers and the same luck, by the chance to win at the last question instead of by whether the
game was won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordgames.replies import digits, pattern_code
from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.game import clue_text
from wordgames.wordpl.kernels import CLUES, keep_and_flip, reply_chances, worth
from wordgames.wordpl.lookahead import chance_with_two
from wordgames.wordpl.strategies import SHANNON, WIN

SECOND_SHARE = 0.565  # of what is left, for the second question of three: the best of fixed splits
# Where candidates for the second of three questions come from: order of entropy → words. On four
# replies the best of sixty words by the whole game were among the first fifteen of one of these.
_CANDIDATES = {SHANNON: 12, 1.5: 4}
_KEPT = 3  # candidates that get the close look
# The rough look at all candidates, as parts of the close one's cover and shortlist; arbitrary, it
# costs about a third.
_ROUGH_COVER = 0.92
_ROUGH_SHORTLIST = 0.4


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
    cover: float = 0.99,
    inner_cover: float = 0.97,
    shortlist: int = 100,
) -> Iterator[SecondMove]:
    """The second move for all but the rarest replies: a dozen words, each played to the end.

    First roughly; then the best three closely, and other ε for the best of them.
    """
    seen = 0.0
    left = total - epsilon
    usual = round(left * share, 2)
    for reply, chance, belief in _after_first(first, epsilon):
        if seen > cover:
            return
        seen += chance

        def rough(guess: int, belief: Belief = belief) -> float:
            return chance_with_two(
                belief,
                guess,
                usual,
                left - usual,
                cover=_ROUGH_COVER * inner_cover,
                shortlist=round(_ROUGH_SHORTLIST * shortlist),
            )

        def close(guess: int, ask: float, belief: Belief = belief) -> float:
            return chance_with_two(
                belief, guess, ask, left - ask, cover=inner_cover, shortlist=shortlist
            )

        words = dict.fromkeys(
            guess
            for order, count in _CANDIDATES.items()
            for guess in belief.best_guesses(usual, order, count)
        )
        kept = sorted(words, key=rough, reverse=True)[:_KEPT]
        looks = sorted(((close(guess, usual), guess, usual) for guess in kept), reverse=True)
        word = looks[0][1]
        asks = [round(usual + more, 2) for more in spread]
        best, word, ask = max([looks[0], *((close(word, ask), word, ask) for ask in asks)])
        yield SecondMove(reply, chance, board().words.words[word], ask, best)


def chance_of_table(
    first: str,
    epsilon: float,
    total: float,
    moves: Mapping[str, tuple[str, float]],
    *,
    share: float = SECOND_SHARE,
    cover: float = 0.9999,
    shortlist: int = 100,
) -> Iterator[tuple[float, float]]:
    """For every first reply its chance, and the chance to win after it by a table of second moves.

    Nothing is left to luck: all replies count, and of the second ones all but `cover`. Replies that
    the table lacks are answered by information, as in play.
    """
    words = board().words
    left = total - epsilon
    for reply, chance, belief in _after_first(first, epsilon):
        if reply in moves:
            word, ask = moves[reply]
            guess = words.index(word)
        else:
            ask = left * share
            guess = belief.best_guess(ask, SHANNON)
        won = chance_with_two(belief, guess, ask, left - ask, cover=cover, shortlist=shortlist)
        yield chance, won


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
