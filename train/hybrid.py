"""Trains `hybrid`: how much each guesser of the folder counts, by maximum likelihood.

    crossword train --corpus archive.zip --out models/mine            # with all parts
    python -m train.command --corpus archive.zip --only tfidf,ngram,hybrid --out models/mine

It has no data of its own; the parts that it joins must be trained in the same run. With enough
held-out clues a network weighs what they say (`train.ranker`); else the likelihood
of held-out answers under the logarithmic pool is climbed by Adam; the sum over the vocabulary is
taken over each clue's best candidates and a random sample of the rest, weighted up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from crossword.guessers.evidence import Witnesses
from crossword.guessers.hybrid import (
    LEAST,
    NAME,
    HybridGuesser,
    Pool,
    assemble,
    open_part,
    witnesses,
)
from crossword.types import Query
from train import ranker
from train.pairs import Pairs
from train.sampling import IMPOSSIBLE, sampled

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]

LENGTHS = 16  # lengths 0 to 15 have a weight for the unknown, longer ones share the last
BEST = 150  # candidates of a clue that are summed exactly
SAMPLE = 100  # others, standing for all the rest
MOST = 6_000  # held-out clues used; arbitrary, since some thirty numbers need no more
BATCH = 200
STEPS = 300
PULL = 0.01  # on how far a length's weight may stray; arbitrary


@dataclass(frozen=True)
class Settings:
    pass


@dataclass(eq=False)
class Cases:
    """Padded arrays over (clue, option); the first option is the answer where it is known."""

    log_probs: torch.Tensor  # (clue, option, member); the member's log unknown where it lacks it
    lacks: torch.Tensor  # (clue, option, member)
    log_weight: torch.Tensor  # how many answers an option stands for, as a log
    unknown: torch.Tensor  # (clue, member)
    known: torch.Tensor  # (clue,): whether any member knows the answer
    length: torch.Tensor


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Nothing but a word on what this is: all that is learnt is the calibration."""
    (part / "README.txt").write_text("The weights with which the other parts are joined.\n")


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    members = assemble(part.parent)
    heard = witnesses(members)
    if heard is not None and heard[1] and len(held) >= ranker.FEW:
        ranker.fit(Witnesses(*heard), held).save(part)
        Pool(fitted_on=len(held)).save(part)
        return
    joint = HybridGuesser(members, Pool())
    if len(joint.members) < 2:
        Pool({member.name: 1.0 for member in joint.members}, fitted_on=len(held)).save(part)
        return
    fit(joint, held).save(part)


def cases_of(joint: HybridGuesser, held: Sequence[tuple[str, str]], seed: int = 0) -> Cases:
    random = np.random.default_rng(seed)
    options: list[tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]] = []
    unknown, known, lengths = [], [], []
    for start in range(0, len(held), BATCH):
        part = held[start : start + BATCH]
        asked = [Query(clue, "." * len(answer)) for clue, answer in part]
        own = [member.distributions(asked) for member in joint.members]
        for at, (_, answer) in enumerate(part):
            found = [one[at] for one in own]
            union = joint.union(len(answer), found)
            size = len(union.words)
            if size == 0:
                continue
            log_probs = np.empty((size, len(found)), dtype=np.float32)
            lacks = np.ones((size, len(found)), dtype=bool)
            for m, (one, places) in enumerate(zip(found, union.places, strict=True)):
                log_probs[:, m] = one.log_unknown
                log_probs[places, m] = np.maximum(one.log_probs, LEAST)
                lacks[places, m] = False
            score = (log_probs + joint.lacking * lacks) @ joint.weights
            gold = union.words.find(answer)
            rows, weight = sampled(score, gold, BEST, SAMPLE, random)
            options.append((log_probs[rows], lacks[rows], weight))
            unknown.append([one.log_unknown for one in found])
            known.append(gold is not None)
            lengths.append(min(len(answer), LENGTHS - 1))
    widest = max(len(weight) for _, _, weight in options)
    shape = (len(options), widest, len(joint.members))
    log_probs, lacks = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    log_weight = np.full(shape[:2], IMPOSSIBLE, np.float32)
    for i, (own_log_probs, own_lacks, weight) in enumerate(options):
        log_probs[i, : len(weight)], lacks[i, : len(weight)] = own_log_probs, own_lacks
        log_weight[i, : len(weight)] = weight
    return Cases(
        torch.from_numpy(log_probs),
        torch.from_numpy(lacks),
        torch.from_numpy(log_weight),
        torch.tensor(unknown, dtype=torch.float32),
        torch.tensor(known),
        torch.tensor(lengths),
    )


def fit(joint: HybridGuesser, held: Sequence[tuple[str, str]], *, seed: int = 0) -> Pool:
    """The pool that makes the held-out answers likeliest."""
    order = np.random.default_rng(seed).permutation(len(held))[:MOST]
    cases = cases_of(joint, [held[i] for i in order.tolist()], seed)
    weights = torch.tensor(joint.weights, dtype=torch.float32, requires_grad=True)
    lacking = torch.tensor(joint.lacking, dtype=torch.float32, requires_grad=True)
    mean = torch.zeros(1, requires_grad=True)
    by_length = torch.zeros(LENGTHS, requires_grad=True)
    optimiser = torch.optim.Adam([weights, lacking, mean, by_length], lr=0.03)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    for _ in range(STEPS):
        optimiser.zero_grad()
        counted = weights.clamp(min=0.0)  # a member that only misleads is left out
        logits = (cases.log_probs + cases.lacks * lacking) @ counted
        unknown = cases.unknown @ counted + mean + by_length[cases.length]
        options = torch.cat([logits + cases.log_weight, unknown[:, None]], dim=1)
        right = torch.where(cases.known, logits[:, 0], unknown)
        loss = (torch.logsumexp(options, dim=1) - right).mean() + PULL * by_length.square().mean()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    names = [member.name for member in joint.members]

    def table(values: torch.Tensor) -> dict[str, float]:
        return {n: round(float(v), 4) for n, v in zip(names, values.detach(), strict=True)}

    offsets = (mean + by_length).detach().tolist()
    return Pool(
        table(weights.clamp(min=0.0)),
        table(lacking),
        tuple(round(one, 4) for one in offsets),
        len(cases.length),
    )


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
