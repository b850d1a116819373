"""How everything grows: stores of 10,000 to 10 million clues, grids of 5×5 to 41×41.

    python -m benchmarks.growth --corpus CORPORA…

Build time, size, query latency and recall of the vector index (real clues, then made ones), of the
sparse TF-IDF and of the encoder's history (real clues only); seconds and memory of a solve; and of
each curve the exponent, by a straight line through the logarithms. `--only` measures one part
again. Processor seconds of one thread; ten million clues take some minutes and 2 GB.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import growing_clues, growing_grids
from benchmarks.growing_clues import QUERIES, sampled
from benchmarks.measuring import RESULTS, apart, exponent, load, save
from crossword.vocabulary import MAX_LENGTH
from data.corpus import columns, load_corpus
from train.pairs import Pairs

SINCE = "2022-01-01"
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
REAL_SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
SAMPLE = 100_000  # clues that the word vectors are learned on
PARTS = ("vectors", "kinds", "sparse", "history", "grids")
CURVES = {
    "vectors": ("clues", ("build_seconds", "index_mb", "query_ms")),
    "sparse": ("clues", ("build_seconds", "index_mb", "query_ms")),
    "history": ("clues", ("build_seconds", "index_mb", "query_ms")),
    "grids": ("cells", ("seconds", "memory_mb")),
}

Material = tuple[Pairs, list[tuple[str, str]]]


def cut(corpus: list[str], cache: Path | None) -> Material:
    """Pairs dated before 2022 or without a date, and later ones to ask."""
    whole = load_corpus(corpus, cache=cache).dataset
    before: Counter[tuple[str, str]] = Counter()
    later = set()
    for day, clue, answer in zip(*columns(whole, "date", "clue", "answer"), strict=True):
        if day >= SINCE:
            later.add((clue, answer))
        elif len(answer) <= MAX_LENGTH:
            before[clue, answer] += 1
    return Pairs.of(before), random.Random(0).sample(sorted(later), QUERIES)


def exponents(told: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    """Of each curve; of queries also the last decade alone, where fixed costs count less."""
    found: dict[str, dict[str, float | None]] = {}
    for part, (size, values) in CURVES.items():
        points = told.get(part, [])
        if len(points) < 2:
            continue
        sizes = [point[size] for point in points]
        found[part] = {key: exponent(sizes, [point[key] for point in points]) for key in values}
        late = [point for point in points if point[size] * 10 >= sizes[-1]]
        if len(late) > 1:
            found[part] |= {
                f"{key}, last decade": exponent([p[size] for p in late], [p[key] for p in late])
                for key in values
            }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--corpus", nargs="+", required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--model", type=Path, help="for the grids; else the default one")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="clues")
    parser.add_argument("--megabytes", type=int, default=512, help="memory for the vector index")
    parser.add_argument("--puzzles", type=int, default=3, help="of each size of grid, at most")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--out", type=Path, default=RESULTS / "growth.json")
    chosen = parser.parse_args()
    console = Console(stderr=True)
    told = {key: value for key, value in load(chosen.out).items() if key != "machine"}

    def keep(part: str, figures: Any, *, first: bool = False) -> None:
        """Into the results at once: a run that is stopped keeps what it has measured."""
        console.print(part, figures, highlight=False)
        if part in CURVES and isinstance(figures, dict):
            told[part] = [*([] if first else told.get(part, [])), figures]
        else:
            told[part] = figures
        told["exponents"] = exponents(told)
        save(chosen.out, told)

    if "grids" in chosen.only:
        files = [Path(path) for path in chosen.corpus if path.endswith(".jsonl.gz")]
        puzzles = apart(growing_grids.made, files, chosen.puzzles)
        keep("grids", apart(growing_grids.measure, chosen.model, puzzles))
    if set(chosen.only) == {"grids"}:
        return
    # Elsewhere, since reading a whole corpus takes gigabytes that this process would keep.
    pairs, asked = apart(cut, chosen.corpus, chosen.cache)
    real = [min(size, len(pairs)) for size in REAL_SIZES if size <= chosen.most]
    for part in ("history", "sparse"):
        for size in real if part in chosen.only else ():
            figures = apart(getattr(growing_clues, part), sampled(pairs, size), asked)
            keep(part, figures, first=size == real[0])
    if not {"vectors", "kinds"} & set(chosen.only):
        return
    with tempfile.TemporaryDirectory() as place:
        keep("embedding", apart(growing_clues.embed, pairs, asked, Path(place), SAMPLE))
        del pairs
        for size in SIZES if "vectors" in chosen.only else ():
            if size <= chosen.most:
                figures = apart(growing_clues.vectors, Path(place), size, chosen.megabytes)
                keep("vectors", figures, first=size == SIZES[0])
        if "kinds" in chosen.only:
            keep("kinds", apart(growing_clues.kinds, Path(place)))


if __name__ == "__main__":
    main()
