"""From one file format to another: what `crossword convert IN OUT` does."""

from __future__ import annotations

from pathlib import Path

from crossword.formats import read, write


def convert(source: Path, target: Path) -> tuple[str, ...]:
    """Reads one file, writes the other in the format of its suffix; returns what was dropped."""
    return write(read(source), target)
