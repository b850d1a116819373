"""Whatever the bytes, a reader gives a puzzle or one line: nothing else escapes, nothing swells."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import time
import tracemalloc
import zipfile
from dataclasses import replace

import pytest

from crossword.errors import CorruptFileError, FormatError, UnknownFormatError
from crossword.formats import dump, load, names
from crossword.formats.document import MAX_BYTES
from crossword.puzzle import Grid, Puzzle, parse
from tests.crossword.formats.mutants import flooded, injured, seeds, shaped
from tests.crossword.formats.samples import sample, samples

SAMPLES = samples()
MUTANTS = 2500  # a format; a few seconds in all
_NET = re.compile(r"damaged \(\w+: ")  # how `load` words what no reader foresaw


def check(data: bytes, name: str = "mutant") -> bool:
    """Whether it was read; fails on anything but a puzzle or a foreseen refusal."""
    try:
        puzzle = load(data, name)
    except FormatError as error:
        assert str(error).startswith(name)
        assert "\n" not in str(error)
        assert not _NET.search(str(error)), str(error)
        return False
    json.dumps(puzzle.title + "".join(puzzle.clues.values())).encode()
    again = load(dump(puzzle, "ipuz").data)
    assert (again.grid, again.clues, again.solution) == (puzzle.grid, puzzle.clues, puzzle.solution)
    return True


@pytest.mark.parametrize("format", SAMPLES)
def test_injured_files_are_read_or_refused_in_one_line(format: str) -> None:
    assert check(SAMPLES[format])
    dice = random.Random(format)
    for _ in range(MUTANTS):
        check(injured(SAMPLES[format], dice), f"mutant.{format}")


@pytest.mark.parametrize("format", SAMPLES)
def test_files_of_the_right_shape_with_odd_insides_are_read_or_refused_in_one_line(
    format: str,
) -> None:
    dice = random.Random(format)
    found = seeds()[format]
    read = sum(check(shaped(format, dice.choice(found), dice)) for _ in range(MUTANTS))
    assert MUTANTS // 20 < read < MUTANTS  # the injuries reach past the first check


def test_random_bytes_are_refused() -> None:
    dice = random.Random("bytes")
    for _ in range(MUTANTS):
        assert not check(dice.randbytes(dice.randint(0, 200)))


def zipped(*members: tuple[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return memory.getvalue()


GRID_OF_300 = {
    "version": "http://ipuz.org/v2",
    "kind": ["http://ipuz.org/crossword#1"],
    "dimensions": {"width": 300, "height": 300},
    "puzzle": [[0] * 300] * 300,
}
FLOOD_OF_CLUES = {
    **GRID_OF_300,
    "dimensions": {"width": 2, "height": 2},
    "puzzle": [[1, 2], [3, 0]],
    "clues": {"Across": [], "Down": [0] * 500_000},
}
BOMB = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<crossword-compiler><rectangular-puzzle>&b;</rectangular-puzzle></crossword-compiler>"""
EXTERNAL = b"""<!DOCTYPE x SYSTEM "file:///etc/passwd"><crossword-compiler/>"""


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"\0" * 1000, "empty"),
        (b"{" + b'"a":' * 5 + b"1", "broken JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"kind":' + b"9" * 5000 + b"}", "broken JSON"),
        (b'{"kind": 1}', "no crossword"),
        (b'{"version": "http://ipuz.org/v2"}', "without a 'kind'"),
        (json.dumps(GRID_OF_300).encode(), "over 255 a side"),
        (json.dumps(FLOOD_OF_CLUES).encode(), "500,000 clues"),
        (b"<!DOCTYPE html><html><body>504</body></html>", "an HTML page"),
        (b"<html>", "an HTML page"),
        (b"<crossword-compiler>", "broken XML"),
        (b"<svg></svg>", "no puzzle that we know"),
        (b"<a>" * 100_000 + b"</a>" * 100_000, "no puzzle that we know"),
        (BOMB, "DTD or entities"),
        (EXTERNAL, "DTD or entities"),
        (b"x" * (MAX_BYTES + 1), "too large"),
        (b"just some words", "no puzzle format"),
        (SAMPLES["puz"][:200], "damaged .puz"),
        (SAMPLES["puz"] + b"x" * 2**20, "too large for a .puz"),
        (SAMPLES["puz"][:20], "cut short"),
        (b"PK\x03\x04 and no more", "damaged zip"),
        (zipped(("a.puz", b""), ("b.puz", b"")), "zip of 2 files"),
        (zipped(("a.jpz", zipped(("b.jpz", SAMPLES["jpz"])))), "a zip inside a zip"),
        (zipped(("a.jpz", b"\0" * (MAX_BYTES * 20))), "too large"),
    ],
)
def test_a_hopeless_file_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    tracemalloc.start()
    started = time.process_time()
    with pytest.raises(FormatError, match=r"^x\.dat: ") as caught:
        load(data, "x.dat")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reason in str(caught.value)
    assert not _NET.search(str(caught.value))
    assert peak < 16 * MAX_BYTES
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "data",
    [
        b"## Grid\n\nAB\n\n## Clues\n\n" + b"A1. " + b"{/" * 400_000,
        b"## Grid\n\nAB\n\n## Clues\n\nA1. x" + b" " * 800_000 + b"~ AB",
        b"## Metadata\n\ntitle" + b" " * 800_000 + b"x\n\n## Grid\n\nAB\n",
        b"## Grid\n\n" + b"<!--\n" * 200_000 + b"AB\n",
        b"## Grid\n\nAB\n\n## Design\n\n<style>" + b"A " * 400_000 + b"</style>\n",
        b"rows:" + b"\n" * 800_000,
        json.dumps({"grid": ["A"] * 4, "size": {"cols": 2, "rows": 2}, "clues": {
            "across": ["1. " + "<i " * 300_000, " " * 800_000 + "3. x"]}}).encode(),
        b'<crossword-compiler><rectangular-puzzle><crossword><grid width="2" height="2"/>'
        b'<word id="1" x="1-9999" y="1-9999"/></crossword></rectangular-puzzle>'
        b"</crossword-compiler>",
        b"<ACROSS PUZZLE>\n<SIZE>\n3x3\n<GRID>\n" + b"A" * 2**20,
    ],
    ids=range(9),
)  # fmt: skip
def test_a_text_made_to_be_slow_is_not(data: bytes) -> None:
    started = time.process_time()
    check(data, "slow")
    assert time.process_time() - started < 1


