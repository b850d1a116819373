"""`crossword stats PATH…`: what is in a collection of puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from crossword.commands.console import err, out, print_json, say, write_text
from crossword.commands.reading import Reading
from crossword.errors import DataError


def command(
    paths: Annotated[
        list[Path], typer.Argument(help="Puzzle files, folders, zips, or ipuz .jsonl[.gz].")
    ],
    html: Annotated[
        Path | None, typer.Option(help="Write a page with the plots, self-contained.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Statistics of a collection: commonest answers, Zipf's law, English sequences, lengths, days.

    The same solved grid counts once, so overlapping archives can be given together.

    Example: crossword stats archive.zip minis.jsonl.gz --html stats.html
    """
    from crossword.evaluation.statistics import Collection, English, statistics

    collection = Collection()
    reading = Reading(paths, err())
    interrupted = False
    try:
        for _, puzzle in reading:
            collection.add(puzzle)
    except KeyboardInterrupt:
        interrupted = True
        say(f"Stopped: these are the first {collection.puzzles} puzzles only.")
    reading.report()
    if not collection.puzzles:
        raise DataError("no puzzle was found there")
    figures = statistics(collection, English.common())
    figures["unreadable"] = len(reading.unreadable)
    if as_json:
        print_json(figures)
    else:
        _show(figures)
    if html is not None:
        from crossword.evaluation.page import page

        title = "Crosswords: " + ", ".join(path.name for path in paths)
        write_text(html, page(figures, list(collection.answers.values()), title))
        say(f"wrote {html}")
    if interrupted:
        raise KeyboardInterrupt


def _show(figures: dict[str, Any]) -> None:
    console = out()
    left_out = f" ({figures['repeats']:,} repeats left out)" if figures["repeats"] else ""
    console.print(f"{figures['puzzles']:,} puzzles{left_out}", style="bold")
    console.print(
        f"{figures['rebus_puzzles']:,} with a rebus; {figures['answers']:,} answers, "
        f"{figures['distinct_answers']:,} distinct, {figures['once_only']:,} used once only"
    )
    if figures["zipf"] is not None:
        console.print(f"Zipf's law: times used ∝ rank^-{figures['zipf']['exponent']:.2f}")
    names = {"1": "one English word", "2": "two", "3": "three", "0": "none of these"}
    english = Table(box=None, header_style="bold", pad_edge=False)
    for label in ("answer is a sequence of", "distinct", "as used"):
        english.add_column(label, justify="left" if label.startswith("answer") else "right")
    for words, shares in figures["english"].items():
        english.add_row(names[words], f"{shares['distinct']:.1%}", f"{shares['used']:.1%}")
    console.print()
    console.print(english)
    console.print()
    commonest = ", ".join(f"{answer} {count:,}" for answer, count in figures["commonest"])
    console.print(f"[bold]Commonest answers[/bold]  {commonest}")
    for heading, key in (("Lengths", "lengths"), ("Weekdays", "weekdays"), ("Sizes", "sizes")):
        counts = figures[key]
        whole = sum(counts.values()) or 1
        console.print()
        table = Table(box=None, header_style="bold", pad_edge=False)
        table.add_column(heading)
        table.add_column("count", justify="right")
        table.add_column("", justify="left")
        most = max(counts.values(), default=1)
        for name, number in counts.items():
            table.add_row(
                name, f"{number:,}", f"{'█' * round(24 * number / most)} {number / whole:.1%}"
            )
        console.print(table)
