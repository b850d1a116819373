"""`crossword solve FILE…`: show the grid filling, then write what was asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from crossword.commands.console import err, interruptible, out, print_json, say, write_text
from crossword.commands.live import solve_live
from crossword.commands.options import (
    DEFAULT_GUESSER,
    DEFAULT_SOLVER,
    GuesserName,
    MinConfidence,
    ModelPath,
    Seconds,
    SolverName,
    load_guesser,
    load_solver,
)
from crossword.errors import CrosswordError, PuzzleError
from crossword.picture import svg
from crossword.puzzle import EMPTY, LETTERS, Puzzle
from crossword.types import Solution
from crossword.view import draw


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
) -> None:
    """Solve crosswords: the grid fills in the terminal, green and red if the file has a solution.

    Ctrl-C stops the solver and keeps what it has. Examples:

      crossword solve monday.puz

      crossword solve monday.puz --out solved.ipuz --picture solved.svg

      crossword solve hard.puz --letters 17A=SEM..C --min-confidence 0.8
    """
    from crossword import formats

    if letters and len(files) > 1:
        raise CrosswordError("--letters goes with one puzzle at a time")
    puzzles = [(path, formats.read(path)) for path in files]
    many = len(puzzles) > 1
    for folder in (output, picture):
        if many and folder is not None:
            _make_folder(folder)
    for path, puzzle in puzzles:
        for notice in puzzle.notices:
            say(f"{path}: {notice}")
    player, filler = load_guesser(guesser, model), load_solver(solver)
    console = err() if as_json else out()
    records: list[dict[str, Any]] = []
    with interruptible() as interrupted:
        for path, puzzle in puzzles:
            puzzle = with_own_letters(puzzle, letters or (), keep=keep)
            solution = solve_live(
                puzzle,
                player,
                filler,
                console,
                title=puzzle.title or path.name,
                timeout_seconds=seconds,
                min_confidence=min_confidence,
                cancelled=interrupted,
            )
            solved = replace(puzzle, fill=dict(solution.fill))
            if as_json:
                records.append({"file": str(path), **record(puzzle, solution)})
            else:
                show(console, path.name, solved, solution)
            if output is not None:
                target = output / path.with_suffix(_suffix(path)).name if many else output
                for line in formats.write(solved, target):
                    say(f"{target}: dropped {line}")
            if picture is not None:
                target = picture / path.with_suffix(".svg").name if many else picture
                write_text(target, svg(puzzle, solution.fill, confidences(solution)))
            if interrupted.happened:
                break
    if as_json:
        print_json(records if many else records[0])
    if interrupted.happened:
        raise KeyboardInterrupt


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
