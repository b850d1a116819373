"""What the encoder sees of a clue and of an answer: a set of string features, kept as 32-bit keys.

A clue gives words, word bigrams and trigrams, character n-grams of its words and a few signs of
its kind; an answer gives itself, its character n-grams and the words it falls into. Keys are
CRC-32 of the feature's text, so that a model folder holds no text: a feature is known when its
key is in the sorted table that training kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from crossword.text import normalise_clue

MAX_WORDS = 40  # arbitrary; clues have seven words on average, and features must be bounded
_WORD = re.compile(r"___|[A-Za-z]+(?:'[A-Za-z]+)*|[0-9]+|[?!$%&+=#\":]")
_SIGNS = frozenset('?!$%&+=#":')


def clue_features(clue: str) -> list[str]:
    """The features of a clue as text, without repeats, in a fixed order."""
    words = _WORD.findall(normalise_clue(clue))[:MAX_WORDS]
    plain = [word.lower() for word in words]
    found: dict[str, None] = {}
    for word in plain:
        found["w " + word] = None
    # A capital inside a clue tells a name from a word: Rose, rose.
    for word in words[1:]:
        if word[0].isupper():
            found["n " + word.lower()] = None
    framed = ["^", *plain, "$"]
    for first, second in pairwise(framed):
        found[f"b {first} {second}"] = None
    for first, second, third in zip(framed, framed[1:], framed[2:], strict=False):
        found[f"t {first} {second} {third}"] = None
    content = [word for word in plain if word not in _SIGNS]
    if 2 <= len(content) <= MAX_WORDS:
        for i, first in enumerate(content):  # pairs one word apart: order kept, gap bridged
            if i + 2 < len(content):
                found[f"s {first} {content[i + 2]}"] = None
    found[f"k {min(len(content), 12)}"] = None
    for word in plain:
        if word[0].isalpha():
            edged = f"<{word[:20]}>"
            for size in (4, 5):
                for start in range(len(edged) - size + 1):
                    found["c " + edged[start : start + size]] = None
    return list(found)


def answer_features(answer: str, parts: Sequence[str] = ()) -> list[str]:
    """The features of an answer: itself first, then n-grams, then the words it falls into."""
    found: dict[str, None] = {"a " + answer: None}
    edged = f"<{answer}>"
    for size in (3, 4, 5):
        for start in range(len(edged) - size + 1):
            found["g " + edged[start : start + size]] = None
    for place, part in enumerate(parts):
        found["p " + part] = None
        if place in (0, len(parts) - 1):
            found[f"{'f' if place == 0 else 'l'} {part}"] = None
    for first, second in pairwise(parts):
        found[f"q {first} {second}"] = None
    return list(found)


def keys_of(features: Iterable[str]) -> NDArray[np.uint32]:
    """The 32-bit keys of features, in their order."""
    return np.fromiter((crc32(f.encode()) for f in features), dtype=np.uint32)


def rows_of(keys: NDArray[np.uint32], table: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The rows of those keys that a sorted table holds; unknown ones are left out."""
    if not len(table):
        return np.zeros(0, dtype=np.int64)
    place = np.searchsorted(table, keys)
    place[place == len(table)] = 0
    return np.asarray(place[table[place] == keys], dtype=np.int64)
