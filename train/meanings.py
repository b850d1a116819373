"""What MiniLM says of whole clues: every clue is read once, and what was read is kept.

A clue's vector is the mean of its pieces' last states, seen along the main directions of all clues'
vectors (PCA), turned at random so that all pieces of a code say as much. In bfloat16, clues of like
length together, a core reads some thousand a second. What has been read is kept in a folder if one
is named: a killed run goes on from there, and another corpus reads only what is new.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from transformers import BertConfig, BertModel

from crossword.errors import DataError
from crossword.guessers import tower
from crossword.guessers.tower import Tower
from crossword.guessers.tower_kernels import HEAD
from crossword.guessers.wordpieces import MAX_PIECES, WordPieces
from train.minilm import all_pieces, padded, pretrained

KEPT = 25_600  # clues in a file of what has been read; arbitrary
BATCH = 256  # clues read at a time
SAMPLE = 200_000  # clues that the main directions are reckoned from


class Reader:
    """A network in bfloat16, and what it has read before; `told` tells it from other networks."""

    def __init__(
        self, network: BertModel, pieces: WordPieces, folder: str = "", told: bytes = b""
    ) -> None:
        network.train(False)
        self.network: Any = network.bfloat16()
        self.pieces = pieces
        self.folder: Path | None = None
        if folder:
            self.folder = Path(folder) / blake2b(told, digest_size=8).hexdigest()

    def read(self, clues: Sequence[str], console: Console) -> NDArray[np.float16]:
        """A vector for each clue; equal clues are read once."""
        texts = sorted(set(clues), key=lambda clue: (len(clue), clue))
        place = {text: i for i, text in enumerate(texts)}
        found = np.zeros((len(texts), self.network.config.hidden_size), dtype=np.float16)
        known = self._recall({_hash(text): i for text, i in place.items()}, found)
        ids = {i: self.pieces.ids(texts[i]) for i in np.flatnonzero(~known).tolist()}
        fresh = sorted(ids, key=lambda i: len(ids[i]))
        parts = [fresh[i : i + KEPT] for i in range(0, len(fresh), KEPT)]
        for part in track(parts, "reading clues", console=console, transient=True):
            for start in range(0, len(part), BATCH):
                batch = part[start : start + BATCH]
                found[batch] = self._embed([ids[i] for i in batch])
            self._keep([texts[i] for i in part], found[part])
        return found[[place[clue] for clue in clues]]

    def _embed(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float16]:
        batch, mask = padded(ids)
        with torch.inference_mode():
            states = self.network(
                input_ids=batch, attention_mask=None if bool(mask.all()) else mask
            ).last_hidden_state.float()
            weights = mask[:, :, None].float()
            means = (states * weights).sum(1) / weights.sum(1)
            return torch.nn.functional.normalize(means, dim=-1).half().numpy()

    def _recall(self, places: dict[int, int], out: NDArray[np.float16]) -> NDArray[np.bool_]:
        """Fill in what is in the folder; says which rows that was."""
        known = np.zeros(len(out), dtype=bool)
        if self.folder is None:
            return known
        files = (self.folder / f"{number}.npz" for number in count())
        for file in takewhile(Path.is_file, files):
            try:
                with np.load(file, allow_pickle=False) as kept:
                    hashes, vectors = kept["hashes"], kept["vectors"]
            except (OSError, ValueError, KeyError) as error:
                raise DataError(f"{file} can't be read; remove it: {error}") from None
            rows = [(places[h], k) for k, h in enumerate(hashes.tolist()) if h in places]
            if rows:
                at, of = np.array(rows).T
                out[at], known[at] = vectors[of], True
        return known

    def _keep(self, texts: Sequence[str], vectors: NDArray[np.float16]) -> None:
        """Write under a temporary name, then rename: a file is whole or not there."""
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        file = next(f for n in count() if not (f := self.folder / f"{n}.npz").exists())
        temporary = file.with_suffix(".part")
        try:
            with temporary.open("wb") as out:
                np.savez(
                    out, hashes=np.array([_hash(t) for t in texts], np.uint64), vectors=vectors
                )
            temporary.replace(file)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise DataError(f"{file} can't be written: {error}") from None


def minilm_says(
    clues: Sequence[str], files: dict[str, bytes], folder: str, console: Console
) -> NDArray[np.float16]:
    """A vector of each clue by all layers of MiniLM, as it was pretrained."""
    pieces = all_pieces(files)
    weights, config = pretrained(files, pieces)
    network = BertModel(config, add_pooling_layer=False)
    network.load_state_dict({name: weights[name] for name in network.state_dict()})
    told = json.dumps([config.num_hidden_layers, pieces]).encode()
    return Reader(network, WordPieces(pieces), folder, told).read(clues, console)


def tower_says(
    clues: Sequence[str], part: Path, folder: str, console: Console
) -> NDArray[np.float32]:
    """What the tower of a part says that the clues are about: with its rounded weights.

    As the tower itself would in compiled loops, but for the rounding of products; twice as fast.
    """
    weights = {name: torch.from_numpy(one) for name, one in tower.read_weights(part).items()}
    pieces = Tower.read(part).pieces
    layers = len([name for name in weights if name.endswith("intermediate.dense.bias")])
    inner, width = weights["encoder.layer.0.intermediate.dense.weight"].shape
    config = BertConfig(
        vocab_size=len(pieces.vocabulary), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=width // HEAD, intermediate_size=inner,
        max_position_embeddings=MAX_PIECES,
    )  # fmt: skip
    network = BertModel(config, add_pooling_layer=False)
    network.load_state_dict({name: weights[name] for name in network.state_dict()})
    told = (part / tower.WEIGHTS).read_bytes()
    said = Reader(network, pieces, folder, told).read(clues, console)
    return seen_along(said, weights[f"{tower.HEADS[1]}.weight"].numpy())


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def main_directions(vectors: NDArray[np.float16], size: int, seed: int) -> NDArray[np.float32]:
    """(number, direction): what most of the vectors' squared length lies along, turned at random.

    Unturned, the first pieces of a product code would have to say nearly everything.
    """
    some = np.random.default_rng(seed).permutation(len(vectors))[:SAMPLE]
    sample = vectors[np.sort(some)].astype(np.float32)
    _, found = np.linalg.eigh(sample.T @ sample / len(sample))
    turn, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((size, size)))
    return np.ascontiguousarray(turn.astype(np.float32) @ found[:, ::-1][:, :size].T)


def seen_along(vectors: NDArray[np.float16], turn: NDArray[np.float32]) -> NDArray[np.float32]:
    """Vectors by those directions, of unit length."""
    found = vectors.astype(np.float32) @ turn.T
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return found
