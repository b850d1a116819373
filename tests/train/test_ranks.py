"""Two processes train as one does: the same loss at every step, and the same tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from crossword.artifacts import ModelFolder
from tests.train.test_encoder import SETTINGS, trainer
from train import encoder
from train.encoder import Trainer, steps
from train.ranks import Ranks, joined

ROOT = Path(__file__).resolve().parents[2]


def curve(made: Trainer) -> list[float]:
    return [made.run(turn, batch) for turn, batch in steps(made)]


def launched(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Two processes on this machine, by torch's own launcher."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    return subprocess.run(
        [*command, "--nproc-per-node", "2", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=240,
    )  # fmt: skip


def together(out: Path) -> None:
    """What each of the two processes does: train, and write what came of it."""
    for precision in (torch.bfloat16, torch.float32):
        encoder.PRODUCTS = precision
        made = Trainer(trainer().material, SETTINGS, joined())
        losses = curve(made)
        name = f"{precision}-{made.ranks.rank}.npz"
        np.savez(out / name, losses=losses, **made.state())


def test_the_loss_curve_of_two_processes_is_that_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = launched("-m", "tests.train.test_ranks", str(tmp_path))
    assert done.returncode == 0, done.stderr
    for precision in (torch.bfloat16, torch.float32):
        monkeypatch.setattr(encoder, "PRODUCTS", precision)
        alone = trainer()
        losses = curve(alone)
        first, second = (np.load(tmp_path / f"{precision}-{rank}.npz") for rank in (0, 1))
        for name in first.files:
            assert np.array_equal(first[name], second[name]), f"the processes differ in {name}"
        if precision is torch.float32:  # only the order of sums differs
            assert first["losses"] == pytest.approx(losses, abs=2e-5)
            assert first["clues"] == pytest.approx(alone.clues, abs=2e-5)
        else:  # half precision rounds what differs in the last bit, here and there
            assert first["losses"] == pytest.approx(losses, rel=0.02, abs=0.1)
            assert first["losses"].mean() == pytest.approx(np.mean(losses), rel=0.005)


def test_torchrun_makes_one_whole_model(tiny_corpus: Path, tmp_path: Path) -> None:
    small = ("--size", "16", "--passes", "2", "--negatives", "8", "--seen-bytes", "8")
    done = launched(
        *("-m", "train.encoder", "--corpus", str(tiny_corpus), "--out", str(tmp_path / "m")),
        *("--cache", str(tmp_path / "cache"), *small),
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("wrote") == 1
    made = ModelFolder.open(tmp_path / "m")
    assert made.parts == ("encoder",)
    assert json.loads((tmp_path / "m" / "manifest.json").read_text())["figures"]["encoder"]


def test_every_row_and_every_block_has_one_owner() -> None:
    starts, rows = np.array([0, 3, 3, 7]), np.array([5, 1, 2, 4, 4, 0, 3], dtype=np.int32)
    parts = [Ranks(rank, 3).own(starts, rows) for rank in range(3)]
    for bag in range(3):
        shared = [part[1][part[0][bag] : part[0][bag + 1]] for part in parts]
        assert sorted(np.concatenate(shared)) == sorted(rows[starts[bag] : starts[bag + 1]])
    blocks = [start for rank in range(3) for start in Ranks(rank, 3).blocks(1000, 100)]
    assert sorted(blocks) == list(range(0, 1000, 100))


def test_one_process_alone_changes_nothing() -> None:
    table = torch.arange(6.0)
    Ranks().add_up(table)
    assert table.tolist() == [0, 1, 2, 3, 4, 5]
    starts, rows = np.array([0, 2]), np.array([1, 0], dtype=np.int32)
    assert Ranks().own(starts, rows)[1] is rows


if __name__ == "__main__":
    together(Path(sys.argv[1]))
