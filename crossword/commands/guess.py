"""`crossword guess CLUE PATTERN`: the likeliest answers to one clue, or to a file of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from crossword.commands.console import err, out, print_json, say
from crossword.commands.options import (
    DEFAULT_GUESSER,
    Address,
    EngineName,
    GuesserName,
    Jobs,
    ModelPath,
    named_guesser,
)
from crossword.commands.reading import bar, first_words
from crossword.errors import CrosswordError, DataError, PatternError
from crossword.puzzle import EMPTY
from crossword.types import Guess, Query

BATCH = 64  # clues of a file that are guessed at a time
MAX_LENGTH = 60  # that of the vocabulary, which isn't imported for its numpy


def pattern_of(text: str) -> str:
    """A pattern as people write it: `p..tern`, `P__TERN`, `p??tern`, or just a length."""
    if text.isascii() and text.isdigit():
        length = int(text[:4])
        if not 1 <= length <= MAX_LENGTH:
            raise PatternError(f"a length is from 1 to {MAX_LENGTH}, not {text[:10]}")
        return EMPTY * length
    signs = text.strip().upper()
    for blank in "_?-*":
        signs = signs.replace(blank, EMPTY)
    if len(signs) > MAX_LENGTH:
        raise PatternError(f"a pattern has at most {MAX_LENGTH} letters, this one {len(signs)}")
    return signs


def command(
    clue: Annotated[str | None, typer.Argument(help="The clue, in quotes.")] = None,
    pattern: Annotated[
        str | None,
        typer.Argument(help="What is known: P..TERN ('.', '_' or '?' unknown), or a length."),
    ] = None,
    count: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many guesses.")] = 10,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the guesses as JSON (with --from, one a line).")
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="Many clues: a clue, a tab and a pattern a line (- is stdin)."),
    ] = None,
    guesser: GuesserName = DEFAULT_GUESSER,
    model: ModelPath = None,
    engine: EngineName = "local",
    address: Address = None,
    jobs: Jobs = None,
) -> None:
    """Guess the answer to one clue, or to a file of clues. Examples:

    crossword guess "Template for a tailor" P..TERN

    crossword guess "Feline" 3 -k 5

    crossword guess --from clues.tsv --json --jobs 4     (or: --engine ray)
    """
    from crossword.batch import Guessing
    from crossword.engine import open_engine

    if (source is None) == (clue is None) or (clue is None) != (pattern is None):
        raise CrosswordError('give a clue and a pattern, as "Feline" 3, or a file with --from')
    runs = open_engine(engine, jobs=jobs, address=address)
    queries = [Query(clue or "", pattern_of(pattern or ""))] if source is None else _queries(source)
    work = Guessing(*named_guesser(guesser, model), count)
    batches = [queries[i : i + BATCH] for i in range(0, len(queries), BATCH)]
    with bar(err(), "guessing") as progress:
        task = progress.add_task("", total=len(batches), about=first_words(engine))
        found: list[list[Guess]] = []
        try:
            for guesses in runs.map(work, batches):
                found += guesses
                progress.update(task, advance=1, about="")
        except KeyboardInterrupt:
            progress.stop()
            if source is not None:
                _show_many(queries[: len(found)], found, as_json)
                say(f"Stopped: {len(found)} of {len(queries)} clues are done.")
            raise
    if source is not None:
        _show_many(queries, found, as_json)
    elif as_json:
        print_json(_record(queries[0], found[0]))
    else:
        _show(queries[0], found[0])


def _queries(source: Path) -> list[Query]:
    """The clues and patterns of a file, a tab between the two."""
    try:
        text = sys.stdin.read() if str(source) == "-" else source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{source} can't be read: {error}") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        clue, tab, pattern = line.rpartition("\t")
        if not line.strip():
            continue
        try:
            if not tab:
                raise PatternError("there is no tab between clue and pattern")
            found.append(Query(clue, pattern_of(pattern)))
        except PatternError as error:
            raise DataError(f"{source}, line {number}: {error}") from None
    return found


def _record(query: Query, found: list[Guess]) -> dict[str, Any]:
    """The guesses for programs."""
    return {
        "clue": query.clue,
        "pattern": query.pattern,
        "guesses": [
            {
                "answer": guess.answer,
                "probability": guess.probability,
                "confidence": guess.confidence,
                "evidence": list(guess.evidence),
            }
            for guess in found
        ],
        "unlisted": max(0.0, 1.0 - sum(guess.probability for guess in found)),
    }


def _show_many(queries: list[Query], found: list[list[Guess]], as_json: bool) -> None:
    """A line each: JSON, or the clue, its pattern and the guesses with tabs between them."""
    console = out()
    for query, guesses in zip(queries, found, strict=True):
        if as_json:
            line = json.dumps(_record(query, guesses), ensure_ascii=False)
        else:
            told = ", ".join(f"{guess.answer} {guess.probability:.4f}" for guess in guesses)
            line = f"{query.clue}\t{query.pattern}\t{told}"
        console.file.write(line + "\n")  # tabs stay tabs


def _show(query: Query, found: list[Guess]) -> None:
    if not found:
        out().print(f"Nothing known fits {query.pattern}.", markup=False)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("answer")
    table.add_column("probability", justify="right")
    table.add_column("confidence", justify="right")
    table.add_column("evidence", overflow="fold")
    for guess in found:
        table.add_row(
            guess.answer,
            f"{guess.probability:.4f}",
            f"{guess.confidence:.3f}",
            "; ".join(guess.evidence),
        )
    out().print(table, markup=False)
