"""From a request to a job in the pool and back: as one response, or as a stream of events.

Either way a client that goes away takes its job with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

from fastapi import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from serve import logs, problems
from serve.frames import Frame
from serve.lanes import Job
from serve.pool import Pool
from serve.problems import Problem
from serve.schemas import Problem as ProblemShape

HEARTBEAT_SECONDS = 10.0  # of silence in a stream; proxies cut lines that are quiet for a minute
FIRST_SECONDS = 0.5  # a problem that is found this soon is a status of its own, not an event
_CLIENT_GONE = 499  # nginx's number for it; nobody receives it, but the log has it

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": about,
        "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, about in {
        400: "The body is no JSON",
        401: "A token is needed",
        403: "Another site's page",
        408: "The body was too slow",
        413: "The body is too large",
        415: "No format that we know",
        421: "Not served under this host name",
        422: "What was sent can't be used; the detail says why",
        500: "The worker died, or an error of ours",
        503: "Too busy, or not ready; see Retry-After",
        504: "It took too long",
    }.items()
}
PROBLEMS[422]["model"] = ProblemShape  # once, so that the schema is among the components


def pool_of(request: Request) -> Pool:
    return cast(Pool, request.app.state.pool)


async def gone(receive: Receive) -> None:
    """Returns when the client has closed the connection. Only after the body has been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def file_body(request: Request) -> bytes:
    """A file sent as the body."""
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise Problem(
            problems.FORM_BODY,
            "send the file itself as the body, for example: curl --data-binary @monday.puz",
        )
    return await request.body()


async def answer(
    request: Request,
    name: str,
    body: bytes,
    options: Mapping[str, Any] | None = None,
    *,
    seconds: float | None = None,
) -> Response:
    """Have a job done and give its result as the response."""
    pool = pool_of(request)
    job = await pool.submit(name, body, options, seconds=seconds)
    result = asyncio.ensure_future(job.result())
    left = asyncio.ensure_future(gone(request.receive))
    try:
        await asyncio.wait({result, left}, return_when=asyncio.FIRST_COMPLETED)
        if not result.done():
            await pool.cancel(job)
            return Response(status_code=_CLIENT_GONE)
        frame = result.result()
    except asyncio.CancelledError:
        await pool.cancel(job)
        raise
    finally:
        left.cancel()
        result.cancel()
        with contextlib.suppress(BaseException):
            await asyncio.gather(left, result, return_exceptions=True)
    return Response(
        frame.body, media_type=frame.header["media_type"], headers=frame.header["headers"]
    )


async def stream(
    request: Request, name: str, body: bytes, options: Mapping[str, Any], *, seconds: float
) -> Response:
    """Have a job done and give its reports, then its result, as events."""
    pool = pool_of(request)
    job = await pool.submit(name, body, options, seconds=seconds, stream=True)
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            first: Frame | None = await job.next()
    except TimeoutError:
        first = None
    return EventStream(pool, job, first)


class EventStream(Response):
    """Server-sent events of one job."""

    media_type = "text/event-stream"

    def __init__(self, pool: Pool, job: Job, first: Frame | None) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._pool, self._job, self._first = pool, job, first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = asyncio.ensure_future(gone(receive))
        sending = asyncio.ensure_future(self._send(send))
        try:
            await asyncio.wait({left, sending}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            if not sending.done() or sending.cancelled() or sending.exception() is not None:
                await self._pool.cancel(self._job)
            for task in (left, sending):
                task.cancel()
            await asyncio.gather(left, sending, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for chunk in self._events():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _events(self) -> AsyncIterator[bytes]:
        frame = self._first
        while True:
            if frame is None:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        frame = await self._job.next()
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                except Problem as problem:
                    document = json.dumps(problem.document(logs.request_id.get()))
                    yield _event("problem", document.encode())
                    return
            yield _event(frame.kind, frame.body)
            if frame.kind == "result":
                return
            frame = None


def _event(kind: str, data: bytes) -> bytes:
    return b"event: " + kind.encode() + b"\ndata: " + data + b"\n\n"
