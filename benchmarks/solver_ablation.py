"""What each step of the solver is worth: all of them on the same guesses and puzzles, one run.

    python -m benchmarks.solver_ablation nyt-1993-2023.ipuz.jsonl.gz --model DIR \
        --since 2022-01-01 --until 2023-01-01 --limit 60 --out benchmarks/results/ablation.json

From greedy pencil to belief propagation without and with the hypothesis "in no list", then search,
then repair (moves of two slots at once), composed answers, rebus cells, shared changes. Seconds are
of one process; compare ratios. With `--rebus` only puzzles that have a rebus; `--last 2` runs the
last two steps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.measuring import save
from benchmarks.samples import ALL, arguments, puzzles
from crossword.evaluation.benchmark import Benchmark
from crossword.evaluation.metrics import summary
from crossword.evaluation.selection import draw
from crossword.loading import open_guesser
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


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--rebus", action="store_true")
    parser.add_argument("--last", type=int, default=0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    console = Console()
    items = puzzles(chosen.path, chosen.since, chosen.until, ALL, chosen.seed)
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
        save(chosen.out, {
            "puzzles": len(items), "since": chosen.since, "until": chosen.until,
            "seed": chosen.seed, "rebus": chosen.rebus, "results": results,
        })  # fmt: skip


if __name__ == "__main__":
    main()
