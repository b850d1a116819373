"""The two consoles for a person: results go to stdout, all else to stderr."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, Handlers, getsignal, signal
from threading import current_thread, main_thread
from typing import Any

from rich.console import Console

from crossword.errors import CrosswordError


def out() -> Console:
    """For results. Made anew each time, so that it follows a redirected stdout."""
    return Console(highlight=False, soft_wrap=True)


def err() -> Console:
    """For progress, remarks and errors."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def say(text: str) -> None:
    """A remark on stderr, as it is (no markup in it)."""
    err().print(text, markup=False)


def print_json(data: Any) -> None:
    out().print(json.dumps(data, ensure_ascii=False, indent=2), markup=False)


def write_text(path: Path, text: str) -> None:
    """Write a file, or say in one line why it can't be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CrosswordError(f"can't write {path}: {error.strerror or error}") from None


class Interruption:
    """Whether Ctrl-C was pressed; callable, as solvers ask for it."""

    def __init__(self) -> None:
        self.happened = False

    def __call__(self) -> bool:
        return self.happened


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """The first Ctrl-C asks politely, so that what is done is kept; the second one insists."""
    state = Interruption()
    if current_thread() is not main_thread():  # only there may signals be handled
        yield state
        return
    before = getsignal(SIGINT)

    def handle(_number: int, _frame: object) -> None:
        if state.happened:
            raise KeyboardInterrupt
        state.happened = True

    signal(SIGINT, handle)
    try:
        yield state
    finally:
        signal(SIGINT, before if before is not None else Handlers.SIG_DFL)
