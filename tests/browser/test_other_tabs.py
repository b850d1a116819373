"""The lone clue and the word games."""

from __future__ import annotations

from tests.browser.table import Table


def test_a_lone_clue_is_answered_as_it_is_typed(table: Table) -> None:
    table.page.click("#tab-clue")
    table.page.locator("#lone-clue").press_sequentially("Rashers beside the eggs")
    table.wait_for_text("#lone-status", "How many letters?")
    table.page.locator("#lone-pattern").press_sequentially("b?..n")
    table.wait_for_text("#lone-answers .answer", "BACON")
    table.page.fill("#lone-pattern", "Z....")
    table.wait_for_text("#lone-answers", "Nothing fits")


def test_patterns_are_read_as_people_write_them(table: Table) -> None:
    patterns = {"5": ".....", "(3)": "...", "c?t": "C.T", "a-b c": "ABC", "a1": "", "": ""}
    found = table.page.evaluate(
        "async texts => texts.map((await import('/js/loneclue.js')).toPattern)", list(patterns)
    )
    assert dict(zip(patterns, found, strict=True)) == patterns


def test_wordle_advice_follows_the_tiles(table: Table) -> None:
    table.page.click("#tab-games")
    table.page.wait_for_selector("#wordle-suggestions td")
    row = table.page.locator(".guess-row").first
    row.locator("input").fill("soare")
    table.wait_for_text("#wordle-status", "remain")
    row.locator(".tile").nth(2).click()
    assert row.locator(".tile").nth(2).get_attribute("data-colour") == "yellow"
    table.wait_for_text("#wordle-status", "138 answers remain")
    word = table.page.locator(".word-button").first.inner_text()
    table.page.locator(".word-button").first.click()
    assert table.page.locator(".guess-row").nth(1).locator("input").input_value() == word


def test_impossible_colours_are_said_to_be(table: Table) -> None:
    table.page.click("#tab-games")
    row = table.page.locator(".guess-row").first
    row.locator("input").fill("fuzzy")
    for tile in range(4):
        row.locator(".tile").nth(tile).click(click_count=1)
        row.locator(".tile").nth(tile).click(click_count=1)
    row.locator(".tile").nth(4).click()
    table.page.wait_for_function(
        "() => !/Thinking|remain/.test(document.getElementById('wordle-status').textContent)"
    )
    assert table.page.inner_text("#wordle-status")


def test_a_finished_wordle_is_reviewed(table: Table) -> None:
    table.page.click("#tab-games")
    table.page.click("#game-review")
    table.page.fill("#review-guesses", "crane\nsloth")
    table.page.get_by_role("button", name="Review the game").click()
    table.wait_for_text("#review-report", "Solved: SLOTH")
    assert table.page.locator("#review-report .turn").count() == 2


def test_contexto_proposes_words_for_the_ranks_so_far(table: Table) -> None:
    table.page.click("#tab-games")
    table.page.click("#game-contexto")
    table.page.fill("#contexto-word", "house")
    table.page.fill("#contexto-rank", "340")
    table.page.get_by_role("button", name="Add").click()
    table.wait_for_text("#contexto-tried", "house")
    table.wait_for_text("#contexto-status", "Try one of these next")
    assert table.page.locator("#contexto-proposals li").count() == 8
