"""Fits the encoder's merger: a softmax over all answers of a length and "none of these".

Maximum likelihood on held-out clues by Adam. The sum over the vocabulary is taken over each clue's
best candidates and a random sample of the rest, weighted up. Weights are by length, drawn towards
their mean by a small penalty, for long answers are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from crossword.guessers.encoder import LENGTHS, Encoder, EncoderGuesser, Merger
from crossword.guessers.fingerprints import bag_key, exact_key

BEST = 400  # candidates of a clue that are summed exactly
SAMPLE = 200  # others, standing for all the rest
STEPS = 250
BATCH = 256  # clues scored at a time
MOST = 12_000  # held-out clues used; more change nothing in the second digit
PULL = 2e-3  # penalty on differences between lengths; arbitrary


@dataclass(eq=False)
class Cases:
    """Padded arrays over (clue, option); the first option is the answer where it is known."""

    length: torch.Tensor
    cosine: torch.Tensor
    count: torch.Tensor  # log count, 0 for new answers
    prior: torch.Tensor  # log prior, 0 for seen answers
    new: torch.Tensor
    log_weight: torch.Tensor  # how many answers an option stands for, as a log
    exact: torch.Tensor  # (clue, option, 4): what `Merger.exact` weighs
    bag: torch.Tensor
    in_exact: torch.Tensor  # (clue,)
    known: torch.Tensor  # (clue,): whether the answer is in the vocabulary


def _history_features(
    encoder: Encoder, clue: str, length: int, places: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], bool]:
    exact = np.zeros((len(places), 4), dtype=np.float32)
    bag = np.zeros_like(exact)
    for key, table, out in (
        (exact_key(clue, length), encoder.history.exact, exact),
        (bag_key(clue, length), encoder.history.bag, bag),
    ):
        answers, counts = table.find(key)
        keep = answers < size
        answers, counts = answers[keep], counts[keep].astype(np.float64)
        if len(answers):
            told = dict(zip(answers.tolist(), counts.tolist(), strict=True))
            for i, place in enumerate(places.tolist()):
                if place in told:
                    out[i] = (1.0, np.log(told[place]), np.log(counts.sum()), np.log(len(counts)))
            return exact, bag, out is exact
    return exact, bag, False


def cases_of(encoder: Encoder, held: Sequence[tuple[str, str]], seed: int = 0) -> Cases:
    random = np.random.default_rng(seed)
    start = Merger()
    guesser = EncoderGuesser(encoder, start)
    rows: list[tuple[NDArray[np.float32], ...]] = []
    flags: list[tuple[int, bool, bool]] = []
    by_length: dict[int, list[tuple[str, str]]] = {}
    for clue, answer in held:
        by_length.setdefault(len(answer), []).append((clue, answer))
    for length, asked in sorted(by_length.items()):
        answers = encoder.answers(length)
        size = len(answers.words)
        if size == 0:
            continue
        count, prior, new = (np.zeros(size, dtype=np.float32) for _ in range(3))
        count[answers.seen] = answers.log_count
        prior[answers.new], new[answers.new] = answers.log_prior, 1.0
        for begin in range(0, len(asked), BATCH):
            part = asked[begin : begin + BATCH]
            vectors = encoder.vectors([clue for clue, _ in part])
            seen_cosines, new_cosines = encoder.cosines(vectors, answers)
            for row, (clue, answer) in enumerate(part):
                cosine = np.empty(size, dtype=np.float32)
                cosine[answers.seen], cosine[answers.new] = seen_cosines[row], new_cosines[row]
                logits = start.cosine[0] * cosine + 0.8 * (count + prior)
                memory = guesser.memory(clue, answers)
                logits[memory.places] += 100.0  # always among the options
                gold = answers.words.find(answer)
                best = np.argpartition(-logits, min(BEST, size - 1))[:BEST]
                chosen = np.setdiff1d(best, [] if gold is None else [gold])
                others = np.setdiff1d(
                    random.integers(0, size, SAMPLE), np.append(chosen, gold or 0)
                )
                rest = size - len(chosen) - (gold is not None)
                places = np.concatenate([[gold or 0], chosen, others]).astype(np.int64)
                weight = np.zeros(len(places), dtype=np.float32)
                weight[1 + len(chosen) :] = np.log(max(rest, 1) / max(len(others), 1))
                if gold is None:
                    weight[0] = -1e9
                exact, bag, hit = _history_features(encoder, clue, length, places, size)
                rows.append(
                    (cosine[places], count[places], prior[places], new[places], weight, exact, bag)
                )
                flags.append((min(length, LENGTHS - 1), hit, gold is not None))
    widest = max(len(row[0]) for row in rows)

    def padded(column: int, fill: float = 0.0) -> torch.Tensor:
        shape = (len(rows), widest, *rows[0][column].shape[1:])
        out = np.full(shape, fill, dtype=np.float32)
        for i, row in enumerate(rows):
            out[i, : len(row[column])] = row[column]
        return torch.from_numpy(out)

    lengths, hits, known = (np.array(column) for column in zip(*flags, strict=True))
    return Cases(
        torch.from_numpy(lengths).long(), padded(0), padded(1), padded(2), padded(3),
        padded(4, -1e9), padded(5), padded(6), torch.from_numpy(hits), torch.from_numpy(known),
    )  # fmt: skip


class _Model(torch.nn.Module):
    """The merger with weights that learn."""

    def __init__(self) -> None:
        super().__init__()
        start = Merger()
        self.shared = torch.nn.Parameter(torch.tensor([30.0, 0.8, 0.8, 0.0, 5.0]))
        self.by_length = torch.nn.Parameter(torch.zeros(LENGTHS, 5))
        self.exact = torch.nn.Parameter(torch.tensor(start.exact))
        self.bag = torch.nn.Parameter(torch.tensor(start.bag))
        self.unknown_exact = torch.nn.Parameter(torch.tensor(0.0))

    def weights(self) -> torch.Tensor:
        # Cosines are weighed by tens, the rest by ones.
        return self.shared + self.by_length * torch.tensor([10.0, 1.0, 1.0, 1.0, 1.0])

    def forward(self, cases: Cases) -> torch.Tensor:
        """The log-probability of each clue's right option."""
        weights = self.weights()[cases.length]
        seen = 1 - cases.new
        logits = (
            weights[:, 0:1] * cases.cosine
            + weights[:, 1:2] * cases.count * seen
            + (weights[:, 2:3] * cases.prior + weights[:, 3:4]) * cases.new
            + cases.exact @ self.exact
            + cases.bag @ self.bag
        )
        unknown = weights[:, 4] + self.unknown_exact * cases.in_exact
        options = torch.cat([logits + cases.log_weight, unknown[:, None]], dim=1)
        right = torch.where(cases.known, logits[:, 0], unknown)
        return right - torch.logsumexp(options, dim=1)

    def merger(self, fitted_on: int) -> Merger:
        columns = [tuple(map(float, column)) for column in self.weights().detach().T]
        cosine, seen, new, newness, unknown = columns
        return Merger(
            cosine=cosine,
            seen=seen,
            new=new,
            newness=newness,
            unknown=unknown,
            exact=tuple(map(float, self.exact.detach())),
            bag=tuple(map(float, self.bag.detach())),
            unknown_exact=float(self.unknown_exact.detach()),
            fitted_on=fitted_on,
        )


def fit_merger(encoder: Encoder, held: Sequence[tuple[str, str]], *, seed: int = 0) -> Merger:
    """The merger that makes the held-out answers likeliest."""
    order = np.random.default_rng(seed).permutation(len(held))[:MOST]
    cases = cases_of(encoder, [held[i] for i in order.tolist()], seed)
    torch.manual_seed(seed)
    model = _Model()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss = -model(cases).mean() + PULL * model.by_length.square().mean()
        loss.backward()
        optimiser.step()
        schedule.step()
    return model.merger(len(cases.length))
