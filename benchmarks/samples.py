"""What is measured on: puzzles and clues of a collection between two dates, drawn by a seed."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from crossword.evaluation.selection import draw
from crossword.formats import collection
from crossword.puzzle import Puzzle
from crossword.types import Query

Item = tuple[str, Puzzle]
ALL = 100_000  # puzzles: more than any collection has


def arguments(told: str | None) -> argparse.ArgumentParser:
    """The options that every measurement on a collection has; `told` is the script's docstring."""
    parser = argparse.ArgumentParser(
        description=told, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--model", type=Path, help="trained before --since; else the default one")
    parser.add_argument("--since", default="2022-01-01")
    parser.add_argument("--until", default="2023-01-01")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def puzzles(path: Path, since: str, until: str, limit: int, seed: int) -> list[Item]:
    """At most so many puzzles that have a solution, with their names."""
    found = [
        (entry.name, entry.puzzle)
        for entry in collection.entries([path])
        if entry.puzzle is not None
        and entry.puzzle.has_solution
        and since <= entry.puzzle.date < until
    ]
    return draw(found, limit, seed)


def queries(path: Path, since: str, until: str, count: int, seed: int) -> list[Query]:
    """Distinct clues with the lengths of their answers, in a drawn order."""
    found = {
        (puzzle.clue(slot.name), "." * len(slot.cells))
        for _, puzzle in puzzles(path, since, until, ALL, seed)
        for slot in puzzle.slots
    }
    drawn = random.Random(seed).sample(sorted(found), min(count, len(found)))
    return [Query(clue, pattern) for clue, pattern in drawn]
