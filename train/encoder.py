"""Trains `encoder`: vectors of clue features and of answers, by a softmax over answers in a batch.

    python -m train.encoder --corpus CORPORA… --until 2022-01-01 --out models/tune \
        --lexicon vocabulary.npz --knowledge ~/.cache/crossword-solver/sources
    crossword train --corpus CORPORA… --only encoder --set encoder.lexicon=vocabulary.npz --out DIR

A clue's vector is the sum of its features' rows, an answer's likewise (itself, n-grams of its
letters, the words it falls into); the loss is the softmax of their cosine over the answers of the
batch and some drawn from the vocabulary, all of the same length, since that is what a slot asks. So
the cosine learns log P(answer | clue) / P(answer); the prior is added when guessing. The first pass
mixes in dictionaries (`train.knowledge`), and words begin with vectors of GloVe
(`train.pretrained`). Row-wise Adagrad, its rate falling to nothing. At the end
answers' vectors and clue rows are product-quantised (FAISS). About ten minutes on one core for a
million pairs and four passes. Killed, it goes on from its last checkpoint with the same result.
Under `torchrun` many processes share each step (`train.ranks`), and the loss runs as in one.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numba
import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from crossword.errors import DataError
from crossword.guessers.encoder import NAME, PHRASES, open_part
from crossword.guessers.tables import Encoder
from train.checkpoints import Checkpoints, State
from train.coding import coded
from train.material import LONG, Material, batches_of, gather, lexicon_for
from train.merger import fit_merger
from train.pairs import Pairs
from train.pooling import pool, select, transpose, update
from train.pretrained import plant
from train.ranks import Ranks, joined

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

QUIET = 0.2  # of a random vector's length, where others' vectors are the start; arbitrary
# Settings of how what was trained is written, which a checkpoint does not depend on.
UNTRAINED = (
    *("keep", "phrases", "common_rows", "clue_bytes", "rare_bytes", "seen_bytes", "new_bytes"),
    *("new_answers", "bags"),
)
FEW = 6  # likeliest wrong answers of which one is drawn; arbitrary
PRODUCTS = torch.bfloat16  # what large products are reckoned in; all else is float32


@dataclass(frozen=True)
class Settings:
    lexicon: str = field(default="", metadata={"help": "a wider vocabulary (train.vocabulary)"})
    knowledge: str = field(default="", metadata={"help": "folder with WordNet, Moby, GloVe"})
    phrases: str = field(default="", metadata={"help": "a phrase model (train.vocabulary)"})
    blanks: int = field(default=300_000, metadata={"help": "likeliest phrases to leave blanks in"})
    turned: bool = field(default=True, metadata={"help": "learn short clues as answers too"})
    answers: int = field(default=800_000, metadata={"help": "answers kept of the lexicon"})
    size: int = field(default=256, metadata={"help": "numbers in a vector"})
    passes: int = field(default=12, metadata={"help": "over the clues; the first with knowledge"})
    batch: int = 2048
    negatives: int = field(default=1024, metadata={"help": "drawn from the vocabulary, a batch"})
    hard: int = field(default=0, metadata={"help": "last passes that mine negatives of their own"})
    rate: float = field(default=0.1, metadata={"help": "learning rate of Adagrad"})
    scale: float = field(default=20.0, metadata={"help": "of the cosine, at the start; it learns"})
    drop: float = field(default=0.0, metadata={"help": "share of features left out at random"})
    drop_own: float = field(default=0.25, metadata={"help": "how often an answer's own row is"})
    replay: float = field(default=0.1, metadata={"help": "share of knowledge in later passes"})
    clue_rows: int = field(default=420_000, metadata={"help": "clue features kept, at most"})
    common_rows: int = field(default=150_000, metadata={"help": "of these, coded more closely"})
    clue_bytes: int = field(default=64, metadata={"help": "bytes a common clue feature, coded"})
    rare_bytes: int = field(default=32, metadata={"help": "bytes any other clue feature"})
    seen_bytes: int = field(default=128, metadata={"help": "bytes an answer seen in training"})
    new_bytes: int = field(default=32, metadata={"help": "bytes any other answer"})
    new_answers: int = field(default=300_000, metadata={"help": "other answers kept at the end"})
    bags: bool = field(default=False, metadata={"help": "keep what clues of the same words had"})
    threads: int = 1
    checkpoints: str = field(default="", metadata={"help": "folder; kept until training is done"})
    keep: bool = field(default=False, metadata={"help": "keep the last one, to code it anew"})
    every: int = field(default=600, metadata={"help": "steps between two checkpoints"})
    seed: int = 0


class Trainer:
    """Tables, their Adagrad state, the scale, and one step at a time."""

    def __init__(self, material: Material, settings: Settings, ranks: Ranks | None = None) -> None:
        self.material, self.settings, self.ranks = material, settings, ranks or Ranks()
        random = np.random.default_rng(settings.seed)
        root = math.sqrt(settings.size)

        def table(rows: int) -> NDArray[np.float32]:
            drawn = random.standard_normal((rows, settings.size), dtype=np.float32)
            return drawn / np.float32(root)

        self.clues, self.answers = (
            table(len(material.clues.keys)),
            table(len(material.answers.keys)),
        )
        # An answer's own row starts small: what it shares with others should speak first.
        self.answers[material.own[material.own >= 0]] *= 0.1
        if material.start is not None:
            # What is random keeps quiet beside what is known.
            self.clues *= QUIET
            self.answers *= QUIET
            start = material.start
            plant(self.clues, material.clues.keys, start.clue_keys, start.clue_vectors)
            plant(self.answers, material.answers.keys, start.answer_keys, start.answer_vectors)
        self.clue_squares = np.full(len(self.clues), 1e-10, dtype=np.float32)
        self.answer_squares = np.full(len(self.answers), 1e-10, dtype=np.float32)
        self.log_scale = np.array([math.log(settings.scale), 0.0])  # with its Adagrad sum
        self.step = 0
        self.by_length = {
            int(n): np.flatnonzero(material.lengths == n) for n in np.unique(material.lengths)
        }
        self.long = np.flatnonzero(material.lengths >= LONG)
        clued = np.unique(material.gold)
        groups = np.minimum(material.lengths[clued], LONG)
        self.clued = {int(n): clued[groups == n] for n in np.unique(groups)}
        self.plan = [batches_of(material, settings, turn) for turn in range(settings.passes)]
        self.total = sum(len(batches) for batches in self.plan)

    def run(self, turn: int, batch: NDArray[np.int64]) -> float:
        """One step; returns the mean loss of the batch."""
        material, settings = self.material, self.settings
        rate = settings.rate * (1.02 - self.step / self.total)
        seed = settings.seed * 1_000_003 + self.step
        random = np.random.default_rng([settings.seed, 7, self.step])
        positives, labels = np.unique(material.gold[batch], return_inverse=True)
        length = int(material.lengths[positives[0]])
        drawn = random.choice(
            self.long if length >= LONG else self.by_length[length], settings.negatives
        )
        clue_bags = self.ranks.own(*select(
            material.clues.starts, material.clues.rows, batch, settings.drop,
            np.zeros(0, dtype=np.int64), 0.0, seed,
        ))  # fmt: skip
        clues = np.empty((len(batch), settings.size), dtype=np.float32)
        pool(*clue_bags, self.clues, clues)
        self.ranks.add_up(torch.from_numpy(clues))
        if turn >= settings.passes - settings.hard:
            drawn = self._mistaken(clues, material.gold[batch], random)
        chosen = np.concatenate([positives, np.setdiff1d(drawn, positives)])
        answer_bags = self.ranks.own(*select(
            material.answers.starts, material.answers.rows, chosen, settings.drop, material.own,
            settings.drop_own, seed + 500_000_009,
        ))  # fmt: skip
        answers = np.empty((len(chosen), settings.size), dtype=np.float32)
        pool(*answer_bags, self.answers, answers)
        self.ranks.add_up(torch.from_numpy(answers))
        loss, clue_gradient, answer_gradient = self._softmax(clues, answers, labels, rate)
        update(*transpose(*clue_bags), clue_gradient, self.clues, self.clue_squares, rate)
        update(*transpose(*answer_bags), answer_gradient, self.answers, self.answer_squares, rate)
        self.step += 1
        return loss

    def _mistaken(
        self, clues: NDArray[np.float32], gold: NDArray[np.int64], random: np.random.Generator
    ) -> NDArray[np.int64]:
        """For each clue one of the wrong answers that the model now holds likeliest.

        Of all answers of the length (or of the long ones) that clues have. Which of the first few
        is left to chance, since now and then the very first is right as well.
        """
        known = self.clued[min(int(self.material.lengths[gold[0]]), LONG)]
        bags = self.ranks.own(*select(
            self.material.answers.starts, self.material.answers.rows, known, 0.0,
            np.zeros(0, dtype=np.int64), 0.0, 0,
        ))  # fmt: skip
        answers = np.empty((len(known), self.settings.size), dtype=np.float32)
        pool(*bags, self.answers, answers)
        self.ranks.add_up(torch.from_numpy(answers))
        u = torch.nn.functional.normalize(torch.from_numpy(clues), dim=-1).to(PRODUCTS)
        v = torch.nn.functional.normalize(torch.from_numpy(answers), dim=-1).to(PRODUCTS)
        own = torch.from_numpy(np.searchsorted(known, gold))
        few = min(FEW, len(known))
        found = np.empty((len(clues), few), dtype=np.int64)
        for start in range(0, len(clues), 256):
            rows = slice(start, start + 256)
            cosines = torch.mm(u[rows], v.T)
            cosines.scatter_(1, own[rows][:, None], -2.0)
            found[rows] = torch.topk(cosines, few, dim=1).indices.numpy()
        drawn = random.integers(few, size=len(clues))
        return np.unique(known[found[np.arange(len(clues)), drawn]])

    def _softmax(
        self, clues: NDArray[np.float32], answers: NDArray[np.float32], labels: NDArray[np.int64],
        rate: float,
    ) -> tuple[float, NDArray[np.float32], NDArray[np.float32]]:  # fmt: skip
        """Loss and gradients of the in-batch softmax, by hand and in blocks that fit the cache.

        bfloat16 products are twice as fast where the CPU has them, and change nothing measurable.
        The processes of a run share the blocks; a GPU does them where there is one.
        """
        clue_sums = torch.from_numpy(clues).to(self.ranks.device).requires_grad_()
        answer_sums = torch.from_numpy(answers).to(self.ranks.device).requires_grad_()
        u = torch.nn.functional.normalize(clue_sums, dim=-1)
        v = torch.nn.functional.normalize(answer_sums, dim=-1)
        scale, count, loss, slope = math.exp(self.log_scale[0]), len(clues), 0.0, 0.0
        with torch.no_grad():
            u16, v16 = u.to(PRODUCTS), v.to(PRODUCTS)
            du, dv = torch.zeros_like(u), torch.zeros_like(v)
            gold = torch.from_numpy(labels).to(self.ranks.device)
            size = min(512, -(-count // self.ranks.count))
            for start in self.ranks.blocks(count, size):
                rows = slice(start, min(start + size, count))
                logits = torch.mm(u16[rows], v16.T).float().mul_(scale)
                right = gold[rows][:, None]
                own = logits.gather(1, right)
                total = torch.logsumexp(logits, 1, keepdim=True)
                loss += float((total - own).sum())
                shares = (logits - total).exp_()
                slope += float((shares * logits).sum() - own.sum())
                shares.scatter_add_(1, right, torch.full_like(own, -1.0))
                shares16 = shares.to(PRODUCTS)
                du[rows] = torch.mm(shares16, v16).float()
                dv += torch.mm(shares16.T, u16[rows]).float()
            told = torch.tensor([loss, slope], dtype=torch.float64)
            self.ranks.add_up(du, dv, told)
            loss, slope = told.tolist()
            du *= scale / count
            dv *= scale / count
        # The scale learns slowly on purpose: let loose, it doubles, the batch is learned by heart,
        # and held-out log-loss rises (2.92 → 3.01 on 2022).
        self.log_scale[1] += (slope / count) ** 2
        self.log_scale[0] -= 0.05 * rate * (slope / count) / math.sqrt(self.log_scale[1] + 1e-12)
        torch.autograd.backward([u, v], [du, dv])
        assert clue_sums.grad is not None and answer_sums.grad is not None
        return loss / count, clue_sums.grad.cpu().numpy(), answer_sums.grad.cpu().numpy()

    def state(self) -> State:
        """All that a run needs to go on, whole in every process."""
        self.ranks.complete(self.clues, self.answers, self.clue_squares, self.answer_squares)
        return {
            "clues": self.clues,
            "answers": self.answers,
            "clue_squares": self.clue_squares,
            "answer_squares": self.answer_squares,
            "log_scale": self.log_scale,
            "step": np.array([self.step]),
        }

    def restore(self, state: State) -> None:
        for name in ("clues", "answers", "clue_squares", "answer_squares", "log_scale"):
            if getattr(self, name).shape != state[name].shape:
                raise DataError(f"the checkpoint's {name} are of another size; remove it")
            setattr(self, name, state[name])
        self.step = int(state["step"][0])

    def answer_vectors(self) -> NDArray[np.float32]:
        """Unit vectors of the whole vocabulary."""
        bags = self.material.answers
        found = np.empty((len(bags.starts) - 1, self.settings.size), dtype=np.float32)
        pool(bags.starts, bags.rows, self.answers, found)
        found /= np.linalg.norm(found, axis=1, keepdims=True) + 1e-9
        return found


def steps(trainer: Trainer) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """The batches that are still to do, each with its pass."""
    done = 0
    for turn, batches in enumerate(trainer.plan):
        for batch in batches:
            if done >= trainer.step:
                yield turn, batch
            done += 1


def checkpoints_of(settings: Settings, material: Material) -> Checkpoints:
    data = (material.clues.rows, material.answers.rows, material.gold)
    told = {name: value for name, value in asdict(settings).items() if name not in UNTRAINED}
    return Checkpoints(settings.checkpoints, told, data)


def train(material: Material, settings: Settings, console: Console) -> Trainer:
    torch.set_num_threads(settings.threads)
    numba.set_num_threads(min(settings.threads, numba.get_num_threads()))
    trainer = Trainer(material, settings, joined())
    checkpoints = checkpoints_of(settings, material)
    if (state := checkpoints.load()) is not None:
        trainer.restore(state)
        console.print(f"encoder: going on from step {trainer.step:,}", highlight=False)
    trainer.ranks.agree(trainer.step, "the checkpoint")
    columns = (
        TextColumn("encoder"), BarColumn(), TextColumn("{task.completed:,}/{task.total:,}"),
        TextColumn("loss {task.fields[loss]:.3f}"), TimeRemainingColumn(),
    )  # fmt: skip
    mean = 0.0
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=trainer.total, completed=trainer.step, loss=0.0)
        last = 0
        for turn, batch in steps(trainer):
            if turn != last:
                console.print(f"encoder: pass {turn} done, loss {mean:.3f}", highlight=False)
                last = turn
            loss = trainer.run(turn, batch)
            mean = loss if mean == 0.0 else 0.98 * mean + 0.02 * loss
            progress.update(task, advance=1, loss=mean)
            if trainer.step % settings.every == 0:
                state = trainer.state()
                if trainer.ranks.leads:
                    checkpoints.save(state)
    console.print(
        f"encoder: {trainer.step:,} steps, loss {mean:.3f}, "
        f"scale {math.exp(trainer.log_scale[0]):.1f}", highlight=False,
    )  # fmt: skip
    trainer.state()  # so that every process has the whole tables
    if trainer.ranks.leads:
        if settings.keep:
            checkpoints.save(trainer.state())
        else:
            checkpoints.remove()
    return trainer


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration; of many processes, the first one writes it."""
    console = Console(stderr=True, quiet=not joined().leads)
    lexicon = lexicon_for(pairs, settings)
    material = gather(pairs, lexicon, settings, console)
    console.print(
        f"encoder: {material.real:,} pairs, {len(lexicon):,} answers, "
        f"{len(material.clues.keys):,} clue features", highlight=False,
    )  # fmt: skip
    trainer = train(material, settings, console)
    if not trainer.ranks.leads:
        return
    coded(trainer, pairs, lexicon).save(part)
    if settings.phrases:
        shutil.copyfile(settings.phrases, part / PHRASES)


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the merger on clues that `build` has not seen."""
    fit_merger(Encoder.read(part), held).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
