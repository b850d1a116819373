from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordgames.errors import InputError, ReplyError, UnknownNameError
from wordgames.replies import (
    RULES,
    Rule,
    checked_rule,
    digits,
    parse_reply,
    pattern_code,
    pattern_matrix,
    reply,
    reply_text,
)
from wordgames.words import classic


def coded(word: str) -> np.ndarray:
    return np.frombuffer(word.encode(), np.uint8)


def plain_reply(guess: str, answer: str, rule: Rule) -> tuple[int, ...]:
    """The rules as a person would carry them out, to check the vectorised ones against."""
    colours = [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]
    unmatched = [a for g, a in zip(guess, answer, strict=True) if g != a]
    for i, letter in enumerate(guess):
        if colours[i] == 0:
            if rule == "naive":
                colours[i] = int(letter in answer)
            elif letter in unmatched:
                unmatched.remove(letter)
                colours[i] = 1
    return tuple(colours)


@pytest.mark.parametrize(
    ("guess", "answer", "standard", "naive"),
    [
        ("puppy", "happy", "00222", "10222"),
        ("speed", "abide", "00101", "00111"),
        ("eerie", "there", "10102", "11102"),
        ("wince", "wince", "22222", "22222"),
        ("aaabb", "bbaaa", "11211", "11211"),
        ("abcde", "fghij", "00000", "00000"),
    ],
)
def test_replies_known_by_hand(guess: str, answer: str, standard: str, naive: str) -> None:
    assert reply_text(pattern_code(reply(coded(guess), coded(answer))), 5) == standard
    assert reply_text(pattern_code(reply(coded(guess), coded(answer), "naive")), 5) == naive


@given(st.data(), st.integers(1, 12), st.sampled_from(RULES))
def test_the_matrix_agrees_with_the_plain_rules(
    data: st.DataObject, length: int, rule: Rule
) -> None:
    word = st.text("abcd", min_size=length, max_size=length)
    guesses = data.draw(st.lists(word, min_size=1, max_size=4))
    answers = data.draw(st.lists(word, min_size=1, max_size=4))
    matrix = pattern_matrix(
        np.array([coded(w) for w in guesses]), np.array([coded(w) for w in answers]), rule
    )
    for row, guess in enumerate(guesses):
        for column, answer in enumerate(answers):
            assert digits(int(matrix[row, column]), length) == plain_reply(guess, answer, rule)


@given(st.text("abc", min_size=5, max_size=5), st.text("abc", min_size=5, max_size=5))
def test_naive_differs_from_standard_only_where_it_shows_more_yellow(a: str, b: str) -> None:
    for standard, naive in zip(
        plain_reply(a, b, "standard"), plain_reply(a, b, "naive"), strict=True
    ):
        assert standard == naive or (standard, naive) == (0, 1)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=15))
def test_reply_codes_round_trip(colours: list[int]) -> None:
    code = pattern_code(tuple(colours))
    assert digits(code, len(colours)) == tuple(colours)
    assert parse_reply(reply_text(code, len(colours)), len(colours)) == code


@pytest.mark.parametrize("typed", ["00112", " bbyyg ", "..yyG", "--??+", "⬛⬜🟨🟨🟩"])
def test_replies_can_be_typed_in_several_ways(typed: str) -> None:
    assert parse_reply(typed, 5) == pattern_code((0, 0, 1, 1, 2))


def test_a_reply_of_the_wrong_length_says_so() -> None:
    with pytest.raises(ReplyError, match=r"4 digits.*5 letters"):
        parse_reply("0011", 5)


def test_an_unknown_colour_is_named() -> None:
    with pytest.raises(ReplyError, match="'3' is not a colour"):
        parse_reply("00130", 5)


def test_an_unknown_rule_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="standard, naive"):
        checked_rule("strict")


@pytest.mark.parametrize("length", [0, 16])
def test_lengths_that_have_no_pattern_codes_are_refused(length: int) -> None:
    words = np.zeros((1, length), np.uint8)
    with pytest.raises(InputError):
        pattern_matrix(words, words)


def test_the_classic_matrix_is_built_in_under_three_seconds() -> None:
    words = classic()
    started = time.process_time()
    matrix = words.pattern_matrix()
    assert time.process_time() - started < 3
    assert matrix.shape == (12_972, 2_315)
