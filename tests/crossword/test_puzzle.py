"""The puzzle: geometry, numbering, letters, and drawings that parse back to themselves."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossword.errors import PatternError, PuzzleError
from crossword.puzzle import (
    BLOCK,
    EMPTY,
    LETTERS,
    VOID,
    Grid,
    Puzzle,
    check_pattern,
    fits,
    numbering_differences,
    parse,
)
from tests.crossword.formats.made import grids, puzzles

DRAWING = """
    CAT#
    O#OR
    BEN~
"""


@st.composite
def drawings(draw: st.DrawFn) -> str:
    width = draw(st.integers(1, 8))
    signs = st.sampled_from("ABCXYZ....##~")
    row = st.lists(signs, min_size=width, max_size=width).map("".join)
    return "\n".join(draw(st.lists(row, min_size=1, max_size=8)))


@given(drawings())
def test_a_drawing_parses_to_a_puzzle_that_draws_the_same(drawing: str) -> None:
    assert parse(drawing).render() == drawing
    assert parse(drawing, solved=True).render(solution=True) == drawing
    assert parse(drawing.lower()).render() == drawing


@given(puzzles())
def test_what_is_drawn_has_a_sign_for_each_cell(puzzle: Puzzle) -> None:
    lines = puzzle.render(solution=True).split("\n")
    assert len(lines) == puzzle.grid.height
    assert {len(line) for line in lines} == {puzzle.grid.width}


@given(grids())
def test_slots_cover_each_pair_of_neighbours_once_and_no_bar(grid: Grid) -> None:
    """The definition of slots, held against the one pass that finds them."""
    pairs = {
        (first, second)
        for slot in grid.slots
        for first, second in zip(slot.cells, slot.cells[1:], strict=False)
    }
    for row, col in grid.cells:
        for after, side in (((row, col + 1), "A"), ((row + 1, col), "D")):
            joined = grid.is_open(after) and ((row, col), side) not in grid.bars
            assert (((row, col), after) in pairs) == joined
    assert len(pairs) == sum(len(slot) - 1 for slot in grid.slots)


@given(grids())
def test_numbers_rise_in_reading_order_from_one(grid: Grid) -> None:
    numbered = sorted(grid.numbers)
    assert [grid.numbers[cell] for cell in numbered] == list(range(1, len(numbered) + 1))
    assert {slot.name for slot in grid.slots} == set(grid.by_name)
    across = [slot.number for slot in grid.slots if slot.direction == "A"]
    assert across == sorted(across)


@given(grids())
def test_crossings_come_in_pairs(grid: Grid) -> None:
    for crossings in grid.crossings.values():
        for crossing in crossings:
            back = [c for c in grid.crossings[crossing.other] if c.other == crossing.slot]
            assert (crossing.other_index, crossing.index, crossing.cell) in {
                (c.index, c.other_index, c.cell) for c in back
            }
            assert grid.by_name[crossing.slot].cells[crossing.index] == crossing.cell


def test_a_small_grid_is_numbered_as_in_a_newspaper() -> None:
    puzzle = parse(DRAWING, solved=True)
    assert {slot.name: puzzle.answer(slot.name) for slot in puzzle.slots} == {
        "1A": "CAT", "3A": "OR", "4A": "BEN", "1D": "COB", "2D": "TON",
    }  # fmt: skip
    assert puzzle.grid.numbers[1, 2] == 3
    assert not puzzle.grid.is_open((2, 3))
    assert list(numbering_differences(puzzle.grid, {(0, 0): 1, (0, 2): 2, (1, 2): 4})) == [
        (1, 2),
        (2, 0),
    ]


def test_a_bar_ends_a_slot() -> None:
    grid = Grid(("....",), frozenset({((0, 1), "A")}))
    assert [slot.name for slot in grid.slots] == ["1A", "2A"]
    assert grid.by_name["2A"].cells == ((0, 2), (0, 3))


def test_slots_are_written_and_read_without_changing_the_puzzle() -> None:
    puzzle = parse("...\n.#.\n...")
    filled = puzzle.with_answer("1A", "CAT")
    assert puzzle.entry("1A") == "..."
    assert filled.entry("1A") == "CAT"
    assert filled.pattern("1D") == "C.."
    assert filled.is_filled("1A")
    assert not filled.is_filled("1D")
    assert filled.with_letters({(0, 0): ""}).pattern("1A") == ".AT"
    with pytest.raises(PuzzleError, match="4 letters"):
        puzzle.with_answer("1A", "CATS")
    with pytest.raises(PuzzleError, match="no slot 9A"):
        puzzle.slot("9A")
    with pytest.raises(FrozenInstanceError):
        filled.title = "x"  # type: ignore[misc]


def test_right_means_just_what_the_solution_has() -> None:
    puzzle = parse("CAT", solved=True)
    assert not puzzle.is_right("1A")
    assert puzzle.with_answer("1A", "CAT").is_right("1A")
    assert not puzzle.with_answer("1A", "CAR").is_right("1A")
    assert puzzle.with_answer("1A", "CAR").is_right_at((0, 1))
    assert not parse("CAT").is_right("1A")


def test_a_rebus_cell_is_unknown_in_a_pattern_and_full_in_an_answer() -> None:
    puzzle = replace(parse("C.T", solved=True), solution={(0, 0): "C", (0, 1): "ART", (0, 2): "S"})
    assert puzzle.answer("1A") == "CARTS"
    assert puzzle.rebus == {(0, 1)}
    assert puzzle.with_letters({(0, 1): "ART"}).pattern("1A") == "..."
    assert puzzle.with_letters({(0, 1): "ART"}).entry("1A") == ".ART."


def test_an_answer_is_none_where_a_letter_is_missing() -> None:
    assert parse("C.T\nONE", solved=True).answer("1A") is None
    assert parse("C.T").answer("1A") is None


def test_without_answers_only_the_given_letters_are_left() -> None:
    puzzle = parse("CAT\nONE", solved=True).with_given({(0, 0): "C"}).with_answer("4A", "ONE")
    hidden = puzzle.without_answers()
    assert hidden.solution is None
    assert hidden.fill == {(0, 0): "C"}
    with pytest.raises(PuzzleError, match="given"):
        hidden.with_answer("1A", "BAT")
    assert hidden.with_answer("1A", "CAR").entry("1A") == "CAR"


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ((), "at least one row"),
        (("",), "at least one row"),
        (("..", "."), "of one length"),
        (("." * 256,), "over 255"),
        ((".x",), "not 'x'"),
    ],
)
def test_a_grid_that_is_none_is_refused(rows: tuple[str, ...], reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason):
        Grid(rows)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"clues": {"7A": "x"}}, "no such slot"),
        ({"solution": {(1, 1): "A"}}, "not open"),
        ({"fill": {(5, 5): "A"}}, "not open"),
        ({"circles": frozenset({(0, 9)})}, "outside the grid"),
        ({"given": frozenset({(0, 0)})}, "must have a letter"),
    ],
)
def test_a_puzzle_that_contradicts_itself_is_refused(
    changes: dict[str, object], reason: str
) -> None:
    grid = Grid(("...", ".#.", "..."))
    with pytest.raises(PuzzleError, match=reason):
        Puzzle(grid, **changes)  # type: ignore[arg-type]


@given(st.text(alphabet="ABC.", min_size=1, max_size=6), st.text(alphabet="ABC", max_size=6))
def test_fits_agrees_with_a_letter_by_letter_comparison(pattern: str, answer: str) -> None:
    assert check_pattern(pattern) == pattern
    expected = len(pattern) == len(answer)
    for sign, letter in zip(pattern, answer, strict=False):
        expected = expected and sign in (EMPTY, letter)
    assert fits(answer, pattern) == expected


@pytest.mark.parametrize("pattern", ["", "c.t", "C T", "C#T", "É"])
def test_a_pattern_has_only_capitals_and_dots(pattern: str) -> None:
    with pytest.raises(PatternError):
        check_pattern(pattern)


def test_the_signs_of_a_grid_are_no_letters() -> None:
    assert not {BLOCK, EMPTY, VOID} & LETTERS
