"""What the tables and splits are chosen by; small, so that chance and time stay small."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.budget import second_moves
from wordgames.wordpl.game import parse_clues
from wordgames.wordpl.lookahead import chance_with_two
from wordgames.wordpl.planning import (
    chance_of_table,
    chance_of_three,
    compared_splits,
    last_chance,
    second_of_three,
    second_of_two,
)


def test_the_table_of_two_questions_is_what_ships() -> None:
    # Ties apart, the shipped word has the same chance to win.
    shipped = second_moves("best-5")
    for move in islice(second_of_two("trace", 9.0, 14.5), 3):
        word, epsilon = shipped[move.reply]
        belief = Belief().after(board().words.index("trace"), 9.0, parse_clues(move.reply))
        chance = belief.chance_to_win(board().words.index(word), epsilon)
        assert epsilon == move.epsilon == 5.5
        assert chance == pytest.approx(move.win_chance, rel=1e-9)


def test_a_question_more_at_the_same_total_is_not_better_where_epsilon_is_small() -> None:
    belief = Belief().after(board().words.index("trace"), 9.0, parse_clues("....."))
    guess = belief.best_guess(4.5, 1.0)
    two = chance_with_two(belief, guess, 4.5, 1.0, cover=0.2, shortlist=60)
    assert two < last_chance(belief, 5.5)


def test_second_moves_of_three_keep_the_total() -> None:
    (move,) = islice(
        second_of_three("trace", 13.3, 36.599, inner_cover=0.05, shortlist=20, spread=()), 1
    )
    assert move.word in board().words.words
    assert 0.0 < move.epsilon < 36.599 - 13.3
    assert 0.0 < move.win_chance < 1.0


def test_more_budget_on_the_same_luck_wins_more() -> None:
    splits = ((9.0, 5.5), (12.0, 9.0))
    chances = np.array(list(compared_splits(splits, first="trace", order=1.0, games=12, seed=4)))
    assert chances.shape == (12, 2)
    assert chances[:, 1].mean() > chances[:, 0].mean()


def test_an_opening_with_more_budget_wins_more() -> None:
    cheap = {"cover": 0.05, "inner_cover": 0.05, "shortlist": 20}
    little, much = (chance_of_three("trace", total / 3, total, **cheap) for total in (24.0, 45.0))
    assert 0.0 < little < much < 1.0


def test_the_chance_of_a_table_follows_its_moves_and_does_without() -> None:
    def likeliest(moves: dict[str, tuple[str, float]]) -> tuple[float, float]:
        return next(chance_of_table("trace", 13.3, 36.599, moves, cover=0.1, shortlist=20))

    share, tabled = likeliest(second_moves("best-50"))
    assert 0.0 < share < 0.1
    assert 0.0 < likeliest({})[1] < 1.0
    # A word of no use, and nearly all of the rest on it, wins less often than the shipped move.
    assert likeliest({".....": ("fuzzy", 23.0)})[1] < tabled
