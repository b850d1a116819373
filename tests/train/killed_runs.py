"""Trains the small encoder whole, then killed with SIGKILL ten times on its way; prints both.

Run as a script by `test_faults`: every try is a fork of a process that has imported everything and
trained nothing, so that a try costs a fraction of a second.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from tests.corpus import CLUES, SMALL_ENCODER
from train.encoder import Settings, build
from train.pairs import Pairs


def pairs() -> Pairs:
    rows = [(clue, answer) for answer, clues in CLUES.items() for clue in clues]
    return Pairs([c for c, _ in rows], [a for _, a in rows], [1] * len(rows))


def attempt(part: Path, checkpoints: Path, after_seconds: float | None) -> bool:
    """One run in a process of its own, killed after a while; whether it came to its end."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        settings = Settings(**SMALL_ENCODER, checkpoints=str(checkpoints), every=1)  # type: ignore[arg-type]
        build(pairs(), part, settings)
        os._exit(0)
    if after_seconds is not None:
        time.sleep(after_seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    assert status == 0, status
    return True


def hashes(part: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in part.iterdir()}


def main(folder: Path, kills: int, seed: int) -> None:
    dice = random.Random(seed)
    whole = folder / "whole"
    whole.mkdir()
    attempt(whole, folder / "c0", None)  # the first compiles, or fetches what is compiled
    began = time.monotonic()
    again = folder / "again"
    again.mkdir()
    attempt(again, folder / "c1", None)
    usual = time.monotonic() - began
    killed, ends = 0, [hashes(again)]
    while killed < kills:
        part, checkpoints = folder / f"part{len(ends)}", folder / f"k{len(ends)}"
        part.mkdir()
        # A run that is killed again and again gets on by at least the steps that it has saved.
        while killed < kills and not attempt(part, checkpoints, dice.uniform(0.1, 1.0) * usual):
            killed += 1
        attempt(part, checkpoints, None)
        ends.append(hashes(part))
        assert not any(checkpoints.iterdir()), "a checkpoint was left behind"
    sys.stdout.write(json.dumps({"killed": killed, "whole": hashes(whole), "ends": ends}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
