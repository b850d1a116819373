"""A client of `crossword serve`, with the library's own types; sync and async.

    with Client("http://127.0.0.1:8000") as client:
        [guesses] = client.guess([Query("Feline", "C..")])
        solution = client.solve(Path("monday.puz"), on_progress=draw)

Both kinds have the same calls and raise `ServiceError` for a problem that the service reports.
Leaving `solve` early (an exception in `on_progress`, a cancelled task) stops the work over there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossword import formats
from crossword.errors import CrosswordError, ServiceError
from crossword.formats import ipuz
from crossword.formats.draft import Dumped
from crossword.puzzle import Cell, Puzzle
from crossword.types import Guess, Progress, ProgressCallback, Query, Solution, Statistics

try:
    import httpx
except ImportError:  # pragma: no cover
    raise CrosswordError("the client needs httpx: pip install 'crossword-solver[serve]'") from None

Source = Puzzle | Path | bytes
DEFAULT_URL = "http://127.0.0.1:8000"
_EVENTS = {"Accept": "text/event-stream"}


@dataclass(frozen=True)
class _Call:
    """A request, before either client sends it."""

    method: str
    path: str
    params: Mapping[str, str | float]
    content: bytes | None = None
    headers: Mapping[str, str] | None = None

    def options(self) -> dict[str, Any]:
        return {"params": self.params, "content": self.content, "headers": self.headers}


def _guess_call(queries: Sequence[Query], limit: int) -> _Call:
    body = {
        "queries": [{"clue": query.clue, "pattern": query.pattern} for query in queries],
        "limit": limit,
    }
    return _Call("POST", "/v1/guess", {}, json.dumps(body).encode(), _JSON)


_JSON = {"Content-Type": "application/json"}


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


def _solve_call(
    source: Source,
    letters: Mapping[Cell, str] | None,
    seconds: float | None,
    min_confidence: float,
    *,
    streamed: bool,
) -> _Call:
    headers = dict(_EVENTS) if streamed else {}
    if not letters:
        content, params = _file(source)
        params["min_confidence"] = min_confidence
        if seconds is not None:
            params["seconds"] = seconds
        return _Call("POST", "/v1/solve", params, content, headers)
    puzzle = source if isinstance(source, Puzzle) else formats.load(*_named(source))
    body: dict[str, Any] = {
        "puzzle": ipuz.to_json(puzzle),
        "letters": {f"{row},{col}": text for (row, col), text in letters.items()},
        "min_confidence": min_confidence,
    }
    if seconds is not None:
        body["seconds"] = seconds
    return _Call("POST", "/v1/solve", {}, json.dumps(body).encode(), {**headers, **_JSON})


def _named(source: Path | bytes) -> tuple[bytes, str]:
    content, params = _file(source)
    return content, str(params.get("name", ""))


def _read_call(source: Path | bytes) -> _Call:
    content, params = _file(source)
    return _Call("POST", "/v1/read", params, content)


def _convert_call(source: Source, to: str) -> _Call:
    content, params = _file(source)
    return _Call("POST", "/v1/convert", {**params, "to": to}, content)


def _get(path: str) -> _Call:
    return _Call("GET", path, {})


def _guesses(response: httpx.Response) -> list[list[Guess]]:
    return [[_guess(entry) for entry in entries] for entries in response.json()["results"]]


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

    def take(self, line: str) -> Solution | None:
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


def _checked(response: httpx.Response) -> httpx.Response:
    """The response, if it is a good one. Its body must have been read."""
    if response.is_success:
        return response
    try:
        document = response.json()
    except ValueError:
        document = {}
    document = document if isinstance(document, dict) else {}
    document.setdefault("detail", f"{response.status_code} {response.reason_phrase}")
    raise _problem(document, response.status_code, response.headers.get("retry-after"))


def _unreachable(error: httpx.HTTPError, url: httpx.URL) -> ServiceError:
    reason = str(error) or type(error).__name__
    return ServiceError(f"{url}: {reason}; is `crossword serve` running there?", status=None)


def _broken_off() -> ServiceError:
    return ServiceError("the service ended the stream before the result", status=None)


def _options(url: str, token: str | None, timeout_seconds: float) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": url, "headers": headers, "timeout": timeout_seconds}


class Client:
    """Calls a service. `timeout_seconds` is for silence, not for a whole solve with progress."""

    def __init__(
        self, url: str = DEFAULT_URL, *, token: str | None = None, timeout_seconds: float = 90.0
    ) -> None:
        self._http = httpx.Client(**_options(url, token, timeout_seconds))

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def guess(self, queries: Sequence[Query], limit: int = 10) -> list[list[Guess]]:
        """One list of guesses a query, best first."""
        return _guesses(self._send(_guess_call(queries, limit)))

    def solve(
        self,
        source: Source,
        *,
        letters: Mapping[Cell, str] | None = None,
        seconds: float | None = None,
        min_confidence: float = 0.0,
        on_progress: ProgressCallback | None = None,
    ) -> Solution:
        """Solve a puzzle, a file, or a file's bytes. `letters` are locked."""
        call = _solve_call(
            source, letters, seconds, min_confidence, streamed=on_progress is not None
        )
        if on_progress is None:
            return _solution(self._send(call).json())
        events = _Events(on_progress)
        try:
            with self._http.stream(call.method, call.path, **call.options()) as response:
                if not response.is_success:
                    response.read()
                    _checked(response)
                for line in response.iter_lines():
                    if (found := events.take(line)) is not None:
                        return found
        except httpx.HTTPError as error:
            raise _unreachable(error, self._http.base_url) from None
        raise _broken_off()

    def read(self, source: Path | bytes) -> Puzzle:
        """The puzzle in a file of any format."""
        return formats.load(self._send(_read_call(source)).content, "the answer.ipuz")

    def convert(self, source: Source, to: str) -> Dumped:
        """The puzzle as a file of another format, and what that can't hold."""
        return _dumped(self._send(_convert_call(source, to)))

    def models(self) -> dict[str, Any]:
        """The model, the formats and the limits."""
        return dict(self._send(_get("/v1/models")).json())

    def examples(self) -> list[str]:
        """The names of the shipped puzzles."""
        return [entry["name"] for entry in self._send(_get("/v1/examples")).json()["examples"]]

    def example(self, name: str) -> Puzzle:
        """A shipped puzzle."""
        return formats.load(self._send(_get(f"/v1/examples/{name}")).content, f"{name}.ipuz")

    def is_ready(self) -> bool:
        """Whether the service is there and can solve."""
        try:
            return self._http.get("/readyz").is_success
        except httpx.HTTPError:
            return False

    def _send(self, call: _Call) -> httpx.Response:
        try:
            return _checked(self._http.request(call.method, call.path, **call.options()))
        except httpx.HTTPError as error:
            raise _unreachable(error, self._http.base_url) from None


