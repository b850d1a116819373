from __future__ import annotations

import pytest

from wordgames.errors import InputError, UnknownWordError
from wordgames.wordle import Wordle, review


def test_the_game_of_the_manual(classic_game: Wordle) -> None:
    report = review(classic_game, ["soare", "clint", "mince", "wince"], "wince")
    first, second, third, last = report.turns
    assert (first.reply, second.reply, third.reply, last.reply) == (
        "00002",
        "10110",
        "02222",
        "22222",
    )
    assert first.guess.expected_remaining == pytest.approx(62.30, abs=0.005)
    assert first.guess.worst_remaining == 183
    assert (first.before, first.remained) == (2_315, 79)
    assert (first.best.word, first.best.worst_remaining) == ("roate", 195)
    assert first.best.expected_remaining == pytest.approx(60.42, abs=0.005)
    assert (second.before, second.remained, third.before) == (79, 4, 4)
    assert last.skill == 100
    assert report.solved
    assert report.best_path[0].word == "salet"
    assert report.best_path[-1].word == "wince"


def test_skill_is_at_most_100_and_luck_a_share(classic_game: Wordle) -> None:
    report = review(classic_game, ["fuzzy", "mamma", "wince"], "wince")
    for turn in report.turns:
        assert 0 < turn.skill <= 100
        assert 0 <= turn.luck <= 100
    assert report.turns[0].skill < 30


def test_luck_counts_the_replies_that_would_have_left_more(small_game: Wordle) -> None:
    # bat leaves {cat, rat} (2 of 6) and four replies of one word; being right leaves nothing.
    lucky = review(small_game, ["bat"], "bat").turns[0]
    assert lucky.luck == pytest.approx(100 * (5 + 0.5) / 6)
    unlucky = review(small_game, ["bat"], "cat").turns[0]
    assert unlucky.luck == pytest.approx(100 * 1 / 6)
    assert unlucky.remained == 2


def test_passing_over_a_certain_answer_costs_skill(small_game: Wordle) -> None:
    turn = review(small_game, ["cot", "dog", "car"], "car").turns[1]
    assert turn.before == 1
    assert turn.skill == 50
    assert not turn.fits_history


def test_an_unfinished_game_is_reviewed(small_game: Wordle) -> None:
    assert not review(small_game, ["dog"], "cat").solved


def test_input_that_is_no_game_is_refused(classic_game: Wordle) -> None:
    with pytest.raises(InputError, match="after the answer was found"):
        review(classic_game, ["wince", "mince"], "wince")
    with pytest.raises(UnknownWordError, match="never the answer"):
        review(classic_game, ["wince"], "soare")
    with pytest.raises(InputError, match="give the guesses"):
        review(classic_game, [], "wince")
