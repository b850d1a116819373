"""Chromium, a service for it to call, and a page that fails a test when a script does.

The tests run where `-m browser` asks for them (`make test-browser`), and are skipped with the
reason elsewhere: they start a browser and a service, which the quick suite should not.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ViewportSize

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_SECONDS = 120  # numba compiles on a first start, and this machine may be busy
STEP_MILLISECONDS = 20_000  # the most that one step of a test may wait
DESKTOP: ViewportSize = {"width": 1280, "height": 860}
PHONE: ViewportSize = {"width": 360, "height": 740}
TABLET: ViewportSize = {"width": 820, "height": 1180}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    ours = [item for item in items if HERE in item.path.parents]
    reason = "" if "browser" in config.getoption("-m") else "a browser test: make test-browser"
    if not reason and CHROMIUM is None:
        reason = "there is no Chromium here: apt-get install chromium"
    for item in ours:
        item.add_marker(pytest.mark.browser)
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a service that is ready to solve."""
    yield from running()


def running() -> Iterator[str]:
    """Starts a service, gives its address, ends it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.browser.service", str(port)]
    service = subprocess.Popen(command, cwd=ROOT, env=env)
    try:
        _wait(f"http://127.0.0.1:{port}/readyz", service)
        yield f"http://127.0.0.1:{port}/"
    finally:
        service.terminate()
        try:
            service.wait(15)
        except subprocess.TimeoutExpired:
            service.kill()
            service.wait()


def _wait(url: str, service: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert service.poll() is None, "the service ended before it was ready"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"the service was not ready in {START_SECONDS} s")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with playwright.sync_playwright() as started:
        # Each launch has a new, empty profile of its own.
        launched = started.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield launched
        launched.close()


def opened(context: BrowserContext, address: str) -> Iterator[Table]:
    context.set_default_timeout(STEP_MILLISECONDS)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    # What the CSP blocks, the browser says in the console.
    page.on(
        "console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None
    )
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    yield Table(page)
    context.close()
    assert not wrong, wrong


@pytest.fixture
def table(browser: Browser, address: str) -> Iterator[Table]:
    """The page on a desktop, in a profile that has never seen it."""
    context = browser.new_context(viewport=DESKTOP, accept_downloads=True)
    yield from opened(context, address)


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Table]:
    """The page on a phone of 360 by 740, with touch."""
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2
    )
    yield from opened(context, address)


@pytest.fixture(params=["upright", "sideways"])
def tablet(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Table]:
    """The page on a tablet without keys, held either way."""
    size = TABLET if request.param == "upright" else sideways(TABLET)
    context = browser.new_context(viewport=size, has_touch=True, is_mobile=True)
    yield from opened(context, address)


def sideways(size: ViewportSize) -> ViewportSize:
    return {"width": size["height"], "height": size["width"]}


@pytest.fixture
def dark(browser: Browser, address: str) -> Iterator[Table]:
    """The page where the system is dark."""
    context = browser.new_context(viewport=DESKTOP, color_scheme="dark")
    yield from opened(context, address)
