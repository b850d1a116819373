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

from crossword.guessers.encoder import EncoderGuesser
from crossword.guessers.fingerprints import Fingerprints, bag_key, exact_key
from crossword.guessers.merger import LENGTHS, RECALLED, Merger, Recalled
from crossword.guessers.tables import Encoder
from crossword.text import KINDS, kind_of
from train.sampling import IMPOSSIBLE, sampled

BEST = 400  # candidates of a clue that are summed exactly
SAMPLE = 200  # others, standing for all the rest
STEPS = 250
BATCH = 256  # clues scored at a time
MOST = 12_000  # held-out clues used; more change nothing in the second digit
FEW = 500  # clues on which how often and how lately can't be told apart; arbitrary
PULL = 2e-3  # penalty on differences between lengths; arbitrary


@dataclass(eq=False)
class Cases:
    """Padded arrays over (clue, option); the first option is the answer where it is known."""

    length: torch.Tensor
    cosine: torch.Tensor  # (clue, option, reading)
    count: torch.Tensor  # log count, 0 for new answers
    recent: torch.Tensor  # log of recent uses, 0 for new answers
    prior: torch.Tensor  # log prior, 0 for seen answers
    new: torch.Tensor
    log_weight: torch.Tensor  # how many answers an option stands for, as a log
    exact: torch.Tensor  # (clue, option, 4): what `Merger.exact` weighs
    bag: torch.Tensor
    recalled: torch.Tensor  # (clue,): the place of the kind of history in `RECALLED`
    times: torch.Tensor  # (clue,): the log of how often the clue has been seen
    kind: torch.Tensor  # (clue,): the place of the kind of clue in `KINDS`
    known: torch.Tensor  # (clue,): whether the answer is in the vocabulary


def _history_features(
    encoder: Encoder, clue: str, length: int, places: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], Recalled, float]:
    exact = np.zeros((len(places), 4), dtype=np.float32)
    bag = np.zeros_like(exact)
    tables: tuple[tuple[Recalled, int, Fingerprints, NDArray[np.float32]], ...] = (
        ("exact", exact_key(clue, length), encoder.history.exact, exact),
        ("bag", bag_key(clue, length), encoder.history.bag, bag),
    )
    for recalled, key, table, out in tables:
        answers, counts = table.find(key)
        keep = answers < size
        answers, counts = answers[keep], counts[keep].astype(np.float64)
        if len(answers):
            told = dict(zip(answers.tolist(), counts.tolist(), strict=True))
            for i, place in enumerate(places.tolist()):
                if place in told:
                    out[i] = (1.0, np.log(told[place]), np.log(counts.sum()), np.log(len(counts)))
            return exact, bag, recalled, float(np.log(counts.sum()))
    return exact, bag, "no", 0.0


def cases_of(encoder: Encoder, held: Sequence[tuple[str, str]], seed: int = 0) -> Cases:
    random = np.random.default_rng(seed)
    start = Merger()
    guesser = EncoderGuesser(encoder, start)
    rows: list[tuple[NDArray[np.float32], ...]] = []
    flags: list[tuple[int, int, float, int, bool]] = []
    by_length: dict[int, list[tuple[str, str]]] = {}
    for clue, answer in held:
        by_length.setdefault(len(answer), []).append((clue, answer))
    for length, asked in sorted(by_length.items()):
        answers = encoder.answers(length)
        size = len(answers.words)
        if size == 0:
            continue
        count, recent, prior, new = (np.zeros(size, dtype=np.float32) for _ in range(4))
        count[answers.seen], recent[answers.seen] = answers.log_count, answers.log_recent
        prior[answers.new], new[answers.new] = answers.log_prior, 1.0
        for begin in range(0, len(asked), BATCH):
            part = asked[begin : begin + BATCH]
            readings = encoder.readings([clue for clue, _ in part], [length] * len(part))
            told = [encoder.products(one, answers) for one in readings.transpose(1, 0, 2)]
            for row, (clue, answer) in enumerate(part):
                cosine = np.empty((size, len(told)), dtype=np.float32)
                for reading, (seen_cosines, new_cosines) in enumerate(told):
                    cosine[answers.seen, reading] = seen_cosines[row]
                    cosine[answers.new, reading] = new_cosines[row]
                logits = start.cosine[0] * cosine.mean(axis=1) + 0.8 * (count + prior)
                memory = guesser.memory(clue, answers)
                logits[memory.places] += 100.0  # always among the options
                gold = answers.words.find(answer)
                places, weight = sampled(logits, gold, BEST, SAMPLE, random)
                exact, bag, recalled, times = _history_features(encoder, clue, length, places, size)
                rows.append((
                    cosine[places], count[places], recent[places], prior[places], new[places],
                    weight, exact, bag,
                ))  # fmt: skip
                flags.append((
                    min(length, LENGTHS - 1), RECALLED.index(recalled), times,
                    KINDS.index(kind_of(clue)), gold is not None,
                ))  # fmt: skip
    widest = max(len(row[0]) for row in rows)

    def padded(column: int, fill: float = 0.0) -> torch.Tensor:
        shape = (len(rows), widest, *rows[0][column].shape[1:])
        out = np.full(shape, fill, dtype=np.float32)
        for i, row in enumerate(rows):
            out[i, : len(row[column])] = row[column]
        return torch.from_numpy(out)

    lengths, recalls, times_seen, kinds, known = (
        torch.from_numpy(np.array(column)) for column in zip(*flags, strict=True)
    )
    return Cases(
        lengths, padded(0), padded(1), padded(2), padded(3), padded(4), padded(5, IMPOSSIBLE),
        padded(6), padded(7), recalls, times_seen.float(), kinds, known,
    )  # fmt: skip


