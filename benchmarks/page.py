"""Makes `docs/benchmarks.html` from the results: one page, plots inside, nothing fetched.

The tables of `docs/scale.md` and `docs/results.md` are made by the same command
(`benchmarks.tables`).

    python -m benchmarks.page

Ratios come first, then the plots, then the figures; what has no result yet is named.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import tables
from benchmarks.charts import bars, curves, short
from benchmarks.contenders import CONTENDERS
from benchmarks.growth import PARTS, SIZES, branches
from benchmarks.measuring import RESULTS, load
from benchmarks.solving import LITERATURE
from crossword.registry import solvers

OUT = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.html"
DOCUMENTS = (OUT.with_name("scale.md"), OUT.with_name("results.md"))  # with tables between marks
STYLE = """
:root { --c0: #2563a8; --c1: #c2620c; --c2: #2f7d4f; --c3: #8b93a1; --ink: #1a202c;
        --paper: #fff; --soft: #4a5568; --rule: #e2e8f0; }
@media (prefers-color-scheme: dark) { :root { --c0: #74aef0; --c1: #f0a35e; --c2: #79c995;
        --c3: #79818f; --c4: #b99be0; --ink: #e6e9ef; --paper: #14171c; --soft: #a9b2c0;
        --rule: #2c323b; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; color: var(--ink); background: var(--paper); }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--rule); padding-top: 1.2rem; }
h3 { margin: 1.2rem 0 .3rem; font-size: 1rem; }
.lead { font-size: 1.08rem; } .lead li { margin: .25rem 0; }
.row { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
.row > * { flex: 1 1 20rem; min-width: 0; max-width: 31rem; }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; } svg text { fill: var(--ink); }
.grid { stroke: var(--rule); } .line { fill: none; stroke-width: 2; }
.keys { margin: 0; color: var(--soft); font-size: .85rem; }
.keys span { margin-right: 1rem; white-space: nowrap; }
.keys i { display: inline-block; width: .8em; height: .8em; border-radius: 2px;
          margin-right: .35em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
td, th { padding: .2rem 1rem .2rem 0; text-align: right; white-space: nowrap;
         border-bottom: 1px solid var(--rule); }
td:first-child, th:first-child { text-align: left; }
.note { color: var(--soft); font-size: .92rem; } code { font-size: .9em; }
"""
KINDS_OF_INPUT = ("mutants", "large", "guided")
OURS = ("ours: hybrid", "ours: encoder", "ours: tfidf")

Row = Mapping[str, Any]


def table(rows: Sequence[Row], heads: Mapping[str, str]) -> str:
    """Rows by key; a figure that was not measured is a dash."""

    def cell(value: Any) -> str:
        if value is None:
            return "–"
        return escape(value) if isinstance(value, str) else short(value)

    head = "".join(f"<th>{escape(name)}</th>" for name in heads.values())
    body = "".join(
        "<tr>" + "".join(f"<td>{cell(row.get(key))}</td>" for key in heads) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def ratio(value: float, other: float) -> str:
    """How many times as much, in words that need no thought."""
    if not (value and other):
        return "–"
    if 0.95 < value / other < 1.05:
        return "even"
    return f"{value / other:.2g} ×" if 2 * value > other else f"1/{other / value:.2g}"


def _named(results: Mapping[str, Row]) -> list[dict[str, Any]]:
    return [{"name": name, **row} for name, row in results.items()]


def _guessing_run(run: Mapping[str, Any]) -> list[str]:
    results = run["results"]
    lead = []
    for name, row in results.items():
        if name in OURS:
            continue
        for mine in (mine for mine in OURS if mine in results):
            own = results[mine]
            lead.append(
                f"{escape(mine)} against {escape(name)}: recall at 1 "
                f"<b>{ratio(own['recall@1'], row['recall@1'])}</b>, at 10 "
                f"{ratio(own['recall@10'], row['recall@10'])}, at 100 "
                f"{ratio(own['recall@100'], row['recall@100'])}; clues a second "
                f"{ratio(own['clues_per_second'], row['clues_per_second'])}; memory "
                f"{ratio(own['memory_mb'], row['memory_mb'])}."
            )
    charts = [
        f"<div><h3>{title}</h3>{bars(title, {n: r[key] for n, r in results.items()}, OURS)}</div>"
        for key, title in (
            ("recall@1", "Recall at 1"),
            ("recall@10", "Recall at 10"),
            ("recall@100", "Recall at 100"),
            ("clues_per_second", "Clues a second, one thread"),
            ("memory_mb", "Memory, MB"),
        )
    ]
    heads = {
        "name": "", "recall@1": "recall at 1", "recall@10": "at 10", "recall@100": "at 100",
        "clues_per_second": "clues a second", "memory_mb": "memory, MB",
        "build_seconds": "build, s", "build_peak_mb": "build peak, MB",
    }  # fmt: skip
    return [
        f"<p>{run['stored']:,} clues stored, {run['asked']:,} clues of 2022 asked; "
        f"{run['ceiling']:.1%} of their answers are among the stored ones, which is the most that "
        f"a lookup can reach. Our encoder: {escape(run['encoder'])}.</p>",
        '<ul class="lead">' + "".join(f"<li>{line}</li>" for line in lead) + "</ul>",
        f'<div class="row">{"".join(charts)}</div>',
        table(_named(results), heads),
        _missing(tables.missing_contenders(run)),
    ]


def _missing(names: Sequence[str]) -> str:
    """What a section lacks; said, so that nobody takes its absence for a result."""
    return f'<p class="note">Not measured yet: {escape(", ".join(names))}.</p>' if names else ""


def guessing(told: Mapping[str, Any]) -> list[str]:
    if not told:
        return ["<h2>Guessing</h2>", _missing(list(CONTENDERS))]
    body = ["<h2>Guessing</h2>"]
    for run in sorted(told["runs"].values(), key=lambda run: run["stored"]):
        body += [f"<h3>{run['stored']:,} clues stored</h3>", *_guessing_run(run)]
    return [*body, _measured(told, "python -m benchmarks.guessing --corpus CORPORA…")]


def solving(told: Mapping[str, Any]) -> list[str]:
    if not told:
        return ["<h2>Solving</h2>", _missing([*solvers, LITERATURE])]
    results = told["results"]
    lead = []
    other = results.get(LITERATURE)
    for name in ("search", "belief"):
        if other and name in results:
            own = results[name]
            wrong = ratio(1 - own["words"], 1 - other["words"])
            lead.append(
                f"<code>{name}</code> against the literature's: wrong words <b>{wrong}</b>, "
                f"perfect {own['perfect']:.0%} against {other['perfect']:.0%}, seconds "
                f"{ratio(own['seconds_per_puzzle'], other['seconds_per_puzzle'])}."
            )
    ours = [name for name in results if name != LITERATURE]
    charts = [
        f"<div><h3>{title}</h3>{bars(title, {n: r[key] for n, r in results.items()}, ours)}</div>"
        for key, title in (
            ("letters", "Letters right"),
            ("words", "Words right"),
            ("perfect", "Perfect puzzles"),
            ("seconds_per_puzzle", "Seconds a puzzle, guessing included"),
        )
    ]
    heads = {
        "name": "", "letters": "letters", "words": "words", "perfect": "perfect",
        "fill_percentage": "filled", "seconds_per_puzzle": "seconds",
        "median_seconds": "median", "guess_seconds": "of it guessing",
    }  # fmt: skip
    seen = told["model_trained_until"] is None or told["model_trained_until"] > told["since"]
    warning = "<b>The model has seen these puzzles: only the seconds mean anything.</b> "
    return [
        "<h2>Solving</h2>",
        f"<p>{warning if seen else ''}{told['puzzles']} puzzles from {told['since']} to "
        f"{told['until']}, {told['rebus']} of them with rebus cells, by a model trained on what is "
        f"dated before {told['model_trained_until']}. All solvers get the same guesses.</p>",
        '<ul class="lead">' + "".join(f"<li>{line}</li>" for line in lead) + "</ul>",
        f'<div class="row">{"".join(charts)}</div>',
        table(_named(results), heads),
        _missing([name for name in [*solvers, LITERATURE] if name not in results]),
        _measured(told, "python -m benchmarks.solving ARCHIVE --model DIR"),
    ]


STORES = {"vectors": "vectors (FAISS)", "history": "clue history", "sparse": "TF-IDF (sparse)"}


def _curve(name: str) -> str:
    """What a reader calls a curve of `benchmarks.growth`."""
    part, comma, kind = name.partition(", ")
    return STORES.get(part, "a solve, by open cells") + comma + kind


def _powers(row: Mapping[str, float | None]) -> str:
    """The exponents of a part's curves, in words."""
    words = {"build_seconds": "building", "index_mb": "size on disk", "query_ms": "a query",
             "seconds": "seconds", "memory_mb": "memory"}  # fmt: skip
    told = []
    for key, word in words.items():
        if row.get(key) is not None:
            late = row.get(f"{key}, last decade")
            extra = f" ({late} in the last decade)" if late is not None else ""
            told.append(f"{word} ~ n<sup>{row[key]}</sup>{extra}")
    return ", ".join(told)


def growth(told: Mapping[str, Any]) -> list[str]:
    if not told:
        return []
    stores = {name: told[name] for name in STORES if name in told}
    found = told.get("exponents", {})
    lead = []
    for curve, row in found.items():
        lead.append(f"{_curve(curve)}: {_powers(row)}")
    lines = {
        _curve(curve): points
        for name, store in stores.items()
        for curve, points in branches(name, store).items()
    }
    heads = {
        "clues": "clues", "made": "of them made", "shards": "shards", "build_seconds": "build, s",
        "index_mb": "size, MB", "query_ms": "a query, ms", "query_ms_95": "95th, ms",
        "recall": "recall", "build_peak_mb": "build peak, MB", "largest_length": "largest index",
    }  # fmt: skip
    charts = [
        curves(
            "Growth with clues",
            {name: [(p["clues"], p[key]) for p in points] for name, points in lines.items()},
            "clues", label,
        )
        for key, label in (
            ("build_seconds", "seconds to build"),
            ("index_mb", "MB on disk"),
            ("query_ms", "ms a query"),
        )
    ]  # fmt: skip
    body = [
        "<h2>Growth</h2>",
        '<ul class="lead">' + "".join(f"<li>{line}</li>" for line in lead) + "</ul>",
        f'<div class="row">{"".join(f"<div>{chart}</div>" for chart in charts)}</div>',
    ]
    for name, points in stores.items():
        shown = {k: v for k, v in heads.items() if any(k in point for point in points)}
        body += [f"<h3>{STORES[name]}</h3>", table(points, shown)]
    body.append(
        '<p class="note">Recall of the vectors: of the 100 nearest by exact search, those found. '
        "Recall of the others: right answers among the candidates, of clues of 2022 and later.</p>"
    )
    if "kinds" in told:
        heads = {
            "index": "", "rows": "rows of one length", "ranked_again": "ranked again",
            "build_seconds": "build, s", "index_mb": "size, MB", "query_ms": "a query, ms",
            "recall": "recall",
        }  # fmt: skip
        body += ["<h3>Kinds of index on the same vectors</h3>", table(told["kinds"], heads)]
    if "grids" in told:
        heads = {
            "side": "side", "cells": "open cells", "slots": "slots", "puzzles": "puzzles",
            "seconds": "seconds", "memory_mb": "memory, MB", "process_mb": "whole process, MB",
            "letters": "letters",
        }  # fmt: skip
        points = told["grids"]
        body += [
            "<h3>Grids from 5×5 to 41×41</h3>",
            '<div class="row">',
            *(
                f"<div>{curves('The grid', {'search': line}, 'open cells', label)}</div>"
                for label, line in (
                    ("seconds a puzzle", [(p["cells"], p["seconds"]) for p in points]),
                    ("MB while solving", [(p["cells"], p["memory_mb"] or 0) for p in points]),
                )
            ),
            "</div>",
            table(points, heads),
            '<p class="note">11, 31 and 41 are real puzzles side by side, a line of blocks between '
            "them. The shipped model has seen these puzzles: only seconds and memory count.</p>",
        ]
    lacking = [
        f"{STORES[name]} of {size:,} clues"
        for name, points in stores.items()
        for size in SIZES
        if size not in {point["clues"] for point in points}
    ]
    lacking += [STORES.get(part, part) for part in PARTS if part not in told]
    if any(point["memory_mb"] is None for point in told.get("grids", [])):
        lacking.append("memory by size of grid")
    body.append(_missing(lacking))
    return [*body, _measured(told, "python -m benchmarks.growth --corpus CORPORA…")]


def fuzzing(told: Mapping[str, Any]) -> list[str]:
    if not told:
        return []
    rows = [
        {
            "name": name,
            "inputs": row["mutants"]["inputs"],
            "guided": row["guided"].get("inputs"),
            "large": row["large"]["inputs"],
            "slowest": row["mutants"]["slowest_ms"],
            "slowest_large": row["large"]["slowest_ms"],
            "memory": row["large"]["memory_growth_mb"],
            "failures": sum(row[kind].get("failures", 0) for kind in KINDS_OF_INPUT),
        }
        for name, row in told["formats"].items()
    ]
    heads = {
        "name": "", "inputs": "injured files", "guided": "by coverage", "large": "of 1 MB",
        "slowest": "slowest, ms", "slowest_large": "of 1 MB, ms", "memory": "of 1 MB, MB",
        "failures": "failures",
    }  # fmt: skip
    total = sum(row["inputs"] + (row["guided"] or 0) for row in rows)
    return [
        "<h2>Bad input</h2>",
        f'<p class="lead">{total / 1e6:.2g} million injured files over {len(rows)} readers, '
        f"<b>{sum(row['failures'] for row in rows)}</b> failures. A failure is anything but a "
        "puzzle or one line of refusal, over a second, or over 200 MB for a file of 1 MB.</p>",
        table(rows, heads),
        _measured(told, "python -m benchmarks.fuzz"),
    ]


def _measured(told: Mapping[str, Any], command: str) -> str:
    where = told["machine"]
    return (
        f'<p class="note"><code>{escape(command)}</code> · {where["date"][:16].replace("T", " ")} '
        f"UTC, {escape(where['cpu'])}, {where['cores']} cores, load {where['load']:.1f}, "
        f"Python {where['python']}</p>"
    )


def page(results: Path) -> str:
    body = [
        *guessing(load(results / "guessing.json")),
        *solving(load(results / "solving.json")),
        *growth(load(results / "growth.json")),
        *fuzzing(load(results / "fuzz.json")),
    ]
    intro = (
        "All contenders of a comparison ran in one command on the same puzzles and machine, each "
        "in a process of its own with one thread. Seconds are of the processor, so that a busy "
        "machine changes them little. The figures are made by <code>make bench</code>, this page "
        "from their JSON by <code>python -m benchmarks.page</code>. What they mean beyond one "
        'machine: <a href="scale.md">scale</a>.'
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Benchmarks</title><style>{STYLE}</style></head>\n<body>\n<h1>Benchmarks</h1>\n"
        f"<p>{intro}</p>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    chosen.out.write_text(page(chosen.results), encoding="utf-8")
    for file in DOCUMENTS:
        text = file.read_text(encoding="utf-8")
        file.write_text(tables.filled(text, chosen.results), encoding="utf-8")
    names = " and ".join(file.name for file in DOCUMENTS)
    Console(stderr=True).print(f"wrote {chosen.out} and the tables of {names}", highlight=False)


if __name__ == "__main__":
    main()
