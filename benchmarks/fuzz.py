"""Fuzzes every reader (`python -m benchmarks.fuzz`, `make bench-fuzz`): a million inputs a format.

Three passes a format, each in a process of its own: `--inputs` injured files from
`tests.crossword.formats.mutants`; `--guided` more that atheris (libFuzzer) finds by coverage, where
it is installed; `--large` files of 1 MB. A failure is anything but a puzzle or the project's own
one-line refusal, more than a second of processor time, or over 200 MB on a large file. Failing
inputs are kept in `--failures` and the exit code is 1. Needs no corpus; the same seed gives the
same inputs (atheris aside).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.measuring import RESULTS, forget_peak, memory_mb, save, settled_mb
from crossword.errors import CrosswordError, FormatError
from crossword.formats import FORMATS, dump, load
from tests.crossword.formats.mutants import flooded, mutant, seeds

MAX_SECONDS = 1.0
MAX_MEGABYTES = 200
LARGE = 2**20
STEP = 5_000  # inputs between two reports
_NET = re.compile(r"damaged \(\w+: ")  # how `load` words what no reader foresaw
_CONSOLE = Console(stderr=True)


class Hang(BaseException):
    """Raised inside a reader that takes too long; not an Exception, so that no net catches it."""


def _stop(*_: object) -> None:
    raise Hang


def attempt(data: bytes, *, again: bool = False) -> tuple[bool, str]:
    """Whether the bytes were read, and what was wrong with how they were read or refused."""
    try:
        puzzle = load(data, "x")
        if again:  # what was read can be written and read back
            copy = load(dump(puzzle, "ipuz").data)
            if (copy.grid, copy.clues, copy.solution) != (
                puzzle.grid,
                puzzle.clues,
                puzzle.solution,
            ):
                return True, "read back as another puzzle"
    except FormatError as error:
        text = str(error)
        if _NET.search(text):
            return False, f"unforeseen: {text}"
        return False, "" if text.startswith("x: ") and "\n" not in text else f"wording: {text!r}"
    except Hang:
        return False, f"over {MAX_SECONDS} s"
    except CrosswordError as error:
        return True, f"could not be written: {error}"
    except Exception as error:
        return False, f"escaped: {type(error).__name__}: {error}"
    return True, ""


def _pass(
    channel: Connection, format: str, seed: int, inputs: int, large: bool, failures: Path
) -> None:
    """One pass, in its own process; sends counts on the way and the figures at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    signal.signal(signal.SIGVTALRM, _stop)
    dice = random.Random(f"{format} {seed} {large}")
    found = seeds()[format]
    read = 0
    slowest = 0.0
    wrong: dict[str, str] = {}
    most = 0
    for data in found:
        attempt(data, again=True)  # what is imported at first use is imported now
    start_memory = memory_mb("VmRSS")
    began, started = time.perf_counter(), time.process_time()
    for number in range(inputs):
        data = flooded(format, found, LARGE, dice) if large else mutant(format, found, dice)
        if large:
            before = settled_mb()  # else what an earlier file left free would hide this one's
            forget_peak()
        signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
        moment = time.process_time()
        accepted, reason = attempt(data, again=not large and number % 16 == 0)
        took = time.process_time() - moment
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if large:
            used = round(memory_mb("VmHWM") - before)
            most = max(most, used)
            if used > MAX_MEGABYTES:
                reason = reason or f"{used} MB for 1 MB"
        read += accepted
        slowest = max(slowest, took)
        if reason and len(wrong) < 100:
            name = sha256(data).hexdigest()[:16]
            failures.mkdir(parents=True, exist_ok=True)
            (failures / f"{name}.{format}").write_bytes(data)
            wrong[name] = reason[:200]
        if number % (1 if large else STEP) == 0:
            channel.send(number)
    figures = {
        "inputs": inputs,
        "read": read,
        "failures": len(wrong),
        "slowest_ms": round(1000 * slowest, 1),
        "seconds": round(time.perf_counter() - began, 2),
        "cpu_seconds": round(time.process_time() - started, 2),
        "memory_growth_mb": most if large else round(memory_mb("VmHWM") - start_memory),
    }
    channel.send((figures, wrong))


def run_pass(
    progress: Progress, format: str, seed: int, inputs: int, large: bool, failures: Path
) -> tuple[dict[str, Any], dict[str, str]]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_pass, args=(theirs, format, seed, inputs, large, failures))
    task = progress.add_task(f"{format}{', 1 MB each' if large else ''}", total=inputs)
    process.start()
    theirs.close()
    try:
        while True:
            message = ours.recv()
            if isinstance(message, tuple):
                progress.update(task, completed=inputs)
                return message
            progress.update(task, completed=message)
    except EOFError:
        died = {"inputs": inputs, "failures": 1, "read": 0, "cpu_seconds": 1.0, "slowest_ms": 0.0}
        return {**died, "memory_growth_mb": 0}, {"process": "the reader's process died"}
    finally:
        process.terminate()
        process.join()


