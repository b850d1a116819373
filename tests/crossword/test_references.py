"""Clues that point at others get their words; all else stays."""

from __future__ import annotations

import pytest

from crossword.puzzle import parse
from crossword.references import resolved


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("See 2-Down", "With 1-Across, toast topper", "toast topper"),
        ("See 2-down.", "Toast topper", "Toast topper"),
        ("See 2-Down", "See 1-Across", "See 2-Down"),
        ("See 9-Down", "Toast topper", "See 9-Down"),
        ("See 1-Across", "Toast topper", "See 1-Across"),
        ("With 2-Down, toast topper", "See 1-Across", "With 2-Down, toast topper"),
        ("See 2-Down for a hint", "Toast topper", "See 2-Down for a hint"),
        ("", "Toast topper", ""),
    ],
)
def test_a_clue_that_points_gets_the_words_of_the_other(
    first: str, second: str, expected: str
) -> None:
    puzzle = parse("...\n...\n...", {"1A": first, "2D": second})
    assert resolved(puzzle).clue("1A") == expected
    assert resolved(puzzle).grid == puzzle.grid
