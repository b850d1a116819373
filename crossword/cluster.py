"""The Ray engine: items become tasks of a cluster, results come back in order.

What a work loads is loaded once, here, and put into Ray's object store: each node gets one copy in
shared memory, and its workers see the same arrays without copying them (pickle's out-of-band
buffers). A task whose worker is killed runs again, as often as `RETRIES`; stopping, by Ctrl-C say,
cancels what is under way. Nodes need this package and the same Python, but no model folder, except
for `word2vec`, which maps its index from the folder's path.
"""

from __future__ import annotations

import logging
import os
import re
import socket
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from crossword.engine import ONE_THREAD, In, L, Out, Work
from crossword.errors import CrosswordError

RETRIES = 3
PATIENCE_SECONDS = 10.0  # for a cluster's port to open; arbitrary
MISSING = "--engine ray needs Ray: pip install 'crossword-solver[ray]'"
# No reports home, no word on accelerators that we don't use.
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


class RayEngine:
    """A cluster at `address`, or one that is started here and ends with the work."""

    def __init__(self, *, jobs: int | None = None, address: str | None = None) -> None:
        try:
            import ray  # noqa: F401
        except ImportError:
            raise CrosswordError(MISSING) from None
        self._jobs, self._address = jobs, address

    def map(self, work: Work[L, In, Out], items: Iterable[In]) -> Iterator[Out]:
        loaded = work.load()  # before a cluster starts, so that a wrong model is told at once
        with _connected(self._address, self._jobs) as ray:
            options = {"env_vars": ONE_THREAD}
            task = ray.remote(max_retries=RETRIES, num_cpus=1, runtime_env=options)(_do)
            shared = [ray.put(loaded)]  # in a list, or Ray would unpack it for every task
            del loaded
            waiting: deque[Any] = deque()
            source = iter(items)
            # As many as were asked for; else twice the cores, so that none waits for work.
            at_once = self._jobs or 2 * int(ray.cluster_resources().get("CPU", 1))
            try:
                waiting.extend(task.remote(work, shared, i) for i in islice(source, at_once))
                while waiting:
                    outcome = ray.get(waiting[0])
                    waiting.popleft()
                    waiting.extend(task.remote(work, shared, i) for i in islice(source, 1))
                    yield outcome
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None  # the work's own, as if it had run here
            except ray.exceptions.WorkerCrashedError:
                raise CrosswordError(
                    f"a worker died {RETRIES + 1} times on one item, perhaps for want of memory"
                ) from None
            except ray.exceptions.RayError as error:
                raise CrosswordError(f"the Ray cluster failed: {error}") from None
            finally:
                for one in waiting:
                    ray.cancel(one, force=True)


@contextmanager
def _connected(address: str | None, jobs: int | None) -> Iterator[Any]:
    """Ray, connected; a cluster that was started here is stopped at the end.

    Who has called `ray.init` already, in a notebook say, keeps that connection.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import ray

    if ray.is_initialized():
        yield ray
        return
    own: dict[str, Any] = {"num_cpus": jobs, "include_dashboard": False} if address is None else {}
    if address is not None:
        _knock(address)
    try:
        ray.init(
            address or "local",
            logging_level=logging.ERROR,
            log_to_driver=False,
            **own,
        )
    except Exception as error:  # Ray raises whatever comes to hand
        where = f"no Ray cluster answers at {address}" if address else "Ray could not start here"
        told = str(error).strip().partition("\n")[0]
        raise CrosswordError(f"{where}: {told}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Refuse an address that nobody listens at; Ray itself would try for many minutes."""
    found = re.fullmatch(r"(?:ray://)?([^:/]+):(\d{1,5})", address)
    if found is None:
        return  # "auto", or a way to name clusters that only Ray knows
    try:
        socket.create_connection((found[1], int(found[2])), PATIENCE_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise CrosswordError(f"no Ray cluster answers at {address}: {error}") from None


_kept: dict[str, Any] = {}


def _do(work: Work[L, In, Out], shared: list[Any], item: In) -> Out:
    """In a worker process. What a node has is looked up once, so that what it learns stays."""
    import ray

    key = shared[0].hex()
    if key not in _kept:
        _kept.clear()
        _kept[key] = ray.get(shared[0])
    return work.do(_kept[key], item)
