"""What each reader makes of the oddities of its format, on small files of our own."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import puz
import pytest

from crossword.errors import FormatError, UnknownFormatError, UnsupportedPuzzleError
from crossword.formats import FORMATS, dump, load, names
from crossword.puzzle import Grid, Puzzle, parse
from tests.crossword.formats.samples import nyt_json, sample, samples, xwordinfo_json

SAMPLES = samples()


def loaded(value: Any) -> Puzzle:
    return load(json.dumps(value).encode())


def ipuz(**changes: Any) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(dump(parse("CAT\nO#O\nBEN", solved=True), "ipuz").data)
    value["clues"] = {"Across": [[1, "Pet"], [3, "Big clock"]], "Down": [[1, "Ear"], [2, "Hill"]]}
    return {**value, **changes}


def test_the_sample_is_the_same_in_every_format() -> None:
    expected = sample()
    for name in FORMATS:
        if name == "txt":
            continue
        puzzle = load(SAMPLES[name])
        assert (puzzle.grid, puzzle.solution) == (expected.grid, expected.solution), name
        assert puzzle.circles == expected.circles, name
        assert puzzle.notices == (), name
        markup = {"nyt", "xwordinfo"}  # their clues are HTML, so a tag in them is a tag
        assert puzzle.clue("1D") == ("Quick look" if name in markup else "Quick <i>look</i>")


def test_importing_formats_loads_no_parser() -> None:
    code = "import sys, crossword.formats; print({'puz', 'defusedxml'} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"


def test_an_unknown_format_lists_those_that_can_be_written() -> None:
    with pytest.raises(UnknownFormatError, match="puz, ipuz, jpz, xd"):
        dump(sample(), "nyt")
    assert names() == ("puz", "ipuz", "jpz", "xd", "xwordinfo", "nyt", "txt")


# .puz


def puz_file(rows: str, **changes: Any) -> bytes:
    file = puz.Puzzle("1.3")
    lines = rows.split()
    file.width, file.height = len(lines[0]), len(lines)
    file.solution = "".join(lines)
    file.fill = "".join("." if sign in ".:" else "-" for sign in file.solution)
    file.clues = ["clue"] * 20
    for name, value in changes.items():
        setattr(file, name, value)
    data: bytes = file.tobytes()
    return data


def test_a_locked_puz_has_clues_but_no_solution() -> None:
    file = puz.load(puz_file("CAT O.O BEN", clues=["a", "b", "c", "d"]))
    file.lock_solution(1234)
    puzzle = load(file.tobytes())
    assert puzzle.solution is None
    assert puzzle.notices == ("the solution is locked (scrambled), so the puzzle has none here",)
    assert len(puzzle.clues) == 4


def test_an_unlocked_puz_that_was_locked_once_has_its_solution() -> None:
    file = puz.load(puz_file("CAT O.O BEN", clues=["a", "b", "c", "d"], scrambled_cksum=77))
    assert load(file.tobytes()).answer("1A") == "CAT"


def test_a_puz_with_too_few_or_too_many_clues_says_so() -> None:
    puzzle = load(puz_file("CAT O.O BEN", clues=["a", "b", "c"]))
    assert puzzle.clues == {"1A": "a", "1D": "b", "2D": "c"}
    assert puzzle.notices[0].startswith("3 clues for 4 slots")
    assert load(puz_file("CAT O.O BEN")).notices[0].startswith("20 clues for 4 slots")


def test_old_puz_texts_are_windows_1252() -> None:
    data = puz_file(
        "CAT O.O BEN", title="\x93Quoted\x94 \x97 caf\xe9", clues=["\x85", "b", "c", "d"]
    )
    puzzle = load(data)
    assert puzzle.title == "“Quoted” — café"
    assert puzzle.clue("1A") == "…"


def test_bytes_before_a_puz_header_do_not_matter() -> None:
    assert load(b"HTTP/1.1 200 OK\r\n\r\n" + SAMPLES["puz"]).title == "Swing set"


def test_a_puz_with_a_broken_rebus_table_is_refused() -> None:
    file = puz.load(SAMPLES["puz"])
    file.extensions[b"GRBS"] = bytes([9] * 16)
    with pytest.raises(FormatError, match="rebus"):
        load(file.tobytes())


def test_a_puz_too_big_for_its_tables_is_refused_in_words() -> None:
    side = 255
    puzzle = Puzzle(Grid(("." * side,) * side), fill={(0, 0): "A" * 60})
    cells = dict.fromkeys(puzzle.grid.cells[:100], "B" * 60)
    with pytest.raises(FormatError, match=r"too much for a \.puz"):
        dump(puzzle.with_letters(cells), "puz")


# ipuz


def test_ipuz_clues_come_as_pairs_objects_or_with_cells() -> None:
    across = [["1", "Pet"], {"number": 3, "clue": "Big <i>clock</i> &amp; bell"}]
    down = [
        {"number": 1, "clue": "Ear", "cells": [[1, 1], [1, 2], [1, 3]]},
        {"label": "2", "clue": "Hill"},
    ]
    puzzle = loaded(ipuz(clues={"Across:Horizontal": across, "Down": down}))
    assert puzzle.clues == {"1A": "Pet", "3A": "Big clock & bell", "1D": "Ear", "2D": "Hill"}


def test_a_clue_goes_to_the_cell_with_its_label_even_if_the_numbers_are_odd() -> None:
    value = ipuz(puzzle=[[5, 0, 7], [0, "#", 0], [9, 0, 0]])
    value["clues"] = {"Across": [[5, "Pet"], [9, "Clock"]], "Down": [[5, "Ear"], [7, "Hill"]]}
    puzzle = loaded(value)
    assert puzzle.clues == {"1A": "Pet", "3A": "Clock", "1D": "Ear", "2D": "Hill"}
    assert puzzle.notices == (
        "the file's own numbers differ from the derived ones in 3 cells: "
        "row 1 column 1, row 1 column 3, row 3 column 1",
    )


def test_clues_that_match_no_slot_and_slots_without_a_clue_are_noticed() -> None:
    clues = {"Across": [[1, "Pet"], [8, "Lost"], [1, "Again"]], "Down": []}
    assert loaded(ipuz(clues=clues)).notices == (
        "1 clue without a slot in the grid: 8A",
        "1 clue given twice: 1A",
        "3 slots without a clue: 3A, 1D, 2D",
    )


def test_cells_without_a_letter_are_noticed() -> None:
    puzzle = loaded(ipuz(solution=[["C", "A", ""], ["O", "#", None], ["B", "E", "N"]]))
    assert puzzle.answer("2D") is None
    assert puzzle.answer("1A") is None
    assert puzzle.answer("3A") == "BEN"
    assert puzzle.notices == (
        "2 cells with no letter in the solution: row 1 column 3, row 2 column 3",
    )


@pytest.mark.parametrize(
    "kind",
    ["http://ipuz.org/sudoku#1", "http://ipuz.org/acrostic#1", "http://ipuz.org/wordsearch#1"],
)
def test_other_kinds_of_ipuz_are_refused_by_name(kind: str) -> None:
    with pytest.raises(UnsupportedPuzzleError, match=kind):
        loaded(ipuz(kind=[kind]))


def test_one_bent_answer_is_a_trick_and_many_are_a_variety_puzzle() -> None:
    bent = {"number": 1, "clue": "Bent", "cells": [[1, 1], [2, 1], [2, 2]]}
    with pytest.raises(UnsupportedPuzzleError, match="does not run across"):
        loaded(ipuz(clues={"Across": [bent]}))
    rows = 6
    value: dict[str, Any] = json.loads(dump(parse("ABCDEF\n" * rows, solved=True), "ipuz").data)
    value["clues"]["Across"] = [[1, "one"]] + [[n, "x"] for n in range(7, 12)]
    value["clues"]["Down"] = [[n, "x"] for n in range(1, 7)]
    value["clues"]["Across"][0] = {"number": 1, "clue": "Bent", "cells": [[1, 1], [2, 1], [2, 2]]}
    puzzle = loaded(value)
    assert puzzle.clue("1A") == "Bent"
    assert puzzle.notices == ("1 clue for other cells than the slot's: 1A",)


def test_bars_on_an_edge_part_nothing() -> None:
    value = ipuz()
    value["puzzle"][0][0] = {"cell": 1, "style": {"barred": "TL"}}
    value["puzzle"][0][2] = {"cell": 2, "style": {"barred": "LRT"}}
    assert loaded(value).grid.bars == frozenset({((0, 1), "A")})


def test_a_wrapped_ipuz_is_read() -> None:
    text = "\ufeff ipuz(" + json.dumps(ipuz(title="Wrapped")) + ");\n"
    assert load(text.encode()).title == "Wrapped"


# XWord Info and the New York Times


def test_xwordinfo_blanks_are_open_cells_and_shading_is_a_switch() -> None:
    value = xwordinfo_json() | {"shadecircles": "true", "bbars": [0, 1], "rbars": [3, 0]}
    value["grid"][5] = " "
    puzzle = loaded(value)
    assert puzzle.shaded == {(1, 1)}
    assert puzzle.circles == frozenset()
    assert puzzle.grid.bars == {((0, 1), "D"), ((3, 0), "A")}
    assert "1 cell with no letter in the solution: row 2 column 2" in puzzle.notices
    assert puzzle.notes == "First line\nSecond line"
    assert puzzle.date == "2026-02-03"
    value["grid"] = [" "] * 16
    assert loaded(value).solution is None


def test_nyt_cells_carry_circles_shading_and_spare_answers() -> None:
    value = nyt_json()
    del value["body"][0]["cells"][3]["answer"]
    value["body"][0]["cells"][3]["moreAnswers"] = {"valid": ["NG", "N"]}
    puzzle = loaded(value)
    assert puzzle.solution is not None
    assert puzzle.solution[0, 3] == "NG"
    assert puzzle.circles == {(1, 1)}
    assert puzzle.shaded == {(2, 2)}
    assert (puzzle.author, puzzle.date) == ("A. Tester and B. Tester", "2026-02-03")
    assert puzzle.notes == "Look twice."


def test_an_nyt_acrostic_is_refused() -> None:
    value = nyt_json()
    value["body"][0]["clues"][0]["direction"] = "Quote"
    with pytest.raises(UnsupportedPuzzleError, match="Quote"):
        loaded(value)


# jpz and xd


def test_jpz_spans_headings_and_habits() -> None:
    data = SAMPLES["jpz"].decode()
    data = data.replace("Across", "Waagerecht").replace("Down", "Senkrecht")
    data = data.replace(">Loads<", ' format="2,2">Loads of<i>them</i> || another<')
    puzzle = load(data.encode())
    assert puzzle.clue("6A") == "Loads ofthem (2,2)"
    with pytest.raises(UnsupportedPuzzleError, match="Inward"):
        load(data.replace("Senkrecht", "Inward").encode())


XD = """Title: Plain text
Author: A. Tester
Rebus: 1=ART
Special: circle


