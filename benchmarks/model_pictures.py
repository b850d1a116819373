"""Pictures of the clue model: how honest its probabilities are, and where clues lie.

    python -m benchmarks.model_pictures nyt-1993-2023.ipuz.jsonl.gz --model DIR \
        --since 2022-01-01 --until 2023-01-01 --out benchmarks/results/model-pictures.json

Writes docs/images/reliability.svg and docs/images/clues.svg. The first: of the clues of the given
time, the best answer's probability against how often it was right, in ten bins of equal size. The
second: clues of our own puzzles as points, the first two principal directions of the nearest
to a query (the first experiments had such a picture).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from rich.console import Console

from benchmarks.machine import machine
from benchmarks.samples import puzzles
from crossword.formats import collection
from crossword.guessers.encoder import EncoderGuesser, open_part
from crossword.puzzle import Puzzle
from crossword.types import Query

BINS = 10
BATCH = 500
NEAREST = 24
QUERY = "Feline at home"
IMAGES = Path(__file__).parent.parent / "docs" / "images"


def reliability(guesser: EncoderGuesser, items: list[tuple[str, Puzzle]]) -> dict[str, Any]:
    """Bins of (mean probability of the best answer, share right), and their mean distance."""
    asked = [
        (puzzle.clue(slot.name), answer)
        for _, puzzle in items
        for slot in puzzle.slots
        if (answer := puzzle.answer(slot.name)) and len(answer) == len(slot)
    ]
    sure, right = [], []
    for start in range(0, len(asked), BATCH):
        part = asked[start : start + BATCH]
        found = guesser.distributions([Query(clue, "." * len(answer)) for clue, answer in part])
        for (_, answer), one in zip(part, found, strict=True):
            best = int(one.log_probs.argmax())
            sure.append(float(np.exp(one.log_probs[best])))
            right.append(one.words[best] == answer)
    order = np.argsort(sure, kind="stable")
    bins = [
        (float(np.mean(np.array(sure)[rows])), float(np.mean(np.array(right)[rows])), len(rows))
        for rows in np.array_split(order, BINS)
    ]
    error = sum(abs(p - share) * count for p, share, count in bins) / len(asked)
    return {"clues": len(asked), "bins": bins, "expected_calibration_error": round(error, 4)}


def draw_reliability(told: dict[str, Any], path: Path) -> None:
    figure, axes = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
    axes.plot([0, 1], [0, 1], color="#999", linewidth=1, linestyle="--")
    axes.plot(*zip(*((p, share) for p, share, _ in told["bins"]), strict=True), marker="o")
    axes.set_xlabel("probability of the best answer")
    axes.set_ylabel("how often it was right")
    axes.set_title(f"{told['clues']:,} clues, ten bins of equal size", fontsize=10)
    figure.savefig(path)
    plt.close(figure)


def draw_clues(guesser: EncoderGuesser, path: Path) -> None:
    clues = [
        clue
        for entry in collection.entries([Path(__file__).parent.parent / "data" / "puzzles"])
        if entry.puzzle is not None
        for clue in entry.puzzle.clues.values()
    ]
    texts = list(dict.fromkeys(clue for clue in clues if 0 < len(clue) < 34))
    vectors: NDArray[np.float32] = guesser.encoder.vectors([QUERY, *texts])
    near = 1 + np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:NEAREST]
    shown = np.concatenate([[0], near])
    centred = vectors[shown] - vectors[shown].mean(axis=0)
    _, _, main = np.linalg.svd(centred, full_matrices=False)
    points = centred @ main[:2].T
    figure, axes = plt.subplots(figsize=(9, 6), layout="constrained")
    axes.scatter(points[:, 0], points[:, 1], s=14, c=["#c33", *["#37c"] * len(near)])
    for at, (x, y) in zip(shown.tolist(), points.tolist(), strict=True):
        label = QUERY if at == 0 else texts[at - 1]
        axes.annotate(
            label, (x, y), xytext=(4, 3), textcoords="offset points", fontsize=7,
            color="#c33" if at == 0 else "#333",
        )  # fmt: skip
    axes.margins(x=0.2)  # room for the words
    axes.set_xticks([])
    axes.set_yticks([])
    figure.savefig(path)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--since", default="2022-01-01")
    parser.add_argument("--until", default="2023-01-01")
    parser.add_argument("--limit", type=int, default=365)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    matplotlib.rcParams["svg.hashsalt"] = "crossword"  # the same picture, the same file
    guesser = open_part(chosen.model / "encoder")
    items = puzzles(chosen.path, chosen.since, chosen.until, chosen.limit, 0)
    told = reliability(guesser, items)
    draw_reliability(told, IMAGES / "reliability.svg")
    draw_clues(guesser, IMAGES / "clues.svg")
    told = {"machine": machine(), "since": chosen.since, "until": chosen.until, **told}
    Console().print_json(json.dumps(told))
    if chosen.out is not None:
        chosen.out.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
