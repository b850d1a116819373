"""The service's end of the line to the nursery, and to each worker that it forks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from serve import frames
from serve.frames import Frame, PeerGone
from serve.settings import Settings

# One thread a process, and the layer of numba that may be forked; `nursery` says why.
THREADS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "NUMBA_THREADING_LAYER": "workqueue",
    "TOKENIZERS_PARALLELISM": "false",
}
_END_SECONDS = 5.0  # for the nursery to leave by itself


class NurseryFailed(Exception):
    """The model can't be loaded; the message says why."""


class Worker:
    """A worker as the service sees it: a process number and a stream."""

    def __init__(
        self,
        pid: int,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        link: NurseryLink,
    ) -> None:
        self.pid, self.reader = pid, reader
        self._writer, self._link = writer, link

    def send(self, frame: Frame) -> None:
        """Queue a frame; a worker that is gone is noticed by who reads from it."""
        if not self._writer.is_closing():
            self._writer.write(frame.encoded())

    async def ended(self) -> None:
        """Returns when an idle worker is gone: it says nothing unless it has a job."""
        with contextlib.suppress(ConnectionError):
            await self.reader.read(1)

    def close(self) -> None:
        self._writer.close()
        self._link.kill(self.pid)


class NurseryLink:
    """A running nursery."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        sender: socket.socket,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        ready: Frame,
    ) -> None:
        self._process, self._sender = process, sender
        self._reader, self._writer = reader, writer
        self._lock = asyncio.Lock()
        self._tickets = 0
        self.model = str(ready.header["model"])
        self.card: Mapping[str, Any] | None = ready.header["card"]
        self.guessers: list[str] = list(ready.header["guessers"])
        self.solvers: list[str] = list(ready.header["solvers"])

    @classmethod
    async def open(cls, settings: Settings, on_stage: Callable[[str], None]) -> NurseryLink:
        """Start a nursery and wait until it has loaded the model and is warm."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", "serve.nursery", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, **THREADS},
            )
        ours.setblocking(False)
        sender = ours.dup()  # descriptors are sent past the stream, which can't carry them
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        told = {
            "guesser": settings.guesser,
            "solver": settings.solver,
            "model": str(settings.model) if settings.model else None,
            "plugins": list(settings.plugins),
            "max_cells": settings.max_cells,
            "word_games": settings.word_games,
            "log_level": settings.log_level,
            "log_clues": settings.log_clues,
        }
        try:
            writer.write(Frame(told).encoded())
            while (ready := await frames.read(reader)).kind == "stage":
                on_stage(str(ready.header["stage"]))
        except BaseException as error:
            writer.close()
            sender.close()
            await _end(process)
            if isinstance(error, PeerGone):
                raise NurseryFailed("the process that loads the model ended at once") from None
            raise
        if ready.kind != "ready":
            writer.close()
            sender.close()
            await _end(process)
            raise NurseryFailed(str(ready.header.get("detail", "the model can't be loaded")))
        return cls(process, sender, reader, writer, ready)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None and not self._reader.at_eof()

    async def fork(self) -> Worker:
        """A new worker, ready for its first job."""
        ours, theirs = socket.socketpair()
        async with self._lock:
            self._tickets += 1
            ticket = self._tickets
            with theirs:
                asked = Frame({"kind": "fork", "ticket": ticket}).encoded()
                socket.send_fds(self._sender, [asked], [theirs.fileno()])
            while True:
                forked = await frames.read(self._reader)
                if forked.header.get("ticket") == ticket:
                    break
        ours.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        worker = Worker(int(forked.header["pid"]), reader, writer, self)
        try:
            await frames.read(reader)  # its word that it is ready
        except BaseException:
            worker.close()
            raise
        return worker

    def kill(self, pid: int) -> None:
        """End a worker at once, if it hasn't ended by itself. The nursery knows its own."""
        with contextlib.suppress(OSError):
            self._sender.send(Frame({"kind": "kill", "pid": pid}).encoded())

    async def close(self) -> None:
        self._writer.close()
        self._sender.close()
        await _end(self._process)


async def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait until the nursery has left, as it does when its line is closed; else make it."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _END_SECONDS
    while process.poll() is None and loop.time() < until:
        await asyncio.sleep(0.02)
    if process.poll() is None:
        process.kill()
        process.wait()
