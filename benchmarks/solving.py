"""Solvers side by side on the same puzzles and guesses: ours, and that of the literature, one run.

    python -m benchmarks.solving nyt-1993-2023.ipuz.jsonl.gz --model models/tune --limit 40

Puzzles of 2022, drawn by a seed, rebuses among them, with a model trained on what is dated before
(`crossword train --until 2022-01-01`; docs/results.md says what of 2022 it was tuned on). Each
solver runs in a process of its own with one thread, and guesses for itself; seconds are of the
processor, guessing included, and `guess_seconds` what the same guesses alone take.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.literature import LiteratureSolver, weights_of
from benchmarks.measuring import RESULTS, apart, load, save
from benchmarks.samples import Item, arguments, puzzles
from crossword.artifacts import ModelFolder
from crossword.evaluation.metrics import score, summary
from crossword.loading import default_model, open_guesser, open_solver
from crossword.pipeline import solve
from crossword.registry import solvers
from crossword.solvers.layout import lay_out
from crossword.types import Solver

LITERATURE = "belief propagation of the literature"
KEYS = ("letters", "words", "perfect", "fill_percentage", "seconds_per_puzzle", "median_seconds")


def measure(name: str, model: Path, items: list[Item]) -> dict[str, Any]:
    """One solver over all puzzles, in a process of its own."""
    guesser = open_guesser(model=model)
    queries = [lay_out(puzzle.without_answers()).queries for _, puzzle in items]
    guesser.distributions(queries[0])  # compiles
    before = process_time()
    weights = weights_of(one for row in queries for one in guesser.distributions(row))
    guess_seconds = (process_time() - before) / len(items)
    solver: Solver = LiteratureSolver(weights) if name == LITERATURE else open_solver(name)
    solve(items[0][1], guesser, solver)  # compiles
    scores = []
    for title, puzzle in items:
        before = process_time()
        solution = solve(puzzle, guesser, solver)
        seconds = process_time() - before
        scores.append(score(puzzle, solution, name=title, seconds=seconds))
    figures = summary(scores)
    return {**{key: figures[key] for key in KEYS}, "guess_seconds": round(guess_seconds, 4)}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--solver", nargs="+", choices=[*solvers, LITERATURE])
    parser.add_argument("--out", type=Path, default=RESULTS / "solving.json")
    chosen = parser.parse_args()
    console = Console(stderr=True)
    model = chosen.model or default_model()
    if model is None:
        parser.error("there is no models/default; give a --model")
    trained_until = ModelFolder.open(model, verify=False).manifest.until
    if trained_until is None or trained_until > chosen.since:
        console.print("[red]this model has seen these puzzles: the figures mean nothing[/red]")
    items = puzzles(chosen.path, chosen.since, chosen.until, chosen.limit, chosen.seed)
    results = load(chosen.out).get("results", {}) if chosen.solver else {}
    for name in chosen.solver or [*solvers, LITERATURE]:
        results[name] = apart(measure, name, model, items)
        console.print(name, results[name], highlight=False)
        save(chosen.out, {
            "puzzles": len(items), "since": chosen.since, "until": chosen.until,
            "seed": chosen.seed, "rebus": sum(bool(puzzle.rebus) for _, puzzle in items),
            "model_trained_until": trained_until, "results": results,
        })  # fmt: skip
    table = Table("solver", *KEYS, "guess_seconds")
    for name, row in results.items():
        table.add_row(name, *(f"{value:.4f}" for value in row.values()))
    console.print(table)


if __name__ == "__main__":
    main()
