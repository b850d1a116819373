"""`crossword evaluate PATH…`: how good a guesser and a solver are, from one run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from crossword.commands.console import err, out, print_json, say, write_text
from crossword.commands.options import (
    DEFAULT_GUESSER,
    DEFAULT_SOLVER,
    Address,
    EngineName,
    GuesserName,
    Jobs,
    MinConfidence,
    ModelPath,
    Seconds,
    SolverName,
    chosen_model,
)
from crossword.commands.reading import Reading, bar, first_words
from crossword.errors import DataError
from crossword.puzzle import Puzzle


@dataclass
class _Suitable:
    """The puzzles of a reading that can be evaluated on, and counts of the others."""

    reading: Reading
    takes: Callable[[Puzzle], bool]
    without_solution: int = 0
    repeats: int = 0

    def __iter__(self) -> Iterator[tuple[str, Puzzle]]:
        from crossword.evaluation.selection import identity

        known: set[bytes] = set()
        for name, puzzle in self.reading:
            if not self.takes(puzzle):
                continue
            if not puzzle.has_solution:
                self.without_solution += 1
            elif (own := identity(puzzle)) in known:
                self.repeats += 1
            else:
                known.add(own)
                yield name, puzzle

    def report(self) -> None:
        """Say what was left out, never silently."""
        self.reading.report()
        if self.without_solution:
            say(f"skipped: {self.without_solution} without a solution to compare with")
        if self.repeats:
            say(f"skipped: {self.repeats} repeats of the same solved grid")


def command(
    paths: Annotated[
        list[Path], typer.Argument(help="Puzzle files, folders, zips, or ipuz .jsonl[.gz].")
    ],
    guesser: GuesserName = DEFAULT_GUESSER,
    solver: SolverName = DEFAULT_SOLVER,
    model: ModelPath = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Draw this many puzzles at random. [default: all]")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 0,
    split: Annotated[
        str | None,
        typer.Option(help="Test part of a split: even-odd, forward (2023), forward-tune (2022)."),
    ] = None,
    since: Annotated[str | None, typer.Option(help="From this date on, as 2022-01-01.")] = None,
    until: Annotated[str | None, typer.Option(help="Before this date, as 2023-01-01.")] = None,
    engine: EngineName = "local",
    address: Address = None,
    jobs: Jobs = None,
    seconds: Seconds = None,
    min_confidence: MinConfidence = 0.0,
    json_file: Annotated[
        str | None, typer.Option("--json", help="Write the figures to this file (- for stdout).")
    ] = None,
) -> None:
    """Measure a guesser and a solver: letters, words, perfect puzzles, guesses, seconds.

    All cells and all words are in the denominators, blank ones too; a rebus cell is right only with
    its full content. The guesser's top 1, 5, 10 and 100 come from the same guesses, before any
    crossing letter is known. Ctrl-C reports what is done so far. Examples:

      crossword evaluate dailies.zip --limit 50 --seed 1

      crossword evaluate nyt-1976-2018.zip --split even-odd --limit 100 --seed 69 --guesser tfidf

      crossword evaluate dailies.zip --engine ray --address 10.0.0.5:6379
    """
    from crossword.engine import open_engine
    from crossword.evaluation.benchmark import Setup, run
    from crossword.evaluation.metrics import PuzzleScore
    from crossword.evaluation.report import report, tables
    from crossword.evaluation.selection import Selection, draw

    runs = open_engine(engine, jobs=jobs, address=address)
    selection = Selection(split, since, until)
    setup = Setup(guesser, solver, chosen_model(model), seconds, min_confidence)
    console = err()
    puzzles = _Suitable(Reading(paths, console), selection.takes)
    items = draw(puzzles, limit, seed) if limit is not None else list(puzzles)
    puzzles.report()
    if not items:
        raise DataError("no puzzle with a solution was found to evaluate on")
    scores: list[PuzzleScore] = []
    interrupted = False
    with bar(console, "solving") as progress:
        task = progress.add_task("solving", total=len(items), about=first_words(engine))
        try:
            for score in run(items, setup, engine=runs):
                scores.append(score)
                right = sum(s.right for s in scores) / max(1, sum(s.cells for s in scores))
                perfect = sum(s.is_perfect for s in scores)
                progress.update(task, advance=1, about=f"letters {right:.3f}  perfect {perfect}")
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        say(f"Stopped: the figures are of the {len(scores)} puzzles done so far.")
    figures = report(
        scores,
        setup={
            **asdict(setup),
            "model": None if setup.model is None else str(setup.model),
            "paths": [str(path) for path in paths],
            "split": split,
            "since": since,
            "until": until,
            "limit": limit,
            "seed": seed if limit is not None else None,
        },
        unreadable=puzzles.reading.unreadable,
        without_solution=puzzles.without_solution,
        repeats=puzzles.repeats,
        interrupted=interrupted,
    )
    if figures["errors"]:
        say(f"the solver broke on {figures['errors']} puzzles; they count as blank")
    if json_file == "-":
        print_json(figures)
    else:
        out().print(tables(figures))
        if json_file is not None:
            write_text(Path(json_file), json.dumps(figures, indent=1) + "\n")
    if interrupted:
        raise KeyboardInterrupt
