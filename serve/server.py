"""Serves the application with uvicorn, from the first line of the log to a clean end.

On SIGTERM or Ctrl-C nothing new is taken; solves that run have some seconds to finish, then they
are told to stop and answer with the best they have.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from crossword.errors import CrosswordError
from serve import logs
from serve.app import create_app
from serve.pool import Pool
from serve.settings import Settings

_BACKLOG = 512


class Server(uvicorn.Server):
    """uvicorn's server, with a drain before the end, and a word when it is ready."""

    def __init__(
        self, config: uvicorn.Config, pool: Pool, on_ready: Callable[[], None] | None = None
    ) -> None:
        super().__init__(config)
        self._pool, self._on_ready = pool, on_ready
        self._watch: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._watch = asyncio.create_task(self._watch_pool())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logs.event("stopping")
        if self._watch is not None:
            self._watch.cancel()
        # Jobs stop a second before uvicorn ends what is left, to have time to answer.
        grace = max(0.0, self._pool.settings.shutdown_seconds - 1.0)
        draining = asyncio.create_task(self._pool.drain(grace))
        await super().shutdown(sockets)
        draining.cancel()
        logs.event("stopped")

    async def _watch_pool(self) -> None:
        while not self._pool.is_ready:
            if self._pool.failed.is_set():
                self.should_exit = True
                return
            await asyncio.sleep(0.05)
        logs.event("ready", model=self._pool.model)
        if self._on_ready is not None:
            self._on_ready()


def listen(settings: Settings) -> socket.socket:
    """A bound socket, or one line that says why there is none."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        sock = socket.socket(family, kind, protocol)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
    except OSError as error:
        raise CrosswordError(
            f"can't listen on {settings.host}:{settings.port}: {error.strerror or error}; "
            "choose another with --port"
        ) from None
    return sock


def configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """uvicorn's settings: our log instead of its own, and time to finish."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=max(1, round(settings.shutdown_seconds)),
        lifespan="on",
    )


def run(
    settings: Settings,
    sock: socket.socket | None = None,
    on_ready: Callable[[], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> None:
    """Serve until told to stop. A model that can't be loaded ends it with its reason.

    `on_stage` hears what the start waits for, if it takes long; `on_ready` when it is over.
    """
    sock = sock or listen(settings)
    logs.set_up(settings.log_level, messages=settings.log_clues)
    app = create_app(settings)
    config = configured(app, settings)
    pool: Pool = app.state.pool
    pool.on_stage = on_stage
    try:
        Server(config, pool, on_ready).run(sockets=[sock])
    finally:
        sock.close()
    if pool.failure is not None:
        raise CrosswordError(pool.failure)
