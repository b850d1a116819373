"""Finds rebus cells, which want several letters, where two crossing slots fit badly as they are.

Each cell's symbol is a letter or one of a few *contents* (strings of letters). Contents are
proposed by answers that are longer than their slot and fit it if one cell takes the surplus; then
belief propagation runs once more with an alphabet that has those contents too, so crossing slots
must agree on them. A puzzle that has a content once is likely to have it again. Contents that read
differently across and down, and signs that are no letters, are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numba
import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import Cell
from crossword.solvers import propagation
from crossword.solvers.belief import Beliefs, active_words, propagate, word_scores
from crossword.solvers.layout import Layout
from crossword.solvers.letters import BATCH, Limits
from crossword.solvers.rebus_kernels import longer_fits
from crossword.types import Distribution, Guesser, Query
from crossword.vocabulary import Words

SURPLUS = 5  # letters that a cell may have more than one; 97 % of the rebus cells of 2005-2014
SIGN = -22.0  # two crossing slots that score less than this together are a sign
LATER_SIGN = -12.0  # the same once a rebus has been found
SUSPECT = -20.0  # a cell whose two slots have less log-evidence than this is looked at
CONTENTS = 40  # contents that are tried together; arbitrary
MOST_SYMBOLS = 200  # codes are bytes
ROOM = 20_000  # fits of longer words that are looked at a slot and length; arbitrary
TOP = 300  # of those, the best that propose contents; arbitrary
LEAST = -15.0  # longer words with less log-probability than this are passed over; arbitrary
LETTER = -2.3  # log-probability of a letter of an unknown answer, about; English
# Log-priors, about as in the dailies of 2005 to 2014: a puzzle has a rebus; a cell of it is one;
# its content is this one (the first time); it is the same as before.
PUZZLE, CELL, CONTENT, SAME = -2.8, -3.5, -7.5, -0.7


@dataclass(frozen=True, eq=False)
class Rebus:
    """Cells with their supposed contents, how likely each is, and the log-odds to pay for them."""

    contents: Mapping[Cell, str]
    letters: Mapping[Cell, tuple[tuple[str, float], ...]]
    log_prior: float


def log_prior(contents: Iterable[str], known: Iterable[str] = ()) -> float:
    """The log-prior odds of contents, given those that the puzzle is known to have."""
    seen = set(known)
    total = 0.0 if seen else PUZZLE
    for content in sorted(contents):
        total += CELL + (SAME if seen else 0.0) + (0.0 if content in seen else CONTENT)
        seen.add(content)
    return total


@dataclass(eq=False)
class LongerAnswers:
    """Distributions for answers longer than their slot, each asked for once."""

    layout: Layout
    guesser: Guesser
    found: dict[tuple[int, int], Distribution] = field(default_factory=dict)

    def ask(self, wanted: Iterable[tuple[int, int]], limits: Limits) -> bool:
        """Ask for (slot, surplus) pairs; false if the limits were reached before all were there."""
        # By length, so that a batch is of few lengths, which a guesser scores together.
        fresh = sorted(
            set(wanted) - self.found.keys(), key=lambda at: (self.layout.lengths[at[0]] + at[1], at)
        )
        for begin in range(0, len(fresh), BATCH):
            if limits.reached():
                return False
            batch = fresh[begin : begin + BATCH]
            queries = [
                Query(self.layout.queries[s].clue, "." * (int(self.layout.lengths[s]) + surplus))
                for s, surplus in batch
            ]
            self.found.update(zip(batch, self.guesser.distributions(queries), strict=True))
        return True


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the slots say of their places; logs, the message into the place itself left out."""

    letters: NDArray[np.float64]  # (slot, place, letter): the slot has this letter there
    open: NDArray[np.float64]  # (slot, place): its answer is in no list, whatever is there


@dataclass(frozen=True, slots=True)
class Crossed:
    """A cell of two slots, with its log-evidence for being one letter."""

    slot: int
    place: int
    other: int
    other_place: int
    plain: float


def find_rebus(
    beliefs: Beliefs,
    scores: NDArray[np.float64],
    guesser: Guesser,
    limits: Limits,
    known: Sequence[str] = (),
) -> Rebus | None:
    """Likely rebus cells, or None where nothing speaks for any.

    `scores` are the slots' scores in the best fill so far, `known` the contents found before.
    """
    layout = beliefs.layout
    if not has_sign(layout, scores, LATER_SIGN if known else SIGN):
        return None
    seen = evidence(beliefs)
    suspects = [one for one in crossed_cells(layout, seen) if one.plain < SUSPECT]
    slots = sorted({s for one in suspects for s in (one.slot, one.other)})
    longer = LongerAnswers(layout, guesser)
    if not longer.ask(((s, k) for s in slots for k in range(1, SURPLUS + 1)), limits):
        return None
    contents = list(
        dict.fromkeys([*sorted(set(known)), *proposed(beliefs, seen, suspects, longer)])
    )
    contents = contents[: CONTENTS + len(known)]
    if not contents:
        return None
    first = _with_contents(beliefs, longer, contents, CELL, limits)
    likely = [c for c, p in zip(contents, first.cells[:, 26:].max(axis=0), strict=True) if p > 0.2]
    likely = sorted({*likely, *known})
    if not likely or limits.reached():
        return None
    widths = {len(content) - 1 for content in likely}
    sums = {*widths, *(a + b for a in widths for b in widths)}
    every = range(len(layout.names))
    if not longer.ask(((s, m) for s in every for m in sums if m <= 2 * SURPLUS), limits):
        return None
    second = _with_contents(beliefs, longer, likely, CELL + SAME, limits)
    return _decoded(second, likely, known)


