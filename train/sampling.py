"""A softmax over a whole vocabulary from some of it: the best answers, and a sample of the rest.

The sampled ones stand for all that are left out and are weighted up (Jean et al. 2015).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IMPOSSIBLE = -1e9  # the log weight of what takes a place and is no answer


def sampled(
    scores: NDArray[np.floating], gold: int | None, best: int, count: int,
    random: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:  # fmt: skip
    """Places of a clue's options, and how many answers each stands for, as a log.

    The first is the right answer; where it is not known, answer 0, which then counts for nothing.
    """
    size = len(scores)
    chosen = np.setdiff1d(
        np.argpartition(-scores, min(best, size - 1))[:best], [] if gold is None else [gold]
    )
    others = np.setdiff1d(random.integers(0, size, count), np.append(chosen, gold or 0))
    rest = size - len(chosen) - (gold is not None)
    places = np.concatenate([[gold or 0], chosen, others]).astype(np.int64)
    log_weight = np.zeros(len(places), dtype=np.float32)
    log_weight[1 + len(chosen) :] = np.log(max(rest, 1) / max(len(others), 1))
    if gold is None:
        log_weight[0] = IMPOSSIBLE
    return places, log_weight
