"""`sentence`: the answers of the nearest training clues, by vectors of whole clues from MiniLM.

A small transformer (`tower`) turns a clue into a vector that says what it is about, in whatever
words; the stored clues' vectors lie in FAISS, an index for each length of answer. So a clue finds
those that mean the same, where `tfidf` finds those that say the same. Training (`train/sentence.py`)
leaves the network as it is and turns its space so that clues of one answer come near each other.
"""

from __future__ import annotations

from pathlib import Path

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers.calibration import Calibration
from crossword.guessers.index import LengthIndex
from crossword.guessers.neighbours import FEATURES, ClueMemory, DenseSearch, NeighbourGuesser
from crossword.guessers.tower import Tower

NAME = "sentence"
NEIGHBOURS = 200  # chosen on 2022; more change nothing


def open_part(part: Path, calibration: Calibration | None = None) -> NeighbourGuesser:
    """The guesser in a part's folder; with a calibration of its own, or else the stored one."""
    tower = Tower.read(part)
    search = DenseSearch(tower.vectors, LengthIndex(part, tower.width), NEIGHBOURS)
    fitted = calibration or Calibration.load(part, FEATURES)
    return NeighbourGuesser(NAME, ClueMemory.load(part), search, fitted)


def load(model: ModelFolder | None = None) -> NeighbourGuesser:
    """The guesser of a model folder."""
    if model is None:
        raise ModelError("sentence needs a trained model: crossword train --corpus … --only sentence")
    return open_part(model.part(NAME))
