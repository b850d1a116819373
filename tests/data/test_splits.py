"""What is trained on, and what never is."""

from __future__ import annotations

from pathlib import Path

import pytest
from datasets import Dataset

from crossword.errors import DataError
from data.corpus import columns, load_corpus
from data.splits import hold_out, training_part
from tests.corpus import write_corpus

DATES = ["2021-12-31", "2022-01-01", "2022-12-31", "2023-01-01", "2023-06-02", ""]


def rows(dates: list[str]) -> Dataset:
    ids = [str(i) for i in range(len(dates))]
    return Dataset.from_dict({"clue": ids, "answer": ids, "date": dates, "puzzle_id": ids})


def kept(dataset: Dataset) -> list[str]:
    dates: list[str] = columns(dataset, "date")[0]
    return dates


def test_forward_trains_before_2023_and_on_what_has_no_date() -> None:
    assert kept(training_part(rows(DATES), split="forward")) == [*DATES[:3], ""]


def test_tuning_trains_before_2022() -> None:
    assert kept(training_part(rows(DATES), split="forward-tune")) == ["2021-12-31", ""]


def test_even_odd_trains_on_even_days_only() -> None:
    assert kept(training_part(rows(DATES), split="even-odd")) == ["2023-06-02"]


def test_until_is_exclusive_and_adds_to_a_split() -> None:
    assert kept(training_part(rows(DATES), until="2022-12-31")) == [*DATES[:2], ""]
    assert kept(training_part(rows(DATES), split="forward", until="2022-01-01")) == [
        "2021-12-31",
        "",
    ]


def test_without_a_split_everything_is_trained_on() -> None:
    assert kept(training_part(rows(DATES))) == DATES


@pytest.mark.parametrize("options", [{"split": "even-odd"}, {"until": "2020-01-01"}])
def test_dates_that_are_missing_where_they_are_needed_are_an_error(
    options: dict[str, str], tmp_path: Path
) -> None:
    corpus = load_corpus(
        [write_corpus(tmp_path / "c.jsonl", count=3, dated=False)], cache=tmp_path / "cache"
    )
    with pytest.raises(DataError, match="needs dates"):
        training_part(corpus.dataset, **options)


def test_nonsense_is_refused() -> None:
    with pytest.raises(DataError, match="there are: forward, forward-tune, even-odd"):
        training_part(rows(DATES), split="sideways")
    with pytest.raises(DataError, match="is no date"):
        training_part(rows(DATES), until="yesterday")
    with pytest.raises(DataError, match="nothing is left"):
        training_part(rows(["2023-01-01"]), until="1990-01-01")


def test_whole_puzzles_are_held_out(tiny_corpus: Path, tmp_path: Path) -> None:
    dataset = load_corpus([tiny_corpus], cache=tmp_path).dataset
    rest, held = hold_out(dataset, 0.2, seed=3)
    assert len(rest) + len(held) == len(dataset)
    assert not set(columns(rest, "puzzle_id")[0]) & set(columns(held, "puzzle_id")[0])
    assert len(set(columns(held, "puzzle_id")[0])) == 6
    assert hold_out(dataset, 0.2, seed=3)[1][:] == held[:]
    assert hold_out(dataset, 0.2, seed=4)[1][:] != held[:]


def test_rows_without_puzzles_are_held_out_one_by_one() -> None:
    bare = Dataset.from_dict({"clue": list("abcdefghij"), "puzzle_id": [""] * 10})
    rest, held = hold_out(bare, 0.3, seed=0)
    assert (len(rest), len(held)) == (7, 3)
