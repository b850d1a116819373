"""How the stores of clues grow: the vector index, the sparse TF-IDF, and the history of clues.

Real clues first. Beyond what there is, vectors are made from real ones: two of the same length,
mixed at random, with noise (a mixture of two clues' vectors is what a clue made of both their words
would have), so that neighbours stay as crowded as they are. Each point is measured in a process of
its own; a query is one clue, asked alone.
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

from benchmarks.measuring import forget_peak, memory_mb, settled_mb
from crossword.guessers.index import AGAIN, LengthIndex, write_as, write_index
from train.pairs import Pairs

DIMENSIONS = 32  # a third of `word2vec`'s, so that ten million fit; time and size go with it
NEIGHBOURS = 100
NOISE = 0.3  # the length of the noise beside a unit vector; arbitrary
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
    word2vec.build(sampled(pairs, sample), part, word2vec.Settings(dimensions=DIMENSIONS, epochs=2))
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


def grown(real: NDArray[np.float16], rows: int, seed: int) -> Vectors:
    """So many vectors: some of the real ones, or all and made ones after them."""
    random = np.random.default_rng(seed)
    if rows <= len(real):
        return real[np.sort(random.permutation(len(real))[:rows])].astype(np.float32)
    found = np.empty((rows, real.shape[1]), dtype=np.float32)
    found[: len(real)] = real
    for start in range(len(real), rows, 100_000):
        some = found[start : start + 100_000]
        one, other = random.integers(len(real), size=(2, len(some)))
        share = random.uniform(0.2, 0.8, size=(len(some), 1)).astype(np.float32)
        noise = random.standard_normal(some.shape, dtype=np.float32)
        some[:] = share * real[one] + (1 - share) * real[other]
        some += noise * np.float32(NOISE / np.sqrt(real.shape[1]))
        some /= np.maximum(np.linalg.norm(some, axis=1, keepdims=True), 1e-9)
    return found


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
            stored = grown(rows, count, length)
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
    stored = grown(np.load(folder / f"real-{length}.npy"), KIND_ROWS, length)
    asked = np.load(folder / f"asked-{length}.npy")
    exact, _ = faiss.knn(asked, stored, NEIGHBOURS, metric=faiss.METRIC_INNER_PRODUCT)
    told = []
    for factory in ("Flat", "HNSW32", "IVF2048,PQ16"):
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


def sparse(some: Pairs, asked: Asked) -> dict[str, Any]:
    """`tfidf` of so many real clues; its search is exact, so `recall` is of the right answers."""
    from crossword.guessers.tfidf import ALL_FEATURES, open_part
    from crossword.types import Query
    from train import tfidf
    from train.calibration import uncalibrated

    base = settled_mb()
    forget_peak()
    with tempfile.TemporaryDirectory() as place:
        before = process_time()
        tfidf.build(some, Path(place), tfidf.Settings())
        seconds = process_time() - before
        peak = memory_mb("VmHWM") - base
        guesser = open_part(Path(place), uncalibrated(ALL_FEATURES))
        lengths = {len(answer): Query(clue, "." * len(answer)) for clue, answer in asked}
        list(guesser.candidates(list(lengths.values())))  # opens every length
        hits, milliseconds = 0, []
        for clue, answer in asked:
            before = process_time()
            ((_, found),) = guesser.candidates([Query(clue, "." * len(answer))])
            milliseconds.append(1000 * (process_time() - before))
            place_of = guesser.memory.of(len(answer)).words.position
            hits += place_of.get(answer, -1) in found.positions
        return {
            "clues": len(some),
            "build_seconds": round(seconds, 2),
            "index_mb": round(size_mb(Path(place)), 2),
            "query_ms": round(float(np.mean(milliseconds)), 3),
            "query_ms_95": round(float(np.percentile(milliseconds, 95)), 3),
            "recall": round(hits / len(asked), 4),
            "build_peak_mb": round(peak),
        }


def history(some: Pairs, asked: Asked) -> dict[str, Any]:
    """The encoder's memory of clues: fingerprints, found by halving."""
    from crossword.guessers.fingerprints import ClueHistory, bag_key, exact_key

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
        before, hits = process_time(), 0
        for clue, answer in asked:
            found, _ = made.exact.find(exact_key(clue, len(answer)))
            near, _ = made.bag.find(bag_key(clue, len(answer)))
            hits += place.get(answer, -1) in found or place.get(answer, -1) in near
        return {
            "clues": len(some),
            "build_seconds": round(seconds, 2),
            "index_mb": round(size_mb(Path(folder)), 2),
            "query_ms": round(1000 * (process_time() - before) / len(asked), 4),
            "recall": round(hits / len(asked), 4),
        }


def sampled(pairs: Pairs, clues: int) -> Pairs:
    drawn = np.sort(np.random.default_rng(0).permutation(len(pairs))[:clues]).tolist()
    return Pairs(
        [pairs.clues[i] for i in drawn],
        [pairs.answers[i] for i in drawn],
        [pairs.counts[i] for i in drawn],
    )
