"""Indexes that grow: what is chosen when, shards, recall, and vectors added at the end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossword.guessers.index import LengthIndex, extend_index, plan, write_index

INF = float("inf")


def vectors(rows: int, seed: int = 0) -> np.ndarray:
    """Unit vectors in clusters, as clues are."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(1).standard_normal((50, 16))
    made = centres[random.integers(50, size=rows)] + 0.4 * random.standard_normal((rows, 16))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    ("rows", "bytes_per_row", "factory"),
    [
        (5_000, 1, "Flat"),  # too few to code
        (200_000, INF, "Flat"),
        (1_000_000, INF, "HNSW32"),
        (1_000_000, 400 + 256, "HNSW32"),
        (1_000_000, 400 + 255, "IVF4096,PQ50"),
        (1_000_000, 30, "IVF4096,PQ20"),
        (200_000, 100, "IVF2048,PQ50"),
        (1_000_000, 1, "IVF4096,PQ1"),  # as small as can be
    ],
)
def test_the_index_suits_the_rows_and_the_memory(
    rows: int, bytes_per_row: float, factory: str
) -> None:
    assert plan(rows, 100, bytes_per_row) == factory


@pytest.mark.parametrize(
    ("bytes_per_row", "factory"), [(INF, "HNSW32"), (16, "IVF512,PQ8"), (INF, "Flat")]
)
@pytest.mark.parametrize("shard_rows", [12_000, 5_000])
def test_shards_and_approximations_find_what_exact_search_finds(
    bytes_per_row: float, factory: str, shard_rows: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("crossword.guessers.index.TINY_ROWS", 100)
    monkeypatch.setattr("crossword.guessers.index.FLAT_ROWS", 100 if factory != "Flat" else 10**6)
    stored, queries = vectors(12_000), vectors(20, seed=5)
    made = write_index(tmp_path, 5, stored, bytes_per_row=bytes_per_row, shard_rows=shard_rows)
    assert made.shards == -(-12_000 // shard_rows) == len(list(tmp_path.glob("*.faiss")))
    assert made.factory.split(",")[0][:3] == factory[:3]
    assert made.recall > 0.9 and (made.recall == 1 or factory != "Flat")
    near, rows = LengthIndex(tmp_path, 16).search(5, queries, 10)
    exact = np.sort(queries @ stored.T, axis=1)[:, ::-1][:, :10]
    assert np.all(np.diff(near, axis=1) <= 0)
    assert near == pytest.approx(np.take_along_axis(queries @ stored.T, rows, 1), abs=2e-3)
    assert (near > exact[:, -1:] - 2e-3).mean() > 0.9


@pytest.mark.parametrize("bytes_per_row", [INF, 16])
def test_vectors_are_added_after_those_that_are_there(
    bytes_per_row: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossword.guessers.index.TINY_ROWS", 100)
    stored, more = vectors(3_000), vectors(5, seed=9)
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    made = write_index(tmp_path / "old", 5, stored, bytes_per_row=bytes_per_row)
    grown = extend_index(tmp_path / "old", tmp_path / "new", 5, more, made)
    assert grown is not None and (grown.factory, grown.rows) == (made.factory, 3005)
    fresh = extend_index(tmp_path / "old", tmp_path / "new", 9, more)
    assert fresh is not None and (fresh.factory, fresh.rows, fresh.recall) == ("Flat", 5, 1)
    assert extend_index(tmp_path / "old", tmp_path / "new", 5, more) is None  # what was it?
    near, rows = LengthIndex(tmp_path / "new", 16).search(5, more, 1)
    assert rows[:, 0].tolist() == [3000, 3001, 3002, 3003, 3004]
    assert near == pytest.approx(1.0, abs=2e-3)
    assert LengthIndex(tmp_path / "new", 16).search(9, more, 1)[1][:, 0].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kind", ["HNSW32", "IVF512,PQ8"])
@pytest.mark.parametrize("shard_rows", [6_000, 1_000_000])
def test_recall_is_measured_anew_when_vectors_are_added(
    kind: str, shard_rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"TINY_ROWS": 100, "FLAT_ROWS": 100, "BLOCK_ROWS": 700}.items():
        monkeypatch.setattr(f"crossword.guessers.index.{name}", value)
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    stored = vectors(12_000)
    room = 16 if kind.startswith("IVF") else INF
    made = write_index(tmp_path / "old", 5, stored, bytes_per_row=room, shard_rows=shard_rows)
    # Vectors of another kind than the codes and lists were learned from.
    more = np.random.default_rng(3).standard_normal((12_000, 16)).astype(np.float32)
    more /= np.linalg.norm(more, axis=1, keepdims=True)
    grown = extend_index(tmp_path / "old", tmp_path / "new", 5, more, made)
    assert grown is not None and grown.rows == 24_000 and grown.shards == made.shards
    # By hand: the share of exact search's hundred nearest.
    whole = np.concatenate([stored, more])
    asked = whole[::120]
    near, _ = LengthIndex(tmp_path / "new", 16).search(5, asked, 100)
    exact = np.sort(asked @ whole.T, axis=1)[:, -100]
    assert grown.recall == pytest.approx((near >= exact[:, None] - 1e-3).mean(), abs=0.03)
    assert grown.recall < made.recall or kind == "HNSW32"  # a graph takes to the new ones


def test_a_full_file_is_followed_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossword.guessers.index.SHARD_ROWS", 100)
    (tmp_path / "new").mkdir()
    write_index(tmp_path, 5, vectors(98))
    extend_index(tmp_path, tmp_path / "new", 5, vectors(5, seed=9))
    assert len(list((tmp_path / "new").glob("*.faiss"))) == 2
    _, rows = LengthIndex(tmp_path / "new", 16).search(5, vectors(5, seed=9), 1)
    assert rows[:, 0].tolist() == [98, 99, 100, 101, 102]
