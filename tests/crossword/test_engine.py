"""Engines: results in order, one load a worker, one-line errors."""

from __future__ import annotations

from itertools import count, islice
from pathlib import Path

import pytest

from crossword.cli import run
from crossword.engine import LocalEngine, open_engine
from crossword.errors import CrosswordError, UnknownNameError
from tests.crossword.works import Failing, Squaring


def test_results_come_in_the_order_of_the_items(tmp_path: Path) -> None:
    assert list(LocalEngine().map(Squaring(tmp_path), range(5))) == [0, 1, 4, 9, 16]
    assert list(LocalEngine(2).map(Squaring(tmp_path), range(9))) == [i * i for i in range(9)]
    assert len(list(tmp_path.glob("loaded-*"))) <= 3, "each process loads once"


def test_a_stream_without_end_is_read_as_it_is_needed(tmp_path: Path) -> None:
    assert list(islice(LocalEngine(2).map(Squaring(tmp_path), count()), 3)) == [0, 1, 4]


def test_a_killed_process_is_told_in_a_line(tmp_path: Path) -> None:
    work = Squaring(tmp_path, deadly=3)
    with pytest.raises(CrosswordError, match="fewer --jobs"):
        list(LocalEngine(2).map(work, range(6)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_while_loading_comes_through(jobs: int) -> None:
    with pytest.raises(CrosswordError, match="no such model"):
        list(LocalEngine(jobs).map(Failing(loading=True), [1]))


def test_an_unknown_engine_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="local, ray"):
        open_engine("steam")


def test_an_address_needs_ray(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["guess", "Feline", "3", "--address", "10.0.0.5:6379"]) == 2
    assert capsys.readouterr().err == (
        "crossword: --address is of a Ray cluster: add --engine ray\n"
    )


def test_without_ray_a_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    assert run(["guess", "Feline", "3", "--engine", "ray"]) == 2
    assert "pip install 'crossword-solver[ray]'" in capsys.readouterr().err