#C1#
OREs
###_


A1. Vehicle ~ CART
A3. Some minerals ~ ORES
D1. {/Rock/} {@ group | http://x @} ~ CR
D2. Tilde ~ inside ~ ARTE


Free notes.

More of them.
"""


def test_xd_by_blank_lines() -> None:
    puzzle = load(XD.encode())
    assert puzzle.grid.rows == ("#..#", "....", "###~")
    assert puzzle.answer("1A") == "CART"
    assert puzzle.circles == {(1, 3)}
    assert puzzle.clues == {
        "1A": "Vehicle", "3A": "Some minerals", "1D": "Rock group", "2D": "Tilde ~ inside",
    }  # fmt: skip
    assert puzzle.notes == "Free notes.\n\nMore of them."


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("A3. Some", "A3 Some", "line 13: not a clue"),
        ("Author:", "Author", "line 2: not 'Name: value'"),
        ("OREs", "OREsX", "line 8: a row of 5 cells in a grid of 4"),
        ("A3. Some", "B3. Some", "group 'B'"),
    ],
)
def test_an_xd_line_that_fits_nothing_is_named(old: str, new: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        load(XD.replace(old, new).encode(), "x.xd")


def test_dots_are_blocks_only_where_no_hash_is() -> None:
    assert load(b"## Grid\n\nAB.\nC.D\n").grid.rows == ("..#", ".#.")
    assert load(b"## Grid\n\nAB.\nC#D\n").grid.rows == ("...", ".#.")
    assert load(b"## Grid\n\n...\n...\n").grid.rows == ("...", "...")


def test_the_diagramless_mark_survives_where_it_can() -> None:
    puzzle = replace(sample(), diagramless=True)
    assert load(dump(puzzle, "puz").data).diagramless
    assert load(dump(puzzle, "ipuz").data).diagramless
    assert load(dump(puzzle, "xd").data).diagramless
    assert "that it is a diagramless" in dump(puzzle, "jpz").dropped
