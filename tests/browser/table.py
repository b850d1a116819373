"""What a test does at the page: open a puzzle, look at cells, press keys."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

MINI = "Breakfast in Brief"
# The solution of that puzzle, as a reader sees it.
SOLUTION = ("#FAT#", "BACON", "OUTDO", "GLOAT", "#TRY#")
DAILY = "From the Ground Up"


def tiny(**changes: Any) -> dict[str, Any]:
    """An ipuz of 3×3 with nothing but white cells: CAT / APE / BED across, in rows."""
    ipuz: dict[str, Any] = {
        "version": "http://ipuz.org/v2",
        "kind": ["http://ipuz.org/crossword#1"],
        "title": "Tiny",
        "dimensions": {"width": 3, "height": 3},
        "puzzle": [[1, 2, 3], [4, 0, 0], [5, 0, 0]],
        "clues": {
            "Across": [[1, "It purrs"], [4, "It swings"], [5, "It has a head and a foot"]],
            "Down": [[1, "It rolls up at the rank"], [2, "A letter of sorts"], [3, "A golf peg"]],
        },
    }
    return ipuz | changes


@dataclass
class Table:
    page: Page

    def example(self, title: str = MINI) -> Table:
        self.page.get_by_role("button", name=title).click()
        self.page.wait_for_selector("#play:not([hidden]) .cell.current")
        return self

    def example_from_menu(self, title: str) -> Table:
        """Leaves a puzzle for another example."""
        self.menu("file", "Examples and saved games")
        self.page.locator("#examples").get_by_role("button", name=title).click()
        self.page.wait_for_selector("#play:not([hidden]) .cell.current")
        return self

    def paste(self, text: str | dict[str, Any]) -> Table:
        """Opens a puzzle by the paste dialog."""
        self.page.click("#paste-button")
        self.page.fill("#paste-text", text if isinstance(text, str) else json.dumps(text))
        self.page.get_by_role("button", name="Open it").click()
        return self

    def press(self, *keys: str) -> Table:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def type(self, letters: str) -> Table:
        self.page.keyboard.type(letters)
        return self

    def cell(self, row: int, col: int) -> Locator:
        return self.page.locator(f".grid-row:nth-child({row + 1}) > .cell:nth-child({col + 1})")

    def click(self, row: int, col: int) -> Table:
        self.cell(row, col).click()
        return self

    def letter(self, row: int, col: int) -> str:
        return self.cell(row, col).locator(".letter").inner_text()

    def rows(self) -> list[str]:
        """The letters in the grid: '#' for a block, '.' for a blank."""
        found: list[str] = self.page.eval_on_selector_all(
            ".grid-row",
            """rows => rows.map(row => [...row.children].map(cell =>
                cell.classList.contains("open") ? cell.querySelector(".letter").textContent || "."
                : "#").join(""))""",
        )
        return found

    def fill(self, rows: tuple[str, ...] = SOLUTION) -> Table:
        """Types a whole grid, cell by cell."""
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != "#":
                    self.click(r, c).press(letter)
        return self

    @property
    def cursor(self) -> tuple[int, int]:
        index, width = self.page.evaluate(
            """() => [Number(document.querySelector(".cell.current").dataset.index),
                document.querySelector(".grid-row").children.length]"""
        )
        return divmod(index, width)

    @property
    def slot(self) -> str:
        """The current slot's name in the clue bar, like '1 Across'."""
        return self.page.inner_text("#current-clue b")

    def menu(self, button: str, item: str) -> Table:
        self.page.click(f"#{button}-menu")
        self.page.locator(f"#{button}-menu-list").get_by_role("menuitem", name=item).click()
        return self

    def wait_for_text(self, selector: str, text: str) -> None:
        self.page.locator(selector).filter(has_text=text).first.wait_for()

    def watch(self, look: str) -> Any:
        """Starts a solve; what a script says at the first moment that letters are in sight."""
        self.page.locator("#solve-button").click()
        seen = self.page.wait_for_function(
            f"""() => document.querySelector(".cell.tinted")
                && !document.getElementById("watch").hidden && ({look})"""
        )
        return seen.json_value()

    def solve(self) -> Table:
        self.page.click("#solve-button")
        self.page.wait_for_selector("#inspector")
        self.page.wait_for_selector("#watch", state="hidden")
        return self
