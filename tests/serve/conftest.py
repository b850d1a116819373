"""A service that runs: real sockets, real worker processes, a guesser that knows one puzzle."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import httpx
import pytest

from crossword.formats import ipuz
from serve import logs
from serve.app import create_app
from serve.pool import Pool
from serve.server import Server, configured, listen
from serve.settings import Settings
from tests.grids import square

QUICK = Settings(
    port=0,
    guesser="square",
    solver="scripted",
    plugins=("tests.serve.plugin",),
    word_games=False,
    solve_workers=1,
    solve_queue=2,
    max_seconds=20.0,
    overrun_seconds=1.0,
    max_cells=100,
    max_body_bytes=200_000,
    max_json_bytes=50_000,
    body_seconds=1.0,
    shutdown_seconds=2.0,
)


@dataclass
class Lines(logging.Handler):
    """The log as the service writes it."""

    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        logging.Handler.__init__(self)
        self.setFormatter(logs.JsonFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    __hash__ = logging.Handler.__hash__


@dataclass
class Running:
    """A service in a thread, and a connection to it."""

    url: str
    http: httpx.Client
    pool: Pool
    log: Lines

    def metric(self, line: str) -> float:
        """The value of the metric that begins with these words."""
        for found in self.http.get("/metrics").text.splitlines():
            if found.startswith(line):
                return float(found.rpartition(" ")[2])
        raise AssertionError(f"no metric {line}")


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for something that must come about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it didn't come about"
        time.sleep(0.02)


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    sock = listen(settings)
    app = create_app(settings)
    server = Server(configured(app, settings), app.state.pool)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    log = Lines()
    logs.logger.addHandler(log)
    level = logs.logger.level
    logs.logger.setLevel("DEBUG")
    thread.start()
    url = f"http://127.0.0.1:{sock.getsockname()[1]}"
    try:
        with httpx.Client(base_url=url, timeout=30.0) as http:
            until(lambda: app.state.pool.is_ready or app.state.pool.failed.is_set(), 120.0)
            yield Running(url, http, app.state.pool, log)
    finally:
        server.should_exit = True
        thread.join(20)
        sock.close()
        logs.logger.removeHandler(log)
        logs.logger.setLevel(level)
        assert not thread.is_alive(), "the service didn't stop"


@pytest.fixture(scope="session")
def shared_service() -> Iterator[Running]:
    with running(QUICK) as found:
        yield found


@pytest.fixture(scope="session")
def playing_service() -> Iterator[Running]:
    """One with the word games too, which take a while to load."""
    with running(replace(QUICK, word_games=True)) as found:
        yield found


@pytest.fixture(scope="session")
def roomy_service() -> Iterator[Running]:
    """One that solves grids of a newspaper's size."""
    with running(replace(QUICK, max_cells=2500)) as found:
        yield found


@pytest.fixture
def service(shared_service: Running) -> Running:
    """The service, idle and with its workers up."""
    pool = shared_service.pool
    until(
        lambda: (
            pool.is_ready
            and all(
                lane.alive and not lane.running and not lane.waiting for lane in pool.lanes.values()
            )
        )
    )
    return shared_service


def titled(title: str) -> bytes:
    """The square as an ipuz file, with a title that the scripted solver obeys."""
    return ipuz.dump(replace(square(), title=title)).data
