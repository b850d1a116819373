"""The service's side of the workers: lanes with bounded queues, deadlines, and replacements.

A lane has its own workers and queue: `solve` for solves, `quick` for everything else, so that a
guess never waits behind a solve. A worker that dies costs the job it had, and is replaced; one
that overruns its limit is killed. The nursery is replaced likewise.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Mapping
from typing import Any

from serve import frames, logs, problems
from serve.frames import Frame, PeerGone
from serve.lanes import Job, Lane
from serve.link import NurseryFailed, NurseryLink, Worker
from serve.problems import Kind, Problem
from serve.settings import Settings

_RESPAWN_SECONDS = 0.5  # after a worker that wouldn't start
_RELOAD_SECONDS = 5.0  # before a model that was there, and then wasn't, is tried again
_LEARNING = 0.2  # weight of the last job in the mean duration; arbitrary


class Pool:
    """The lanes, and the nursery that staffs them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._overrun = settings.overrun_seconds
        self.lanes = {
            "solve": Lane("solve", settings.solve_workers, settings.solve_queue),
            "quick": Lane("quick", settings.quick_workers, settings.quick_queue),
        }
        self.failure: str | None = None
        self.failed = asyncio.Event()
        self.stopping = False
        self.stage = "the model is being loaded"  # until it is ready
        self.on_stage: Callable[[str], None] | None = None
        self._staffed = False  # whether every lane has had a worker
        self._numbers = itertools.count(1)
        self._link: NurseryLink | None = None
        self._link_lock = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def model(self) -> str | None:
        return self._link.model if self._link else None

    @property
    def card(self) -> Mapping[str, Any] | None:
        return self._link.card if self._link else None

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The guessers and the solvers that there are, plugins' among them."""
        return (self._link.guessers, self._link.solvers) if self._link else ([], [])

    @property
    def unready(self) -> str:
        """Why it is not ready, in a few words."""
        return "stopping" if self.stopping else self.failure or self.stage

    @property
    def is_ready(self) -> bool:
        """Whether the model is loaded and its workers are up, or about to be replaced."""
        return not self.stopping and self.failure is None and self._staffed

    def start(self) -> None:
        """Begin to load the model and fork the workers; `is_ready` says when that is done."""
        for lane in self.lanes.values():
            self._tasks += [
                asyncio.create_task(self._staff(lane), name=f"{lane.name} worker {i}")
                for i in range(lane.workers)
            ]

    async def stop(self) -> None:
        """End the workers and the nursery; what still waits is refused."""
        self.stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for lane in self.lanes.values():
            for job in (*lane.waiting, *lane.running):
                job.settle()
                job.put(_stopping())
            lane.waiting.clear()
        if self._link is not None:
            await self._link.close()

    async def drain(self, seconds: float) -> None:
        """Take nothing new; let what runs go on for so long, then have it stop with its best."""
        self.stopping = True
        for lane in self.lanes.values():
            while lane.waiting:
                job = lane.waiting.popleft()
                job.settle()
                job.put(_stopping())
        end = asyncio.get_running_loop().time() + seconds
        while any(lane.running for lane in self.lanes.values()):
            if asyncio.get_running_loop().time() >= end:
                break
            await asyncio.sleep(0.05)
        for lane in self.lanes.values():
            for job in list(lane.running):
                await self.cancel(job, discard=False)

    async def submit(
        self,
        name: str,
        body: bytes,
        options: Mapping[str, Any] | None = None,
        *,
        seconds: float | None = None,
        stream: bool = False,
    ) -> Job:
        """Put a job in its lane's queue, or raise a 503 if that is full."""
        lane = self.lanes["solve" if name == "solve" else "quick"]
        if self.stopping:
            raise _stopping()
        if self.failure is not None or not self._staffed:
            raise Problem(problems.NOT_READY, self.unready, headers={"Retry-After": "5"})
        if len(lane.waiting) >= lane.limit:
            after = lane.retry_after()
            raise Problem(
                problems.QUEUE_FULL,
                f"{len(lane.waiting)} requests wait already; try again in {after} s",
                headers={"Retry-After": str(after)},
            )
        number = next(self._numbers)
        header = {
            "kind": "job",
            "id": number,
            "job": name,
            "options": dict(options or {}),
            "stream": stream,
            "request_id": logs.request_id.get(),
        }
        job = Job(number, Frame(header, body), seconds or self.settings.quick_seconds)
        async with lane.changed:
            lane.waiting.append(job)
            lane.changed.notify()
        job.patience = asyncio.get_running_loop().call_later(
            self.settings.max_wait_seconds, self._give_up, lane, job
        )
        return job

    def _give_up(self, lane: Lane, job: Job) -> None:
        if job in lane.waiting:
            lane.waiting.remove(job)
            after = str(lane.retry_after())
            detail = "it waited too long in the queue"
            job.put(Problem(problems.QUEUE_FULL, detail, headers={"Retry-After": after}))

    async def cancel(self, job: Job, *, discard: bool = True) -> None:
        """Stop a job wherever it is; with `discard` nobody waits for its result any more."""
        if job.cancelled:
            return
        job.cancelled = True
        job.settle()
        for lane in self.lanes.values():
            if job in lane.waiting:
                lane.waiting.remove(job)
        if job.worker is not None:
            job.worker.send(Frame({"kind": "cancel", "id": job.number}))
            _shorten(job, asyncio.get_running_loop().time() + self._overrun)
        if discard:
            job.events = asyncio.Queue()

    async def _staff(self, lane: Lane) -> None:
        """Keep one worker of a lane: fork it, give it jobs, and fork another when it ends."""
        while True:
            try:
                link = await self._open_link()
                worker = await link.fork()
            except NurseryFailed as failure:
                self.failure = str(failure)
                self.failed.set()
                logs.event("no model", logging.ERROR, reason=self.failure)
                if not self._staffed:
                    return
                await asyncio.sleep(_RELOAD_SECONDS)
                continue
            except (PeerGone, OSError):
                await asyncio.sleep(_RESPAWN_SECONDS)
                continue
            lane.alive += 1
            self.failure = None
            self._staffed = self._staffed or all(found.alive for found in self.lanes.values())
            try:
                while await self._serve_one(lane, worker):
                    pass
            finally:
                lane.alive -= 1
                worker.close()
            lane.died += 1
            logs.event("worker ended", logging.WARNING, lane=lane.name, pid=worker.pid)

    async def _open_link(self) -> NurseryLink:
        async with self._link_lock:
            if self._link is None or not self._link.is_open:
                if self._link is not None:
                    logs.event("nursery ended", logging.WARNING)
                    await self._link.close()
                self._link = await NurseryLink.open(self.settings, self._told_stage)
            return self._link

    def _told_stage(self, stage: str) -> None:
        self.stage = stage
        logs.event("starting", stage=stage)
        if self.on_stage is not None:
            self.on_stage(stage)

    async def _serve_one(self, lane: Lane, worker: Worker) -> bool:
        """Give a worker the next job; whether it is fit for another."""
        job = await self._next_job(lane, worker)
        if job is None:
            return False
        if job.cancelled:  # on its way from the queue to here
            return True
        job.settle()
        lane.running.add(job)
        loop = asyncio.get_running_loop()
        began = loop.time()
        job.worker = worker
        try:
            worker.send(job.frame)
            async with asyncio.timeout_at(began + job.seconds + self._overrun) as job.timeout:
                while True:
                    frame = await frames.read(worker.reader)
                    if frame.header.get("id") != job.number:
                        continue
                    if frame.kind == "limit":
                        _shorten(job, loop.time() + frame.header["seconds"] + self._overrun)
                        continue
                    job.put(_event(frame))
                    if frame.kind in ("result", "problem"):
                        break
        except TimeoutError:
            job.put(Problem(problems.OVERRUN, "it went past its time limit and was ended"))
            return False
        except PeerGone:
            job.put(Problem(problems.WORKER_DIED, "the worker died in mid-job; try again"))
            return False
        finally:
            job.worker = None
            lane.running.discard(job)
        lane.mean_seconds += _LEARNING * (loop.time() - began - lane.mean_seconds)
        return True

    async def _next_job(self, lane: Lane, worker: Worker) -> Job | None:
        """The next job; None if the worker dies while it is idle."""
        if lane.waiting:
            return lane.waiting.popleft()
        ended = asyncio.ensure_future(worker.ended())
        waiter = asyncio.ensure_future(self._take(lane))
        try:
            await asyncio.wait({ended, waiter}, return_when=asyncio.FIRST_COMPLETED)
            if not waiter.done():
                return None
            job = waiter.result()
            if ended.done():  # both at once: the job goes back to the head of the queue
                async with lane.changed:
                    lane.waiting.appendleft(job)
                    lane.changed.notify()
                return None
            return job
        finally:
            for task in (ended, waiter):
                task.cancel()
            await asyncio.gather(ended, waiter, return_exceptions=True)

    async def _take(self, lane: Lane) -> Job:
        async with lane.changed:
            await lane.changed.wait_for(lambda: bool(lane.waiting))
            return lane.waiting.popleft()


def _stopping() -> Problem:
    detail = "the service is stopping; another copy may be there by then"
    return Problem(problems.STOPPING, detail, headers={"Retry-After": "5"})


def _shorten(job: Job, until: float) -> None:
    """Bring a job's deadline forward, never back."""
    if job.timeout is not None and (when := job.timeout.when()) is not None and until < when:
        job.timeout.reschedule(until)


def _event(frame: Frame) -> Frame | Problem:
    if frame.kind != "problem":
        return frame
    name, status, title = frame.header["problem"]
    return Problem(
        Kind(str(name), int(status), str(title)),
        str(frame.header["detail"]),
        errors=frame.header.get("errors") or (),
    )
