from __future__ import annotations

import pytest

from crossword.pipeline import solve
from crossword.puzzle import parse
from crossword.solvers.confidence import ConfidenceSolver
from tests.fakes import FakeGuesser
from tests.grids import knowing, square


def test_fills_a_grid_whose_guesses_agree() -> None:
    solution = solve(square(), knowing(), ConfidenceSolver())
    assert solution.fill == square().solution
    assert solution.status == "solved"


def test_two_slots_that_agree_corroborate_a_cell() -> None:
    puzzle = parse("AB\nC#", {"1A": "x", "1D": "y"}, solved=True)
    guesser = FakeGuesser({"x": [("AB", 0.6)], "y": [("AC", 0.5)]})
    solution = solve(puzzle, guesser, ConfidenceSolver())
    assert solution.confidence((0, 0)) == pytest.approx(1 - 0.4 * 0.5)
    assert solution.confidence((0, 1)) == pytest.approx(0.6)


def test_a_surer_guess_overwrites_what_it_contradicts() -> None:
    # The bar lets DOG in at 0.45; the downs, found at the next bar, are two against one.
    guesser = knowing(0.5, slot_1A=[("DOG", 0.46), ("CAT", 0.2)], slot_1D=[("COB", 0.95)])
    solution = solve(square(), guesser, ConfidenceSolver())
    assert solution.fill == square().solution


def test_a_weaker_guess_does_not_overwrite() -> None:
    puzzle = parse("AB\nC#", {"1A": "x", "1D": "y"}, solved=True)
    guesser = FakeGuesser({"x": [("AB", 0.6)], "y": [("ZC", 0.25)]})
    solution = solve(puzzle, guesser, ConfidenceSolver())
    assert solution.fill[0, 0] == "A"


def test_one_slot_cannot_corroborate_itself() -> None:
    puzzle = parse("...", {"1A": "x"})
    guesser = FakeGuesser({"x": [("ANT", 0.4), ("ANY", 0.3)]})
    solution = solve(puzzle, guesser, ConfidenceSolver())
    assert solution.confidence((0, 0)) == pytest.approx(0.4)


def test_given_letters_are_never_overwritten_and_rule_guesses_out() -> None:
    puzzle = square().with_given({(0, 0): "B"})
    guesser = knowing(slot_1A=[("CAT", 0.9), ("BAT", 0.1)])
    solution = solve(puzzle, guesser, ConfidenceSolver())
    assert solution.fill[0, 0] == "B"
    assert solution.confidence((0, 0)) == 1.0


def test_guesses_that_overwrite_each_other_in_turn_come_to_an_end() -> None:
    puzzle = parse("....\n....", {"1A": "a", "5A": "b", "1D": "c", "2D": "d", "3D": "e", "4D": "f"})
    guesser = FakeGuesser(
        {
            "a": [("ABCD", 0.5), ("WXYZ", 0.49)],
            "b": [("EFGH", 0.5), ("STUV", 0.49)],
            "c": [("WE", 0.7)],
            "d": [("XT", 0.6)],
            "e": [("CU", 0.65)],
            "f": [("DV", 0.55)],
        }
    )
    solution = solve(puzzle, guesser, ConfidenceSolver())
    assert solution.statistics.rounds <= 60
    assert solution.status == "solved"


def test_a_guess_that_was_overwritten_no_longer_speaks_for_its_other_letters() -> None:
    puzzle = parse("AB\nC#", {"1A": "x", "1D": "y"}, solved=True)
    # Both pass the third bar, 0.225; 1A is read first.
    guesser = FakeGuesser({"x": [("ZB", 0.3)], "y": [("AC", 0.4)]})
    solution = solve(puzzle, guesser, ConfidenceSolver())
    assert solution.fill == {(0, 0): "A", (0, 1): "B", (1, 0): "C"}
    assert solution.confidence((0, 1)) == 0.0
