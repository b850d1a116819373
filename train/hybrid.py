"""Trains `hybrid`: how much each guesser of the folder counts, by EM on held-out clues.

    crossword train --corpus archive.zip --out models/mine            # with all parts
    python -m train.command --corpus archive.zip --only tfidf,ngram,hybrid --out models/mine

It has no data of its own; the parts that it joins must be trained in the same run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from crossword.guessers.hybrid import NAME, Pool, assemble, open_part
from crossword.types import Guesser, Query
from train.ngram import smoothed
from train.pairs import Pairs

ROUNDS = 50
BATCH = 500


@dataclass(frozen=True)
class Settings:
    pass


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Nothing but a word on what this is: all that is learnt is the calibration."""
    (part / "README.txt").write_text("The weights with which the other parts are joined.\n")


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    joint = assemble(part.parent, Pool())
    if not joint.members:
        Pool(fitted_on=len(held)).save(part)
        return
    own = np.array([_likelihoods(member, held) for member in joint.members])
    new = [answer for (_, answer), p in zip(held, own[0], strict=True) if p == 0]
    strange = [answer for answer in new if answer not in joint.english.of(len(answer))[0].position]
    own = np.maximum(own[:, own.max(axis=0) > 0], 1e-12)
    weights = np.ones(len(own)) / len(own)
    for _ in range(ROUNDS):
        shares = weights[:, None] * own
        weights = (shares / shares.sum(axis=0)).mean(axis=1)
    names = [member.name for member in joint.members]
    fitted = {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)}
    Pool(fitted, smoothed(new, strange, start=0.5), len(held)).save(part)


def _likelihoods(guesser: Guesser, held: Sequence[tuple[str, str]]) -> list[float]:
    """The probability that a guesser gives each answer; 0 where it doesn't know it."""
    found: list[float] = []
    for start in range(0, len(held), BATCH):
        part = held[start : start + BATCH]
        asked = [Query(clue, "." * len(answer)) for clue, answer in part]
        for (_, answer), one in zip(part, guesser.distributions(asked), strict=True):
            at = one.words.position.get(answer)
            found.append(0.0 if at is None else float(np.exp(one.log_probs[at])))
    return found


__all__ = ["Settings", "build", "calibrate", "open_part"]

if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
