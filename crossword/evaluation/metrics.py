"""How good a fill and a list of guesses are: pure counting, no solver and no files.

All open cells and all slots are in the denominators, also those that were left blank, and those
for which the file itself has no letter (which can't be right). A rebus cell is right only with its
full content. `fill_accuracy` is right cells of filled ones, so that letters = fill_accuracy ×
fill_percentage; the first experiments averaged both over puzzles, which is given beside them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeVar

from crossword.puzzle import Cell, Puzzle
from crossword.text import KINDS, Kind, kind_of
from crossword.types import Solution

Seen = Literal["seen", "new", "unknown"]
TOPS = (1, 5, 10, 100)
DEEPEST = max(TOPS)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
UNDATED = "undated"
T = TypeVar("T")
BINS = 10  # of confidence, for calibration


@dataclass(frozen=True, slots=True)
class WordScore:
    """One slot. `rank` is the place of the right answer among the guesses, from 1, or None."""

    slot: str
    length: int
    kind: Kind
    seen: Seen
    cells: int
    filled: int
    right: int
    rank: int | None

    @property
    def is_right(self) -> bool:
        return self.right == self.cells


@dataclass(frozen=True, slots=True)
class PuzzleScore:
    """One puzzle, counted. `bins` has for each tenth of confidence (cells, right cells, sum)."""

    name: str
    date: str
    rebus: bool
    cells: int
    filled: int
    right: int
    words: tuple[WordScore, ...]
    seconds: float
    status: str
    bins: tuple[tuple[int, int, float], ...] = ()
    error: str = ""

    @property
    def is_perfect(self) -> bool:
        return self.right == self.cells

    @property
    def weekday(self) -> str:
        return weekday_of(self.date)

    def row(self) -> dict[str, Any]:
        """The puzzle's line in a report; no clue or answer is in it."""
        return {
            "name": self.name,
            "date": self.date,
            "rebus": self.rebus,
            "letters": _share(self.right, self.cells),
            "words": _share(sum(word.is_right for word in self.words), len(self.words)),
            "perfect": self.is_perfect,
            "filled": _share(self.filled, self.cells),
            "seconds": round(self.seconds, 4),
            "status": self.status,
            **({"error": self.error} if self.error else {}),
        }


def weekday_of(day: str) -> str:
    """The English weekday of an ISO date, or `undated`."""
    try:
        return WEEKDAYS[date.fromisoformat(day).weekday()]
    except ValueError:
        return UNDATED


