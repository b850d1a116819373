"""More clues than there are: made from real ones, by recombination and noise.

A made text has the first half of one clue's words and the second half of another's whose answer is
as long, and in every second text a word is exchanged; a made vector is a mixture of two with noise
(the mean of two clues' words is what a clue made of both would have). So stores stay as crowded as
they are, and lengths keep their shares. Of fewer clues than there are, a random part.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from train.pairs import Pairs

NOISE = 0.3  # the length of the noise beside a unit vector; arbitrary
EXCHANGED = 0.5  # the share of made texts with a strange word; arbitrary
CHUNK = 100_000  # made at once; bounds the memory

Vectors = NDArray[np.float32]


def lengths_of(pairs: Pairs) -> Iterator[tuple[Pairs, float]]:
    """The pairs of each answer length, with their share of all."""
    lengths = np.array([len(answer) for answer in pairs.answers])  # pairs are sorted by length
    for length in np.unique(lengths).tolist():
        here = slice(*np.searchsorted(lengths, [length, length + 1]).tolist())
        some = Pairs(pairs.clues[here], pairs.answers[here], pairs.counts[here], pairs.recent[here])
        yield some, len(some) / len(pairs)


def pairs_of(pairs: Pairs, clues: int) -> Pairs:
    """So many pairs: some of the real ones, or all and made ones after them."""
    if clues <= len(pairs):
        drawn = np.sort(np.random.default_rng(0).permutation(len(pairs))[:clues]).tolist()
        return Pairs(
            [pairs.clues[i] for i in drawn],
            [pairs.answers[i] for i in drawn],
            [pairs.counts[i] for i in drawn],
            [pairs.recent[i] for i in drawn],
        )
    clue_texts, answers = list(pairs.clues), list(pairs.answers)
    random = np.random.default_rng(0)
    lengths = np.array([len(answer) for answer in pairs.answers])
    ends = np.searchsorted(lengths, lengths, side="right")  # pairs are sorted by length
    starts = np.searchsorted(lengths, lengths, side="left")
    while len(answers) < clues:
        count = min(CHUNK, clues - len(answers))
        one = random.integers(len(pairs), size=count)
        other = random.integers(starts[one], ends[one])
        strange = random.integers(len(pairs), size=count).tolist()
        places = random.random(count).tolist()
        for first, second, third, place in zip(
            one.tolist(), other.tolist(), strange, places, strict=True
        ):
            here, there = pairs.clues[first].split(), pairs.clues[second].split()
            words = here[: (len(here) + 1) // 2] + there[len(there) // 2 :]
            at = int(place / EXCHANGED * len(words))
            if at < len(words):
                words[at] = pairs.clues[third].partition(" ")[0]
            clue_texts.append(" ".join(words))
            answers.append(pairs.answers[first])
    more = len(answers) - len(pairs)  # each used once, and lately
    return Pairs(clue_texts, answers, [*pairs.counts, *[1] * more], [*pairs.recent, *[1.0] * more])


def vectors_of(real: NDArray[np.float16], rows: int, seed: int) -> Vectors:
    """So many vectors: some of the real ones, or all and made ones after them."""
    random = np.random.default_rng(seed)
    if rows <= len(real):
        return real[np.sort(random.permutation(len(real))[:rows])].astype(np.float32)
    found = np.empty((rows, real.shape[1]), dtype=np.float32)
    found[: len(real)] = real
    for start in range(len(real), rows, CHUNK):
        some = found[start : start + CHUNK]
        one, other = random.integers(len(real), size=(2, len(some)))
        share = random.uniform(0.2, 0.8, size=(len(some), 1)).astype(np.float32)
        noise = random.standard_normal(some.shape, dtype=np.float32)
        some[:] = share * real[one] + (1 - share) * real[other]
        some += noise * np.float32(NOISE / np.sqrt(real.shape[1]))
        some /= np.maximum(np.linalg.norm(some, axis=1, keepdims=True), 1e-9)
    return found
