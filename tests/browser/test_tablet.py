"""Tablets without keys, and a phone held sideways: all in sight, nothing behind the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import PHONE, opened, sideways
from tests.browser.table import DAILY, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect


def box(table: Table, selector: str) -> FloatRect:
    found = table.page.locator(selector).first.bounding_box()
    assert found, f"{selector} isn't there"
    return found


def bottom(found: FloatRect) -> float:
    return found["y"] + found["height"]


def width(table: Table) -> int:
    return int(table.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def test_a_tablet_has_the_grid_the_clues_and_the_help_above_its_keyboard(tablet: Table) -> None:
    tablet.example(DAILY)
    assert width(tablet) == 0
    keys = box(tablet, "#keyboard")
    height = tablet.page.viewport_size["height"]  # type: ignore[index]
    assert abs(bottom(keys) - height) <= 1
    for selector in ("#clue-bar", "#grid", ".clues section:last-child", "#candidates-button"):
        assert bottom(box(tablet, selector)) <= keys["y"], selector
    cell = box(tablet, ".cell")
    assert cell["width"] >= 24, "large enough for a finger"


def test_a_tablet_types_with_its_keyboard(tablet: Table) -> None:
    tablet.example()
    for letter in "FAT":
        tablet.page.tap(f'.key[data-key="{letter}"]')
    assert tablet.rows()[0] == "#FAT#"


def test_a_tablet_sees_the_solve_and_the_button_that_stops_it(tablet: Table) -> None:
    stop, grid, keys = tablet.example(DAILY).watch(
        """["stop-button", "grid", "keyboard"].map((id) => {
            const found = document.getElementById(id).getBoundingClientRect();
            return { y: found.y, height: found.height };
        })"""
    )
    for found in (stop, grid):
        assert found["y"] >= 0 and bottom(found) <= keys["y"]


def test_a_message_is_not_laid_over_the_keys(tablet: Table) -> None:
    tablet.example().page.locator("#sure-button").tap()
    tablet.wait_for_text(".toast", "sure")
    assert bottom(box(tablet, ".toast")) <= box(tablet, "#keyboard")["y"]


@pytest.fixture
def turned(browser: Browser, address: str) -> Iterator[Table]:
    """A phone held sideways."""
    size = sideways(PHONE)
    context = browser.new_context(viewport=size, has_touch=True, is_mobile=True)
    yield from opened(context, address)


def test_a_phone_held_sideways_has_the_grid_beside_the_keys(turned: Table) -> None:
    turned.example(DAILY).page.locator("#grid").scroll_into_view_if_needed()
    assert width(turned) == 0
    grid, keys, clue = box(turned, "#grid"), box(turned, "#keyboard"), box(turned, "#clue-bar")
    assert grid["height"] <= 360 and grid["x"] + grid["width"] <= keys["x"]
    assert bottom(clue) <= keys["y"] + 1 and bottom(keys) <= 361
    turned.page.tap('.key[data-key="A"]')
    assert turned.letter(0, 0) == "A"
