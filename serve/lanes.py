"""A job on its way through the service, and the lane it waits in: a bounded queue with workers."""

from __future__ import annotations

import asyncio
import math
from collections import deque

from serve.frames import Frame
from serve.link import Worker
from serve.problems import Problem

_BACKLOG = 4  # reports that wait for a slow reader, before further ones are dropped


class Job:
    """One job: put in a queue, done by a worker, and followed by whoever asked for it."""

    def __init__(self, number: int, frame: Frame, seconds: float) -> None:
        self.number, self.frame, self.seconds = number, frame, seconds
        self.events: asyncio.Queue[Frame | Problem] = asyncio.Queue()
        self.cancelled = False
        self.worker: Worker | None = None
        self.timeout: asyncio.Timeout | None = None
        self.patience: asyncio.TimerHandle | None = None  # ends its wait in the queue

    def put(self, event: Frame | Problem) -> None:
        is_report = isinstance(event, Frame) and event.kind == "progress"
        if not (is_report and self.events.qsize() >= _BACKLOG):
            self.events.put_nowait(event)

    async def next(self) -> Frame:
        """The next report, or the result; raises the `Problem` if that is how it ended."""
        event = await self.events.get()
        if isinstance(event, Problem):
            raise event
        return event

    async def result(self) -> Frame:
        while (frame := await self.next()).kind != "result":
            pass
        return frame

    def settle(self) -> None:
        """It waits no more; the clock would keep it, and the file in it, long after its end."""
        if self.patience is not None:
            self.patience.cancel()


class Lane:
    """A queue and the workers behind it."""

    def __init__(self, name: str, workers: int, limit: int) -> None:
        self.name, self.workers, self.limit = name, workers, limit
        self.waiting: deque[Job] = deque()
        self.changed = asyncio.Condition()
        self.running: set[Job] = set()
        self.alive = 0
        self.died = 0
        self.mean_seconds = 1.0

    def retry_after(self) -> int:
        """Seconds until the queue should have room again."""
        ahead = (len(self.waiting) + 1) / self.workers
        return max(1, min(60, math.ceil(self.mean_seconds * ahead)))
