"""The corpora as they are: every crossword is read, the two HTML pages are named, and fast."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from crossword.formats.collection import entries
from tests.crossword.formats.places import CORPORA

pytestmark = [
    pytest.mark.corpora,
    pytest.mark.skipif(not CORPORA.is_dir(), reason=f"{CORPORA} is not here"),
]
SAMPLE = 150  # puzzles of each archive in the quick suite


@pytest.mark.parametrize(
    "name",
    [
        "nyt-1976-2018.zip",
        "nyt-1993-2023.ipuz.jsonl.gz",
        "nyt-mini-2014-2023.ipuz.jsonl.gz",
        "indie-2005-2014.ipuz.jsonl.gz",
    ],
)
def test_the_beginning_of_each_archive_is_read_whole_and_fast(name: str) -> None:
    started = time.process_time()
    found = list(itertools.islice(entries([CORPORA / name]), SAMPLE))
    seconds = time.process_time() - started
    assert [entry.error for entry in found] == [None] * SAMPLE
    assert sum(len(entry.puzzle.clues) for entry in found if entry.puzzle) > 5 * SAMPLE
    assert seconds < SAMPLE * 0.01  # 10 ms each; it takes one or two on an idle machine


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "puzzles", "errors", "odd"),
    [
        ("nyt-1976-2018.zip", 14_545, 2, 60),
        ("nyt-1993-2023.ipuz.jsonl.gz", 10_988, 0, 40),
        ("nyt-mini-2014-2023.ipuz.jsonl.gz", 3_420, 0, 0),
        ("indie-2005-2014.ipuz.jsonl.gz", 1_854, 0, 20),
    ],
)
def test_every_crossword_of_the_corpora_is_read(
    name: str, puzzles: int, errors: int, odd: int
) -> None:
    """`odd` bounds how many puzzles may carry a notice."""
    read = noticed = 0
    failures: list[str] = []
    for entry in entries([Path(CORPORA / name)]):
        if entry.puzzle is None:
            failures.append(str(entry.error))
        else:
            read += 1
            noticed += bool(entry.puzzle.notices)
    assert read == puzzles
    assert len(failures) == errors
    assert all("an HTML page" in failure for failure in failures)
    assert noticed <= odd