class _Model(torch.nn.Module):
    """The merger with weights that learn."""

    def __init__(self, readings: int) -> None:
        super().__init__()
        start = Merger()
        self.readings = readings
        # For each reading its cosine; then the counts and recent uses of seen answers, the prior of
        # new ones, newness, unknown.
        self.shared = torch.nn.Parameter(
            torch.tensor([*[30.0 / readings] * readings, 0.8, 0.0, 0.8, 0.0, 5.0])
        )
        self.by_length = torch.nn.Parameter(torch.zeros(LENGTHS, len(self.shared)))
        self.exact = torch.nn.Parameter(torch.tensor(start.exact))
        self.bag = torch.nn.Parameter(torch.tensor(start.bag))
        # By the kind of history, the last of which is none: logs of the scales of each reading's
        # cosine and of the priors, and what is added to the unknown.
        self.scales = torch.nn.Parameter(torch.zeros(len(RECALLED) - 1, readings + 2))
        self.kinds = torch.nn.Parameter(torch.zeros(len(KINDS)))
        self.doubt = torch.nn.Parameter(torch.full((len(RECALLED),), -2.5))
        self.doubt_more = torch.nn.Parameter(
            torch.tensor([0.0, -0.7, 0.0])
        )  # count, scale, unknown

    def weights(self) -> torch.Tensor:
        # Cosines are weighed by tens, the rest by ones.
        sizes = torch.ones_like(self.shared)
        sizes[: self.readings] = 10.0
        return self.shared + self.by_length * sizes

    def forward(self, cases: Cases) -> torch.Tensor:
        """The log-probability of each clue's right option."""
        weights = self.weights()[cases.length]
        cosines, rest = weights[:, : self.readings], weights[:, self.readings :]
        more = torch.cat([self.scales, torch.zeros(1, self.readings + 2)])[cases.recalled]
        cosines = cosines * (more[:, : self.readings] + self.kinds[cases.kind][:, None]).exp()
        prior = more[:, self.readings, None].exp()
        said = (cases.cosine @ cosines[:, :, None])[:, :, 0]
        priors = (
            prior * (rest[:, 0:1] * cases.count + rest[:, 1:2] * cases.recent) * (1 - cases.new)
            + (rest[:, 2:3] * prior * cases.prior + rest[:, 3:4]) * cases.new
        )
        unknown = rest[:, 4] + more[:, self.readings + 1]
        sure = said + priors + cases.exact @ self.exact + cases.bag @ self.bag
        count, scale, lacking = self.doubt_more
        doubt = self.doubt[cases.recalled] + count * cases.times
        return torch.logaddexp(
            torch.nn.functional.logsigmoid(-doubt) + self._log_share(cases, sure, unknown),
            torch.nn.functional.logsigmoid(doubt)
            + self._log_share(cases, said * scale.exp() + priors, unknown + lacking),
        )

    @staticmethod
    def _log_share(cases: Cases, logits: torch.Tensor, unknown: torch.Tensor) -> torch.Tensor:
        """The log-probability of the right option in one softmax."""
        options = torch.cat([logits + cases.log_weight, unknown[:, None]], dim=1)
        right = torch.where(cases.known, logits[:, 0], unknown)
        return right - torch.logsumexp(options, dim=1)

    def merger(self, fitted_on: int) -> Merger:
        columns = [tuple(map(float, column)) for column in self.weights().detach().T]
        seen, recent, new, newness, unknown = columns[self.readings :]
        exact, bag = self.scales.detach()[:, :-1].exp().tolist()
        if self.readings == 1:  # nothing for a tower to scale
            exact, bag = ([one[0], 1.0, one[1]] for one in (exact, bag))
        unknown_exact, unknown_bag = self.scales.detach()[:, -1].tolist()
        return Merger(
            cosine=columns[0],
            tower=columns[1] if self.readings > 1 else Merger().tower,
            seen=seen,
            recent=recent,
            new=new,
            newness=newness,
            unknown=unknown,
            exact=tuple(map(float, self.exact.detach())),
            bag=tuple(map(float, self.bag.detach())),
            exact_scales=tuple(exact),
            bag_scales=tuple(bag),
            unknown_exact=unknown_exact,
            unknown_bag=unknown_bag,
            kinds=tuple(self.kinds.detach().exp().tolist()),
            doubt=tuple(self.doubt.detach().tolist()),
            doubt_count=float(self.doubt_more[0].detach()),
            doubt_scale=float(self.doubt_more[1].detach().exp()),
            doubt_unknown=float(self.doubt_more[2].detach()),
            fitted_on=fitted_on,
        )


def fit_merger(encoder: Encoder, held: Sequence[tuple[str, str]], *, seed: int = 0) -> Merger:
    """The merger that makes the held-out answers likeliest."""
    order = np.random.default_rng(seed).permutation(len(held))[:MOST]
    cases = cases_of(encoder, [held[i] for i in order.tolist()], seed)
    if len(cases.length) < FEW:
        cases.recent.zero_()
    torch.manual_seed(seed)
    model = _Model(cases.cosine.shape[2])
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss = -model(cases).mean() + PULL * model.by_length.square().mean()
        loss.backward()
        optimiser.step()
        schedule.step()
    return model.merger(len(cases.length))
