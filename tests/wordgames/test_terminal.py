from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from wordgames.errors import DataError
from wordgames.terminal import asked, checked_outputs, console_beside, tiles


def test_files_that_can_be_written_pass(tmp_path: Path) -> None:
    checked_outputs(None, Path("-"), tmp_path / "a.json", plot=tmp_path / "a.svg")


@pytest.mark.parametrize("name", ["missing/a.json", "."])
def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="cannot write"):
        checked_outputs(tmp_path / name)


def test_a_plot_of_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\.png"):
        checked_outputs(plot=tmp_path / "plot.nonsense")


def test_tables_make_way_for_json_on_the_terminal() -> None:
    assert console_beside(Path("-")).stderr
    assert not console_beside(Path("out.json")).stderr
    assert not console_beside(None).stderr


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_the_end_of_input_and_an_interruption_answer_nothing(
    monkeypatch: pytest.MonkeyPatch, end: type[BaseException]
) -> None:
    def gone(*_: object) -> str:
        raise end

    console = Console(file=io.StringIO())
    monkeypatch.setattr("builtins.input", gone)
    assert asked(console, "> ") is None


def test_tiles_show_every_letter_in_its_colour() -> None:
    text = tiles(["h", "lj"], [0, 2])
    assert text.plain == " H  LJ "
    assert [str(span.style) for span in text.spans] == ["white on grey37", "black on green3"]
