"""Puzzles: solve, read, convert, and the shipped examples."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from crossword import formats
from crossword.errors import FormatError
from serve import problems
from serve.jobs import MEDIA_TYPES, as_ipuz, packed
from serve.problems import Problem
from serve.routes.relay import PROBLEMS, answer, file_body, stream
from serve.schemas import ExamplesResponse, ExampleSummary, SolveRequest, SolveResponse
from serve.settings import Settings

router = APIRouter(prefix="/v1", tags=["puzzles"])

FileName = Annotated[
    str, Query(max_length=200, description="The file's name; its suffix breaks ties.")
]
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_IPUZ = {
    "type": "object",
    "required": ["kind", "dimensions", "puzzle"],
    "properties": {
        "kind": {"type": "array", "items": {"type": "string"}},
        "dimensions": {"type": "object"},
        "puzzle": {"type": "array"},
    },
    "description": "An ipuz object (http://ipuz.org).",
}
_FILE_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A puzzle file of any format that `/v1/models` lists, as it is.",
        "content": {"application/octet-stream": _BINARY, "application/json": {"schema": _IPUZ}},
    }
}
_SOLVE_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A puzzle file of any format, as it is; or JSON with locked letters.",
        "content": {
            "application/octet-stream": _BINARY,
            "application/json": {
                "schema": {"anyOf": [SolveRequest.model_json_schema(), _IPUZ]},
            },
        },
    }
}


@router.post(
    "/solve",
    responses={
        **PROBLEMS,
        200: {
            "model": SolveResponse,
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
    },
    openapi_extra=_SOLVE_BODY,
    summary="Solve a puzzle",
)
async def solve(
    request: Request,
    name: FileName = "",
    seconds: Annotated[
        float | None, Query(gt=0, le=86_400, description="Time to solve in; bounded.")
    ] = None,
    min_confidence: Annotated[float, Query(ge=0, le=1)] = 0.0,
) -> Response:
    """The fill, the probability of each cell, the candidates of each slot.

    With `Accept: text/event-stream`: `progress` events, then `result` or `problem`. Closing the
    connection stops the work.
    """
    settings: Settings = request.app.state.settings
    options = {
        "name": name,
        "seconds": seconds,
        "min_confidence": min_confidence,
        "default_seconds": settings.default_seconds,
        "max_seconds": settings.max_seconds,
    }
    body = await file_body(request)
    # The body may name its own time, which only the worker reads: so the hard limit is the top.
    limit = settings.max_seconds
    if "text/event-stream" in request.headers.get("accept", ""):
        return await stream(request, "solve", body, options, seconds=limit)
    return await answer(request, "solve", body, options, seconds=limit)


@router.post(
    "/read",
    responses={**PROBLEMS, 200: {"content": {"application/json": {"schema": _IPUZ}}}},
    openapi_extra=_FILE_BODY,
    summary="Read a puzzle file of any format",
)
async def read(request: Request, name: FileName = "") -> Response:
    """The puzzle as an ipuz object; `crossword:notices` lists what was odd about the file."""
    return await answer(request, "read", await file_body(request), {"name": name})


@router.post(
    "/convert",
    responses={
        **PROBLEMS,
        200: {
            "content": {media.partition(";")[0]: _BINARY for media in MEDIA_TYPES.values()},
            "headers": {
                "X-Dropped": {
                    "description": "A JSON list of what the format can't hold.",
                    "schema": {"type": "string"},
                }
            },
        },
    },
    openapi_extra=_FILE_BODY,
    summary="Convert a puzzle file",
)
async def convert(
    request: Request, to: Literal["puz", "ipuz", "jpz", "xd"], name: FileName = ""
) -> Response:
    """The same puzzle as a file of another format."""
    return await answer(request, "convert", await file_body(request), {"name": name, "to": to})


@cache
def shipped() -> dict[str, tuple[ExampleSummary, bytes]]:
    """The puzzles that come with the project, by name, as ipuz; read once."""
    found: dict[str, tuple[ExampleSummary, bytes]] = {}
    folder = files("data") / "puzzles"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        stem, _, suffix = file.name.rpartition(".")
        if suffix not in formats.names():
            continue
        try:
            puzzle = formats.load(file.read_bytes(), file.name)
        except FormatError:
            continue
        summary = ExampleSummary(
            name=stem,
            title=puzzle.title or stem,
            author=puzzle.author,
            width=puzzle.grid.width,
            height=puzzle.grid.height,
            clues=len(puzzle.clues),
            rebus=bool(puzzle.rebus),
        )
        found[stem] = (summary, packed(as_ipuz(puzzle)))
    return found


@router.get("/examples", responses=PROBLEMS, summary="The shipped puzzles")
async def examples() -> ExamplesResponse:
    """The puzzles that come with the service."""
    found = await run_in_threadpool(shipped)
    return ExamplesResponse(examples=[summary for summary, _ in found.values()])


@router.get(
    "/examples/{name}",
    responses={
        **PROBLEMS,
        200: {"content": {"application/json": {"schema": _IPUZ}}},
        404: {**PROBLEMS[401], "description": "No such example"},
    },
    summary="One shipped puzzle",
)
async def example(name: str) -> Response:
    """A puzzle as an ipuz object."""
    found = (await run_in_threadpool(shipped)).get(name)
    if found is None:
        raise Problem(problems.NOT_FOUND, "no such example; GET /v1/examples lists them")
    return Response(found[1], media_type="application/json")
