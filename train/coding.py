"""Codes what was trained: product codes of vectors (Jégou et al. 2011), and the encoder's files.

FAISS learns the centroids. Rows that are used more have more bytes: common clue features more than
rare ones, answers seen in training more than others, and of these only the likeliest are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import faiss
import numpy as np
from numpy.typing import NDArray

from crossword.errors import DataError
from crossword.guessers import tower
from crossword.guessers.fingerprints import ClueHistory
from crossword.guessers.quantiser import Codes
from crossword.guessers.tables import Encoder, FeatureTable
from crossword.lexicon import Lexicon
from train.pairs import Pairs

if TYPE_CHECKING:
    from train.encoder import Settings, Trainer


def quantise(vectors: NDArray[np.float32], pieces: int, seed: int) -> Codes:
    """Product codes of vectors, their centroids learned by FAISS on a sample."""
    width = vectors.shape[1]
    while width % pieces:
        pieces -= 1
    bits = 8
    centroids = np.zeros((pieces, 1 << bits, width // pieces), dtype=np.float32)
    if len(vectors) < (1 << bits):
        # Fewer vectors than centroids: each is its own.
        parts = vectors.reshape(len(vectors), pieces, width // pieces).transpose(1, 0, 2)
        centroids[:, : len(vectors)] = parts
        codes = np.repeat(np.arange(len(vectors), dtype=np.uint8)[:, None], pieces, axis=1)
        return Codes(codes, centroids)
    quantiser = faiss.ProductQuantizer(width, pieces, bits)
    quantiser.cp.seed = seed + 1
    quantiser.cp.min_points_per_centroid = 1
    sample = np.random.default_rng(seed).permutation(len(vectors))[:100_000]
    quantiser.train(np.ascontiguousarray(vectors[np.sort(sample)]))
    centroids[:] = faiss.vector_to_array(quantiser.centroids).reshape(centroids.shape)
    # Centroids are stored in half precision; codes are made with what will be read.
    centroids = centroids.astype(np.float16).astype(np.float32)
    faiss.copy_array_to_vector(centroids.ravel(), quantiser.centroids)
    return Codes(quantiser.compute_codes(np.ascontiguousarray(vectors)), centroids)


def coder(bits: int, seed: int) -> Callable[[NDArray[np.float32]], Codes] | None:
    """What codes the blocks of a matrix with so many bits a number; nothing where bytes do."""
    if bits not in (4, 8):
        raise DataError("a number of a matrix can have 4 or 8 bits")
    pieces = tower.CODED * bits // 8
    return (
        None if bits == 8 else lambda blocks: quantise(np.ascontiguousarray(blocks), pieces, seed)
    )


def feature_tables(
    keys: NDArray[np.uint32], rows: NDArray[np.float32], used: NDArray[np.int64], settings: Settings
) -> list[FeatureTable]:
    """The clue features coded, those that clues use most more closely than the others."""
    common = np.zeros(len(keys), dtype=bool)
    common[np.argsort(-used, kind="stable")[: settings.common_rows]] = True
    return [
        FeatureTable(keys[some], quantise(rows[some], size, settings.seed))
        for some, size in ((common, settings.clue_bytes), (~common, settings.rare_bytes))
        if some.any()
    ]


def likeliest(lexicon: Lexicon, counts: NDArray[np.uint16], new: int) -> NDArray[np.bool_]:
    """Which answers are written: those seen in training, and the likeliest of the others.

    All were there to train against. Of 2022's answers the 300,000 likeliest know 97.6 %, where
    633,000 know 98.0 %, for twice the bytes.
    """
    kept = counts > 0
    others = np.flatnonzero(~kept)
    order = np.argsort(-lexicon.log_prior[others], kind="stable")
    kept[others[order[:new]]] = True
    return kept


def coded(trainer: Trainer, pairs: Pairs, lexicon: Lexicon) -> Encoder:
    """The trained tables as an encoder to save, with what its clues' history says."""
    material, settings = trainer.material, trainer.settings
    times = np.bincount(material.gold[: material.real], minlength=len(lexicon))
    counts = np.minimum(times, 65535).astype(np.uint16)
    kept = likeliest(lexicon, counts, settings.new_answers)
    vectors, counts, lexicon = trainer.answer_vectors()[kept], counts[kept], lexicon.kept(kept)
    place = {answer: i for i, answer in enumerate(lexicon.vocabulary)}
    rows = [
        (clue, place[answer] - lexicon.starts[len(answer)], len(answer), count)
        for clue, answer, count in zip(pairs.clues, pairs.answers, pairs.counts, strict=True)
        if answer in place
    ]
    used = np.bincount(
        material.clues.rows[: material.clues.starts[material.real]],
        minlength=len(material.clues.keys),
    )
    return Encoder(
        features=feature_tables(material.clues.keys, trainer.clues, used, settings),
        seen=quantise(vectors[counts > 0], settings.seen_bytes, settings.seed),
        new=quantise(vectors[counts == 0], settings.new_bytes, settings.seed),
        lexicon=lexicon,
        counts=counts,
        history=ClueHistory.of(*map(list, zip(*rows, strict=True)), bags=settings.bags),
        recent=pairs.recent_uses(place),
    )
