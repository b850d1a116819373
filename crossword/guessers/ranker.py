"""`hybrid` where there is enough to learn from: a small network weighs the evidence.

Each candidate's score is the first guesser's log-probability plus what a network of two hidden
layers makes of its row of evidence (`evidence`); "none of the candidates" has a score likewise, and
keeps its inner proportions. One softmax over both. Learning to rank by lists (Cao et al. 2007),
with the probability of what isn't listed kept honest. Trained by `train/ranker.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from crossword.errors import ModelError
from crossword.guessers.encoder import EncoderGuesser
from crossword.guessers.evidence import Evidence, Witnesses
from crossword.guessers.neighbours import NeighbourGuesser
from crossword.types import Distribution, Guess, Query

FILE = "ranker.safetensors"
MEMBERS = "members"  # in the file's header: the guessers that were heard, the first one first
NAMES = (
    "row_mean", "row_spread", "clue_mean", "clue_spread", "row_in", "clue_in", "bias_in",
    "hidden", "bias_hidden", "out", "rest_in", "rest_bias", "rest_out",
)  # fmt: skip
FARTHEST = 5.0  # standard deviations that a number may be off; arbitrary
GUESSED = 128  # queries that are guessed at a time, some 50 MB; a tenth quicker than 64

F32 = NDArray[np.float32]


def gelu(x: F32) -> F32:
    """x · Φ(x) by its tanh form (Hendrycks and Gimpel 2016)."""
    inner = np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x)
    found: F32 = np.float32(0.5) * x * (1 + np.tanh(inner))
    return found


class Network:
    """The weights, by the names of their file, and whose evidence they were trained on."""

    def __init__(self, weights: Mapping[str, NDArray[Any]], members: Sequence[str]) -> None:
        if missing := [name for name in NAMES if name not in weights]:
            raise ValueError(f"{missing[0]} is missing")
        self.members = tuple(members)
        self.weights = {name: np.asarray(weights[name], dtype=np.float32) for name in NAMES}

    def scores(self, evidence: Sequence[Evidence]) -> list[tuple[NDArray[np.float64], float]]:
        """For each clue the scores of its candidates, and of none of them."""
        if not evidence:
            return []
        w = self.weights
        clues = np.stack([one.clue for one in evidence])
        clues = standard(clues, w["clue_mean"], w["clue_spread"])
        rest = gelu(clues @ w["rest_in"] + w["rest_bias"]) @ w["rest_out"]
        rows = np.concatenate([one.rows for one in evidence])
        rows = standard(rows, w["row_mean"], w["row_spread"])
        sizes = [len(one.rows) for one in evidence]
        first = rows @ w["row_in"] + np.repeat(clues @ w["clue_in"] + w["bias_in"], sizes, axis=0)
        first = gelu(first)
        second = first + gelu(first @ w["hidden"] + w["bias_hidden"])
        ends = np.cumsum(sizes)
        added = np.split(second @ w["out"], ends[:-1])
        return [
            (np.asarray(one.log_probs + more, dtype=np.float64), one.log_rest + none)
            for one, more, none in zip(evidence, added, rest.tolist(), strict=True)
        ]

    def save(self, part: Path) -> None:
        save_file(self.weights, str(part / FILE), {MEMBERS: ",".join(self.members)})

    @classmethod
    def read(cls, part: Path) -> Network:
        try:
            with safe_open(str(part / FILE), framework="numpy") as file:
                weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
                return cls(weights, (file.metadata() or {})[MEMBERS].split(","))
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            raise ModelError(f"{part / FILE} can't be read: {error}") from None


def standard(values: F32, mean: F32, spread: F32) -> F32:
    found: F32 = np.clip((values - mean) / spread, -FARTHEST, FARTHEST)
    return found


class RankedGuesser:
    """A first guesser whose likeliest answers are weighed once more, with what others found."""

    def __init__(
        self, first: EncoderGuesser, others: Sequence[NeighbourGuesser], network: Network
    ) -> None:
        self.first, self.others, self.network = first, list(others), network
        self.witnesses = Witnesses(first, others)

    @property
    def name(self) -> str:
        return "hybrid"

    @property
    def members(self) -> list[Any]:
        return [self.first, *self.others]

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        return [one for one, _ in self._told(queries)]

    def _told(self, queries: Sequence[Query]) -> list[tuple[Distribution, Evidence | None]]:
        heard = self.witnesses.hear(queries)
        scores = iter(self.network.scores([one for _, one in heard if one is not None]))
        return [
            (told, None)
            if evidence is None
            else (_weighed(told, evidence, *next(scores)), evidence)
            for told, evidence in heard
        ]

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        """Best first. The confidence is the probability itself."""
        found: dict[int, list[Guess]] = {}
        order = sorted(range(len(queries)), key=lambda i: queries[i].length)
        for begin in range(0, len(order), GUESSED):
            batch = order[begin : begin + GUESSED]
            told = self._told([queries[i] for i in batch])
            for i, (one, evidence) in zip(batch, told, strict=True):
                found[i] = []
                if evidence is not None:
                    pattern = queries[i].pattern
                    found[i] = self.first.listed(one, evidence.memory, pattern, limit)
        return [found[i] for i in range(len(queries))]

    def compose(
        self, clue: str, letter_log_probs: NDArray[np.float64], limit: int = 100
    ) -> list[tuple[str, float]]:
        return self.first.compose(clue, letter_log_probs, limit)

    def explain(self, clue: str, answers: Sequence[str]) -> list[tuple[str, ...]]:
        """What the first one says; the others don't explain themselves."""
        return self.first.explain(clue, answers)


def _weighed(
    told: Distribution, evidence: Evidence, scores: NDArray[np.float64], rest: float
) -> Distribution:
    """The distribution with its candidates weighed anew; what the first one gave is reused."""
    top = max(float(scores.max(initial=rest)), rest)
    total = top + log(float(np.exp(scores - top).sum()) + exp(rest - top))
    shift = rest - total - evidence.log_rest
    log_probs = told.log_probs
    log_probs += np.float32(shift)
    log_probs[evidence.places] = scores - total
    return Distribution(told.words, log_probs, told.log_unknown + shift)
