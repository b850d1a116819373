"""Collections of puzzles as a Hugging Face dataset, one row for each clue.

Columns: clue, answer, length (of the slot, in cells), source, date, puzzle_id. Two files with the
same solved grid are one puzzle: the first is kept, with the date of whichever has one. The result
is kept on disk under the hash of the content, so reading the same files again takes a second.
What can't be read is skipped, counted and reported. Clues are normalised (`crossword.text`).
"""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any

import pyarrow as pa
from datasets import Dataset, concatenate_datasets
from rich.console import Console
from rich.progress import track

from crossword.errors import DataError
from crossword.formats import collection
from crossword.puzzle import Puzzle
from crossword.text import normalise_answer, normalise_clue
from data.hub import PREFIX, load_hub

log = logging.getLogger(__name__)

VERSION = 1  # of what is cached; a change here makes every cache entry stale
ROWS, REPORT = "rows.arrow", "report.json"
SHOWN = 5  # skipped files that are named; the rest are only counted
_FLUSH = 100_000  # rows


@dataclass
class Report:
    """What became of the files: all are accounted for."""

    files: int = 0
    puzzles: int = 0
    joined: int = 0
    unsolved: int = 0
    clues: int = 0
    skipped: list[str] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The report for a person."""
        found = [f"{self.puzzles:,} puzzles, {self.clues:,} clues"]
        if self.joined:
            found.append(f"{self.joined:,} files had the same grid as another and were joined")
        if self.unsolved:
            found.append(f"{self.unsolved:,} puzzles have no solution and were left out")
        if self.skipped:
            found.append(f"{len(self.skipped):,} files can't be read and were skipped:")
            found += [f"  {line}" for line in self.skipped[:SHOWN]]
        if len(self.skipped) > SHOWN:
            found.append(f"  and {len(self.skipped) - SHOWN:,} more")
        return found


@dataclass(frozen=True)
class Corpus:
    """A dataset of clues, and how it came about."""

    dataset: Dataset
    report: Report


def default_cache() -> Path:
    return Path.home() / ".cache" / "crossword-solver" / "corpora"


def load_corpus(
    paths: Sequence[Path | str], *, cache: Path | None = None, console: Console | None = None
) -> Corpus:
    """Read collections, or `hf:NAME` for a dataset of clues and answers from the Hugging Face hub.

    `cache` is where results are kept (default: ~/.cache/crossword-solver/corpora). With a
    console, progress is shown on it.
    """
    if not paths:
        raise DataError("a corpus needs at least one file or folder")
    named = [str(path).removeprefix(PREFIX) for path in paths if str(path).startswith(PREFIX)]
    files = [Path(path) for path in paths if not str(path).startswith(PREFIX)]
    for path in files:
        if not path.exists():
            raise DataError(f"there is no corpus {path}")
    parts: list[Dataset] = []
    report = Report()
    if files:
        dataset, report = _cached(files, cache or default_cache(), console)
        parts.append(dataset)
    for name in named:
        dataset = load_hub(name)
        report.clues += len(dataset)
        report.hashes[f"{PREFIX}{name}"] = str(dataset._fingerprint)
        parts.append(dataset)
    if report.clues == 0:
        skipped = f"; {report.skipped[0]}" if report.skipped else ""
        raise DataError(
            f"no solved puzzle with clues in {', '.join(map(str, paths))} "
            f"({report.files:,} files, {len(report.skipped):,} unreadable{skipped})"
        )
    return Corpus(concatenate_datasets(parts) if len(parts) > 1 else parts[0], report)


def _cached(files: list[Path], cache: Path, console: Console | None) -> tuple[Dataset, Report]:
    before = {path: _stamps(path) for path in files}
    hashes = {str(path): content_hash(path) for path in files}
    named = [[path.name, hashes[str(path)]] for path in files]
    key = blake2b(json.dumps([VERSION, named]).encode(), digest_size=16).hexdigest()
    folder = cache / key
    if not (folder / REPORT).is_file():
        _fill(folder, files, hashes, before, console)
    try:
        report = Report(**json.loads((folder / REPORT).read_text(encoding="utf-8")))
        return Dataset.from_file(str(folder / ROWS)), report
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"the cached corpus {folder} is damaged; remove it ({error})") from None


def _fill(
    folder: Path,
    files: list[Path],
    hashes: dict[str, str],
    before: dict[Path, list[Stamp]],
    console: Console | None,
) -> None:
    """Read the files into a cache entry, which is there whole or not at all."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".reading-", dir=folder.parent))
    except OSError as error:
        raise DataError(f"can't write to the cache {folder.parent}: {error.strerror}") from None
    try:
        report = Report(hashes=hashes)
        table = _table(_Reader(report).read(files, console))
        report.clues = table.num_rows
        for path, stamps in before.items():
            if _stamps(path) != stamps:  # else a part of it would stand for the whole from now on
                raise DataError(f"the corpus {path} changed or went while it was read; try again")
        with pa.OSFile(str(temporary / ROWS), "wb") as sink, pa.ipc.new_stream(sink, SCHEMA) as to:
            to.write_table(table, max_chunksize=10_000)
        text = json.dumps(asdict(report), ensure_ascii=False)
        (temporary / REPORT).write_text(text, encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)  # an entry without a report, if any
        temporary.rename(folder)
    except OSError as error:
        raise DataError(f"can't write to the cache {folder.parent}: {error}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


SCHEMA = pa.schema(
    [
        ("clue", pa.string()),
        ("answer", pa.string()),
        ("length", pa.int32()),
        ("source", pa.string()),
        ("date", pa.string()),
        ("puzzle_id", pa.string()),
    ]
)
Row = tuple[str, str, int, str, int]  # clue, answer, length, source, the puzzle's number


class _Reader:
    """Reads puzzles, joins the same ones, and keeps count in a report."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.ids: list[str] = []
        self.dates: list[str] = []
        self._known: dict[str, int] = {}

    def read(self, files: Sequence[Path], console: Console | None) -> _Reader:
        self._files, self._console = files, console
        return self

    def rows(self) -> Iterator[Row]:
        total = collection.count(self._files) if self._console else None
        for path, entry in track(
            self._entries(),
            "Reading puzzles",
            total=total,
            console=self._console,
            disable=self._console is None,
        ):
            self.report.files += 1
            if entry.puzzle is None:
                self.report.skipped.append(entry.error or entry.name)
                log.info("skipped %s", entry.error)
            elif not entry.puzzle.solution:
                self.report.unsolved += 1
            elif (number := self._number(entry.puzzle)) is not None:
                yield from self._clues(entry.puzzle, path.name, number)

    def _entries(self) -> Iterator[tuple[Path, collection.Entry]]:
        for path in self._files:
            for entry in collection.entries([path]):
                yield path, entry

    def _number(self, puzzle: Puzzle) -> int | None:
        """A number for a new puzzle; None for one that is known, whose date may be new."""
        key = grid_key(puzzle)
        known = self._known.get(key)
        if known is not None:
            self.report.joined += 1
            self.dates[known] = self.dates[known] or puzzle.date
            return None
        self._known[key] = len(self.ids)
        self.ids.append(key)
        self.dates.append(puzzle.date)
        self.report.puzzles += 1
        return len(self.ids) - 1

    def _clues(self, puzzle: Puzzle, source: str, number: int) -> Iterator[Row]:
        for slot in puzzle.slots:
            clue = normalise_clue(puzzle.clues.get(slot.name, ""))
            answer = normalise_answer(puzzle.answer(slot.name) or "")
            if clue and answer:
                yield clue, answer, len(slot), source, number


def _table(reader: _Reader) -> pa.Table:
    """The rows as columns. Dates come last, since a later file may bring one."""
    batches: list[pa.Table] = []
    for rows in _chunks(reader.rows(), _FLUSH):
        clues, answers, lengths, sources, numbers = zip(*rows, strict=True)
        batches.append(
            pa.table(
                {
                    "clue": pa.array(clues, pa.string()),
                    "answer": pa.array(answers, pa.string()),
                    "length": pa.array(lengths, pa.int32()),
                    "source": pa.array(sources, pa.string()),
                    "number": pa.array(numbers, pa.int32()),
                }
            )
        )
    if not batches:
        return SCHEMA.empty_table()
    table = pa.concat_tables(batches)
    numbers = table.column("number")
    dates = pa.array(reader.dates, pa.string()).take(numbers.combine_chunks())
    ids = pa.array(reader.ids, pa.string()).take(numbers.combine_chunks())
    return (
        table.drop_columns(["number"])
        .append_column("date", dates)
        .append_column("puzzle_id", ids)
        .cast(SCHEMA)
    )


def _chunks(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def grid_key(puzzle: Puzzle) -> str:
    """What makes two files the same puzzle: the solved grid.

    A rebus cell counts by its first letter, since some archives keep no more of it.
    """
    solution = puzzle.solution or {}
    lines = (
        "".join((solution.get((r, c)) or sign)[0] for c, sign in enumerate(row))
        for r, row in enumerate(puzzle.grid.rows)
    )
    return blake2b("\n".join(lines).encode(), digest_size=10).hexdigest()


def content_hash(path: Path) -> str:
    """The sha256 of a file, or of the names and contents of a folder's files."""
    try:
        if path.is_file():
            with path.open("rb") as file:
                return file_digest(file, "sha256").hexdigest()
        whole = blake2b(digest_size=32)
        for inner in _files(path):
            whole.update(f"{inner.relative_to(path)}\n{content_hash(inner)}\n".encode())
        return whole.hexdigest()
    except OSError as error:
        raise DataError(f"can't read {path}: {error.strerror or error}") from None


Stamp = tuple[str, int, int]  # of a file: name, size, time of the last change


def _stamps(path: Path) -> list[Stamp]:
    """What tells, without reading it all again, whether a corpus is still the same."""
    try:
        found = []
        for file in [path] if path.is_file() else _files(path):
            about = file.stat()
            found.append((str(file), about.st_size, about.st_mtime_ns))
        return found
    except OSError:
        return []


def _files(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def columns(dataset: Dataset, *names: str) -> list[list[Any]]:
    """Columns of a dataset as lists, in the dataset's order (also after a selection)."""
    table = dataset.with_format("arrow")[:]
    return [table.column(name).to_pylist() for name in names]
