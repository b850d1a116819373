"""What the guessers are asked and fitted on: later clues, and puzzles that aren't stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import guessing
from crossword.artifacts import ModelFolder, write_model
from data.corpus import columns, load_corpus


def test_clues_to_fit_on_come_again_among_the_stored_as_asked_ones_do(
    tiny_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing, "SINCE", "2022-01-25")
    stored, held, asked = guessing.cut([str(tiny_corpus)], tmp_path, 0, 10, 0)
    pairs = set(zip(stored.clues, stored.answers, strict=True))
    assert held and any(pair in pairs for pair in held), "every repeat would seem to be wrong"
    whole = load_corpus([tiny_corpus], cache=tmp_path).dataset
    days, clues, answers = columns(whole, "date", "clue", "answer")
    later = {(c, a) for d, c, a in zip(days, clues, answers, strict=True) if d >= "2022-01-25"}
    assert len(asked) == 10 and set(asked) <= later
    before = {(c, a) for d, c, a in zip(days, clues, answers, strict=True) if d < "2022-01-25"}
    assert pairs | set(held) == before
    assert guessing.cut([str(tiny_corpus)], tmp_path, 5, 10, 0)[2] == asked, "the same are asked"


def test_parts_that_a_model_lacks_are_left_out(tiny_model: ModelFolder, tmp_path: Path) -> None:
    assert guessing.lacking(tiny_model.path) == []
    assert guessing.lacking(None) == ["ours: hybrid"]
    write_model(
        tmp_path / "m", build=lambda folder: (folder / "encoder").mkdir(), parts=["encoder"]
    )
    assert guessing.lacking(tmp_path / "m") == ["ours: hybrid"]
