"""`sentence`: the answers of the nearest training clues, by vectors of whole clues from MiniLM.

A small transformer (`tower`) turns a clue into a vector that says what it is about, in whatever
words; of the stored clues there are only their vectors, in product codes of some bytes each. So a
clue finds those that mean the same, where `tfidf` finds those that say the same. The vector is what
MiniLM says as it was pretrained: taught to foretell answers, it would say once more what the
encoder says. The tower is that of the `transformer` beside, if it has learned to say meanings too,
so that a clue is read but once; else the part has one of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import transformer
from crossword.guessers.calibration import Calibration, Candidates
from crossword.guessers.neighbours import (
    FEATURES,
    ClueMemory,
    LengthMemory,
    NeighbourGuesser,
    gather,
)
from crossword.guessers.quantiser import Codes
from crossword.guessers.tower import WEIGHTS, Tower

NAME = "sentence"
CLUES, ANSWERS = "clues.safetensors", "answers.npz"
NEIGHBOURS = 400  # clues that are looked at; arbitrary


class CodedSearch:
    """The stored clues nearest to a clue, their vectors coded in the order of the memory's rows."""

    def __init__(self, read: Callable[[Sequence[str]], NDArray[np.float32]], codes: Codes) -> None:
        self.read, self.codes = read, codes

    def candidates(
        self, clues: Sequence[str], length: int, memory: LengthMemory
    ) -> list[Candidates]:
        nearest = self.codes.nearest(
            self.read(clues), memory.start, memory.start + len(memory), NEIGHBOURS
        )
        return gather(nearest, memory)


def save(part: Path, codes: Codes, memory: ClueMemory) -> None:
    """Write the stored clues' vectors, and which answers they had: of each answer only how many.

    So the rows are put in the order of the answers, in which those that were added later are not.
    """
    answers, rows, counts = memory.columns
    order = np.argsort(rows, kind="stable")
    arrays: dict[str, NDArray[Any]] = {"codes": codes.codes[order]}
    arrays["centroids"] = codes.centroids.astype(np.float16)
    save_file(arrays, str(part / CLUES))
    with (part / ANSWERS).open("wb") as file:
        np.savez_compressed(
            file,
            answers=np.frombuffer("\n".join(answers).encode("ascii"), dtype=np.uint8),
            rows=np.bincount(rows, minlength=len(answers)).astype(np.uint16),
            counts=np.minimum(counts[order], 255).astype(np.uint8),
        )


def read(part: Path) -> tuple[Codes, ClueMemory]:
    """What `save` wrote."""
    try:
        arrays = load_file(str(part / CLUES))
        with (part / ANSWERS).open("rb") as raw, np.load(raw, allow_pickle=False) as stored:
            answers = stored["answers"].tobytes().decode("ascii").split("\n")
            rows = np.repeat(np.arange(len(answers), dtype=np.int32), stored["rows"])
            counts = stored["counts"].astype(np.int32)
        codes = Codes(arrays["codes"], arrays["centroids"].astype(np.float32))
    except (OSError, LookupError, ValueError, BadZipFile, SafetensorError) as error:
        raise ModelError(f"{part} can't be read: {error}; please train it again") from None
    if not len(rows) == len(counts) == len(codes):
        raise ModelError(f"{part} contradicts itself; please train it again")
    return codes, ClueMemory(answers, rows, counts)


def open_part(part: Path, calibration: Calibration | None = None) -> NeighbourGuesser:
    """The guesser in a part's folder; with a calibration of its own, or else the stored one."""
    codes, memory = read(part)
    fitted = calibration or Calibration.load(part, FEATURES)
    return NeighbourGuesser(NAME, memory, CodedSearch(reader_of(part), codes), fitted)


def reader_of(part: Path) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """What turns clues into vectors: the part's own tower, or that of the transformer beside."""
    if (part / WEIGHTS).is_file():
        return Tower.read(part).vectors
    shared = Tower.read(part.parent / transformer.NAME)
    if not shared.says_meanings:
        raise ModelError(f"{part} needs a transformer that says meanings; please train it again")
    return shared.meanings


def load(model: ModelFolder | None = None) -> NeighbourGuesser:
    """The guesser of a model folder."""
    if model is None:
        raise ModelError(
            "sentence needs a trained model: crossword train --corpus … --only sentence"
        )
    return open_part(model.part(NAME))