def score(
    puzzle: Puzzle,
    solution: Solution,
    *,
    name: str = "",
    ranks: Mapping[str, int | None] | None = None,
    seen: Callable[[str, str], Seen] | None = None,
    seconds: float | None = None,
    error: str = "",
) -> PuzzleScore:
    """Count a solution against the puzzle's own one; `ranks` is by slot name."""
    right_at = puzzle.solution or {}

    def is_right(cell: Cell) -> bool:
        right = right_at.get(cell)
        return right is not None and solution.fill.get(cell) == right

    words = []
    for slot in puzzle.slots:
        clue, answer = puzzle.clue(slot.name), puzzle.answer(slot.name)
        words.append(
            WordScore(
                slot=slot.name,
                length=len(answer) if answer is not None else len(slot),
                kind=kind_of(clue),
                seen="unknown" if seen is None or answer is None else seen(clue, answer),
                cells=len(slot),
                filled=sum(bool(solution.fill.get(cell)) for cell in slot.cells),
                right=sum(map(is_right, slot.cells)),
                rank=None if ranks is None else ranks.get(slot.name),
            )
        )
    cells = puzzle.grid.cells
    bins = [[0, 0, 0.0] for _ in range(BINS)]
    for cell in cells:
        if solution.fill.get(cell) and cell not in puzzle.given:
            sure = min(max(solution.confidence(cell), 0.0), 1.0)
            row = bins[min(int(sure * BINS), BINS - 1)]
            row[0] += 1
            row[1] += is_right(cell)
            row[2] += sure
    return PuzzleScore(
        name=name,
        date=puzzle.date,
        rebus=bool(puzzle.rebus),
        cells=len(cells),
        filled=sum(bool(solution.fill.get(cell)) for cell in cells),
        right=sum(map(is_right, cells)),
        words=tuple(words),
        seconds=solution.statistics.seconds if seconds is None else seconds,
        status=solution.status,
        bins=tuple((int(n), int(right), float(total)) for n, right, total in bins),
        error=error,
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _mean(values: Sequence[float]) -> float:
    return _share(sum(values), len(values))


def _tops(words: Sequence[WordScore]) -> dict[str, float]:
    return {
        f"top{k}": _share(sum(w.rank is not None and w.rank <= k for w in words), len(words))
        for k in TOPS
    }


def summary(scores: Sequence[PuzzleScore]) -> dict[str, Any]:
    """The figures over puzzles: `puzzles` is a count, all else fractions from 0 to 1, or seconds.

    A puzzle of no cells (all black) is perfect in itself and adds nothing to the other figures.
    """
    words = [word for puzzle in scores for word in puzzle.words]
    cells = sum(puzzle.cells for puzzle in scores)
    filled = sum(puzzle.filled for puzzle in scores)
    right = sum(puzzle.right for puzzle in scores)
    return {
        "puzzles": len(scores),
        "letters": _share(right, cells),
        "words": _share(sum(word.is_right for word in words), len(words)),
        "perfect": _share(sum(puzzle.is_perfect for puzzle in scores), len(scores)),
        "fill_accuracy": _share(right, filled),
        "fill_percentage": _share(filled, cells),
        "seconds_per_puzzle": _mean([puzzle.seconds for puzzle in scores]),
        **_tops(words),
        "mean_fill_accuracy": _mean([_share(p.right, p.filled) for p in scores]),
        "mean_fill_percentage": _mean([_share(p.filled, p.cells) for p in scores]),
        "median_seconds": _median([puzzle.seconds for puzzle in scores]),
    }


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    if not ordered:
        return 0.0
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def word_summary(words: Sequence[WordScore]) -> dict[str, Any]:
    """The figures over a group of slots; `letters` counts the cells of these slots."""
    cells = sum(word.cells for word in words)
    filled = sum(word.filled for word in words)
    right = sum(word.right for word in words)
    return {
        "clues": len(words),
        "letters": _share(right, cells),
        "words": _share(sum(word.is_right for word in words), len(words)),
        "fill_accuracy": _share(right, filled),
        "fill_percentage": _share(filled, cells),
        **_tops(words),
    }


def breakdowns(scores: Sequence[PuzzleScore]) -> dict[str, dict[str, dict[str, Any]]]:
    """The figures by weekday and rebus (puzzles), and by length, kind and seen (clues)."""
    words = [word for puzzle in scores for word in puzzle.words]
    lengths = sorted({word.length for word in words})
    return {
        "weekday": _grouped(scores, lambda p: p.weekday, [*WEEKDAYS, UNDATED], summary),
        "rebus": _grouped(
            scores, lambda p: "rebus" if p.rebus else "plain", ["plain", "rebus"], summary
        ),
        "length": _grouped(words, lambda w: str(w.length), map(str, lengths), word_summary),
        "kind": _grouped(words, lambda w: w.kind, KINDS, word_summary),
        "seen": _grouped(words, lambda w: w.seen, ("seen", "new", "unknown"), word_summary),
    }


def _grouped(
    items: Sequence[T],
    key: Callable[[T], str],
    order: Iterable[str],
    summarise: Callable[[Sequence[T]], dict[str, Any]],
) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return {name: summarise(groups[name]) for name in order if name in groups}


def calibration(scores: Sequence[PuzzleScore]) -> dict[str, Any]:
    """How often cells of each confidence are right, and the expected calibration error."""
    rows: list[dict[str, Any]] = []
    error, total = 0.0, sum(n for puzzle in scores for n, _, _ in puzzle.bins)
    for index in range(BINS):
        bins = [puzzle.bins[index] for puzzle in scores if puzzle.bins]
        cells = sum(n for n, _, _ in bins)
        if cells:
            right = sum(r for _, r, _ in bins) / cells
            sure = sum(s for _, _, s in bins) / cells
            error += abs(right - sure) * cells / total
            rows.append({"cells": cells, "confidence": sure, "right": right})
    return {"expected_error": error, "bins": rows}
