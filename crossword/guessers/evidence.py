"""What speaks for the likeliest answers of a clue: a row of numbers each, for `ranker`.

The candidates are the answers that the first guesser holds likeliest, and those of the clues that
the others find nearest. Each has what its guessers say of it, how common it is, what the clue's
history says, and signs in the letters: endings that clue and answer share, a blank that it fills to
make a known phrase. Training and guessing both take their rows from here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossword.guessers.calibration import Candidates
from crossword.guessers.encoder import EncoderGuesser
from crossword.guessers.merger import Memory
from crossword.guessers.neighbours import NeighbourGuesser
from crossword.guessers.patterns import LOG_ZERO
from crossword.guessers.selection import highest
from crossword.lexicon import Lexicon
from crossword.text import BLANK, KINDS, kind_of, normalise_answer, tokens
from crossword.types import Distribution, Query
from crossword.vocabulary import Words, words_of

LIKELIEST = 64  # candidates of the first guesser; twice as many gain nothing on 2022
NEAREST = 32  # candidates of each of the others
LENGTHS = 16  # lengths 0 to 15 are told apart, longer ones share the last
ENDINGS = ("S", "ED", "ING", "ER", "EST", "LY")
OWN = 9 + len(ENDINGS) + 4  # numbers of a candidate but for those of the other guessers
WITNESS = 5  # numbers that each of those adds
_ABBREVIATED = re.compile(r"\babbr|\b[A-Za-z]{1,4}\.")
_DIGIT = re.compile(r"\d")
_VOWELS = np.isin(np.arange(26), [ord(c) - 65 for c in "AEIOU"])
F32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Evidence:
    """Of one clue: its candidates' places, a row of numbers for each, and numbers of the clue.

    `log_rest` is the first guesser's log-probability of all that is no candidate; `memory` is what
    the clue's history says.
    """

    places: NDArray[np.int64]
    rows: F32
    clue: F32
    log_probs: F32
    log_rest: float
    memory: Memory


@dataclass(frozen=True, eq=False)
class Rows:
    """The candidates of some clues of one length, one clue after another, each its best first."""

    clue: NDArray[np.int64]
    places: NDArray[np.int64]
    log_probs: F32


@dataclass(frozen=True, eq=False)
class View:
    """What a witness says of answers to some clues, one clue after another; a row for each."""

    clue: NDArray[np.int64]
    places: NDArray[np.int64]
    rows: F32


def width(witnesses: int) -> int:
    """Numbers in a row."""
    return OWN + WITNESS * witnesses


def clue_numbers(clue: str, length: int, recalled: str, times: int, log_unknown: float) -> F32:
    """What there is to say of a clue whatever its candidates."""
    words = [word for word in tokens(clue) if word[0].isalpha()]
    first, last = (words[0], words[-1]) if words else ("", "")
    signs: list[float] = []
    for ending in map(str.lower, ENDINGS):
        signs += [first.endswith(ending), last.endswith(ending)]
        signs.append(any(word.endswith(ending) for word in words))
    signs += [
        clue.endswith("?"),
        '"' in clue,
        clue.startswith('"') and clue.rstrip(".?!").endswith('"'),
        bool(_ABBREVIATED.search(clue)),
        ":" in clue,
        "," in clue,
        "e.g." in clue or "for one" in clue,
        bool(_DIGIT.search(clue)),
        any(word[0].isupper() for word in clue.split()[1:]),
        "(" in clue,
        min(len(words), 12) / 6,
        np.log1p(len(clue)) / 4,
    ]
    kind = kind_of(clue)
    signs += [kind == one for one in KINDS]
    signs += [recalled == "exact", recalled == "bag", np.log1p(times), log_unknown / 3]
    signs += [min(length, LENGTHS - 1) == n for n in range(LENGTHS)]
    return np.array(signs, dtype=np.float32)


class Witnesses:
    """Gathers the evidence: of a first guesser with a view of all answers, and of others."""

    def __init__(self, first: EncoderGuesser, others: Sequence[NeighbourGuesser]) -> None:
        self.first, self.others = first, list(others)
        self._places: dict[tuple[int, int], NDArray[np.int64]] = {}

    @property
    def lexicon(self) -> Lexicon:
        return self.first.encoder.lexicon

    def hear(self, queries: Sequence[Query]) -> list[tuple[Distribution, Evidence | None]]:
        """The first guesser's distribution for each query, and the evidence; none without words."""
        told = self.first.told(queries)
        spoken = [dict(other.candidates(queries)) for other in self.others]
        found: list[Evidence | None] = [None] * len(queries)
        by_length: dict[int, list[int]] = {}
        for at, (distribution, _) in enumerate(told):
            if len(distribution.words):
                by_length.setdefault(queries[at].length, []).append(at)
        for ats in by_length.values():
            weighed = self._evidence(
                [queries[at] for at in ats],
                [told[at] for at in ats],
                [[one[at] for at in ats] for one in spoken],
            )
            for at, evidence in zip(ats, weighed, strict=True):
                found[at] = evidence
        return [(one, evidence) for (one, _), evidence in zip(told, found, strict=True)]

    def _evidence(
        self, queries: Sequence[Query], told: Sequence[tuple[Distribution, Memory]],
        spoken: Sequence[Sequence[Candidates]],
    ) -> list[Evidence]:  # fmt: skip
        """The evidence for clues of one length; all their rows are made at once."""
        length, words = queries[0].length, told[0][0].words
        heard = [self._views(n, length, words, one) for n, one in enumerate(spoken)]
        distributions = [distribution for distribution, _ in told]
        rows = _candidates(distributions, heard)
        numbers = np.concatenate(
            [
                self._own_numbers(queries, [memory for _, memory in told], words, rows),
                *(_said(rows, one, len(words), len(queries)) for one in heard),
            ],
            axis=1,
        )
        likely = np.exp(rows.log_probs.astype(np.float64))
        left = 1.0 - np.bincount(rows.clue, likely, len(queries))
        log_rest = np.log(np.maximum(left, 1e-6)).tolist()
        ends = np.searchsorted(rows.clue, np.arange(len(queries) + 1)).tolist()
        return [
            Evidence(
                rows.places[begin:end], numbers[begin:end],
                clue_numbers(
                    query.clue, length, memory.recalled, sum(memory.counts.values()),
                    distribution.log_unknown,
                ),
                rows.log_probs[begin:end], rest, memory,
            )
            for query, (distribution, memory), rest, begin, end in zip(
                queries, told, log_rest, ends, ends[1:], strict=False
            )
        ]  # fmt: skip

    def _views(self, number: int, length: int, words: Words, spoken: Sequence[Candidates]) -> View:
        """What a witness says of clues of one length, by the first guesser's words."""
        other = self.others[number]
        known = self._places.get((number, length))
        if known is None:
            known = places_among(other.memory.of(length).words, words)
            self._places[number, length] = known
        sizes = [len(one.positions) for one in spoken]
        clue = np.repeat(np.arange(len(spoken)), sizes)
        if not len(clue):
            return View(clue, clue, np.zeros((0, WITNESS), np.float32))
        features = np.concatenate([one.features for one in spoken])
        scores = other.calibration.scores(features)
        best = by_clue(np.maximum, scores, clue, len(spoken))
        nearest = np.array([one.nearest for one in spoken])
        similarity = features[:, 0]
        columns = [similarity, similarity - nearest[clue], scores / 4, scores - best[clue]]
        rows = np.stack([*columns, np.ones(len(clue))], axis=1).astype(np.float32)
        places = known[np.concatenate([one.positions for one in spoken])]
        keep = places >= 0
        return View(clue[keep], places[keep], rows[keep])

    def _own_numbers(
        self, queries: Sequence[Query], memories: Sequence[Memory], words: Words, rows: Rows
    ) -> F32:
        """What the first guesser, its tables and the letters say of each candidate."""
        length = words.length
        answers = self.first.encoder.answers(length)
        places, log_probs = rows.places, rows.log_probs
        begins = np.searchsorted(rows.clue, np.arange(len(queries)))
        numbers = np.zeros((len(places), OWN), dtype=np.float32)
        if not len(places):
            return numbers
        first = begins[rows.clue]
        numbers[:, 0], numbers[:, 1] = log_probs, log_probs - log_probs[first]
        numbers[:, 2] = np.log1p(np.arange(len(places)) - first)
        small = places.astype(np.int32)  # as the tables are, which numpy would turn else
        at = np.searchsorted(answers.seen, small)
        seen = at < len(answers.seen)
        seen[seen] = answers.seen[at[seen]] == small[seen]
        numbers[seen, 3] = answers.log_count[at[seen]]
        numbers[seen, 4] = answers.log_recent[at[seen]]
        numbers[~seen, 5] = answers.log_prior[np.searchsorted(answers.new, small[~seen])]
        numbers[:, 6] = ~seen
        letters = words.letters[places]
        for number, ending in enumerate(ENDINGS):
            if len(ending) <= length:
                codes = np.frombuffer(ending.encode(), np.uint8) - np.uint8(65)
                numbers[:, 9 + number] = (letters[:, -len(ending) :] == codes).all(axis=1)
        numbers[:, -4] = _VOWELS[letters].sum(axis=1) / length
        # A line each, so that what is looked for is never found across two of them.
        lines = np.full((len(places), length + 1), ord("\n"), np.uint8)
        lines[:, :-1] = letters + np.uint8(65)
        text = lines.tobytes().decode("ascii")
        for i, (query, memory) in enumerate(zip(queries, memories, strict=True)):
            begin, end = begins[i], begins[i + 1] if i + 1 < len(begins) else len(places)
            if memory.counts:
                mine = [memory.counts.get(place, 0) for place in places[begin:end].tolist()]
                times = np.array(mine, dtype=np.float32)
                numbers[begin:end, 7] = np.log1p(times)
                numbers[begin:end, 8] = times / max(1.0, float(times.sum()))
            own = text[begin * (length + 1) : end * (length + 1)]
            clue = tokens(query.clue)
            if BLANK in clue:
                numbers[begin:end, -3:-1] = self._blanks(clue, own.split())
            for stem in {word.upper()[:5] for word in clue if len(word) > 3}:
                found = own.find(stem)
                while found >= 0:
                    numbers[begin + found // (length + 1), -1] = 1.0
                    found = own.find(stem, found + 1)
        return numbers

    def _blanks(self, words: Sequence[str], answers: Sequence[str]) -> NDArray[np.bool_]:
        """Whether the word before a blank, or the one after it, makes a known answer with each."""
        found = np.zeros((len(answers), 2), dtype=bool)
        at = words.index(BLANK)
        before = normalise_answer(words[at - 1]) if at else ""
        after = normalise_answer(words[at + 1]) if at + 1 < len(words) else ""
        for side, wholes in enumerate(
            ([before + one for one in answers], [one + after for one in answers])
        ):
            if answers and wholes != answers:
                known = self.lexicon.vocabulary.words(len(wholes[0]))
                found[:, side] = places_among(words_of(wholes), known) >= 0
        return found


def _candidates(distributions: Sequence[Distribution], heard: Sequence[View]) -> Rows:
    """The first guesser's likeliest answers and the best of each witness, without repeats."""
    count, size = len(distributions), len(distributions[0].words)
    likeliest = [highest(one.log_probs, LIKELIEST) for one in distributions]
    chosen = [np.repeat(np.arange(count), [len(one) for one in likeliest]) * size]
    chosen[0] += np.concatenate(likeliest)
    for view in heard:
        order = np.lexsort((-view.rows[:, 3], view.clue))
        begins = np.searchsorted(view.clue, np.arange(count))
        best = order[np.arange(len(order)) - begins[view.clue] < NEAREST]
        chosen.append(view.clue[best] * size + view.places[best])
    clue, places = np.divmod(np.unique(np.concatenate(chosen)), size)
    ends = np.searchsorted(clue, np.arange(count + 1)).tolist()
    log_probs = np.concatenate([
        one.log_probs[places[begin:end]]
        for one, begin, end in zip(distributions, ends, ends[1:], strict=False)
    ])  # fmt: skip
    keep = np.flatnonzero(log_probs > LOG_ZERO + 1)  # what repeats the clue stays out
    order = keep[np.lexsort((-log_probs[keep], clue[keep]))]
    return Rows(clue[order], places[order], log_probs[order])


def by_clue(
    join: np.ufunc, rows: NDArray[Any], clue: NDArray[np.int64], count: int
) -> NDArray[Any]:
    """Each clue's rows, which stand together, joined into one; nothing (0) where it has none."""
    found = np.zeros((count, *rows.shape[1:]), rows.dtype)
    if len(clue):
        begins = np.flatnonzero(np.diff(clue, prepend=-1))
        found[clue[begins]] = join.reduceat(rows, begins, axis=0)
    return found


def places_among(words: Words, others: Words) -> NDArray[np.int64]:
    """For each of some words its place among others, which are sorted; -1 where it isn't there."""
    if not len(words) or not len(others):
        return np.full(len(words), -1, dtype=np.int64)
    kind = np.dtype((np.bytes_, words.length))  # rows as strings of bytes, which numpy compares
    mine, theirs = (np.ascontiguousarray(one.letters).view(kind)[:, 0] for one in (words, others))
    at = np.searchsorted(theirs, mine).clip(max=len(theirs) - 1)
    return np.where(theirs[at] == mine, at, -1)


def _said(rows: Rows, view: View, size: int, count: int) -> F32:
    """A witness's rows for the candidates; far away for those that it doesn't have."""
    found = by_clue(np.minimum, view.rows, view.clue, count)[rows.clue]
    found[:, -1] = 0.0
    if len(view.clue):
        keys = view.clue * size + view.places
        order, wanted = np.argsort(keys), rows.clue * size + rows.places
        at = order[np.searchsorted(keys, wanted, sorter=order).clip(max=len(keys) - 1)]
        has = keys[at] == wanted
        found[has] = view.rows[at[has]]
    return found
