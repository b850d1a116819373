"""Belief propagation as the literature has it, in plain numpy, to measure our solvers against.

As the Berkeley Crossword Solver (Wallace et al. 2022) describes it: ten undamped rounds of messages
between slots and cells; the chance that an answer is in no list is a fixed weight for each length,
by which a slot's letters are mixed with the letters' usual frequencies; then the likeliest word of
all is entered, words that contradict it are struck, and so on (greedy decoding). Cells that no word
reaches get their likeliest letter. The paper's second stage, which rescores with a large model, is
left out. Written anew from the paper; the weights come from our own guesser (`weights_of`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import Cell, Puzzle
from crossword.solvers.layout import Layout, lay_out
from crossword.solvers.letters import Limits
from crossword.types import Distribution, Guesser, ProgressCallback, Solution, Statistics

ROUNDS = 10
FLOOR = 1e-12  # of a letter's probability, so that its logarithm is finite

Floats = NDArray[np.float64]


def weights_of(distributions: Iterable[Distribution]) -> dict[int, float]:
    """For each length the mean of the guesser's P(in no list): fixed, whatever the clue."""
    by_length: dict[int, list[float]] = defaultdict(list)
    for one in distributions:
        by_length[one.words.length].append(float(np.exp(one.log_unknown)))
    return {length: float(np.mean(shares)) for length, shares in by_length.items()}


def _log_softmax(scores: Floats) -> Floats:
    peak = scores.max()
    return np.asarray(scores - peak - np.log(np.exp(scores - peak).sum()))


class _Slot:
    """One slot's words, and the messages that reach it, a row of 26 for each place."""

    def __init__(self, found: Distribution, fixed: Floats, unknown: float, usual: Floats) -> None:
        self.letters = found.words.letters.astype(np.int64)
        self.prior = found.log_probs.astype(np.float64)
        self.incoming = fixed[: found.words.length].copy()
        self.unknown, self.usual = unknown, usual

    def _heard(self) -> Floats:
        """What the messages add to each word, by place."""
        return np.stack([row[self.letters[:, i]] for i, row in enumerate(self.incoming)])

    def outgoing(self) -> Floats:
        """Log-probabilities of letters at each place, without what that place itself said."""
        made = np.tile(np.log(self.usual), (len(self.incoming), 1))
        if not len(self.letters):
            return made
        heard = self._heard()
        total = self.prior + heard.sum(axis=0)
        for i in range(len(self.incoming)):
            shares = np.exp(_log_softmax(total - heard[i]))
            letters = np.bincount(self.letters[:, i], shares, 26)
            made[i] = np.log(
                np.maximum((1 - self.unknown) * letters + self.unknown * self.usual, FLOOR)
            )
        return made

    def beliefs(self) -> Floats:
        """Log-probabilities of the words, given everything."""
        if not len(self.letters):
            return np.zeros(0)
        shares = _log_softmax(self.prior + self._heard().sum(axis=0))
        return np.asarray(shares + np.log1p(-self.unknown))


class LiteratureSolver:
    """Ten rounds, then greedy decoding. `unknown` gives each length its fixed weight."""

    name = "literature"

    def __init__(self, unknown: Mapping[int, float]) -> None:
        self._unknown = unknown

    def solve(
        self,
        puzzle: Puzzle,
        guesser: Guesser,
        *,
        timeout_seconds: float | None = None,
        on_progress: ProgressCallback | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Solution:
        limits = Limits(timeout_seconds, cancelled)
        layout = lay_out(puzzle.without_answers())
        before = monotonic()
        found = guesser.distributions(layout.queries)
        guess_seconds = monotonic() - before
        usual = _usual_letters(found)
        slots = [
            _Slot(one, layout.fixed[s], self._unknown.get(one.words.length, 0.5), usual)
            for s, one in enumerate(found)
        ]
        told = [slot.outgoing() for slot in slots]
        rounds = 0
        while rounds < ROUNDS and not limits.reached():
            _exchange(layout, slots, told)
            told = [slot.outgoing() for slot in slots]
            rounds += 1
        cells = np.zeros((len(layout.cells), 26))
        for s, rows in enumerate(told):
            free = layout.cell_of[s, : len(rows)]
            np.add.at(cells, free[free >= 0], rows[free >= 0])
        cells = np.exp(cells - cells.max(axis=1, keepdims=True)) if len(cells) else cells
        cells /= np.maximum(cells.sum(axis=1, keepdims=True), FLOOR)
        fill = {**layout.contents, **_decoded(layout, slots, cells)}
        return Solution(
            fill=fill,
            letters=_letters(layout, cells),
            candidates={},
            status=limits.stopped or "solved",
            statistics=Statistics(limits.seconds, guess_seconds, rounds),
        )


def _usual_letters(found: Iterable[Distribution]) -> Floats:
    """How often each letter stands in the guesser's words."""
    counts = np.ones(26)
    for words in {id(one.words): one.words for one in found}.values():
        counts += np.bincount(words.letters.ravel(), minlength=26)
    return np.asarray(counts / counts.sum())


def _exchange(layout: Layout, slots: list[_Slot], told: list[Floats]) -> None:
    """Each place hears what the slot that crosses it has said."""
    for s, slot in enumerate(slots):
        for i, other in enumerate(layout.cross[s, : len(slot.incoming)].tolist()):
            if other >= 0:
                slot.incoming[i] = told[other // layout.widest][other % layout.widest]


def _decoded(layout: Layout, slots: list[_Slot], cells: Floats) -> dict[Cell, str]:
    """The likeliest word of all, then the likeliest that agrees with it, to the end."""
    scores = [slot.beliefs() for slot in slots]
    best = np.array([row.max() if len(row) else -np.inf for row in scores])
    entered: dict[int, int] = {}
    while np.isfinite(best).any():
        s = int(best.argmax())
        word = slots[s].letters[int(scores[s].argmax())]
        best[s] = -np.inf
        scores[s] = np.full_like(scores[s], -np.inf)
        for i, letter in enumerate(word.tolist()):
            if layout.cell_of[s, i] >= 0:
                entered[int(layout.cell_of[s, i])] = letter
            other = int(layout.cross[s, i])
            if other >= 0 and len(scores[other // layout.widest]):
                across, place = divmod(other, layout.widest)
                scores[across][slots[across].letters[:, place] != letter] = -np.inf
                best[across] = scores[across].max()
    return {
        cell: chr(65 + entered.get(i, int(cells[i].argmax())))
        for i, cell in enumerate(layout.cells)
    }


def _letters(layout: Layout, cells: Floats) -> dict[Cell, tuple[tuple[str, float], ...]]:
    """Each cell's likeliest letters, best first; fixed cells are certain."""
    listed: dict[Cell, tuple[tuple[str, float], ...]] = {
        cell: ((text, 1.0),) for cell, text in layout.contents.items()
    }
    for cell, row in zip(layout.cells, cells, strict=True):
        order = np.argsort(-row, kind="stable")[:5]
        listed[cell] = tuple((chr(65 + int(c)), float(row[c])) for c in order)
    return listed
