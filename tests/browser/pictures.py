"""Takes the pictures of the page for the documentation: `python -m tests.browser.pictures`.

The same service as in the tests, so that a picture shows the same letters each time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import conftest
from tests.browser.table import DAILY, Table
from tests.browser.test_server import starting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

IMAGES = conftest.ROOT / "docs" / "images"


@contextmanager
def opened(browser: Browser, address: str, **options: object) -> Iterator[Table]:
    context = browser.new_context(**{"viewport": conftest.DESKTOP, **options})  # type: ignore[arg-type]
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#examples li")
    yield Table(page)
    context.close()


def take(browser: Browser, address: str, folder: Path) -> None:
    def shot(table: Table, name: str) -> None:
        table.page.wait_for_timeout(400)  # transitions end
        table.page.screenshot(path=folder / f"page-{name}.png")

    with opened(browser, address) as table:
        shot(table, "start")
        table.example(DAILY).type("ages").press("Tab").press(".").type("adm").press(".", "Space")
        table.page.wait_for_selector(".toast", state="detached")
        shot(table, "typing")
        table.page.click("#candidates-button")
        table.page.wait_for_selector("#candidates .answer")
        table.page.locator("#candidates summary").first.click()
        shot(table, "candidates")
        table.page.click("#solve-button")
        table.page.wait_for_function("() => document.querySelectorAll('.cell.tinted').length > 70")
        table.page.screenshot(path=folder / "page-watching.png")
        table.page.wait_for_selector("#watch", state="hidden")
        table.click(7, 2)
        shot(table, "solved")
        table.page.click("#file-menu")
        shot(table, "menu")
    with opened(browser, address, color_scheme="dark") as table:
        table.example().type("fitbaconoutdogloattry")
        table.menu("check", "Grid")
        shot(table, "checked-dark")
        table.example_from_menu(DAILY).solve()
        shot(table, "solved-dark")
    with opened(browser, address) as table:
        table.page.click("#tab-clue")
        table.page.fill("#lone-clue", "Rashers beside the eggs")
        table.page.fill("#lone-pattern", "b....")
        table.page.wait_for_selector("#lone-answers .answer")
        shot(table, "lone-clue")
        table.page.click("#tab-games")
        table.page.fill(".guess-row:first-child input", "soare")
        table.page.click(".guess-row:first-child .tile:nth-child(3)")
        table.wait_for_text("#wordle-status", "138 answers remain")
        shot(table, "wordle")
        table.page.click("#game-review")
        table.page.fill("#review-guesses", "crane\nsloth")
        table.page.get_by_role("button", name="Review the game").click()
        table.page.wait_for_selector("#review-report .turn")
        shot(table, "wordle-review")
        table.page.click("#game-contexto")
        table.page.fill("#contexto-word", "house")
        table.page.fill("#contexto-rank", "340")
        table.page.get_by_role("button", name="Add").click()
        table.wait_for_text("#contexto-status", "Try one of these next")
        shot(table, "contexto")
    phone = {"viewport": conftest.PHONE, "has_touch": True, "is_mobile": True}
    with opened(browser, address, device_scale_factor=2, **phone) as table:
        table.example(DAILY).type("ages")
        shot(table, "phone")
        table.solve()
        shot(table, "phone-solved")
    touch = {"viewport": conftest.TABLET, "has_touch": True, "is_mobile": True}
    with opened(browser, address, color_scheme="dark", **touch) as table:
        table.example(DAILY).type("ages").press("Tab")
        table.page.tap('.key[data-key="Suggest"]')
        table.page.wait_for_selector("#candidates .answer")
        shot(table, "tablet-dark")
    with opened(browser, address) as table:
        starting(table)
        table.wait_for_text("#starting-seconds", "1 s")
        table.example("On the Fifth Day").press("Escape").type("ring")
        shot(table, "starting-rebus")
    with opened(browser, address) as table:
        table.example(DAILY).page.emulate_media(media="print")
        shot(table, "print")


def main(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    service = conftest.running()
    address = next(service)
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=conftest.CHROMIUM, args=list(conftest.FLAGS)
        )
        take(browser, address, folder)
        browser.close()
    next(service, None)  # ends it


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
