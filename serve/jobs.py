"""What a worker does with a job, and the model that it does it with.

A job has a name, options that the routes have checked, and a body: a file's bytes, or the JSON
of a request. The answer is bytes, ready to be sent. A file is read here and not in the service,
so that a hostile one holds up nobody else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any

from pydantic import ValidationError

from crossword import formats, pipeline
from crossword.formats import ipuz
from crossword.formats.document import parse
from crossword.puzzle import Cell, Puzzle
from crossword.types import Guess, Guesser, Progress, Query, Solution, Solver
from serve import problems
from serve.problems import Problem
from serve.schemas import GuessRequest, SolveRequest

PROGRESS_SECONDS = 0.2  # between two reports: a few a second, as the page draws them
SHOWN_LETTERS = 5
SHOWN_CANDIDATES = 10
NOTICES = "crossword:notices"  # ipuz asks for a namespace in keys that aren't its own
MEDIA_TYPES = {
    "puz": "application/x-crossword",
    "ipuz": "application/json",
    "jpz": "application/xml",
    "xd": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class Tools:
    """What all workers share: they are forked from the process that loaded it."""

    guesser: Guesser
    solver: Solver
    model: str
    card: Mapping[str, Any] | None
    max_cells: int


@dataclass(frozen=True)
class Answer:
    """A response's body, its media type, and headers of its own."""

    body: bytes
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """A job with the means to report on the way and to be told to stop."""

    name: str
    options: Mapping[str, Any]
    body: bytes
    report: Callable[[bytes], None] | None = None
    limit: Callable[[float], None] | None = None  # told the job's own limit, once it is known
    cancelled: Callable[[], bool] | None = None


def run(task: Task, tools: Tools) -> Answer:
    """Do a job, or raise a `Problem` or one of the library's errors."""
    return JOBS[task.name](task, tools)


