"""Collections become one dataset: joined on the solved grid, cached, nothing lost in silence."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from crossword.errors import DataError
from crossword.formats import dump
from crossword.puzzle import Puzzle, parse
from data import corpus
from data.corpus import columns, content_hash, grid_key, load_corpus
from tests.corpus import PUZZLES, WORDS_EACH, puzzles, write_corpus


def lines(*found: Puzzle) -> str:
    return "".join(dump(p, "ipuz").data.decode().replace("\n", " ") + "\n" for p in found)


def test_every_clue_is_a_row(tiny_corpus: Path, tmp_path: Path) -> None:
    loaded = load_corpus([tiny_corpus], cache=tmp_path)
    assert loaded.dataset.column_names == [
        "clue", "answer", "length", "source", "date", "puzzle_id",
    ]  # fmt: skip
    assert len(loaded.dataset) == loaded.report.clues == PUZZLES * WORDS_EACH
    assert loaded.report.puzzles == loaded.report.files == PUZZLES
    row = loaded.dataset[0]
    assert row["length"] == len(row["answer"])
    assert row["source"] == tiny_corpus.name
    assert row["date"] == "2022-01-01"


def test_archives_that_overlap_are_joined_on_the_solved_grid(tmp_path: Path) -> None:
    first, second = puzzles(2)
    undated = replace(first, date="", title="Another name", clues={})
    (tmp_path / "a.jsonl").write_text(lines(replace(first, date=""), second))
    with gzip.open(tmp_path / "b.jsonl.gz", "wt") as file:
        file.write(lines(undated, first))
    loaded = load_corpus([tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"], cache=tmp_path / "cache")
    assert (loaded.report.puzzles, loaded.report.joined) == (2, 2)
    assert len(loaded.dataset) == 2 * WORDS_EACH
    # The date of a later copy is kept where the first has none.
    assert set(columns(loaded.dataset, "date")[0]) == {first.date, second.date}


def test_a_rebus_cell_counts_by_its_first_letter_when_joining() -> None:
    plain = parse("CAT\nORE", solved=True)
    rebus = replace(plain, solution={**(plain.solution or {}), (0, 2): "TEN"})
    other = replace(plain, solution={**(plain.solution or {}), (0, 2): "R"})
    assert grid_key(plain) == grid_key(rebus) != grid_key(other)
    assert grid_key(plain) != grid_key(parse("CAT#\nORE#", solved=True))


def test_a_rebus_answer_is_whole_and_its_slot_is_shorter(tmp_path: Path) -> None:
    plain = parse("CAT", {"1A": "Feline in a hurry"}, solved=True)
    rebus = replace(plain, solution={**(plain.solution or {}), (0, 2): "TEN"})
    (tmp_path / "a.jsonl").write_text(lines(rebus))
    row = load_corpus([tmp_path / "a.jsonl"], cache=tmp_path / "cache").dataset[0]
    assert (row["answer"], row["length"]) == ("CATEN", 3)


def test_what_can_t_be_read_is_skipped_counted_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    good = puzzles(1)[0]
    (folder / "good.ipuz").write_bytes(dump(good, "ipuz").data)
    (folder / "page.json").write_text("<!DOCTYPE html><html>Not found</html>")
    (folder / "blank.ipuz").write_bytes(dump(good.without_answers(), "ipuz").data)
    loaded = load_corpus([folder], cache=tmp_path / "cache")
    assert (loaded.report.files, loaded.report.puzzles, loaded.report.unsolved) == (3, 1, 1)
    assert len(loaded.report.skipped) == 1
    told = "\n".join(loaded.report.lines())
    assert "page.json" in told and "1 puzzles have no solution" in told


def test_the_second_time_comes_from_the_cache(
    tiny_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_corpus([tiny_corpus], cache=tmp_path)
    monkeypatch.setattr(corpus.collection, "entries", lambda paths: pytest.fail("read again"))
    again = load_corpus([tiny_corpus], cache=tmp_path)
    assert again.report == first.report
    assert again.dataset[:] == first.dataset[:]


def test_the_cache_is_keyed_by_content(tmp_path: Path) -> None:
    path = write_corpus(tmp_path / "c.jsonl", count=3)
    load_corpus([path], cache=tmp_path / "cache")
    write_corpus(path, count=4)
    assert load_corpus([path], cache=tmp_path / "cache").report.puzzles == 4
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_an_interrupted_reading_leaves_no_entry(
    tiny_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(puzzle: Puzzle) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(corpus, "grid_key", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_corpus([tiny_corpus], cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_cache_entry_is_refused_in_a_line(tiny_corpus: Path, tmp_path: Path) -> None:
    load_corpus([tiny_corpus], cache=tmp_path)
    (entry,) = tmp_path.iterdir()
    (entry / "report.json").write_text("{")
    with pytest.raises(DataError, match="damaged; remove it"):
        load_corpus([tiny_corpus], cache=tmp_path)


def test_a_folder_s_hash_changes_with_its_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a.puz").write_text("1")
    before = content_hash(tmp_path)
    (tmp_path / "a.puz").rename(tmp_path / "b.puz")
    assert content_hash(tmp_path) != before


@pytest.mark.parametrize("text", ["", "\n\n", '{"not": "a puzzle"}\n'])
def test_an_empty_corpus_is_an_error_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "empty.jsonl").write_text(text)
    with pytest.raises(DataError, match="no solved puzzle") as caught:
        load_corpus([tmp_path / "empty.jsonl"], cache=tmp_path / "cache")
    assert "\n" not in str(caught.value)


def test_a_corpus_that_isn_t_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no corpus"):
        load_corpus([tmp_path / "nowhere.zip"], cache=tmp_path)
    with pytest.raises(DataError, match="at least one"):
        load_corpus([])
