"""Training the language model's tower: it reads as the library does, learns, resumes, refuses."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from crossword.artifacts import ModelFolder
from crossword.errors import DataError, ModelError
from crossword.guessers.language import PIECES, WEIGHTS, LanguageTower, padded
from tests.train.test_transformer import pairs
from tests.wheel import write_language_wheel
from train import language
from train.language import Settings, SmolLM2, build, prepared, pretrained
from train.towers import Trainer


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path, sha256 = write_language_wheel(tmp_path / "language.whl")
    monkeypatch.setattr(language, "SHA256", sha256)
    return path


def trainer_of(wheel: Path, model: ModelFolder, **changed: object) -> Trainer:
    options: dict[str, object] = {
        "weights": str(wheel), "layers": 2, "passes": 6, "batch": 8, "rate": 3e-3, **changed,
    }  # fmt: skip
    settings = Settings(**options)  # type: ignore[arg-type]
    made = prepared(pairs(), model.path / "language", settings)
    return Trainer(made.material, settings, SmolLM2(made.network))


def test_it_reads_as_the_library_transformers_does(wheel: Path) -> None:
    from transformers import LlamaConfig, LlamaModel

    _, ours = pretrained(str(wheel), 2, 16)
    shape = ours.shape
    config = LlamaConfig(
        vocab_size=shape.vocabulary, hidden_size=shape.width, intermediate_size=shape.inner,
        num_hidden_layers=2, num_attention_heads=shape.heads, num_key_value_heads=shape.groups,
        rms_norm_eps=1e-5, rope_theta=shape.turn,
    )  # fmt: skip
    theirs = LlamaModel(config)
    weights = {"embed_tokens.weight": ours.pieces.weight, "norm.weight": ours.norm.weight}
    sizes = [shape.heads, shape.groups, shape.groups]
    each = shape.width // shape.heads
    for i, layer in enumerate(ours.layers):
        query, key, value = layer.asked.weight.split([size * each for size in sizes])
        gate, up = layer.gated.weight.chunk(2)
        weights |= {
            f"layers.{i}.{name}.weight": one
            for name, one in {
                "input_layernorm": layer.before_attention.weight,
                "self_attn.q_proj": query, "self_attn.k_proj": key, "self_attn.v_proj": value,
                "self_attn.o_proj": layer.told.weight,
                "post_attention_layernorm": layer.before_feed.weight,
                "mlp.gate_proj": gate, "mlp.up_proj": up, "mlp.down_proj": layer.fed.weight,
            }.items()
        }  # fmt: skip
    theirs.load_state_dict(weights)
    tokens = [[0, 5, 9, 7], [0, 3, 4, 5, 6, 7, 8]]
    ids, last = (torch.from_numpy(one) for one in padded(tokens))
    with torch.no_grad():
        found = ours(ids, last, torch.tensor([4, 5]))
        for row, one in enumerate(tokens):  # one by one, so that nothing is padded
            state = theirs(input_ids=torch.tensor([one])).last_hidden_state[0, -1]
            expected = torch.nn.functional.normalize(ours.projection(state), dim=-1)
            assert torch.allclose(found[row], expected, atol=1e-5)


def test_the_rows_of_a_head_are_put_in_halves(wheel: Path, tmp_path: Path) -> None:
    matrix = torch.arange(8.0)[:, None].expand(8, 3)
    assert language.halved(matrix, 2)[:, 0].tolist() == [0, 2, 1, 3, 4, 6, 5, 7]


def test_the_loss_falls(wheel: Path, tiny_model: ModelFolder) -> None:
    trainer = trainer_of(wheel, tiny_model, passes=20)
    losses = [trainer.run(batch) for batch in trainer.remaining()]
    tenth = len(losses) // 10
    assert np.mean(losses[-tenth:]) < 0.7 * np.mean(losses[:tenth])


def test_a_killed_run_goes_on_to_the_same_result(wheel: Path, tiny_model: ModelFolder) -> None:
    whole, broken, resumed = (trainer_of(wheel, tiny_model) for _ in range(3))
    for batch in whole.remaining():
        whole.run(batch)
    for batch in broken.plan[:7]:
        broken.run(batch)
    resumed.restore(broken.state())
    assert resumed.step == 7
    for batch in resumed.remaining():
        resumed.run(batch)
    for (name, ours), (_, theirs) in zip(resumed.named, whole.named, strict=True):
        assert np.array_equal(ours.detach().numpy(), theirs.detach().numpy()), name


def test_pairs_of_late_are_drawn_first(wheel: Path, tiny_model: ModelFolder) -> None:
    made = prepared(pairs(), tiny_model.path / "language", Settings(weights=str(wheel), layers=1))
    count = len(made.material.gold)
    made.material.recent[:] = 0.0
    made.material.recent[: count // 2] = 1e6
    settings = Settings(layers=1, pairs=count // 2, batch=4)
    drawn = np.concatenate(Trainer(made.material, settings, SmolLM2(made.network)).plan)
    assert sorted(drawn.tolist()) == list(range(count // 2))


def test_what_is_written_is_read_again(
    wheel: Path, tiny_model: ModelFolder, tmp_path: Path
) -> None:
    part = tmp_path / "language"
    part.mkdir()
    shutil.copytree(tiny_model.part("encoder"), tmp_path / "encoder")
    build(pairs(), part, Settings(weights=str(wheel), layers=1, batch=8))
    clues, lengths = ["Purring pet", "You ___ here", ""], [3, 3, 4]
    found = LanguageTower.read(part).vectors(clues, lengths)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-2)
    again = LanguageTower.read(part).vectors(clues[1:2], lengths[1:2])
    assert np.allclose(again[0], found[1], atol=2e-2), "a clue's vector depends on its neighbours"


def test_a_damaged_part_is_refused(tiny_model: ModelFolder, tmp_path: Path) -> None:
    for damaged in (WEIGHTS, PIECES):
        part = tmp_path / damaged
        shutil.copytree(tiny_model.part("language"), part)
        (part / damaged).write_bytes(b"{}" + b"\0" * 20)
        with pytest.raises(ModelError, match="can't be read"):
            LanguageTower.read(part)


def test_weights_that_are_missing_or_wrong_are_refused(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DataError, match="must name the wheel"):
        pretrained("", 1, 16)
    with pytest.raises(DataError, match="is not the wheel"):
        pretrained(str(tmp_path / "none.whl"), 1, 16)
    with pytest.raises(DataError, match="between 1 and 2"):
        pretrained(str(wheel), 3, 16)
    monkeypatch.setattr(language, "SHA256", "0" * 64)
    with pytest.raises(DataError, match="another sha256"):
        pretrained(str(wheel), 1, 16)


def test_it_needs_an_encoder(wheel: Path, tmp_path: Path) -> None:
    part = tmp_path / "language"
    part.mkdir()
    with pytest.raises(DataError, match="train both"):
        build(pairs(), part, Settings(weights=str(wheel)))
