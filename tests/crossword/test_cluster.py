"""The Ray engine: the same results as the local one, a killed worker retried, Ctrl-C heard."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crossword.cli import run
from crossword.cluster import RETRIES, RayEngine
from crossword.errors import CrosswordError
from crossword.loading import default_model
from tests.crossword.works import Failing, Sleeping, Squaring

ray = pytest.importorskip("ray", reason="Ray is an extra: pip install 'crossword-solver[ray]'")
pytestmark = [
    pytest.mark.slow,
    # Ray's own sockets and files, closed when it likes.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PUZZLES = sorted(Path("data/puzzles").glob("mini-*.ipuz"))[:4]


def timeless(told: Any) -> Any:
    """Figures without how long anything took."""
    if isinstance(told, dict):
        return {name: timeless(value) for name, value in told.items() if "seconds" not in name}
    return [timeless(one) for one in told] if isinstance(told, list) else told


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """One little cluster for all these tests; the engine keeps a connection that is there."""
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_a_local_cluster_starts_by_itself_and_ends_with_the_work(tmp_path: Path) -> None:
    assert list(RayEngine(jobs=1).map(Squaring(tmp_path), range(3))) == [0, 1, 4]
    assert not ray.is_initialized()


def test_no_cluster_at_an_address_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["guess", "Feline", "3", "--engine", "ray", "--address", "127.0.0.1:1"]) == 2
    assert "no Ray cluster answers at 127.0.0.1:1" in capsys.readouterr().err


def test_loaded_once_and_in_order(cluster: None, tmp_path: Path) -> None:
    assert list(RayEngine().map(Squaring(tmp_path), range(20))) == [i * i for i in range(20)]
    assert [path.name for path in tmp_path.iterdir()] == [f"loaded-{os.getpid()}"]


def test_a_killed_worker_costs_only_a_retry(cluster: None, tmp_path: Path) -> None:
    work = Squaring(tmp_path, deadly=3)
    assert list(RayEngine().map(work, range(8))) == [i * i for i in range(8)]
    assert (tmp_path / "killed").exists()


def test_a_deadly_item_is_given_up_in_a_line(cluster: None, tmp_path: Path) -> None:
    work = Squaring(tmp_path, deadly=1, always=True)
    with pytest.raises(CrosswordError, match=f"died {RETRIES + 1} times"):
        list(RayEngine().map(work, range(3)))


def test_an_error_of_the_work_is_what_it_would_be_here(cluster: None) -> None:
    with pytest.raises(ZeroDivisionError, match="by design"):
        list(RayEngine().map(Failing(loading=False), [1]))
    with pytest.raises(CrosswordError, match="no such model"):
        list(RayEngine().map(Failing(loading=True), [1]))


def test_ctrl_c_stops_the_work_in_the_cluster(cluster: None, tmp_path: Path) -> None:
    def press() -> None:
        while not any(tmp_path.iterdir()):
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        list(RayEngine().map(Sleeping(tmp_path), range(4)))
    workers = [int(path.name) for path in tmp_path.iterdir()]
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < deadline, "a worker goes on after Ctrl-C"
        time.sleep(0.2)


@pytest.mark.skipif(default_model() is None, reason="there is no models/default")
def test_evaluating_gives_the_same_to_the_last_digit(cluster: None, tmp_path: Path) -> None:
    def figures(*options: str) -> Any:
        file = tmp_path / "figures.json"
        assert run(["evaluate", *map(str, PUZZLES), "--json", str(file), *options]) == 0
        return timeless(json.loads(file.read_text()))

    assert figures("--engine", "ray") == figures()


@pytest.mark.skipif(default_model() is None, reason="there is no models/default")
def test_solving_and_guessing_give_the_same_to_the_last_digit(
    cluster: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clues = tmp_path / "clues.tsv"
    clues.write_text("Feline\t3\nTemplate for a tailor\tP..TERN\nFirst light\t4\n")

    def printed(*arguments: str) -> str:
        assert run(list(arguments)) == 0
        return capsys.readouterr().out

    guess = ("guess", "--from", str(clues), "--json")
    assert printed(*guess, "--engine", "ray") == printed(*guess)
    solve = ("solve", *map(str, PUZZLES), "--json")
    there, here = printed(*solve, "--engine", "ray"), printed(*solve)
    assert timeless(json.loads(there)) == timeless(json.loads(here))
