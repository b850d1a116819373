"""How the stores of clues grow: the vector index, the sparse TF-IDF, and the history of clues.

Real clues first, beyond them made ones (`benchmarks.made_clues`). Each point is measured in a
process of its own, which makes what it stores before the measuring begins; a query is one clue,
asked alone.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.made_clues import lengths_of, pairs_of, vectors_of
from benchmarks.measuring import forget_peak, memory_mb, settled_mb
from crossword.guessers.index import AGAIN, LengthIndex, write_as, write_index
from train.pairs import Pairs

DIMENSIONS = 64  # of `word2vec`'s 100, so that ten million take minutes; time and size go with it
NEIGHBOURS = 100
QUERIES = 200
KIND_ROWS = 200_000  # of one length, on which the kinds of index are compared

Vectors = NDArray[np.float32]
Asked = Sequence[tuple[str, str]]


def size_mb(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def embed(
    pairs: Pairs, asked: Sequence[tuple[str, str]], folder: Path, sample: int
) -> dict[str, Any]:
    """Word vectors learned on some clues; then those of all clues and of the asked, by length."""
    from crossword.guessers.word2vec import ClueEmbedder
    from train import word2vec

    part = folder / "word2vec"
    part.mkdir()
    word2vec.build(
        pairs_of(pairs, sample), part, word2vec.Settings(dimensions=DIMENSIONS, epochs=2)
    )
    embedder = ClueEmbedder.load(part)
    lengths = np.array([len(answer) for answer in pairs.answers])
    before = process_time()
    for length in np.unique(lengths).tolist():
        here = np.flatnonzero(lengths == length)
        made = embedder.embed([pairs.clues[i] for i in here])
        made = made[np.abs(made).max(axis=1) > 0]  # clues of unknown words have no neighbours
        np.save(folder / f"real-{length}.npy", made.astype(np.float16))
    seconds = process_time() - before
    for length in np.unique(lengths).tolist():
        clues = [clue for clue, answer in asked if len(answer) == length]
        made = embedder.embed(clues)
        np.save(folder / f"asked-{length}.npy", made[np.abs(made).max(axis=1) > 0])
    shutil.rmtree(part)
    return {"clues": len(pairs), "microseconds_a_clue": round(1e6 * seconds / len(pairs), 1)}


def vectors(folder: Path, clues: int, megabytes: int) -> dict[str, Any]:
    """The vector index of so many clues of all lengths: building, size, latency and recall."""
    import faiss

    files = {int(file.stem.split("-")[1]): file for file in folder.glob("real-*.npy")}
    real = {length: np.load(file, mmap_mode="r") for length, file in files.items()}
    total = sum(map(len, real.values()))
    base = settled_mb()
    forget_peak()
    seconds, kinds, hits, found, milliseconds = 0.0, {}, 0.0, 0, []
    with tempfile.TemporaryDirectory(dir=folder) as place:
        part = Path(place)
        for length, rows in sorted(real.items()):
            count = max(1, round(clues * len(rows) / total))
            stored = vectors_of(rows, count, length)
            before = process_time()
            made = write_index(part, length, stored, bytes_per_row=megabytes * 2**20 / clues)
            seconds += process_time() - before
            kinds[length] = f"{made.factory}" + (f" × {made.shards}" if made.shards > 1 else "")
            asked = np.load(folder / f"asked-{length}.npy")
            if not len(asked):
                continue
            near = min(NEIGHBOURS, count)
            exact, _ = faiss.knn(asked, stored, near, metric=faiss.METRIC_INNER_PRODUCT)
            del stored
            index = LengthIndex(part, DIMENSIONS)
            index.search(length, asked[:1], NEIGHBOURS)  # opens it
            for i in range(len(asked)):
                before = process_time()
                close, _ = index.search(length, asked[i : i + 1], NEIGHBOURS)
                milliseconds.append(1000 * (process_time() - before))
                hits += float((close[0, :near] >= exact[i, -1] - 1e-3).sum())
                found += near
        peak, size = memory_mb("VmHWM") - base, size_mb(part)
    return {
        "clues": clues,
        "made": max(0, clues - total),
        "build_seconds": round(seconds, 2),
        "index_mb": round(size, 2),
        "query_ms": round(float(np.mean(milliseconds)), 3),
        "query_ms_95": round(float(np.percentile(milliseconds, 95)), 3),
        "recall": round(hits / found, 4),
        "build_peak_mb": round(peak),
        "largest_length": kinds[max(real, key=lambda length: len(real[length]))],
    }


def kinds(folder: Path) -> list[dict[str, Any]]:
    """The three kinds of index on the same vectors of one length."""
    import faiss

    length = max(range(3, 16), key=lambda n: len(np.load(folder / f"real-{n}.npy", mmap_mode="r")))
    stored = vectors_of(np.load(folder / f"real-{length}.npy"), KIND_ROWS, length)
    asked = np.load(folder / f"asked-{length}.npy")
    exact, _ = faiss.knn(asked, stored, NEIGHBOURS, metric=faiss.METRIC_INNER_PRODUCT)
    told = []
    for factory in ("Flat", "HNSW32", "IVF2048,PQ32"):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            before = process_time()
            write_as(Path(place, f"length-{length:02}.faiss"), factory, stored)
            seconds = process_time() - before
            index = LengthIndex(Path(place), DIMENSIONS)
            index.search(length, asked[:1], NEIGHBOURS)
            before = process_time()
            near = np.concatenate([index.search(length, row[None], NEIGHBOURS)[0] for row in asked])
            told.append({
                "index": factory, "ranked_again": AGAIN * NEIGHBOURS if "PQ" in factory else 0,
                "rows": KIND_ROWS, "build_seconds": round(seconds, 2),
                "index_mb": round(size_mb(Path(place)), 1),
                "query_ms": round(1000 * (process_time() - before) / len(asked), 3),
                "recall": round(float((near >= exact[:, -1:] - 1e-3).mean()), 4),
            })  # fmt: skip
    return told


def sparse(pairs: Pairs, clues: int, asked: Asked, by_length: bool) -> dict[str, Any]:
    """`tfidf` of so many clues; its search is exact, so `recall` is of the right answers.

    By length, every answer length is a shard with terms of its own, as machines would share the
    work: a query asks one length. Then building holds one shard at a time.
    """
    from crossword.guessers.tfidf import ALL_FEATURES, open_part
    from crossword.types import Query
    from train import tfidf
    from train.calibration import uncalibrated

    seconds, peak, size, hits, shards, milliseconds = 0.0, 0.0, 0.0, 0, 0, []
    for real, share in lengths_of(pairs) if by_length else [(pairs, 1.0)]:
        some = pairs_of(real, max(1, round(clues * share)))
        here = {len(answer) for answer in some.answers}
        base = settled_mb()
        forget_peak()
        with tempfile.TemporaryDirectory() as place:
            before = process_time()
            tfidf.build(some, Path(place), tfidf.Settings())
            seconds += process_time() - before
            peak = max(peak, memory_mb("VmHWM") - base)
            size += size_mb(Path(place))
            shards += 1
            guesser = open_part(Path(place), uncalibrated(ALL_FEATURES))
            mine = [(clue, answer) for clue, answer in asked if len(answer) in here]
            lengths = {len(answer): Query(clue, "." * len(answer)) for clue, answer in mine}
            list(guesser.candidates(list(lengths.values())))  # opens every length
            for clue, answer in mine:
                before = process_time()
                ((_, found),) = guesser.candidates([Query(clue, "." * len(answer))])
                milliseconds.append(1000 * (process_time() - before))
                place_of = guesser.memory.of(len(answer)).words.position
                hits += place_of.get(answer, -1) in found.positions
    return {
        "clues": clues,
        "made": max(0, clues - len(pairs)),
        "shards": shards,
        "build_seconds": round(seconds, 2),
        "index_mb": round(size, 2),
        "query_ms": round(float(np.mean(milliseconds)), 3),
        "query_ms_95": round(float(np.percentile(milliseconds, 95)), 3),
        "recall": round(hits / len(asked), 4),
        "build_peak_mb": round(peak),
    }


def history(pairs: Pairs, clues: int, asked: Asked) -> dict[str, Any]:
    """The encoder's memory of clues: fingerprints, found by halving."""
    from crossword.guessers.fingerprints import ClueHistory, bag_key, exact_key

    some = pairs_of(pairs, clues)
    base = settled_mb()
    forget_peak()
    place = {answer: i for i, answer in enumerate(some.vocabulary)}
    with tempfile.TemporaryDirectory() as folder:
        before = process_time()
        made = ClueHistory.of(
            some.clues,
            [place[answer] for answer in some.answers],
            [len(answer) for answer in some.answers],
            some.counts,
        )
        made.save(Path(folder, "history.npz"))
        seconds = process_time() - before
        peak = memory_mb("VmHWM") - base
        before, hits = process_time(), 0
        for clue, answer in asked:
            found, _ = made.exact.find(exact_key(clue, len(answer)))
            near, _ = made.bag.find(bag_key(clue, len(answer)))
            hits += place.get(answer, -1) in found or place.get(answer, -1) in near
        return {
            "clues": len(some),
            "made": max(0, clues - len(pairs)),
            "build_seconds": round(seconds, 2),
            "index_mb": round(size_mb(Path(folder)), 2),
            "query_ms": round(1000 * (process_time() - before) / len(asked), 4),
            "recall": round(hits / len(asked), 4),
            "build_peak_mb": round(peak),
        }
