"""What may be trained on, and what is kept to be tested on.

`forward`: train on what is dated before 2023-01-01 or has no date, test on 2023 (for tuning: train
before 2022, test on 2022). `even-odd`: train on even days of the month, test on odd ones. Of a
corpus, what the split doesn't train on is never seen. Puzzles to test on are drawn in
`crossword.evaluation.selection`, by the same days.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

import numpy as np
from datasets import Dataset

from crossword.errors import DataError
from data.corpus import columns

Split = Literal["forward", "forward-tune", "even-odd"]
UNTIL: dict[str, str] = {"forward": "2023-01-01", "forward-tune": "2022-01-01"}
SPLITS: tuple[str, ...] = ("forward", "forward-tune", "even-odd")


def checked_date(text: str) -> str:
    """An ISO date, or a `DataError`."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise DataError(f"{text!r} is no date; write it as 2023-01-31") from None


def training_part(
    dataset: Dataset, *, split: str | None = None, until: str | None = None
) -> Dataset:
    """The rows that may be trained on."""
    if split is not None and split not in SPLITS:
        raise DataError(f"no split called {split!r}; there are: {', '.join(SPLITS)}")
    limits = [checked_date(until)] if until is not None else []
    if split in UNTIL:
        limits.append(UNTIL[split])
    if split is None and not limits:
        return dataset
    (dates,) = columns(dataset, "date")
    if not any(dates):
        wanted = f"the split {split}" if split else "--until"
        raise DataError(f"{wanted} needs dates, and no puzzle of the corpus has one")
    keep = np.ones(len(dates), dtype=bool)
    if split == "even-odd":
        # Without a date, no one can say that it isn't of an odd day.
        keep &= np.array([bool(day) and int(day[8:10]) % 2 == 0 for day in dates])
    for limit in limits:
        keep &= np.array([not day or day < limit for day in dates])
    if not keep.any():
        raise DataError(f"nothing is left to train on (split {split}, until {until})")
    return dataset.select(np.flatnonzero(keep))


def hold_out(dataset: Dataset, share: float, seed: int, least: int = 0) -> tuple[Dataset, Dataset]:
    """Whole puzzles cut off for calibration: (the rest, those held out), at least `least`.

    A row that belongs to no puzzle (from the hub) is a unit of its own.
    """
    (ids,) = columns(dataset, "puzzle_id")
    units = [one or f"row {i}" for i, one in enumerate(ids)]
    distinct = sorted(set(units))
    count = min(max(round(len(distinct) * share), least), len(distinct))
    drawn = np.random.default_rng(seed).permutation(len(distinct))[:count]
    held = {distinct[i] for i in drawn.tolist()}
    out = np.array([unit in held for unit in units], dtype=bool)
    return dataset.select(np.flatnonzero(~out)), dataset.select(np.flatnonzero(out))
