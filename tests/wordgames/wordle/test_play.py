from __future__ import annotations

import io

import pytest
from rich.console import Console

from wordgames.wordle import Wordle
from wordgames.wordle.play import it_guesses, you_guess


def played(monkeypatch: pytest.MonkeyPatch, typed: list[str]) -> tuple[Console, io.StringIO]:
    lines = iter(typed)

    def answer(*_: object, **__: object) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    shown = io.StringIO()
    console = Console(file=shown, width=100)
    monkeypatch.setattr(console, "input", answer)
    return console, shown


def test_you_can_win(monkeypatch: pytest.MonkeyPatch, small_game: Wordle) -> None:
    console, shown = played(monkeypatch, list(small_game.vocabulary.words))
    you_guess(console, small_game, seed=3)
    assert "Found in" in shown.getvalue()


def test_a_word_that_is_not_in_the_list_costs_no_turn(
    monkeypatch: pytest.MonkeyPatch, small_game: Wordle
) -> None:
    console, shown = played(monkeypatch, ["zzz", "toolong", "?", *small_game.vocabulary.words])
    you_guess(console, small_game, seed=3)
    assert "not in the word list" in shown.getvalue()
    assert "Next guesses" in shown.getvalue()
    assert "Found in" in shown.getvalue()


def test_leaving_says_the_word(monkeypatch: pytest.MonkeyPatch, small_game: Wordle) -> None:
    console, shown = played(monkeypatch, [])
    you_guess(console, small_game, seed=3)
    assert "The word was" in shown.getvalue()


def test_it_finds_your_word_and_survives_mistyped_replies(
    monkeypatch: pytest.MonkeyPatch, classic_game: Wordle
) -> None:
    # It opens with salet; the answer is crane.
    console, shown = played(monkeypatch, ["0", "22222x", "n", "00000", "11111", "00000"])
    it_guesses(console, classic_game)
    text = shown.getvalue()
    assert "SALET" in text
    assert "digits" in text
    assert text.count("1. ") >= 3


def test_it_says_which_reply_contradicts(
    monkeypatch: pytest.MonkeyPatch, small_game: Wordle
) -> None:
    console, shown = played(monkeypatch, ["111"])
    it_guesses(console, small_game)
    assert "no word in the list gives the reply" in shown.getvalue()
