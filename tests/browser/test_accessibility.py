"""axe-core on every state, in both themes and on a phone: nothing serious or critical."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import ROOT
from tests.browser.table import Table

AXE = ROOT / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = pytest.mark.skipif(not AXE.is_file(), reason="axe-core is absent: make test-browser")


def solved(table: Table) -> None:
    table.example().solve()
    table.click(1, 1)


def checked(table: Table) -> None:
    table.example().menu("reveal", "Grid").click(0, 2).type("x").menu("check", "Grid")
    table.page.click("#candidates-button")
    table.page.wait_for_selector("#candidates .answer")


def typing(table: Table) -> None:
    table.example().type("fax")
    table.page.click("#file-menu")


def lone_clue(table: Table) -> None:
    table.page.click("#tab-clue")
    table.page.fill("#lone-clue", "Rashers beside the eggs")
    table.page.fill("#lone-pattern", "B....")
    table.page.wait_for_selector("#lone-answers .answer")


def wordle(table: Table) -> None:
    table.page.click("#tab-games")
    table.page.fill(".guess-row:first-child input", "soare")
    table.page.click(".guess-row:first-child .tile:nth-child(3)")
    table.page.wait_for_selector("#wordle-suggestions td")


def start(table: Table) -> None:
    table.page.wait_for_selector("#examples li")


def keys(table: Table) -> None:
    table.page.click("#keys-button")


State = Callable[[Table], None]
LIGHT: list[State] = [start, typing, solved, checked, lone_clue, wordle, keys]
DARK: list[State] = [solved, checked, lone_clue, wordle]


def serious(table: Table) -> list[str]:
    # By the debugger and not by a script tag, which the page's CSP forbids.
    table.page.evaluate(AXE.read_text())
    table.page.wait_for_timeout(300)  # transitions of colour end, or contrast is measured half way
    found: list[dict[str, Any]] = table.page.evaluate(
        "axe.run({ resultTypes: ['violations'] }).then(r => r.violations)"
    )
    return [
        f"{rule['id']}: {rule['nodes'][0]['html'][:200]} {rule['nodes'][0]['failureSummary'][:300]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("state", LIGHT)
def test_axe_finds_nothing_serious_in_the_light(table: Table, state: State) -> None:
    state(table)
    assert not serious(table)


@pytest.mark.parametrize("state", DARK)
def test_axe_finds_nothing_serious_in_the_dark(dark: Table, state: State) -> None:
    state(dark)
    assert not serious(dark)


@pytest.mark.parametrize("state", [typing, solved])
def test_axe_finds_nothing_serious_on_a_phone(phone: Table, state: State) -> None:
    state(phone)
    assert not serious(phone)
