"""Gathers what the vocabulary and the phrase model are built from: corpus, lists and packages.

The one place that knows which parts of the corpus and which sources play which role, so that
`train.vocabulary`, the release and the measurements build the same thing from the same arguments.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crossword.errors import DataError
from train import sources as packages
from train.phrases import Evidence
from train.wordlists import Sourced, read_list, sourced, spaced

# Sources of whole phrases with their spaces; those of single words are left out.
PHRASED = frozenset(
    {"ding", "edict", "freedict-eng-fin", "freedict-eng-jpn", "freedict-eng-hun",
     "freedict-hun-eng", "wordnet", "moby", "idioms", "movies", "web2a", "foldoc"}
)  # fmt: skip
BIGRAMS = ("books-bigrams", "web-bigrams")
NOISY_LISTS = ("more",)  # not cut into words to learn from
RECENT_YEARS = 2


@dataclass(frozen=True, eq=False)
class Answers:
    """Training answers with counts, those first used in the last two years, and the clues."""

    counts: dict[str, int]
    recent: frozenset[str]
    clues: list[str]

    @property
    def old(self) -> dict[str, int]:
        return {a: n for a, n in self.counts.items() if a not in self.recent}


def answers_of(rows: Iterator[tuple[str, str, str]], years: int = RECENT_YEARS) -> Answers:
    """From (answer, ISO date or '', clue) rows: the recent ones are new since the last years."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    clues: dict[str, str] = {}
    latest = ""
    for answer, date, clue in rows:
        if len(answer) < 2:
            continue
        counts[answer] += 1
        if answer not in first or date < first[answer]:
            first[answer] = date
        if clue and (clue not in clues or date < clues[clue]):
            clues[clue] = date
        latest = max(latest, date)
    if not counts:
        raise DataError("the corpus has no answers")
    if not latest:
        raise DataError("the prior is fitted on the newest answers, and no puzzle has a date")
    # Dates in the corpora run to the end of a year; a day more makes the limit a new year's day.
    since = f"{int(latest[:4]) - years + 1:04d}"
    recent = frozenset(a for a, date in first.items() if date >= since)
    return Answers(dict(counts), recent, sorted(c for c, date in clues.items() if date < since))


@dataclass(frozen=True, eq=False)
class Gathered:
    """Lists and sources, and the evidence for the phrase model."""

    lists: list[Sourced]
    sources: list[Sourced]
    evidence: Evidence


def gather(
    answers: Answers,
    list_paths: Sequence[Path],
    cache: Path | None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Gathered:
    """Read everything once. Without a cache, only the corpus and the lists are used."""
    lists = []
    for path in list_paths:
        on_step(f"reading {path.name}")
        lists.append(read_list(path))
    phrases: list[str] = list(spaced(list_paths))
    found: list[Sourced] = []
    bigrams: list[list[tuple[str, float]]] = []
    texts: list[Iterator[str]] = [iter(answers.clues)]
    if cache is not None:
        running = []
        for source in packages.SOURCES:
            on_step(f"reading {source.name}")
            entries = list(packages.entries(source, cache))
            if entries:
                found.append(sourced(source.name, entries))
                if source.name in PHRASED:
                    phrases += [p for p, _ in entries if " " in p and len(p) <= 30]
                if source.name in BIGRAMS:
                    bigrams.append(entries)
            else:
                running.append(packages.texts(source, cache))
        texts.append(itertools.chain.from_iterable(running))
    listed = (a for group in lists if group.name not in NOISY_LISTS for a in group.weights)
    return Gathered(lists, found, Evidence(answers.old, listed, phrases, texts, bigrams))
