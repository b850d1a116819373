"""Whether two versions of the code guess alike: for a change that should make guessing faster only.

    python -m benchmarks.guess_agreement CORPUS.ipuz.jsonl.gz --model DIR --save before.npz
    python -m benchmarks.guess_agreement CORPUS.ipuz.jsonl.gz --model DIR --against before.npz

The first is run with the old code, the second with the new. Asked are drawn clues, each alone and
all of them in one batch, a hundred guesses each, and their distributions over every answer. Told
are the largest differences of log-probabilities, and how many lists differ in an answer or an
order that rounding does not explain. The saved file has answers and numbers, and no clue.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from benchmarks.guess_cost import LIMIT
from benchmarks.samples import arguments, queries
from crossword.loading import open_guesser
from crossword.types import Guess, Guesser, Query

Lists = list[dict[str, float]]  # of each clue: answers with their log-probabilities, best first


def lists_of(found: Sequence[Sequence[Guess]]) -> Lists:
    return [{guess.answer: guess.log_prob for guess in one} for one in found]


def answers_of(guesser: Guesser, queries: Sequence[Query]) -> dict[str, Lists]:
    half = [  # with some letters known, so that patterns are tried too
        Query(one.clue, guess[0].answer[0] + one.pattern[1:]) if guess else one
        for one, guess in zip(queries, guesser.guess(queries, 1), strict=True)
    ]
    return {
        "alone": [lists_of(guesser.guess([query], LIMIT))[0] for query in queries],
        "batch": lists_of(guesser.guess(queries, LIMIT)),
        "with a letter": lists_of(guesser.guess(half, LIMIT)),
    }


def log_probs_of(guesser: Guesser, queries: Sequence[Query]) -> NDArray[np.float32]:
    """Of every answer to each query, one after another, with that of none of them."""
    return np.concatenate([
        part
        for found in guesser.distributions(queries)
        for part in (found.log_probs, np.array([found.log_unknown], np.float32))
    ])  # fmt: skip


def differs(before: dict[str, float], after: dict[str, float], tolerance: float) -> bool:
    """Whether lists differ by more than answers of equal probability that changed places."""
    least = min((*before.values(), *after.values()), default=0.0) + tolerance
    ranked = list(after)
    return (
        any(before[a] > least for a in before.keys() - after.keys())
        or any(after[a] > least for a in after.keys() - before.keys())
        or any(
            before[a] < before[b] - tolerance
            for a, b in pairwise(answer for answer in ranked if answer in before)
        )
    )


def compare(before: dict[str, Lists], after: dict[str, Lists], tolerance: float) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, lists in before.items():
        pairs = list(zip(lists, after[name], strict=True))
        gaps = [abs(one[a] - two[a]) for one, two in pairs for a in one.keys() & two.keys()]
        told[name] = {
            "lists": len(pairs),
            "guesses": sum(len(one) for one, _ in pairs),
            "largest_difference": max(gaps, default=0.0),
            "lists_in_another_order": sum(list(one) != list(two) for one, two in pairs),
            "lists_that_differ": sum(differs(one, two, tolerance) for one, two in pairs),
        }
    return told


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--clues", type=int, default=400)
    parser.set_defaults(seed=1)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    chosen = parser.parse_args()
    asked = queries(chosen.path, chosen.since, chosen.until, chosen.clues, chosen.seed)
    guesser = open_guesser(model=chosen.model)
    lists = answers_of(guesser, asked)
    log_probs = log_probs_of(guesser, asked[::4])
    if chosen.save is not None:
        np.savez(chosen.save, lists=np.array(json.dumps(lists)), log_probs=log_probs)
    if chosen.against is not None:
        with np.load(chosen.against, allow_pickle=False) as stored:
            told = compare(json.loads(str(stored["lists"])), lists, chosen.tolerance)
            gaps = np.abs(stored["log_probs"] - log_probs)
        told["distributions"] = {"answers": len(gaps), "largest_difference": float(gaps.max())}
        Console().print_json(json.dumps(told))


if __name__ == "__main__":
    main()
