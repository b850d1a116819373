"""Vectors are kept as they are made: a stopped run goes on, and other texts begin anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.console import Console

from benchmarks import minilm_vectors
from benchmarks.minilm_vectors import STATE, WIDTH, Reader, kept, make

TEXTS = ["Purring pet", "It barks", "Many a word is in this one"]


class Counting:
    """Reads a text as its length, and knows how many it has read."""

    def __init__(self) -> None:
        self.read = 0

    def ids(self, texts: list[str]) -> list[list[int]]:
        return [[1] * len(text) for text in texts]

    def vectors(self, ids: list[list[int]]) -> NDArray[np.float32]:
        self.read += len(ids)
        rows = np.array([len(one) for one in ids], dtype=np.float32)
        return np.repeat(rows[:, None], WIDTH, axis=1)


def made(out: Path, texts: list[str]) -> int:
    reader = Counting()
    make(out, cast("Reader", reader), texts, Console(quiet=True))
    return reader.read


def test_a_stopped_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_vectors, "BATCH", 1)
    assert made(tmp_path, TEXTS) == 3
    (tmp_path / STATE).write_text(json.dumps({"done": 2, "seconds": 5.0}))
    with pytest.raises(SystemExit, match="not done"):
        kept(tmp_path, TEXTS)
    assert made(tmp_path, TEXTS) == 1
    vectors, seconds = kept(tmp_path, TEXTS[::-1])
    assert vectors[:, 0].tolist() == [len(text) for text in TEXTS[::-1]]
    assert seconds is not None and seconds >= 5.0
    assert made(tmp_path, TEXTS) == 0
    assert made(tmp_path, TEXTS[:2]) == 2, "other texts, other vectors"
