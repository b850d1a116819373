"""What guessing costs: clues a second in batches, and milliseconds for one clue at a time.

    python -m benchmarks.guess_cost nyt-1993-2023.ipuz.jsonl.gz --model DIR \
        --out benchmarks/results/guess-cost.json

Asked are distinct clues of the puzzles between two dates, drawn at random, the answer's length
known and no letter, a hundred guesses each; the model is loaded and the kernels compiled. Seconds
on the wall are what a caller waits, those of the processor tell how busy the machine was besides.
No clue is asked twice, since a model may remember those that it has read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks.measuring import memory_mb, save
from benchmarks.samples import arguments, queries
from crossword.loading import open_guesser
from crossword.types import Guesser, Query

LIMIT = 100  # guesses a clue, as many as solvers and the page ask for at most


def in_batches(guesser: Guesser, queries: Sequence[Query], size: int) -> dict[str, float]:
    wall, busy = perf_counter(), process_time()
    for begin in range(0, len(queries), size):
        guesser.guess(queries[begin : begin + size], LIMIT)
    wall, busy = perf_counter() - wall, process_time() - busy
    return {
        "clues": len(queries),
        "clues_per_second": round(len(queries) / wall, 1),
        "clues_per_processor_second": round(len(queries) / busy, 1),
    }


def one_by_one(guesser: Guesser, queries: Sequence[Query]) -> dict[str, float]:
    times = []
    for query in queries:
        before = perf_counter()
        guesser.guess([query], LIMIT)
        times.append(1000 * (perf_counter() - before))
    told = {f"p{round(100 * q)}_ms": round(float(np.quantile(times, q)), 2) for q in (0.5, 0.95)}
    return {"clues": len(queries), **told, "worst_ms": round(max(times), 2)}


def measure(guesser: Guesser, queries: Sequence[Query], batches: Sequence[int]) -> dict[str, Any]:
    """Each batch size, and single clues, on a part of the queries of its own."""
    one_each = {query.length: query for query in queries}
    guesser.guess(list(one_each.values()), LIMIT)  # opens every length, compiles every kernel
    for query in one_each.values():
        guesser.guess([query], LIMIT)
    share = len(queries) // (len(batches) + 1)
    parts = [queries[i * share : (i + 1) * share] for i in range(len(batches) + 1)]
    return {
        "single": one_by_one(guesser, parts[0]),
        "batches": {
            str(size): in_batches(guesser, part, size)
            for size, part in zip(batches, parts[1:], strict=True)
        },
        "megabytes": round(memory_mb("VmHWM")),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--clues", type=int, default=3_000)
    parser.add_argument("--batches", type=int, nargs="+", default=[16, 78, 256])
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    asked = queries(chosen.path, chosen.since, chosen.until, chosen.clues, chosen.seed)
    guesser = open_guesser(model=chosen.model)
    told = {"guesser": guesser.name, "limit": LIMIT, **measure(guesser, asked, chosen.batches)}
    Console().print_json(json.dumps(told))
    if chosen.out is not None:
        save(chosen.out, told)


if __name__ == "__main__":
    main()
