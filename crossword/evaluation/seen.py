"""Was this exact clue–answer pair in training? 64-bit hashes tell, without keeping any clue.

Training writes the sorted hashes of its pairs into the model folder as `seen.npy` (uint64);
evaluation reads it to report seen and new pairs apart. Two pairs share a hash by accident about
once in 10¹³ here, so the report is exact for all purposes. Clues can't be read back from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError
from crossword.text import normalise_clue

SEEN_FILE = "seen.npy"
MAX_PAIRS = 50_000_000  # a bound on what a damaged header can make us allocate


def pair_hash(clue: str, answer: str) -> int:
    """64 bits of a normalised clue and its answer; the clue's case doesn't count."""
    text = f"{normalise_clue(clue).casefold()}\t{answer}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


class SeenPairs:
    """A set of clue–answer pairs, known only by their hashes."""

    def __init__(self, hashes: NDArray[np.uint64]) -> None:
        self._hashes = hashes

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> SeenPairs:
        found = {pair_hash(clue, answer) for clue, answer in pairs}
        return cls(np.array(sorted(found), dtype=np.uint64))

    @classmethod
    def load(cls, path: Path) -> SeenPairs:
        """From a file in a model folder; it is mapped, not read whole."""
        try:
            hashes = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise ModelError(f"{path} can't be read as hashes of training pairs: {error}") from None
        if hashes.ndim != 1 or hashes.dtype != np.uint64 or len(hashes) > MAX_PAIRS:
            raise ModelError(f"{path} should be a row of 64-bit hashes; train the model again")
        return cls(hashes)

    def save(self, path: Path) -> None:
        np.save(path, self._hashes, allow_pickle=False)

    def __len__(self) -> int:
        return len(self._hashes)

    def __contains__(self, pair: tuple[str, str]) -> bool:
        wanted = np.uint64(pair_hash(*pair))
        at = int(np.searchsorted(self._hashes, wanted))
        return at < len(self._hashes) and bool(self._hashes[at] == wanted)
