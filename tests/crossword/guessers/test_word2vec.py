"""Averaged word vectors: unit length, unknown words, and neighbours from FAISS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import word2vec
from crossword.guessers.index import LengthIndex, write_index
from crossword.guessers.word2vec import ClueEmbedder
from crossword.types import Guesser, Query

Load = Callable[[str], Guesser]


def embedder(direction: tuple[float, float] = (0.0, 0.0)) -> ClueEmbedder:
    vectors = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    weights = np.array([3, 1, 1], dtype=np.float32)
    return ClueEmbedder(
        {"big": 0, "cat": 1, "dog": 2}, vectors, weights, np.array(direction, np.float32)
    )


def test_a_clue_is_the_weighted_mean_of_its_words_at_unit_length() -> None:
    (made,) = embedder().embed(["Big cat"])
    assert made == pytest.approx(np.array([3, 1]) / np.sqrt(10))


def test_the_common_direction_is_taken_off() -> None:
    (made,) = embedder((1.0, 0.0)).embed(["Big cat"])
    assert made == pytest.approx([0, 1])


@pytest.mark.parametrize("clue", ["", "Strangers only", "漢字"])
def test_unknown_words_make_no_vector(clue: str) -> None:
    assert not embedder().embed([clue]).any()


def test_a_clue_along_the_common_direction_says_nothing() -> None:
    assert not embedder((1.0, 0.0)).embed(["Big"]).any()


def test_an_embedder_is_read_as_it_was_written(tmp_path: Path) -> None:
    embedder((0.0, 1.0)).save(tmp_path)
    again = ClueEmbedder.load(tmp_path)
    assert again.embed(["Big dog"]) == pytest.approx(embedder((0.0, 1.0)).embed(["Big dog"]))
    (tmp_path / "words.txt").write_text("big\n")
    with pytest.raises(ModelError, match="contradicts"):
        ClueEmbedder.load(tmp_path)


def test_the_index_finds_the_nearest_of_a_length(tmp_path: Path) -> None:
    write_index(tmp_path, 3, np.array([[1, 0], [0, 1]], dtype=np.float32))
    index = LengthIndex(tmp_path, 2)
    similarity, rows = index.search(3, np.array([[0.1, 1]], dtype=np.float32), 5)
    assert rows.tolist() == [[1, 0]]
    assert similarity[0] == pytest.approx([1.0, 0.1])
    assert index.search(4, np.ones((2, 2), np.float32), 5)[1].shape == (2, 0)


def test_a_damaged_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "length-03.faiss").write_bytes(b"nonsense")
    with pytest.raises(ModelError, match="can't be read"):
        LengthIndex(tmp_path, 2).search(3, np.ones((1, 2), np.float32), 1)


def test_vectors_of_another_size_are_refused(tmp_path: Path) -> None:
    write_index(tmp_path, 3, np.ones((1, 4), np.float32))
    with pytest.raises(ModelError, match="another size"):
        LengthIndex(tmp_path, 2).search(3, np.ones((1, 2), np.float32), 1)


def test_a_clue_that_was_seen_brings_its_answer(load_tiny: Load) -> None:
    (guesses,) = load_tiny("word2vec").guess([Query("Barking pet", "...")], 3)
    assert guesses[0].answer == "DOG"


def test_a_clue_of_unknown_words_falls_back_on_how_common_answers_are(load_tiny: Load) -> None:
    (found,) = load_tiny("word2vec").distributions([Query("Zyzzyva quux", "...")])
    assert len(found.words) > 3
    assert np.exp(found.log_probs).max() < 0.9


def test_a_model_is_needed(tiny_model: ModelFolder) -> None:
    with pytest.raises(ModelError, match="crossword train"):
        word2vec.load()
    assert word2vec.load(model=tiny_model).name == "word2vec"