@pytest.mark.parametrize("format", names(writable=True))
def test_a_grid_of_255_a_side_goes_through_every_format(format: str) -> None:
    side = 255
    rows = tuple(
        "".join(".#"[(r % 6 == 5 or c % 6 == 5) and 2 not in (r % 6, c % 6)] for c in range(side))
        for r in range(side)
    )
    grid = Grid(rows)
    assert len(grid.slots) > 10_000  # numbers of five digits
    clues = {slot.name: "Clue" for slot in grid.slots}
    puzzle = Puzzle(grid, clues, solution=dict.fromkeys(grid.cells, "A"))
    again = load(dump(puzzle, format).data)
    assert (again.grid, again.clues, again.solution) == (grid, clues, puzzle.solution)


@pytest.mark.parametrize("at", [0x00, 0x0E, 0x10, 0x14])
def test_a_puz_whose_checksums_lie_is_refused(at: int) -> None:
    data = bytearray(SAMPLES["puz"])
    data[at] ^= 0x55
    with pytest.raises(CorruptFileError, match="checksum does not match"):
        load(bytes(data))


@pytest.mark.parametrize("format", names(writable=True))
def test_text_from_right_to_left_goes_through_every_format(format: str) -> None:
    title, clue = "\u202eשלום עולם", "مرحبا \u200f(abc)"
    puzzle = replace(parse("CAT", {"1A": clue}, solved=True), title=title)
    again = load(dump(puzzle, format).data)
    assert (again.title, again.clue("1A"), again.answer("1A")) == (title, clue, "CAT")


@pytest.mark.parametrize("format", SAMPLES)
def test_a_megabyte_of_anything_takes_under_a_second_and_200_megabytes(format: str) -> None:
    dice = random.Random(format)
    found = seeds()[format]
    for turn in range(6):
        data = flooded(format, found, 2**20, dice)
        if traced := turn % 3 == 2:  # tracing takes several times as long, so it isn't timed
            tracemalloc.start()
        started = time.process_time()
        check(data)
        took = time.process_time() - started
        if traced:
            assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
            tracemalloc.stop()
        else:
            assert took < 1


def test_a_grid_of_255_a_side_is_read() -> None:
    side = 255
    big = {
        **GRID_OF_300,
        "dimensions": {"width": side, "height": side},
        "puzzle": [[0] * side] * side,
    }
    assert load(json.dumps(big).encode()).grid.width == side


def test_a_zipped_jpz_is_read() -> None:
    assert load(zipped(("inner.xml", SAMPLES["jpz"])), "x.jpz").title == "Swing set"


def test_control_characters_and_lone_surrogates_do_not_get_through() -> None:
    value = json.loads(SAMPLES["ipuz"])
    value["title"] = "A\x1b[31m\ud800 title\u2028"
    value["clues"]["Across"][0][1] = "Clue\x00 with\r\nlines"
    puzzle = load(json.dumps(value).encode())
    assert puzzle.title == "A[31m\ufffd title"
    assert puzzle.clue("1A") == "Clue with lines"


def test_the_net_names_the_file_when_a_reader_has_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(value: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("crossword.formats.ipuz.from_json", broken)
    with pytest.raises(CorruptFileError, match=r"x\.ipuz: damaged .ZeroDivisionError: oops"):
        load(SAMPLES["ipuz"], "x.ipuz")


def test_gzipped_single_files_are_named_as_unknown() -> None:
    with pytest.raises(UnknownFormatError):
        load(gzip.compress(dump(sample(), "ipuz").data), "x.ipuz.gz")
