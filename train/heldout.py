"""Figures on held-out clues: top-k, log-loss, and how much was left for the unknown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossword.types import Guesser, Query

KS = (1, 5, 10, 100)
BATCH = 500  # distributions are as wide as the vocabulary, so not all at once


def figures(guesser: Guesser, held: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Top-k with the length known, and the mean −log p of the answer (or of "unknown")."""
    hits, loss, known, unknown = np.zeros(len(KS)), 0.0, 0, 0.0
    for start in range(0, len(held), BATCH):
        part = held[start : start + BATCH]
        asked = [Query(clue, "." * len(answer)) for clue, answer in part]
        for (_, answer), found in zip(part, guesser.distributions(asked), strict=True):
            at = found.words.find(answer)
            unknown += float(np.exp(found.log_unknown))
            if at is None:
                loss -= found.log_unknown
                continue
            known += 1
            own = found.log_probs[at]
            loss -= float(own)
            rank = int((found.log_probs > own).sum())
            hits += [rank < k for k in KS]
    count = max(len(held), 1)
    return {
        "clues": len(held),
        **{f"top{k}": round(float(hit) / count, 4) for k, hit in zip(KS, hits, strict=True)},
        "in_vocabulary": round(known / count, 4),
        "mean_unknown": round(unknown / count, 4),
        "log_loss": round(loss / count, 4),
    }
