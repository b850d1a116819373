from __future__ import annotations

from collections.abc import Sequence

from crossword.pipeline import solve
from crossword.puzzle import parse
from crossword.solvers.threshold import BasicSolver, ThresholdSolver
from crossword.types import Guess, Progress, Query
from tests.fakes import FakeGuesser
from tests.grids import knowing, square


def test_basic_fills_the_grid_with_the_best_guess_that_fits() -> None:
    puzzle = square()
    solution = solve(puzzle, knowing(), BasicSolver())
    assert solution.fill == puzzle.solution
    assert solution.status == "solved"


def test_basic_takes_the_first_slot_at_its_word_and_never_takes_ink_back() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.2), ("CAT", 0.1)])
    solution = solve(square(), guesser, BasicSolver())
    assert "".join(solution.fill[0, c] for c in range(3)) == "DOG"


def test_threshold_lets_the_surest_slots_go_first() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.2), ("CAT", 0.1)])
    puzzle = square()
    assert solve(puzzle, guesser, ThresholdSolver()).fill == puzzle.solution


def test_threshold_leaves_blank_what_is_below_its_last_bar() -> None:
    # 0.75 halved stays at or over 0.05 down to 0.09375: 0.095 is still read, 0.09 is not.
    clue = {"1A": "a"}
    for sure, filled in ((0.095, 3), (0.09, 0)):
        solution = solve(parse("...", clue), FakeGuesser({"a": [("ANT", sure)]}), ThresholdSolver())
        assert len(solution.fill) == filled
        assert solution.status == ("solved" if filled else "partial")


def test_a_slot_that_runs_dry_is_asked_again_with_its_letters() -> None:
    class Reticent(FakeGuesser):
        """Knows 5A only once its first letter is there."""

        def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
            found = super().guess(queries, limit)
            for query, guesses in zip(queries, found, strict=True):
                if query == Query("Big clock's name", "..."):
                    guesses.clear()
            return found

    guesser = Reticent(knowing().table | {"Fingers, all told": []})
    solution = solve(square(), guesser, BasicSolver())
    assert solution.fill == square().solution
    assert Query("Big clock's name", "BE.") in guesser.calls[-1]


def test_all_slots_are_asked_for_in_one_batch() -> None:
    guesser = knowing()
    solve(square(), guesser, BasicSolver())
    assert [len(batch) for batch in guesser.calls] == [6]


def test_a_cell_has_the_confidence_of_the_guess_that_wrote_it_first() -> None:
    guesser = knowing(0.3, slot_1A=[("CAT", 0.8)])
    solution = solve(square(), guesser, ThresholdSolver())
    assert solution.confidence((0, 0)) == 0.8
    assert solution.confidence((1, 0)) == 0.3


def test_progress_shows_the_grid_filling() -> None:
    seen: list[Progress] = []
    solve(square(), knowing(), BasicSolver(), on_progress=seen.append)
    assert [len(step.fill) for step in seen] == [3, 6, 9]
    assert seen[0].stage == "1A CAT"


def test_given_rebus_cells_are_spelled_out_and_kept() -> None:
    puzzle = parse("...", {"1A": "Cardiologist's sketch?"}).with_given({(0, 0): "HEART"})
    guesser = FakeGuesser({"Cardiologist's sketch?": [("HEARTED", 0.9), ("HEARSED", 0.8)]})
    solution = solve(puzzle, guesser, BasicSolver())
    assert solution.fill == {(0, 0): "HEART", (0, 1): "E", (0, 2): "D"}
    assert guesser.calls[0][0].pattern == "HEART.."
