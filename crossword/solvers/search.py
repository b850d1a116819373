"""The default solver: belief propagation, answers composed where none is known, then search.

The score of a whole fill is the sum of its words' log-probabilities given their clues, unknown
words included (Dr.Fill's weighted CSP, with calibrated costs). It is climbed from the likeliest
letters by changing a slot, a cell, or two crossing slots at once, until nothing helps. There is
always a best grid, so it can stop at any time. Rebus cells that nobody gave are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import Cell, Puzzle
from crossword.solvers import climbing
from crossword.solvers.belief import (
    Beliefs,
    chain_for,
    letters_of,
    propagate,
    reporter,
    slot_candidates,
    status_of,
    word_scores,
)
from crossword.solvers.layout import lay_out
from crossword.solvers.letters import Limits
from crossword.solvers.widening import widened
from crossword.types import Guesser, ProgressCallback, Solution, Statistics

OPTIONS = 60  # words that are tried in each slot; more cost time and gained nothing on 2022
PAIR_OPTIONS = 12  # words of each of two crossing slots that are tried together
SWEEPS = 20  # at most; climbing ends by itself in two or three


@dataclass(eq=False)
class Fill:
    """A whole fill as letters by cell index, with the score of each slot."""

    letters: NDArray[np.uint8]
    scores: NDArray[np.float64]

    @property
    def total(self) -> float:
        return float(self.scores.sum())

    def copy(self) -> Fill:
        return Fill(self.letters.copy(), self.scores.copy())


class Climber:
    """Scores and improves fills of one puzzle under one set of beliefs."""

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs = beliefs
        layout, words, chain = beliefs.layout, beliefs.candidates, beliefs.chain
        # A sign that is no letter is scored as A: its place is the same in every fill.
        letters = np.where(layout.fixed.min(axis=2) < 0, layout.fixed.argmax(axis=2), 0)
        self.model = climbing.Model(
            layout.cross, layout.cell_of, letters.astype(np.int64), layout.lengths,
            words.letters, words.letters_at, words.log_probs, words.words_at,
            words.log_unknown, words.tilt, chain.chain, chain.ends, chain.log_ends,
        )  # fmt: skip
        scores = word_scores(beliefs)
        self.options = self._best(scores, OPTIONS)
        self.pair_options = self._best(scores, PAIR_OPTIONS)

    def _best(
        self, scores: NDArray[np.float32], limit: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        words_at = self.beliefs.candidates.words_at
        found: list[NDArray[np.int32]] = []
        for s in range(len(words_at) - 1):
            own = scores[words_at[s] : words_at[s + 1]]
            top = np.argpartition(own, -limit)[-limit:] if len(own) > limit else np.arange(len(own))
            found.append(top[np.lexsort((top, -own[top]))].astype(np.int32))
        at = np.zeros(len(found) + 1, dtype=np.int64)
        at[1:] = np.cumsum([len(top) for top in found])
        return np.concatenate([*found, np.zeros(0, dtype=np.int32)]), at

    def fill(self, letters: NDArray[np.uint8]) -> Fill:
        return Fill(letters, climbing.fill_scores(letters, self.model))

    def climb(self, fill: Fill, *, pairs: bool = False) -> int:
        options, options_at = self.pair_options if pairs else self.options
        return int(
            climbing.climb(
                fill.letters, fill.scores, self.model, options, options_at, pairs, SWEEPS
            )
        )


def likeliest(beliefs: Beliefs) -> NDArray[np.uint8]:
    if not len(beliefs.cells):
        return np.zeros(0, dtype=np.uint8)
    return np.asarray(beliefs.cells.argmax(axis=1), dtype=np.uint8)


class SearchSolver:
    """Belief propagation, climbing, repair. See the module's docstring."""

    name = "search"

    def __init__(self, *, repair: bool = True, compose: bool = True) -> None:
        self.repair, self.compose = repair, compose

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
        distributions = guesser.distributions(layout.queries)
        guess_seconds = monotonic() - before
        beliefs = propagate(
            layout,
            distributions,
            chain=chain_for(distributions),
            limits=limits,
            on_round=reporter(layout, on_progress, "belief propagation"),
        )
        composed = 0
        compose = getattr(guesser, "compose", None) if self.compose else None
        if compose is not None and not limits.reached():
            distributions, composed = widened(
                layout, distributions, beliefs.messages, beliefs.unknown, compose
            )
            if composed:
                beliefs = propagate(
                    layout,
                    distributions,
                    chain=beliefs.chain,
                    limits=limits,
                    start=beliefs.messages,
                    on_round=reporter(layout, on_progress, "composing"),
                )
        climber = Climber(beliefs)
        best = climber.fill(likeliest(beliefs))
        moves = 0
        if not limits.reached():
            moves += climber.climb(best)
        if self.repair and not limits.reached():
            while climber.climb(best, pairs=True) and not limits.reached():
                moves += 1 + climber.climb(best)
        fill: dict[Cell, str] = dict(layout.contents)
        fill.update((cell, chr(65 + int(best.letters[i]))) for i, cell in enumerate(layout.cells))
        return Solution(
            fill=fill,
            letters=letters_of(beliefs),
            candidates=slot_candidates(beliefs),
            status=status_of(limits, fill, layout),
            statistics=Statistics(
                limits.seconds, guess_seconds, beliefs.rounds,
                {"moves": float(moves), "score": best.total, "composed": float(composed)},
            ),
        )  # fmt: skip
