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
from dataclasses import dataclass, field, replace

import numba
import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import Cell
from crossword.solvers import propagation
from crossword.solvers.belief import WIDTH, Beliefs, propagate
from crossword.solvers.layout import Layout
from crossword.solvers.letters import Limits
from crossword.solvers.rebus_kernels import find_contents, gapped_fits, weigh_slots
from crossword.types import Distribution, Guesser, Query
from crossword.vocabulary import Words

SURPLUS = 5  # letters that a cell may have more than one; 97 % of the rebus cells of 2005-2014
SIGN = -28.0  # two crossing slots that score less than this together are a sign; on 2022 each of
# the rebus puzzles has such a pair below -33, and four of five others have none below -30
LATER_SIGN = -12.0  # the same once a rebus has been found
SUSPECT = -20.0  # a cell whose two slots have less log-evidence than this is looked at
FITTING = (
    -3.0
)  # slots that score more than this have no rebus cell; at -5 a puzzle of 2022 was lost
WORST = 10  # suspects that are asked for contents; on 2022 the right one is proposed by them
CONTENTS = 12  # contents that are tried together; on 2022 the right ones are among the first four
MOST_SYMBOLS = 200  # codes are bytes
BATCH = 32  # longer answers that are asked for at a time, which take a megabyte each; arbitrary
ROOM = 20_000  # fits of longer words that are looked at a slot and length; arbitrary
TOP = 300  # of those, the best that propose contents; arbitrary
LEAST = -15.0  # words with less log-probability than this take no part here; arbitrary
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


def likely_part(whole: Distribution) -> Distribution:
    """A distribution with its likely answers alone: a tenth of them, and of the work."""
    rows = np.flatnonzero(whole.log_probs > LEAST)
    return Distribution(
        Words(whole.words.letters.take(rows, axis=0)),
        whole.log_probs[rows],
        whole.log_unknown,
        whole.letters,
    )


@dataclass(eq=False)
class LongerAnswers:
    """The likely answers of slots at other lengths than their own, each asked for once a solve.

    Unlikely ones are dropped at once. Which words of that length the others are is kept as bits:
    whole distributions, or the words' letters, would fill the memory.
    """

    guesser: Guesser
    found: dict[tuple[str, int], tuple[NDArray[np.uint8], Distribution]] = field(
        default_factory=dict
    )

    def ask(self, layout: Layout, wanted: Iterable[tuple[int, int]], limits: Limits) -> bool:
        """Ask for (slot, surplus) pairs; false if the limits were reached before all were there."""
        # By length, so that a batch is of few lengths, which a guesser scores together.
        fresh = sorted(
            {(layout.names[s], int(layout.lengths[s]) + surplus) for s, surplus in wanted}
            - self.found.keys(),
            key=lambda at: (at[1], at),
        )
        for begin in range(0, len(fresh), BATCH):
            if limits.reached():
                return False
            batch = fresh[begin : begin + BATCH]
            queries = [Query(layout.puzzle.clue(name), "." * length) for name, length in batch]
            for at, whole in zip(batch, self.guesser.distributions(queries), strict=True):
                likely = whole.log_probs > LEAST
                kept = replace(whole, log_probs=whole.log_probs[likely])
                self.found[at] = np.packbits(likely), kept
        return True

    def of(self, layout: Layout, s: int, surplus: int) -> Distribution:
        likely, found = self.found[layout.names[s], int(layout.lengths[s]) + surplus]
        rows = np.flatnonzero(np.unpackbits(likely, count=len(found.words)))
        return replace(found, words=Words(found.words.letters.take(rows, axis=0)))


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
    longer: LongerAnswers,
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
    suspects = sorted(suspects, key=lambda one: (one.plain, one.slot, one.place))[:WORST]
    slots = sorted({s for one in suspects for s in (one.slot, one.other)})
    asked = [(s, surplus) for s in slots for surplus in range(1, SURPLUS + 1)]
    if not longer.ask(layout, asked, limits):
        return None
    contents = list(
        dict.fromkeys([*sorted(set(known)), *proposed(beliefs, seen, suspects, longer, asked)])
    )
    contents = contents[: CONTENTS + len(known)]
    if not contents:
        return None
    plain = [likely_part(one) for one in beliefs.distributions]
    first = _with_contents(beliefs, plain, longer, asked, contents, CELL, limits)
    likely = [c for c, p in zip(contents, first.cells[:, 26:].max(axis=0), strict=True) if p > 0.2]
    likely = sorted({*likely, *known})
    del first  # and its words
    if not likely or limits.reached():
        return None
    widths = {len(content) - 1 for content in likely}
    sums = {*widths, *(a + b for a in widths for b in widths)}
    bad = np.flatnonzero(scores < FITTING).tolist()
    asked = [(s, m) for s in bad for m in sorted(sums) if m <= 2 * SURPLUS]
    if not longer.ask(layout, asked, limits):
        return None
    second = _with_contents(beliefs, plain, longer, asked, likely, CELL + SAME, limits)
    return _decoded(second, likely, known)


