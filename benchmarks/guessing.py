"""Guessers side by side: recall at 1, 10 and 100, clues a second, memory and building, one run.

    python -m benchmarks.guessing --corpus CORPORA… --stored 40000
    python -m benchmarks.guessing --corpus CORPORA… --stored 200000 --leave-out "ours: encoder"
    python -m benchmarks.minilm_vectors --corpus CORPORA… --out vectors
    python -m benchmarks.guessing --corpus CORPORA… --stored 0 --model models/tune --vectors vectors

Stored are distinct pairs dated before 2022 or without a date, drawn at random (0: all of them);
asked are 2,000 distinct clues of 2022, the slot's length known and no letter. All contenders get
the same of both. With `--model` our encoder is opened from there (trained on everything before
2022), not trained on the sample. MiniLM reads some hundred clues a second here, so that its vectors
of everything are made beforehand, and building counts the seconds that this took.
`ceiling` is the share of asked answers that are stored at all, which no plain contender can pass.
The results keep a run for each number of stored pairs; `--resume` only measures contenders that the
run of this number lacks.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.contenders import CONTENDERS
from benchmarks.measuring import (
    RESULTS,
    apart,
    forget_peak,
    load,
    memory_mb,
    save,
    settled_mb,
)
from crossword.types import Query
from data.corpus import columns, load_corpus
from data.splits import hold_out, training_part
from train.pairs import Pairs

SINCE, UNTIL = "2022-01-01", "2023-01-01"
HELD = 5_000  # clues that ours fits its probabilities on, of puzzles that aren't stored
RANKS = (1, 10, 100)

Cut = tuple[Pairs, list[tuple[str, str]], list[tuple[str, str]]]


def cut(corpus: list[str], cache: Path | None, stored: int, asked: int, seed: int) -> Cut:
    """Pairs to store, clues to calibrate on, pairs to ask; the same for the same seed.

    To calibrate on are whole puzzles, as in training, so that clues come again there as they do
    later. Held out by distinct pairs, a clue that had come before always had another answer now,
    and what was fitted on that mistrusted every repeat: `tfidf` lost a seventh of its recall at 1.
    """
    whole = load_corpus(corpus, cache=cache).dataset
    part = training_part(whole, until=SINCE)
    rest, out = hold_out(part, min(0.1, HELD / len(part)), seed, least=1)
    before = Pairs.from_dataset(rest)
    dice = random.Random(seed)
    held = list(zip(*columns(out, "clue", "answer"), strict=True))
    dice.shuffle(held)
    order = list(range(len(before)))
    dice.shuffle(order)
    chosen = sorted(order[:stored] if stored else order)
    kept = Pairs(
        [before.clues[i] for i in chosen],
        [before.answers[i] for i in chosen],
        [before.counts[i] for i in chosen],
        [before.recent[i] for i in chosen],
    )
    rows = zip(*columns(whole, "date", "clue", "answer"), strict=True)
    later = sorted({(clue, answer) for day, clue, answer in rows if SINCE <= day < UNTIL})
    return kept, held, dice.sample(later, min(asked, len(later)))


def measure(
    name: str, model: Path | None, material: Cut, vectors: Path | None = None
) -> dict[str, Any]:
    """One contender, in a process of its own."""
    stored, held, asked = material
    contender = CONTENDERS[name](model, vectors)
    contender.prepare()
    base = settled_mb()
    forget_peak()
    with tempfile.TemporaryDirectory() as folder:
        before = process_time()
        contender.build(stored, held, Path(folder))
        build_seconds = process_time() - before
        peak = memory_mb("VmHWM")
        one_each = {len(answer): Query(clue, "." * len(answer)) for clue, answer in held}
        contender.ranked(list(one_each.values()))  # opens every index, compiles every kernel
        queries = [Query(clue, "." * len(answer)) for clue, answer in asked]
        before = process_time()
        listed = contender.ranked(queries)
        seconds = process_time() - before
        held_mb = settled_mb()
    places = [
        answers.index(answer) if answer in answers else len(answers) + RANKS[-1]
        for (_, answer), answers in zip(asked, listed, strict=True)
    ]
    trained_here = model is None or not name.endswith("encoder")
    earlier = contender.earlier_seconds
    return {
        **{f"recall@{k}": round(sum(at < k for at in places) / len(places), 4) for k in RANKS},
        "clues_per_second": round(len(asked) / seconds, 1),
        "memory_mb": round(held_mb - base),
        "build_peak_mb": round(peak - base) if trained_here else None,
        "build_seconds": round(build_seconds + earlier, 1)
        if trained_here and earlier is not None
        else None,
    }


def other_runs(
    kept: dict[str, Any], told: dict[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Runs with another number of stored pairs, and the results of one that is as `told` is."""
    runs = list(kept.get("runs", {}).values())
    alike = ("stored", "asked", "encoder", "seed")
    same = [run for run in runs if all(run[key] == told[key] for key in alike)]
    others = [run for run in runs if run["stored"] != told["stored"]]
    return others, dict(same[0]["results"]) if same else {}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--corpus", nargs="+", required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--stored", type=int, default=40_000, help="pairs; 0 is all")
    parser.add_argument("--asked", type=int, default=2_000, help="clues")
    parser.add_argument("--model", type=Path, help="take our encoder from this folder")
    parser.add_argument("--vectors", type=Path, help="MiniLM's, from benchmarks.minilm_vectors")
    parser.add_argument("--leave-out", nargs="+", default=[], choices=list(CONTENDERS))
    parser.add_argument("--resume", action="store_true", help="keep the contenders that are there")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=RESULTS / "guessing.json")
    chosen = parser.parse_args()
    console = Console(stderr=True)
    # Elsewhere, since reading a whole corpus takes gigabytes that this process would keep.
    material = apart(cut, chosen.corpus, chosen.cache, chosen.stored, chosen.asked, chosen.seed)
    stored, _, asked = material
    known = set(stored.answers)
    told: dict[str, Any] = {
        "stored": len(stored),
        "asked": len(asked),
        "ceiling": round(sum(answer in known for _, answer in asked) / len(asked), 4),
        "encoder": "trained on these pairs" if chosen.model is None else "a model of all before",
        "seed": chosen.seed,
        "results": {},
    }
    others, old = other_runs(load(chosen.out), told)
    if chosen.resume:
        told["results"] = old
    for name in CONTENDERS:
        if name in chosen.leave_out or name in told["results"]:
            continue
        told["results"][name] = apart(measure, name, chosen.model, material, chosen.vectors)
        console.print(name, told["results"][name], highlight=False)
        runs = sorted([*others, told], key=lambda run: run["stored"])
        save(chosen.out, {"runs": {f"{run['stored']} stored": run for run in runs}})
    rows = told["results"]
    table = Table("contender", *next(iter(rows.values())))
    for name, row in rows.items():
        table.add_row(name, *map(str, row.values()))
    console.print(table)


if __name__ == "__main__":
    main()
