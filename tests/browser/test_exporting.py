"""Files that leave the page come back as they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossword import formats
from tests.browser.table import MINI, SOLUTION, Table


def exported(table: Table, suffix: str, folder: Path) -> Path:
    with table.page.expect_download() as download:
        table.menu("file", f"Export as .{suffix}")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize("suffix", ["puz", "ipuz", "jpz", "xd"])
def test_an_export_holds_the_puzzle(table: Table, tmp_path: Path, suffix: str) -> None:
    path = exported(table.example(), suffix, tmp_path)
    assert path.name == f"breakfast-in-brief.{suffix}"
    puzzle = formats.read(path)
    assert puzzle.title == MINI
    assert puzzle.answer("4A") == "BACON"


@pytest.mark.parametrize("suffix", ["puz", "ipuz"])
def test_an_export_comes_back_with_my_letters(table: Table, tmp_path: Path, suffix: str) -> None:
    path = exported(table.example().type("fat"), suffix, tmp_path)
    table.page.evaluate("localStorage.clear()")
    table.page.goto("about:blank")
    table.page.go_back()
    table.page.wait_for_selector("body[data-ready]")
    table.page.evaluate("localStorage.clear()")
    table.page.set_input_files("#file-input", path)
    table.wait_for_text("#puzzle-title", MINI)
    assert table.rows()[0] == SOLUTION[0]
    assert table.rows()[1] == "....."


def test_a_rebus_survives_the_export(table: Table, tmp_path: Path) -> None:
    table.example("On the Fifth Day").press("Escape").type("ring").press("Enter")
    path = exported(table, "ipuz", tmp_path)
    saved = json.loads(path.read_text())["saved"]
    assert "RING" in [letter for row in saved for letter in row]


def test_a_blank_grid_can_be_printed(table: Table) -> None:
    table.page.evaluate("window.print = () => {}")  # the test looks instead of the printer
    table.example("Nature Walk").press("Tab").type("z")
    table.menu("file", "Print a blank grid").page.emulate_media(media="print")
    letters = table.page.locator(".cell:not(.given) .letter", has_text="Z")
    assert letters.count() == 1 and not letters.is_visible()
    assert table.page.locator(".cell.given .letter").first.is_visible(), "what the file gives stays"
    table.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert letters.is_visible()


def test_the_printed_page_has_the_grid_and_the_clues_alone(table: Table) -> None:
    table.example().page.emulate_media(media="print")
    assert table.page.is_visible("#grid")
    assert table.page.is_visible("#across .clue")
    for hidden in (".masthead", ".tools", ".assistant", ".clue-bar"):
        assert not table.page.is_visible(hidden), hidden