def has_sign(layout: Layout, scores: NDArray[np.float64], least: float) -> bool:
    """Whether some two crossing slots both fit badly."""
    s, i = np.nonzero(layout.cross >= 0)
    if not len(s):
        return False
    return bool((scores[s] + scores[layout.cross[s, i] // layout.widest]).min() < least)


def evidence(beliefs: Beliefs) -> Evidence:
    layout, words, chain = beliefs.layout, beliefs.candidates, beliefs.chain
    messages, standing = beliefs.messages, beliefs.standing
    shares, unknown = np.full(messages.shape, 1.0 / 26), np.zeros(len(layout.names))
    propagation.slot_beliefs(
        words, layout.lengths, WIDTH, standing.active, standing.scores, standing.kept,
        messages, words.log_unknown, chain.chain, chain.ends, chain.log_ends, np.zeros(0),
        shares, unknown,
    )  # fmt: skip
    totals = np.zeros(len(layout.names))
    spelled = np.full(layout.cross.shape, -np.inf)
    weigh_slots(
        standing.scores, words.words_at, standing.kept, layout.lengths, messages, words.tilt,
        words.log_unknown, chain.chain, chain.ends, chain.log_ends, totals, spelled,
    )  # fmt: skip
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
    beliefs: Beliefs, seen: Evidence, suspects: list[Crossed], longer: LongerAnswers,
    asked: Sequence[tuple[int, int]],
) -> list[str]:  # fmt: skip
    """Contents that would explain suspect cells, the best first."""
    layout = beliefs.layout
    pairs = [((one.slot, one.place), (one.other, one.other_place), one.plain) for one in suspects]
    # First the best that any answer can do at each place; an answer has at most probability 1, so
    # it must reach the cell's evidence. Then only what can gain with the best of the other slot.
    floors = np.full(layout.cross.shape, np.inf)
    for here, there, plain in pairs:
        floors[here] = floors[there] = plain
    best = np.full(layout.cross.shape, -np.inf)
    _each_slot(beliefs, longer, asked, floors, best, room=0)
    reach = np.maximum(best, seen.open + 2 * LETTER)
    for here, there, plain in pairs:
        floors[here], floors[there] = plain - reach[there], plain - reach[here]
    explained: dict[tuple[int, int], dict[str, float]] = defaultdict(dict)
    for s, listed in _each_slot(beliefs, longer, asked, floors, best, room=ROOM):
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
    beliefs: Beliefs, longer: LongerAnswers, asked: Sequence[tuple[int, int]],
    floors: NDArray[np.float64], best: NDArray[np.float64], room: int,
) -> list[tuple[int, list[tuple[int, str, float]]]]:  # fmt: skip
    """`_longer` for every slot and surplus, slots in parallel: the kernel lets go of the GIL."""
    surpluses: dict[int, list[int]] = defaultdict(list)
    for s, surplus in asked:
        surpluses[s].append(surplus)

    def fits(s: int) -> tuple[int, list[tuple[int, str, float]]]:
        found: list[tuple[int, str, float]] = []
        for surplus in surpluses[s]:
            answers = longer.of(beliefs.layout, s, surplus)
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
    count = gapped_fits(
        found.words.letters, found.log_probs, beliefs.messages[s, :length], 1,
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
    beliefs: Beliefs, plain: Sequence[Distribution], longer: LongerAnswers,
    asked: Sequence[tuple[int, int]], contents: Sequence[str], cost: float, limits: Limits,
) -> Beliefs:  # fmt: skip
    """Propagation over letters and contents; each of a cell's two slots pays half of its cost.

    `plain` are the slots' likely answers as they are.
    """
    layout = beliefs.layout
    more: dict[int, list[tuple[NDArray[np.uint8], NDArray[np.float32]]]] = defaultdict(list)

    def collapsed(at: tuple[int, int]) -> list[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
        found = longer.of(layout, *at)
        parts = []
        for rows, letters in collapse(found.words, contents, at[1]):
            symbols = (letters >= 26).sum(axis=1)
            log_probs = found.log_probs[rows] + cost / 2 * symbols
            parts.append((letters, log_probs.astype(np.float32)))
        return parts

    with ThreadPoolExecutor(numba.get_num_threads()) as pool:  # the kernel lets go of the GIL
        for (s, _), parts in zip(asked, pool.map(collapsed, asked), strict=True):
            more[s] += parts
    wider = list(plain)
    for s, parts in more.items():
        own = plain[s]
        letters = np.concatenate([own.words.letters, *(part for part, _ in parts)])
        log_probs = np.concatenate([own.log_probs, *(part for _, part in parts)])
        wider[s] = replace(own, words=Words(letters), log_probs=log_probs)
    odds = np.exp([cost / 2 + LETTER * len(content) for content in contents])
    return propagate(layout, wider, chain=beliefs.chain, limits=limits, symbols=odds)


def collapse(
    words: Words, contents: Sequence[str], surplus: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
    """Words with contents in them written as symbols, so that they get `surplus` signs shorter.

    Yields (rows of the words, their signs); the first content's symbol is 26, and so on.
    """
    sizes = np.array([len(content) for content in contents], dtype=np.int64)
    codes = np.zeros((len(contents), int(sizes.max())), dtype=np.uint8)
    for c, content in enumerate(contents):
        codes[c, : len(content)] = np.frombuffer(content.encode("ascii"), dtype=np.uint8) - 65

    def step(
        rows: NDArray[np.int64], letters: NDArray[np.uint8], begins: NDArray[np.int64], left: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
        if left == 0:
            yield rows, letters
            return
        room = len(letters)  # as a rule more than enough
        while True:
            at, places, which = (np.empty(room, dtype=np.int64) for _ in range(3))
            count = find_contents(letters, begins, codes, sizes, left + 1, at, places, which)
            if count <= room:
                break
            room = count
        at, places, which = at[:count], places[:count], which[:count]
        for size in np.unique(sizes[which]).tolist():
            same = sizes[which] == size
            word, place = at[same], places[same, None]
            index = np.arange(letters.shape[1] - size + 1)
            short = letters[word[:, None], index + (index > place) * (size - 1)]
            short[np.arange(len(word)), place[:, 0]] = 26 + which[same]
            yield from step(rows[word], short, place[:, 0] + 1, left - size + 1)

    yield from step(
        np.arange(len(words)), words.letters, np.zeros(len(words), dtype=np.int64), surplus
    )


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
