"""Turns the features of candidate answers into probabilities that add up to one.

A conditional logit: each candidate's score is a weighted sum of its features; two more options
compete with them, "a known answer that is no candidate" (shared out by how common the answers
are) and "an answer that nobody knows". Those two have a bias for each length and a weight for how
near the nearest clue is. Weights are fitted on held-out puzzles in `train/calibration.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError
from crossword.guessers.patterns import LOG_ZERO
from crossword.types import Distribution
from crossword.vocabulary import Words

CALIBRATION = "calibration.json"
LENGTHS = 23  # lengths 0 to 22 have a bias of their own, longer ones share the last


@dataclass(frozen=True, eq=False)
class Candidates:
    """The answers that speak up for one clue: positions, a row of features, a confidence each."""

    positions: NDArray[np.int64]
    features: NDArray[np.float32]
    confidence: NDArray[np.float32]
    nearest: float  # the similarity of the nearest clue, 0 where none is near

    def confidences(self) -> dict[int, float]:
        return dict(zip(self.positions.tolist(), self.confidence.tolist(), strict=True))


@dataclass(frozen=True)
class Option:
    """The score of "none of the candidates": a bias by length, and what nearness adds."""

    by_length: tuple[float, ...]
    nearness: float

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> Option:
        return cls(tuple(map(float, entries["by_length"])), float(entries["nearness"]))

    def score(self, length: int, nearest: float) -> float:
        return self.by_length[min(length, len(self.by_length) - 1)] + self.nearness * nearest


@dataclass(frozen=True)
class Calibration:
    """The fitted weights of one guesser."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    elsewhere: Option
    unknown: Option
    fitted_on: int = 0  # held-out clues; 0 means defaults from another corpus

    def distribution(
        self,
        words: Words,
        log_prior: NDArray[np.float32],
        candidates: Candidates,
        dropped: Sequence[int] = (),
    ) -> Distribution:
        """The distribution of one clue; `dropped` answers get nothing."""
        if len(words) == 0:
            return Distribution(words, np.zeros(0, dtype=np.float32), 0.0)
        positions, scores = candidates.positions, self.scores(candidates.features)
        if dropped:
            keep = ~np.isin(positions, dropped)
            positions, scores = positions[keep], scores[keep]
        elsewhere = self.elsewhere.score(words.length, candidates.nearest)
        unknown = self.unknown.score(words.length, candidates.nearest)
        taken = np.concatenate([positions, np.asarray(dropped, dtype=np.int64)])
        left = 1.0 - float(np.exp(log_prior[taken].astype(np.float64)).sum())
        nobody_left = len(taken) >= len(words) or left <= 1e-9
        options = [unknown] if nobody_left else [unknown, elsewhere]
        total = float(np.logaddexp.reduce(np.concatenate([scores, options])))
        if nobody_left:
            log_probs = np.full(len(words), LOG_ZERO, dtype=np.float32)
        else:
            log_probs = log_prior + np.float32(elsewhere - total - np.log(left))
        log_probs[positions] = scores - total
        log_probs[list(dropped)] = LOG_ZERO
        return Distribution(words, log_probs, unknown - total)

    def scores(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = features.astype(np.float64) @ np.asarray(self.weights)
        return scores

    def save(self, part: Path) -> None:
        (part / CALIBRATION).write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, part: Path, features: Sequence[str], added: Sequence[str] = ()) -> Calibration:
        """From a part of a model; refused where it is about other features than asked for.

        `added` are features that older models lack: there they weigh nothing.
        """
        entries: dict[str, Any]
        try:
            entries = json.loads((part / CALIBRATION).read_text())
            made = cls(
                tuple(entries["features"]),
                tuple(map(float, entries["weights"])),
                Option.of(entries["elsewhere"]),
                Option.of(entries["unknown"]),
                int(entries["fitted_on"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{part / CALIBRATION} can't be read: {error}") from None
        weights = dict(zip(made.features, made.weights, strict=False))
        fits = [name for name in features if name in weights or name not in added]
        if list(made.features) != fits or len(made.weights) != len(fits):
            raise ModelError(f"{part} was calibrated for other features; please train it again")
        full = tuple(weights.get(name, 0.0) for name in features)
        return replace(made, features=tuple(features), weights=full)
