"""Many puzzles: files, folders, zips, and `.jsonl` / `.jsonl.gz` with an ipuz a line. Streamed.

`entries` never fails on a puzzle: what can't be read comes as an entry with its error, so that
whoever reads can skip, count and report. Nothing is unpacked to disk; a name inside a zip is
only ever a label, so it can't leave the archive. Sizes are bounded (puzzles, lines, members).
"""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from crossword.errors import FormatError
from crossword.formats import load, read
from crossword.formats.detection import ZIP_ERRORS, member_bytes
from crossword.formats.document import MAX_BYTES
from crossword.formats.plaintext import printable
from crossword.puzzle import Puzzle

MAX_MEMBERS = 1_000_000  # in one zip
PUZZLE_SUFFIXES = frozenset({".puz", ".ipuz", ".jpz", ".xd", ".json", ".xml"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One puzzle of a collection, or the reason why it could not be read."""

    name: str
    puzzle: Puzzle | None
    error: str | None


def entries(paths: Iterable[Path | str]) -> Iterator[Entry]:
    """Every puzzle under the paths, one at a time, in a fixed order."""
    for path in map(Path, paths):
        yield from _entries_of(path)


def count(paths: Iterable[Path | str]) -> int:
    """How many entries there will be, without parsing them; for progress bars."""
    return sum(_count_of(path) for path in map(Path, paths))


def _entries_of(path: Path) -> Iterator[Entry]:
    try:
        if path.is_dir():
            for file in _files_in(path):
                yield from _entries_of(file)
        elif _is_lines(path):
            yield from _line_entries(path)
        elif _is_archive(path):
            yield from _archive_entries(path)
        else:
            yield _entry(printable(str(path)), partial(read, path))
    except OSError as error:
        name = printable(str(path))
        yield Entry(name, None, f"{name}: {error.strerror or error}")


def _entry(name: str, reader: Callable[[], Puzzle]) -> Entry:
    try:
        return Entry(name, reader(), None)
    except FormatError as error:
        return Entry(name, None, str(error))


def _files_in(folder: Path) -> list[Path]:
    """The puzzle files and collections under a folder; hidden ones and other files don't count."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and (path.suffix.lower() in PUZZLE_SUFFIXES or _is_lines(path) or _is_archive(path))
    )


def _is_lines(path: Path) -> bool:
    return path.name.lower().endswith((".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"))


def _is_archive(path: Path) -> bool:
    """A zip of many; a zipped .jpz is a single puzzle, which `read` unpacks."""
    return path.suffix.lower() == ".zip"


def _opened_lines(path: Path) -> IO[bytes]:
    if path.name.lower().endswith(".gz"):
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return path.open("rb")


def _line_entries(path: Path) -> Iterator[Entry]:
    number = 0
    try:
        with _opened_lines(path) as file:
            while line := file.readline(MAX_BYTES + 1):
                number += 1
                name = f"{path}:{number}"
                if len(line) > MAX_BYTES:
                    while len(line) > MAX_BYTES and not line.endswith(b"\n"):
                        line = file.readline(MAX_BYTES + 1)
                    error = f"{name}: a line over {MAX_BYTES // 2**20} MB, too long for a puzzle"
                    yield Entry(name, None, error)
                elif line.strip():
                    yield _entry(name, partial(load, line, name))
    except (OSError, EOFError, zlib.error) as error:
        name = f"{path}:{number + 1}"
        yield Entry(name, None, f"{name}: the file can't be read on from here ({error})")


def _archive_entries(path: Path) -> Iterator[Entry]:
    try:
        archive = zipfile.ZipFile(path)
    except ZIP_ERRORS as error:
        yield Entry(str(path), None, f"{path}: a damaged zip ({error})")
        return
    with archive:
        members = _members(archive)
        for info in members[:MAX_MEMBERS]:
            name = f"{path}!{printable(info.filename)}"
            yield _entry(name, partial(_load_member, archive, info, name))
        if len(members) > MAX_MEMBERS:
            yield Entry(str(path), None, f"{path}: over {MAX_MEMBERS} files, the rest was left out")


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return sorted(
        (
            info
            for info in archive.infolist()
            if not info.is_dir() and not _is_clutter(info.filename)
        ),
        key=lambda info: info.filename,
    )


def _is_clutter(name: str) -> bool:
    """What archivers add on their own: resource forks, hidden files."""
    return any(
        part == "__MACOSX" or (part.startswith(".") and part.strip(".")) for part in name.split("/")
    )


def _load_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Puzzle:
    try:
        data = member_bytes(archive, info)
    except FormatError as error:
        raise type(error)(f"{name}: {error}") from None
    except ZIP_ERRORS as error:
        raise FormatError(f"{name}: a damaged member of the zip ({error})") from None
    return load(data, name)


def _count_of(path: Path) -> int:
    try:
        if path.is_dir():
            return sum(_count_of(file) for file in _files_in(path))
        if _is_lines(path):
            with _opened_lines(path) as file:
                lines = iter(partial(file.readline, MAX_BYTES + 1), b"")
                return sum(1 for line in lines if line.strip())
        if _is_archive(path):
            with zipfile.ZipFile(path) as archive:
                return len(_members(archive))
    except ZIP_ERRORS:
        pass
    return 1
