"""Solves puzzles and prints a digest of all that came out, to the last bit; run by `test_threads`.

    python -m tests.crossword.digests MODEL GUESSER[,GUESSER…] PUZZLE…

In a process of its own, since the number of threads is read once, when libraries are loaded.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from crossword.formats import read
from crossword.loading import open_guesser, open_solver
from crossword.pipeline import solve
from crossword.registry import solvers


def main(model: str, guessers: str, *puzzles: str) -> None:
    found = {}
    for guesser in guessers.split(","):
        opened = open_guesser(guesser, Path(model))
        for solver in solvers:
            for path in puzzles:
                solution = solve(read(path), opened, open_solver(solver))
                told = (
                    sorted(solution.fill.items()),
                    sorted(solution.letters.items()),
                    sorted(solution.candidates.items()),
                    solution.status,
                    solution.statistics.rounds,
                )  # `repr` of a float is exact
                digest = hashlib.sha256(repr(told).encode()).hexdigest()
                found[f"{guesser} {solver} {Path(path).name}"] = digest
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
