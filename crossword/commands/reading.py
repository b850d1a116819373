"""Reading collections before a person's eyes: a bar, and nothing left out without a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from crossword.commands.console import say
from crossword.errors import DataError
from crossword.puzzle import Puzzle

MOST_LINES = 5  # of unreadable files that are listed; JSON reports have them all


def bar(console: Console, what: str) -> Progress:
    """A progress bar with room for a remark (the task's field `about`)."""
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[about]}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def first_words(engine: str) -> str:
    """What the bar says until the first result is there; a cluster takes a while to start."""
    starts = ", starting the workers" if engine == "ray" else ""
    return f"loading the model{starts} …"


@dataclass
class Reading:
    """Puzzles under some paths, one at a time; what can't be read is kept as a line."""

    paths: Sequence[Path]
    console: Console
    unreadable: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for path in self.paths:
            if not path.exists():
                raise DataError(f"there is no file or folder {path}")

    def __iter__(self) -> Iterator[tuple[str, Puzzle]]:
        from crossword.formats.collection import count, entries

        with bar(self.console, "reading") as progress:
            task = progress.add_task("reading", total=count(self.paths), about="")
            for entry in entries(self.paths):
                progress.advance(task)
                if entry.puzzle is None:
                    self.unreadable.append(entry.error or entry.name)
                else:
                    yield entry.name, entry.puzzle

    def report(self) -> None:
        """Say what could not be read."""
        for line in self.unreadable[:MOST_LINES]:
            say(f"skipped: {line}")
        if len(self.unreadable) > MOST_LINES:
            say(f"skipped: {len(self.unreadable) - MOST_LINES} more that can't be read")
