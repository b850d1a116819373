"""A finished game looked at turn by turn, as values that a program can use.

*Skill* compares what a guess was expected to leave with the best possible guess, 100 being as
good: 100 (1 + best) / (1 + yours), where a solved game leaves 0. *Luck* is where the real reply
stood among the replies the guess could have had: the chance, in per cent, of one that leaves
more (ties count half), so 50 is ordinary. Both use only what was known at that turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordgames.errors import InputError
from wordgames.replies import reply_text
from wordgames.wordle.bruteforce import figures
from wordgames.wordle.game import Indices, Position, Wordle
from wordgames.wordle.strategies import STRATEGIES, WordleStrategy


@dataclass(frozen=True)
class Choice:
    """A guess and the sizes it may leave."""

    word: str
    expected_remaining: float
    worst_remaining: int


@dataclass(frozen=True)
class ReviewedTurn:
    """One turn; `before` and `remained` count the answers possible before and after it."""

    guess: Choice
    reply: str
    before: int
    remained: int
    best: Choice
    skill: float
    luck: float
    fits_history: bool


@dataclass(frozen=True)
class Step:
    """A turn of the best path: guess, reply, answers possible after it."""

    word: str
    reply: str
    remained: int


@dataclass(frozen=True)
class Review:
    answer: str
    solved: bool
    turns: tuple[ReviewedTurn, ...]
    best_path: tuple[Step, ...]

    @property
    def skill(self) -> float:
        """The mean over turns."""
        return float(np.mean([turn.skill for turn in self.turns]))

    @property
    def luck(self) -> float:
        return float(np.mean([turn.luck for turn in self.turns]))


def review(
    game: Wordle, guesses: Sequence[str], answer: str, *, strategy: WordleStrategy | None = None
) -> Review:
    """Reviews a game; the best path is the one `strategy` (lookahead) takes to the answer."""
    if not guesses:
        raise InputError("give the guesses of the game in order, then --answer WORD")
    target = game.vocabulary.answer_index(answer)
    position = game.start()
    turns = []
    for number, word in enumerate(guesses, 1):
        if position.history and position.history[-1][1] == game.all_green:
            raise InputError(f"guess {number} ({word!r}) comes after the answer was found")
        guess = game.checked_guess(position, word)
        turn, position = _turn(game, position, guess, target)
        turns.append(turn)
    solved = position.history[-1][1] == game.all_green
    strategy = strategy or STRATEGIES.create("lookahead", game)
    return Review(
        game.vocabulary.answer_words[target], solved, tuple(turns), best_path(strategy, target)
    )


def best_path(strategy: WordleStrategy, target: int) -> tuple[Step, ...]:
    """The guesses a strategy makes for this answer, from the start."""
    game = strategy.game
    position = game.start()
    steps = []
    while not position.history or position.history[-1][1] != game.all_green:
        guess = strategy.choose(position)
        following = game.after(position, guess, game.reply(guess, target))
        if len(following.remaining) == len(position.remaining) > 1:
            guess = int(game.vocabulary.answers[position.remaining[0]])
            following = game.after(position, guess, game.reply(guess, target))
        position = following
        text = reply_text(position.history[-1][1], game.vocabulary.length)
        steps.append(Step(game.vocabulary.words[guess], text, len(position.remaining)))
    return tuple(steps)


def _turn(
    game: Wordle, position: Position, guess: int, target: int
) -> tuple[ReviewedTurn, Position]:
    remaining = position.remaining
    n = len(remaining)
    sizes = figures(game, position.allowed, remaining)
    may_be_answer = np.isin(position.allowed, game.vocabulary.answers[remaining])
    # What is left to find: a solved game leaves nothing, where the plain size would say one.
    left = sizes[:, 0] - may_be_answer / n
    best = int(np.lexsort((position.allowed, sizes[:, 1], left))[0])
    yours = int(np.searchsorted(position.allowed, guess))
    following = game.after(position, guess, game.reply(guess, target))
    pattern = following.history[-1][1]
    turn = ReviewedTurn(
        guess=_choice(game, guess, sizes[yours]),
        reply=reply_text(pattern, game.vocabulary.length),
        before=n,
        remained=len(following.remaining),
        best=_choice(game, int(position.allowed[best]), sizes[best]),
        skill=float(100 * (1 + left[best]) / (1 + left[yours])),
        luck=_luck(game, remaining, guess, pattern),
        fits_history=bool(may_be_answer[yours]),
    )
    return turn, following


def _choice(game: Wordle, guess: int, sizes: np.ndarray) -> Choice:
    return Choice(game.vocabulary.words[guess], float(sizes[0]), int(sizes[1]))


def _luck(game: Wordle, remaining: Indices, guess: int, pattern: int) -> float:
    left = {
        code: 0 if code == game.all_green else len(bucket)
        for code, bucket in game.split(remaining, guess)
    }
    chance = {code: len(bucket) / len(remaining) for code, bucket in game.split(remaining, guess)}
    more = sum(chance[code] for code in left if left[code] > left[pattern])
    same = sum(chance[code] for code in left if left[code] == left[pattern])
    return 100 * (more + same / 2)
