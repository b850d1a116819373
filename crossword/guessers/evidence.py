"""What speaks for the likeliest answers of a clue: a row of numbers each, for `ranker`.

The candidates are the answers that the first guesser holds likeliest, and those of the clues that
the others find nearest. Each has what its guessers say of it, how common it is, what the clue's
history says, and signs in the letters: endings that clue and answer share, a blank that it fills to
make a known phrase. Training and guessing both take their rows from here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossword.guessers.calibration import Candidates
from crossword.guessers.encoder import EncoderGuesser
from crossword.guessers.merger import Memory
from crossword.guessers.neighbours import NeighbourGuesser
from crossword.guessers.patterns import LOG_ZERO, highest
from crossword.lexicon import Lexicon
from crossword.text import BLANK, KINDS, kind_of, normalise_answer, tokens
from crossword.types import Distribution, Query
from crossword.vocabulary import Words

LIKELIEST = 64  # candidates of the first guesser; twice as many gain nothing on 2022
NEAREST = 32  # candidates of each of the others
LENGTHS = 16  # lengths 0 to 15 are told apart, longer ones share the last
ENDINGS = ("S", "ED", "ING", "ER", "EST", "LY")
OWN = 9 + len(ENDINGS) + 4  # numbers of a candidate but for those of the other guessers
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


def width(witnesses: int) -> int:
    """Numbers in a row."""
    return OWN + WITNESS * witnesses


WITNESS = 5  # numbers that a witness adds to a row


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
        found: list[tuple[Distribution, Evidence | None]] = []
        for at, (query, (distribution, memory)) in enumerate(zip(queries, told, strict=True)):
            if len(distribution.words) == 0:
                found.append((distribution, None))
                continue
            own = [
                self._views(number, query.length, distribution.words, spoken[number][at])
                for number in range(len(self.others))
            ]
            places = self._candidates(distribution, own)
            rows = np.concatenate(
                [
                    self._own_rows(query, distribution, places, memory.counts),
                    *(_said(places, *one) for one in own),
                ],
                axis=1,
            )
            log_probs = distribution.log_probs[places]
            rest = 1.0 - float(np.exp(log_probs.astype(np.float64)).sum())
            times = sum(memory.counts.values())
            numbers = clue_numbers(
                query.clue, query.length, memory.recalled, times, distribution.log_unknown
            )
            log_rest = float(np.log(max(rest, 1e-6)))
            found.append(
                (distribution, Evidence(places, rows, numbers, log_probs, log_rest, memory))
            )
        return found

    def _views(
        self, number: int, length: int, words: Words, candidates: Candidates
    ) -> tuple[NDArray[np.int64], F32]:
        """The places of a witness's candidates among the first guesser's words, and their rows."""
        other = self.others[number]
        known = self._places.get((number, length))
        if known is None:
            known = places_among(other.memory.of(length).words, words)
            self._places[number, length] = known
        scores = other.calibration.scores(candidates.features)
        places = known[candidates.positions]
        best = float(scores.max()) if len(scores) else 0.0
        rows = np.stack(
            [
                candidates.features[:, 0],
                candidates.features[:, 0] - candidates.nearest,
                scores / 4,
                scores - best,
                np.ones(len(scores)),
            ],
            axis=1,
        ).astype(np.float32) if len(scores) else np.zeros((0, WITNESS), np.float32)  # fmt: skip
        keep = places >= 0
        return places[keep], rows[keep]

    @staticmethod
    def _candidates(
        distribution: Distribution, own: Sequence[tuple[NDArray[np.int64], F32]]
    ) -> NDArray[np.int64]:
        """Places in the order of the first guesser's probabilities, best first."""
        log_probs = distribution.log_probs
        chosen = [highest(log_probs, LIKELIEST)]
        for places, rows in own:
            best = np.argsort(-rows[:, 3], kind="stable")[:NEAREST]
            chosen.append(places[best])
        joint = np.unique(np.concatenate(chosen))
        joint = joint[log_probs[joint] > LOG_ZERO + 1]  # what repeats the clue stays out
        return joint[np.argsort(-log_probs[joint], kind="stable")]

    def _own_rows(
        self, query: Query, distribution: Distribution, places: NDArray[np.int64],
        counts: Mapping[int, int],
    ) -> F32:  # fmt: skip
        """What the first guesser, its tables and the letters say of each candidate."""
        answers = self.first.encoder.answers(query.length)
        log_probs = distribution.log_probs[places]
        rows = np.zeros((len(places), OWN), dtype=np.float32)
        if not len(places):
            return rows
        rows[:, 0], rows[:, 1] = log_probs, log_probs - log_probs[0]
        rows[:, 2] = np.log1p(np.arange(len(places)))
        for table, values, column in (
            (answers.seen, answers.log_count, 3),
            (answers.seen, answers.log_recent, 4),
            (answers.new, answers.log_prior, 5),
        ):
            at = np.searchsorted(table, places).clip(max=max(len(table) - 1, 0))
            if len(table):
                has = table[at] == places
                rows[has, column] = values[at[has]]
                rows[has, 6] = column == 5
        times = np.array([counts.get(place, 0) for place in places.tolist()], dtype=np.float32)
        rows[:, 7], rows[:, 8] = np.log1p(times), times / max(1.0, float(times.sum()))
        letters = distribution.words.letters[places]
        for number, ending in enumerate(ENDINGS):
            if len(ending) <= query.length:
                codes = np.frombuffer(ending.encode(), np.uint8) - np.uint8(65)
                rows[:, 9 + number] = (letters[:, -len(ending) :] == codes).all(axis=1)
        rows[:, -4] = _VOWELS[letters].mean(axis=1)
        strings = [distribution.words[place] for place in places.tolist()]
        rows[:, -3:-1] = self._blanks(query.clue, strings)
        stems = [word.upper()[:5] for word in tokens(query.clue) if len(word) > 3]
        rows[:, -1] = [any(stem in answer for stem in stems) for answer in strings]
        return rows

    def _blanks(self, clue: str, answers: Sequence[str]) -> NDArray[np.bool_]:
        """Whether the word before a blank, or the one after it, makes a known answer with each."""
        words = tokens(clue)
        found = np.zeros((len(answers), 2), dtype=bool)
        if BLANK not in words:
            return found
        at = words.index(BLANK)
        before = normalise_answer(words[at - 1]) if at else ""
        after = normalise_answer(words[at + 1]) if at + 1 < len(words) else ""
        known = self.lexicon.vocabulary.words
        for i, answer in enumerate(answers):
            for side, whole in enumerate((before + answer, answer + after)):
                if len(whole) > len(answer):
                    found[i, side] = known(len(whole)).find(whole) is not None
        return found


def places_among(words: Words, others: Words) -> NDArray[np.int64]:
    """For each of some words its place among others, both sorted; -1 where it isn't there."""
    if not len(words) or not len(others):
        return np.full(len(words), -1, dtype=np.int64)
    kind = np.dtype((np.bytes_, words.length))
    # 0 would end a string of bytes, and stands for A.
    mine, theirs = (
        np.ascontiguousarray(one.letters + np.uint8(65)).view(kind)[:, 0] for one in (words, others)
    )
    at = np.searchsorted(theirs, mine).clip(max=len(theirs) - 1)
    return np.where(theirs[at] == mine, at, -1)


def _said(places: NDArray[np.int64], known: NDArray[np.int64], rows: F32) -> F32:
    """A witness's rows for the candidates; far away for those that it doesn't have."""
    found = np.zeros((len(places), WITNESS), dtype=np.float32)
    if len(known):
        floor = rows.min(axis=0)
        found[:] = floor
        found[:, -1] = 0.0
        order = np.argsort(known)
        at = np.searchsorted(known[order], places).clip(max=len(known) - 1)
        has = known[order][at] == places
        found[has] = rows[order][at[has]]
    return found
