"""Which index for TF-IDF clues: a sparse product, or FAISS over a dense reduction?

    python -m benchmarks.tfidf_index --corpus nyt-1976-2018.zip --out tfidf-index.json

Dense, the vectors of 440,000 clues over 240,000 terms would take 420 GB, so FAISS can only search
what truncated SVD leaves of them. Both contenders get the same clues, the same length filter, the
same 300 neighbours and the same scoring (sum of e^(12·(cos−1))). Even-odd split: trained on even
days, asked 2,000 clues of odd ones. One thread; seconds are of the process, so that a busy machine
doesn't count.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from crossword.guessers.neighbours import NEIGHBOURS, ClueMemory
from crossword.guessers.tfidf import terms
from data.corpus import columns, load_corpus
from data.splits import training_part
from train.pairs import Pairs

Search = Callable[[int, NDArray[np.int64]], list[tuple[NDArray[Any], NDArray[Any]]]]
BATCH = 64


def measure(search: Search, memory: ClueMemory, asked: list[tuple[str, str]]) -> dict[str, float]:
    """Top-k and clues a second; `search` takes a length and the places of queries."""
    lengths = np.array([len(answer) for _, answer in asked])
    hits, seconds = np.zeros(3), 0.0
    for length in sorted(set(lengths.tolist())):
        stored = memory.of(length)
        if len(stored) == 0:
            continue
        places = np.flatnonzero(lengths == length)
        search(length, places[:1])  # the first call of a length builds its index
        for start in range(0, len(places), BATCH):
            batch = places[start : start + BATCH]
            before = process_time()
            found = search(length, batch)
            seconds += process_time() - before
            for at, (near, rows) in zip(batch.tolist(), found, strict=True):
                weights = np.exp(12 * (near - 1)) * stored.row_counts[rows]
                scores = np.bincount(stored.row_answers[rows], weights, len(stored.words))
                gold = stored.words.position.get(asked[at][1])
                if gold is not None and scores[gold] > 0:
                    rank = int((scores > scores[gold]).sum())
                    hits += [rank < 1, rank < 5, rank < 100]
    top = dict(zip(("top1", "top5", "top100"), (hits / len(asked)).round(4).tolist(), strict=True))
    return {**top, "clues_per_second": round(len(asked) / seconds)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--clues", type=int, default=2_000)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    console = Console(stderr=True)
    faiss.omp_set_num_threads(1)

    whole = load_corpus([options.corpus], cache=options.cache, console=console).dataset
    pairs = Pairs.from_dataset(training_part(whole, split="even-odd"))
    dates, clues, answers = columns(whole, "date", "clue", "answer")
    odd = [i for i, day in enumerate(dates) if day and int(day[8:10]) % 2]
    drawn = random.Random(69).sample(odd, options.clues)
    asked = [(clues[i], answers[i]) for i in drawn]
    memory = pairs.memory()

    before = process_time()
    vectoriser = TfidfVectorizer(analyzer=terms, sublinear_tf=True, min_df=2, dtype=np.float32)
    rows = sparse.csr_array(vectoriser.fit_transform(pairs.clues))
    queries = sparse.csr_array(vectoriser.transform([clue for clue, _ in asked]))
    inverted: dict[int, sparse.csr_array] = {}
    for length in memory.lengths:
        part = memory.of(length)
        inverted[length] = rows[part.start : part.start + len(part)].T.tocsr()
    sparse_build = process_time() - before

    def by_product(length: int, places: NDArray[np.int64]) -> list[tuple[Any, Any]]:
        product = (queries[places] @ inverted[length]).tocsr()
        found = []
        for row in range(len(places)):
            span = slice(product.indptr[row], product.indptr[row + 1])
            near, at = product.data[span], product.indices[span]
            if len(near) > NEIGHBOURS:
                top = np.argpartition(-near, NEIGHBOURS)[:NEIGHBOURS]
                near, at = near[top], at[top]
            found.append((near, at))
        return found

    results: dict[str, Any] = {"stored_clues": len(pairs), "terms": rows.shape[1]}
    results["sparse"] = {
        "build_seconds": round(sparse_build, 1),
        "megabytes": round(rows.nnz * 6 / 1e6),
        **measure(by_product, memory, asked),
    }
    console.print("sparse", results["sparse"])

    before = process_time()
    reduction = TruncatedSVD(options.dimensions, n_iter=2, random_state=0)
    dense = reduction.fit_transform(rows).astype(np.float32)
    reduced = reduction.transform(queries).astype(np.float32)
    for matrix in (dense, reduced):
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    indexes: dict[int, Any] = {}
    for length in memory.lengths:
        part = memory.of(length)
        indexes[length] = faiss.IndexFlatIP(options.dimensions)
        indexes[length].add(dense[part.start : part.start + len(part)])
    dense_build = process_time() - before

    def by_faiss(length: int, places: NDArray[np.int64]) -> list[tuple[Any, Any]]:
        index = indexes[length]
        near, at = index.search(reduced[places], min(NEIGHBOURS, index.ntotal))
        return list(zip(near, at, strict=True))

    results["faiss"] = {
        "dimensions": options.dimensions,
        "build_seconds": round(dense_build + sparse_build, 1),
        "megabytes": round(dense.nbytes / 1e6),
        **measure(by_faiss, memory, asked),
    }
    console.print("faiss", results["faiss"])
    if options.out is not None:
        options.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
