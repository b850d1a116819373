"""Without a mouse: from the first Tab to a checked grid. `page.click` is never used here."""

from __future__ import annotations

from tests.browser.table import MINI, Table

FOCUSED = "document.activeElement.textContent"
IN_GRID = "document.getElementById('grid').contains(document.activeElement)"


def tab_to(table: Table, text: str, key: str = "Tab") -> None:
    for _ in range(40):
        table.press(key)
        if text in table.page.evaluate(FOCUSED).replace("\u2019", "'"):
            return
    raise AssertionError(f"no way to {text!r} by {key}")


def test_a_puzzle_is_opened_filled_and_checked_by_keys_alone(table: Table) -> None:
    table.page.wait_for_selector("#examples li")
    tab_to(table, MINI)
    table.press("Enter")
    table.page.wait_for_selector(".cell.current")
    assert table.page.evaluate(IN_GRID)
    table.type("fit")
    table.press("Shift+F6")
    tab_to(table, "Check")
    table.press("Enter", "ArrowDown", "ArrowDown", "Enter")
    table.page.wait_for_selector('.cell[data-mark="wrong"]')
    assert table.page.evaluate(IN_GRID), "the focus is back in the grid"


def test_f6_leaves_the_grid_though_tab_does_not(table: Table) -> None:
    table.page.wait_for_selector("#examples li")
    tab_to(table, MINI)
    table.press("Enter")
    table.page.wait_for_selector(".cell.current")
    table.press("Tab", "Tab")
    assert table.page.evaluate(IN_GRID)
    seen = []
    for _ in range(4):
        table.press("F6")
        seen.append(
            table.page.evaluate("document.activeElement.closest('[data-region]').className")
        )
    assert [name.split()[0] for name in seen] == ["clues", "assistant", "tools", "grid"]


def test_escape_closes_a_menu_and_a_dialog(table: Table) -> None:
    table.example().press("Shift+F6")
    tab_to(table, "Reveal")
    table.press("ArrowDown")
    assert table.page.is_visible("#reveal-menu-list")
    table.press("Escape")
    assert not table.page.is_visible("#reveal-menu-list")
    assert table.page.evaluate(FOCUSED) == "Reveal"
    table.page.focus("#keys-button")
    table.press("Enter")
    assert table.page.is_visible("#keys-dialog")
    table.press("Escape")
    assert not table.page.is_visible("#keys-dialog")


def test_tabs_move_with_arrows(table: Table) -> None:
    table.page.focus("#tab-puzzle")
    table.press("ArrowRight")
    assert table.page.is_visible("#view-clue")
    table.press("ArrowLeft", "ArrowLeft")
    assert table.page.is_visible("#view-games")


def test_cells_say_what_they_are(table: Table) -> None:
    table.example().type("f")
    label = table.cell(0, 1).get_attribute("aria-label") or ""
    assert label.startswith("F; number 1; 1 Across, letter 1 of 3; 1 Down, letter 1 of 5")
    assert table.page.locator('[role="grid"] [tabindex="0"]').count() == 1
