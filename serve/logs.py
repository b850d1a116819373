"""Structured logs: a JSON object a line on stderr, with the id of the request it belongs to.

No clue texts: log calls name counts and times, and exceptions are logged by their type and place,
as their messages may quote what was sent.
"""

from __future__ import annotations

import json
import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
logger = logging.getLogger("serve")


class JsonFormatter(logging.Formatter):
    """`logger.info("event", extra={"fields": {…}})` becomes one object."""

    def __init__(self, *, messages: bool = False) -> None:
        super().__init__()
        self.messages = messages  # whether an exception's own message may be shown

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if found := request_id.get():
            entry["request_id"] = found
        entry.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[0] is not None:
            entry["exception"] = described(record.exc_info[1], messages=self.messages)
        return json.dumps(entry, default=str)


def described(error: BaseException | None, *, messages: bool = False) -> dict[str, Any]:
    """An exception by its type and the places it came through."""
    frames = traceback.extract_tb(error.__traceback__) if error else []
    described: dict[str, Any] = {
        "type": type(error).__name__,
        "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:]],
    }
    if messages:
        described["message"] = str(error)
    return described


def set_up(level: str, *, messages: bool = False) -> None:
    """Send everything through one handler; uvicorn's own access lines would be a second copy."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(messages=messages))
    for name in ("serve", "uvicorn", "uvicorn.error", "crossword", "wordgames"):
        found = logging.getLogger(name)
        found.handlers = [handler] if name not in ("uvicorn.error",) else []
        found.propagate = name == "uvicorn.error"
        found.setLevel(level.upper())
    access = logging.getLogger("uvicorn.access")
    access.handlers, access.propagate = [], False


def event(name: str, level: int = logging.INFO, **fields: object) -> None:
    logger.log(level, name, extra={"fields": fields})
