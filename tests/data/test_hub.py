"""Datasets in CrosswordQA's shape, from a local copy: columns clue and answer, several splits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from datasets import Dataset, DatasetDict, disable_progress_bars

from crossword.errors import DataError
from data.corpus import load_corpus
from data.hub import load_hub

ROWS = {
    "id": [1, 2, 3, 4],
    "clue": ["Purring &quot;pet&quot;", "Barking pet", "", "Nothing but digits"],
    "answer": ["cat", "Dog!", "ghost", "123"],
}


@pytest.fixture(autouse=True)
def quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disable_progress_bars()
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "hf")


def test_the_training_split_of_a_saved_dataset(tmp_path: Path) -> None:
    other = Dataset.from_dict({**ROWS, "answer": ["no"] * 4})
    saved = DatasetDict({"train": Dataset.from_dict(ROWS), "validation": other})
    saved.save_to_disk(str(tmp_path / "qa"))
    found = load_hub(str(tmp_path / "qa"))
    assert found["answer"][:] == ["CAT", "DOG"]
    assert found["clue"][0] == 'Purring "pet"'
    assert found["length"][:] == [3, 3]
    assert found["date"][:] == ["", ""]


def test_a_file_of_rows(tmp_path: Path) -> None:
    lines = [json.dumps({"clue": "Barking pet", "answer": "dog", "date": "2020-02-02"})]
    (tmp_path / "qa.jsonl").write_text("\n".join(lines))
    loaded = load_corpus([f"hf:{tmp_path / 'qa.jsonl'}"], cache=tmp_path / "cache")
    assert loaded.dataset[0]["date"] == "2020-02-02"
    assert loaded.report.clues == 1


def test_it_joins_puzzles_of_our_own(tiny_corpus: Path, tmp_path: Path) -> None:
    Dataset.from_dict(ROWS).save_to_disk(str(tmp_path / "qa"))
    loaded = load_corpus([tiny_corpus, f"hf:{tmp_path / 'qa'}"], cache=tmp_path / "cache")
    assert loaded.dataset[-1]["answer"] == "DOG"
    assert len(loaded.dataset) == loaded.report.clues
    assert len(loaded.report.hashes) == 2


def test_other_columns_are_refused(tmp_path: Path) -> None:
    Dataset.from_dict({"question": ["a"], "answer": ["b"]}).save_to_disk(str(tmp_path / "qa"))
    with pytest.raises(DataError, match="no column clue; it has: question, answer"):
        load_hub(str(tmp_path / "qa"))


def test_a_dataset_without_a_training_split_is_refused(tmp_path: Path) -> None:
    DatasetDict({"test": Dataset.from_dict(ROWS)}).save_to_disk(str(tmp_path / "qa"))
    with pytest.raises(DataError, match=r"no split 'train' \(it has: test\)"):
        load_hub(str(tmp_path / "qa"))


def test_a_dataset_of_nothing_is_refused(tmp_path: Path) -> None:
    Dataset.from_dict({"clue": [""], "answer": ["x"]}).save_to_disk(str(tmp_path / "qa"))
    with pytest.raises(DataError, match="no row"):
        load_hub(str(tmp_path / "qa"))


def test_a_name_that_can_t_be_loaded_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(name: str) -> None:
        raise ConnectionError("no way to the hub\nwith a long story")

    monkeypatch.setattr("data.hub.load_dataset", offline)
    with pytest.raises(DataError, match=r"someone/nothing: no way to the hub$"):
        load_hub("someone/nothing")
    (tmp_path / "qa.exe").write_text("")
    with pytest.raises(DataError, match="should end with"):
        load_hub(str(tmp_path / "qa.exe"))
