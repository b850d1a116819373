from __future__ import annotations

import pytest

from crossword.evaluation.metrics import (
    PuzzleScore,
    breakdowns,
    calibration,
    score,
    summary,
    weekday_of,
)
from crossword.puzzle import Cell, Puzzle, parse
from crossword.types import Solution
from tests.grids import square

KEYS = [
    "puzzles",
    "letters",
    "words",
    "perfect",
    "fill_accuracy",
    "fill_percentage",
    "seconds_per_puzzle",
    "top1",
    "top5",
    "top10",
    "top100",
]


def filled(puzzle: Puzzle, text: str, confidence: float = 0.75) -> Solution:
    fill = dict(parse(text).fill)
    letters = {cell: ((letter, confidence),) for cell, letter in fill.items()}
    return Solution(fill, letters, {}, "partial")


def scored(text: str, **options: object) -> PuzzleScore:
    puzzle = square()
    return score(puzzle, filled(puzzle, text), seconds=2.0, **options)  # type: ignore[arg-type]


def test_blank_and_wrong_cells_all_count() -> None:
    # 8 filled, 7 of them right, of 9 cells; right words: 4A, 1D.
    figures = summary([scored("CAT\nORE\nBX.")])
    assert figures["letters"] == pytest.approx(7 / 9)
    assert figures["words"] == pytest.approx(3 / 6)
    assert figures["fill_accuracy"] == pytest.approx(7 / 8)
    assert figures["fill_percentage"] == pytest.approx(8 / 9)
    assert figures["perfect"] == 0.0
    assert figures["seconds_per_puzzle"] == 2.0


def test_letters_are_fill_accuracy_times_fill_percentage() -> None:
    figures = summary([scored("CAT\n...\nB.."), scored("DOG\nORE\nBEN")])
    product = figures["fill_accuracy"] * figures["fill_percentage"]
    assert figures["letters"] == pytest.approx(product)


def test_the_first_experiments_averages_over_puzzles_stand_beside() -> None:
    figures = summary([scored("CAT\n...\n..."), scored("XXX\nXXX\nXXX")])
    assert figures["mean_fill_accuracy"] == pytest.approx((1 + 0) / 2)
    assert figures["fill_accuracy"] == pytest.approx(3 / 12)


def test_the_keys_of_the_report_are_those_agreed_on_and_in_that_order() -> None:
    assert list(summary([scored("CAT\nORE\nBEN")]))[: len(KEYS)] == KEYS


def test_nothing_scored_gives_zeros_and_no_error() -> None:
    assert summary([])["letters"] == 0.0
    assert calibration([])["expected_error"] == 0.0


def test_a_rebus_cell_is_right_only_with_its_full_content() -> None:
    cells: dict[Cell, str] = {(0, 0): "HEART", (0, 1): "E", (0, 2): "D"}
    puzzle = Puzzle(parse("...").grid, {"1A": "a"}, solution=cells)
    short = score(puzzle, Solution({**cells, (0, 0): "H"}, {}, {}, "solved"))
    full = score(puzzle, Solution(cells, {}, {}, "solved"))
    assert (short.right, short.is_perfect, short.rebus) == (2, False, True)
    assert (full.right, full.is_perfect) == (3, True)
    assert full.words[0].length == 7


def test_a_cell_without_a_letter_in_the_file_counts_and_cannot_be_right() -> None:
    puzzle = Puzzle(parse("...").grid, {"1A": "a"}, solution={(0, 0): "A", (0, 1): "B"})
    result = score(puzzle, Solution({(0, 0): "A", (0, 1): "B", (0, 2): "C"}, {}, {}, "solved"))
    assert (result.cells, result.right, result.is_perfect) == (3, 2, False)
    assert not result.words[0].is_right


def test_ranks_become_top_figures() -> None:
    ranks = {"1A": 1, "4A": 3, "5A": 7, "1D": 60, "2D": None}
    figures = summary([scored("...\n...\n...", ranks=ranks)])
    assert [figures[f"top{k}"] for k in (1, 5, 10, 100)] == [1 / 6, 2 / 6, 3 / 6, 4 / 6]


def test_breakdowns_cover_every_clue_and_puzzle_once() -> None:
    by = breakdowns([scored("CAT\nORE\nBEN"), scored("CAT\n...\n...")])
    assert by["weekday"]["undated"]["puzzles"] == 2
    assert by["length"]["3"]["clues"] == 12
    assert by["kind"]["blank"]["clues"] == 2
    assert by["kind"]["plain"]["clues"] == 10
    assert by["kind"]["blank"]["words"] == 0.5
    assert by["seen"]["unknown"]["clues"] == 12


def test_seen_pairs_are_told_from_new_ones() -> None:
    by = breakdowns(
        [scored("CAT\nORE\nBEN", seen=lambda clue, answer: "seen" if answer == "CAT" else "new")]
    )
    assert by["seen"]["seen"]["clues"] == 1
    assert by["seen"]["new"]["clues"] == 5


def test_calibration_compares_confidence_with_what_is_right() -> None:
    found = calibration([scored("CAT\nORX\n...")])
    assert found["bins"] == [
        {"cells": 6, "confidence": pytest.approx(0.75), "right": pytest.approx(5 / 6)}
    ]
    assert found["expected_error"] == pytest.approx(5 / 6 - 0.75)


def test_weekdays_come_from_the_date_alone() -> None:
    assert weekday_of("2023-01-01") == "Sunday"
    assert weekday_of("") == weekday_of("someday") == "undated"
