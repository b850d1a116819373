"""What goes wrong while training or opening a model is told in a line and leaves nothing behind."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import faiss
import numpy as np
import pytest
from rich.console import Console
from safetensors.numpy import save_file

from crossword.artifacts import MANIFEST, ModelFolder, write_model
from crossword.errors import CrosswordError, DataError, FormatError, ModelError
from crossword.formats import dump, write
from crossword.loading import open_guesser
from crossword.puzzle import Puzzle, parse
from crossword.types import Query
from data.corpus import _Reader
from tests.corpus import puzzles
from train.command import run
from train.encoder import Settings, Trainer, checkpoints_of

ROOT = Path(__file__).resolve().parents[2]
QUIET = Console(quiet=True)
PARTS = "tfidf,ngram"  # quick to train, and their files are written in two ways


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["encoder", "command"])
def test_a_run_killed_at_ten_random_moments_ends_with_the_same_weights(
    kind: str, tmp_path: Path
) -> None:
    script = [sys.executable, "-m", "tests.train.killed_runs", kind, str(tmp_path), "10", "4"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    done = subprocess.run(
        script, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["killed"] == 10
    assert len(found["whole"]) > (4 if kind == "encoder" else 24)
    assert found["left"] == ["whole"], "something half-written lies beside the models"
    for end in found["ends"]:
        assert end == found["whole"]


@contextmanager
def mounted(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A small disk of its own; skips where only an administrator may mount one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if os.name != "posix" or shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk needs to be root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def no_file_over(size: int) -> Iterator[None]:
    """A limit that every user can set: a write past it fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("kilobytes", [4, 12, 24])
def test_a_full_disk_ends_training_in_one_line_and_leaves_nothing(
    tiny_corpus: Path, tmp_path: Path, kilobytes: int
) -> None:
    cache = tmp_path / "cache"
    with mounted(tmp_path / "disk", kilobytes) as disk:
        with pytest.raises(CrosswordError, match="No space left") as caught:
            run([tiny_corpus], disk / "m", only=PARTS, cache=cache, console=QUIET)
        assert "\n" not in str(caught.value)
        assert list(disk.iterdir()) == []


@pytest.mark.parametrize("kind", ["safetensors", "faiss", "npy"])
def test_a_full_disk_is_told_whichever_library_meets_it(tmp_path: Path, kind: str) -> None:
    numbers = np.ones((1000, 64), dtype=np.float32)

    def build(folder: Path) -> None:
        (folder / "part").mkdir()
        if kind == "safetensors":
            save_file({"x": numbers}, str(folder / "part" / "x"))
        elif kind == "faiss":
            index = faiss.IndexFlatL2(64)
            index.add(numbers)
            faiss.write_index(index, str(folder / "part" / "x"))
        else:
            np.save(folder / "part" / "x", numbers)

    with mounted(tmp_path / "disk", 100) as disk:
        with pytest.raises(ModelError, match="can't write the model"):
            write_model(disk / "m", build=build, parts=["part"])
        assert list(disk.iterdir()) == []


def test_a_full_disk_of_the_cache_is_told_and_leaves_nothing(
    tiny_corpus: Path, tmp_path: Path
) -> None:
    with mounted(tmp_path / "disk", 8) as disk:
        with pytest.raises(DataError, match="can't write to the cache"):
            run([tiny_corpus], tmp_path / "m", only=PARTS, cache=disk / "c", console=QUIET)
        assert not (tmp_path / "m").exists()
        assert list((disk / "c").iterdir()) == []


def test_a_model_that_cannot_be_written_whole_is_not_there(tmp_path: Path) -> None:
    def big(folder: Path) -> None:
        (folder / "part").mkdir()
        (folder / "part" / "weights.bin").write_bytes(bytes(100_000))

    with no_file_over(50_000), pytest.raises(ModelError, match="can't write the model"):
        write_model(tmp_path / "m", build=big, parts=["part"])
    assert list(tmp_path.iterdir()) == []


def test_a_puzzle_that_cannot_be_written_whole_leaves_the_old_file(tmp_path: Path) -> None:
    puzzle = parse("\n".join(["A" * 200] * 200), solved=True)
    (tmp_path / "old.ipuz").write_bytes(b"old")
    with no_file_over(10_000), pytest.raises(FormatError, match="File too large"):
        write(puzzle, tmp_path / "old.ipuz")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("old.ipuz", b"old")]


