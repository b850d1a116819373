"""First words: what each leaves on average and at worst, before anything is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordgames.wordle.bruteforce import figures
from wordgames.wordle.game import Wordle


@dataclass(frozen=True)
class Opener:
    word: str
    mean: float
    max: int
    replies: int
    bits: float
    may_be_answer: bool


def openers(game: Wordle) -> list[Opener]:
    """Every first word, least mean first."""
    root = game.start()
    table = figures(game, root.allowed, root.remaining)
    order = np.lexsort((root.allowed, table[:, 1], table[:, 0]))
    return [
        Opener(
            game.vocabulary.words[k],
            float(table[k, 0]),
            int(table[k, 1]),
            int(table[k, 2]),
            float(table[k, 3]),
            bool(game.vocabulary.answer_of[k] >= 0),
        )
        for k in order
    ]
