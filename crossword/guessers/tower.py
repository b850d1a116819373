"""A small transformer that reads a clue (BERT's build; MiniLM of Wang et al. 2020), in numpy.

Tokens in, a unit vector in the space of the encoder's answers out: embeddings, layers of attention
and feed-forward, mean, projection. Matrices are stored as bytes with a scale for each row, a
quarter of their size; the embeddings, which are most of it, as product codes. Training is torch's
(`train/transformer.py`); reading the clues of a puzzle is a tenth of a second's work for BLAS, and
so needs no torch. Clues are not padded: the products run over all tokens at once, only attention
goes by clues of equal length.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from crossword.errors import ModelError
from crossword.guessers.quantiser import Codes
from crossword.guessers.wordpieces import MAX_PIECES, WordPieces

WEIGHTS, PIECES = "tower.safetensors", "pieces.txt"
TOKENS = "embeddings.word_embeddings.weight"
SCALE = ":scale"  # after the name of a matrix that is stored as bytes
CODES, CENTROIDS = ":codes", ":centroids"  # after the name of one that is stored as codes
HEAD = 32  # numbers in a head of attention, as MiniLM has them
BATCH = 4096  # tokens read at a time, so that memory is bounded
REMEMBERED = 2048  # clues whose vectors are kept: a search asks for the same clue again and again
_EPSILON = np.float32(1e-12)

Array = NDArray[np.float32]


def stored(matrix: Array) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """A matrix as bytes, and what a byte is worth in each row."""
    scales = (np.abs(matrix).max(axis=1) / 127 + 1e-12).astype(np.float16)
    scales = np.maximum(scales, np.float16(1e-7))
    rounded = np.rint(matrix / scales.astype(np.float32)[:, None])
    return np.clip(rounded, -127, 127).astype(np.int8), scales


class Tower:
    """The network. Names of weights are those of the library transformers' BertModel."""

    def __init__(self, pieces: WordPieces, weights: Mapping[str, NDArray[np.generic]]) -> None:
        self.pieces = pieces
        self._tokens = _token_codes(weights)
        self._places = (
            self._plain(weights, "embeddings.position_embeddings.weight")
            + self._plain(weights, "embeddings.token_type_embeddings.weight")[0]
        )
        self._norm = self._pair(weights, "embeddings.LayerNorm")
        self._projection = self._matrix(weights, "projection.weight")
        self._layers: list[dict[str, tuple[Array, Array]]] = []
        while (name := f"encoder.layer.{len(self._layers)}.") + "output.dense.bias" in weights:
            self._layers.append(self._layer(weights, name))
        self.width = int(self._projection.shape[1])
        self._kept: OrderedDict[str, Array] = OrderedDict()
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        """Without the lock, which can't go to another process, and what is remembered."""
        return {name: one for name, one in vars(self).items() if name not in ("_kept", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _kept=OrderedDict(), _lock=Lock())

    @staticmethod
    def _plain(weights: Mapping[str, NDArray[np.generic]], name: str) -> Array:
        return np.asarray(weights[name], dtype=np.float32)

    def _matrix(self, weights: Mapping[str, NDArray[np.generic]], name: str) -> Array:
        """Turned, so that rows of tokens are multiplied from the left."""
        table = self._plain(weights, name) * self._plain(weights, name + SCALE)[:, None]
        return np.ascontiguousarray(table.T)

    def _pair(self, weights: Mapping[str, NDArray[np.generic]], name: str) -> tuple[Array, Array]:
        return self._plain(weights, name + ".weight"), self._plain(weights, name + ".bias")

    def _linear(self, weights: Mapping[str, NDArray[np.generic]], name: str) -> tuple[Array, Array]:
        return self._matrix(weights, name + ".weight"), self._plain(weights, name + ".bias")

    def _layer(
        self, weights: Mapping[str, NDArray[np.generic]], name: str
    ) -> dict[str, tuple[Array, Array]]:
        asked = [
            self._linear(weights, f"{name}attention.self.{one}")
            for one in ("query", "key", "value")
        ]
        return {
            "asked": (
                np.concatenate([matrix for matrix, _ in asked], axis=1),
                np.concatenate([bias for _, bias in asked]),
            ),
            "mixed": self._linear(weights, name + "attention.output.dense"),
            "mixed norm": self._pair(weights, name + "attention.output.LayerNorm"),
            "wide": self._linear(weights, name + "intermediate.dense"),
            "narrow": self._linear(weights, name + "output.dense"),
            "norm": self._pair(weights, name + "output.LayerNorm"),
        }

    def vectors(self, clues: Sequence[str]) -> Array:
        """A unit vector for each clue."""
        with self._lock:
            known = {clue: self._kept[clue] for clue in clues if clue in self._kept}
        fresh = [clue for clue in dict.fromkeys(clues) if clue not in known]
        ids = {clue: self.pieces.ids(clue) for clue in fresh}
        fresh.sort(key=lambda clue: len(ids[clue]))
        begin = 0
        while begin < len(fresh):
            end, size = begin, 0
            while end < len(fresh) and (end == begin or size + len(ids[fresh[end]]) <= BATCH):
                size += len(ids[fresh[end]])
                end += 1
            batch = fresh[begin:end]
            known.update(zip(batch, self._read([ids[clue] for clue in batch]), strict=True))
            begin = end
        with self._lock:
            for clue in clues:
                self._kept[clue] = known[clue]
                self._kept.move_to_end(clue)
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        return np.array([known[clue] for clue in clues], dtype=np.float32).reshape(-1, self.width)

    def _read(self, ids: Sequence[Sequence[int]]) -> Array:
        """Vectors of clues in the order of their number of tokens."""
        flat = np.concatenate([np.asarray(one) for one in ids])
        places = np.concatenate([np.arange(len(one)) for one in ids])
        groups: list[tuple[int, int, int]] = []  # (first token, clues, tokens of each)
        at = 0
        for size, members in groupby(map(len, ids)):
            count = len(list(members))
            groups.append((at, count, size))
            at += count * size
        states = self._tokens.decode(flat) + self._places[places]
        states = _normed(states, *self._norm)
        for layer in self._layers:
            mixed = _product(_attention(_product(states, *layer["asked"]), groups), *layer["mixed"])
            states = _normed(states + mixed, *layer["mixed norm"])
            wide = states @ layer["wide"][0]
            gelu(wide, layer["wide"][1])
            states = _normed(states + _product(wide, *layer["narrow"]), *layer["norm"])
        means = np.concatenate([
            states[at : at + count * size].reshape(count, size, -1).mean(axis=1)
            for at, count, size in groups
        ])  # fmt: skip
        found = means @ self._projection
        found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
        return np.asarray(found, dtype=np.float32)

    @classmethod
    def read(cls, part: Path) -> Tower:
        try:
            pieces = (part / PIECES).read_text(encoding="utf-8").split("\n")
            return cls(WordPieces(pieces), load_file(str(part / WEIGHTS)))
        except (OSError, LookupError, ValueError, SafetensorError) as error:
            raise ModelError(f"{part} can't be read: {error}") from None


def _token_codes(weights: Mapping[str, NDArray[np.generic]]) -> Codes:
    return Codes(
        np.asarray(weights[TOKENS + CODES], dtype=np.uint8),
        np.asarray(weights[TOKENS + CENTROIDS], dtype=np.float32),
    )


def read_weights(part: Path) -> dict[str, Array]:
    """The weights of a tower as numbers, under their names: to train on."""
    arrays = load_file(str(part / WEIGHTS))
    tokens = _token_codes(arrays)
    found = {TOKENS: tokens.decode(np.arange(len(tokens)))}
    for name in (name for name in arrays if not name.endswith((SCALE, CODES, CENTROIDS))):
        found[name] = arrays[name].astype(np.float32)
        if name + SCALE in arrays:
            found[name] *= arrays[name + SCALE].astype(np.float32)[:, None]
    return found


def save(part: Path, pieces: Sequence[str], tokens: Codes, weights: Mapping[str, Array]) -> None:
    """Write a tower; its other matrices as bytes, all else in half precision."""
    arrays: dict[str, NDArray[np.generic]] = {
        TOKENS + CODES: tokens.codes, TOKENS + CENTROIDS: tokens.centroids.astype(np.float16)
    }  # fmt: skip
    for name, array in weights.items():
        if name == TOKENS:
            continue
        if array.ndim == 2 and "position" not in name and "token_type" not in name:
            arrays[name], arrays[name + SCALE] = stored(array)
        else:
            arrays[name] = np.ascontiguousarray(array[:MAX_PIECES] if array.ndim == 2 else array,
                                                dtype=np.float16)  # fmt: skip
    save_file(arrays, str(part / WEIGHTS))
    (part / PIECES).write_text("\n".join(pieces), encoding="utf-8")


def _product(states: Array, matrix: Array, bias: Array) -> Array:
    found: Array = states @ matrix
    found += bias
    return found


def _normed(states: Array, weight: Array, bias: Array) -> Array:
    centred: Array = states - states.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred) / np.float32(states.shape[1])
    centred *= (1 / np.sqrt(variance + _EPSILON))[:, None]
    centred *= weight
    centred += bias
    return centred


