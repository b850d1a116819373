"""The same grid and model give the same solution on one thread and on two, and run after run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crossword.artifacts import ModelFolder
from crossword.engine import THREADS
from crossword.loading import default_model

ROOT = Path(__file__).resolve().parents[2]
PUZZLES = ROOT / "data" / "puzzles"
DAILY, MINI = PUZZLES / "daily-01-from-the-ground-up.ipuz", PUZZLES / "mini-01-breakfast.ipuz"
pytestmark = pytest.mark.slow


def digests(threads: int, *arguments: str) -> dict[str, str]:
    """What a fresh process finds; `repr` of every number is in the digests."""
    environment = {**os.environ, **dict.fromkeys(THREADS, str(threads)), "PYTHONHASHSEED": "random"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.crossword.digests", *arguments],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no second thread")
@pytest.mark.skipif(default_model() is None, reason="there is no models/default")
def test_the_shipped_model_solves_alike_on_one_thread_and_on_two() -> None:
    asked = (str(default_model()), "hybrid", str(DAILY), str(MINI))
    one = digests(1, *asked)
    assert len(one) == 10  # five solvers, two puzzles
    assert digests(2, *asked) == one
    assert digests(2, *asked) == one  # and again


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no second thread")
def test_every_guesser_solves_alike_on_one_thread_and_on_two(tiny_model: ModelFolder) -> None:
    asked = (str(tiny_model.path), ",".join(tiny_model.parts), str(MINI))
    one = digests(1, *asked)
    assert len(one) == 5 * len(tiny_model.parts) >= 40
    assert digests(2, *asked) == one
