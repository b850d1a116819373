"""The page of benchmarks is made from the results alone and names what they lack."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.measuring import RESULTS, save
from benchmarks.page import page, ratio

POINT = {"build_seconds": 1.0, "index_mb": 2.0, "query_ms": 0.5, "recall": 0.9}


def test_ratios_need_no_thought() -> None:
    assert ratio(2, 1) == "2 ×"
    assert ratio(4, 5) == "0.8 ×"
    assert ratio(1, 4) == "1/4"
    assert ratio(1, 1.01) == "even"
    assert ratio(1, 0) == "–"


def test_what_has_no_result_is_named(tmp_path: Path) -> None:
    save(
        tmp_path / "growth.json",
        {"history": [{"clues": 10_000, **POINT}, {"clues": 30_000, **POINT}]},
    )
    made = page(tmp_path)
    assert "Not measured yet: clue history of 100,000 clues" in made
    assert "TF-IDF (sparse)" in made
    assert "BM25 (bm25s)" in made


def test_each_kind_of_index_is_a_curve_of_its_own(tmp_path: Path) -> None:
    kinds = ((10_000, "Flat"), (30_000, "Flat"), (100_000, "IVF256,PQ32"))
    points = [{"clues": clues, **POINT, "largest_length": kind} for clues, kind in kinds]
    save(tmp_path / "growth.json", {"vectors": points})
    made = page(tmp_path)
    assert made.count("</i>vectors (FAISS), exact</span>") == 3  # build, disk, query
    assert made.count("</i>vectors (FAISS), codes</span>") == 3


def test_the_page_fetches_nothing() -> None:
    made = page(RESULTS)
    assert not re.search(r'(src|href)="(https?:)?//', made)
    assert "<script" not in made
