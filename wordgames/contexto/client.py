"""The game's HTTP interface: GET {endpoint}/{game}/{word} → {"word", "lemma", "distance"}.

`distance` counts from 0, the hidden word; a word the game does not know is answered with 404, or
with an «error». One request at a time, with a pause between them, a timeout, and retries that
wait longer each time and heed Retry-After. Only the standard library is used.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

from wordgames.errors import DataError, InputError

ENDPOINT = "https://api.contexto.me/machado/en/game"
MAX_BYTES = 2**16
_AGENT = "wordgames (Contexto solver; one polite request at a time)"
_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_LONGEST_WAIT = 60.0


class ContextoClient:
    """Asks the game for ranks; `rank` is 1 for the hidden word."""

    def __init__(
        self,
        endpoint: str = ENDPOINT,
        *,
        delay_seconds: float = 1.0,
        timeout_seconds: float = 10.0,
        retries: int = 3,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if urllib.parse.urlsplit(endpoint).scheme not in ("http", "https"):
            raise InputError(f"the endpoint must begin with http:// or https://, not {endpoint!r}")
        if delay_seconds < 0 or timeout_seconds <= 0 or retries < 0:
            raise InputError("delay and retries must not be negative, the timeout above 0")
        self.endpoint = endpoint.rstrip("/")
        self.delay_seconds = delay_seconds
        self.timeout_seconds = timeout_seconds
        self.retries = retries
        self._sleep = sleep
        self._last = float("-inf")

    def rank(self, game: int, word: str) -> tuple[str, int] | None:
        """The word that the game took the guess for, and its rank; None if it does not know it."""
        record = self._get(f"{self.endpoint}/{game}/{urllib.parse.quote(word, safe='')}")
        if record is None or "error" in record:
            return None
        try:
            distance = int(record["distance"])
            lemma = str(record.get("lemma") or record.get("word") or word).lower()
        except (KeyError, TypeError, ValueError):
            raise DataError(
                f"{self.endpoint} answered without a distance: {record!r:.80}"
            ) from None
        if distance < 0:
            raise DataError(f"{self.endpoint} answered with a distance below 0: {distance}")
        return lemma, distance + 1

    def _get(self, url: str) -> dict[str, Any] | None:
        problem = ""
        for attempt in range(self.retries + 1):
            self._pause()
            wait = min(_LONGEST_WAIT, 2.0**attempt * max(self.delay_seconds, 0.1))
            try:
                request = urllib.request.Request(url, headers={"User-Agent": _AGENT})
                with urllib.request.urlopen(request, timeout=self.timeout_seconds) as response:
                    return _record(response.read(MAX_BYTES + 1), url)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code in (400, 404):
                        return None
                    problem = f"HTTP {error.code}"
                    if error.code not in _AGAIN:
                        break
                    wait = max(wait, _retry_after(error.headers.get("Retry-After")))
            except (OSError, http.client.HTTPException) as error:
                problem = str(getattr(error, "reason", "") or error) or type(error).__name__
            if attempt < self.retries:
                self._sleep(wait)
        raise DataError(f"no answer from {self.endpoint}: {problem}")

    def _pause(self) -> None:
        due = self._last + self.delay_seconds - time.monotonic()
        if due > 0:
            self._sleep(due)
        self._last = time.monotonic()


def _record(body: bytes, url: str) -> dict[str, Any]:
    if len(body) > MAX_BYTES:
        raise DataError(f"{url} answered with more than {MAX_BYTES:,} bytes")
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        raise DataError(f"{url} did not answer with JSON; is the endpoint right?") from None
    if not isinstance(record, dict):
        raise DataError(f"{url} answered with JSON of another shape")
    return record


def _retry_after(header: str | None) -> float:
    try:
        return min(_LONGEST_WAIT, max(0.0, float(header or 0)))
    except ValueError:
        return 0.0  # a date: the doubling wait has to do
