"""What each step of the solver is worth: all of them on the same guesses and puzzles, one run.

    python -m benchmarks.solver_ablation nyt-1993-2023.ipuz.jsonl.gz --model DIR \
        --since 2022-01-01 --until 2023-01-01 --limit 60 --out benchmarks/results/ablation.json

From greedy pencil to belief propagation without and with the hypothesis "in no list", then search,
then repair (moves of two slots at once), composed answers, rebus cells, shared changes. Seconds are
of one process; compare ratios. With `--rebus` only puzzles that have a rebus; `--last 2` runs the
last two steps.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.machine import machine
from crossword.evaluation.benchmark import Benchmark
from crossword.evaluation.metrics import summary
from crossword.evaluation.selection import draw
from crossword.formats import collection
from crossword.loading import open_guesser
from crossword.puzzle import Puzzle
from crossword.solvers.belief import BeliefSolver
from crossword.solvers.confidence import ConfidenceSolver
from crossword.solvers.search import SearchSolver
from crossword.types import Solver

KEYS = ("letters", "words", "perfect", "seconds_per_puzzle", "median_seconds")


def variants() -> dict[str, Solver]:
    return {
        "greedy, in pencil": ConfidenceSolver(),
        "belief, known answers only": BeliefSolver(unknowns=False),
        "belief": BeliefSolver(),
        "search": SearchSolver(repair=False, compose=False, tricks=False, themes=False),
        "search, repair": SearchSolver(compose=False, tricks=False, themes=False),
        "search, repair, composed answers": SearchSolver(tricks=False, themes=False),
        "search, repair, composed answers, rebus": SearchSolver(themes=False),
        "search, repair, composed answers, rebus, shared changes": SearchSolver(),
    }


def puzzles(path: Path, since: str, until: str, limit: int, seed: int) -> list[tuple[str, Puzzle]]:
    found = [
        (entry.name, entry.puzzle)
        for entry in collection.entries([path])
        if entry.puzzle is not None
        and entry.puzzle.has_solution
        and since <= entry.puzzle.date < until
    ]
    return draw(found, limit, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--since", default="2022-01-01")
    parser.add_argument("--until", default="2023-01-01")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rebus", action="store_true")
    parser.add_argument("--last", type=int, default=0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    console = Console()
    items = puzzles(chosen.path, chosen.since, chosen.until, 100_000, chosen.seed)
    if chosen.rebus:
        items = [item for item in items if item[1].rebus]
    items = draw(items, chosen.limit, chosen.seed)
    guesser = open_guesser("hybrid", chosen.model)
    results: dict[str, Any] = {}
    for name, solver in list(variants().items())[-chosen.last :]:
        bench = Benchmark(guesser, solver)
        bench.measure(*items[0])  # compiles, and fills caches
        figures = summary(
            [bench.measure(*item) for item in track(items, name, console=console, transient=True)]
        )
        results[name] = {key: figures[key] for key in KEYS}
        console.print(name, results[name], highlight=False)
    table = Table("solver", *KEYS)
    for name, row in results.items():
        table.add_row(name, *(f"{row[key]:.4f}" for key in KEYS))
    console.print(table)
    if chosen.out is not None:
        told = {"machine": machine(), "puzzles": len(items), "since": chosen.since,
                "until": chosen.until, "seed": chosen.seed,
                "rebus": chosen.rebus, "results": results}  # fmt: skip
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
