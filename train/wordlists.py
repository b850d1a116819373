"""Word lists and sources as answers with a weight each.

Constructors' lists (`word;score`, or bare words) and the entries of `train.sources` come down to
the same thing: capital letters, and a number that is comparable within its source only.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crossword.errors import DataError
from crossword.text import normalise_answer

_OTHER = re.compile(r"[^A-Z]+")
MIN_LENGTH, MAX_LENGTH = 3, 24  # of answers that are not yet in the corpus


@dataclass(frozen=True, eq=False)
class Sourced:
    """One list or source: answers with a weight each, comparable within the source only."""

    name: str
    weights: Mapping[str, float]


def read_list(path: Path) -> Sourced:
    """A constructors' list: `word;score` or bare words, plain or gzipped."""
    weights: dict[str, float] = {}
    for line in _lines(path):
        word, _, score = line.partition(";")
        answer = plain_answer(word)
        if MIN_LENGTH <= len(answer) <= MAX_LENGTH:
            value = float(score) if score.strip().isdigit() else 50.0
            weights[answer] = max(value, weights.get(answer, 0.0))
    return Sourced(path.name.removeprefix("words-").split(".")[0], weights)


def sourced(name: str, entries: Iterable[tuple[str, float]]) -> Sourced:
    """Phrases of a source as answers; repeated ones keep their largest weight."""
    weights: dict[str, float] = {}
    for phrase, weight in entries:
        if 1 < len(phrase) <= 2 * MAX_LENGTH:
            answer = plain_answer(phrase)
            if MIN_LENGTH <= len(answer) <= MAX_LENGTH:
                weights[answer] = max(weight, weights.get(answer, 0.0))
    return Sourced(name, weights)


def plain_answer(text: str) -> str:
    """`normalise_answer`, with a short cut for the plain words that most entries are."""
    if text.isascii():
        return _OTHER.sub("", text.upper())
    return normalise_answer(text)


def spaced(paths: Sequence[Path]) -> Iterator[str]:
    """Entries of lists that still have their spaces: phrases that need no cutting."""
    for path in paths:
        yield from (word for line in _lines(path) if " " in (word := line.partition(";")[0]))


def _lines(path: Path) -> Iterator[str]:
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
                yield from lines
        else:
            with path.open(encoding="utf-8", errors="replace") as lines:
                yield from lines
    except (OSError, EOFError) as error:
        raise DataError(f"can't read the word list {path}: {error}") from error
