"""Vectors in FAISS, an index for each answer length, opened when a length is first asked for.

The length filter comes before the neighbours: a clue of another length can't push one out. The
index suits the number of vectors and the memory: exact while that is quick (`Flat`), then a graph
(`HNSW`: Malkov & Yashunin 2016), and where the graph would not fit, product codes in inverted lists
(`IVF…,PQ…`: Jégou et al. 2011), whose finds are ranked again by the stored vectors. Similarity is
the inner product, the cosine of unit vectors. A length may take several files (shards); all are
mapped, not read. The model folder's sha256 is checked before, since FAISS trusts its input.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError

Vectors = NDArray[np.float32]

INDEX_RECORDS = "index.json"  # in a part: what was built for each length, with its recall
TINY_ROWS = 10_000  # below this, codes have too little to learn from and save too little
FLAT_ROWS = 300_000  # an exact search takes some 10 ms there, for 100 numbers a vector; arbitrary
SHARD_ROWS = 5_000_000  # in a file; bounds what building holds in memory; arbitrary
GRAPH_LINKS = 32  # of HNSW; twice as many lie on the lowest level, 4 bytes each
AGAIN = 4  # times as many codes are looked at as neighbours are wanted
PROBED = 16  # one in so many inverted lists is looked at
POINTS = 64  # vectors to learn a list or a code from; with the 256 of FAISS, building takes longer
BLOCK_ROWS = 100_000  # of vectors that exact search holds at once; arbitrary
SAMPLE, SAMPLE_NEIGHBOURS = 200, 100  # queries that the recall is measured with, and their finds


def plan(rows: int, dimensions: int, bytes_per_row: float) -> str:
    """The FAISS factory for so many vectors, of which each may take so much memory."""
    flat = 4.0 * dimensions
    if rows <= TINY_ROWS or (rows <= FLAT_ROWS and flat <= bytes_per_row):
        return "Flat"
    if flat + 8 * GRAPH_LINKS <= bytes_per_row:
        return f"HNSW{GRAPH_LINKS}"
    pieces = [n for n in range(1, dimensions // 2 + 1) if dimensions % n == 0]
    fitting = [n for n in pieces if n + 8 <= bytes_per_row] or pieces[:1]  # 8: a row's number
    lists = 2 ** round(np.log2(4 * np.sqrt(rows)))
    return f"IVF{lists},PQ{fitting[-1]}"


@dataclass(frozen=True)
class IndexRecord:
    """What was built for a length, for the manifest; `recall` is against exact search."""

    factory: str
    rows: int
    shards: int
    recall: float


def _file(part: Path, length: int, shard: int = 0) -> Path:
    return part / (f"length-{length:02}" + (f"-{shard}" if shard else "") + ".faiss")


def _files(part: Path, length: int) -> Iterator[Path]:
    shard = 0
    while (file := _file(part, length, shard)).exists():
        yield file
        shard += 1


@dataclass(frozen=True, eq=False)
class Shard:
    """Some rows of a length; codes have the vectors themselves beside them, in half precision."""

    index: Any
    vectors: NDArray[np.float16] | None

    @classmethod
    def open(cls, file: Path, dimensions: int) -> Shard:
        import faiss

        try:
            index = faiss.read_index(str(file), faiss.IO_FLAG_MMAP_IFC)
            stored = file.with_suffix(".npy")
            vectors = None
            if stored.exists():
                vectors = np.load(stored, mmap_mode="r", allow_pickle=False)
        except (RuntimeError, OSError, ValueError):
            raise ModelError(f"{file} can't be read; please train it again") from None
        if index.d != dimensions:
            raise ModelError(f"{file} has vectors of another size; please train it again")
        if vectors is not None and vectors.shape != (index.ntotal, dimensions):
            raise ModelError(f"{stored} contradicts {file.name}; please train it again")
        return cls(index, vectors)

    def search(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        """Similarities and rows; where an index finds fewer than asked for, rows are -1."""
        if self.vectors is None:
            near, rows = self.index.search(queries, min(count, self.index.ntotal))
            return near, rows
        _, rows = self.index.search(queries, min(AGAIN * count, self.index.ntotal))
        near = np.einsum("qd,qrd->qr", queries, self.vectors[rows].astype(np.float32))
        near[rows < 0] = -np.inf
        return _best(near, rows, count)

    def stored(self, start: int, stop: int) -> Vectors:
        """The vectors of some rows."""
        if self.vectors is not None:
            return self.vectors[start:stop].astype(np.float32)
        return np.asarray(self.index.reconstruct_n(start, min(stop, self.index.ntotal) - start))


def _best(near: Vectors, rows: NDArray[np.int64], count: int) -> tuple[Vectors, NDArray[np.int64]]:
    order = np.argsort(-near, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(near, order, axis=1), np.take_along_axis(rows, order, axis=1)


class LengthIndex:
    """Nearest vectors among those of one length."""

    def __init__(self, part: Path, dimensions: int) -> None:
        self._part, self._dimensions = part, dimensions
        self._open: dict[int, list[Shard]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_open": {}}  # what is mapped here is mapped anew elsewhere

    def shards(self, length: int) -> list[Shard]:
        """What the rows of a length lie in, in their order."""
        if length not in self._open:
            files = _files(self._part, length)
            self._open[length] = [Shard.open(file, self._dimensions) for file in files]
        return self._open[length]

    def search(
        self, length: int, vectors: Vectors, count: int
    ) -> tuple[Vectors, NDArray[np.int64]]:
        """For each vector the similarities and rows of its nearest, best first; row -1 is none."""
        queries = np.ascontiguousarray(vectors, dtype=np.float32)
        near = np.zeros((len(queries), 0), np.float32)
        rows, start = np.zeros(near.shape, np.int64), 0
        for shard in self.shards(length):
            here, found = shard.search(queries, count)
            near = np.concatenate([near, here], axis=1)
            rows = np.concatenate([rows, np.where(found < 0, -1, found + start)], axis=1)
            start += shard.index.ntotal
        return _best(near, rows, count)


def write_index(
    part: Path,
    length: int,
    vectors: Vectors,
    *,
    bytes_per_row: float = float("inf"),
    shard_rows: int = SHARD_ROWS,
) -> IndexRecord:
    """Store the vectors of one length, in the order of their rows, and measure the recall."""
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    shards = max(1, -(-len(vectors) // shard_rows))
    factory = plan(-(-len(vectors) // shards), vectors.shape[1], bytes_per_row)
    for shard in range(shards):
        here = slice(shard * shard_rows, (shard + 1) * shard_rows)
        write_as(_file(part, length, shard), factory, vectors[here])
    recall = _recall(part, length, factory, vectors.shape[1])
    return IndexRecord(factory, len(vectors), shards, recall)


def write_as(file: Path, factory: str, vectors: Vectors) -> None:
    """One index of a given kind, with the vectors beside it where it only holds codes."""
    import faiss

    # The kind of index is known by the factory's text alone, hence Any.
    index: Any = faiss.index_factory(vectors.shape[1], factory, faiss.METRIC_INNER_PRODUCT)
    if factory.startswith("IVF"):
        index.nprobe = max(8, index.nlist // PROBED)
        index.cp.min_points_per_centroid = 1  # FAISS warns by printing
        index.cp.max_points_per_centroid = index.pq.cp.max_points_per_centroid = POINTS
        index.pq.cp.min_points_per_centroid = 1
        index.do_polysemous_training = False  # for a search by Hamming distance, which isn't ours
        np.save(file.with_suffix(".npy"), vectors.astype(np.float16), allow_pickle=False)
    if factory.startswith("HNSW"):
        index.hnsw.efSearch = 2 * SAMPLE_NEIGHBOURS
    index.train(vectors)
    _add(index, vectors)
    faiss.write_index(index, str(file))


def _add(index: Any, vectors: Vectors) -> None:
    """By one thread: threads would link a graph in another order each time."""
    import faiss

    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        index.add(vectors)
    finally:
        faiss.omp_set_num_threads(threads)


def _recall(part: Path, length: int, factory: str, dimensions: int) -> float:
    """The share of the nearest that are found, of stored vectors spread over the rows.

    Exact search goes by the vectors that the index keeps, some at a time, so that a length of many
    shards is never in memory as a whole.
    """
    if factory == "Flat":
        return 1.0
    import faiss

    index = LengthIndex(part, dimensions)
    shards = index.shards(length)
    total = sum(shard.index.ntotal for shard in shards)
    if not total:
        return 1.0
    count = min(SAMPLE_NEIGHBOURS, total)
    asked = []
    for shard in shards:
        share = max(1, round(SAMPLE * shard.index.ntotal / total))
        places = np.linspace(0, shard.index.ntotal - 1, share).astype(int).tolist()
        asked += [shard.stored(place, place + 1) for place in places]
    queries = np.concatenate(asked)
    exact = np.full((len(queries), count), -np.inf, dtype=np.float32)
    for shard in shards:
        for start in range(0, shard.index.ntotal, BLOCK_ROWS):
            block = shard.stored(start, start + BLOCK_ROWS)
            near, _ = faiss.knn(
                queries, block, min(count, len(block)), metric=faiss.METRIC_INNER_PRODUCT
            )
            exact = -np.sort(-np.concatenate([exact, near], axis=1), axis=1)[:, :count]
    near, rows = index.search(length, queries, count)
    # As near as the last of the nearest is near enough: equal clues may take each other's place.
    hits = (rows >= 0) & (near >= exact[:, -1:] - 1e-3)
    return round(float(hits.sum()) / exact.size, 4)


def extend_index(
    old: Path, part: Path, length: int, vectors: Vectors, before: IndexRecord | None = None
) -> IndexRecord | None:
    """A copy of a length's index with vectors added at its end; nothing is trained again.

    `before` is what the old index was when it was made; what it is now is given back, its recall
    measured anew. Where nobody knows what it was, nothing is measured.
    """
    import faiss

    files = list(_files(old, length))
    for file in files:
        shutil.copy(file, part / file.name)
        if file.with_suffix(".npy").exists():
            shutil.copy(file.with_suffix(".npy"), part)
    if not len(vectors):
        return before
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    if not files:
        return write_index(part, length, vectors)
    last = part / files[-1].name
    index = faiss.read_index(str(last))
    shards = len(files)
    if index.ntotal + len(vectors) > SHARD_ROWS:
        write_as(_file(part, length, shards), "Flat", vectors)  # small beside a full one
        shards += 1
    else:
        _add(index, vectors)
        faiss.write_index(index, str(last))
        stored = last.with_suffix(".npy")
        if stored.exists():
            both = np.concatenate([np.load(stored, allow_pickle=False), vectors.astype(np.float16)])
            np.save(stored, both, allow_pickle=False)
    if before is None:
        return None
    recall = _recall(part, length, before.factory, vectors.shape[1])
    return IndexRecord(before.factory, before.rows + len(vectors), shards, recall)
