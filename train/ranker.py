"""Trains the ranker of `hybrid`: how much each piece of evidence counts, by maximum likelihood.

The candidates of each held-out clue, and "none of these", are the options of a softmax; the network
begins as the first guesser's own probabilities and learns what to add. A few passes by AdamW over
some ten thousand clues: with fewer than `FEW`, the pool's few weights are the better choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from crossword.guessers.evidence import Evidence, Witnesses
from crossword.guessers.ranker import Network, standard
from crossword.types import Query

FEW = 4_000
BATCH = 256
READ = 512  # clues whose evidence is gathered at a time, since distributions are wide
HIDDEN, REST = 64, 32  # chosen on 2022, as are the passes and the rate
PASSES = 6
RATE = 3e-3
DROP = 0.1


@dataclass(frozen=True, eq=False)
class Cases:
    """Padded arrays: (clue, candidate, number), (clue, number), and the right option's place."""

    rows: NDArray[np.float32]
    clues: NDArray[np.float32]
    log_probs: NDArray[np.float32]  # -inf where a clue has no such candidate
    log_rest: NDArray[np.float32]
    right: NDArray[np.int64]  # the last option is "none of the candidates"


def cases_of(witnesses: Witnesses, held: Sequence[tuple[str, str]]) -> Cases:
    told: list[tuple[Evidence, int]] = []
    for start in range(0, len(held), READ):
        part = held[start : start + READ]
        queries = [Query(clue, "." * len(answer)) for clue, answer in part]
        for (_, answer), (one, evidence) in zip(part, witnesses.hear(queries), strict=True):
            if evidence is not None:
                place = one.words.find(answer)
                row = np.flatnonzero(evidence.places == (-1 if place is None else place))
                told.append((evidence, int(row[0]) if len(row) else -1))
    widest = max(len(evidence.places) for evidence, _ in told)
    first = told[0][0]
    rows = np.zeros((len(told), widest, first.rows.shape[1]), dtype=np.float32)
    log_probs = np.full((len(told), widest), -np.inf, dtype=np.float32)
    for i, (evidence, _) in enumerate(told):
        rows[i, : len(evidence.rows)] = evidence.rows
        log_probs[i, : len(evidence.places)] = evidence.log_probs
    right = np.array([place for _, place in told], dtype=np.int64)
    return Cases(
        rows,
        np.stack([evidence.clue for evidence, _ in told]),
        log_probs,
        np.array([evidence.log_rest for evidence, _ in told], dtype=np.float32),
        np.where(right < 0, widest, right),
    )


class _Model(torch.nn.Module):
    def __init__(self, row: int, clue: int) -> None:
        super().__init__()
        self.row_in = torch.nn.Linear(row, HIDDEN)
        self.clue_in = torch.nn.Linear(clue, HIDDEN, bias=False)
        self.hidden = torch.nn.Linear(HIDDEN, HIDDEN)
        self.out = torch.nn.Linear(HIDDEN, 1, bias=False)
        self.rest_in = torch.nn.Linear(clue, REST)
        self.rest_out = torch.nn.Linear(REST, 1, bias=False)
        self.drop = torch.nn.Dropout(DROP)
        torch.nn.init.zeros_(self.out.weight)
        torch.nn.init.zeros_(self.rest_out.weight)

    def forward(
        self, rows: torch.Tensor, clues: torch.Tensor, log_probs: torch.Tensor, rest: torch.Tensor
    ) -> torch.Tensor:
        def gelu(x: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.gelu(x, approximate="tanh")

        first = self.drop(gelu(self.row_in(rows) + self.clue_in(clues)[:, None]))
        second = first + gelu(self.hidden(first))
        scores = log_probs + self.out(second)[:, :, 0]
        none = rest + self.rest_out(gelu(self.rest_in(clues)))[:, 0]
        return torch.cat([scores, none[:, None]], dim=1)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """As `Network` names them; matrices turned, so that rows are multiplied from the left."""
        found = {
            "row_in": self.row_in.weight.T,
            "clue_in": self.clue_in.weight.T,
            "bias_in": self.row_in.bias,
            "hidden": self.hidden.weight.T,
            "bias_hidden": self.hidden.bias,
            "out": self.out.weight[0],
            "rest_in": self.rest_in.weight.T,
            "rest_bias": self.rest_in.bias,
            "rest_out": self.rest_out.weight[0],
        }
        return {
            name: np.ascontiguousarray(one.detach().numpy(), dtype=np.float32)
            for name, one in found.items()
        }


def fit(witnesses: Witnesses, held: Sequence[tuple[str, str]], *, seed: int = 0) -> Network:
    """The network that makes the held-out answers likeliest."""
    cases = cases_of(witnesses, held)
    there = np.isfinite(cases.log_probs)
    row_mean, row_spread = cases.rows[there].mean(axis=0), cases.rows[there].std(axis=0) + 1e-3
    clue_mean, clue_spread = cases.clues.mean(axis=0), cases.clues.std(axis=0) + 1e-3
    tensors = [
        torch.from_numpy(np.ascontiguousarray(one, dtype=np.float32))
        for one in (
            standard(cases.rows, row_mean, row_spread),
            standard(cases.clues, clue_mean, clue_spread),
            cases.log_probs,
            cases.log_rest,
        )
    ]
    right = torch.from_numpy(cases.right)
    torch.manual_seed(seed)
    model = _Model(tensors[0].shape[2], tensors[1].shape[1])
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    steps = PASSES * -(-len(right) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1)
    for _ in range(PASSES):
        order = torch.randperm(len(right))
        for batch in (order[i : i + BATCH] for i in range(0, len(order), BATCH)):
            options = model(*(one[batch] for one in tensors))
            loss = torch.nn.functional.cross_entropy(options, right[batch])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    scales = {
        "row_mean": row_mean, "row_spread": row_spread,
        "clue_mean": clue_mean, "clue_spread": clue_spread,
    }  # fmt: skip
    members = [witnesses.first.name, *(other.name for other in witnesses.others)]
    return Network({**model.weights(), **scales}, members)
