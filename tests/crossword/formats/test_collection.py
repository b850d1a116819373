"""Collections: streamed, in a fixed order, with an entry for every file whether read or not."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crossword.formats import collection as collection_module
from crossword.formats import dump, load
from crossword.formats.collection import Entry, count, entries
from crossword.formats.document import MAX_BYTES
from tests.crossword.formats.samples import sample, samples

SAMPLES = samples()
HTML = b"<!DOCTYPE html><html><title>The wait operation timed out</title></html>"


def titled(title: str) -> bytes:
    return dump(replace(sample(), title=title), "ipuz").data


def titles(found: list[Entry]) -> list[str | None]:
    return [entry.puzzle.title if entry.puzzle else None for entry in found]


def test_a_single_file_is_a_collection_of_one(tmp_path: Path) -> None:
    path = tmp_path / "one.puz"
    path.write_bytes(SAMPLES["puz"])
    (entry,) = entries([path])
    assert entry.name == str(path)
    assert entry.error is None
    assert entry.puzzle is not None
    assert entry.puzzle.title == "Swing set"


def test_a_folder_is_read_in_the_order_of_names_and_only_puzzles(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "b.ipuz").write_bytes(titled("b"))
    (tmp_path / "a.json").write_bytes(SAMPLES["nyt"])
    (tmp_path / "deep" / "c.jpz").write_bytes(SAMPLES["jpz"])
    (tmp_path / "deep" / "many.jsonl").write_bytes(titled("d") + b"\n" + titled("e"))
    (tmp_path / "readme.md").write_text("not a puzzle")
    (tmp_path / ".hidden" / "x.puz").write_bytes(SAMPLES["puz"])
    found = list(entries([tmp_path]))
    assert [entry.error for entry in found] == [None] * 5
    assert titles(found) == ["", "b", "Swing set", "d", "e"]
    assert count([tmp_path]) == 5


def test_a_zip_has_an_entry_for_each_member_and_a_line_for_each_bad_one(tmp_path: Path) -> None:
    path = tmp_path / "archive.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("1990/01/01.json", SAMPLES["xwordinfo"])
        archive.writestr("1990/01/02.json", HTML)
        archive.writestr("__MACOSX/1990/._01.json", b"junk")
        archive.writestr("1990/01/03.puz", SAMPLES["puz"])
    found = list(entries([path]))
    assert titles(found) == ["Swing set", None, "Swing set"]
    assert found[1].name == f"{path}!1990/01/02.json"
    assert found[1].error is not None
    assert found[1].error.startswith(f"{path}!1990/01/02.json: an HTML page")
    assert count([path]) == 3


def test_a_name_that_climbs_out_of_the_zip_is_only_a_label(tmp_path: Path) -> None:
    path = tmp_path / "inner" / "evil.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../escaped.ipuz", titled("up"))
        archive.writestr("/etc/absolute.ipuz", titled("root"))
    assert sorted(titles(list(entries([path]))), key=str) == ["root", "up"]
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["evil.zip"]


def test_a_bomb_in_a_zip_is_an_entry_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.json", b"[" + b" " * (MAX_BYTES * 8))
        archive.writestr("rare.json", titled("x"), compress_type=zipfile.ZIP_LZMA)
        archive.writestr("sound.ipuz", titled("sound"))
    bomb, rare, sound = entries([path])
    assert bomb.error is not None and "too large for a puzzle" in bomb.error
    assert rare.error is not None and "compressed in a way" in rare.error
    assert sound.puzzle is not None


def test_a_damaged_member_or_zip_does_not_end_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "half.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.ipuz", titled("a" * 50))
        archive.writestr("b.ipuz", titled("b"))
    data = bytearray(path.read_bytes())
    data[100:110] = b"\0" * 10  # inside the first member, whose checksum now fails
    path.write_bytes(data)
    (tmp_path / "none.zip").write_bytes(b"PK\x03\x04 torn")
    found = list(entries([tmp_path / "none.zip", path, tmp_path / "missing.puz"]))
    assert titles(found) == [None, None, "b", None]
    assert found[0].error is not None and "damaged zip" in found[0].error
    assert found[1].error is not None and "damaged member" in found[1].error
    assert found[3].error is not None and "No such file" in found[3].error
    assert count([tmp_path / "none.zip", path, tmp_path / "missing.puz"]) == 4


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
def test_lines_are_named_by_their_number(tmp_path: Path, suffix: str) -> None:
    text = titled("one") + b"\n\n" + b"{broken\n" + titled("two") + b"\n" + HTML + b"\n"
    path = tmp_path / f"many.ipuz.{suffix}"
    path.write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)
    found = list(entries([path]))
    assert titles(found) == ["one", None, "two", None]
    assert [entry.name for entry in found] == [f"{path}:{line}" for line in (1, 3, 4, 5)]
    assert found[1].error is not None and found[1].error.startswith(f"{path}:3: broken JSON")
    assert count([path]) == 4


def test_a_giant_line_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "giant.jsonl.gz"
    path.write_bytes(
        gzip.compress(titled("a") + b"\n" + b"x" * (MAX_BYTES * 3) + b"\n" + titled("b") + b"\n")
    )
    found = list(entries([path]))
    assert titles(found) == ["a", None, "b"]
    assert found[1].error is not None and "too long" in found[1].error


def test_a_torn_gzip_gives_what_it_has_and_then_says_so(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl.gz"
    whole = gzip.compress(b"\n".join(titled(f"puzzle {n}") for n in range(400)))
    path.write_bytes(whole[: len(whole) // 2])
    found = list(entries([path]))
    assert len(found) > 1
    assert all(entry.puzzle for entry in found[:-1])
    assert found[-1].error is not None and "can't be read on" in found[-1].error


def test_lines_are_streamed_and_not_read_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"\n".join(titled(f"puzzle {n}") for n in range(50)))
    loaded: list[str] = []

    def counting(data: bytes, name: str) -> object:
        loaded.append(name)
        return load(data, name)

    monkeypatch.setattr(collection_module, "load", counting)
    stream: Iterator[Entry] = entries([path])
    next(stream)
    next(stream)
    assert len(loaded) == 2


def test_a_line_may_be_of_any_json_format(tmp_path: Path) -> None:
    path = tmp_path / "mixed.jsonl"
    lines = [json.dumps(json.loads(SAMPLES[name])).encode() for name in ("nyt", "xwordinfo")]
    path.write_bytes(b"\n".join(lines))
    assert [entry.error for entry in entries([path])] == [None, None]
