"""Training the transformer: it learns, it resumes to the same result, it refuses bad weights."""

from __future__ import annotations

import shutil
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console

from crossword.artifacts import ModelFolder
from crossword.errors import DataError
from crossword.guessers import tower
from crossword.guessers.tables import Encoder
from crossword.guessers.tower import Tower
from tests.corpus import CLUES
from tests.wheel import write_wheel
from train import minilm, transformer
from train.checkpoints import Checkpoints
from train.coding import quantise
from train.meanings import main_directions, minilm_says, seen_along, tower_says
from train.minilm import package, padded, pieces_of, pretrained
from train.pairs import Pairs
from train.ranks import Ranks
from train.towers import Trainer, gather
from train.transformer import Prepared, Settings, build, cutter, embed, turned


def pairs() -> Pairs:
    listed = sorted(
        ((clue, answer) for answer, clues in CLUES.items() for clue in clues),
        key=lambda pair: (len(pair[1]), pair[1], pair[0]),
    )
    return Pairs([c for c, _ in listed], [a for _, a in listed], [1] * len(listed))


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path, sha256 = write_wheel(tmp_path / "tiny.whl")
    monkeypatch.setattr(minilm, "SHA256", sha256)
    return path


def trainer_of(
    wheel: Path, model: ModelFolder, ranks: Ranks | None = None, **changed: object
) -> Trainer:
    options: dict[str, object] = {
        "weights": str(wheel), "layers": 2, "passes": 6, "batch": 8, "rate": 3e-3, **changed,
    }  # fmt: skip
    settings = Settings(**options)  # type: ignore[arg-type]
    files = package(str(wheel))
    base = Encoder.read(model.part("encoder"))
    pieces = pieces_of(pairs().clues, files)
    weights, config = pretrained(files, pieces, settings.layers)
    material = gather(pairs(), base, cutter(pieces))
    made = Prepared(pieces, weights, config, material)
    return Trainer(material, settings, transformer.minilm_of(made, settings), ranks)


def test_the_loss_falls(wheel: Path, tiny_model: ModelFolder) -> None:
    trainer = trainer_of(wheel, tiny_model, passes=20)
    losses = [trainer.run(batch) for batch in trainer.remaining()]
    tenth = len(losses) // 10
    assert np.mean(losses[-tenth:]) < 0.7 * np.mean(losses[:tenth])


