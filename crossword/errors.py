"""Every exception that the project raises on purpose.

CrosswordError                 one clear line for a person; the CLI prints it and exits with 2
├── FormatError                a file that can't be read or written
│   ├── UnknownFormatError     its content is of no format that we know
│   ├── CorruptFileError       it claims a format, but is damaged or truncated
│   └── UnsupportedPuzzleError a puzzle that is no crossword in rows and columns
├── PuzzleError                a puzzle that contradicts itself, a slot that isn't there
├── PatternError               a pattern with something else than A-Z and '.'
├── UnknownNameError           no guesser or solver of that name; lists those there are
├── ModelError                 a model folder that is missing, damaged or too new
├── DataError                  a corpus or dataset that can't serve
└── ServiceError               `crossword serve` refused or failed a call of the client
"""

from __future__ import annotations

from collections.abc import Iterable


class CrosswordError(Exception):
    """The root: its message is one line that says what to do."""


class FormatError(CrosswordError):
    """A file that can't be read or written."""


class UnknownFormatError(FormatError):
    """The content is of no format that we know."""


class CorruptFileError(FormatError):
    """The file claims a format, but is damaged or truncated."""


class UnsupportedPuzzleError(FormatError):
    """A puzzle that is no crossword in rows and columns."""


class PuzzleError(CrosswordError):
    """A puzzle that contradicts itself, or a slot or cell that is not there."""


class PatternError(CrosswordError):
    """A pattern with something else than capital letters and '.'."""


class UnknownNameError(CrosswordError):
    """No guesser or solver of that name."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"no {kind} called {name!r}; there are: {', '.join(sorted(known))}")
        self.kind, self.name = kind, name


class ModelError(CrosswordError):
    """A model folder that is missing, damaged or newer than this package."""


class DataError(CrosswordError):
    """A corpus or dataset that can't serve for what was asked."""


class ServiceError(CrosswordError):
    """A service refused or failed a call; `status` is None where it wasn't reached."""

    def __init__(
        self, message: str, *, status: int | None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.retry_after_seconds = status, retry_after_seconds
