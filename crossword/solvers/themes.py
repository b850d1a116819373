"""Answers that share a hidden pattern: known ones with a string added, dropped or replaced.

Where several long slots seem to have answers in no list, each is compared with known answers of
other lengths that would fit after one change: letters put in, taken out, or exchanged for others.
A puzzle with such a theme makes the same change in its theme answers, so a change is inferred
from all long slots together: what it costs a priori against what it explains in each of them.
Changed answers then join the words of those slots. Changes that move or reverse letters, and
changes in short answers, are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from crossword.solvers.belief import Beliefs
from crossword.solvers.letters import Limits
from crossword.solvers.rebus import LongerAnswers
from crossword.solvers.rebus_kernels import gapped_fits
from crossword.solvers.widening import with_answers
from crossword.types import Distribution

Change = tuple[str, str]  # (letters of the known answer, what stands in their place)

SHORTEST = 8  # letters of a theme answer, at least; arbitrary
UNKNOWN = 0.1  # P(in no list) from which a slot is looked at; arbitrary
FEWEST = 2  # slots that must look so before anything is done
# (letters taken out, letters put in)
KINDS = ((0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0), (1, 1), (2, 2), (1, 2), (2, 1))
# Log-priors, by guess: a puzzle has such a theme; a kind of change; a letter of it; a long slot
# of such a puzzle has the change (and as likely has not).
THEME, KIND, LETTER, TAKES_PART = -2.5, -2.3, -2.8, -0.7
CLEAR = -4.0  # letters whose message is less than this are not put in; arbitrary
ROOM, TOP = 2_000, 40  # fits looked at a slot and kind; of those, the best that count; arbitrary


def themed(
    beliefs: Beliefs, asked: list[Distribution], longer: LongerAnswers, limits: Limits
) -> tuple[list[Distribution], int]:
    """The distributions with changed answers in them, and how many slots got some."""
    layout = beliefs.layout
    found = list(beliefs.distributions)
    slots = [
        s for s in np.flatnonzero(beliefs.unknown >= UNKNOWN).tolist()
        if layout.lengths[s] >= SHORTEST
    ]  # fmt: skip
    wanted = [(s, out - put) for s in slots for out, put in KINDS]
    if len(slots) < FEWEST or not longer.ask(layout, wanted, limits):
        return found, 0
    changed = {s: _changed(beliefs, longer, s) for s in slots}
    change = _shared({s: _explained(beliefs, s, changed[s]) for s in slots})
    if change is None:
        return found, 0
    count = 0
    for s in slots:
        answers = {answer: log_prob for answer, log_prob, _ in changed[s].get(change, ())}
        wider = with_answers(asked[s], sorted(answers.items()))
        count += wider is not asked[s]
        found[s] = wider if wider is not asked[s] else found[s]
    return found, count


def _changed(
    beliefs: Beliefs, longer: LongerAnswers, s: int
) -> dict[Change, list[tuple[str, float, float]]]:
    """By change, the answers that fit a slot: (answer, log P of it with the change, score)."""
    layout = beliefs.layout
    length = int(layout.lengths[s])
    messages = beliefs.messages[s, :length]
    floor = _evidence(beliefs, s) - 5.0
    found: dict[Change, list[tuple[str, float, float]]] = defaultdict(list)
    for out, put in KINDS:
        known = longer.of(layout, s, out - put)
        if not len(known.words) or length - put < 1:
            continue
        words, places = np.empty(ROOM, dtype=np.int32), np.empty(ROOM, dtype=np.int32)
        scores = np.empty(ROOM)
        floors = np.full(length - put + 1, floor)
        count = gapped_fits(
            known.words.letters, known.log_probs, messages, put, floors,
            np.full(len(floors), -np.inf), words, places, scores,
        )  # fmt: skip
        # The place of the change is one of many, and so is each letter that is put in.
        fixed = -np.log(len(floors))
        for k in np.argsort(-scores[:count], kind="stable")[:TOP].tolist():
            i, word = int(places[k]), known.words[int(words[k])]
            taken = word[i : i + out]
            for letters, weight in _put_in(messages[i : i + put]):
                if letters != taken:
                    log_prob = float(known.log_probs[words[k]]) + fixed
                    answer = word[:i] + letters + word[i + out :]
                    found[taken, letters].append((answer, log_prob, scores[k] + fixed + weight))
    return found


def _put_in(messages: NDArray[np.float64]) -> Iterator[tuple[str, float]]:
    """The strings that some places may have, with the sum of their messages."""
    clear = [np.flatnonzero(row > CLEAR).tolist() for row in messages]
    if any(len(options) > 4 for options in clear):  # the crossings say too little
        return
    for letters in product(*clear):
        weight = sum(float(row[c]) for row, c in zip(messages, letters, strict=True))
        yield "".join(chr(65 + c) for c in letters), weight


def _evidence(beliefs: Beliefs, s: int) -> float:
    """The slot's log-evidence as it is: known answers are a share of it."""
    _, scores = beliefs.words_of(s)
    known = float(np.logaddexp.reduce(scores)) if len(scores) else -np.inf
    share = 1.0 - float(beliefs.unknown[s])
    return known - float(np.log(max(share, 1e-12)))


def _explained(
    beliefs: Beliefs, s: int, changed: dict[Change, list[tuple[str, float, float]]]
) -> dict[Change, float]:
    """How much likelier a slot's messages get by each change; logs."""
    plain = _evidence(beliefs, s)
    return {
        change: float(np.logaddexp.reduce([score for _, _, score in answers])) - plain
        for change, answers in changed.items()
    }


def _shared(explained: dict[int, dict[Change, float]]) -> Change | None:
    """The likeliest change of all slots together, if it is likelier than none."""
    odds: dict[Change, float] = {}
    for change in {one for slot in explained.values() for one in slot}:
        gains = [slot.get(change, -np.inf) for slot in explained.values()]
        if sum(gain > 0 for gain in gains) < FEWEST:
            continue
        prior = THEME + KIND + LETTER * sum(map(len, change))
        odds[change] = prior + sum(float(np.logaddexp(TAKES_PART, TAKES_PART + g)) for g in gains)
    best = max(odds, key=lambda change: (odds[change], change), default=None)
    return best if best is not None and odds[best] > 0 else None
