"""Many games at once: a progress bar, worker processes, seeds, and nothing lost on Ctrl-C.

`run` maps a task over items and returns what was done, in the order of the items, also when it
was interrupted. Chance comes only from `seeds`, one a game, so the number of jobs never changes
a result.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from wordgames.errors import DataError, InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

_CHUNKS_PER_JOB = 16  # small enough for a live bar, large enough that messages cost nothing


@dataclass(frozen=True)
class Run(Generic[Result]):
    """What a simulation gave; `results` is shorter than `planned` if it was interrupted."""

    results: list[Result]
    planned: int

    @property
    def complete(self) -> bool:
        return len(self.results) == self.planned


@dataclass(frozen=True)
class Summary:
    """Guesses a game: the figures every simulator reports under these names."""

    total: int
    average: float
    worst: int
    distribution: dict[int, int]

    @classmethod
    def of(cls, counts: Iterable[int]) -> Summary:
        distribution = dict(sorted(Counter(counts).items()))
        total = sum(turns * games for turns, games in distribution.items())
        games = sum(distribution.values())
        average = total / games if games else float("nan")
        return cls(total, average, max(distribution, default=0), distribution)


def seeds(seed: int, games: int) -> list[int]:
    """One independent seed a game, the same for the same arguments everywhere."""
    return [int(state) for state in np.random.SeedSequence(seed).generate_state(games, np.uint64)]


def checked_jobs(jobs: int) -> int:
    """The number of processes to use: 0 means one a core."""
    if jobs < 0:
        raise InputError(f"--jobs must be 0 (all cores) or more, not {jobs}")
    return jobs or os.cpu_count() or 1


def run(
    task: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    jobs: int = 1,
    label: str = "games",
    show_progress: bool | None = None,
) -> Run[Result]:
    """Does `task` for every item, in `jobs` processes; Ctrl-C returns what is done so far.

    With more than one job, task and items must be picklable; load what is heavy before the call
    (workers are forked where the system can). The bar shows on a terminal unless told otherwise.
    """
    jobs = min(checked_jobs(jobs), max(1, len(items)))
    done: dict[int, Result] = {}
    visible = sys.stderr.isatty() if show_progress is None else show_progress
    source = _serial(task, items) if jobs == 1 else _parallel(task, items, jobs)
    progress = Progress(
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not visible,
    )
    try:
        first = next(source, None)  # forks the workers before the bar starts its thread
        if first is not None:
            with progress:
                bar = progress.add_task(label, total=len(items))
                done.update(first)
                progress.update(bar, completed=len(done))
                for results in source:
                    done.update(results)
                    progress.update(bar, completed=len(done))
    except KeyboardInterrupt:
        pass  # what is done is the result; the caller sees that it is not complete
    finally:
        source.close()
    return Run([done[i] for i in sorted(done)], len(items))


def _serial(
    task: Callable[[Item], Result], items: Sequence[Item]
) -> Generator[dict[int, Result], None, None]:
    for i, item in enumerate(items):
        yield {i: task(item)}


_task: Callable[[Any], Any] | None = None


def _start_worker(task: Callable[[Any], Any]) -> None:
    global _task
    _task = task
    # The main process alone answers Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(chunk: list[tuple[int, Any]]) -> dict[int, Any]:
    assert _task is not None
    return {i: _task(item) for i, item in chunk}


def _parallel(
    task: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Generator[dict[int, Result], None, None]:
    method = "fork" if sys.platform == "linux" else "spawn"
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context(method), initializer=_start_worker, initargs=(task,)
    )
    others = set(multiprocessing.active_children())
    finished_all = False
    numbered = list(enumerate(items))
    size = max(1, len(items) // (jobs * _CHUNKS_PER_JOB))
    try:
        waiting: set[Future[dict[int, Any]]] = {
            pool.submit(_work, numbered[start : start + size])
            for start in range(0, len(numbered), size)
        }
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
        finished_all = True
    finally:
        if not finished_all:
            # Interrupted: what a worker is in the middle of may take long, and nobody wants it.
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def write_json(path: Path, result: Mapping[str, Any]) -> None:
    """Writes a result as JSON under a temporary name first, so a file is never half there."""
    text = json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if str(path) == "-":
        sys.stdout.write(text)
        return
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error}") from None
