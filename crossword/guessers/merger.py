"""The encoder's merger: one probability for each answer, and for "none of these".

It weighs the cosines of a clue's readings with the answers, the answers' priors, and what the
history says of the clue, in two softmaxes that are mixed. Its weights are fitted on held-out clues
(`train/merger.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError
from crossword.guessers.calibration import CALIBRATION
from crossword.guessers.patterns import repeated
from crossword.guessers.softmax import join_all, join_one
from crossword.guessers.tables import Answers
from crossword.text import KINDS, kind_of

LENGTHS = 16  # lengths 0 to 15 have weights of their own, longer ones share the last
Recalled = Literal["exact", "bag", "no"]  # what of a clue's history there is
RECALLED: tuple[Recalled, ...] = ("exact", "bag", "no")


@dataclass(frozen=True, eq=False)
class Memory:
    """What the history says of one clue: places of answers, and the logit that each gains."""

    places: NDArray[np.int64]
    gains: NDArray[np.float64]
    counts: Mapping[int, int] = field(default_factory=dict)
    recalled: Recalled = "no"


@dataclass(frozen=True)
class Merger:
    """The weights of the softmax. By length: cosine, prior of seen and of new answers, unknown.

    The prior of a seen answer is the log of how many clues it has had (`seen`) and of how often it
    was used lately (`recent`).
    `tower` weighs the cosine of a second reading of the clue, where there is one (`transformer`).
    An answer in the clue's history gains `exact` (or `bag`): a constant, and weights of the log of
    its count, of all counts, and of the number of different answers. Where there is a history,
    the cosines learned it too and say it twice, so that their weights are scaled: (cosine, tower,
    priors). `kinds` scales all cosines by the kind of clue, in the order of `KINDS`.

    A softmax alone is too sure where it is sure: now and then a clue means something else than it
    seems to, or than it meant before. So a second one is mixed in, which forgets the history and
    has its cosines scaled (`doubt_scale`). Its share is logistic: `doubt` by the kind of history,
    and `doubt_count` for the log of how often the clue has been seen.
    """

    cosine: tuple[float, ...] = (30.0,) * LENGTHS
    tower: tuple[float, ...] = (0.0,) * LENGTHS
    seen: tuple[float, ...] = (0.8,) * LENGTHS
    recent: tuple[float, ...] = (0.0,) * LENGTHS
    new: tuple[float, ...] = (0.8,) * LENGTHS
    newness: tuple[float, ...] = (0.0,) * LENGTHS
    unknown: tuple[float, ...] = (0.0,) * LENGTHS
    exact: tuple[float, ...] = (8.0, 1.0, 0.0, 0.0)
    bag: tuple[float, ...] = (3.0, 1.0, 0.0, 0.0)
    exact_scales: tuple[float, ...] = (1.0, 1.0, 1.0)
    bag_scales: tuple[float, ...] = (1.0, 1.0, 1.0)
    unknown_exact: float = 0.0
    unknown_bag: float = 0.0
    kinds: tuple[float, ...] = (1.0,) * len(KINDS)
    doubt: tuple[float, ...] = (-30.0,) * len(RECALLED)
    doubt_count: float = 0.0
    doubt_scale: float = 0.5
    doubt_unknown: float = 0.0
    fitted_on: int = 0

    def scales(self, recalled: Recalled) -> tuple[float, ...]:
        return {"exact": self.exact_scales, "bag": self.bag_scales}.get(recalled, (1.0,) * 3)

    def log_doubt(self, recalled: Recalled, count: int) -> tuple[float, float]:
        """Logs of the shares of the first softmax and of the second, for a clue seen so often."""
        logit = self.doubt[RECALLED.index(recalled)]
        logit += self.doubt_count * float(np.log(max(count, 1)))
        return -float(np.logaddexp(0, logit)), -float(np.logaddexp(0, -logit))

    def readings(self, clue: str, length: int, recalled: Recalled) -> tuple[float, float]:
        """The weights of the two readings' cosines for one clue."""
        at, scales = min(length, LENGTHS - 1), self.scales(recalled)
        kind = self.kinds[KINDS.index(kind_of(clue))]
        return self.cosine[at] * scales[0] * kind, self.tower[at] * scales[1] * kind

    def join(
        self, clues: Sequence[str], answers: Answers, memories: Sequence[Memory],
        seen: NDArray[np.float32], new: NDArray[np.float32],
        out: NDArray[np.float32], begins: Sequence[int],
    ) -> list[float]:  # fmt: skip
        """Log-probabilities for clues of one length, and of "none of these" (given back).

        `seen` and `new` are the weighted cosines of each clue; its log-probabilities are written to
        `out`, from its `begins` on.
        """
        words = answers.words
        if len(words) == 0:
            return [0.0] * len(clues)
        told = np.array([self._told(words.length, memory) for memory in memories])
        barred = [repeated(words, clue) for clue in clues]
        tables = (
            answers.seen, answers.new, answers.log_count, answers.log_recent, answers.log_prior
        )  # fmt: skip
        gains = [memory.gains.astype(np.float32) for memory in memories]
        if len(clues) == 1:  # no thread is worth waking
            at = np.array(barred[0], dtype=np.int64)
            mine = out[begins[0] : begins[0] + len(words)]
            return [
                join_one(
                    seen[0], new[0], *tables, told[0], at, memories[0].places, gains[0], mine
                )
            ]  # fmt: skip
        unknown = np.empty(len(clues))
        join_all(
            seen, new, *tables, told,
            np.array([place for one in barred for place in one], dtype=np.int64),
            np.cumsum([0, *map(len, barred)]),
            np.concatenate([memory.places for memory in memories]), np.concatenate(gains),
            np.cumsum([0, *map(len, gains)]), out, np.array(begins, dtype=np.int64), unknown,
        )  # fmt: skip
        return [float(one) for one in unknown]

    def _told(self, length: int, memory: Memory) -> list[float]:
        """The columns that `softmax` reads of one clue."""
        at, scale = min(length, LENGTHS - 1), self.scales(memory.recalled)[2]
        more = {"exact": self.unknown_exact, "bag": self.unknown_bag, "no": 0.0}
        unknown = self.unknown[at] + more[memory.recalled]
        sure, doubt = self.log_doubt(memory.recalled, sum(memory.counts.values()))
        return [
            scale * self.seen[at], scale * self.recent[at], scale * self.new[at], self.newness[at],
            self.doubt_scale, sure, doubt, unknown, unknown + self.doubt_unknown,
        ]  # fmt: skip

    def save(self, part: Path) -> None:
        (part / CALIBRATION).write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, part: Path) -> Merger:
        path = part / CALIBRATION
        try:
            entries: dict[str, Any] = json.loads(path.read_text())
            fields: dict[str, Any] = {
                name: tuple(map(float, value)) if isinstance(value, list) else value
                for name, value in entries.items()
            }
            return cls(**fields)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise ModelError(f"{path} can't be read: {error}") from None
