"""The puzzles that the project ships: each is whole, fair in its geometry, and our own.

Every file in data/puzzles is tested; dropping one in adds its tests.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from crossword.formats import read
from crossword.formats.collection import entries
from crossword.puzzle import VOID, Cell, Puzzle
from crossword.text import KINDS, kind_of, normalise_clue

PUZZLES = Path(__file__).resolve().parents[2] / "data" / "puzzles"
CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
FILES = sorted(path for path in PUZZLES.iterdir() if path.name != "README.md")
MIRRORED = {"mini-06-open-house"}  # left to right, like the house that it draws
ENUMERATION = re.compile(r" \((\d+(?:[,-]\d+)*)\)$")
REFERENCE = re.compile(r"\b((?:\d+-(?: to | and |, ))*)(\d+)[- ](Across|Down)\b")


@cache
def puzzle_at(path: Path) -> Puzzle:
    return read(path)


def named(prefix: str) -> list[Path]:
    return [path for path in FILES if path.name.startswith(prefix)]


def is_turned(puzzle: Puzzle) -> bool:
    """Whether the grid is the same upside down."""
    rows = puzzle.grid.rows
    return rows == tuple(row[::-1] for row in reversed(rows))


def answers(puzzle: Puzzle) -> dict[str, str]:
    return {slot.name: puzzle.answer(slot.name) or "" for slot in puzzle.slots}


def references(clue: str) -> Iterable[str]:
    """The slots that a clue names: '58- to 44-Across' names 58A and 44A."""
    for others, number, direction in REFERENCE.findall(clue):
        for found in [*re.findall(r"\d+", others), number]:
            yield f"{found}{direction[0]}"


def words(clue: str) -> str:
    """A clue reduced to its words, so that punctuation hides no copy."""
    return " ".join(re.findall(r"[a-z0-9]+", clue.lower().replace("'", "")))


@pytest.fixture(params=FILES, ids=lambda path: path.name)
def path(request: pytest.FixtureRequest) -> Path:
    found = request.param
    assert isinstance(found, Path)
    return found


@pytest.fixture
def puzzle(path: Path) -> Puzzle:
    return puzzle_at(path)


def test_the_set_has_what_it_promises() -> None:
    assert len(named("mini-")) >= 8
    assert len(named("daily-")) >= 2
    assert named("rebus-") and named("british-")
    assert {path.suffix for path in FILES} == {".puz", ".ipuz", ".jpz", ".xd"}
    minis = [puzzle_at(path) for path in named("mini-")]
    assert any(mini.circles for mini in minis)
    assert any(mini.given for mini in minis)
    assert any(VOID in "".join(mini.grid.rows) for mini in minis)
    assert any(mini.grid.height != mini.grid.width for mini in minis)


def test_the_clues_are_of_every_kind() -> None:
    kinds = Counter(kind_of(clue) for path in FILES for clue in puzzle_at(path).clues.values())
    assert set(kinds) == set(KINDS)


def test_the_readme_lists_every_puzzle() -> None:
    text = (PUZZLES / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`([a-z]+-\d\d-[a-z-]+\.[a-z]+)`", text)) == {p.name for p in FILES}


def test_it_reads_without_a_notice(puzzle: Puzzle) -> None:
    # A reader notes a number or a clue that disagrees with the grid.
    assert puzzle.notices == ()


def test_it_has_title_author_and_licence(path: Path, puzzle: Puzzle) -> None:
    assert puzzle.title
    assert puzzle.author == "the Crossword project"
    assert "MIT" in puzzle.copyright
    if path.suffix == ".puz":  # which has no place for a date
        assert "2026-11-" in puzzle.notes
    else:
        assert puzzle.date.startswith("2026-11-")


def test_it_starts_empty_but_for_given_letters_which_are_right(puzzle: Puzzle) -> None:
    assert set(puzzle.fill) == puzzle.given
    assert all(puzzle.is_right_at(cell) for cell in puzzle.given)


def test_every_open_cell_has_its_letters(puzzle: Puzzle) -> None:
    assert puzzle.solution is not None
    assert set(puzzle.solution) == set(puzzle.grid.cells)
    assert all(re.fullmatch("[A-Z]+", text) for text in puzzle.solution.values())


def test_every_slot_has_a_clue_and_every_clue_a_slot(puzzle: Puzzle) -> None:
    assert set(puzzle.clues) == {slot.name for slot in puzzle.slots}
    assert all(clue == clue.strip() and clue for clue in puzzle.clues.values())


def test_no_answer_and_no_clue_comes_twice(puzzle: Puzzle) -> None:
    for texts in (answers(puzzle).values(), puzzle.clues.values()):
        assert [text for text, times in Counter(texts).items() if times > 1] == []


def test_no_clue_gives_its_answer_away(puzzle: Puzzle) -> None:
    for name, answer in answers(puzzle).items():
        assert answer not in re.findall("[A-Z]+", puzzle.clue(name).upper()), name


def test_answers_have_three_letters_or_more(puzzle: Puzzle) -> None:
    assert min(len(slot) for slot in puzzle.slots) >= 3


def test_references_in_clues_name_other_slots_of_the_puzzle(puzzle: Puzzle) -> None:
    for name, clue in puzzle.clues.items():
        for other in references(clue):
            assert other in puzzle.grid.by_name, f"{name} names {other}"
            assert other != name


def test_the_grid_is_symmetric(path: Path, puzzle: Puzzle) -> None:
    if path.stem in MIRRORED:
        assert all(row == row[::-1] for row in puzzle.grid.rows)
    else:
        assert is_turned(puzzle)


def test_the_grid_hangs_together(puzzle: Puzzle) -> None:
    reached: set[Cell] = set()
    waiting = [puzzle.grid.cells[0]]
    while waiting:
        cell = waiting.pop()
        if cell not in reached:
            reached.add(cell)
            waiting += [other for slot, _ in puzzle.grid.at[cell] for other in slot.cells]
    assert reached == set(puzzle.grid.cells)


def test_every_cell_is_checked_except_in_a_british_grid(path: Path, puzzle: Puzzle) -> None:
    through = [len(slots) for slots in puzzle.grid.at.values()]
    assert min(through) == (1 if path.name.startswith("british-") else 2)


@pytest.mark.parametrize("path", named("british-"), ids=lambda path: path.name)
def test_a_british_puzzle_checks_half_of_each_answer_and_counts_its_letters(path: Path) -> None:
    puzzle = puzzle_at(path)
    for slot in puzzle.slots:
        assert 2 * len(puzzle.grid.crossings[slot.name]) >= len(slot), slot.name
        stated = ENUMERATION.search(puzzle.clue(slot.name))
        assert stated, slot.name
        assert sum(map(int, re.split("[,-]", stated[1]))) == len(slot), slot.name


@pytest.mark.parametrize("path", named("daily-"), ids=lambda path: path.name)
def test_a_daily_has_the_size_of_one(path: Path) -> None:
    puzzle = puzzle_at(path)
    assert (puzzle.grid.height, puzzle.grid.width) == (15, 15)
    assert 74 <= len(puzzle.slots) <= 78


@pytest.mark.parametrize("path", named("mini-"), ids=lambda path: path.name)
def test_a_mini_is_small(path: Path) -> None:
    grid = puzzle_at(path).grid
    assert 5 <= min(grid.height, grid.width) <= max(grid.height, grid.width) <= 9


@pytest.mark.parametrize("path", named("rebus-"), ids=lambda path: path.name)
def test_a_rebus_repeats_itself_and_no_answer_has_it_in_single_letters(path: Path) -> None:
    puzzle = puzzle_at(path)
    assert puzzle.solution is not None
    texts = {puzzle.solution[cell] for cell in puzzle.rebus}
    assert len(puzzle.rebus) > 1 and len(texts) == 1
    text = texts.pop()
    for slot in puzzle.slots:
        held = sum(cell in puzzle.rebus for cell in slot.cells)
        assert (puzzle.answer(slot.name) or "").count(text) == held, slot.name


def test_the_circled_letters_spell_the_title_s_last_word() -> None:
    puzzle = puzzle_at(PUZZLES / "mini-05-all-the-news.puz")
    assert puzzle.solution is not None
    spelt = "".join(puzzle.solution[cell] for cell in sorted(puzzle.circles))
    assert spelt == puzzle.title.split()[-1].upper() == "NEWS"


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".ipuz"], ids=str)
def test_the_numbers_in_an_ipuz_file_are_the_derived_ones(path: Path) -> None:
    # Looked up in the JSON itself, so that this does not rest on our reader.
    labels: dict[Cell, int] = {}
    for r, row in enumerate(json.loads(path.read_text(encoding="utf-8"))["puzzle"]):
        for c, found in enumerate(row):
            label = found.get("cell") if isinstance(found, dict) else found
            if str(label).isdecimal() and int(label) > 0:
                labels[r, c] = int(label)
    assert labels == puzzle_at(path).grid.numbers


@pytest.mark.slow
@pytest.mark.corpora
@pytest.mark.skipif(not CORPORA.is_dir(), reason=f"{CORPORA} is not here")
def test_no_clue_of_over_three_words_is_in_the_corpora() -> None:
    ours = {
        words(normalise_clue(ENUMERATION.sub("", clue))): f"{path.name} {name}"
        for path in FILES
        for name, clue in puzzle_at(path).clues.items()
    }
    ours = {text: place for text, place in ours.items() if len(text.split()) > 3}
    archives = [
        path for path in sorted(CORPORA.iterdir()) if ".zip" in path.name or "ipuz" in path.name
    ]
    copied = {
        place
        for entry in entries(archives)
        if entry.puzzle is not None
        for clue in entry.puzzle.clues.values()
        if (place := ours.get(words(normalise_clue(clue))))
    }
    assert sorted(copied) == []
