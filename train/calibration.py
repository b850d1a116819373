"""Fits a `Calibration` on held-out clues: the likelihood of a conditional logit, by L-BFGS.

The options of a clue are its candidates, "a known answer that is no candidate" and "an answer
nobody knows". Length biases are drawn towards their mean, so that rare lengths stay sensible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from crossword.errors import DataError
from crossword.guessers.calibration import LENGTHS, Calibration, Option
from crossword.guessers.neighbours import NeighbourGuesser
from crossword.guessers.patterns import repeated
from crossword.types import Query

ELSEWHERE, UNKNOWN = -1, -2
PULL = 1.0  # on how far a length's bias may stray; arbitrary
MOST = 5_000  # clues to fit on; arbitrary, since some sixty numbers need no more
SHRINK = 0.1  # on the standardised weights; only matters for tiny corpora


@dataclass(frozen=True, eq=False)
class Cases:
    """Held-out clues as arrays. The candidates of case i are rows starts[i] to starts[i + 1]."""

    features: NDArray[np.float64]
    starts: NDArray[np.int64]
    right: NDArray[np.int64]  # row of the right candidate, or ELSEWHERE or UNKNOWN
    lengths: NDArray[np.int64]
    nearest: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.right)


def cases_of(guesser: NeighbourGuesser, held: Sequence[tuple[str, str]]) -> Cases:
    """What a guesser finds for held-out clues. Its own calibration plays no part."""
    held = held[:MOST]
    queries = [Query(clue, "." * len(answer)) for clue, answer in held]
    blocks: list[NDArray[np.float32]] = []
    starts, right, lengths, nearest = [0], [], [], []
    for at, found in guesser.candidates(queries):
        clue, answer = held[at]
        words = guesser.memory.of(len(answer)).words
        gold = words.position.get(answer)
        ruled_out = set(repeated(words, clue)) - {gold}
        keep = ~np.isin(found.positions, list(ruled_out))
        positions = found.positions[keep]
        if gold is None:
            right.append(UNKNOWN)
        else:
            row = np.flatnonzero(positions == gold)
            right.append(starts[-1] + int(row[0]) if len(row) else ELSEWHERE)
        blocks.append(found.features[keep])
        starts.append(starts[-1] + len(positions))
        lengths.append(min(len(answer), LENGTHS - 1))
        nearest.append(found.nearest)
    return Cases(
        np.concatenate(blocks).astype(np.float64),
        np.array(starts),
        np.array(right),
        np.array(lengths),
        np.array(nearest),
    )


def uncalibrated(features: Sequence[str]) -> Calibration:
    """Stands in until a calibration is fitted; every candidate is as good as another."""
    none = Option((0.0,), 0.0)
    return Calibration(tuple(features), (0.0,) * len(features), none, none)


def fit(cases: Cases, features: Sequence[str]) -> Calibration:
    """The weights that make the held-out answers likeliest."""
    if len(cases) == 0:
        raise DataError("calibration needs held-out clues; the corpus is too small")
    mean = cases.features.mean(axis=0) if len(cases.features) else np.zeros(len(features))
    spread = cases.features.std(axis=0) + 1e-6 if len(cases.features) else np.ones(len(features))
    rows = (cases.features - mean) / spread
    size = len(features)
    owner = np.repeat(np.arange(len(cases)), np.diff(cases.starts))

    def loss(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights, options = theta[:size], theta[size:].reshape(2, LENGTHS + 2)
        scores = rows @ weights
        # Columns of an option: its mean bias, what a length adds, what nearness adds.
        extra = np.stack(
            [o[0] + o[1:-1][cases.lengths] + o[-1] * cases.nearest for o in options], axis=1
        )
        top = extra.max(axis=1)
        np.maximum.at(top, owner, scores)
        raised = np.exp(scores - top[owner])
        raised_extra = np.exp(extra - top[:, None])
        total = np.bincount(owner, raised, len(cases)) + raised_extra.sum(axis=1)
        chosen = np.zeros(len(cases))
        known = cases.right >= 0
        chosen[known] = scores[cases.right[known]]
        for column, sign in enumerate((ELSEWHERE, UNKNOWN)):
            chosen[cases.right == sign] = extra[cases.right == sign, column]
        # One imagined case each of the two, spread over all: a few puzzles prove nothing certain.
        chosen += extra.sum(axis=1) / len(cases)
        whole = 1 + 2 / len(cases)
        value = float((whole * (top + np.log(total)) - chosen).sum())
        slope_rows = whole * raised / total[owner]
        slope_rows[cases.right[known]] -= 1.0
        slope_extra = whole * raised_extra / total[:, None] - 1 / len(cases)
        for column, sign in enumerate((ELSEWHERE, UNKNOWN)):
            slope_extra[cases.right == sign, column] -= 1.0
        slope = np.zeros_like(theta)
        slope[:size] = rows.T @ slope_rows + SHRINK * weights
        by_option = slope[size:].reshape(2, LENGTHS + 2)
        for column in range(2):
            part = slope_extra[:, column]
            by_option[column, 0] = part.sum()
            by_option[column, 1:-1] = np.bincount(cases.lengths, part, LENGTHS)
            by_option[column, 1:-1] += PULL * options[column, 1:-1]
            by_option[column, -1] = part @ cases.nearest + SHRINK * options[column, -1]
        value += 0.5 * SHRINK * float(weights @ weights + options[:, -1] @ options[:, -1])
        value += 0.5 * PULL * float((options[:, 1:-1] ** 2).sum())
        return value / len(cases), slope / len(cases)

    start = np.zeros(size + 2 * (LENGTHS + 2))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    weights = found[:size] / spread
    shift = float(mean @ weights)  # what standardising took from every candidate's score
    elsewhere, unknown = (
        Option(tuple((o[0] + o[1:-1] + shift).tolist()), float(o[-1]))
        for o in found[size:].reshape(2, LENGTHS + 2)
    )
    return Calibration(tuple(features), tuple(weights.tolist()), elsewhere, unknown, len(cases))
