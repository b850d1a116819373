"""Trains whole, then killed with SIGKILL again and again on its way; prints what came of both.

    python -m tests.train.killed_runs encoder|command FOLDER KILLS SEED

`encoder` trains the small encoder alone; `command` a whole model of most parts, two of which keep
checkpoints. Run as a script by `test_faults`: every try is a fork of a process that has imported
everything and trained nothing, so that a try costs little.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.corpus import CLUES, SMALL_ENCODER, write_corpus
from tests.wheel import write_wheel
from train import command, minilm
from train.encoder import Settings, build
from train.pairs import Pairs

PARTS = "tfidf,ngram,encoder,transformer,sentence,hybrid"

Train = Callable[[Path, Path], Any]  # what is made, and the folder of checkpoints


def pairs() -> Pairs:
    rows = [(clue, answer) for answer, clues in CLUES.items() for clue in clues]
    return Pairs([c for c, _ in rows], [a for _, a in rows], [1] * len(rows))


def train_encoder(out: Path, checkpoints: Path) -> None:
    settings = Settings(**SMALL_ENCODER, checkpoints=str(checkpoints), every=1)  # type: ignore[arg-type]
    out.mkdir(exist_ok=True)
    build(pairs(), out, settings)


def trainer_of_all(folder: Path) -> Train:
    """What trains a model of most parts as `crossword train` does, from the tiny corpus."""
    corpus = write_corpus(folder / "tiny.jsonl")
    wheel, minilm.SHA256 = write_wheel(folder / "tiny.whl")

    def train(out: Path, checkpoints: Path) -> None:
        kept = {"checkpoints": str(checkpoints), "every": 1}
        settings: dict[str, dict[str, Any]] = {
            "encoder": {**SMALL_ENCODER, **kept},
            "sentence": {"weights": str(wheel), "size": 32},
            "transformer": {
                "weights": str(wheel),
                "layers": 1,
                "passes": 4,
                "batch": 8,
                "meanings": 16,
                **kept,
            },
        }
        command.run([corpus], out, only=PARTS, settings=settings, cache=folder / "cache")

    return train


def attempt(train: Train, out: Path, checkpoints: Path, after_seconds: float | None) -> bool:
    """One run in a process of its own, killed after a while; whether it came to its end."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        train(out, checkpoints)
        os._exit(0)
    if after_seconds is not None:
        time.sleep(after_seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    assert status == 0, status
    return True


def hashes(out: Path) -> dict[str, str]:
    """Of every file; of a manifest, which says when it was made and where, of its figures."""
    found = {}
    for file in sorted(file for file in out.rglob("*") if file.is_file()):
        data = file.read_bytes()
        if file.name == "manifest.json":
            data = json.dumps(json.loads(data)["figures"]).encode()
        found[str(file.relative_to(out))] = hashlib.sha256(data).hexdigest()
    return found


def main(kind: str, folder: Path, kills: int, seed: int) -> None:
    train = train_encoder if kind == "encoder" else trainer_of_all(folder)
    dice = random.Random(seed)
    models = folder / "models"
    models.mkdir()
    attempt(train, models / "whole", folder / "c0", None)  # the first compiles, or fetches it
    began = time.monotonic()
    attempt(train, models / "again", folder / "c1", None)
    usual = time.monotonic() - began
    killed, ends = 0, [models / "again"]
    while killed < kills:
        out, checkpoints = models / f"end{len(ends)}", folder / f"k{len(ends)}"
        # A run that is killed again and again gets on by at least the steps that it has saved.
        while killed < kills and not attempt(
            train, out, checkpoints, dice.uniform(0.1, 1.0) * usual
        ):
            killed += 1
        if kind == "encoder" or not out.exists():  # an encoder's folder is not written in one go
            attempt(train, out, checkpoints, None)
        ends.append(out)
        assert not any(checkpoints.iterdir()), "a checkpoint was left behind"
    told = {
        "killed": killed,
        "left": sorted({path.name for path in models.iterdir()} - {end.name for end in ends}),
        "whole": hashes(models / "whole"),
        "ends": [hashes(end) for end in ends],
    }
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
