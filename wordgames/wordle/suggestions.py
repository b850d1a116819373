"""What to guess next, as values that a program can use: the best guesses with their figures, and
what remains. For one board or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wordgames.wordle.boards import ranked_on_boards, replay_boards
from wordgames.wordle.bruteforce import figures
from wordgames.wordle.game import Position, Wordle
from wordgames.wordle.lookahead import SEARCH_LIMIT
from wordgames.wordle.strategies import STRATEGIES, RankedGuess, WordleStrategy

History = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Suggestion:
    """A guess and how it splits what remains; sizes are summed over boards. `expected_guesses`
    (this one and those to follow) is known where the strategy is `lookahead`."""

    word: str
    expected_remaining: float
    worst_remaining: int
    replies: int
    bits: float
    may_be_answer: bool
    expected_guesses: float | None = None


@dataclass(frozen=True)
class Advice:
    """The best guesses, best first, and for each board the answers that remain."""

    suggestions: tuple[Suggestion, ...]
    boards: tuple[tuple[str, ...], ...]

    @property
    def remaining(self) -> tuple[str, ...]:
        """The answers that remain on the first board."""
        return self.boards[0]


def suggest(
    game: Wordle, history: History = (), *, strategy: str | WordleStrategy = "", count: int = 10
) -> Advice:
    """Advice after these (word, reply) pairs, ranked by the strategy.

    The default strategy is `lookahead` where it is quick, and `mean` while much remains.
    """
    position = game.replay(history)
    if not strategy:
        strategy = "lookahead" if len(position.remaining) <= SEARCH_LIMIT else "mean"
    if isinstance(strategy, str):
        strategy = STRATEGIES.create(strategy, game)
    ranked = strategy.ranked(position, count)
    advice = _advice(game, ranked, [position])
    if strategy.name != "lookahead":
        return advice
    costed = zip(advice.suggestions, ranked, strict=False)
    suggestions = tuple(replace(entry, expected_guesses=rank.cost) for entry, rank in costed)
    return replace(advice, suggestions=suggestions)


def suggest_for_boards(
    game: Wordle, history: Sequence[tuple[str, Sequence[str]]], boards: int, *, count: int = 10
) -> Advice:
    """Advice for several boards at once: each guess has one reply a board."""
    positions = replay_boards(game, history, boards)
    return _advice(game, ranked_on_boards(game, positions, count), positions)


def described(
    game: Wordle, positions: Sequence[Position], guesses: Sequence[int]
) -> list[Suggestion]:
    """The figures of these guesses."""
    rows = np.array(guesses, np.int32)
    tables = [figures(game, rows, position.remaining) for position in positions]
    places = game.vocabulary.answer_of[rows]
    return [
        Suggestion(
            word=game.vocabulary.words[guess],
            expected_remaining=float(sum(table[k, 0] for table in tables)),
            worst_remaining=int(sum(table[k, 1] for table in tables)),
            replies=int(max(table[k, 2] for table in tables)),
            bits=float(sum(table[k, 3] for table in tables)),
            may_be_answer=any(places[k] in position.remaining for position in positions),
        )
        for k, guess in enumerate(guesses)
    ]


def _advice(game: Wordle, ranked: list[RankedGuess], positions: Sequence[Position]) -> Advice:
    unsolved = [position for position in positions if not is_solved(game, position)]
    guesses = [entry.guess for entry in ranked]
    words = game.vocabulary.answer_words
    return Advice(
        tuple(described(game, unsolved, guesses)) if unsolved else (),
        tuple(tuple(words[answer] for answer in position.remaining) for position in positions),
    )


def is_solved(game: Wordle, position: Position) -> bool:
    """Whether the last reply was all green."""
    return bool(position.history) and position.history[-1][1] == game.all_green
