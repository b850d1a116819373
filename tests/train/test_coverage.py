"""What counts as new, and how the composer's reach is measured."""

from __future__ import annotations

import pytest
from rich.console import Console

from crossword.errors import DataError
from tests.crossword.test_phrases import tiny
from train.coverage import reach, year_of

ROWS = [
    ("TEAPOT", 6, "2021-03-01", "nyt-1993-2023.ipuz"),
    ("TEAPOT", 6, "2022-03-01", "nyt-1993-2023.ipuz"),
    ("ROOFTOP", 7, "2022-03-02", "nyt-1993-2023.ipuz"),
    ("STOPSIGN", 5, "2022-03-02", "nyt-1993-2023.ipuz"),
    ("MATCHA", 6, "2022-03-02", "nyt-mini-2014-2023.ipuz"),
    ("UNDATED", 7, "", "nyt-1993-2023.ipuz"),
]


def test_new_are_answers_first_used_that_year_in_a_daily() -> None:
    found = year_of(ROWS, "2022", ["nyt-1993-2023"])
    assert found.new == {"ROOFTOP", "STOPSIGN"}
    assert found.rebus == {"STOPSIGN"}
    assert found.used == ["TEAPOT", "ROOFTOP", "STOPSIGN"]


def test_a_year_that_is_not_there_is_an_error() -> None:
    with pytest.raises(DataError, match="1999"):
        year_of(ROWS, "1999", ["nyt-1993-2023"])


def test_reach_counts_what_the_composer_lists() -> None:
    quiet = Console(quiet=True)
    found = reach(["ROOFTOP", "CANTSTOP", "QQQQQ"], tiny(), 0.5, 1, quiet)
    assert found.misses == 3
    assert found.top[10] == pytest.approx(2 / 3)
