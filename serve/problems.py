"""Problem documents (RFC 9457): what went wrong, in a form that programs and people can read.

A `Problem` is raised anywhere in a request, or sent by a worker; it becomes a response with the
media type `application/problem+json`. A detail never repeats a clue.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from crossword.errors import (
    CorruptFileError,
    CrosswordError,
    PatternError,
    PuzzleError,
    UnknownFormatError,
    UnsupportedPuzzleError,
)

MEDIA_TYPE = "application/problem+json"
_URN = "urn:problem:crossword:"
MAX_DETAIL = 400


@dataclass(frozen=True)
class Kind:
    """A sort of problem: its name in the type's URN, its status, its title."""

    name: str
    status: int
    title: str


INVALID = Kind("invalid-request", 422, "The request is not what this call takes")
UNKNOWN_FORMAT = Kind("unknown-format", 415, "No puzzle format that we know")
FORM_BODY = Kind("form-body", 415, "Send the file itself as the body")
CORRUPT = Kind("damaged-file", 422, "The file is damaged")
UNSUPPORTED = Kind("unsupported-puzzle", 422, "No crossword in rows and columns")
CONTRADICTORY = Kind("bad-puzzle", 422, "The puzzle contradicts itself")
TOO_LARGE_GRID = Kind("grid-too-large", 422, "The grid is too large to solve here")
BAD_PATTERN = Kind("bad-pattern", 422, "The pattern can't be used")
WORD_GAME = Kind("impossible-game", 422, "No such game is possible")
NOT_FOUND = Kind("not-found", 404, "There is nothing here")
UNAUTHORISED = Kind("unauthorised", 401, "A token is needed")
WRONG_HOST = Kind("wrong-host", 421, "Not served under this name")
FOREIGN_ORIGIN = Kind("foreign-origin", 403, "Other sites may not call this service")
BODY_TOO_LARGE = Kind("body-too-large", 413, "The body is too large")
BODY_TOO_SLOW = Kind("body-too-slow", 408, "The body took too long to arrive")
QUEUE_FULL = Kind("queue-full", 503, "Too busy")
NOT_READY = Kind("not-ready", 503, "Not ready yet")
STOPPING = Kind("stopping", 503, "The service is stopping")
OVERRUN = Kind("overrun", 504, "It took too long")
WORKER_DIED = Kind("worker-died", 500, "The worker died; the request may be sent again")
INTERNAL = Kind("internal", 500, "Something went wrong inside")


class Problem(HTTPException):
    """A problem as an exception. HTTPException, so that FastAPI lets it through."""

    def __init__(
        self,
        kind: Kind,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        errors: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        detail = " ".join(detail.split())[:MAX_DETAIL]
        super().__init__(kind.status, detail, dict(headers) if headers else None)
        self.kind, self.errors = kind, list(errors)

    def document(self, request_id: str | None = None) -> dict[str, Any]:
        document: dict[str, Any] = {
            "type": _URN + self.kind.name,
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
        }
        if self.errors:
            document["errors"] = self.errors
        if request_id:
            document["request_id"] = request_id
        return document

    def response(self, request_id: str | None = None) -> Response:
        return Response(
            json.dumps(self.document(request_id)),
            status_code=self.kind.status,
            headers=self.headers,
            media_type=MEDIA_TYPE,
        )


def http_problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Problem:
    """A problem for what the framework itself refuses (404, 405, …)."""
    try:
        title = HTTPStatus(status).phrase
    except ValueError:
        title = "Error"
    kind = Kind(title.lower().replace(" ", "-"), status, title)
    return Problem(kind, detail or title, headers=headers)


def kind_of(error: CrosswordError) -> Kind:
    """Which problem one of the library's exceptions is, for a request that brought it about."""
    table: tuple[tuple[type[CrosswordError], Kind], ...] = (
        (UnknownFormatError, UNKNOWN_FORMAT),
        (CorruptFileError, CORRUPT),
        (UnsupportedPuzzleError, UNSUPPORTED),
        (PuzzleError, CONTRADICTORY),
        (PatternError, BAD_PATTERN),
    )
    return next((kind for cls, kind in table if isinstance(error, cls)), INVALID)


def validation_errors(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Where and why a request was refused, without what it said there."""
    return [
        {
            "where": ".".join(str(part)[:40] for part in error.get("loc", ()))[:120],
            "message": str(error.get("msg", ""))[:200],
        }
        for error in errors[:20]
    ]


def invalid(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """A request that doesn't fit its schema."""
    found = validation_errors(errors)
    first = f"{found[0]['where']}: {found[0]['message']}" if found else "see the API's document"
    return Problem(INVALID, first, errors=found)


def invalid_model(error: ValidationError) -> Problem:
    return invalid(error.errors(include_input=False, include_url=False, include_context=False))
