"""`learned`: a small network that predicts, from letter matches, position matches and repeats,
what share of the remaining words a guess eliminates.

Two hidden layers of 16, trained by `wordgames wordle train` on the brute force (`mean`) over
positions from random games; the weights are a few kilobytes of JSON beside the word lists. The
inputs are sums over letters, so that one model serves any word length and alphabet.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordgames.errors import DataError
from wordgames.wordle.game import Indices, Position, Wordle
from wordgames.wordle.matches import Matches
from wordgames.wordle.score import Thresholded, ThresholdMap

Floats = NDArray[np.float64]
FORMAT = 1
SHIPPED = "wordle-learned.json"
_LARGEST_LAYER = 1024


def features(matches: Matches, remaining: Indices, guesses: Indices) -> Floats:
    """The inputs of the model, a row for each guess."""
    letters, places = matches.shares(remaining, guesses)
    columns = [matches.repeats[guesses], np.full(len(guesses), np.log(len(remaining)))]
    for shares in (letters, places):
        columns += [
            shares.sum(axis=1),
            (shares**2).sum(axis=1),
            (shares * (1 - shares)).max(axis=1),
            # How much is left if every letter told its own story: log of a product of shares.
            np.log(shares**2 + (1 - shares) ** 2).sum(axis=1),
        ]
    return np.column_stack(columns)


class Model:
    """A network with tanh layers; its output is the log of the share that remains."""

    def __init__(self, document: dict[str, Any]) -> None:
        if document.get("format") != FORMAT:
            raise DataError(f"learned model has format {document.get('format')!r}, not {FORMAT}")
        try:
            self.means = np.array(document["means"], np.float64)
            self.scales = np.array(document["scales"], np.float64)
            self.layers = [
                (np.array(layer["weights"], np.float64), np.array(layer["biases"], np.float64))
                for layer in document["layers"]
            ]
            self._check()
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"learned model cannot be used: {error}") from None

    def _check(self) -> None:
        width = len(self.means)
        if self.scales.shape != (width,) or not (self.scales > 0).all() or not self.layers:
            raise ValueError("means and scales do not go together")
        for weights, biases in self.layers:
            if weights.shape != (width, len(biases)) or len(biases) > _LARGEST_LAYER:
                raise ValueError("layers do not fit each other")
            if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
                raise ValueError("weights are not finite")
            width = len(biases)
        if width != 1:
            raise ValueError("the last layer must give one number")

    def eliminated(self, inputs: Floats) -> Floats:
        """The predicted share of words that each guess eliminates."""
        values = (inputs - self.means) / self.scales
        for weights, biases in self.layers[:-1]:
            values = np.tanh(values @ weights + biases)
        weights, biases = self.layers[-1]
        log_left = (values @ weights + biases)[:, 0]
        return np.asarray(1.0 - np.exp(np.minimum(log_left, 0.0)))


@cache
def shipped_model() -> Model:
    return Model(json.loads((files("wordgames") / "lists" / SHIPPED).read_text(encoding="utf-8")))


def read_model(path: Path) -> Model:
    """A model that `wordgames wordle train` wrote."""
    try:
        return Model(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read model {path}: {error}") from None


class Learned(Thresholded):
    name = "learned"

    def __init__(
        self,
        game: Wordle,
        *,
        threshold_map: ThresholdMap | None = None,
        model: Model | None = None,
    ) -> None:
        super().__init__(game, threshold_map=threshold_map)
        self.model = model or shipped_model()

    def costs(self, position: Position, guesses: Indices) -> Floats:
        return -self.model.eliminated(features(self.matches, position.remaining, guesses))
