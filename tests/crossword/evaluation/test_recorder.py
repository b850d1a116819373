from __future__ import annotations

from crossword.evaluation.recorder import Recorder
from crossword.pipeline import solve
from crossword.puzzle import parse
from crossword.solvers.threshold import BasicSolver
from crossword.types import Query
from tests.fakes import FakeGuesser
from tests.grids import SQUARE_CLUES, knowing, square


def test_ranks_come_from_the_solvers_own_guesses_without_asking_again() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.5), ("CAT", 0.3)], slot_3D=[("ONE", 0.5)])
    recorder = Recorder(guesser, square())
    solve(square(), recorder, BasicSolver())
    asked = len(guesser.calls)
    assert recorder.ranks() == {"1A": 2, "4A": 1, "5A": 1, "1D": 1, "2D": 1, "3D": None}
    assert len(guesser.calls) == asked


def test_what_the_solver_did_not_ask_is_asked_afterwards() -> None:
    recorder = Recorder(knowing(), square())
    assert set(recorder.ranks().values()) == {1}


def test_lists_made_with_letters_known_or_cut_short_do_not_count() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.5), ("CAT", 0.3)])
    recorder = Recorder(guesser, square())
    recorder.guess([Query(SQUARE_CLUES["1A"], "C..")])
    recorder.guess([Query(SQUARE_CLUES["1A"], "...")], limit=1)
    assert recorder.ranks()["1A"] == 2


def test_a_distribution_gives_the_same_rank_as_a_list() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.5), ("CAT", 0.3), ("COW", 0.1)])
    recorder = Recorder(guesser, square())
    recorder.distributions([Query(clue, "...") for clue in SQUARE_CLUES.values()])
    asked = len(guesser.calls)
    assert recorder.ranks()["1A"] == 2
    assert len(guesser.calls) == asked


def test_a_rebus_answer_counts_as_not_found() -> None:
    puzzle = parse("...", {"1A": "a"})
    cells = {(0, 0): "HEART", (0, 1): "E", (0, 2): "D"}
    from dataclasses import replace

    recorder = Recorder(FakeGuesser({"a": [("HED", 0.9)]}), replace(puzzle, solution=cells))
    assert recorder.ranks() == {"1A": None}