def test_a_killed_run_goes_on_to_the_same_result(
    wheel: Path, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    whole, broken = trainer_of(wheel, tiny_model), trainer_of(wheel, tiny_model)
    for batch in whole.remaining():
        whole.run(batch)
    checkpoints = Checkpoints(str(tmp_path / "kept"), {}, [broken.material.gold])
    for batch in broken.remaining():
        broken.run(batch)
        if broken.step == 7:
            checkpoints.save(broken.state())
        if broken.step == 10:
            break  # as if killed here: what came after the checkpoint is lost
    resumed = trainer_of(wheel, tiny_model)
    state = checkpoints.load()
    assert state is not None
    resumed.restore(state)
    assert resumed.step == 7
    for batch in resumed.remaining():
        resumed.run(batch)
    for (name, ours), (_, theirs) in zip(resumed.named, whole.named, strict=True):
        assert np.array_equal(ours.detach().numpy(), theirs.detach().numpy()), name


def test_a_second_head_learns_what_all_of_minilm_says(
    wheel: Path, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    part = built(wheel, tiny_model, tmp_path, meanings=8, passes=40, rate=3e-3, batch=8)
    clues = pairs().clues
    said = minilm_says(clues, package(str(wheel)), "", Console(quiet=True))
    wanted = seen_along(said, main_directions(said, 8, 0))
    reader = Tower.read(part)
    assert reader.says_meanings
    nearest = (reader.meanings(clues) @ wanted.T).argmax(axis=1)
    assert np.mean(nearest == np.arange(len(clues))) > 0.7
    # Read many at once in bfloat16, as stored clues are, they are the same.
    read = tower_says(clues, part, "", Console(quiet=True))
    assert (reader.meanings(clues) * read).sum(axis=1).min() > 0.99
    # And the vectors are where the answers are still.
    assert reader.vectors(clues).shape[1] == Encoder.read(part.parent / "encoder").seen.width


def test_a_tower_goes_on_saying_what_another_said(
    wheel: Path, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    before = built(wheel, tiny_model, tmp_path / "first", meanings=8, passes=40, rate=3e-3, batch=8)
    after = built(
        wheel, tiny_model, tmp_path / "second", meanings=8, start=str(before), rate=0.0, seed=1
    )
    # Another seed turns the directions; what is near to what stays as it was.
    clues = pairs().clues
    one, two = (Tower.read(part).meanings(clues) for part in (before, after))
    assert np.abs(one @ one.T - two @ two.T).max() < 0.2
    said = minilm_says(clues, package(str(wheel)), "", Console(quiet=True))
    wanted = seen_along(said, main_directions(said, 8, 1))
    assert (two * wanted).sum(axis=1).mean() > 0.7


def test_what_is_written_is_read_again(
    wheel: Path, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    part = built(wheel, tiny_model, tmp_path)
    found = Tower.read(part).vectors(["Purring pet", "You ___ here", ""])
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-3)
    again = Tower.read(part).vectors(["You ___ here"])
    assert np.allclose(again[0], found[1], atol=1e-5), "a clue's vector depends on its neighbours"


def test_a_tower_goes_to_other_processes(
    wheel: Path, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    here = Tower.read(built(wheel, tiny_model, tmp_path))
    before = here.vectors(["Purring pet"])
    there = ForkingPickler.loads(ForkingPickler.dumps(here))
    assert np.array_equal(there.vectors(["Purring pet"]), before)


def test_numpy_reads_as_torch_does(wheel: Path, tiny_model: ModelFolder, tmp_path: Path) -> None:
    trainer = trainer_of(wheel, tiny_model)
    files = package(str(wheel))
    pieces = pieces_of(pairs().clues, files)
    network, projection = trainer.tower.network, trainer.tower.projection
    names = {name: one.numpy() for name, one in network.state_dict().items()}
    weights = {**names, "projection.weight": projection.detach().numpy()}
    tower.save(tmp_path, pieces, quantise(names[tower.TOKENS], 64, 0), weights)
    reader = Tower.read(tmp_path)
    clues = ["Purring pet", "You ___ here", "A much longer clue, with many a word in it?"]
    batch, mask = padded([reader.pieces.ids(clue) for clue in clues])
    with torch.no_grad():
        theirs = torch.nn.functional.normalize(embed(network, batch, mask) @ projection.T).numpy()
    assert (reader.vectors(clues) * theirs).sum(axis=1) == pytest.approx(1, abs=0.01)


def test_a_tower_can_begin_with_another_encoders(
    wheel: Path, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    part = built(wheel, tiny_model, tmp_path)
    base = Encoder.read(tiny_model.part("encoder"))
    random = np.random.default_rng(0)
    rotation = np.linalg.qr(random.standard_normal((base.seen.width, base.seen.width)))[0]
    vectors = base.seen.decode(np.arange(len(base.seen))) @ rotation.T
    whole = quantise(vectors.astype(np.float32), base.seen.codes.shape[1], 0)
    other = Encoder(base.features, whole, base.new, base.lexicon, base.counts, base.history)
    before = tower.read_weights(part)["projection.weight"]
    after = turned(part, base, other)["projection.weight"].numpy()
    # Only the directions that the few answers span can be known, so the turned answers are asked.
    assert np.allclose(vectors @ after, (vectors @ rotation) @ before, atol=0.1)


def built(wheel: Path, model: ModelFolder, folder: Path, **changed: object) -> Path:
    """A part trained beside the tiny model's encoder."""
    shutil.copytree(model.part("encoder"), folder / "encoder")
    part = folder / "transformer"
    part.mkdir()
    options: dict[str, object] = {"weights": str(wheel), "layers": 1, **changed}
    build(pairs(), part, Settings(**options))  # type: ignore[arg-type]
    return part


def test_weights_that_are_missing_or_wrong_are_refused(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="must name the wheel"):
        package("")
    with pytest.raises(DataError, match="is not the wheel"):
        package(str(tmp_path / "none.whl"))
    other, _ = write_wheel(tmp_path / "other.whl")
    minilm.SHA256 = "0" * 64
    with pytest.raises(DataError, match="another sha256"):
        package(str(other))


def test_it_needs_an_encoder(wheel: Path, tmp_path: Path) -> None:
    part = tmp_path / "transformer"
    part.mkdir()
    with pytest.raises(DataError, match="train both"):
        build(pairs(), part, Settings(weights=str(wheel)))
