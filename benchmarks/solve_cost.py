"""What solving costs: seconds by size of grid, and memory from puzzle to puzzle, in one process.

    python -m benchmarks.solve_cost nyt-1993-2023.ipuz.jsonl.gz --since 2022-01-01 \
        --until 2023-01-01 --model DIR --out benchmarks/results/solve-cost.json

Everything is counted from the puzzle to its solution, with the model loaded and the kernels
compiled. Resident memory is read from /proc after every puzzle, as it is and after the allocator
was asked to give back what is free (it keeps hundreds of megabytes otherwise); growth is the slope
of a line through the latter in the second half of the run, when caches by length are filled.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.machine import machine
from benchmarks.measuring import memory_mb, settled_mb
from benchmarks.samples import arguments, puzzles
from crossword.loading import open_guesser, open_solver
from crossword.pipeline import solve


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--limit", type=int, default=365)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    console = Console()
    items = puzzles(chosen.path, chosen.since, chosen.until, chosen.limit, chosen.seed)
    before = perf_counter()
    guesser, solver = open_guesser(model=chosen.model), open_solver()
    opened = perf_counter() - before
    solve(items[0][1], guesser, solver)  # compiles
    memory: list[float] = []
    in_use: list[float] = []
    seconds: dict[str, list[float]] = defaultdict(list)
    for _, puzzle in track(items, "solving", console=console, transient=True):
        before = perf_counter()
        solve(puzzle, guesser, solver)
        took = perf_counter() - before
        size = max(puzzle.grid.height, puzzle.grid.width)
        seconds["up to 16" if size <= 16 else "17 and more"].append(took)
        memory.append(memory_mb())
        in_use.append(settled_mb())
    half = in_use[len(in_use) // 2 :]
    slope = float(np.polyfit(np.arange(len(half)), half, 1)[0]) if len(half) > 1 else 0.0
    told = {
        "machine": machine(),
        "puzzles": len(items),
        "open_seconds": round(opened, 2),
        "seconds": {
            size: {
                "puzzles": len(times),
                "median": round(median(times), 3),
                "p95": round(float(np.quantile(times, 0.95)), 3),
                "worst": round(max(times), 3),
            }
            for size, times in sorted(seconds.items())
        },
        "megabytes": {
            "most": round(max(memory)),
            "in use after the first": round(in_use[0]),
            "in use after the last": round(in_use[-1]),
            "growth per puzzle in the second half": round(slope, 3),
        },
    }
    console.print_json(json.dumps(told))
    if chosen.out is not None:
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
