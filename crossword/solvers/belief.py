"""Loopy belief propagation between slots and cells over the whole vocabulary.

After Littman, Keim and Shazeer's Proverb (1999) and the Berkeley Crossword Solver (2022), with an
explicit hypothesis "the answer is in no list" whose weight is inferred with the messages. All
messages are exchanged at once and damped, so that the order of slots plays no part. The fill is the
likeliest letter of each cell; `search` makes a better one from the same beliefs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from mmap import MADV_NOHUGEPAGE, mmap
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import Cell, Puzzle
from crossword.solvers import propagation
from crossword.solvers.chains import LetterChain, letter_chain
from crossword.solvers.layout import HARD, Layout, gather, lay_out
from crossword.solvers.letters import Limits
from crossword.solvers.propagation import Candidates
from crossword.types import (
    Guess,
    Guesser,
    Progress,
    ProgressCallback,
    Solution,
    Statistics,
    Status,
)
from crossword.vocabulary import Vocabulary, Words

if TYPE_CHECKING:
    from crossword.types import Distribution

ROUNDS = 24  # at most; most puzzles settle in fewer. Tuned on 2022
DAMPING = 0.35  # share of the old message that is kept. Tuned on 2022
SETTLED = 0.01  # largest change of a cell's probability that counts as none; arbitrary
WIDTH = (
    18.0  # words further below a slot's best than e^18 sit a round out; arbitrary, checked on 2022
)
RESCAN = 4  # rounds between two scans of the whole vocabulary; arbitrary
FLOOR = -25.0  # the least log-message
SHOWN = 10  # candidates a slot reports


@dataclass(frozen=True, eq=False)
class Standing:
    """The words that matter in each slot under some messages, and their scores.

    Slot s has the first `kept[s]` entries from `words_at[s]` of the candidates on (or `ALL`: see
    `propagation.scan`). Nothing is written to the rest.
    """

    active: NDArray[np.int32]
    scores: NDArray[np.float32]
    kept: NDArray[np.int64]

    @classmethod
    def unseen(cls, candidates: Candidates) -> Standing:
        size = len(candidates.log_probs)
        return cls(
            np.frombuffer(_sparse(4 * size), dtype=np.int32)[:size],
            np.frombuffer(_sparse(4 * size), dtype=np.float32)[:size],
            np.full(len(candidates.letters_at), propagation.ALL, dtype=np.int64),
        )

    def scan(
        self,
        layout: Layout,
        candidates: Candidates,
        messages: NDArray[np.float64],
        *,
        every: bool,
        final: bool = False,
    ) -> None:
        """Look through the words again, or through `every` one of the vocabulary."""
        propagation.scan(
            candidates, layout.lengths, messages.astype(np.float32), WIDTH, every, final,
            self.active, self.scores, self.kept,
        )  # fmt: skip


def _sparse(size: int) -> mmap:
    """Memory of which only what is written to takes room: no huge pages, as numpy's arrays have."""
    found = mmap(-1, max(size, 4))
    if sys.platform == "linux":
        found.madvise(MADV_NOHUGEPAGE)
    return found


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What propagation found: log-messages into the slots, and probabilities of cells."""

    layout: Layout
    candidates: Candidates
    distributions: tuple[Distribution, ...]
    chain: LetterChain
    messages: NDArray[np.float64]
    cells: NDArray[np.float64]  # (cell, letter)
    unknown: NDArray[np.float64]  # P(the slot's answer is in no list)
    standing: Standing  # under the final messages
    rounds: int

    def words_of(self, s: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The words of a slot that matter, as indices into its own, and their final scores."""
        begin = int(self.candidates.words_at[s])
        end = begin + int(self.standing.kept[s])
        return self.standing.active[begin:end], self.standing.scores[begin:end].astype(np.float64)

    def best_words(self, s: int, limit: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The slot's best words under the final messages, the best first, and their scores."""
        words, scores = self.words_of(s)
        if len(words) > limit:
            # All that are as good as the last one, so that equals are told apart by their order.
            some = scores >= np.partition(scores, -limit)[-limit]
            words, scores = words[some], scores[some]
        order = np.lexsort((words, -scores))[:limit]
        return words[order], scores[order]

    def best_letters(self) -> dict[Cell, str]:
        best = self.cells.argmax(axis=1)
        return {cell: chr(65 + best[i]) for i, cell in enumerate(self.layout.cells)}


_chains: dict[tuple[int, ...], LetterChain] = {}


def chain_for(distributions: list[Distribution]) -> LetterChain:
    """The letter chain of the guesser's own vocabulary, made once for each."""
    words: dict[int, Words] = {d.words.length: d.words for d in distributions if len(d.words)}
    key = tuple(sorted(id(w) for w in words.values()))
    if key not in _chains:
        _chains.clear()  # one vocabulary at a time is in use; nothing may grow from run to run
        _chains[key] = letter_chain(Vocabulary(words))
    return _chains[key]


def propagate(
    layout: Layout,
    distributions: list[Distribution],
    *,
    chain: LetterChain,
    limits: Limits,
    rounds: int = ROUNDS,
    damping: float = DAMPING,
    unknowns: bool = True,
    start: NDArray[np.float64] | None = None,
    symbols: NDArray[np.float64] | None = None,
    on_round: Callable[[NDArray[np.float64], float], None] | None = None,
) -> Beliefs:
    """Run belief propagation until it settles, `rounds` are over, or the limits are reached.

    `start` are messages to begin with, of an earlier run over the same layout. With `symbols`
    words may have codes from 26 on (see `propagation.slot_beliefs`), and so do cells.
    """
    if symbols is None:
        symbols = np.zeros(0)
    signs = 26 + len(symbols)
    candidates = gather(layout, distributions)
    count, widest = layout.cross.shape
    messages = with_symbols(layout.fixed, len(symbols)) if start is None else start.copy()
    crossed = layout.cross >= 0
    free = layout.cell_of >= 0
    beliefs = np.full((count, widest, signs), 1.0 / signs)
    unknown = np.zeros(count)
    log_unknown = candidates.log_unknown if unknowns else np.full(count, -60.0)
    cells = np.full((len(layout.cells), signs), 1.0 / signs)
    standing = Standing.unseen(candidates)
    done = 0
    for done in range(1, rounds + 1):
        # The first messages leave few words; what they leave is sifted in the rounds between.
        standing.scan(layout, candidates, messages, every=done == 2 or done % RESCAN == 1)
        propagation.slot_beliefs(
            candidates, layout.lengths, WIDTH, standing.active, standing.scores, standing.kept,
            messages, log_unknown, chain.chain, chain.ends, chain.log_ends, symbols,
            beliefs, unknown,
        )  # fmt: skip
        out = np.log(np.maximum(beliefs, 1e-30)) - messages
        out = np.maximum(out - out.max(axis=2, keepdims=True), FLOOR)
        incoming = out.reshape(-1, signs)[np.maximum(layout.cross, 0)]
        target = np.where(crossed[:, :, None], incoming, messages)
        messages = (
            damping * messages + (1 - damping) * target if done > 1 or start is not None else target
        )
        log_cells = np.zeros((len(layout.cells), signs))
        np.add.at(log_cells, layout.cell_of[free], out[free])
        log_cells -= log_cells.max(axis=1, keepdims=True) if len(log_cells) else 0.0
        new_cells = np.exp(log_cells)
        new_cells /= new_cells.sum(axis=1, keepdims=True)
        change = float(np.abs(new_cells - cells).max()) if len(cells) else 0.0
        cells = new_cells
        if on_round is not None:
            on_round(cells, done / rounds)
        if change < SETTLED or limits.reached():
            break
    standing.scan(layout, candidates, messages, every=True, final=True)
    return Beliefs(
        layout, candidates, tuple(distributions), chain, messages, cells, unknown, standing, done
    )


def with_symbols(fixed: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The weights of fixed places with columns for symbols, which no fixed place takes."""
    barred = np.where(fixed.min(axis=2, keepdims=True) < 0, HARD, 0.0)
    return np.concatenate([fixed, np.repeat(barred, count, axis=2)], axis=2)


def slot_candidates(
    beliefs: Beliefs, guesser: Guesser, limit: int = SHOWN
) -> dict[str, tuple[Guess, ...]]:
    """Each slot's best known answers with their probability given everything, and why.

    The evidence is what the guesser says of the answer, if it can, and how likely it was before
    any crossing.
    """
    layout = beliefs.layout
    explain = getattr(guesser, "explain", None)
    found: dict[str, tuple[Guess, ...]] = {}
    for s, name in enumerate(layout.names):
        _, scores = beliefs.words_of(s)
        if not len(scores):
            found[name] = ()
            continue
        top, own = beliefs.best_words(s, limit)
        total = np.exp(scores - own[0]).sum()
        shares = (1.0 - beliefs.unknown[s]) * np.exp(own - own[0]) / total
        words, prior = beliefs.distributions[s].words, beliefs.distributions[s].log_probs
        listed = [(words[int(w)], float(p), w) for w, p in zip(top, shares, strict=True)]
        listed = [entry for entry in listed if entry[1] >= 1e-6]
        answers = [answer for answer, _, _ in listed]
        told = explain(layout.queries[s].clue, answers) if explain else [()] * len(answers)
        found[name] = tuple(
            Guess(
                answer,
                float(np.log(probability)),
                probability,
                (*lines, f"clue alone: {np.exp(prior[w]):.3g}"),
            )
            for (answer, probability, w), lines in zip(listed, told, strict=True)
        )
    return found


def letters_of(beliefs: Beliefs) -> dict[Cell, tuple[tuple[str, float], ...]]:
    """For each cell its likely letters, best first; fixed cells are certain."""
    found: dict[Cell, tuple[tuple[str, float], ...]] = {
        cell: ((text, 1.0),) for cell, text in beliefs.layout.contents.items()
    }
    for i, cell in enumerate(beliefs.layout.cells):
        row = beliefs.cells[i]
        order = np.lexsort((np.arange(26), -row))[:5]
        found[cell] = tuple((chr(65 + int(c)), float(row[c])) for c in order if row[c] > 1e-4)
    return found


class BeliefSolver:
    """Belief propagation, then the likeliest letter of each cell."""

    name = "belief"
    order_independent = True  # claimed here, held to it by the contract's tests

    def __init__(
        self, *, rounds: int = ROUNDS, damping: float = DAMPING, unknowns: bool = True
    ) -> None:
        self.rounds, self.damping, self.unknowns = rounds, damping, unknowns

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
        puzzle = puzzle.without_answers()
        layout = lay_out(puzzle)
        before = monotonic()
        distributions = guesser.distributions(layout.queries)
        guess_seconds = monotonic() - before
        beliefs = propagate(
            layout,
            distributions,
            chain=chain_for(distributions),
            limits=limits,
            rounds=self.rounds,
            damping=self.damping,
            unknowns=self.unknowns,
            on_round=reporter(layout, on_progress, "belief propagation"),
        )
        fill = {**layout.contents, **beliefs.best_letters()}
        return Solution(
            fill=fill,
            letters=letters_of(beliefs),
            candidates=slot_candidates(beliefs, guesser),
            status=status_of(limits, fill, layout),
            statistics=Statistics(limits.seconds, guess_seconds, beliefs.rounds),
        )


def status_of(limits: Limits, fill: Mapping[Cell, str], layout: Layout) -> Status:
    if limits.stopped is not None:
        return limits.stopped
    return "solved" if all(cell in fill for cell in layout.cells) else "partial"


def reporter(
    layout: Layout, on_progress: ProgressCallback | None, stage: str
) -> Callable[[NDArray[np.float64], float], None] | None:
    """A callback that turns cell probabilities into `Progress`, or None if nobody listens."""
    if on_progress is None:
        return None

    def report(cells: NDArray[np.float64], fraction: float) -> None:
        best = cells.argmax(axis=1) if len(cells) else np.zeros(0, dtype=np.int64)
        fill = {cell: chr(65 + int(best[i])) for i, cell in enumerate(layout.cells)}
        sure = {cell: float(cells[i, best[i]]) for i, cell in enumerate(layout.cells)}
        on_progress(
            Progress({**layout.contents, **fill}, {**dict.fromkeys(layout.contents, 1.0), **sure},
                     stage, fraction)
        )  # fmt: skip

    return report
