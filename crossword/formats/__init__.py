"""Puzzle files: read, written and told apart by their content.

    puzzle = read(path)             # any format below; the suffix only breaks ties
    dropped = write(puzzle, path)   # the suffix says which; returns what the format can't hold

A format's module is imported when a file of it turns up. Whatever the bytes, `load` raises
nothing but a `FormatError`, whose line names the file and the reason.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from crossword.errors import (
    CorruptFileError,
    CrosswordError,
    FormatError,
    UnknownFormatError,
)
from crossword.formats.draft import Dumped
from crossword.puzzle import Puzzle

__all__ = ["FORMATS", "Dumped", "Format", "dump", "load", "names", "read", "write"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format's name, which is its suffix too; what it is; the module that writes it, if any."""

    name: str
    about: str
    writer: str = ""


FORMATS: dict[str, Format] = {
    "puz": Format("puz", "Across Lite, the most common", writer="puz"),
    "ipuz": Format("ipuz", "JSON, holds everything", writer="ipuz"),
    "jpz": Format("jpz", "Crossword Compiler's XML, zipped or not", writer="jpz"),
    "xd": Format("xd", "plain text, made for archives", writer="xd_writer"),
    "xwordinfo": Format("xwordinfo", "XWord Info's JSON"),
    "nyt": Format("nyt", "the New York Times' JSON, version 6"),
    "txt": Format("txt", "Across Lite's text format"),
}


def names(*, writable: bool = False) -> tuple[str, ...]:
    """The formats' names; with `writable` those that can be written."""
    return tuple(name for name, found in FORMATS.items() if found.writer or not writable)


def read(path: Path | str) -> Puzzle:
    """The puzzle in a file of any format."""
    path = Path(path)
    from crossword.formats.document import MAX_BYTES

    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from None
    return load(data, str(path))


def load(data: bytes, name: str = "") -> Puzzle:
    """The puzzle in a file's bytes. `name` is for messages, and its suffix breaks ties."""
    from crossword.formats.detection import load_any

    name = name or "the file"
    try:
        return load_any(data, name)
    except FormatError as error:
        raise type(error)(f"{name}: {error}") from None
    except CrosswordError as error:
        raise CorruptFileError(f"{name}: {error}") from None
    except Exception as error:
        # Readers check what they touch; this is the net under them, so that one strange file
        # among thousands never ends an import.
        reason = " ".join(f"{type(error).__name__}: {error}"[:200].split())
        raise CorruptFileError(f"{name}: damaged ({reason})") from error


def dump(puzzle: Puzzle, format: str) -> Dumped:
    """The puzzle as bytes of a format, and what the format can't hold."""
    known = FORMATS.get(format.lower().lstrip("."))
    if known is None or not known.writer:
        raise UnknownFormatError(
            f"can't write the format {format!r}; there are: {', '.join(names(writable=True))}"
        )
    module: Any = import_module(f"crossword.formats.{known.writer}")
    dumped: Dumped = module.dump(puzzle)
    return dumped


def write(puzzle: Puzzle, path: Path | str) -> tuple[str, ...]:
    """Writes a file in the format of its suffix; returns what was dropped, a line each.

    A reader sees the old file or the new one, never a half: it is written beside and renamed.
    """
    path = Path(path)
    if not path.suffix:
        raise UnknownFormatError(
            f"{path}: give it a suffix, one of: "
            + ", ".join(f".{name}" for name in names(writable=True))
        )
    try:
        dumped = dump(puzzle, path.suffix)
    except FormatError as error:
        raise type(error)(f"{path}: {error}") from None
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(dumped.data)
            umask = os.umask(0)
            os.umask(umask)
            Path(temporary).chmod(0o666 & ~umask)  # mkstemp makes it private
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from None
    return dumped.dropped
