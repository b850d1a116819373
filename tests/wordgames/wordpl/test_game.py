"""The rules: clues, noise, and everything that loses a game."""

from __future__ import annotations

import contextlib
import math
import re
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordgames.errors import ReplyError
from wordgames.wordpl.game import (
    WRONG,
    clue_text,
    keep_probability,
    parse_clues,
    play,
    randomised,
    true_clues,
)


class Scripted:
    """Plays the moves it is given; `moves[-1]` for ever after."""

    def __init__(self, *moves: Any) -> None:
        self.moves = moves
        self.turn = 0

    def first_move(self) -> Any:
        self.turn = 0
        return self.moves[0]

    def next_move(self, guess: str, epsilon: float, result: str) -> Any:
        self.turn += 1
        return self.moves[min(self.turn, len(self.moves) - 1)]


def test_clues_follow_the_naive_rule() -> None:
    # happy against puppy: the first p of puppy counts as elsewhere, though both p's are placed.
    assert true_clues("happy", "puppy") == "..ccc"
    assert true_clues("puppy", "happy") == "i.ccc"
    assert true_clues("salet", "table") == ".ciii"


def test_a_clue_stays_with_the_stated_probability() -> None:
    assert keep_probability(0) == pytest.approx(1 / 3)
    assert keep_probability(4.2) == pytest.approx(math.exp(0.84) / (2 + math.exp(0.84)))
    assert keep_probability(1e9) == 1.0
    rng = np.random.default_rng(1)
    noisy = [randomised("c", 5.0, rng) for _ in range(20_000)]
    keep = keep_probability(5.0)
    assert noisy.count("c") / 20_000 == pytest.approx(keep, abs=0.012)
    assert noisy.count("i") / 20_000 == pytest.approx((1 - keep) / 2, abs=0.012)


@given(st.integers(0, 242))
def test_clue_signs_round_trip(pattern: int) -> None:
    assert parse_clues(clue_text(pattern)) == pattern


@pytest.mark.parametrize("text", ["", "ccc", "cccccc", "ccccx", "CCCCC"])
def test_clues_that_are_not_five_signs_are_refused(text: str) -> None:
    with pytest.raises(ReplyError, match="five of"):
        parse_clues(text)


def test_the_score_is_the_sum_of_epsilon_and_infinite_if_wrong() -> None:
    seed = 3
    answer = play(Scripted(("salet", 0)), seed).answer
    won = play(Scripted(("salet", 2.5), ("crony", 4), (answer, 0)), seed)
    assert won.won and won.score == 6.5 and [m.epsilon for m in won.moves] == [2.5, 4, 0]
    lost = play(Scripted(("salet", 2.5), ("zzzzz" if answer == "salet" else "salet", 0)), seed)
    assert lost.score == math.inf and lost.total == 2.5 and lost.reason == WRONG


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (("salet", -1.0), "negative"),
        (("salet", float("nan")), "NaN"),
        (("salet", float("inf")), "infinite"),
        (("zzzzz", 3.0), "not in the word list"),
        (("zzzzz", 0.0), "not in the word list"),
        (("SALET", 3.0), "not in the word list"),
        ((5, 3.0), "begin with a word"),
        (("salet", "much"), r"must be \(word, ε\)"),
        (None, r"must be \(word, ε\)"),
        (("salet", 1, 2), r"must be \(word, ε\)"),
        (("salet", 1e308), "adds up to infinity"),
    ],
)
def test_a_move_against_the_rules_loses_with_its_reason(move: Any, reason: str) -> None:
    game = play(Scripted(move), 1)
    assert not game.won and game.score == math.inf

    assert re.search(reason, game.reason)


def test_an_exception_loses_and_is_told() -> None:
    class Broken(Scripted):
        def next_move(self, guess: str, epsilon: float, result: str) -> Any:
            raise KeyError("oops")

    assert play(Broken(("salet", 1.0)), 1).reason == "the strategy raised KeyError: 'oops'"

    class Quits(Scripted):
        def first_move(self) -> Any:
            raise SystemExit(3)

    assert "SystemExit" in play(Quits(), 1).reason


def test_time_runs_out_even_for_a_strategy_that_swallows_exceptions() -> None:
    class Slow(Scripted):
        def first_move(self) -> Any:
            while True:
                with contextlib.suppress(Exception):
                    time.sleep(0.01)

    start = time.perf_counter()
    game = play(Slow(), 1, seconds=0.2)
    assert game.reason == "more than 0.2 seconds"
    assert time.perf_counter() - start < 2.0


def test_asking_for_ever_runs_out_of_time() -> None:
    assert play(Scripted(("salet", 0.001)), 1, seconds=0.2).reason == "more than 0.2 seconds"


def test_the_seed_alone_decides_answer_and_luck() -> None:
    games = [play(Scripted(("salet", 5.0), ("crony", 5.0), ("aback", 0)), 11) for _ in range(2)]
    assert games[0].moves == games[1].moves and games[0].answer == games[1].answer
    others = {play(Scripted(("aback", 0)), seed).answer for seed in range(20)}
    assert len(others) > 15
