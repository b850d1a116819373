"""Bags of features as flat arrays: for each item the rows of its features in one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Bags:
    """Item i has rows `rows[starts[i]:starts[i+1]]`; row r stands for the feature `keys[r]`."""

    keys: NDArray[np.uint32]  # sorted
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]

    def _restricted(self, keep: NDArray[np.bool_]) -> Bags:
        """Only the rows to keep, numbered anew."""
        renumbered = np.cumsum(keep) - 1
        stays = keep[self.rows]
        before = np.concatenate([[0], np.cumsum(stays)])
        return Bags(
            self.keys[keep], before[self.starts], renumbered[self.rows[stays]].astype(np.int32)
        )

    def limited(self, most: int, weights: NDArray[np.float64], *, least: float) -> Bags:
        """The features that come up most, by the weights of the items; `least` is a minimum."""
        items = np.repeat(weights, np.diff(self.starts))
        totals = np.bincount(self.rows, weights=items, minlength=len(self.keys))
        keep = totals >= least
        if keep.sum() > most:
            order = np.lexsort((self.keys, -totals))[:most]
            chosen = np.zeros(len(self.keys), dtype=bool)
            chosen[order] = True
            keep &= chosen
        return self._restricted(keep)

    def kept(self, trained: NDArray[np.bool_], always: NDArray[np.uint32], *, least: int) -> Bags:
        """The features of `least` trained items or more, and those that are always wanted."""
        items = np.repeat(trained, np.diff(self.starts))
        totals = np.bincount(self.rows[items], minlength=len(self.keys))
        return self._restricted((totals >= least) | np.isin(self.keys, always))


def bags_of(keys: Iterable[NDArray[np.uint32]], count: int) -> Bags:
    """From each item's keys, in order."""
    starts = np.zeros(count + 1, dtype=np.int64)
    parts: list[NDArray[np.uint32]] = []
    for i, one in enumerate(keys):
        parts.append(one)
        starts[i + 1] = starts[i] + len(one)
    flat = np.concatenate([*parts, np.zeros(0, dtype=np.uint32)])
    distinct, rows = np.unique(flat, return_inverse=True)
    return Bags(distinct, starts, rows.astype(np.int32))
