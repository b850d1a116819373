"""Measures a vocabulary and a phrase model on the answers of a year that they have not seen.

    python -m train.coverage --corpus CORPORA --year 2022 --vocabulary FILE --phrases FILE

Of the answers used for the first time that year: how many are in the vocabulary, and how many of
the rest does the composer list, with none, half or four fifths of their letters known? Answers
that fill a rebus cell are counted, and also given apart: no list has them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from crossword.errors import CrosswordError, DataError
from crossword.lexicon import Lexicon
from crossword.phrases import PhraseModel

DEPTHS = (10, 200, 2000)


@dataclass(frozen=True)
class Year:
    """The answers of a year's dailies, and those among them that are new."""

    used: list[str]
    new: frozenset[str]
    rebus: frozenset[str]


@dataclass(frozen=True)
class Reach:
    """The share of the misses that the composer lists among its first 10, 200 and 2,000."""

    letters_known: float
    misses: int
    top: dict[int, float]


def year_of(rows: Iterable[tuple[str, int, str, str]], year: str, dailies: Sequence[str]) -> Year:
    """From (answer, cells, date, source) rows; `dailies` are the sources that count."""
    first: dict[str, str] = {}
    used: list[str] = []
    plain: set[str] = set()
    rebus: set[str] = set()
    for answer, cells, date, source in rows:
        if len(answer) < 2 or not date or not any(name in source for name in dailies):
            continue
        if answer not in first or date < first[answer]:
            first[answer] = date
        if date.startswith(year):
            used.append(answer)
            (plain if cells == len(answer) else rebus).add(answer)
    new = frozenset(a for a, date in first.items() if date.startswith(year))
    if not new:
        raise DataError(f"no answer in the corpus was used for the first time in {year}")
    return Year(used, new, frozenset(rebus - plain))


def reach(
    misses: Sequence[str], phrases: PhraseModel, known: float, seed: int, console: Console
) -> Reach:
    """Compose for each miss with a share of its letters, drawn at random, known."""
    chance = random.Random(seed)
    ranks = []
    for answer in track(misses, f"composing, {known:.0%} known", console=console, transient=True):
        shown = set(chance.sample(range(len(answer)), round(known * len(answer))))
        pattern = "".join(c if i in shown else "." for i, c in enumerate(answer))
        found = [p.answer for p in phrases.compose(pattern, limit=DEPTHS[-1])]
        ranks.append(found.index(answer) if answer in found else DEPTHS[-1])
    return Reach(
        known, len(ranks), {d: sum(r < d for r in ranks) / max(1, len(ranks)) for d in DEPTHS}
    )


def main(
    corpus: Annotated[list[Path], typer.Option(help="Puzzle collections; repeatable.")],
    year: Annotated[str, typer.Option(help="The year to measure on, e.g. 2022.")],
    vocabulary: Annotated[Path, typer.Option(help="Built with --until that year.")],
    phrases: Annotated[Path, typer.Option(help="The phrase model built with it.")],
    dailies: Annotated[
        list[str] | None, typer.Option(help="Sources that count; default: the NYT dailies.")
    ] = None,
    sample: Annotated[int, typer.Option(help="How many misses to compose for.")] = 150,
    seed: Annotated[int, typer.Option(help="Draws the sample and the letters.")] = 69,
    out: Annotated[Path | None, typer.Option(help="Write the figures here as JSON.")] = None,
) -> None:
    """Say what share of a year's answers, old and new, is within reach."""
    from data.corpus import columns, load_corpus

    console = Console(stderr=True)
    try:
        table, model = Lexicon.read(vocabulary), PhraseModel.read(phrases)
        loaded = load_corpus(corpus, console=console).dataset
        rows = zip(*columns(loaded, "answer", "length", "date", "source"), strict=True)
        found = year_of(rows, year, dailies or ["nyt-1976-2018", "nyt-1993-2023"])
        known = frozenset(table.vocabulary)
        plain = found.new - found.rebus
        misses = sorted(found.new - known)
        chosen = random.Random(seed).sample(misses, min(sample, len(misses)))
        figures = {
            "year": year,
            "answers": len(table),
            "new": len(found.new),
            "new_in_vocabulary": len(found.new & known) / len(found.new),
            "new_without_rebus_in_vocabulary": len(plain & known) / max(1, len(plain)),
            "slots_in_vocabulary": sum(a in known for a in found.used) / len(found.used),
            "composer": [
                asdict(reach(chosen, model, share, seed, console)) for share in (0.0, 0.5, 0.8)
            ],
        }
    except CrosswordError as error:
        console.print(f"[red]error:[/red] {error}")
        raise typer.Exit(2) from None
    text = json.dumps(figures, indent=2)
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")
    Console().print_json(text)


if __name__ == "__main__":
    typer.run(main)
