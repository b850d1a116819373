"""`crossword guess CLUE PATTERN`: the likeliest answers to one clue."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from crossword.commands.console import out, print_json
from crossword.commands.options import DEFAULT_GUESSER, GuesserName, ModelPath, load_guesser
from crossword.errors import PatternError
from crossword.puzzle import EMPTY
from crossword.types import Query

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
    clue: Annotated[str, typer.Argument(help="The clue, in quotes.")],
    pattern: Annotated[
        str, typer.Argument(help="What is known: P..TERN ('.', '_' or '?' unknown), or a length.")
    ],
    count: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many guesses.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print the guesses as JSON.")] = False,
    guesser: GuesserName = DEFAULT_GUESSER,
    model: ModelPath = None,
) -> None:
    """Guess the answer to one clue. Examples:

    crossword guess "Template for a tailor" P..TERN

    crossword guess "Feline" 3 -k 5
    """
    query = Query(clue, pattern_of(pattern))
    found = load_guesser(guesser, model).guess([query], count)[0]
    if as_json:
        print_json(
            {
                "clue": clue,
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
        )
        return
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
