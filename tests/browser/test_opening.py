"""Every way in: examples, files, drops, pastes, links; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import data
from tests.browser.table import DAILY, MINI, Table, tiny

PUZZLES = Path(data.__file__).parent / "puzzles"
FILES = [
    ("mini-02-square-deal.puz", "Square Deal"),
    ("mini-04-nature-walk.ipuz", "Nature Walk"),
    ("mini-06-open-house.jpz", "Open House"),
    ("mini-07-bouquet.xd", "Bouquet"),
]
HOSTILE = '<svg onload="window.pwned = 1"></svg><script>window.pwned = 2</script>'


def test_a_shipped_example_opens_with_its_title_and_clues(table: Table) -> None:
    table.example(DAILY)
    assert table.page.inner_text("#puzzle-title") == DAILY
    assert table.page.locator(".clue").count() == 74
    assert table.page.locator(".cell.open").count() == 186
    assert table.slot == "1 Across"


@pytest.mark.parametrize(("name", "title"), FILES)
def test_a_chosen_file_of_each_format_opens(table: Table, name: str, title: str) -> None:
    table.page.set_input_files("#file-input", PUZZLES / name)
    table.wait_for_text("#puzzle-title", title)


def test_a_dropped_file_opens(table: Table) -> None:
    text = (PUZZLES / "mini-07-bouquet.xd").read_text()
    transfer = table.page.evaluate_handle(
        """text => { const transfer = new DataTransfer();
            transfer.items.add(new File([text], "bouquet.xd")); return transfer; }""",
        text,
    )
    table.page.dispatch_event("body", "dragover", {"dataTransfer": transfer})
    assert table.page.is_visible("#drop-veil")
    table.page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    table.wait_for_text("#puzzle-title", "Bouquet")
    assert not table.page.is_visible("#drop-veil")


def test_pasted_text_opens_by_the_dialog_and_by_the_keyboard(table: Table) -> None:
    table.paste(tiny())
    table.wait_for_text("#puzzle-title", "Tiny")
    table.page.evaluate(
        """text => { const transfer = new DataTransfer(); transfer.setData("text/plain", text);
            document.body.dispatchEvent(new ClipboardEvent("paste",
                {clipboardData: transfer, bubbles: true})); }""",
        json.dumps(tiny(title="Pasted")),
    )
    table.wait_for_text("#puzzle-title", "Pasted")


def test_a_file_that_is_no_puzzle_is_refused_in_a_line(table: Table) -> None:
    table.paste("Dear diary, this is no crossword at all.")
    table.page.wait_for_selector(".toast.error")
    assert table.page.inner_text(".toast.error")
    assert table.page.is_visible("#start")


def test_markup_in_a_file_stays_text(table: Table) -> None:
    clues = {"Across": [[1, HOSTILE]], "Down": [[1, f"a < b & c &amp;lt; {HOSTILE}"]]}
    table.paste(tiny(title=HOSTILE, author=HOSTILE, notes=HOSTILE, clues=clues))
    table.page.wait_for_selector(".cell.current")
    assert "<svg onload" in table.page.inner_text("#puzzle-title")
    assert "<svg onload" in table.page.inner_text("#current-clue")
    assert "a < b & c &lt;" in table.page.inner_text("#down .clue")
    assert table.page.evaluate("window.pwned") is None
    assert table.page.locator("main svg[onload], main script").count() == 0


def test_a_link_carries_a_puzzle_to_another_browser(table: Table, address: str) -> None:
    table.example()
    table.type("fat")
    table.menu("file", "Share as a link…")
    table.page.check("#share-letters")
    table.wait_for_text("#share-size", "characters")
    link = table.page.input_value("#share-link")
    assert link.startswith(f"{address}#puzzle=")
    table.page.get_by_role("button", name="Close").click()
    other = Table(table.page.context.browser.new_context().new_page())  # type: ignore[union-attr]
    other.page.goto(link)
    other.wait_for_text("#puzzle-title", MINI)
    assert other.rows()[0] == "#FAT#"
    other.page.context.close()


def test_a_damaged_link_is_refused_in_a_line(table: Table) -> None:
    for code in ("", "AAAA", "%00", "e30", "A" * 40_000):
        table.page.evaluate("document.getElementById('toasts').replaceChildren()")
        table.page.evaluate("code => { location.hash = `#puzzle=${code}`; }", code)
        table.page.wait_for_selector(".toast.error")
        assert table.page.is_visible("#start")


def test_a_link_that_inflates_without_end_is_refused(table: Table) -> None:
    refused = table.page.evaluate(
        """async () => {
            const { decode, encode } = await import("/js/sharing.js");
            const bomb = await encode(" ".repeat(8_000_000));
            try { await decode("#puzzle=" + bomb); return [bomb.length, ""]; }
            catch (error) { return [bomb.length, error.message]; }
        }"""
    )
    assert refused[0] < 32_000
    assert "damaged" in refused[1]
