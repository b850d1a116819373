"""The default solver: belief propagation, answers composed where none is known, then search.

The score of a whole fill is the sum of its words' log-probabilities given their clues, unknown
words included (Dr.Fill's weighted CSP, with calibrated costs). It is climbed from the likeliest
letters by changing a slot, a cell, or two crossing slots at once, until nothing helps. There is
always a best grid, so it can stop at any time. Where two crossing slots both fit badly, `rebus`
looks for cells of several letters; they stay if the score gains more than they cost.
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
)
from crossword.solvers.layout import Layout, lay_out
from crossword.solvers.letters import Limits
from crossword.solvers.rebus import LongerAnswers, find_rebus
from crossword.solvers.themes import themed
from crossword.solvers.widening import widened
from crossword.types import Distribution, Guesser, ProgressCallback, Solution, Statistics

OPTIONS = 60  # words that are tried in each slot; more cost time and gained nothing on 2022
PAIR_OPTIONS = 12  # words of each of two crossing slots that are tried together
REBUS_STEPS = 3  # at most; each adds the rebus cells that the last one made visible
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
        self.options = self._best(OPTIONS)
        self.pair_options = self._best(PAIR_OPTIONS)

    def _best(self, limit: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        slots = range(len(self.beliefs.layout.names))
        found = [self.beliefs.best_words(s, limit)[0] for s in slots]
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


@dataclass(frozen=True, eq=False)
class Attempt:
    """A grid found for one layout; `asked` are the distributions before phrases joined them."""

    layout: Layout
    asked: list[Distribution]
    beliefs: Beliefs
    best: Fill
    moves: int
    composed: int
    changed: int

    @property
    def fill(self) -> dict[Cell, str]:
        letters = {
            cell: chr(65 + int(self.best.letters[i])) for i, cell in enumerate(self.layout.cells)
        }
        return {**self.layout.contents, **letters}


class SearchSolver:
    """Belief propagation, climbing, repair, tricks. See the module's docstring."""

    name = "search"

    def __init__(
        self,
        *,
        repair: bool = True,
        compose: bool = True,
        tricks: bool = True,
        themes: bool = True,
    ) -> None:
        self.repair, self.compose, self.tricks, self.themes = repair, compose, tricks, themes

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
        asked = guesser.distributions(layout.queries)
        guess_seconds = monotonic() - before
        longer = LongerAnswers(guesser)
        found = self._attempt(layout, asked, longer, limits, on_progress)
        supposed: dict[Cell, tuple[tuple[str, float], ...]] = {}
        if self.tricks:
            found, supposed = self._with_rebus(found, longer, limits, on_progress)
        return Solution(
            fill=found.fill,
            letters={**letters_of(found.beliefs), **supposed},
            candidates=slot_candidates(found.beliefs, guesser),
            status=status_of(limits, found.fill, found.layout),
            statistics=Statistics(
                limits.seconds, guess_seconds, found.beliefs.rounds,
                {"moves": float(found.moves), "score": found.best.total,
                 "composed": float(found.composed), "rebus": float(len(supposed)),
                 "changed": float(found.changed)},
            ),
        )  # fmt: skip

    def _attempt(
        self,
        layout: Layout,
        asked: list[Distribution],
        longer: LongerAnswers,
        limits: Limits,
        on_progress: ProgressCallback | None,
    ) -> Attempt:
        beliefs = propagate(
            layout,
            asked,
            chain=chain_for(asked),
            limits=limits,
            on_round=reporter(layout, on_progress, "belief propagation"),
        )

        def again(messages: NDArray[np.float64], wider: list[Distribution], stage: str) -> Beliefs:
            """Propagate on, from where it was, with more answers."""
            return propagate(
                layout,
                wider,
                chain=chain_for(asked),
                limits=limits,
                start=messages,
                on_round=reporter(layout, on_progress, stage),
            )

        composed = 0
        compose = getattr(longer.guesser, "compose", None) if self.compose else None
        if compose is not None and not limits.reached():
            distributions, composed = widened(
                layout, asked, beliefs.messages, beliefs.unknown, compose
            )
            if composed:
                messages = beliefs.messages
                del beliefs  # before there are others: they are the most that a solve keeps
                beliefs = again(messages, distributions, "composing")
        changed = 0
        if self.themes and not limits.reached():
            distributions, changed = themed(beliefs, asked, longer, limits)
            if changed:
                messages = beliefs.messages
                del beliefs
                beliefs = again(messages, distributions, "themes")
        climber = Climber(beliefs)
        best = climber.fill(likeliest(beliefs))
        moves = 0
        if not limits.reached():
            moves += climber.climb(best)
        if self.repair and not limits.reached():
            while climber.climb(best, pairs=True) and not limits.reached():
                moves += 1 + climber.climb(best)
        return Attempt(layout, asked, beliefs, best, moves, composed, changed)

    def _with_rebus(
        self,
        found: Attempt,
        longer: LongerAnswers,
        limits: Limits,
        on_progress: ProgressCallback | None,
    ) -> tuple[Attempt, dict[Cell, tuple[tuple[str, float], ...]]]:
        """The attempt with rebus cells where that raises the score by more than they cost."""
        supposed: dict[Cell, tuple[tuple[str, float], ...]] = {}
        contents: dict[Cell, str] = {}
        for _ in range(REBUS_STEPS):
            if limits.reached():
                break
            known = sorted(set(contents.values()))
            rebus = find_rebus(found.beliefs, found.best.scores, longer, limits, known)
            if rebus is None or limits.reached():
                break
            layout = lay_out(found.layout.puzzle, {**contents, **rebus.contents})
            asked = list(found.asked)
            changed = [
                s for s, query in enumerate(layout.queries) if query != found.layout.queries[s]
            ]
            fresh = longer.guesser.distributions([layout.queries[s] for s in changed])
            for s, distribution in zip(changed, fresh, strict=True):
                asked[s] = distribution
            other = self._attempt(layout, asked, longer, limits, on_progress)
            if other.best.total + rebus.log_prior <= found.best.total:
                break
            found = other
            contents.update(rebus.contents)
            supposed.update(rebus.letters)
        return found, supposed
