"""The phone layout: nothing wider than the screen, a keyboard of its own, all of it by touch."""

from __future__ import annotations

from tests.browser.table import DAILY, Table

WIDTH = "document.documentElement.scrollWidth"


def test_nothing_is_wider_than_360_pixels(phone: Table) -> None:
    assert phone.page.evaluate(WIDTH) == 360
    phone.page.get_by_role("button", name=DAILY).tap()
    phone.page.wait_for_selector(".cell.current")
    assert phone.page.evaluate(WIDTH) == 360
    for tab in ("#tab-clue", "#tab-games"):
        phone.page.tap(tab)
        assert phone.page.evaluate(WIDTH) == 360


def test_the_on_screen_keyboard_fills_the_grid(phone: Table) -> None:
    phone.example()
    for letter in "FAX":
        phone.page.tap(f'.key[data-key="{letter}"]')
    assert phone.rows()[0] == "#FAX#"
    phone.cell(0, 3).tap()
    phone.page.tap('.key[data-key="Backspace"]')
    phone.page.tap('.key[data-key="T"]')
    assert phone.rows()[0] == "#FAT#"


def test_the_grid_and_the_clue_stand_above_the_keyboard(phone: Table) -> None:
    phone.example(DAILY)
    box = phone.page.locator("#grid").bounding_box()
    dock = phone.page.locator("#clue-bar").bounding_box()
    keys = phone.page.locator("#keyboard").bounding_box()
    assert box and dock and keys
    assert box["y"] + box["height"] <= dock["y"] + 1
    assert dock["y"] + dock["height"] <= keys["y"] + 1
    assert keys["y"] + keys["height"] <= 741


def test_a_key_suggests_answers_and_a_tap_enters_one(phone: Table) -> None:
    phone.example(DAILY).page.tap('.key[data-key="Suggest"]')
    answer = phone.page.locator("#candidates .answer-word").first
    answer.wait_for()
    box = answer.bounding_box()
    dock = phone.page.locator("#clue-bar").bounding_box()
    assert box and dock and 0 <= box["y"] <= dock["y"] - box["height"], "it is in sight"
    answer.tap()
    assert phone.rows()[0].startswith("AGES")
    cell = phone.page.locator(".cell.current").bounding_box()
    assert cell and 0 <= cell["y"] <= dock["y"], "and so is the grid again"


def test_a_second_tap_turns(phone: Table) -> None:
    phone.example()
    phone.cell(2, 2).tap()
    before = phone.slot
    phone.cell(2, 2).tap()
    assert phone.slot != before


def test_menus_open_within_the_screen(phone: Table) -> None:
    phone.example()
    for button in ("check", "reveal", "file"):
        phone.page.tap(f"#{button}-menu")
        box = phone.page.locator(f"#{button}-menu-list").bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360
        phone.press("Escape")


def test_the_grid_comes_into_sight_to_be_watched(phone: Table) -> None:
    phone.example().solve()
    box = phone.page.locator("#grid").bounding_box()
    assert box and box["y"] >= -1
