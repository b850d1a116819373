"""Markdown tables of the results, put between marks in `docs/scale.md` and `docs/results.md`.

A block begins with `<!-- table: NAME -->` and ends with `<!-- end -->`; what stands between is made
by `python -m benchmarks.page` from the JSON, so that no figure is copied by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.charts import short
from benchmarks.contenders import CONTENDERS, ONLY_OF_A_MODEL
from benchmarks.growth import SIZES
from benchmarks.measuring import load

STORES = {
    "vectors": "vectors, 64 numbers each (FAISS)",
    "history": "clue history of the encoder",
    "sparse": "TF-IDF",
}
_BLOCK = re.compile(r"(<!-- table: ([a-z ]+) -->\n).*?(<!-- end -->)", re.S)

Row = Sequence[Any]


def markdown(heads: Sequence[str], rows: Sequence[Row]) -> str:
    def cell(value: Any) -> str:
        if value is None:
            return "–"
        return f"{value:,}" if isinstance(value, int) else _figure(value)

    lines = [heads, ["---"] * len(heads), *([cell(value) for value in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else short(value)


def clues(told: Mapping[str, Any]) -> str:
    keys = ("clues", "made", "build_seconds", "index_mb", "query_ms", "recall", "build_peak_mb")
    heads = ("store", "clues", "of them made", "build, s", "on disk, MB", "a query, ms", "recall",
             "to build, MB")  # fmt: skip
    rows = [
        (name, *(point.get(key) for key in keys))
        for part, name in STORES.items()
        for point in told.get(part, [])
    ]
    lacking = {
        name: [size for size in SIZES if size not in {p["clues"] for p in told.get(part, [])}]
        for part, name in STORES.items()
    }
    missing = "; ".join(
        f"{name}, {', '.join(f'{size:,}' for size in sizes)}"
        for name, sizes in lacking.items()
        if sizes
    )
    return markdown(heads, rows) + (f"\n**Not measured yet:** {missing}.\n" if missing else "")


def exponents(told: Mapping[str, Any]) -> str:
    def powers(row: Mapping[str, Any], key: str) -> str:
        late = row.get(f"{key}, last decade")
        return f"{row[key]}" + (f" ({late})" if late is not None else "")

    found = told.get("exponents", {})
    rows = []
    for part, name in STORES.items():
        for curve in (curve for curve in found if curve.partition(", ")[0] == part):
            kind = f": {curve.partition(', ')[2]}" if ", " in curve else ""
            keys = ("build_seconds", "index_mb", "query_ms")
            rows.append((f"{name}{kind}", *(powers(found[curve], key) for key in keys)))
    return markdown(("store", "build", "on disk", "a query"), rows)


def kinds(told: Mapping[str, Any]) -> str:
    keys = ("build_seconds", "index_mb", "query_ms", "recall")
    rows = [
        (f"`{point['index']}`", point["rows"], *(point[key] for key in keys))
        for point in told.get("kinds", [])
    ]
    return markdown(("index", "rows", "build, s", "on disk, MB", "a query, ms", "recall"), rows)


def grids(told: Mapping[str, Any]) -> str:
    keys = ("cells", "slots", "seconds", "memory_mb", "process_mb")
    rows = [
        (f"{point['side']}×{point['side']}", *(point.get(key) for key in keys))
        for point in told.get("grids", [])
    ]
    heads = ("grid", "open cells", "slots", "seconds", "a solve adds, MB", "whole process, MB")
    power = told.get("exponents", {}).get("grids")
    words = {"seconds": "seconds", "memory_mb": "memory"}
    line = ", ".join(
        f"{word} ~ cells^{power[key]}" for key, word in words.items() if power and power.get(key)
    )
    return markdown(heads, rows) + (f"\n{line[:1].upper()}{line[1:]}.\n" if line else "")


def bad_input(told: Mapping[str, Any]) -> str:
    rows = [
        (
            name,
            row["mutants"]["inputs"],
            row["guided"].get("inputs"),
            row["large"]["inputs"],
            row["mutants"]["slowest_ms"],
            row["large"]["slowest_ms"],
            row["large"]["memory_growth_mb"],
            sum(row[kind].get("failures", 0) for kind in ("mutants", "large", "guided")),
        )
        for name, row in told.get("formats", {}).items()
    ]
    heads = ("format", "injured files", "by coverage", "of 1 MB", "slowest, ms", "of 1 MB, ms",
             "of 1 MB, MB", "failures")  # fmt: skip
    return markdown(heads, rows)


def missing_contenders(run: Mapping[str, Any]) -> list[str]:
    """Who has no figures; a whole model is only asked for where one was opened."""
    absent = [name for name in CONTENDERS if name not in run["results"]]
    return [name for name in absent if run.get("model") or name != ONLY_OF_A_MODEL]


def guessing(told: Mapping[str, Any]) -> str:
    """A table for each number of stored pairs, the best first."""
    keys = ("recall@1", "recall@10", "recall@100", "clues_per_second", "memory_mb", "build_seconds",
            "build_peak_mb")  # fmt: skip
    heads = ("", "recall at 1", "at 10", "at 100", "clues a second", "memory, MB", "build, s",
             "to build, MB")  # fmt: skip
    made = []
    for run in sorted(told.get("runs", {}).values(), key=lambda run: run["stored"]):
        found = sorted(run["results"].items(), key=lambda item: -item[1]["recall@1"])
        missing = missing_contenders(run)
        made.append(
            f"**{run['stored']:,} pairs stored**; {run['ceiling']:.1%} of the asked answers are "
            f"among them. Our encoder: {run['encoder']}.\n\n"
            + markdown(heads, [(name, *(row[key] for key in keys)) for name, row in found])
            + (f"\n**Not measured:** {', '.join(missing)}.\n" if missing else "")
        )
    return "\n".join(made)


def filled(text: str, results: Path) -> str:
    """The document with every block made anew."""
    growth, fuzz = load(results / "growth.json"), load(results / "fuzz.json")
    made = {
        "clues": clues(growth),
        "exponents": exponents(growth),
        "kinds": kinds(growth),
        "grids": grids(growth),
        "bad input": bad_input(fuzz),
        "guessing": guessing(load(results / "guessing.json")),
    }
    return _BLOCK.sub(lambda found: f"{found[1]}\n{made[found[2]]}\n{found[3]}", text)
