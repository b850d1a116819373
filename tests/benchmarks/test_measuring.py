"""What the benchmarks measure with."""

from __future__ import annotations

import os
import signal
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from benchmarks.growth import exponents
from benchmarks.guessing import other_runs
from benchmarks.measuring import apart, exponent, load, save


def dies() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_exponent_of_a_power_law_is_its_power() -> None:
    sizes = [10.0, 100.0, 1000.0]
    assert exponent(sizes, [3 * size**1.5 for size in sizes]) == 1.5
    assert exponent(sizes, [5.0, 5.0, 5.0]) == 0
    assert exponent(sizes, [None, 0, 2.0]) is None


def test_a_process_that_is_killed_is_told_and_not_waited_for() -> None:
    with pytest.raises(BrokenProcessPool):
        apart(dies)


def test_the_last_decade_has_an_exponent_of_its_own() -> None:
    points = [
        {"clues": size, "build_seconds": size / 1000, "index_mb": 1.0, "query_ms": late}
        for size, late in ((100, 1.0), (1000, 1.0), (10_000, 10.0))
    ]
    found = exponents({"vectors": points})["vectors"]
    assert found["build_seconds"] == 1
    assert found["index_mb"] == 0
    assert found["query_ms"] == 0.5
    assert found["query_ms, last decade"] == 1


def test_each_kind_of_index_has_an_exponent_of_its_own() -> None:
    points = [
        {"clues": size, "build_seconds": build, "index_mb": 1.0, "query_ms": 1.0,
         "largest_length": made}
        for size, build, made in (
            (10, 1.0, "Flat"), (100, 10.0, "Flat"), (1000, 10.0, "IVF64,PQ8"),
            (10_000, 1000.0, "IVF64,PQ8 × 2"),
        )
    ]  # fmt: skip
    found = exponents({"vectors": points})
    assert {curve: row["build_seconds"] for curve, row in found.items()} == {
        "vectors, exact": 1, "vectors, codes": 2,
    }  # fmt: skip


def test_results_are_written_with_the_machine_and_read_back(tmp_path: Path) -> None:
    save(tmp_path / "new" / "x.json", {"a": 1})
    kept = load(tmp_path / "new" / "x.json")
    assert kept["a"] == 1
    assert kept["machine"]["cores"] == os.cpu_count()
    assert load(tmp_path / "none.json") == {}


def test_a_run_of_guessing_goes_on_only_where_all_is_alike() -> None:
    run = {"stored": 5, "asked": 2, "encoder": "x", "seed": 0, "results": {"BM25": {}}}
    other = {**run, "stored": 7}
    kept = {"runs": {"a": run, "b": other}}
    assert other_runs(kept, run) == ([other], {"BM25": {}})
    assert other_runs(kept, {**run, "seed": 1}) == ([other], {})
    assert other_runs({}, run) == ([], {})


def test_of_another_model_only_the_other_contenders_are_kept() -> None:
    results = {"BM25": {}, "ours: encoder": {}, "ours: hybrid": {}}
    run = {"stored": 5, "asked": 2, "encoder": "x", "seed": 0, "model": "a", "results": results}
    assert other_runs({"runs": {"a": run}}, run)[1] == results
    assert other_runs({"runs": {"a": run}}, {**run, "model": "b"})[1] == {"BM25": {}}
