"""Trains `ngram`: how often each answer was used, and the rates of answers that are new.

    python -m train.ngram --corpus archive.zip --out models/ngram-only
    crossword train --corpus archive.zip --only ngram --out models/ngram-only

Takes seconds; the English comes with wordfreq.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from crossword.guessers.ngram import NAME, Rates, english, load_counts, open_part, sequences
from train.pairs import Pairs

LENGTHS = 23  # longer answers share the last rates
WEIGHT = 20.0  # held-out answers that the neighbouring rate counts for; arbitrary
FLATNESS = tuple(i / 10 for i in range(1, 11))


@dataclass(frozen=True)
class Settings:
    min_count: int = 1


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    counted: Counter[str] = Counter()
    for answer, count in zip(pairs.answers, pairs.counts, strict=True):
        counted[answer] += count
    kept = [answer for answer in pairs.vocabulary if counted[answer] >= settings.min_count]
    (part / "answers.txt").write_text("\n".join(kept) + "\n", encoding="ascii")
    counts = np.array([counted[answer] for answer in kept], dtype=np.int32)
    np.save(part / "counts.npy", counts, allow_pickle=False)


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Count how many held-out answers are new by length, and how uneven the new ones are."""
    counts = load_counts(part)
    answers = [answer for _, answer in held]
    new = [a for a in answers if a not in counts.get(len(a), {})]
    known = {n: {**sequences(n), **english().get(n, {})} for n in {len(a) for a in new}}
    strange = [a for a in new if a not in known[len(a)]]
    Rates(
        unseen=smoothed(answers, new, start=0.1),
        unknown=smoothed(new, strange, start=0.5),
        flatness=_flatness([a for a in new if a in known[len(a)]], counts, known),
        fitted_on=len(held),
    ).save(part)


def smoothed(of: Sequence[str], those: Sequence[str], start: float) -> tuple[float, ...]:
    """The share of `those` by length, each drawn towards that of the length before.

    Longer answers are newer, so a rare long one is better judged by its neighbour than by all.
    """
    rate = (len(those) + 2 * start) / (len(of) + 2)
    total, part = Counter(map(len, of)), Counter(map(len, those))
    found = []
    for length in range(LENGTHS):
        rate = (part[length] + WEIGHT * rate) / (total[length] + WEIGHT)
        found.append(round(rate, 5))
    return tuple(found)


def _flatness(
    found: Sequence[str],
    counts: dict[int, dict[str, int]],
    known: dict[int, dict[str, float]],
) -> float:
    """The power of English frequencies that makes new answers likeliest."""
    by_length: dict[int, list[str]] = {}
    for answer in found:
        by_length.setdefault(len(answer), []).append(answer)
    scores = np.zeros(len(FLATNESS))
    for length, answers in by_length.items():
        unseen = [s for a, s in known[length].items() if a not in counts.get(length, {})]
        own = np.array([known[length][answer] for answer in answers])
        for i, power in enumerate(FLATNESS):
            total = np.logaddexp.reduce(power * np.array(unseen))
            scores[i] += float((power * own - total).sum())
    return FLATNESS[int(scores.argmax())]


__all__ = ["Settings", "build", "calibrate", "open_part"]

if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
