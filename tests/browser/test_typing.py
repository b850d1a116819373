"""The keys that crossword people know, the mouse, undo, autosave, the timer."""

from __future__ import annotations

from tests.browser.table import MINI, Table, tiny


def test_letters_fill_the_answer_and_go_on_to_the_next_clue(table: Table) -> None:
    table.example().type("fat")
    assert table.rows()[0] == "#FAT#"
    assert (table.slot, table.cursor) == ("4 Across", (1, 0))


def test_typing_skips_letters_that_stand_and_comes_back_for_blanks(table: Table) -> None:
    table.example().click(1, 1).press("A").click(1, 1)
    table.press("Home").type("b")
    assert table.cursor == (1, 2)
    table.press("Home").press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight").type("n")
    assert table.cursor == (1, 2)
    assert table.rows()[1] == "BA..N"


def test_an_arrow_turns_first_and_then_moves_over_blocks(table: Table) -> None:
    table.example()
    assert (table.slot, table.cursor) == ("1 Across", (0, 1))
    table.press("ArrowDown")
    assert (table.slot, table.cursor) == ("1 Down", (0, 1))
    table.press("ArrowDown")
    assert table.cursor == (1, 1)
    table.press("ArrowLeft")
    assert (table.slot, table.cursor) == ("4 Across", (1, 1))
    table.press("ArrowLeft", "ArrowLeft")
    assert table.cursor == (1, 0)


def test_space_and_a_second_click_turn(table: Table) -> None:
    table.example().press("Space")
    assert table.slot == "1 Down"
    table.click(2, 2)
    assert table.slot == "2 Down"
    table.click(2, 2)
    assert table.slot == "6 Across"


def test_tab_goes_by_clues_and_wraps_to_the_other_direction(table: Table) -> None:
    table.example().press("Tab")
    assert table.slot == "4 Across"
    table.press("Shift+Tab", "Shift+Tab")
    assert table.slot == "5 Down"
    table.press("Tab")
    assert table.slot == "1 Across"


def test_backspace_clears_and_steps_back_while_delete_stays(table: Table) -> None:
    table.example().click(1, 0).type("bac")
    table.press("Backspace")
    assert (table.rows()[1], table.cursor) == ("BA...", (1, 2))
    table.press("Backspace", "Backspace")
    assert (table.rows()[1], table.cursor) == (".....", (1, 0))
    table.type("b").press("Home", "Delete")
    assert (table.rows()[1], table.cursor) == (".....", (1, 0))


def test_home_and_end_go_to_the_ends_of_the_answer(table: Table) -> None:
    table.example().click(1, 2).press("End")
    assert table.cursor == (1, 4)
    table.press("Home")
    assert table.cursor == (1, 0)


def test_escape_enters_several_letters_and_the_focus_comes_back(table: Table) -> None:
    table.example("On the Fifth Day").press("Escape").type("ring").press("Enter")
    row, col = table.cursor
    assert table.letter(row, col) == "RING"
    table.press("Delete").type("x")
    assert table.letter(row, col) == "X"


def test_a_given_letter_can_not_be_typed_over(table: Table) -> None:
    table.example("Nature Walk")
    given = table.page.locator(".cell.given").first
    before = given.inner_text()
    given.click()
    table.type("q").press("Delete")
    assert given.inner_text() == before


def test_undo_and_redo_go_back_and_forth(table: Table) -> None:
    table.example().type("fat").press("Control+z", "Control+z")
    assert table.rows()[0] == "#F..#"
    table.press("Control+Shift+z")
    assert table.rows()[0] == "#FA.#"
    table.page.click("#undo-button")
    assert table.rows()[0] == "#F..#"
    table.page.click("#redo-button")
    assert table.rows()[0] == "#FA.#"


def test_a_full_stop_takes_the_pencil_and_gives_it_back(table: Table) -> None:
    table.example().press(".").type("f").press(".").type("at")
    assert table.page.locator(".cell.pencil").all_inner_texts() == ["F"]
    assert table.page.get_attribute("#pencil-button", "aria-pressed") == "false"
    table.page.reload()
    table.page.locator("#recent").get_by_role("button", name=MINI).first.click()
    table.page.wait_for_selector(".cell.current")
    assert table.page.locator(".cell.pencil").all_inner_texts() == ["F"]
    table.click(0, 1).type("f")
    assert table.page.locator(".cell.pencil").count() == 0, "the pen goes over it"
    table.press("Control+z")
    assert table.page.locator(".cell.pencil").count() == 1


def test_letters_are_there_again_after_a_reload(table: Table) -> None:
    table.example().type("fat")
    table.page.reload()
    table.page.wait_for_selector("#recent li")
    table.page.locator("#recent").get_by_role("button", name=MINI).first.click()
    table.page.wait_for_selector(".cell.current")
    assert table.rows()[0] == "#FAT#"


def test_a_pause_hides_the_grid_and_stops_the_clock(table: Table) -> None:
    table.example().page.click("#timer-button")
    assert table.page.is_visible("#paused")
    shown = table.page.inner_text("#timer-face")
    table.type("f")
    table.page.wait_for_timeout(1100)
    assert table.page.inner_text("#timer-face") == shown
    table.page.click("#resume-button")
    assert not table.page.is_visible("#paused")
    assert table.rows()[0] == "#...#"
    table.type("f")
    assert table.rows()[0] == "#F..#"


def test_the_clue_bar_and_the_lists_follow_the_cursor(table: Table) -> None:
    table.example("From the Ground Up").click(14, 14)
    current = table.page.locator(".clue.current")
    assert current.locator(".clue-text").inner_text() in table.page.inner_text("#current-clue")
    crossing = table.page.locator(".clue.crossing .clue-text").inner_text()
    assert crossing in table.page.inner_text("#crossing-clue")
    visible = current.evaluate(
        """item => { const box = item.getBoundingClientRect();
            const list = item.closest(".clue-list").getBoundingClientRect();
            return box.top >= list.top - 1 && box.bottom <= list.bottom + 1; }"""
    )
    assert visible


def test_a_clue_lights_up_the_clues_it_names(table: Table) -> None:
    clues = {"Across": [[1, "See 3-Down"], [4, "x"], [5, "With 1- and 2-Down, y"]], "Down": []}
    table.paste(tiny(clues=clues)).page.wait_for_selector(".cell.current")
    lit = ".clue.referenced"
    assert table.page.locator(lit).evaluate_all("all => all.map(c => c.dataset.slot)") == ["3D"]
    table.press("Tab", "Tab")
    found = table.page.locator(lit).evaluate_all("all => all.map(c => c.dataset.slot)")
    assert found == ["1D", "2D"]


def test_a_barred_grid_has_slots_that_end_at_its_bars(table: Table) -> None:
    barred = [[1, {"cell": 2, "style": {"barred": "R"}}, 3], [4, 0, 0], [5, 0, 0]]
    table.paste(tiny(puzzle=barred, clues={"Across": [[1, "Two"]], "Down": []}))
    table.page.wait_for_selector(".cell.current")
    assert table.page.locator(".cell.in-slot").count() == 2


def test_the_theme_that_is_chosen_stays(table: Table) -> None:
    table.page.click("#theme-button")
    chosen = table.page.get_attribute("html", "data-theme")
    table.page.reload()
    assert chosen == "dark"
    assert table.page.get_attribute("html", "data-theme") == "dark"
