"""The nursery: a process that loads the model once and forks the workers, which share its memory.

It is started fresh, has one thread and stays idle, so that a fork is safe and takes milliseconds;
the service itself never forks. Numerical libraries are held to one thread a process (the solves
run side by side instead), and numba to its `workqueue` layer, the one that it documents as safe
to fork after use (GNU OpenMP is not). So tables and compiled kernels are warmed up here, once.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from crossword.errors import CrosswordError
from crossword.registry import guessers, solvers
from serve import jobs, logs
from serve.frames import Frame, PeerGone, receive_with_descriptor

WARM_LENGTHS = range(2, 22)  # answers' lengths whose tables are made before the first fork


def open_tools(told: Mapping[str, Any]) -> jobs.Tools:
    """The guesser, the solver and what is known of the model."""
    from crossword.loading import default_model, open_guesser, open_solver

    for plugin in told["plugins"]:
        try:
            importlib.import_module(plugin)
        except ImportError as error:
            raise CrosswordError(f"can't import the plugin {plugin}: {error}") from None
    folder = Path(told["model"]) if told["model"] else default_model()
    guesser = open_guesser(told["guesser"], folder)
    return jobs.Tools(
        guesser=guesser,
        solver=open_solver(told["solver"]),
        model=_model_name(guesser.name, folder),
        card=_card(folder) if folder else None,
        max_cells=int(told["max_cells"]),
    )


def _model_name(guesser: str, folder: Path | None) -> str:
    """`hybrid/default-1f0c3a9b`: the guesser, the folder, and a mark of what is in it."""
    if folder is None:
        return f"{guesser}/common-english"
    from crossword.artifacts import MANIFEST

    mark = sha256((folder / MANIFEST).read_bytes()).hexdigest()[:8]
    return f"{guesser}/{folder.resolve().name}-{mark}"


def _card(folder: Path) -> dict[str, Any]:
    from crossword.artifacts import ModelFolder

    manifest = ModelFolder.open(folder, verify=False).manifest  # open_guesser has verified it
    return {
        "name": folder.resolve().name,
        "format": manifest.format,
        "version": manifest.version,
        "parts": list(manifest.parts),
        "split": manifest.split,
        "until": manifest.until,
        "figures": json.loads(json.dumps(dict(manifest.figures), default=str)),
    }


def warm_up(tools: jobs.Tools, *, word_games: bool) -> None:
    """Make what is made at first use, so that every worker has it, and has it in shared memory."""
    from crossword.solvers.warmup import warm_up as warm_solver
    from crossword.types import Query

    tools.guesser.guess([Query("Warm-up", "." * length) for length in WARM_LENGTHS], 1)
    warm_solver(tools.solver, tools.guesser)
    if word_games:
        from serve import wordgame_jobs

        wordgame_jobs.warm()
    gc.collect()
    gc.freeze()  # the collector would write to, and so copy, every page of the tables


def _stage(tools: jobs.Tools) -> str:
    """What warming up will take, for who waits for it."""
    from crossword.solvers.warmup import is_warm

    if is_warm(tools.solver):
        return "warming up"
    return "the first start compiles the solver: half a minute, more on a busy computer"


class Nursery:
    """Forks on demand, and ends its children on demand."""

    def __init__(self, control: socket.socket, tools: jobs.Tools) -> None:
        self._control, self._tools = control, tools
        self._children: set[int] = set()

    def attend(self) -> None:
        """Serve the service, until it is gone."""
        while True:
            frame, descriptors = receive_with_descriptor(self._control)
            self._reap()
            if frame.kind == "fork" and descriptors:
                self._fork(descriptors[0], int(frame.header["ticket"]))
            elif frame.kind == "kill":
                self._kill(int(frame.header["pid"]))

    def _fork(self, descriptor: int, ticket: int) -> None:
        pid = os.fork()
        if pid == 0:
            self._control.close()
            jobs_socket = socket.socket(fileno=descriptor)
            from serve.workers import become_worker

            become_worker(jobs_socket, self._tools)
        os.close(descriptor)
        self._children.add(pid)
        self._control.sendall(Frame({"kind": "forked", "ticket": ticket, "pid": pid}).encoded())

    def _kill(self, pid: int) -> None:
        if pid in self._children:  # a child that isn't reaped yet keeps its number to itself
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _reap(self) -> None:
        for pid in list(self._children):
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    continue
            self._children.discard(pid)


def main() -> None:
    """`python -m serve.nursery DESCRIPTOR`, as the pool starts it."""
    # Ctrl-C in a terminal reaches every process, and so does systemd's SIGTERM; but when to end
    # is for the service to say, by closing the line, once what runs has been answered.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    control = socket.socket(fileno=int(sys.argv[1]))
    control.setblocking(True)
    try:
        told = receive_with_descriptor(control)[0].header
        logs.set_up(told["log_level"], messages=told["log_clues"])
        try:
            tools = open_tools(told)
            control.sendall(Frame({"kind": "stage", "stage": _stage(tools)}).encoded())
            warm_up(tools, word_games=told["word_games"])
        except CrosswordError as error:
            control.sendall(Frame({"kind": "failed", "detail": str(error)}).encoded())
            return
        except Exception as error:
            logs.logger.error("the model can't be loaded", exc_info=error)
            detail = f"the model can't be loaded: {type(error).__name__}: {error}"
            control.sendall(Frame({"kind": "failed", "detail": detail}).encoded())
            return
        ready = {
            "kind": "ready",
            "model": tools.model,
            "card": tools.card,
            "guessers": guessers.names(),  # plugins are loaded here only
            "solvers": solvers.names(),
        }
        control.sendall(Frame(ready).encoded())
        Nursery(control, tools).attend()
    except (PeerGone, ConnectionError):
        return


if __name__ == "__main__":
    main()
