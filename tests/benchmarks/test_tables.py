"""The tables of the documents are made from the results and name what they lack."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measuring import save
from benchmarks.page import DOCUMENTS
from benchmarks.tables import filled, guessing, markdown


def test_a_table_has_a_dash_for_what_was_not_measured() -> None:
    made = markdown(("grid", "seconds", "MB"), [("5×5", 0.0543, None), ("15×15", 1234.5, 3)])
    assert made.splitlines() == [
        "| grid | seconds | MB |",
        "| --- | --- | --- |",
        "| 5×5 | 0.0543 | – |",
        "| 15×15 | 1,234 | 3 |",
    ]


def test_only_what_is_between_the_marks_is_made_anew(tmp_path: Path) -> None:
    point = {"clues": 10_000, "build_seconds": 1.0, "index_mb": 2.0, "query_ms": 3.0, "recall": 0.5}
    save(tmp_path / "growth.json", {"history": [point]})
    text = "before\n<!-- table: clues -->\nold\n<!-- end -->\nafter\n"
    made = filled(text, tmp_path)
    assert made.startswith("before\n") and made.endswith("<!-- end -->\nafter\n")
    assert "old" not in made
    assert "| clue history of the encoder | 10,000 | – | 1 | 2 | 3 | 0.5 | – |" in made
    assert "**Not measured yet:** vectors, 64 numbers each (FAISS), 10,000" in made
    assert filled(made, tmp_path) == made


def test_guessers_are_told_the_best_first_and_who_was_left_out() -> None:
    row = {"recall@10": 0.3, "recall@100": 0.5, "clues_per_second": 100.0, "memory_mb": 7,
           "build_seconds": None, "build_peak_mb": None}  # fmt: skip
    results = {"ours: encoder": {"recall@1": 0.1, **row}, "ours: tfidf": {"recall@1": 0.2, **row}}
    run = {"stored": 40_000, "ceiling": 0.6455, "encoder": "trained here", "results": results}
    lines = guessing({"runs": {"40000 stored": run}}).splitlines()
    assert lines[0].startswith("**40,000 pairs stored**; 64.5% of")
    assert lines[4:6] == [
        "| ours: tfidf | 0.2 | 0.3 | 0.5 | 100 | 7 | – | – |",
        "| ours: encoder | 0.1 | 0.3 | 0.5 | 100 | 7 | – | – |",
    ]
    assert lines[-1].endswith("BM25 (bm25s), MiniLM in FAISS.")


def test_every_mark_of_the_documents_is_known(tmp_path: Path) -> None:
    for file in DOCUMENTS:
        filled(file.read_text(encoding="utf-8"), tmp_path)
