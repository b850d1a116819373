from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames.errors import (
    ImpossibleHistoryError,
    InputError,
    ReplyError,
    UnknownNameError,
    UnknownWordError,
)
from wordgames.wordle import Wordle
from wordgames.words import vocabulary

HARD = Wordle(hard=True)


def words_left(game: Wordle, *history: tuple[str, str]) -> list[str]:
    return [game.vocabulary.answer_words[k] for k in game.replay(history).remaining]


def test_a_reply_leaves_the_words_that_fit(small_game: Wordle) -> None:
    assert words_left(small_game, ("cat", "022")) == ["bat", "rat"]
    assert words_left(small_game, ("cat", "022"), ("bat", "022")) == ["rat"]


def test_a_split_covers_all_and_groups_by_reply(small_game: Wordle) -> None:
    start = small_game.start()
    cat = small_game.vocabulary.index("cat")
    groups = small_game.split(start.remaining, cat)
    assert sorted(k for _, group in groups for k in group) == list(range(6))
    assert [pattern for pattern, _ in groups] == sorted({pattern for pattern, _ in groups})
    for pattern, group in groups:
        assert all(small_game.reply(cat, int(k)) == pattern for k in group)
    large = small_game.split(start.remaining, cat, at_least=2)
    assert [len(group) for _, group in large] == [2]


def test_an_impossible_reply_names_the_earlier_one_it_contradicts(classic_game: Wordle) -> None:
    history = [("soare", "00110"), ("clint", "00000"), ("crane", "00200")]
    with pytest.raises(ImpossibleHistoryError, match=r"crane=00200 contradicts soare=00110"):
        classic_game.replay(history)


def test_replies_that_only_together_contradict_say_so(small_game: Wordle) -> None:
    history = [("cat", "022"), ("dog", "000"), ("bat", "022"), ("rat", "022")]
    with pytest.raises(ImpossibleHistoryError, match=r"rat=022 contradicts .*together"):
        small_game.replay(history)


def test_a_reply_no_word_gives_is_named_alone(small_game: Wordle) -> None:
    with pytest.raises(ImpossibleHistoryError, match="no word in the list gives the reply cat=111"):
        small_game.replay([("cat", "111")])


def test_unknown_words_and_malformed_replies_are_refused(small_game: Wordle) -> None:
    with pytest.raises(UnknownWordError):
        small_game.replay([("zzz", "000")])
    with pytest.raises(ReplyError):
        small_game.replay([("cat", "0000")])
    with pytest.raises(UnknownNameError):
        Wordle(small_game.vocabulary, rule="odd")


def test_hard_mode_keeps_greens_and_uses_every_coloured_letter() -> None:
    game = Wordle(vocabulary(["speed", "steel", "sleep", "creep", "spell", "eerie"]), hard=True)
    start = game.start()
    speed = game.vocabulary.index("speed")
    after = game.after(start, speed, int("20220", 3))  # s, e, e green
    assert [game.vocabulary.words[k] for k in after.allowed] == ["sleep", "speed", "steel"]
    after = game.after(start, speed, int("00110", 3))  # two e somewhere; grey s may come again
    allowed = [game.vocabulary.words[k] for k in after.allowed]
    assert allowed == ["creep", "eerie", "sleep", "speed", "steel"]
    with pytest.raises(InputError, match="hard mode does not allow 'spell'"):
        game.checked_guess(after, "spell")


def test_normal_mode_allows_everything(small_game: Wordle) -> None:
    after = small_game.replay([("cat", "022")])
    assert len(after.allowed) == 6


@settings(deadline=None)  # the first example builds the matrix
@given(st.integers(0, 2314), st.lists(st.integers(0, 12_971), max_size=4))
def test_the_answer_always_remains_and_is_always_allowed(answer: int, guesses: list[int]) -> None:
    position = HARD.start()
    for guess in guesses:
        if guess in position.allowed:
            position = HARD.after(position, guess, HARD.reply(guess, answer))
    assert answer in position.remaining
    assert HARD.vocabulary.answers[answer] in position.allowed
