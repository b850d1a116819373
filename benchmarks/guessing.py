"""Guessers side by side: recall at 1, 10 and 100, clues a second, memory and building, one run.

    python -m benchmarks.guessing --corpus CORPORA… --stored 40000
    python -m benchmarks.guessing --corpus CORPORA… --stored 200000 --leave-out "ours: encoder"
    python -m benchmarks.minilm_vectors --corpus CORPORA… --out vectors
    python -m benchmarks.guessing --corpus CORPORA… --stored 0 --model models/tune --vectors vectors

Stored are distinct pairs dated before 2022 or without a date, drawn at random (0: all of them);
asked are 2,000 distinct clues of 2022, of the third of its puzzles that a model which is fitted on
2022 leaves out, the slot's length known and no letter. All contenders get the same of both. With
`--model` our encoder is opened from there (trained on everything before 2022), not trained on the
sample, and `hybrid` is measured too if it is a whole model. MiniLM reads a thousand clues a second,
so that its vectors of everything are made beforehand; building counts the seconds that this took.
`ceiling` is the share of asked answers that are stored at all, which no plain contender can pass.
The results keep a run for each number of stored pairs; `--resume` only measures contenders that the
run of this number lacks.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.contenders import CONTENDERS, OF_A_MODEL, ONLY_OF_A_MODEL
from benchmarks.measuring import (
    RESULTS,
    apart,
    forget_peak,
    load,
    memory_mb,
    save,
    settled_mb,
)
from crossword.artifacts import MANIFEST, ModelFolder
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
    in_year = [SINCE <= day < UNTIL for day in columns(whole, "date")[0]]
    year = whole.select(np.flatnonzero(in_year))
    # What `run.fit_until` leaves to measure on (`train.command`): no model was fitted on it.
    _, unseen = hold_out(year, 1 / 3, 0, least=1)
    later = sorted(set(zip(*columns(unseen, "clue", "answer"), strict=True)))
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
    trained_here = model is None or name not in OF_A_MODEL
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
    results = dict(same[0]["results"]) if same else {}
    if same and same[0].get("model") != told.get("model"):  # of another model nothing is kept
        results = {name: row for name, row in results.items() if name not in OF_A_MODEL}
    return others, results


def lacking(model: Path | None) -> list[str]:
    """Contenders that can't run: parts that the model lacks, or that only a model has."""
    if model is None:
        return [ONLY_OF_A_MODEL]
    parts = ModelFolder.open(model, verify=False).parts
    return [name for name, part in OF_A_MODEL.items() if part not in parts]


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
    if chosen.model is not None:
        told["model"] = sha256((chosen.model / MANIFEST).read_bytes()).hexdigest()[:16]
    left_out = {*chosen.leave_out, *lacking(chosen.model)}
    others, old = other_runs(load(chosen.out), told)
    if chosen.resume:
        told["results"] = old
    for name in CONTENDERS:
        if name in left_out or name in told["results"]:
            continue
        told["results"][name] = apart(measure, name, chosen.model, material, chosen.vectors)
        console.print(name, told["results"][name], highlight=False)
        rows = told["results"]
        told["results"] = {one: rows[one] for one in CONTENDERS if one in rows}
        runs = sorted([*others, told], key=lambda run: run["stored"])
        save(chosen.out, {"runs": {f"{run['stored']} stored": run for run in runs}})
    rows = told["results"]
    table = Table("contender", *next(iter(rows.values())))
    for name, row in rows.items():
        table.add_row(name, *map(str, row.values()))
    console.print(table)


if __name__ == "__main__":
    main()
