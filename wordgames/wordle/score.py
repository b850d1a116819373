"""`score`: the guess whose letters and positions best halve what remains.

A letter that a share p of the remaining words match tells most when p is near a half: it counts
p(1 - p), the same for the letter anywhere and for the letter in its place. Cheap: it looks at
letter counts only, never at pairs of words. A threshold map says from how few remaining words on
the guess must be one of them: {0: 3, 1: 5} reads "fewer than 3 at turn 0, fewer than 5 from
turn 1 on".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from wordgames.errors import InputError
from wordgames.wordle.game import Indices, Position, Wordle
from wordgames.wordle.matches import Matches
from wordgames.wordle.strategies import CostStrategy

ThresholdMap = Mapping[int, int]
DEFAULT_MAP: ThresholdMap = {0: 5}  # the best average of the constant maps 3, 4 and 5


def parse_threshold_map(text: str) -> dict[int, int]:
    """A map from text: `3`, `0:3,1:4` or `{0: 3, 1: 4}`."""
    inner = text.strip().strip("{}").strip()
    if re.fullmatch(r"\d{1,6}", inner):
        return {0: int(inner)}
    pairs = [
        re.fullmatch(r"""\s*["']?(\d{1,3})["']?\s*[:=]\s*(\d{1,6})\s*""", part)
        for part in inner.rstrip(",").split(",")
    ]
    if not all(pairs):
        raise InputError(
            f"threshold map {text!r}: write one number, or TURN:NUMBER pairs such as 0:3,1:4"
        )
    return {int(pair[1]): int(pair[2]) for pair in pairs if pair}


def threshold(thresholds: ThresholdMap, turn: int) -> int:
    """The number in force at a turn: that of the latest turn named up to it, else the first."""
    past = [key for key in thresholds if key <= turn]
    return thresholds[max(past)] if past else thresholds[min(thresholds)]


class Thresholded(CostStrategy):
    """A strategy that guesses among the remaining answers when fewer than a threshold remain."""

    def __init__(self, game: Wordle, *, threshold_map: ThresholdMap | None = None) -> None:
        self.game = game
        self.threshold_map = dict(threshold_map or DEFAULT_MAP)
        self.matches = Matches(game)

    def candidates(self, position: Position) -> Indices:
        if len(position.remaining) < threshold(self.threshold_map, position.turn):
            return self.game.vocabulary.answers[position.remaining]
        return position.allowed


class Score(Thresholded):
    name = "score"

    def costs(self, position: Position, guesses: Indices) -> NDArray[np.float64]:
        letters, places = self.matches.shares(position.remaining, guesses)
        told = letters * (1 - letters) + places * (1 - places)
        return np.asarray(-told.sum(axis=1))