def packed(value: Any) -> bytes:
    """JSON in ASCII: a lone surrogate, which a JSON string may hold, can't be sent as UTF-8."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def key(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _guess(task: Task, tools: Tools) -> Answer:
    request = GuessRequest.model_validate_json(task.body)
    queries = [Query(query.clue, query.pattern) for query in request.queries]
    found = tools.guesser.guess(queries, request.limit)
    results = [[_guessed(guess) for guess in guesses] for guesses in found]
    return Answer(packed({"results": results, "model": tools.model}))


def _guessed(guess: Guess) -> dict[str, Any]:
    return {
        "answer": guess.answer,
        "probability": _share(guess.probability),
        "confidence": round(float(guess.confidence), 6),
        "evidence": list(guess.evidence),
    }


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, float(value))), 6)


def _solve(task: Task, tools: Tools) -> Answer:
    puzzle, options = _puzzle_to_solve(task)
    if len(puzzle.grid.cells) > tools.max_cells:
        raise Problem(
            problems.TOO_LARGE_GRID,
            f"the grid has {len(puzzle.grid.cells)} cells; up to {tools.max_cells} are solved here",
        )
    seconds = min(options.get("seconds") or task.options["default_seconds"],
                  task.options["max_seconds"])  # fmt: skip
    if task.limit is not None:
        task.limit(seconds)
    solution = pipeline.solve(
        puzzle,
        tools.guesser,
        tools.solver,
        timeout_seconds=seconds,
        min_confidence=options.get("min_confidence") or 0.0,
        on_progress=partial(_throttled, task.report, [0.0]) if task.report else None,
        cancelled=task.cancelled,
    )
    return Answer(packed(solved(puzzle, solution, tools.model)))


def _puzzle_to_solve(task: Task) -> tuple[Puzzle, Mapping[str, Any]]:
    """The puzzle with its locked letters; and `seconds` and `min_confidence`, where given."""
    if task.body.lstrip()[:1] != b"{":
        return formats.load(task.body, task.options.get("name") or ""), task.options
    value = parse(task.body)
    if not isinstance(value.get("puzzle"), dict):  # ipuz itself has a list under that key
        return formats.load(task.body, task.options.get("name") or ""), task.options
    try:
        request = SolveRequest.model_validate(value)
    except ValidationError as error:
        raise problems.invalid_model(error) from None
    puzzle = formats.load(json.dumps(request.puzzle).encode("ascii"), "the puzzle.ipuz")
    letters = {_cell(name): text for name, text in request.letters.items()}
    for cell in letters:
        if not puzzle.grid.is_open(cell):
            raise Problem(problems.CONTRADICTORY, f"letters name the cell {key(cell)}: not open")
    named = request.model_dump(include={"seconds", "min_confidence"}, exclude_unset=True)
    return puzzle.with_given(letters), {**task.options, **named}


def _cell(name: str) -> Cell:
    row, _, col = name.partition(",")
    return int(row), int(col)


def _throttled(report: Callable[[bytes], None], last: list[float], progress: Progress) -> None:
    now = monotonic()
    if now - last[0] < PROGRESS_SECONDS:
        return
    last[0] = now
    report(
        packed(
            {
                "fill": {key(cell): text for cell, text in progress.fill.items()},
                "confidence": {key(cell): _share(p) for cell, p in progress.confidence.items()},
                "stage": progress.stage,
                "fraction": _share(progress.fraction),
            }
        )
    )


def solved(puzzle: Puzzle, solution: Solution, model: str) -> dict[str, Any]:
    """A solution as `SolveResponse` describes it."""
    statistics = solution.statistics
    return {
        "status": solution.status,
        "fill": {key(cell): text for cell, text in sorted(solution.fill.items())},
        "cells": {
            key(cell): [[text, _share(p)] for text, p in letters[:SHOWN_LETTERS]]
            for cell, letters in sorted(solution.letters.items())
        },
        "candidates": {
            name: [
                {
                    "answer": guess.answer,
                    "probability": _share(guess.probability),
                    "evidence": list(guess.evidence),
                }
                for guess in guesses[:SHOWN_CANDIDATES]
            ]
            for name, guesses in solution.candidates.items()
        },
        "score": _score(puzzle, solution),
        "statistics": {
            "seconds": round(statistics.seconds, 4),
            "guess_seconds": round(statistics.guess_seconds, 4),
            "rounds": statistics.rounds,
            "details": {name: float(value) for name, value in statistics.details.items()},
        },
        "model": model,
        "notices": list(puzzle.notices),
    }


def _score(puzzle: Puzzle, solution: Solution) -> dict[str, Any] | None:
    if not puzzle.has_solution:
        return None
    filled = replace(puzzle, fill=dict(solution.fill))
    cells, slots = puzzle.grid.cells, puzzle.slots
    return {
        "letters": sum(map(filled.is_right_at, cells)) / max(1, len(cells)),
        "words": sum(filled.is_right(slot.name) for slot in slots) / max(1, len(slots)),
        "perfect": all(map(filled.is_right_at, cells)),
    }


def as_ipuz(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as an ipuz object, with the reader's notices."""
    file = ipuz.to_json(puzzle)
    return {**file, NOTICES: list(puzzle.notices)} if puzzle.notices else file


def _read(task: Task, tools: Tools) -> Answer:
    return Answer(packed(as_ipuz(formats.load(task.body, task.options.get("name") or ""))))


def _convert(task: Task, tools: Tools) -> Answer:
    target = str(task.options["to"])
    puzzle = formats.load(task.body, task.options.get("name") or "")
    dumped = formats.dump(puzzle, target)
    stem = "".join(
        sign if sign.isascii() and (sign.isalnum() or sign in "-_ ") else "_"
        for sign in (task.options.get("name") or puzzle.title or "puzzle").rpartition("/")[2]
        .removesuffix(".puz").removesuffix(".ipuz").removesuffix(".jpz").removesuffix(".xd")
    )[:60].strip()  # fmt: skip
    return Answer(
        dumped.data,
        MEDIA_TYPES[target],
        {
            "Content-Disposition": f'attachment; filename="{stem or "puzzle"}.{target}"',
            "X-Dropped": json.dumps(dumped.dropped)[:4096],
        },
    )


def encoded(answer: Answer) -> dict[str, Any]:
    """What a frame says of an answer, beside its body."""
    return {"media_type": answer.media_type, "headers": dict(answer.headers)}


JOBS: dict[str, Callable[[Task, Tools], Answer]] = {
    "guess": _guess,
    "solve": _solve,
    "read": _read,
    "convert": _convert,
}


def _lazy(name: str) -> Callable[[Task, Tools], Answer]:
    """A word game, whose lists are loaded with its module."""

    def do(task: Task, tools: Tools) -> Answer:
        from serve import wordgame_jobs

        return Answer(packed(wordgame_jobs.JOBS[name](task.body)))

    return do


JOBS.update({name: _lazy(name) for name in ("wordle-suggest", "wordle-review", "contexto-suggest")})
