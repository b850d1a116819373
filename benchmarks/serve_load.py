"""Load on a real service over loopback: `python -m benchmarks.serve_load` writes a JSON of results.

Starts `crossword serve` as a process of its own and measures from this one:
guesses (throughput and p50/p95/p99 at 1, 8 and 64 connections, each answer held against the one
given to a lone caller); solves past the queue's end (how many 503s, and that every other answer is
there and is right); a worker killed with SIGKILL in mid-solve; and a soak: mixed calls as fast as
they are answered, with the memory and the open files of all processes. `--parts` chooses, `--add`
keeps the parts that an earlier run has written. Figures are of this machine, busy or not; the load
average is recorded with each run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

import httpx

from benchmarks.machine import machine
from crossword import formats

ROOT = Path(__file__).resolve().parent.parent
PUZZLES = ROOT / "data" / "puzzles"
RESULTS = Path(__file__).parent / "results"
CONNECTIONS = (1, 8, 64)
log = logging.getLogger("serve_load")

PARTS = ("guess", "capacity", "killed", "soak")

# One of these a request, as the page asks while somebody types: every clue of our own puzzles,
# with one letter in three known.
CLUES = [
    (puzzle.clues[slot.name], "".join(c if i % 3 == 0 else "." for i, c in enumerate(answer)))
    for path in sorted(PUZZLES.iterdir())
    if path.suffix.removeprefix(".") in formats.names()
    for puzzle in [formats.read(path)]
    for slot in puzzle.grid.slots
    if (answer := puzzle.answer(slot.name)) and len(answer) == len(slot)
]


@contextmanager
def service(workers: int, queue: int, model: str | None) -> Iterator[tuple[int, str]]:
    """A service in a process of its own: its number, and its address."""
    command = [sys.executable, "-m", "crossword.cli", "serve", "--port", "0", "--no-word-games",
               "--workers", str(workers), "--queue", str(queue),
               *(["--model", model] if model else [])]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if found := re.search(r"Ready: (http://\S+?)/? ", line):
                yield process.pid, found[1]
                return
        raise SystemExit("the service didn't start")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        process.stderr.close()


def family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    listed = subprocess.run(
        ["ps", "--no-headers", "-o", "pid", "--ppid", str(pid)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    for child in listed.stdout.split():
        found += family(int(child))
    return found


def memory(pid: int) -> dict[str, float]:
    """Megabytes of all processes: RSS counts shared pages once a process, PSS once in all."""
    total: Counter[str] = Counter()
    for each in family(pid):
        try:
            text = Path(f"/proc/{each}/smaps_rollup").read_text()
        except OSError:
            continue
        for name in ("Rss", "Pss", "Private_Dirty"):
            found = re.search(rf"^{name}:\s+(\d+) kB", text, re.M)
            total[name] += int(found[1]) if found else 0
    return {f"{name.lower()}_mb": round(value / 1024, 1) for name, value in total.items()}


def open_files(pid: int) -> int:
    """Descriptors of all processes: one that is never closed is a leak too."""
    return sum(
        len(list(folder.iterdir()))
        for each in family(pid)
        if (folder := Path(f"/proc/{each}/fd")).is_dir()
    )


def percentiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)

    return {"p50_ms": at(0.5), "p95_ms": at(0.95), "p99_ms": at(0.99), "max_ms": at(1.0)}


async def hammer(
    connections: int, seconds: float, call: Callable[[int], Awaitable[int]]
) -> dict[str, Any]:
    """So many callers, each calling again as soon as it is answered."""
    times: list[float] = []
    statuses: Counter[int] = Counter()
    end = time.perf_counter() + seconds

    async def caller(number: int) -> None:
        turn = number
        while time.perf_counter() < end:
            began = time.perf_counter()
            statuses[await call(turn)] += 1
            times.append(time.perf_counter() - began)
            turn += 1

    began = time.perf_counter()
    await asyncio.gather(*(caller(i) for i in range(connections)))
    return {
        "connections": connections,
        "requests": len(times),
        "per_second": round(len(times) / (time.perf_counter() - began), 1),
        **percentiles(times),
        "statuses": {str(status): count for status, count in statuses.items()},
    }


def client(url: str, connections: int) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    return httpx.AsyncClient(base_url=url, limits=limits, timeout=120.0)


async def guesses(url: str, seconds: float) -> list[dict[str, Any]]:
    """Guess throughput; every answer is held against the one given when nobody else asked."""
    found = []
    bodies = [{"queries": [{"clue": c, "pattern": p}], "limit": 10} for c, p in CLUES]
    async with client(url, 1) as http:
        right = [(await http.post("/v1/guess", json=body)).content for body in bodies]
    for connections in CONNECTIONS:
        async with client(url, connections) as http:
            wrong = 0

            async def call(turn: int, http: httpx.AsyncClient = http) -> int:
                nonlocal wrong
                which = 7 * turn % len(bodies)  # callers are at different places
                response = await http.post("/v1/guess", json=bodies[which])
                wrong += response.status_code == 200 and response.content != right[which]
                return response.status_code

            row = await hammer(connections, seconds, call)
        row["wrong"] = wrong
        log.info("guess %s", row)
        found.append(row)
    return found


def answer_of(response: httpx.Response) -> dict[str, Any]:
    """What must be the same each time a puzzle is solved: all but the time it took."""
    return {key: value for key, value in response.json().items() if key != "statistics"}


async def past_capacity(url: str, workers: int, queue: int) -> dict[str, Any]:
    """Three times as many solves at once as there is room for."""
    file = (PUZZLES / "daily-01-from-the-ground-up.ipuz").read_bytes()
    path = "/v1/solve?seconds=60"  # so that a busy machine makes answers late, not different
    async with client(url, 200) as http:
        alone = await http.post(path, content=file)
        alone_seconds = alone.elapsed.total_seconds()
        asked = 3 * (workers + queue)
        began = time.perf_counter()
        found = await asyncio.gather(
            *(http.post(path, content=file) for _ in range(asked)),
            return_exceptions=True,
        )
        took = time.perf_counter() - began
    answers = [each for each in found if isinstance(each, httpx.Response)]
    solved = [each for each in answers if each.status_code == 200]
    refused = [each for each in answers if each.status_code == 503]
    result = {
        "workers": workers,
        "queue": queue,
        "asked_at_once": asked,
        "solved": len(solved),
        "refused_503": len(refused),
        "other_statuses": len(answers) - len(solved) - len(refused),
        "lost": len(found) - len(answers),
        "wrong": sum(answer_of(each) != answer_of(alone) for each in solved),
        "seconds_alone": round(alone_seconds, 3),
        "solves_per_second": round(len(solved) / took, 2),
        "retry_after_seconds": sorted({int(each.headers["retry-after"]) for each in refused}),
    }
    log.info("past capacity %s", result)
    return result


async def killed(pid: int, url: str) -> dict[str, Any]:
    """SIGKILL to a worker in mid-solve, with other requests under way."""
    file = (PUZZLES / "daily-01-from-the-ground-up.ipuz").read_bytes()
    body = {"queries": [{"clue": CLUES[0][0], "pattern": CLUES[0][1]}]}
    async with client(url, 50) as http:
        nursery = next(each for each in family(pid)[1:] if len(family(each)) > 1)
        workers = [each for each in family(nursery) if each != nursery]
        statuses: Counter[int] = Counter()
        for _ in range(20):  # a solve is short: try until one is hit
            solves = [asyncio.ensure_future(http.post("/v1/solve", content=file)) for _ in "1234"]
            guessing = [
                asyncio.ensure_future(http.post("/v1/guess", json=body)) for _ in "12345678"
            ]
            await asyncio.sleep(0.15)
            busiest = max(workers, key=cpu_ticks_since(workers))
            os.kill(busiest, signal.SIGKILL)
            solved = await asyncio.gather(*solves)
            guessed = await asyncio.gather(*guessing)
            statuses = Counter(each.status_code for each in solved)
            if statuses[500]:
                break
            workers = [each for each in family(nursery) if each != nursery]
        clean = [each for each in solved if each.status_code == 500]
        after = await http.post("/v1/solve", content=file)
        ready = await http.get("/readyz")
    result = {
        "solves": {str(status): count for status, count in statuses.items()},
        "clean_problem_documents": sum(
            each.headers["content-type"] == "application/problem+json"
            and each.json()["type"].endswith("worker-died")
            for each in clean
        ),
        "guesses_meanwhile": dict(Counter(str(each.status_code) for each in guessed)),
        "next_solve": after.status_code,
        "ready": ready.status_code,
    }
    log.info("killed %s", result)
    return result


def cpu_ticks_since(pids: list[int], pause_seconds: float = 0.06) -> Callable[[int], int]:
    """How much processor time each has used during a pause: the one that solves has used most."""

    def ticks(pid: int) -> int:
        try:
            fields = Path(f"/proc/{pid}/schedstat").read_text().split()
        except OSError:
            return 0
        return int(fields[0])

    before = {pid: ticks(pid) for pid in pids}
    time.sleep(pause_seconds)
    return lambda pid: ticks(pid) - before[pid]


async def soak(pid: int, url: str, seconds: float) -> dict[str, Any]:
    """Mixed calls, and the memory of all processes every twentieth of the time."""
    files = sorted(path for path in PUZZLES.iterdir() if path.suffix != ".md")
    samples: list[dict[str, float]] = []
    calls = 0
    async with client(url, 8) as http:

        async def call(turn: int) -> int:
            nonlocal calls
            calls += 1
            file = files[turn % len(files)]
            kind = turn % 5
            if kind == 0:
                response = await http.post(
                    "/v1/solve", params={"name": file.name}, content=file.read_bytes()
                )
            elif kind == 1:
                to = ("puz", "ipuz", "jpz", "xd")[turn % 4]
                response = await http.post(
                    "/v1/convert", params={"to": to, "name": file.name}, content=file.read_bytes()
                )
            elif kind == 2:
                response = await http.post("/v1/read", content=b"\0" * (turn % 5000))
            else:
                clue, pattern = CLUES[turn % len(CLUES)]
                body = {"queries": [{"clue": clue, "pattern": pattern}]}
                response = await http.post("/v1/guess", json=body)
            return response.status_code

        async def watch() -> None:
            while True:
                sample = {**memory(pid), "open_files": float(open_files(pid))}
                samples.append({"calls": float(calls), **sample})
                await asyncio.sleep(seconds / 40)

        await hammer(4, min(20.0, seconds / 5), call)  # what is made at first use is made now
        watching = asyncio.create_task(watch())
        figures = await hammer(4, seconds, call)
        watching.cancel()
    half = len(samples) // 2
    early = median(sample["pss_mb"] for sample in samples[:half])
    late = median(sample["pss_mb"] for sample in samples[half:])
    result = {
        "seconds": seconds,
        **figures,
        "pss_mb_first_half": early,
        "pss_mb_second_half": late,
        "growth_mb": round(late - early, 1),
        "growth_mb_per_1000_calls": round(
            1000
            * linear_regression(
                [sample["calls"] for sample in samples[half:]],
                [sample["pss_mb"] for sample in samples[half:]],
            ).slope,
            2,
        ),
        "open_files": [samples[0]["open_files"], samples[-1]["open_files"]],
        "samples": samples,
    }
    log.info("soak %s", {key: value for key, value in result.items() if key != "samples"})
    return result


async def measure(options: argparse.Namespace, pid: int, url: str) -> dict[str, Any]:
    async with client(url, 1) as http:
        about = (await http.get("/v1/models")).json()
    found = {
        "model": about["model"],
        "solver": about["solver"],
        "memory_at_start": {**memory(pid), "processes": len(family(pid))},
    }
    if "guess" in options.parts:
        found["guess"] = await guesses(url, options.seconds)
    if "capacity" in options.parts:
        found["past_capacity"] = await past_capacity(url, options.workers, options.queue)
    if "killed" in options.parts:
        found["worker_killed"] = await killed(pid, url)
    if "soak" in options.parts:
        found["soak"] = await soak(pid, url, options.soak_seconds)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each number of connections")
    parser.add_argument("--soak-seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--queue", type=int, default=8)
    parser.add_argument(
        "--model", default=None, help="a model folder; the default one if not given"
    )
    parser.add_argument("--add", action="store_true", help="to what --out has, as a further run")
    parser.add_argument("--out", type=Path, default=RESULTS / "serve_load.json")
    options = parser.parse_args()
    logging.basicConfig(level="INFO", format="%(message)s")
    logging.getLogger("httpx").setLevel("WARNING")
    earlier = options.add and options.out.exists()
    results: dict[str, Any] = json.loads(options.out.read_text()) if earlier else {"runs": []}
    run = {
        "command": shlex.join(["python", "-m", "benchmarks.serve_load", *sys.argv[1:]]),
        "parts": list(options.parts),
        "machine": machine(),
        "load_average": [os.getloadavg()[0]],  # before and after
    }
    with service(options.workers, options.queue, options.model) as (pid, url):
        results |= asyncio.run(measure(options, pid, url))
    run["load_average"].append(os.getloadavg()[0])
    results["runs"].append(run)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    log.info("written to %s", options.out)


if __name__ == "__main__":
    main()
