"""What the benchmarks measure with: memory, a process for each contender, the slope of a curve.

A contender runs in a process of its own, so that its memory is its own and nothing that another
one loaded or compiled helps it. Seconds are those of the processor (`time.process_time`), so that
a busy machine changes them little; where the clock on the wall is meant, a name says so.
"""

from __future__ import annotations

import ctypes
import gc
import json
import multiprocessing
import os
import re
import resource
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import machine

RESULTS = Path(__file__).parent / "results"
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def memory_mb(field: str = "VmRSS") -> float:
    """What this process has in memory; with "VmHWM" the most that it ever had."""
    status = Path("/proc/self/status")
    found = re.search(rf"{field}:\s+(\d+)", status.read_text()) if status.is_file() else None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # the next best, on other systems
    return int(found[1] if found else peak) / 1024


def settled_mb() -> float:
    """What is in memory once all that can be given back is."""
    gc.collect()
    if hasattr(ctypes.CDLL(None), "malloc_trim"):
        ctypes.CDLL(None).malloc_trim(0)
    return memory_mb()


def forget_peak() -> None:
    """Begin a new "VmHWM", where the system lets us."""
    switch = Path("/proc/self/clear_refs")
    if switch.exists():
        switch.write_text("5")


def apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function of a module gives, called in a fresh process with one thread."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        # Not multiprocessing's own pool, which waits for ever for a process that was killed.
        fresh = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=fresh) as pool:
            return pool.submit(function, *arguments).result()
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def exponent(sizes: Sequence[float], values: Sequence[float | None]) -> float | None:
    """The slope of the curve in a log-log plot, by least squares: value ~ size^slope.

    Points that were not measured, or came out as nothing, don't count; a curve needs two.
    """
    kept = [(x, y) for x, y in zip(sizes, values, strict=True) if x > 0 and y]
    if len(kept) < 2:
        return None
    logs = np.log(np.array(kept, dtype=np.float64))
    return round(float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0]), 2)


def save(out: Path, told: dict[str, Any]) -> None:
    """A JSON of results, with the machine that it was measured on; whole or not at all."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=out.parent, delete=False) as file:
        file.write(json.dumps({"machine": machine(), **told}, indent=1) + "\n")
    Path(file.name).chmod(0o644)
    Path(file.name).replace(out)


def load(out: Path) -> dict[str, Any]:
    """Results that are there already, or nothing."""
    return json.loads(out.read_text()) if out.is_file() else {}
