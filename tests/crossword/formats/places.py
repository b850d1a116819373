"""Where the fixtures and corpora are, if they are; beside the project, never in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[4] / "shared"
FIXTURES = SHARED / "fixtures"
CORPORA = SHARED / "corpora"

# What the fixtures' README wants refused, and a part of the message.
BROKEN = {
    "ONE_bad.puz": "ACROSS&DOWN",
    "truncated-strings.puz": "no version",
    "plus-symbol-rebus.puz": "no version",
    "bad_clue.xd": "line 29: not a clue",
    "bad_clue_down.xd": "line 74: not a clue",
    "bad_meta.xd": "line 3: not 'Name: value'",
}
# Families of variety puzzles: a file whose name begins so is no crossword in rows and columns.
VARIETY = (
    "acrostic", "annotations", "around-the-bend", "coded", "hearts-and-arrows", "helter-skelter",
    "inner-track-starts", "jelly-roll", "labyrinth", "marching-bands", "no-annotations",
    "patchwork", "rows-garden", "snake-charmer", "spell-weaving", "spiral", "test-diagonal",
    "test.rgz", "twists-and-turns", "two-tone",
)  # fmt: skip


def is_broken(path: Path) -> bool:
    return path.name in BROKEN or path.stem.endswith("_bad")


def puzzle_fixtures() -> Sequence[object]:
    """Every file under the fixtures: dropping one in adds a test. One skipped test without them."""
    if not FIXTURES.is_dir():
        return [pytest.param(FIXTURES, marks=pytest.mark.skip(reason=f"{FIXTURES} is not here"))]
    files = (path for path in FIXTURES.rglob("*") if path.is_file() and path.name != "README.md")
    return sorted(files)


def readable_fixtures() -> Sequence[object]:
    """Those that are to be read and not refused."""
    return [
        path
        for path in puzzle_fixtures()
        if not isinstance(path, Path) or not (is_broken(path) or path.name.startswith(VARIETY))
    ]
