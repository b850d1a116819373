"""Statistics of a collection: commonest answers, Zipf's law, English word sequences, lengths.

Streams the puzzles and keeps only counts. The same solved grid counts once, so overlapping archives
can be given together. An answer is an English sequence of 1, 2 or 3 words if it splits into words
that wordfreq knows to be common enough; the fewest words that do count. Left out: inflection,
names that wordfreq doesn't have, foreign words (it has many, since English texts do).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from crossword.evaluation.metrics import UNDATED, WEEKDAYS, weekday_of
from crossword.evaluation.selection import identity
from crossword.puzzle import Puzzle

MOST_WORDS = 3
COMMONEST = 20
FIT_FROM, FIT_TO = 10, 10_000  # ranks for Zipf's exponent: the head and the tail bend in any corpus

# Frequencies a word needs, on wordfreq's Zipf scale (3 is once in a million words). Chosen by eye:
# lower bars let letter pairs of the web pass as words, and then anything is a sequence of words.
ALONE_FREQUENCY = 1.5
PART_FREQUENCY = 3.0
SHORT_FREQUENCY = 5.0  # of a part of two letters
ONE_LETTER = frozenset("AI")


@dataclass
class Collection:
    """Counts over puzzles, taken one at a time with `add`."""

    puzzles: int = 0
    repeats: int = 0
    rebus: int = 0
    clues: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    weekdays: Counter[str] = field(default_factory=Counter)
    years: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)
    _known: set[bytes] = field(default_factory=set)

    def add(self, puzzle: Puzzle) -> bool:
        """Count a puzzle; False if its solved grid was counted before."""
        if puzzle.has_solution:
            own = identity(puzzle)
            if own in self._known:
                self.repeats += 1
                return False
            self._known.add(own)
        self.puzzles += 1
        self.rebus += bool(puzzle.rebus)
        self.weekdays[weekday_of(puzzle.date)] += 1
        self.years[puzzle.date[:4] or UNDATED] += 1
        self.sizes[f"{puzzle.grid.height}×{puzzle.grid.width}"] += 1
        self.clues += len(puzzle.clues)
        for slot in puzzle.slots:
            if answer := puzzle.answer(slot.name):
                self.answers[answer] += 1
        return True


@dataclass(frozen=True)
class English:
    """The words that count alone, and those that count as parts of a sequence."""

    alone: Set[str]
    parts: Set[str]

    @classmethod
    def common(cls) -> English:
        """From wordfreq's English list."""
        from wordfreq import get_frequency_dict

        from crossword.text import normalise_answer

        alone, parts = set(), set()
        for word, frequency in get_frequency_dict("en", wordlist="best").items():
            if not frequency or not any(sign.isalpha() for sign in word):
                continue
            answer = normalise_answer(word)
            zipf = float(np.log10(frequency)) + 9
            if len(answer) >= 2 and zipf >= ALONE_FREQUENCY:
                alone.add(answer)
            if (
                answer in ONE_LETTER
                or (len(answer) == 2 and zipf >= SHORT_FREQUENCY)
                or (len(answer) > 2 and zipf >= PART_FREQUENCY)
            ):
                parts.add(answer)
        return cls(frozenset(alone), frozenset(parts))

    def words(self, answer: str) -> int:
        """The fewest words (1 to 3) that make up an answer; 0 if none do."""
        if answer in self.alone:
            return 1
        # fewest[i] is the fewest parts that make up answer[:i], up to three.
        far = MOST_WORDS + 1
        fewest = [0] + [far] * len(answer)
        for end in range(1, len(answer) + 1):
            for start in range(end):
                if fewest[start] + 1 < fewest[end] and answer[start:end] in self.parts:
                    fewest[end] = fewest[start] + 1
        return fewest[-1] if 1 <= fewest[-1] <= MOST_WORDS else 0


def statistics(collection: Collection, english: English) -> dict[str, Any]:
    """The figures of a collection, ready for JSON, a terminal or a page."""
    answers = collection.answers
    used = answers.total()
    distinct = Counter[int]()
    uses = Counter[int]()
    for answer, count in answers.items():
        words = english.words(answer)
        distinct[words] += 1
        uses[words] += count
    fit = zipf_fit(answers.values())
    lengths = Counter[int]()
    for answer, count in answers.items():
        lengths[len(answer)] += count
    return {
        "puzzles": collection.puzzles,
        "repeats": collection.repeats,
        "rebus_puzzles": collection.rebus,
        "clues": collection.clues,
        "answers": used,
        "distinct_answers": len(answers),
        "once_only": sum(count == 1 for count in answers.values()),
        "commonest": [
            [answer, count]
            for answer, count in sorted(answers.items(), key=lambda pair: (-pair[1], pair[0]))
        ][:COMMONEST],
        "zipf": None if fit is None else {"exponent": fit[0], "scale": fit[1]},
        "english": {
            str(words): {
                "distinct": distinct[words] / max(1, len(answers)),
                "used": uses[words] / max(1, used),
            }
            for words in (1, 2, 3, 0)
        },
        "lengths": {str(length): lengths[length] for length in sorted(lengths)},
        "weekdays": {
            day: collection.weekdays[day]
            for day in (*WEEKDAYS, UNDATED)
            if day in collection.weekdays
        },
        "years": dict(sorted(collection.years.items())),
        "sizes": dict(collection.sizes.most_common(10)),
    }


def zipf_fit(counts: Iterable[int]) -> tuple[float, float] | None:
    """(s, c) of count ≈ c · rank^−s, by least squares on the logarithms; None if too few.

    The ranks are taken evenly on the logarithmic scale, or the tail would be all that counts.
    """
    ordered = np.array(sorted(counts, reverse=True)[:FIT_TO], dtype=np.float64)
    if len(ordered) < 2 * FIT_FROM:
        return None
    ranks = np.unique(np.geomspace(FIT_FROM, len(ordered), 100).astype(np.int64))
    slope, intercept = np.polyfit(np.log(ranks), np.log(ordered[ranks - 1]), 1)
    return float(-slope), float(np.exp(intercept))
