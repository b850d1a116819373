from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from crossword.errors import DataError
from crossword.evaluation.selection import Selection, draw, identity
from crossword.puzzle import Puzzle, parse
from tests.grids import square

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def puzzles() -> Iterator[tuple[str, Puzzle]]:
    for a in LETTERS[:8]:
        for b in LETTERS[:5]:
            yield a + b, parse(f"{a}{b}", {"1A": "x"}, solved=True)


def dated(day: str) -> Puzzle:
    return replace(square(), date=day)


def test_a_draw_does_not_depend_on_order_or_names() -> None:
    first = [name for name, _ in draw(puzzles(), 7, 69)]
    again = [name for name, _ in draw(reversed(list(puzzles())), 7, 69)]
    assert first == again
    assert len(set(first)) == 7
    assert first != [name for name, _ in draw(puzzles(), 7, 70)]


def test_a_larger_draw_holds_the_smaller() -> None:
    small = {name for name, _ in draw(puzzles(), 5, 1)}
    large = {name for name, _ in draw(puzzles(), 12, 1)}
    assert small < large


def test_more_than_there_are_is_all() -> None:
    assert len(draw(puzzles(), 1000, 0)) == 40


def test_even_odd_takes_odd_days() -> None:
    split = Selection("even-odd")
    assert split.takes(dated("1999-03-31"))
    assert not split.takes(dated("1999-03-30"))
    assert not split.takes(dated(""))


def test_forward_takes_2023_and_its_tuning_part_2022() -> None:
    assert Selection("forward").takes(dated("2023-12-31"))
    assert not Selection("forward").takes(dated("2022-12-31"))
    assert Selection("forward-tune").takes(dated("2022-12-31"))


def test_dates_bound_from_the_first_to_before_the_last() -> None:
    selection = Selection(since="2020-01-01", until="2020-02-01")
    assert selection.takes(dated("2020-01-01"))
    assert not selection.takes(dated("2020-02-01"))
    assert not selection.takes(dated("2019-12-31"))


def test_without_conditions_undated_puzzles_count_too() -> None:
    assert Selection().takes(dated(""))


@pytest.mark.parametrize("options", [{"split": "odd"}, {"since": "yesterday"}])
def test_what_makes_no_sense_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(DataError):
        Selection(**options)


def test_the_same_solved_grid_is_the_same_puzzle_whatever_its_title() -> None:
    assert identity(square()) == identity(replace(square(), title="Other", date="2000-01-01"))
    other = replace(square(), solution={**(square().solution or {}), (0, 0): "B"})
    assert identity(square()) != identity(other)
