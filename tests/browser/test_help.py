"""Help: candidates, check, reveal, the live solve, the score."""

from __future__ import annotations

from tests.browser.table import DAILY, SOLUTION, Table, tiny


def test_candidates_fit_the_letters_and_fill_the_answer(table: Table) -> None:
    table.example().press("Tab", "Control+Enter")
    first = table.page.locator("#candidates .answer").first
    assert first.locator(".answer-word").inner_text() == "BACON"
    first.locator("summary").click()
    assert first.locator(".evidence li").count() > 0
    first.locator(".answer-word").click()
    assert table.rows()[1] == "BACON"


def test_candidates_go_when_the_cursor_leaves_the_clue(table: Table) -> None:
    table.example().page.click("#candidates-button")
    table.page.wait_for_selector("#candidates .answer")
    table.page.click("#next-clue")
    assert table.page.locator("#candidates .answer").count() == 0


def test_letters_that_fit_nothing_are_said_to(table: Table) -> None:
    table.example().type("zzz").press("Shift+Tab")
    table.page.click("#candidates-button")
    table.wait_for_text("#candidates .none", "Nothing fits")


def test_check_marks_wrong_letters_until_they_change(table: Table) -> None:
    table.example().type("fit").menu("check", "Grid")
    assert table.cell(0, 2).get_attribute("data-mark") == "wrong"
    assert table.cell(0, 1).get_attribute("data-mark") == "right"
    table.click(0, 2).type("a")
    assert table.cell(0, 2).get_attribute("data-mark") == ""


def test_reveal_gives_a_letter_a_word_and_the_grid(table: Table) -> None:
    table.example().menu("reveal", "Letter")
    assert table.rows()[0] == "#F..#"
    table.menu("reveal", "Word")
    assert table.rows()[0] == "#FAT#"
    assert table.rows()[1] == "....."
    table.menu("reveal", "Grid")
    assert tuple(table.rows()) == SOLUTION
    table.wait_for_text("#score", "Solved")


def test_a_grid_filled_by_hand_is_scored(table: Table) -> None:
    table.example().fill()
    table.wait_for_text("#score", "Solved, all by yourself")
    table.wait_for_text("#score", "21 of 21")


def test_errors_are_counted_and_marked_at_the_end(table: Table) -> None:
    table.example().fill(("#FAT#", "BACON", "OUTDO", "GLOAT", "#TRX#"))
    table.wait_for_text("#score", "Full, but not quite right")
    table.wait_for_text("#score", "20 of 21")
    table.page.get_by_role("button", name="Mark the errors").click()
    assert table.page.locator('.cell[data-mark="wrong"]').count() == 1
    assert table.page.is_hidden("#mark-errors")


def test_a_solve_marks_what_it_got_wrong(table: Table) -> None:
    table.example().click(4, 3).type("x").page.click("#solve-button")
    table.wait_for_text("#score", "20 of 21")
    [wrong] = table.page.locator('.cell[data-mark="wrong"]').all()
    assert wrong.inner_text() == "X"


def test_a_solve_is_watched_live_and_ends_in_a_score(table: Table) -> None:
    letters = table.example(DAILY).watch(
        "[...document.querySelectorAll('.cell.open .letter')].map((each) => each.textContent)"
    )
    assert any(letters), "the first letters show while it still works"
    assert not all(letters), "and not all of them at once"
    table.page.wait_for_selector("#watch", state="hidden")
    assert sum(row.count(".") for row in table.rows()) == 0
    assert table.page.locator(".cell.tinted").count() == 186
    table.wait_for_text("#score", "Words")


def test_any_cell_opens_to_its_probabilities_and_evidence(table: Table) -> None:
    table.example().solve().click(1, 2)
    assert "C" in table.page.inner_text("#inspector-cell .letters li")
    table.wait_for_text("#inspector-slots", "BACON")
    table.page.locator("#inspector-slots .evidence summary").first.click()
    assert table.page.locator("#inspector-slots .evidence li").first.is_visible()
    table.click(1, 2).press("Space")
    table.wait_for_text("#inspector-slots details.slot:first-child", "ACTOR")


def test_the_grid_stays_in_sight_beside_what_the_solver_thinks(table: Table) -> None:
    table.example(DAILY).solve().page.locator("#inspector-slots").scroll_into_view_if_needed()
    assert table.page.evaluate("scrollY") > 100, "it is further down than the screen is high"
    box = table.page.locator("#grid").bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] <= 860


def test_a_solve_keeps_my_letters_and_one_undo_takes_it_back(table: Table) -> None:
    table.example().type("xyz").solve()
    assert table.rows()[0] == "#XYZ#"
    assert "." not in "".join(table.rows())
    table.press("Control+z")
    assert table.rows() == ["#XYZ#", ".....", ".....", ".....", "#...#"]


def test_a_solve_is_not_held_to_letters_in_pencil(table: Table) -> None:
    table.example().click(4, 3).press(".").type("x").click(0, 1).press(".").type("f")
    table.solve()
    assert table.rows() == list(SOLUTION)
    assert table.cell(0, 1).get_attribute("data-by") == "you"
    assert table.cell(4, 3).get_attribute("data-by") == "solver"


def test_my_letters_are_replaced_only_where_i_let_them_be(table: Table) -> None:
    keep = table.page.get_by_role("checkbox", name="Keep my letters")
    table.example().type("xyz")
    note = table.page.locator(f"#{keep.get_attribute('aria-describedby')}")
    assert note.is_visible() and "undo brings them back" in note.inner_text()
    keep.uncheck()
    table.solve()
    assert tuple(table.rows()) == SOLUTION
    table.click(0, 1).press("Control+z")
    assert table.rows()[0] == "#XYZ#"


def test_a_solve_can_be_stopped(table: Table) -> None:
    table.example(DAILY).page.click("#solve-button")
    table.page.wait_for_selector(".cell.tinted")
    table.page.click("#stop-button")
    table.page.wait_for_selector("#watch", state="hidden")
    assert all(set(row) <= {"#", "."} for row in table.rows())
    table.click(0, 0).type("a")
    assert table.letter(0, 0) == "A"


def test_only_what_is_sure_is_filled(table: Table) -> None:
    table.example(DAILY).page.fill("#sure", "95")
    table.page.click("#sure-button")
    table.wait_for_text(".toast", "cells filled")
    strict = sum(row.count(".") for row in table.rows())
    assert 0 < strict < 186
    table.page.fill("#sure", "60")
    table.page.click("#sure-button")
    table.wait_for_text(".toast", "60%")
    assert sum(row.count(".") for row in table.rows()) < strict


def test_tints_can_be_turned_off(table: Table) -> None:
    table.example().solve()
    assert table.page.locator(".cell.tinted").count() == 21
    table.page.uncheck("#show-tint")
    assert table.page.locator(".cell.tinted").count() == 0


def test_a_file_without_a_solution_is_helped_by_the_solver_and_told_so(table: Table) -> None:
    clues = {"Across": [[1, "It purrs"]], "Down": []}
    bare = tiny(clues=clues, puzzle=[[1, 0, 0], ["#", "#", "#"], ["#", "#", "#"]])
    table.paste(bare).page.wait_for_selector(".cell.current")
    table.type("cat").press("Home").menu("check", "Word")
    table.page.wait_for_selector(".toast")
    assert table.rows()[0] == "CAT"
