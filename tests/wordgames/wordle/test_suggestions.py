from __future__ import annotations

import pytest

from wordgames.errors import InputError, ReplyError
from wordgames.wordle import Wordle, simulate_boards, suggest, suggest_for_boards


def test_advice_lists_what_remains_and_good_guesses(classic_game: Wordle) -> None:
    advice = suggest(classic_game, [("soare", "00110")], count=5)
    assert len(advice.remaining) == 42
    assert "rabid" in advice.remaining
    assert len(advice.suggestions) == 5
    best = advice.suggestions[0]
    assert best.expected_remaining < 3
    assert best.expected_guesses == min(s.expected_guesses or 9 for s in advice.suggestions)


def test_the_strategy_decides_the_order(classic_game: Wordle) -> None:
    history = [("soare", "00110")]
    by_mean = suggest(classic_game, history, strategy="mean").suggestions
    by_max = suggest(classic_game, history, strategy="max").suggestions
    assert by_mean[0].expected_remaining == min(s.expected_remaining for s in by_mean)
    assert by_max[0].worst_remaining <= by_mean[0].worst_remaining
    assert by_mean[0].expected_guesses is None


def test_one_remaining_word_is_the_suggestion(small_game: Wordle) -> None:
    advice = suggest(small_game, [("cat", "022"), ("bat", "022")])
    assert [entry.word for entry in advice.suggestions] == ["rat"]
    assert advice.suggestions[0].may_be_answer


def test_a_solved_history_needs_no_guess(small_game: Wordle) -> None:
    advice = suggest(small_game, [("cat", "222")])
    assert advice.remaining == ("cat",)
    assert advice.suggestions == ()


def test_boards_share_a_guess(classic_game: Wordle) -> None:
    advice = suggest_for_boards(classic_game, [("soare", ["00110", "22000"])], 2)
    assert len(advice.boards) == 2
    assert set(advice.boards[0]).isdisjoint(advice.boards[1])
    assert (
        advice.suggestions[0].bits
        > suggest(classic_game, [("soare", "00110")], strategy="entropy").suggestions[0].bits
    )


def test_a_certain_board_is_solved_first_and_a_solved_one_left_alone(small_game: Wordle) -> None:
    history = [("cat", ["022", "222"]), ("bat", ["022", "-"])]
    advice = suggest_for_boards(small_game, history, 2)
    assert [entry.word for entry in advice.suggestions] == ["rat"]


def test_boards_need_a_reply_each(small_game: Wordle) -> None:
    with pytest.raises(ReplyError, match="needs 2 replies, one a board, not 1"):
        suggest_for_boards(small_game, [("cat", ["022"])], 2)


def test_hard_mode_with_boards_is_refused() -> None:
    with pytest.raises(InputError, match="--hard"):
        suggest_for_boards(Wordle(hard=True), [("soare", ["00110", "00000"])], 2)


def test_random_board_games_depend_on_the_seed_alone(classic_game: Wordle) -> None:
    alone = simulate_boards(classic_game, 2, games=4, seed=5)
    shared = simulate_boards(classic_game, 2, games=4, seed=5, jobs=2)
    assert alone.results == shared.results
    assert all(2 <= turns <= 9 for turns in alone.results)
