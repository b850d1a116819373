"""`crossword solve FILE…`: show the grid filling, then write what was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from crossword.commands.console import err, interruptible, out, print_json, say, write_text
from crossword.commands.live import solve_live
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
    named_guesser,
)
from crossword.commands.reading import bar, first_words
from crossword.errors import CrosswordError, PuzzleError
from crossword.picture import svg
from crossword.puzzle import EMPTY, LETTERS, Puzzle
from crossword.types import Solution
from crossword.view import draw

if TYPE_CHECKING:
    from crossword.batch import Solving
    from crossword.engine import Engine


def command(
    files: Annotated[
        list[Path], typer.Argument(help="Puzzle files of any format: puz, ipuz, jpz, xd, …")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write the filled puzzle here (a folder for many)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the grid as SVG, tinted by confidence (a folder for many)."),
    ] = None,
    letters: Annotated[
        list[str] | None,
        typer.Option(help="Letters you are sure of, as 17A=SEM..C; they are kept. Repeatable."),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the letters that the file has entered already.")
    ] = False,
    guesser: GuesserName = DEFAULT_GUESSER,
    solver: SolverName = DEFAULT_SOLVER,
    model: ModelPath = None,
    seconds: Seconds = None,
    min_confidence: MinConfidence = 0.0,
    engine: EngineName = "local",
    address: Address = None,
    jobs: Jobs = None,
) -> None:
    """Solve crosswords: the grid fills in the terminal, green and red if the file has a solution.

    Ctrl-C stops the solver and keeps what it has. Examples:

      crossword solve monday.puz

      crossword solve monday.puz --out solved.ipuz --picture solved.svg

      crossword solve hard.puz --letters 17A=SEM..C --min-confidence 0.8

      crossword solve archive/*.puz --out solved --jobs 4     (or: --engine ray)
    """
    from crossword import formats
    from crossword.batch import Solving
    from crossword.engine import open_engine

    if letters and len(files) > 1:
        raise CrosswordError("--letters goes with one puzzle at a time")
    runs = open_engine(engine, jobs=jobs, address=address)
    puzzles = [(path, formats.read(path)) for path in files]
    many = len(puzzles) > 1
    for folder in (output, picture):
        if many and folder is not None:
            _make_folder(folder)
    for path, puzzle in puzzles:
        for notice in puzzle.notices:
            say(f"{path}: {notice}")
    puzzles = [(path, with_own_letters(one, letters or (), keep=keep)) for path, one in puzzles]
    name, folder = named_guesser(guesser, model)
    work = Solving(name, solver, folder, seconds, min_confidence)
    console = err() if as_json else out()
    spread = engine != "local" or (jobs or 1) > 1
    found = (
        _spread(puzzles, work, runs, first_words(engine))
        if spread
        else _watched(puzzles, work, console)
    )
    records: list[dict[str, Any]] = []
    solutions: list[tuple[Path, Puzzle, Solution]] = []
    interrupted = False
    try:
        for (path, puzzle), solution in zip(puzzles, found, strict=True):
            solved = replace(puzzle, fill=dict(solution.fill))
            if as_json:
                records.append({"file": str(path), **record(puzzle, solution)})
            elif spread:
                solutions.append((path, solved, solution))  # shown when the bar is gone
            else:
                show(console, path.name, solved, solution)
            if output is not None:
                target = output / path.with_suffix(_suffix(path)).name if many else output
                for line in formats.write(solved, target):
                    say(f"{target}: dropped {line}")
            if picture is not None:
                target = picture / path.with_suffix(".svg").name if many else picture
                write_text(target, svg(puzzle, solution.fill, confidences(solution)))
    except KeyboardInterrupt:
        interrupted = True
    for path, solved, solution in solutions:
        show(console, path.name, solved, solution)
    if as_json and records:
        print_json(records if many else records[0])
    if interrupted:
        if spread:
            say(f"Stopped: {len(records) + len(solutions)} of {len(puzzles)} puzzles are done.")
        raise KeyboardInterrupt


def _watched(
    puzzles: list[tuple[Path, Puzzle]], work: Solving, console: Console
) -> Iterator[Solution]:
    """One after the other, each grid filling; the first Ctrl-C ends with what there is of it."""
    guesser, solver = work.load()
    with interruptible() as interrupted:
        for path, puzzle in puzzles:
            yield solve_live(
                puzzle,
                guesser,
                solver,
                console,
                title=puzzle.title or path.name,
                timeout_seconds=work.timeout_seconds,
                min_confidence=work.min_confidence,
                cancelled=interrupted,
            )
            if interrupted.happened:
                raise KeyboardInterrupt


def _spread(
    puzzles: list[tuple[Path, Puzzle]], work: Solving, engine: Engine, about: str
) -> Iterator[Solution]:
    """Many at a time, by an engine, under a progress bar that says `about` until one is done."""
    with bar(err(), "solving") as progress:
        task = progress.add_task("solving", total=len(puzzles), about=about)
        for solution in engine.map(work, [puzzle for _, puzzle in puzzles]):
            progress.update(task, advance=1, about="")
            yield solution


def _suffix(path: Path) -> str:
    """The suffix to write a solved file with: its own if we write that format, else ipuz."""
    from crossword import formats

    own = path.suffix.lower()
    return own if own.lstrip(".") in formats.names(writable=True) else ".ipuz"


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrosswordError(f"can't make the folder {path}: {error.strerror}") from None


def with_own_letters(puzzle: Puzzle, letters: list[str] | tuple[str, ...], *, keep: bool) -> Puzzle:
    """The puzzle with a user's letters locked: those of the file, and those like `17A=SEM..C`."""
    if keep:
        puzzle = puzzle.with_given(puzzle.fill)
    for text in letters:
        name, _, pattern = text.partition("=")
        slot = puzzle.slot(name.strip().upper())
        signs = pattern.strip().upper().replace("_", EMPTY).replace("?", EMPTY)
        if len(signs) != len(slot) or not set(signs) <= LETTERS | {EMPTY}:
            raise PuzzleError(
                f"--letters {text}: {slot.name} takes {len(slot)} letters, '.' for unknown ones"
            )
        known = zip(slot.cells, signs, strict=True)
        puzzle = puzzle.with_given({cell: sign for cell, sign in known if sign != EMPTY})
    return puzzle


def confidences(solution: Solution) -> dict[tuple[int, int], float]:
    return {cell: solution.confidence(cell) for cell in solution.fill}


def show(console: Console, name: str, solved: Puzzle, solution: Solution) -> None:
    """The final grid, and a line or two about it."""
    about = " · ".join(text for text in (solved.title, solved.author, solved.date) if text)
    console.print(about or name, style="bold", markup=False)
    console.print(draw(solved, confidence=confidences(solution)))
    cells = solved.grid.cells
    filled = sum(cell in solved.fill for cell in cells)
    parts = [f"{solution.status}, {filled} of {len(cells)} cells filled"]
    if solved.has_solution:
        right = sum(map(solved.is_right_at, cells))
        words = sum(solved.is_right(slot.name) for slot in solved.slots)
        parts.append(f"{right} letters and {words} of {len(solved.slots)} words right")
    parts.append(f"{solution.statistics.seconds:.2f} s")
    console.print("; ".join(parts), markup=False)
    rebus = {c: text for c, text in sorted(solved.fill.items()) if len(text) > 1}
    for (row, col), text in rebus.items():
        console.print(f"row {row + 1}, column {col + 1}: {text}", markup=False)


def record(puzzle: Puzzle, solution: Solution) -> dict[str, Any]:
    """A solution for programs: grid, cells, slots with their candidates, figures."""
    solved = replace(puzzle, fill=dict(solution.fill))
    result: dict[str, Any] = {
        "title": puzzle.title,
        "author": puzzle.author,
        "date": puzzle.date,
        "status": solution.status,
        "grid": solved.render().splitlines(),
        "cells": [
            {
                "row": row,
                "col": col,
                "text": solution.fill.get((row, col), ""),
                "confidence": round(solution.confidence((row, col)), 6),
                "given": (row, col) in puzzle.given,
                "letters": [
                    [text, round(p, 6)] for text, p in solution.letters.get((row, col), ())[:5]
                ],
            }
            for row, col in puzzle.grid.cells
        ],
        "slots": {
            slot.name: {
                "clue": puzzle.clue(slot.name),
                "entry": solved.entry(slot.name),
                "candidates": [
                    {
                        "answer": guess.answer,
                        "probability": round(guess.probability, 6),
                        "confidence": round(guess.confidence, 6),
                        "evidence": list(guess.evidence),
                    }
                    for guess in solution.candidates.get(slot.name, ())[:10]
                ],
            }
            for slot in puzzle.slots
        },
        "seconds": round(solution.statistics.seconds, 4),
        "guess_seconds": round(solution.statistics.guess_seconds, 4),
        "rounds": solution.statistics.rounds,
        "details": dict(solution.statistics.details),
    }
    if puzzle.has_solution:
        cells, slots = puzzle.grid.cells, puzzle.slots
        result["score"] = {
            "letters": sum(map(solved.is_right_at, cells)) / max(1, len(cells)),
            "words": sum(solved.is_right(slot.name) for slot in slots) / max(1, len(slots)),
            "perfect": all(map(solved.is_right_at, cells)),
        }
    return result