_GUIDED = """
import sys, atheris
with atheris.instrument_imports(include=["crossword.formats", "crossword.puzzle"]):
    import crossword.formats.detection, crossword.formats.jpz, crossword.formats.ipuz
    import crossword.formats.puz, crossword.formats.xd, crossword.formats.nyt
    import crossword.formats.xwordinfo
from benchmarks.fuzz import attempt
def one(data):
    read, reason = attempt(data)
    if reason:
        raise RuntimeError(reason)
atheris.Setup(sys.argv, one)
atheris.Fuzz()
"""


def guided(format: str, seed: int, inputs: int, failures: Path) -> dict[str, Any]:
    """atheris, which keeps the inputs that reach new code and goes on from them."""
    try:
        import atheris  # noqa: F401
    except ImportError:
        return {"skipped": "atheris is not installed"}
    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(seeds()[format]):
            Path(corpus, str(number)).write_bytes(data)
        failures.mkdir(parents=True, exist_ok=True)
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _GUIDED, corpus, f"-runs={inputs}", f"-seed={seed + 1}",
             "-max_len=4000", "-timeout=5", f"-artifact_prefix={failures}/{format}-",
             "-print_final_stats=1"],
            capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
        seconds = time.perf_counter() - began

    def figure(pattern: str) -> int:
        values = re.findall(pattern, done.stderr)
        return int(values[-1]) if values else 0

    executed = figure(r"stat::number_of_executed_units:\s*(\d+)")
    return {
        "inputs": executed,
        "failures": int(done.returncode != 0),
        "coverage_points": figure(r"cov: (\d+)"),
        "seconds": round(seconds, 2),
        **({"error": done.stderr[-400:]} if done.returncode else {}),
    }


def joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Figures of two runs together: counts and times add up, of the others the larger one."""
    largest = ("slowest_ms", "memory_growth_mb", "coverage_points")
    return {
        key: value
        if not isinstance(value, int | float)
        else max(value, old.get(key, 0))
        if key in largest
        else round(value + old.get(key, 0), 2)
        for key, value in {**old, **new}.items()
    }


def _report(format: str, found: dict[str, Any]) -> None:
    plain, large, by_coverage = found["mutants"], found["large"], found["guided"]
    _CONSOLE.print(
        f"{format}: {plain['inputs']:,} inputs ({plain['read'] / plain['inputs']:.0%} read), "
        f"{plain['inputs'] / plain['cpu_seconds']:,.0f} a second of processor time, slowest "
        f"{plain['slowest_ms']:.0f} ms; {large['inputs']} of 1 MB, slowest "
        f"{large['slowest_ms']:.0f} ms, at most {large['memory_growth_mb']} MB; "
        f"{by_coverage.get('inputs', 0):,} by coverage; "
        f"{sum(each.get('failures', 0) for each in (plain, large, by_coverage))} failures",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    for reason in sorted(set(found["wrong"].values()))[:5]:
        _CONSOLE.print(f"  {reason}", highlight=False, markup=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1_000_000, help="injured files a format")
    parser.add_argument("--guided", type=int, default=100_000, help="more by atheris, a format")
    parser.add_argument("--large", type=int, default=100, help="files of 1 MB a format")
    parser.add_argument("--format", nargs="+", choices=list(FORMATS), default=list(FORMATS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--more", action="store_true", help="add to the results there are, with the next seed"
    )
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"))
    parser.add_argument("--out", type=Path, default=RESULTS / "fuzz.json")
    chosen = parser.parse_args()
    formats: dict[str, Any] = {}
    if chosen.out.is_file():  # a format at a time keeps the others
        formats = json.loads(chosen.out.read_text())["formats"]
    failed = 0
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn())  # fmt: skip
    for format in chosen.format:
        old = formats.get(format, {}) if chosen.more else {}
        seed = max(old.get("seeds", [chosen.seed - 1])) + 1
        with Progress(*columns, console=_CONSOLE, transient=True) as progress:
            plain, wrong = run_pass(progress, format, seed, chosen.inputs, False, chosen.failures)
            large, more = run_pass(progress, format, seed, chosen.large, True, chosen.failures)
            task = progress.add_task(f"{format}, by coverage", total=None)
            by_coverage = guided(format, seed, chosen.guided, chosen.failures)
            progress.remove_task(task)
        passes = {"mutants": plain, "large": large, "guided": by_coverage}
        passes = {name: joined(old.get(name, {}), figures) for name, figures in passes.items()}
        formats[format] = {
            **passes, "seeds": [*old.get("seeds", []), seed],
            "wrong": {**old.get("wrong", {}), **wrong, **more},
        }  # fmt: skip
        failed += sum(each.get("failures", 0) for each in passes.values())
        _report(format, formats[format])
        limits = {"seconds": MAX_SECONDS, "megabytes_for_1_mb": MAX_MEGABYTES}
        save(chosen.out, {"limits": limits, "formats": formats})
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
