from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from wordgames.errors import DataError
from wordgames.plots import distribution_table, save_distribution


@pytest.mark.parametrize("name", ["plot.png", "plot.svg"])
def test_a_plot_is_saved(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    save_distribution(path, {"a": {2: 3, 3: 5}, "b": {3: 1}}, title="Guesses")
    assert path.stat().st_size > 1000


def test_a_strange_file_type_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot write plot"):
        save_distribution(tmp_path / "plot.nonsense", {"a": {2: 3}}, title="Guesses")


def test_the_longest_bar_is_the_commonest_count() -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(distribution_table({2: 10, 3: 40, 4: 1}))
    lines = console.export_text().splitlines()
    bars = {line.split()[0]: line.count("█") for line in lines if "█" in line}
    assert max(bars, key=lambda key: bars[key]) == "3"
    assert bars["2"] * 4 == bars["3"]
