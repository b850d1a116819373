"""A worker: a process that takes one job at a time from its socket until the service is gone.

It is forked from the nursery with the model in memory. A cancellation is a frame that arrives in
mid-job; the solver asks for it between steps. Whatever a job does, the worker answers and lives,
unless it is killed, which the service sees as the end of its socket.
"""

from __future__ import annotations

import logging
import os
import select
import socket
from dataclasses import replace
from time import monotonic

from pydantic import ValidationError

from crossword.errors import CrosswordError
from serve import jobs, logs, problems
from serve.frames import Frame, PeerGone, receive
from serve.problems import Problem

POLL_SECONDS = 0.02  # between two looks for a cancellation; a solver may ask far more often


class Cancellation:
    """Asks the socket whether this job has been cancelled; once it has, it stays so."""

    def __init__(self, sock: socket.socket, job: int) -> None:
        self._sock, self._job = sock, job
        self._looked, self.happened = 0.0, False

    def __call__(self) -> bool:
        now = monotonic()
        if self.happened or now - self._looked < POLL_SECONDS:
            return self.happened
        self._looked = now
        while select.select([self._sock], [], [], 0)[0]:
            frame = receive(self._sock)  # raises PeerGone when the service has ended
            if frame.kind == "cancel" and frame.header.get("id") == self._job:
                self.happened = True
        return self.happened


def work(sock: socket.socket, tools: jobs.Tools) -> None:
    """Take jobs and answer them, until the other end closes."""
    try:
        sock.sendall(Frame({"kind": "ready", "pid": os.getpid()}).encoded())
        while True:
            frame = receive(sock)
            if frame.kind == "job":  # a cancellation may come too late, for a job that is done
                sock.sendall(_answered(sock, frame, tools).encoded())
    except (PeerGone, ConnectionError):
        return


def _answered(sock: socket.socket, frame: Frame, tools: jobs.Tools) -> Frame:
    number = int(frame.header["id"])
    token = logs.request_id.set(frame.header.get("request_id"))

    def report(body: bytes) -> None:
        sock.sendall(Frame({"kind": "progress", "id": number}, body).encoded())

    def limit(seconds: float) -> None:
        sock.sendall(Frame({"kind": "limit", "id": number, "seconds": seconds}).encoded())

    task = jobs.Task(
        str(frame.header["job"]), frame.header.get("options") or {}, frame.body,
        limit=limit, cancelled=Cancellation(sock, number),
    )  # fmt: skip
    if frame.header.get("stream"):
        task = replace(task, report=report)
    try:
        answer = jobs.run(task, tools)
    except (PeerGone, ConnectionError):
        raise
    except Exception as error:
        return Frame({"kind": "problem", "id": number, **_told(error)})
    finally:
        logs.request_id.reset(token)
    return Frame({"kind": "result", "id": number, **jobs.encoded(answer)}, answer.body)


def _told(error: Exception) -> dict[str, object]:
    """A problem as a frame's header, from whatever a job raised."""
    if isinstance(error, ValidationError):
        error = problems.invalid_model(error)
    elif isinstance(error, CrosswordError):
        error = Problem(problems.kind_of(error), str(error))
    if not isinstance(error, Problem):
        logs.logger.error("job failed", exc_info=error)
        error = Problem(problems.INTERNAL, "the job failed; its request id is in the log")
    kind = error.kind
    return {
        "problem": [kind.name, kind.status, kind.title],
        "detail": error.detail,
        "errors": error.errors,
    }


def become_worker(sock: socket.socket, tools: jobs.Tools) -> None:
    """In a fresh fork: work, then leave at once; nothing of the nursery's may run here."""
    code = 0
    try:
        work(sock, tools)
    except BaseException as error:
        logs.logger.log(logging.ERROR, "worker failed", exc_info=error)
        code = 1
    finally:
        os._exit(code)
