"""Where batch work runs: in this process, in a pool of processes, or on a Ray cluster.

An engine maps a `Work` over items and gives the results in the order of the items, so what comes
out does not depend on the engine (but for seconds, and for what a deadline cuts short). A `Work`
is a small value that can be sent anywhere; what it loads stays where it was loaded.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from crossword.errors import CrosswordError, UnknownNameError

ENGINES = ("local", "ray")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
# Workers that each use all cores only get in each other's way.
ONE_THREAD = dict.fromkeys(THREADS, "1")

In = TypeVar("In")
Out = TypeVar("Out")
L = TypeVar("L")  # what was loaded
_In = TypeVar("_In", contravariant=True)
_Out = TypeVar("_Out", covariant=True)


class Work(Protocol[L, _In, _Out]):
    """What is done with each item, and what must be loaded first."""

    def load(self) -> L:
        """The heavy part, a model say; done once, not once an item."""
        ...

    def do(self, loaded: L, item: _In) -> _Out: ...


class Engine(Protocol):
    """Runs a work over many items."""

    def map(self, work: Work[L, In, Out], items: Iterable[In]) -> Iterator[Out]:
        """A result for each item, in order. Stop iterating at any time to stop the work."""
        ...


def open_engine(
    name: str = "local", *, jobs: int | None = None, address: str | None = None
) -> Engine:
    """An engine by name. `jobs` items at a time: one if not said, on Ray as many as it has cores.

    `address` is that of a running Ray cluster; without it one starts on this machine.
    """
    if name == "ray":
        from crossword.cluster import RayEngine

        return RayEngine(jobs=jobs, address=address)
    if name != "local":
        raise UnknownNameError("engine", name, ENGINES)
    if address is not None:
        raise CrosswordError("--address is of a Ray cluster: add --engine ray")
    return LocalEngine(jobs or 1)


class LocalEngine:
    """This process, or a pool of `jobs` of them, each of which loads once."""

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs

    def map(self, work: Work[L, In, Out], items: Iterable[In]) -> Iterator[Out]:
        if self._jobs <= 1:
            loaded = work.load()
            for item in items:
                yield work.do(loaded, item)
            return
        with _one_thread_each():
            pool = ProcessPoolExecutor(
                self._jobs, mp_context=get_context("spawn"), initializer=_start, initargs=(work,)
            )
            waiting: deque[Future[tuple[str | None, Any]]] = deque()
            source = iter(items)
            try:
                # A short queue, so that a stream of items isn't read whole.
                waiting.extend(pool.submit(_do, item) for item in islice(source, 2 * self._jobs))
                while waiting:
                    error, outcome = waiting.popleft().result()
                    if error is not None:
                        raise CrosswordError(error)
                    waiting.extend(pool.submit(_do, item) for item in islice(source, 1))
                    yield outcome
            except BrokenProcessPool:
                raise CrosswordError(
                    "a worker process was killed, perhaps for want of memory: try fewer --jobs"
                ) from None
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """For child processes, which inherit this."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


_worker: dict[str, Any] = {}


def _start(work: Work[Any, Any, Any]) -> None:
    """In a worker: Ctrl-C is for the parent to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker["work"] = work


def _do(item: Any) -> tuple[str | None, Any]:
    """In a worker: a result, or the line of an error that loading the model raised."""
    if "loaded" not in _worker:
        try:
            _worker["loaded"] = _worker["work"].load()
        except CrosswordError as error:
            return str(error), None
    return None, _worker["work"].do(_worker["loaded"], item)