@numba.njit(parallel=True, cache=True, nogil=True)
def gelu(states: Array, bias: Array) -> None:
    """x · (1 + erf(x / √2)) / 2 of states with a bias added, in place.

    The error function as a quotient of polynomials (Eigen's; within 4e-7), which runs in vectors:
    the library's takes a third of the tower's time.
    """
    for i in numba.prange(states.shape[0]):
        for k in range(states.shape[1]):
            value = states[i, k] + bias[k]
            x = min(max(value * np.float32(0.5**0.5), np.float32(-4.0)), np.float32(4.0))
            square = x * x
            above = np.float32(-2.72614225801306e-10)
            above = above * square + np.float32(2.77068142495902e-08)
            above = above * square + np.float32(-2.10102402082508e-06)
            above = above * square + np.float32(-5.69250639462346e-05)
            above = above * square + np.float32(-7.34990630326855e-04)
            above = above * square + np.float32(-2.95459980854025e-03)
            above = above * square + np.float32(-1.60960333262415e-02)
            below = np.float32(-1.45660718464996e-05)
            below = below * square + np.float32(-2.13374055278905e-04)
            below = below * square + np.float32(-1.68282697438203e-03)
            below = below * square + np.float32(-7.37332916720468e-03)
            below = below * square + np.float32(-1.42647390514189e-02)
            half = np.float32(0.5) * value
            states[i, k] = half + half * (x * above / below)


def _attention(asked: Array, groups: Sequence[tuple[int, int, int]]) -> Array:
    """What each token takes from the others of its clue; `asked` holds queries, keys and values."""
    width = asked.shape[1] // 3
    heads = width // HEAD
    found = np.empty((len(asked), width), dtype=np.float32)
    for at, count, size in groups:
        own = asked[at : at + count * size].reshape(count, size, 3, heads, HEAD)
        query, key, value = own.transpose(2, 0, 3, 1, 4)  # (clue, head, token, number)
        weights = query @ key.transpose(0, 1, 3, 2)
        weights *= np.float32(HEAD**-0.5)
        weights -= weights.max(axis=3, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=3, keepdims=True)
        mixed = weights @ value
        found[at : at + count * size] = mixed.transpose(0, 2, 1, 3).reshape(count * size, width)
    return found
