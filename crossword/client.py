"""A client of `crossword serve`, with the library's own types; sync and async.

    with Client("http://127.0.0.1:8000") as client:
        [guesses] = client.guess([Query("Feline", "C..")])
        solution = client.solve(Path("monday.puz"), on_progress=draw)

Both kinds have the same calls and raise `ServiceError` for a problem that the service reports.
Leaving `solve` early (an exception in `on_progress`, a cancelled task) stops the work over there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar, Unpack

from crossword import calls
from crossword.calls import Call, SolveOptions, Source, httpx, reaching
from crossword.errors import ServiceError
from crossword.formats.draft import Dumped
from crossword.puzzle import Puzzle
from crossword.types import Guess, Query, Solution

T = TypeVar("T")
DEFAULT_URL = "http://127.0.0.1:8000"
SILENCE_SECONDS = 90.0  # a solve may take a minute, after one in the queue


def _headers(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


class Client:
    """Calls a service. `timeout_seconds` is for silence, not for a whole solve with progress."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        token: str | None = None,
        timeout_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self._http = httpx.Client(base_url=url, headers=_headers(token), timeout=timeout_seconds)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def guess(self, queries: Sequence[Query], limit: int = 10) -> list[list[Guess]]:
        """One list of guesses a query, best first."""
        return self._send(calls.guess(queries, limit))

    def solve(self, source: Source, **options: Unpack[SolveOptions]) -> Solution:
        """Solve a puzzle, a file, or a file's bytes.

        `letters` (by cell) are locked, `seconds` bounds the time, cells less sure than
        `min_confidence` stay blank, and `on_progress` is called a few times a second.
        """
        return self._send(calls.solve(source, **options))

    def read(self, source: Path | bytes) -> Puzzle:
        """The puzzle in a file of any format."""
        return self._send(calls.read(source))

    def convert(self, source: Source, to: str) -> Dumped:
        """The puzzle as a file of another format, and what that can't hold."""
        return self._send(calls.convert(source, to))

    def models(self) -> dict[str, Any]:
        """The model, the formats and the limits."""
        return self._send(calls.models())

    def examples(self) -> list[str]:
        """The names of the shipped puzzles."""
        return self._send(calls.examples())

    def example(self, name: str) -> Puzzle:
        """A shipped puzzle."""
        return self._send(calls.example(name))

    def is_ready(self) -> bool:
        """Whether the service is there and can solve."""
        try:
            return self._send(calls.ready())
        except ServiceError:
            return False

    def _send(self, call: Call[T]) -> T:
        with reaching(self._http):
            response = self._http.send(call.request(self._http), stream=True)
            try:
                if call.events is None or not response.is_success:
                    response.read()
                    return call.result(response)
                for line in response.iter_lines():
                    if (found := call.events(line)) is not None:
                        return found
                raise calls.cut_off()
            finally:
                response.close()


class AsyncClient:
    """The same calls, to be awaited."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        token: str | None = None,
        timeout_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self._http = httpx.AsyncClient(
            base_url=url, headers=_headers(token), timeout=timeout_seconds
        )

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def guess(self, queries: Sequence[Query], limit: int = 10) -> list[list[Guess]]:
        """One list of guesses a query, best first."""
        return await self._send(calls.guess(queries, limit))

    async def solve(self, source: Source, **options: Unpack[SolveOptions]) -> Solution:
        """Solve a puzzle, a file, or a file's bytes; the options are `Client.solve`'s."""
        return await self._send(calls.solve(source, **options))

    async def read(self, source: Path | bytes) -> Puzzle:
        """The puzzle in a file of any format."""
        return await self._send(calls.read(source))

    async def convert(self, source: Source, to: str) -> Dumped:
        """The puzzle as a file of another format, and what that can't hold."""
        return await self._send(calls.convert(source, to))

    async def models(self) -> dict[str, Any]:
        """The model, the formats and the limits."""
        return await self._send(calls.models())

    async def examples(self) -> list[str]:
        """The names of the shipped puzzles."""
        return await self._send(calls.examples())

    async def example(self, name: str) -> Puzzle:
        """A shipped puzzle."""
        return await self._send(calls.example(name))

    async def is_ready(self) -> bool:
        """Whether the service is there and can solve."""
        try:
            return await self._send(calls.ready())
        except ServiceError:
            return False

    async def _send(self, call: Call[T]) -> T:
        with reaching(self._http):
            response = await self._http.send(call.request(self._http), stream=True)
            try:
                if call.events is None or not response.is_success:
                    await response.aread()
                    return call.result(response)
                async for line in response.aiter_lines():
                    if (found := call.events(line)) is not None:
                        return found
                raise calls.cut_off()
            finally:
                await response.aclose()
