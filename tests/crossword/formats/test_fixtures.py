"""Every fixture is read, or refused as its README says. A new file in the folder is a new test."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossword.errors import CorruptFileError, CrosswordError, UnsupportedPuzzleError
from crossword.formats import load, read
from tests.crossword.formats.places import BROKEN, FIXTURES, VARIETY, is_broken, puzzle_fixtures

pytestmark = pytest.mark.fixtures
needs_fixtures = pytest.mark.skipif(not FIXTURES.is_dir(), reason=f"{FIXTURES} is not here")


@pytest.mark.parametrize("path", puzzle_fixtures(), ids=lambda path: path.name)
def test_each_fixture_is_read_or_refused_as_its_readme_says(path: Path) -> None:
    if is_broken(path):
        with pytest.raises(CrosswordError) as caught:
            read(path)
        assert caught.type is CorruptFileError
        assert BROKEN.get(path.name, "") in str(caught.value)
    elif path.name.startswith(VARIETY):
        with pytest.raises(CrosswordError) as caught:
            read(path)
        assert caught.type is UnsupportedPuzzleError
    else:
        puzzle = read(path)
        assert puzzle.slots
        assert puzzle.clues or "the file has no clues" in puzzle.notices
        assert puzzle.solution or any("solution" in notice for notice in puzzle.notices)
        return
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", puzzle_fixtures(), ids=lambda path: path.name)
def test_the_content_decides_and_not_the_suffix(path: Path) -> None:
    """Under a name without a suffix it is the same puzzle, or still refused."""
    data = path.read_bytes()
    try:
        expected = load(data, path.name)
    except CrosswordError:
        with pytest.raises(CrosswordError):
            load(data, "nameless")
    else:
        assert load(data, "nameless") == expected
        assert load(data, "wrong.json" if path.suffix != ".xd" else "wrong.puz") == expected


# What the README's table says of these files: rows, columns, clues, letters of the solution, and
# then what is special.
FACTS: dict[str, tuple[int, int, int, int, dict[str, int | str | bool]]] = {
    "puzpy/cs080904.puz": (15, 15, 78, 187, {}),
    "puzpy/av110622.puz": (15, 15, 78, 189, {}),
    "puzpy/nyt_v1_4.puz": (21, 21, 140, 373, {"circles": 55}),
    "puzpy/unicode.puz": (3, 3, 6, 9, {"title": "⚔️"}),
    "puzpy/washpost.puz": (15, 15, 78, 189, {}),
    "puzpy/Feb0308_oddnumbering.puz": (21, 21, 140, 369, {}),
    "puzpy/nyt_rebus_with_notes_and_shape.puz": (
        15,
        15,
        76,
        179,
        {"rebus": 3, "circles": 5, "fill": 0},
    ),
    "puzpy/nyt_rebus_with_notes_and_shape_solved.puz": (
        15,
        15,
        76,
        179,
        {"rebus": 3, "circles": 5, "fill": 179},
    ),
    "puzpy/nyt_partlyfilled.puz": (15, 15, 78, 189, {"fill": 10}),
    "puzpy/nyt_locked.puz": (15, 15, 70, 0, {"notice": "locked"}),
    "puzpy/nyt_sun_rebus.puz": (21, 21, 140, 0, {"notice": "locked"}),
    "puzpy/nyt_diagramless.puz": (17, 17, 82, 0, {"notice": "diagramless", "diagramless": True}),
    "puzpy/diagramless.puz": (17, 16, 80, 184, {"diagramless": True}),
    "puzpy/diagramless.txt": (17, 16, 80, 184, {"diagramless": True}),
    "kotwords/test-diagramless.ipuz": (5, 5, 10, 21, {"diagramless": True}),
    "kotwords/test-no-solution.puz": (5, 5, 10, 0, {"notice": "no solution"}),
    "kotwords/test-no-solution.ipuz": (5, 5, 10, 0, {"notice": "no solution"}),
    "kotwords/test-no-solution.jpz": (5, 5, 10, 0, {"notice": "no solution"}),
    "kotwords/gaps.ipuz": (5, 7, 10, 24, {"notice": "own numbers differ"}),
    "kotwords/gaps.jpz": (5, 7, 10, 24, {"notice": "clue without a slot"}),
    "kotwords/test-empty-clue.ipuz": (5, 5, 9, 21, {"notice": "without a clue"}),
    "kotwords/test-barred.jpz": (5, 5, 10, 24, {"bars": 6}),
    "kotwords/test-barred.xd": (5, 5, 10, 24, {"bars": 6}),
    "kotwords/test-prefilled.jpz": (5, 5, 10, 21, {"given": 1}),
    "kotwords/test-prefilled.xd": (5, 5, 10, 21, {"given": 1}),
    "kotwords/test-shaded.jpz": (5, 5, 10, 21, {"shaded": 2}),
    "kotwords/test-shaded.xd": (5, 5, 10, 21, {"shaded": 2}),
    "kotwords/test-void.jpz": (7, 7, 10, 21, {"circles": 2}),
    "ipuz/first.ipuz": (13, 13, 31, 72, {"given": 3, "date": "1913-12-21"}),
    "ipuz/example.ipuz": (15, 15, 78, 189, {"circles": 8}),
}


@needs_fixtures
@pytest.mark.parametrize("name", FACTS)
def test_a_fixture_is_read_in_full(name: str) -> None:
    height, width, clues, letters, special = FACTS[name]
    puzzle = read(FIXTURES / name)
    assert (puzzle.grid.height, puzzle.grid.width) == (height, width)
    assert (len(puzzle.clues), len(puzzle.solution or {})) == (clues, letters)
    for attribute, expected in special.items():
        if attribute == "notice":
            assert str(expected) in " | ".join(puzzle.notices)
        elif attribute == "bars":
            assert len(puzzle.grid.bars) == expected
        else:
            found = getattr(puzzle, attribute)
            assert (found if isinstance(expected, bool | str) else len(found)) == expected


@needs_fixtures
@pytest.mark.parametrize("name", ["test.puz", "test.ipuz", "test.jpz", "test.xd"])
def test_the_same_puzzle_in_four_formats_is_the_same_puzzle(name: str) -> None:
    puzzle, reference = read(FIXTURES / "kotwords" / name), read(FIXTURES / "kotwords/test.ipuz")
    assert (puzzle.grid, puzzle.solution) == (reference.grid, reference.solution)
    assert puzzle.circles == reference.circles
    assert puzzle.clues == reference.clues
    assert (puzzle.title, puzzle.notes) == (reference.title, reference.notes)


@needs_fixtures
def test_a_clue_is_joined_by_its_cell_where_the_file_skips_numbers() -> None:
    puzzle = read(FIXTURES / "kotwords/gaps.ipuz")
    assert puzzle.clue("11A") == "Normal clue"  # the file's 9A
    assert puzzle.clue("12A") == "See 2-Down"  # the file's 10A
    assert puzzle.clue("4A") == ""  # the file has no label there


@needs_fixtures
def test_the_first_crossword_is_read_by_the_ends_of_its_answers() -> None:
    puzzle = read(FIXTURES / "ipuz/first.ipuz")
    answers = {puzzle.clues[slot.name]: puzzle.answer(slot.name) for slot in puzzle.slots[1:]}
    assert answers["What artists learn to do"] == "DRAW"
    assert answers["Part of your head"] == "FACE"
