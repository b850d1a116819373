"""A small transformer that reads a clue (BERT's build; MiniLM of Wang et al. 2020), in numpy.

Tokens in, a unit vector in the space of the encoder's answers out: embeddings, layers of attention
and feed-forward, mean, projection. A second projection, where there is one, gives another vector at
no cost: what the clue is about (`sentence`). Matrices are bytes with a scale for each row, in
memory and in the file, a quarter of their size (or an eighth in the file, as product codes); the
embeddings, which are most of it, are product codes. Training is torch's (`train/transformer.py`);
reading a puzzle's clues is less than a tenth of a second's work for compiled loops
(`tower_kernels`), and so needs no torch. Clues are not padded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from crossword.errors import ModelError
from crossword.guessers.quantiser import Codes
from crossword.guessers.tower_kernels import Network, read_all, read_some
from crossword.guessers.wordpieces import MAX_PIECES, WordPieces

WEIGHTS, PIECES = "tower.safetensors", "pieces.txt"
TOKENS = "embeddings.word_embeddings.weight"
HEADS = ("projection", "meaning")  # of the mean state: where its answers are; what it is about
SCALE = ":scale"  # after the name of a matrix that is stored as bytes
CODES, CENTROIDS = ":codes", ":centroids"  # after the name of one that is stored as codes
CODED = 8  # numbers of a matrix that are coded together, where matrices are
BATCH = 4096  # tokens read at a time, so that memory is bounded
CHUNK = 64  # tokens that a thread takes at a time: they stay in its cache
REMEMBERED = 2048  # clues whose vectors are kept: a search asks for the same clue again and again

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
        self._tokens = _codes(weights, TOKENS)
        self._places = (
            _plain(weights, "embeddings.position_embeddings.weight")
            + _plain(weights, "embeddings.token_type_embeddings.weight")[0]
        )
        layers = 0
        while f"encoder.layer.{layers}.output.dense.bias" in weights:
            layers += 1
        parts = [f"encoder.layer.{i}." for i in range(layers)]
        attention, own = "attention.self.", "attention.output."
        self._network = Network(
            _norms(weights, ["embeddings.LayerNorm"]),
            *_matrices(weights, [
                [part + attention + one for one in ("query", "key", "value")] for part in parts
            ]),
            *_matrices(weights, [[part + own + "dense"] for part in parts]),
            _norms(weights, [part + own + "LayerNorm" for part in parts]),
            *_matrices(weights, [[part + "intermediate.dense"] for part in parts]),
            *_matrices(weights, [[part + "output.dense"] for part in parts]),
            _norms(weights, [part + "output.LayerNorm" for part in parts]),
            *_matrices(weights, [[name for name in HEADS if f"{name}.weight" in weights]]),
        )  # fmt: skip
        self.width = len(weights[f"{HEADS[0]}.weight"])  # of a vector in the answers' space
        self._all = int(self._network.projection.shape[1])  # numbers of all vectors of a clue
        self._kept: OrderedDict[str, Array] = OrderedDict()
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        """Without the lock, which can't go to another process, and what is remembered."""
        return {name: one for name, one in vars(self).items() if name not in ("_kept", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _kept=OrderedDict(), _lock=Lock())

    @property
    def says_meanings(self) -> bool:
        return self._all > self.width

    def vectors(self, clues: Sequence[str]) -> Array:
        """A unit vector for each clue, in the space of the encoder's answers."""
        return self._both(clues)[:, : self.width]

    def meanings(self, clues: Sequence[str]) -> Array:
        """A unit vector for each clue that says what it is about; of a tower with two heads."""
        return self._both(clues)[:, self.width :]

    def _both(self, clues: Sequence[str]) -> Array:
        with self._lock:
            known = {clue: self._kept[clue] for clue in clues if clue in self._kept}
        fresh = [clue for clue in dict.fromkeys(clues) if clue not in known]
        ids = {clue: self.pieces.ids(clue) for clue in fresh}
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
        return np.array([known[clue] for clue in clues], dtype=np.float32).reshape(-1, self._all)

    def _read(self, ids: Sequence[Sequence[int]]) -> Array:
        """The vectors of clues, told as the numbers of their tokens."""
        sizes = [len(one) for one in ids]
        flat = np.fromiter(chain.from_iterable(ids), np.int64, sum(sizes))
        embedded = self._tokens.decode(flat)
        ends = np.cumsum(sizes)
        chunks, begin = [0], 0
        for clue, end in enumerate(ends.tolist()):
            embedded[end - sizes[clue] : end] += self._places[: sizes[clue]]
            if end - begin > CHUNK and clue > chunks[-1]:
                chunks.append(clue)
                begin = end - sizes[clue]
        found = np.empty((len(ids), self._all), np.float32)
        if len(chunks) == 1:  # one clue, say: no thread is worth waking
            read_some(embedded, ends, self._network, self.width, found)
        else:
            parts = np.array([*chunks, len(ids)])
            read_all(embedded, ends, parts, self._network, self.width, found)
        return found

    @classmethod
    def read(cls, part: Path) -> Tower:
        """The tower in a part's folder. Who reads the same one shares it, and what it has read."""
        try:
            told = (part / WEIGHTS).stat()
            key = (told.st_dev, told.st_ino, told.st_mtime_ns)
            if (known := _READ.get(key)) is None:
                pieces = (part / PIECES).read_text(encoding="utf-8").split("\n")
                known = _READ[key] = cls(WordPieces(pieces), _arrays(part))
            return known
        except (OSError, LookupError, ValueError, SafetensorError) as error:
            raise ModelError(f"{part} can't be read: {error}") from None


# The towers in use, by their files.
_READ: WeakValueDictionary[tuple[int, int, int], Tower] = WeakValueDictionary()


def _plain(weights: Mapping[str, NDArray[np.generic]], name: str) -> Array:
    return np.ascontiguousarray(weights[name], dtype=np.float32)


def _norms(weights: Mapping[str, NDArray[np.generic]], names: Sequence[str]) -> Array:
    """Of each layer a norm: weights and biases."""
    rows = [[_plain(weights, f"{name}.{one}") for one in ("weight", "bias")] for name in names]
    return np.array(rows, dtype=np.float32)


def _matrices(
    weights: Mapping[str, NDArray[np.generic]], names: Sequence[Sequence[str]]
) -> tuple[NDArray[np.int8], Array]:
    """Of each layer some matrices as one, their outputs one after another; scales and biases.

    As they are in the file: a byte becomes a number when it is multiplied.
    """
    matrices, scales = [], []
    for part in names:
        worth = np.concatenate([_plain(weights, f"{name}.weight{SCALE}") for name in part])
        has_bias = f"{part[0]}.bias" in weights
        biases = [_plain(weights, f"{name}.bias") for name in part] if has_bias else []
        scales.append([worth, np.concatenate(biases) if has_bias else np.zeros_like(worth)])
        rows = [np.asarray(weights[f"{name}.weight"], dtype=np.int8) for name in part]
        matrices.append(np.concatenate(rows))
    return np.stack(matrices), np.array(scales, dtype=np.float32)


def _arrays(part: Path) -> dict[str, NDArray[np.generic]]:
    """What is in the file, its coded matrices turned into bytes."""
    arrays = dict(load_file(str(part / WEIGHTS)))
    for name in [name.removesuffix(CODES) for name in arrays if name.endswith(CODES)]:
        if name != TOKENS:
            codes = _codes(arrays, name)
            scale = _plain(arrays, name + SCALE)[:, None]
            table = codes.decode(np.arange(len(codes))).reshape(len(scale), -1) * scale
            del arrays[name + CODES], arrays[name + CENTROIDS]
            arrays[name], arrays[name + SCALE] = stored(table)
    return arrays


def _codes(weights: Mapping[str, NDArray[np.generic]], name: str) -> Codes:
    return Codes(
        np.asarray(weights[name + CODES], dtype=np.uint8),
        np.asarray(weights[name + CENTROIDS], dtype=np.float32),
    )


def read_weights(part: Path) -> dict[str, Array]:
    """The weights of a tower as numbers, under their names: to train on."""
    arrays = _arrays(part)
    tokens = _codes(arrays, TOKENS)
    found = {TOKENS: tokens.decode(np.arange(len(tokens)))}
    for name in (name for name in arrays if not name.endswith((SCALE, CODES, CENTROIDS))):
        found[name] = arrays[name].astype(np.float32)
        if name + SCALE in arrays:
            found[name] *= arrays[name + SCALE].astype(np.float32)[:, None]
    return found


def save(
    part: Path, pieces: Sequence[str], tokens: Codes, weights: Mapping[str, Array],
    code: Callable[[Array], Codes] | None = None,
) -> None:  # fmt: skip
    """Write a tower, all but its matrices in half precision.

    A matrix is stored as bytes; or, by `code`, as codes of blocks of its numbers.
    """
    arrays: dict[str, NDArray[np.generic]] = {
        TOKENS + CODES: tokens.codes, TOKENS + CENTROIDS: tokens.centroids.astype(np.float16)
    }  # fmt: skip
    for name, array in weights.items():
        if name == TOKENS:
            continue
        if array.ndim == 2 and "position" not in name and "token_type" not in name:
            if code is None or array.shape[1] % CODED:
                arrays[name], arrays[name + SCALE] = stored(array)
                continue
            scale = np.sqrt(np.square(array).mean(axis=1) + 1e-12).astype(np.float16)
            coded = code((array / scale.astype(np.float32)[:, None]).reshape(-1, CODED))
            arrays[name + CODES], arrays[name + SCALE] = coded.codes, scale
            arrays[name + CENTROIDS] = coded.centroids.astype(np.float16)
        else:
            arrays[name] = np.ascontiguousarray(array[:MAX_PIECES] if array.ndim == 2 else array,
                                                dtype=np.float16)  # fmt: skip
    save_file(arrays, str(part / WEIGHTS))
    (part / PIECES).write_text("\n".join(pieces), encoding="utf-8")
