"""`transformer`: the encoder with a second reading of the clue, by the first layers of MiniLM.

The tower (`tower`) is trained to put a clue where the encoder has put its answer, so that nothing
of the answers is stored twice: the part lies beside an `encoder` part and takes its vocabulary,
vectors, priors and clue history from there. What word order and pretraining know, it adds to what
the encoder's features say: the merger, fitted for both, weighs the two cosines.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import encoder
from crossword.guessers.encoder import EncoderGuesser, read_phrases
from crossword.guessers.merger import Merger
from crossword.guessers.tables import Encoder
from crossword.guessers.tower import Tower

NAME = "transformer"


class TwiceReadEncoder(Encoder):
    """An encoder that reads a clue a second time, otherwise than by its features."""

    def __init__(self, base: Encoder) -> None:
        super().__init__(
            base.features, base.seen, base.new, base.lexicon, base.counts,
            base.history, base.later, base.since, base.recent,
        )  # fmt: skip

    @abstractmethod
    def second(self, clues: Sequence[str], lengths: Sequence[int]) -> NDArray[np.float32]:
        """A vector of unit length for each clue and the length of its answer."""

    def readings(self, clues: Sequence[str], lengths: Sequence[int]) -> NDArray[np.float32]:
        return np.stack([self.vectors(clues), self.second(clues, lengths)], axis=1)


class TowerEncoder(TwiceReadEncoder):
    """An encoder that reads a clue twice: by its features and by a tower."""

    def __init__(self, base: Encoder, tower: Tower) -> None:
        super().__init__(base)
        self.tower = tower

    def second(self, clues: Sequence[str], lengths: Sequence[int]) -> NDArray[np.float32]:
        return self.tower.vectors(clues)


class TransformerGuesser(EncoderGuesser):
    """Both readings, with a merger fitted for them."""

    @property
    def name(self) -> str:
        return NAME


def open_part(part: Path) -> TransformerGuesser:
    """The guesser of a part's folder, with the encoder that lies beside it."""
    beside = part.parent / encoder.NAME
    both = TowerEncoder(Encoder.read(beside), Tower.read(part))
    return TransformerGuesser(both, Merger.load(part), read_phrases(beside))


def load(model: ModelFolder | None = None) -> TransformerGuesser:
    if model is None:
        raise ModelError("the guesser transformer needs a model; train one with: crossword train")
    part = model.part(NAME)
    model.part(encoder.NAME)  # says so if it is missing
    return open_part(part)
