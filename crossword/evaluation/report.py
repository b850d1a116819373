"""An evaluation as a value for JSON, and as tables for a person.

The JSON has the overall figures at its top, the same by group under `by`, a line for each puzzle
(no clue or answer in it), what was measured and what was left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from crossword.evaluation.metrics import PuzzleScore, breakdowns, calibration, summary

HEADINGS = {
    "weekday": "Weekday",
    "rebus": "Puzzle",
    "length": "Length",
    "kind": "Clue kind",
    "seen": "In training",
}
_COLUMNS = (
    ("letters", "letters"),
    ("words", "words"),
    ("perfect", "perfect"),
    ("fill_accuracy", "acc."),
    ("fill_percentage", "filled"),
    ("top1", "top1"),
    ("top5", "top5"),
    ("top10", "top10"),
    ("top100", "top100"),
)


def report(
    scores: Sequence[PuzzleScore],
    *,
    setup: Mapping[str, Any] | None = None,
    unreadable: Sequence[str] = (),
    without_solution: int = 0,
    repeats: int = 0,
    interrupted: bool = False,
) -> dict[str, Any]:
    """Everything that an evaluation found, ready for JSON."""
    return {
        **summary(scores),
        "by": breakdowns(scores),
        "calibration": calibration(scores),
        "setup": dict(setup or {}),
        "skipped": {
            "without_solution": without_solution,
            "repeats": repeats,
            "unreadable": list(unreadable),
        },
        "errors": sum(bool(score.error) for score in scores),
        "interrupted": interrupted,
        "per_puzzle": [score.row() for score in scores],
    }


def tables(figures: Mapping[str, Any]) -> RenderableType:
    """The report for a terminal: the headline, then a table for each breakdown."""
    parts: list[RenderableType] = [_headline(figures)]
    for key, groups in figures["by"].items():
        if len(groups) > 1 or key == "kind":
            parts += [Text(), _table(HEADINGS[key], groups)]
    return Group(*parts)


def _headline(figures: Mapping[str, Any]) -> Text:
    text = Text()
    text.append(f"{figures['puzzles']} puzzles", style="bold")
    text.append(
        f"   letters {figures['letters']:.3f}   words {figures['words']:.3f}"
        f"   perfect {figures['perfect']:.3f}\n"
        f"fill accuracy {figures['fill_accuracy']:.3f} at fill percentage "
        f"{figures['fill_percentage']:.3f}"
        f"   (mean of puzzles {figures['mean_fill_accuracy']:.3f} at "
        f"{figures['mean_fill_percentage']:.3f})\n"
        f"guesses by length alone: top 1 {figures['top1']:.3f}, 5 {figures['top5']:.3f}, "
        f"10 {figures['top10']:.3f}, 100 {figures['top100']:.3f}\n"
        f"{figures['seconds_per_puzzle']:.2f} s a puzzle (median {figures['median_seconds']:.2f})"
        f"   confidence off by {figures['calibration']['expected_error']:.3f}"
    )
    return text


def _table(heading: str, groups: Mapping[str, Mapping[str, Any]]) -> Table:
    one = next(iter(groups.values()))
    columns = [(key, label) for key, label in _COLUMNS if key in one]
    # Narrow enough for 80 columns, so that nothing is cut in a pipe.
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(heading, no_wrap=True)
    table.add_column("puzzles" if "puzzles" in one else "clues", justify="right", no_wrap=True)
    for _, label in columns:
        table.add_column(label, justify="right", no_wrap=True)
    for name, figures in groups.items():
        count = figures.get("puzzles", figures.get("clues", 0))
        table.add_row(name, f"{count:,}", *(f"{figures[key]:.3f}" for key, _ in columns))
    return table
