"""The service's calls as values: what to send, and what the answer means in the library's types.

Nothing here sends anything, so that `crossword.client` can do it both ways, sync and async.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypedDict, TypeVar

from crossword import formats
from crossword.errors import CrosswordError, ServiceError
from crossword.formats import ipuz
from crossword.formats.draft import Dumped
from crossword.puzzle import Cell, Puzzle
from crossword.types import Guess, Progress, ProgressCallback, Query, Solution, Statistics

try:
    import httpx as httpx  # as itself: the clients take it from here, with this reason
except ImportError:  # pragma: no cover
    raise CrosswordError("the client needs httpx: pip install 'crossword-solver[serve]'") from None

T = TypeVar("T")
Source = Puzzle | Path | bytes
_JSON = {"Content-Type": "application/json"}
_EVENTS = {"Accept": "text/event-stream"}


class SolveOptions(TypedDict, total=False):
    """What a solve may be told; the service has defaults for all of it."""

    letters: Mapping[Cell, str] | None
    seconds: float | None
    min_confidence: float
    on_progress: ProgressCallback | None


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and how to read its response; `events` takes a streamed one line by line."""

    method: str
    path: str
    read: Callable[[httpx.Response], T]
    params: Mapping[str, str | float] = field(default_factory=dict)
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    events: Callable[[str], T | None] | None = None

    def request(self, http: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        return http.build_request(
            self.method, self.path, params=self.params, content=self.content, headers=self.headers
        )

    def result(self, response: httpx.Response) -> T:
        """What a whole response says; raises the problem if it is one."""
        if response.is_success:
            return self.read(response)
        try:
            document = response.json()
        except ValueError:
            document = {}
        document = document if isinstance(document, dict) else {}
        document.setdefault("detail", f"{response.status_code} {response.reason_phrase}")
        raise _problem(document, response.status_code, response.headers.get("retry-after"))


def guess(queries: Sequence[Query], limit: int) -> Call[list[list[Guess]]]:
    def read(response: httpx.Response) -> list[list[Guess]]:
        return [[_guess(entry) for entry in entries] for entries in response.json()["results"]]

    body = {
        "queries": [{"clue": query.clue, "pattern": query.pattern} for query in queries],
        "limit": limit,
    }
    return Call("POST", "/v1/guess", read, content=json.dumps(body).encode(), headers=_JSON)


def solve(
    source: Source,
    *,
    letters: Mapping[Cell, str] | None = None,
    seconds: float | None = None,
    min_confidence: float = 0.0,
    on_progress: ProgressCallback | None = None,
) -> Call[Solution]:
    options: dict[str, str | float] = {"min_confidence": min_confidence}
    if seconds is not None:
        options["seconds"] = seconds
    headers = dict(_EVENTS) if on_progress else {}
    content, params = _file(source)
    if letters:
        puzzle = source if isinstance(source, Puzzle) else formats.load(content, _name(params))
        locked = {f"{row},{col}": text for (row, col), text in letters.items()}
        body = {"puzzle": ipuz.to_json(puzzle), "letters": locked, **options}
        content, params, headers = json.dumps(body).encode(), {}, {**headers, **_JSON}
    else:
        params |= options
    events = _Events(on_progress) if on_progress else None
    return Call(
        "POST", "/v1/solve", lambda response: _solution(response.json()),
        params, content, headers, events,
    )  # fmt: skip


def read(source: Path | bytes) -> Call[Puzzle]:
    content, params = _file(source)
    return Call("POST", "/v1/read", _puzzle, params, content)


def convert(source: Source, to: str) -> Call[Dumped]:
    def read(response: httpx.Response) -> Dumped:
        return Dumped(response.content, tuple(json.loads(response.headers.get("x-dropped", "[]"))))

    content, params = _file(source)
    return Call("POST", "/v1/convert", read, {**params, "to": to}, content)


def models() -> Call[dict[str, Any]]:
    return Call("GET", "/v1/models", lambda response: dict(response.json()))


def examples() -> Call[list[str]]:
    def read(response: httpx.Response) -> list[str]:
        return [entry["name"] for entry in response.json()["examples"]]

    return Call("GET", "/v1/examples", read)


def example(name: str) -> Call[Puzzle]:
    return Call("GET", f"/v1/examples/{name}", _puzzle)


def ready() -> Call[bool]:
    return Call("GET", "/readyz", lambda response: True)


def cut_off() -> ServiceError:
    return ServiceError("the service ended the stream before the result", status=None)


@contextmanager
def reaching(http: httpx.Client | httpx.AsyncClient) -> Iterator[None]:
    """What goes wrong on the way to the service and back, as an error that says what to do."""
    try:
        yield
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        raise ServiceError(
            f"{http.base_url}: {reason}; is `crossword serve` running there?", status=None
        ) from None


def _file(source: Source) -> tuple[bytes, dict[str, str | float]]:
    """A puzzle's bytes, and the name that goes with them."""
    if isinstance(source, Puzzle):
        return ipuz.dump(source).data, {"name": "puzzle.ipuz"}
    if isinstance(source, Path):
        try:
            return source.read_bytes(), {"name": source.name[:200]}
        except OSError as error:
            raise CrosswordError(f"{source}: {error.strerror or error}") from None
    return source, {}


def _name(params: Mapping[str, str | float]) -> str:
    return str(params.get("name", ""))


def _puzzle(response: httpx.Response) -> Puzzle:
    return formats.load(response.content, "the answer.ipuz")


def _guess(entry: Mapping[str, Any]) -> Guess:
    probability = float(entry["probability"])
    return Guess(
        str(entry["answer"]),
        math.log(probability) if probability > 0 else -math.inf,
        float(entry.get("confidence", probability)),
        tuple(entry["evidence"]),
    )


def _cell(key: str) -> Cell:
    row, _, col = key.partition(",")
    return int(row), int(col)


def _solution(value: Mapping[str, Any]) -> Solution:
    told = value["statistics"]
    return Solution(
        fill={_cell(key): text for key, text in value["fill"].items()},
        letters={
            _cell(key): tuple((text, float(p)) for text, p in pairs)
            for key, pairs in value["cells"].items()
        },
        candidates={
            name: tuple(_guess(entry) for entry in entries)
            for name, entries in value["candidates"].items()
        },
        status=value["status"],
        statistics=Statistics(
            told["seconds"], told["guess_seconds"], told["rounds"], dict(told["details"])
        ),
    )


def _progress(value: Mapping[str, Any]) -> Progress:
    return Progress(
        {_cell(key): text for key, text in value["fill"].items()},
        {_cell(key): float(p) for key, p in value["confidence"].items()},
        str(value["stage"]),
        float(value["fraction"]),
    )


class _Events:
    """Server-sent events, a line at a time; the service sends one line of data an event."""

    def __init__(self, on_progress: ProgressCallback) -> None:
        self._on_progress, self._kind = on_progress, ""

    def __call__(self, line: str) -> Solution | None:
        """The solution, when that is what the line brings."""
        name, _, value = line.partition(": ")
        if name == "event":
            self._kind = value
        elif name == "data":
            data = json.loads(value)
            if self._kind == "progress":
                self._on_progress(_progress(data))
            elif self._kind == "problem":
                raise _problem(data, int(data.get("status", 500)), None)
            elif self._kind == "result":
                return _solution(data)
        return None


def _problem(document: Mapping[str, Any], status: int, retry_after: str | None) -> ServiceError:
    detail = document.get("detail") or document.get("title") or "no reason given"
    after = float(retry_after) if retry_after and retry_after.isdecimal() else None
    return ServiceError(str(detail), status=status, retry_after_seconds=after)