def has_sign(layout: Layout, scores: NDArray[np.float64], least: float) -> bool:
    """Whether some two crossing slots both fit badly."""
    s, i = np.nonzero(layout.cross >= 0)
    if not len(s):
        return False
    return bool((scores[s] + scores[layout.cross[s, i] // layout.widest]).min() < least)


def evidence(beliefs: Beliefs) -> Evidence:
    layout, words, chain = beliefs.layout, beliefs.candidates, beliefs.chain
    messages = beliefs.messages
    active, active_at = active_words(layout, words, messages)
    shares, unknown = np.full(messages.shape, 1.0 / 26), np.zeros(len(layout.names))
    propagation.slot_beliefs(
        words.letters, words.letters_at, words.log_probs, words.words_at, layout.lengths,
        active, active_at, messages, words.tilt, words.log_unknown,
        chain.chain, chain.ends, chain.log_ends, np.zeros(0), shares, unknown,
    )  # fmt: skip
    own = word_scores(beliefs).astype(np.float64)
    totals = np.zeros(len(layout.names))
    spelled = np.full(layout.cross.shape, -np.inf)
    for s, length in enumerate(layout.lengths):
        weights = np.exp(messages[s, :length]) * words.tilt[s, :length]
        marginals = np.empty((length, 26))
        log_z = propagation.chain_marginals(weights, chain.chain, chain.ends, marginals)
        log_z += words.log_unknown[s] - chain.log_ends[length]
        spelled[s, :length] = log_z + np.log((marginals / np.maximum(weights, 1e-30)).sum(axis=1))
        known = np.logaddexp.reduce(own[words.words_at[s] : words.words_at[s + 1]], initial=-1e9)
        totals[s] = np.logaddexp(known, log_z)
    letters = np.log(np.maximum(shares, 1e-30)) - messages + totals[:, None, None]
    return Evidence(letters, spelled)


def crossed_cells(layout: Layout, seen: Evidence) -> list[Crossed]:
    """Every cell of unknown content that two slots share."""
    found: list[Crossed] = []
    for s, i in zip(*np.nonzero(layout.cross >= 0), strict=True):
        t, j = divmod(int(layout.cross[s, i]), layout.widest)
        if t > s:
            both = seen.letters[s, i] + seen.letters[t, j]
            found.append(Crossed(int(s), int(i), t, j, float(np.logaddexp.reduce(both))))
    return found


def proposed(
    beliefs: Beliefs, seen: Evidence, suspects: list[Crossed], longer: LongerAnswers
) -> list[str]:
    """Contents that would explain suspect cells, the best first."""
    layout = beliefs.layout
    pairs = [((one.slot, one.place), (one.other, one.other_place), one.plain) for one in suspects]
    # First the best that any answer can do at each place; an answer has at most probability 1, so
    # it must reach the cell's evidence. Then only what can gain with the best of the other slot.
    floors = np.full(layout.cross.shape, np.inf)
    for here, there, plain in pairs:
        floors[here] = floors[there] = plain
    best = np.full(layout.cross.shape, -np.inf)
    _each_slot(beliefs, longer, floors, best, room=0)
    reach = np.maximum(best, seen.open + 2 * LETTER)
    for here, there, plain in pairs:
        floors[here], floors[there] = plain - reach[there], plain - reach[here]
    explained: dict[tuple[int, int], dict[str, float]] = defaultdict(dict)
    for s, listed in _each_slot(beliefs, longer, floors, best, room=ROOM):
        for i, content, score in listed:
            before = explained[s, i].get(content, -np.inf)
            explained[s, i][content] = float(np.logaddexp(before, score))
    gains: dict[str, float] = defaultdict(float)
    for here, there, plain in pairs:
        ours, theirs = explained.get(here, {}), explained.get(there, {})
        for content in ours.keys() | theirs.keys():
            spelled = LETTER * len(content)
            gain = (
                np.logaddexp(ours.get(content, -np.inf), seen.open[here] + spelled)
                + np.logaddexp(theirs.get(content, -np.inf), seen.open[there] + spelled)
                - plain
            )
            gains[content] += max(0.0, float(gain))
    return sorted(
        (c for c in gains if gains[c] > 0), key=lambda content: (-gains[content], content)
    )


def _each_slot(
    beliefs: Beliefs, longer: LongerAnswers, floors: NDArray[np.float64],
    best: NDArray[np.float64], room: int,
) -> list[tuple[int, list[tuple[int, str, float]]]]:  # fmt: skip
    """`_longer` for every slot and surplus, slots in parallel: the kernel lets go of the GIL."""
    surpluses: dict[int, list[int]] = defaultdict(list)
    for s, surplus in longer.found:
        surpluses[s].append(surplus)

    def fits(s: int) -> tuple[int, list[tuple[int, str, float]]]:
        found: list[tuple[int, str, float]] = []
        for surplus in surpluses[s]:
            answers = longer.found[s, surplus]
            found += _longer(beliefs, answers, s, surplus, floors, best, room=room)
        return s, found

    with ThreadPoolExecutor(numba.get_num_threads()) as pool:
        return list(pool.map(fits, sorted(surpluses)))


def _longer(
    beliefs: Beliefs, found: Distribution, s: int, surplus: int, floors: NDArray[np.float64],
    best: NDArray[np.float64], room: int,
) -> list[tuple[int, str, float]]:  # fmt: skip
    """(place, content, score) of the words that fit slot s with a surplus at one place."""
    length = int(beliefs.layout.lengths[s])
    words, places = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
    scores = np.empty(room)
    count = longer_fits(
        found.words.letters, found.log_probs, beliefs.messages[s, :length], surplus, LEAST,
        floors[s, :length], best[s, :length], words, places, scores,
    )  # fmt: skip
    order = np.argsort(-scores[:count], kind="stable")[:TOP]
    listed = []
    for k in order:
        i = int(places[k])
        text = found.words.letters[words[k], i : i + surplus + 1] + np.uint8(65)
        listed.append((i, text.tobytes().decode("ascii"), float(scores[k])))
    return listed


def _with_contents(
    beliefs: Beliefs, longer: LongerAnswers, contents: Sequence[str], cost: float, limits: Limits
) -> Beliefs:
    """Propagation over letters and contents; each of a cell's two slots pays half of its cost."""
    layout = beliefs.layout
    collapsed: dict[tuple[int, int], list[tuple[NDArray[np.int64], NDArray[np.uint8]]]] = {}
    more: dict[int, list[tuple[NDArray[np.uint8], NDArray[np.float32]]]] = defaultdict(list)
    for (s, surplus), found in longer.found.items():
        length = int(layout.lengths[s])
        if (length, surplus) not in collapsed:
            collapsed[length, surplus] = list(collapse(found.words, contents, surplus))
        for rows, letters in collapsed[length, surplus]:
            likely = np.flatnonzero(found.log_probs[rows] > LEAST)
            if len(likely):
                symbols = (letters[likely] >= 26).sum(axis=1)
                log_probs = found.log_probs[rows[likely]] + cost / 2 * symbols
                more[s].append((letters[likely], log_probs.astype(np.float32)))
    wider = []
    for s, plain in enumerate(beliefs.distributions):
        parts = more.get(s, [])
        wider.append(
            Distribution(
                Words(np.concatenate([plain.words.letters, *(part[0] for part in parts)])),
                np.concatenate([plain.log_probs, *(part[1] for part in parts)]),
                plain.log_unknown,
                plain.letters,
            )
            if parts
            else plain
        )
    odds = np.exp([cost / 2 + LETTER * len(content) for content in contents])
    return propagate(layout, wider, chain=beliefs.chain, limits=limits, symbols=odds)


def collapse(
    words: Words, contents: Sequence[str], surplus: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
    """Words with contents in them written as symbols, so that they get `surplus` signs shorter.

    Yields (rows of the words, their signs); the first content's symbol is 26, and so on.
    """
    codes = [np.frombuffer(c.encode("ascii"), dtype=np.uint8) - np.uint8(65) for c in contents]

    def step(
        rows: NDArray[np.int64], letters: NDArray[np.uint8], begin: int, left: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
        if left == 0:
            yield rows, letters
            return
        for symbol, code in enumerate(codes, start=26):
            if len(code) - 1 > left:
                continue
            for i in range(begin, letters.shape[1] - len(code) + 1):
                has = np.flatnonzero(letters[:, i] == code[0])
                for k in range(1, len(code)):
                    has = has[letters[has, i + k] == code[k]]
                if len(has):
                    mark = np.full((len(has), 1), symbol, dtype=np.uint8)
                    short = np.hstack([letters[has, :i], mark, letters[has, i + len(code) :]])
                    yield from step(rows[has], short, i + 1, left - len(code) + 1)

    yield from step(np.arange(len(words)), words.letters, 0, surplus)


def _decoded(beliefs: Beliefs, contents: Sequence[str], known: Sequence[str]) -> Rebus | None:
    """The cells that are likelier to have a content than a letter."""
    signs = [*(chr(65 + c) for c in range(26)), *contents]
    cells: dict[Cell, str] = {}
    letters: dict[Cell, tuple[tuple[str, float], ...]] = {}
    for cell, row in zip(beliefs.layout.cells, beliefs.cells, strict=True):
        if row[26:].sum() <= 0.5:
            continue
        order = np.lexsort((np.arange(len(row)), -row))
        best = next(int(c) for c in order if c >= 26)
        cells[cell] = signs[best]
        letters[cell] = tuple((signs[int(c)], float(row[c])) for c in order[:5] if row[c] > 1e-4)
    if not cells:
        return None
    return Rebus(cells, letters, log_prior(cells.values(), known))
