"""A model folder is whole or is refused, in one line that says why."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from crossword.artifacts import FORMAT, MANIFEST, ModelFolder, write_model
from crossword.errors import ModelError


def build(folder: Path) -> dict[str, float]:
    (folder / "tfidf").mkdir()
    (folder / "tfidf" / "answers.txt").write_text("CAT\nDOG\n")
    (folder / "seen.npy").write_bytes(b"\x00\x01")
    return {"top1": 0.5}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_model(tmp_path / "model", build=build, parts=["tfidf"], until="2023-01-01")
    return tmp_path / "model"


def change_manifest(model: Path, **entries: object) -> None:
    """Changed as if on purpose: without its seal, which manifests of old don't have either."""
    manifest = json.loads((model / MANIFEST).read_text())
    del manifest["seal"]
    (model / MANIFEST).write_text(json.dumps({**manifest, **entries}))


def test_what_was_written_is_read_back(model: Path) -> None:
    folder = ModelFolder.open(model)
    assert folder.parts == ("tfidf",)
    assert folder.manifest.until == "2023-01-01"
    assert folder.manifest.figures == {"top1": 0.5}
    assert folder.manifest.files["tfidf/answers.txt"].size == 8
    assert set(folder.manifest.files) == {"tfidf/answers.txt", "seen.npy"}
    assert folder.part("tfidf") == model / "tfidf"
    assert "tfidf" in folder and "encoder" not in folder


def test_a_missing_part_is_refused_with_the_parts_there_are(model: Path) -> None:
    with pytest.raises(ModelError, match=r"no part 'encoder' \(it has: tfidf\)"):
        ModelFolder.open(model).part("encoder")


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def fails(folder: Path) -> None:
        build(folder)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_model(tmp_path / "model", build=fails, parts=["tfidf"])
    assert list(tmp_path.iterdir()) == []


def test_a_build_without_its_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="left no part word2vec"):
        write_model(tmp_path / "model", build=build, parts=["tfidf", "word2vec"])
    assert list(tmp_path.iterdir()) == []


def test_a_model_is_never_overwritten(model: Path) -> None:
    before = (model / MANIFEST).read_bytes()
    with pytest.raises(ModelError, match="there already"):
        write_model(model, build=build, parts=["tfidf"])
    assert (model / MANIFEST).read_bytes() == before


@pytest.mark.parametrize("name", ["tfidf/answers.txt", "seen.npy"])
def test_a_flipped_byte_in_any_file_is_refused(model: Path, name: str) -> None:
    content = bytearray((model / name).read_bytes())
    content[-1] ^= 1
    (model / name).write_bytes(content)
    with pytest.raises(ModelError, match="damaged"):
        ModelFolder.open(model)


def test_a_truncated_file_is_refused(model: Path) -> None:
    (model / "tfidf" / "answers.txt").write_text("CAT\n")
    with pytest.raises(ModelError, match="4 bytes instead of 8"):
        ModelFolder.open(model)


def test_a_missing_file_is_refused(model: Path) -> None:
    (model / "seen.npy").unlink()
    with pytest.raises(ModelError, match=r"seen\.npy is missing"):
        ModelFolder.open(model)


def test_a_newer_format_is_refused_by_name(model: Path) -> None:
    change_manifest(model, format=FORMAT + 1, version="9.9")
    with pytest.raises(ModelError, match=r"newer version \(9\.9\).*please update"):
        ModelFolder.open(model)


def test_an_older_format_than_the_one_before_is_refused(model: Path) -> None:
    change_manifest(model, format=-1)
    with pytest.raises(ModelError, match="old format"):
        ModelFolder.open(model)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "x"}', '{"format": 1}', "[" * 100_000])
def test_a_manifest_that_is_none_is_refused(model: Path, text: str) -> None:
    (model / MANIFEST).write_text(text)
    with pytest.raises(ModelError, match="damaged"):
        ModelFolder.open(model)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../b"])
def test_a_manifest_may_not_name_files_outside(model: Path, name: str) -> None:
    change_manifest(model, files={name: {"size": 1, "sha256": "0"}})
    with pytest.raises(ModelError, match="outside the folder"):
        ModelFolder.open(model)


def test_a_folder_without_a_manifest_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no manifest\.json"):
        ModelFolder.open(tmp_path)
    with pytest.raises(ModelError, match="there is no model folder"):
        ModelFolder.open(tmp_path / "nowhere")


def test_a_folder_of_90_megabytes_is_checked_in_a_second(tmp_path: Path) -> None:
    def big(folder: Path) -> None:
        (folder / "part").mkdir()
        for i in range(2):
            (folder / "part" / f"{i}.bin").write_bytes(bytes(45 * 2**20))

    write_model(tmp_path / "big", build=big, parts=["part"])
    before = time.process_time()
    ModelFolder.open(tmp_path / "big")
    assert time.process_time() - before < 1.0
