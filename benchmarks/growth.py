"""How everything grows: stores of 10,000 to 10 million clues, grids of 5×5 to 41×41.

    python -m benchmarks.growth --corpus CORPORA…

Build time, size, query latency and recall of the vector index, of the encoder's history and of the
sparse TF-IDF, of real clues and then of made ones; seconds and memory of a solve; of each curve the
exponent, by a straight line through the logarithms. `--only` measures one part again, `--resume`
only points that the results lack. Processor seconds of one thread: an hour in all, and 6 GB for ten
million texts. TF-IDF over 3 million is built in shards, one for each answer length, since building
it holds all its rows in memory.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import growing_clues, growing_grids
from benchmarks.growing_clues import QUERIES
from benchmarks.measuring import RESULTS, apart, exponent, load, save
from crossword.vocabulary import MAX_LENGTH
from data.corpus import columns, load_corpus
from train.pairs import Pairs

SINCE = "2022-01-01"
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
MOST_WHOLE = 3_000_000  # of TF-IDF; ten million at once would take over 9 GB to build
SAMPLE = 100_000  # clues that the word vectors are learned on
PARTS = ("vectors", "kinds", "history", "sparse", "grids")
CURVES = {
    "vectors": ("clues", ("build_seconds", "index_mb", "query_ms")),
    "history": ("clues", ("build_seconds", "index_mb", "query_ms")),
    "sparse": ("clues", ("build_seconds", "index_mb", "query_ms")),
    "grids": ("cells", ("seconds", "memory_mb")),
}
# What an index is called by its factory; the exponents of each kind stand by themselves.
INDEX_KINDS = {"Flat": "exact", "HNSW": "a graph", "IVF": "codes"}
SIZE_KEYS = {"vectors": "clues", "history": "clues", "sparse": "clues", "grids": "side"}

Points = list[dict[str, Any]]
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


def branches(part: str, points: Points) -> dict[str, Points]:
    """The curves of a part: one for each kind of index, whose exponents have nothing in common."""
    found: dict[str, Points] = {}
    for point in points:
        made = point.get("largest_length", "")
        kind = next((kind for start, kind in INDEX_KINDS.items() if made.startswith(start)), "")
        found.setdefault(f"{part}, {kind}" if kind else part, []).append(point)
    return found


def exponents(told: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    """Of each curve; also of its last decade alone, where fixed costs count less."""
    found: dict[str, dict[str, float | None]] = {}
    for part, (size, values) in CURVES.items():
        for curve, points in branches(part, told.get(part, [])).items():
            if len(points) < 2:
                continue
            sizes = [point[size] for point in points]
            found[curve] = {key: exponent(sizes, [p[key] for p in points]) for key in values}
            late = [point for point in points if point[size] * 10 >= sizes[-1]]
            if 1 < len(late) < len(points):
                found[curve] |= {
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
    parser.add_argument("--resume", action="store_true", help="keep the points that are there")
    parser.add_argument("--out", type=Path, default=RESULTS / "growth.json")
    chosen = parser.parse_args()
    console = Console(stderr=True)
    told = {key: value for key, value in load(chosen.out).items() if key != "machine"}
    if not chosen.resume:
        told = {key: value for key, value in told.items() if key not in chosen.only}

    def lacking(part: str, sizes: Iterable[int]) -> list[int]:
        done = {point[SIZE_KEYS[part]] for point in told.get(part, [])}
        return [size for size in sizes if part in chosen.only and size not in done]

    def keep(part: str, figures: dict[str, Any]) -> None:
        """Into the results at once: a run that is stopped keeps what it has measured."""
        console.print(part, figures, highlight=False)
        points = [*told.get(part, []), figures]
        told[part] = sorted(points, key=lambda point: point[SIZE_KEYS[part]])
        told["exponents"] = exponents(told)
        save(chosen.out, told)

    sizes = [size for size in SIZES if size <= chosen.most]
    todo = {part: lacking(part, sizes) for part in ("vectors", "history", "sparse")}
    kinds = "kinds" in chosen.only and "kinds" not in told
    if kinds or any(todo.values()):
        # Elsewhere, since reading a whole corpus takes gigabytes that this process would keep.
        pairs, asked = apart(cut, chosen.corpus, chosen.cache)
        with tempfile.TemporaryDirectory() as place:
            if kinds or todo["vectors"]:
                told["embedding"] = apart(growing_clues.embed, pairs, asked, Path(place), SAMPLE)
            if kinds:
                told["kinds"] = apart(growing_clues.kinds, Path(place))
                console.print("kinds", told["kinds"], highlight=False)
                save(chosen.out, told)
            for size in todo["vectors"]:
                keep("vectors", apart(growing_clues.vectors, Path(place), size, chosen.megabytes))
        for size in todo["history"]:
            keep("history", apart(growing_clues.history, pairs, size, asked))
        for size in todo["sparse"]:
            whole = size <= MOST_WHOLE
            keep("sparse", apart(growing_clues.sparse, pairs, size, asked, not whole))
    if sides := lacking("grids", growing_grids.PARTS):
        files = [Path(path) for path in chosen.corpus if path.endswith(".jsonl.gz")]
        puzzles = apart(growing_grids.made, files, chosen.puzzles)
        for side in sides:
            keep("grids", apart(growing_grids.measure, chosen.model, side, puzzles[side]))


if __name__ == "__main__":
    main()
