"""What the page does when the server wants a token, is busy, or fails: the answers are staged."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.browser.table import MINI, Table

if TYPE_CHECKING:
    from playwright.sync_api import Route

TOKEN = "open sesame"
COMPILING = "the first start compiles the solver"


def refuse(
    route: Route, status: int, detail: str, kind: str = "about:blank", **headers: str
) -> None:
    document = {"type": kind, "title": "No", "status": status, "detail": detail}
    route.fulfill(
        status=status,
        headers={"Content-Type": "application/problem+json", **headers},
        body=json.dumps(document),
    )


def locked(table: Table) -> list[str | None]:
    """From now on the API wants a token; what the page sent is in the list."""
    sent: list[str | None] = []

    def check(route: Route) -> None:
        sent.append(route.request.headers.get("authorization"))
        if sent[-1] == f"Bearer {TOKEN}":
            route.continue_()
        else:
            refuse(route, 401, "send the header Authorization: Bearer TOKEN")

    table.page.route("**/v1/**", check)
    table.page.reload()
    table.page.wait_for_selector("#token-dialog[open]")
    return sent


def give(table: Table, token: str, button: str = "Use it") -> None:
    table.page.fill("#token-text", token)
    table.page.locator("#token-dialog").get_by_role("button", name=button).click()


def test_a_server_with_a_token_is_asked_again_with_it(table: Table) -> None:
    sent = locked(table)
    give(table, TOKEN)
    table.page.wait_for_selector("#examples li")
    assert sent[0] is None and sent[-1] == f"Bearer {TOKEN}"
    table.example()
    assert table.page.locator("#token-dialog[open]").count() == 0
    stored = table.page.evaluate("[sessionStorage, localStorage].map(s => JSON.stringify(s))")
    assert TOKEN in stored[0] and TOKEN not in stored[1], "for this session of the browser only"


def test_a_wrong_token_is_asked_for_again(table: Table) -> None:
    locked(table)
    give(table, "open rice")
    table.page.wait_for_selector("#token-dialog[open]")
    table.wait_for_text("#token-note", "not the right one")
    give(table, TOKEN)
    table.page.wait_for_selector("#examples li")


def test_without_the_token_the_page_says_what_is_missing(table: Table) -> None:
    locked(table)
    give(table, "", "Cancel")
    table.wait_for_text("#examples", "This server asks for a token.")
    table.page.get_by_role("button", name="Try again").click()
    give(table, TOKEN)
    table.page.wait_for_selector("#examples .puzzle-card")


def busy(table: Table, path: str, times: int, after: str) -> Callable[[], int]:
    """The next calls of a path are refused so often; gives how often it was called."""
    calls = 0

    def answer(route: Route) -> None:
        nonlocal calls
        calls += 1
        if calls <= times:
            refuse(route, 503, "16 requests wait already", **{"Retry-After": after})
        else:
            route.continue_()

    table.page.route(f"**{path}", answer)
    return lambda: calls


def test_a_busy_server_is_asked_again_until_it_has_room(table: Table) -> None:
    table.example()
    calls = busy(table, "/v1/solve", 2, "1")
    table.page.click("#solve-button")
    table.wait_for_text(".toast", "16 requests wait already. Trying again…")
    table.page.wait_for_selector("#inspector")
    assert calls() == 3
    assert "." not in "".join(table.rows())


def test_waiting_for_a_busy_server_can_be_stopped(table: Table) -> None:
    table.example()
    calls = busy(table, "/v1/solve", 100, "60")
    table.page.click("#solve-button")
    table.wait_for_text(".toast", "Trying again")
    table.page.click("#stop-button")
    table.page.wait_for_selector("#watch", state="hidden", timeout=2000)
    assert calls() == 1
    assert table.page.is_enabled("#solve-button")


def starting(table: Table) -> Callable[[], None]:
    """From now on the server is one that still starts; gives what makes it ready."""
    is_ready = False

    def answer(route: Route) -> None:
        if is_ready:
            route.continue_()
        else:
            kind = "urn:problem:crossword:not-ready"
            refuse(route, 503, COMPILING, kind, **{"Retry-After": "5"})

    def ready() -> None:
        nonlocal is_ready
        is_ready = True

    for path in ("/readyz", "/v1/solve", "/v1/read?*", "/v1/guess"):
        table.page.route(f"**{path}", answer)
    table.page.reload()
    return ready


def test_a_server_that_starts_is_said_to_and_what_was_asked_for_follows(table: Table) -> None:
    ready = starting(table)
    table.wait_for_text("#starting", f"The solver is getting ready: {COMPILING}.")
    table.example().type("fat")
    table.page.click("#solve-button")
    table.wait_for_text("#watch-stage", "Waiting for the server")
    table.wait_for_text("#starting-seconds", "2 s")
    assert table.rows()[1] == ".....", "it has nobody to solve it"
    assert not table.page.locator(".toast").count(), "the bar says it, once"
    ready()
    table.wait_for_text(".toast", "The solver is ready.")
    table.page.wait_for_selector("#inspector")
    assert table.page.is_hidden("#starting")
    assert "." not in "".join(table.rows())


def test_waiting_for_a_server_that_starts_can_be_stopped(table: Table) -> None:
    starting(table)
    table.example().page.click("#solve-button")
    table.wait_for_text("#watch-stage", "Waiting for the server")
    table.page.click("#stop-button")
    table.page.wait_for_selector("#watch", state="hidden", timeout=2000)
    assert table.page.is_enabled("#solve-button")


def test_a_failure_is_said_in_a_sentence_and_costs_no_letters(table: Table) -> None:
    table.example().type("fat")
    table.page.route(
        "**/v1/solve", lambda route: refuse(route, 500, "the worker died in mid-job; try again")
    )
    table.page.click("#solve-button")
    table.wait_for_text(".toast.error", "The worker died in mid-job; try again.")
    assert table.rows()[0] == "#FAT#"


def test_a_server_that_is_gone_is_said_to_be(table: Table) -> None:
    table.page.wait_for_selector("#examples li")
    table.page.route("**/v1/**", lambda route: route.abort())
    table.page.get_by_role("button", name=MINI).click()
    table.wait_for_text(".toast.error", "Is it still running?")