def test_a_checkpoint_that_cannot_be_written_is_told_and_the_last_one_stays(
    tmp_path: Path, make_trainer: Callable[[Settings], Trainer]
) -> None:
    trainer = make_trainer(Settings(size=32, passes=1, checkpoints=str(tmp_path)))
    checkpoints = checkpoints_of(trainer.settings, trainer.material)
    checkpoints.save(trainer.state())
    assert checkpoints.folder is not None
    before = (checkpoints.folder / "state.safetensors").read_bytes()
    with no_file_over(10_000), pytest.raises(DataError, match="no checkpoint could be written"):
        checkpoints.save(trainer.state())
    assert [file.name for file in checkpoints.folder.iterdir()] == ["state.safetensors"]
    assert (checkpoints.folder / "state.safetensors").read_bytes() == before
    (checkpoints.folder / "state.safetensors").write_bytes(before[:1000])
    with pytest.raises(DataError, match="damaged; remove it"):
        checkpoints.load()


def test_a_read_only_folder_can_be_used_and_not_written_to(
    tiny_model: ModelFolder, tiny_corpus: Path, tmp_path: Path
) -> None:
    with mounted(tmp_path / "disk", 4000) as disk:
        shutil.copytree(tiny_model.path, disk / "m")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        guesser = open_guesser("hybrid", disk / "m")
        assert guesser.guess([Query("Purring pet", "...")], 1)[0][0].answer == "CAT"
        with pytest.raises(ModelError, match="Read-only file system"):
            run([tiny_corpus], disk / "n", only=PARTS, cache=tmp_path / "c", console=QUIET)
        with pytest.raises(FormatError, match="Read-only file system"):
            write(parse("CAT"), disk / "cat.ipuz")
        assert [folder.name for folder in disk.iterdir()] == ["m"]


def test_a_corpus_deleted_while_it_is_read_is_refused_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, puzzle in enumerate(puzzles(12)):
        (corpus / f"{number:02}.ipuz").write_bytes(dump(puzzle, "ipuz").data)
    usual = _Reader._number

    def deletes(self: _Reader, puzzle: Puzzle) -> int | None:
        if self.report.puzzles == 3:
            (corpus / "07.ipuz").unlink(missing_ok=True)
        return usual(self, puzzle)

    monkeypatch.setattr(_Reader, "_number", deletes)
    cache = tmp_path / "cache"
    with pytest.raises(DataError, match="changed or went while it was read; try again"):
        run([corpus], tmp_path / "models" / "m", only=PARTS, cache=cache, console=QUIET)
    assert list(cache.iterdir()) == []
    assert not (tmp_path / "models").exists()


def test_a_flipped_byte_in_any_file_of_a_model_is_refused_by_its_name(
    tiny_model: ModelFolder, tmp_path: Path
) -> None:
    model = tmp_path / "m"
    shutil.copytree(tiny_model.path, model)
    dice = random.Random(3)
    files = [file for file in model.rglob("*") if file.is_file()]
    assert len(files) > 30
    for file in files:
        right = file.read_bytes()
        for _ in range(40 if file.name == MANIFEST else 2):
            at = dice.randrange(len(right))
            wrong = bytes([right[at] ^ 1 << dice.randrange(8)])
            file.write_bytes(right[:at] + wrong + right[at + 1 :])
            with pytest.raises(ModelError) as caught:
                ModelFolder.open(model)
            # A flipped format may read as a newer one, which is a refusal too.
            assert file.name in str(caught.value) or "format" in str(caught.value)
            assert "\n" not in str(caught.value)
        file.write_bytes(right)
    ModelFolder.open(model)


def test_any_flipped_bit_of_a_manifest_is_refused(tmp_path: Path) -> None:
    def build(folder: Path) -> None:
        (folder / "part").mkdir()
        (folder / "part" / "weights.bin").write_bytes(bytes(200))

    write_model(tmp_path / "m", build=build, parts=["part"])
    manifest = tmp_path / "m" / MANIFEST
    right = manifest.read_bytes()
    for at in range(len(right)):  # also in the word "seal", without which it would seem an old one
        for bit in range(8):
            wrong = bytes([right[at] ^ 1 << bit])
            manifest.write_bytes(right[:at] + wrong + right[at + 1 :])
            with pytest.raises(ModelError):
                ModelFolder.open(tmp_path / "m")
    manifest.write_bytes(right)
    ModelFolder.open(tmp_path / "m")


def test_what_a_killed_run_left_is_swept_up_and_what_a_live_one_makes_is_not(
    tmp_path: Path,
) -> None:
    script = (
        "import os, signal, sys; from crossword.artifacts import write_model\n"
        "write_model(sys.argv[1], parts=['p'],\n"
        "    build=lambda folder: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    out = tmp_path / "m"
    subprocess.run([sys.executable, "-c", script, str(out)], cwd=ROOT, check=False)
    (left,) = tmp_path.iterdir()

    def build(folder: Path) -> None:
        assert not left.exists()
        (folder / "p").mkdir()
        # Another run, while this one is alive: it takes nothing away.
        with pytest.raises(KeyError):
            write_model(out, build=fails, parts=["p"])

    def fails(folder: Path) -> None:
        raise KeyError

    write_model(out, build=build, parts=["p"])
    assert [folder.name for folder in tmp_path.iterdir()] == ["m"]
