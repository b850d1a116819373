"""Written and read again, a puzzle is the same but for what the writer said it dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from crossword.errors import FormatError
from crossword.formats import dump, load, names, read, write
from crossword.formats.convert import convert
from crossword.puzzle import Puzzle, parse
from tests.crossword.formats.made import as_written, bare, puzzles
from tests.crossword.formats.places import FIXTURES, readable_fixtures

# What a writer may report beyond `as_written`: texts that another format reads as something else.
TEXTUAL = {
    "xd": ("braces", "how lines"),
    "jpz": ("||, @@",),
    "puz": ("rebus cells with a semicolon",),
    "ipuz": (),
}


@pytest.mark.parametrize("format", names(writable=True))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(puzzle=puzzles())
def test_a_round_trip_keeps_all_that_the_format_holds_and_reports_the_rest(
    format: str, puzzle: Puzzle
) -> None:
    if format == "puz" and puzzle.grid.bars:
        with pytest.raises(FormatError, match="bars"):
            dump(puzzle, format)
        return
    dumped = dump(puzzle, format)
    again = load(dumped.data, f"made.{format}")
    expected = as_written(puzzle, format)
    textual = [line for line in dumped.dropped if line.startswith(TEXTUAL[format] or ("\0",))]
    if not textual:
        assert bare(again) == expected
    assert bool(set(dumped.dropped) - set(textual)) == (expected != puzzle)


@pytest.mark.parametrize("format", names(writable=True))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(puzzle=puzzles())
def test_writing_what_was_read_drops_nothing_more(format: str, puzzle: Puzzle) -> None:
    if format == "puz" and puzzle.grid.bars:
        return
    once = load(dump(puzzle, format).data)
    twice = dump(once, format)
    assert twice.dropped == ()
    assert bare(load(twice.data)) == bare(once)


@pytest.mark.fixtures
@pytest.mark.parametrize("path", readable_fixtures(), ids=lambda path: path.name)
@pytest.mark.parametrize("format", names(writable=True))
def test_every_fixture_survives_every_format(path: Path, format: str) -> None:
    puzzle = read(path)
    if format == "puz" and puzzle.grid.bars:
        with pytest.raises(FormatError, match="bars"):
            dump(puzzle, format)
        return
    dumped = dump(puzzle, format)
    expected = bare(as_written(puzzle, format))
    again = bare(load(dumped.data, f"again.{format}"))
    assert again == expected
    assert bool(dumped.dropped) == (expected != bare(puzzle))


@pytest.mark.fixtures
@pytest.mark.skipif(not FIXTURES.is_dir(), reason=f"{FIXTURES} is not here")
def test_a_locked_puz_goes_on_without_a_solution() -> None:
    locked = read(FIXTURES / "puzpy/nyt_locked.puz")
    assert load(dump(locked, "puz").data).solution is None


def test_writing_names_what_it_dropped(tmp_path: Path) -> None:
    puzzle = parse("CAT\nA#O\nR~E", solved=True)
    dropped = write(puzzle.with_given({(0, 0): "C"}), tmp_path / "cat.puz")
    assert dropped == (
        "voids (written as blocks)",
        "which letters are given (they are written as entered)",
    )
    assert [file.name for file in tmp_path.iterdir()] == ["cat.puz"]


def test_convert_goes_from_suffix_to_suffix(tmp_path: Path) -> None:
    puzzle = parse("CAT\nA#O\nREN", {"1A": "Pet", "3A": "Cartoon dog"}, solved=True)
    write(puzzle, tmp_path / "a.ipuz")
    assert convert(tmp_path / "a.ipuz", tmp_path / "b.xd") == ()
    assert convert(tmp_path / "b.xd", tmp_path / "c.jpz") == ()
    assert convert(tmp_path / "c.jpz", tmp_path / "d.puz") == ()
    assert bare(read(tmp_path / "d.puz")) == puzzle


def test_a_failed_write_leaves_the_old_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "old.puz"
    target.write_bytes(b"old")
    barred = load(dump(parse("AB\nCD", solved=True), "ipuz").data)
    assert write(barred, target) == ()
    with pytest.raises(FormatError, match="can't write"):
        write(barred, tmp_path / "x.docx")
    with pytest.raises(FormatError, match="suffix"):
        write(barred, tmp_path / "x")
    with pytest.raises(FormatError, match="nowhere"):
        write(barred, tmp_path / "nowhere" / "x.puz")
    assert [file.name for file in tmp_path.iterdir()] == ["old.puz"]
