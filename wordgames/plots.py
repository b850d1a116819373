"""Distributions as pictures: grouped bars in a PNG or SVG file, and bars for the terminal.

matplotlib loads only when a file is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from wordgames.errors import DataError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BAR_WIDTH = 40


def save_distribution(
    path: Path, series: Mapping[str, Mapping[int, float]], *, title: str, xlabel: str = "guesses"
) -> None:
    """Bars of games by number of guesses, one colour a series, written to `path`."""
    from matplotlib.figure import Figure

    keys = sorted({key for counts in series.values() for key in counts})
    width_inches = min(12.0, max(6.0, 0.9 * len(keys) * max(1, len(series)) ** 0.5))
    figure = Figure(figsize=(width_inches, 3.6), dpi=120)
    axes = figure.subplots()
    width = 0.84 / max(1, len(series))
    for place, (label, counts) in enumerate(series.items()):
        games = sum(counts.values()) or 1
        shares = [100 * counts.get(key, 0) / games for key in keys]
        left = [x - 0.42 + (place + 0.5) * width for x in range(len(keys))]
        bars = axes.bar(left, shares, width * 0.94, label=label)
        if len(series) <= 3:
            # Few enough that the counts fit above the bars.
            texts = [f"{counts.get(key, 0):,g}" if counts.get(key) else "" for key in keys]
            axes.bar_label(bars, texts, fontsize=7, padding=1)
    axes.set_xticks(range(len(keys)), [str(key) for key in keys])
    axes.set_xlabel(xlabel)
    axes.set_ylabel("% of games")
    axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    if len(series) > 1 or "" not in series:
        axes.legend(frameon=False, fontsize=8)
    save(figure, path)


def save(figure: Figure, path: Path) -> None:
    """Writes a figure as its file's name says: png, svg, pdf."""
    figure.tight_layout()
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise DataError(f"cannot write plot {path}: {error}") from None


def distribution_table(distribution: Mapping[int, int], *, title: str = "") -> Table:
    """The distribution as a table with bars for the terminal."""
    table = Table(title=title or None, box=None, show_header=True, title_justify="left")
    table.add_column("guesses", justify="right")
    table.add_column("games", justify="right")
    table.add_column("")
    largest = max(distribution.values(), default=1)
    for turns, games in sorted(distribution.items()):
        bar = "█" * round(_BAR_WIDTH * games / largest) or "▏"
        table.add_row(str(turns), f"{games:,}", f"[green]{bar}[/green]")
    return table
