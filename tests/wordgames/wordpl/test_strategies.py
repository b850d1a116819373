"""Every shipped strategy keeps the rules and its promises; the player's own file loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from wordgames.errors import DataError, InputError, UnknownNameError
from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.budget import FixedTotal, second_moves
from wordgames.wordpl.game import WRONG, parse_clues, play
from wordgames.wordpl.loading import parsed, strategy
from wordgames.wordpl.lookahead import best_of
from wordgames.wordpl.strategies import REGISTRY

OWN = """
class Mine:
    def __init__(self, word="aback", epsilon=1.0):
        self.word, self.epsilon = word, epsilon
    def __str__(self):
        return f"Mine({self.word})"
    def first_move(self):
        return self.word, self.epsilon
    def next_move(self, guess, epsilon, result):
        assert len(result) == 5 and set(result) <= set("ci.")
        return self.word, 0

class Half:
    def first_move(self):
        return "salet", 0
"""


@pytest.mark.parametrize("name", REGISTRY.names())
def test_a_shipped_strategy_plays_by_the_rules_and_repeats_itself(name: str) -> None:
    player = strategy(name)
    games = [play(player, seed) for seed in (1, 2, 1)]
    assert all(game.reason in ("", WRONG) for game in games)
    assert all(game.total > 0 for game in games)
    assert games[0].moves == games[2].moves
    assert "object at" not in str(player)


@pytest.mark.parametrize(
    ("name", "total"), [("best-5", 14.5), ("best-50", 36.599), ("best-95", 69.999)]
)
def test_the_best_spend_the_same_total_in_every_game(name: str, total: float) -> None:
    player = strategy(name)
    for seed in range(12):
        assert play(player, seed).total == pytest.approx(total, abs=1e-9)


def test_with_much_budget_the_answer_is_found() -> None:
    player = FixedTotal((60.0, 60.0, 60.0, 60.0))
    assert sum(play(player, seed).won for seed in range(30)) >= 29


def test_comparing_words_to_the_end_takes_the_best_of_them() -> None:
    epsilons, guess, reply = (13.0, 13.0, 10.0), "trace", "..c.i"
    chosen = []
    for compared in (1, 3):
        player = FixedTotal(epsilons, guess, compared=compared)
        player.first_move()
        word, epsilon = player.next_move(guess, epsilons[0], reply)
        assert epsilon == pytest.approx(13.0)
        chosen.append(board().words.index(word))
    belief = Belief().after(board().words.index(guess), epsilons[0], parse_clues(reply))
    assert chosen[0] == belief.best_guess(13.0, 1.0)
    assert chosen[1] == best_of(belief, belief.best_guesses(13.0, 1.0, 3), 13.0, 10.0)
    with pytest.raises(InputError, match="compared"):
        FixedTotal(epsilons, guess, compared=0)


def test_the_shipped_table_agrees_with_the_search() -> None:
    moves = second_moves("best-5")
    assert len(moves) == 243
    assert {epsilon for _, epsilon in moves.values()} == {5.5}
    for reply in (".....", "c..i.", "..c.i"):
        belief = Belief().after(board().words.index("trace"), 9.0, parse_clues(reply))
        tabled = belief.chance_to_win(board().words.index(moves[reply][0]), 5.5)
        searched = belief.chance_to_win(belief.best_guess(5.5, 0.0), 5.5)
        assert tabled >= searched - 1e-9


def test_a_damaged_or_missing_table_is_named() -> None:
    with pytest.raises(DataError, match="nowhere"):
        second_moves("nowhere")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("n-guess", ("n-guess", [], {})),
        ("n-guess((1, 2.5))", ("n-guess", [(1, 2.5)], {})),
        ("a/b.py:Mine('x', epsilon=-2)", ("a/b.py:Mine", ["x"], {"epsilon": -2})),
        ("Mine()", ("Mine", [], {})),
    ],
)
def test_specs_are_read_as_literals(spec: str, expected: object) -> None:
    assert parsed(spec) == expected


@pytest.mark.parametrize(
    "spec", ["n-guess(open('x'))", "n-guess(1, **{})", "n-guess(1))", "f(__import__('os'))", ")"]
)
def test_anything_but_literals_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match="cannot read"):
        strategy(spec)


def test_a_players_own_file_loads(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    player = strategy(f"{path}:Mine('crony', epsilon=2.5)")
    assert str(player) == "Mine(crony)"
    assert play(player, 1).total == 2.5


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    with pytest.raises(InputError, match="has no class 'Other'; it has: Mine, Half"):
        strategy(f"{path}:Other")
    with pytest.raises(InputError, match="no method next_move"):
        strategy(f"{path}:Half")
    with pytest.raises(InputError, match="cannot make"):
        strategy(f"{path}:Mine(1, 2, 3)")
    with pytest.raises(InputError, match="name the class"):
        strategy(str(path))
    with pytest.raises(DataError, match="no file"):
        strategy(f"{tmp_path / 'none.py'}:Mine")
    broken = tmp_path / "broken.py"
    broken.write_text("1/0")
    with pytest.raises(InputError, match="ZeroDivisionError"):
        strategy(f"{broken}:Mine")


def test_unknown_names_list_the_known() -> None:
    with pytest.raises(UnknownNameError, match="best-5, best-50"):
        strategy("nobody")


@pytest.mark.parametrize(
    "spec",
    ["n-guess(())", "n-guess((0,))", "bayesian-greedy(-1)", "wordle-like(10, certainty=2)"],
)
def test_senseless_arguments_are_refused(spec: str) -> None:
    with pytest.raises(InputError):
        strategy(spec)