def _dumped(response: httpx.Response) -> Dumped:
    return Dumped(response.content, tuple(json.loads(response.headers.get("x-dropped", "[]"))))


class AsyncClient:
    """The same calls, to be awaited."""

    def __init__(
        self, url: str = DEFAULT_URL, *, token: str | None = None, timeout_seconds: float = 90.0
    ) -> None:
        self._http = httpx.AsyncClient(**_options(url, token, timeout_seconds))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def guess(self, queries: Sequence[Query], limit: int = 10) -> list[list[Guess]]:
        """One list of guesses a query, best first."""
        return _guesses(await self._send(_guess_call(queries, limit)))

    async def solve(
        self,
        source: Source,
        *,
        letters: Mapping[Cell, str] | None = None,
        seconds: float | None = None,
        min_confidence: float = 0.0,
        on_progress: ProgressCallback | None = None,
    ) -> Solution:
        """Solve a puzzle, a file, or a file's bytes. `letters` are locked."""
        call = _solve_call(
            source, letters, seconds, min_confidence, streamed=on_progress is not None
        )
        if on_progress is None:
            return _solution((await self._send(call)).json())
        events = _Events(on_progress)
        try:
            async with self._http.stream(call.method, call.path, **call.options()) as response:
                if not response.is_success:
                    await response.aread()
                    _checked(response)
                async for line in response.aiter_lines():
                    if (found := events.take(line)) is not None:
                        return found
        except httpx.HTTPError as error:
            raise _unreachable(error, self._http.base_url) from None
        raise _broken_off()

    async def read(self, source: Path | bytes) -> Puzzle:
        """The puzzle in a file of any format."""
        return formats.load((await self._send(_read_call(source))).content, "the answer.ipuz")

    async def convert(self, source: Source, to: str) -> Dumped:
        """The puzzle as a file of another format, and what that can't hold."""
        return _dumped(await self._send(_convert_call(source, to)))

    async def models(self) -> dict[str, Any]:
        """The model, the formats and the limits."""
        return dict((await self._send(_get("/v1/models"))).json())

    async def examples(self) -> list[str]:
        """The names of the shipped puzzles."""
        found = (await self._send(_get("/v1/examples"))).json()
        return [entry["name"] for entry in found["examples"]]

    async def example(self, name: str) -> Puzzle:
        """A shipped puzzle."""
        response = await self._send(_get(f"/v1/examples/{name}"))
        return formats.load(response.content, f"{name}.ipuz")

    async def is_ready(self) -> bool:
        """Whether the service is there and can solve."""
        try:
            return (await self._http.get("/readyz")).is_success
        except httpx.HTTPError:
            return False

    async def _send(self, call: _Call) -> httpx.Response:
        try:
            return _checked(await self._http.request(call.method, call.path, **call.options()))
        except httpx.HTTPError as error:
            raise _unreachable(error, self._http.base_url) from None
