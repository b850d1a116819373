"""The words that can be guessed, and how likely each is the hidden one before the first guess.

Contexto knows lemmas only, and hides everyday words, nearly always nouns. Lemmas and parts of
speech come from lemminflect, frequencies from wordfreq; both carry their data in the package.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TOP = 60_000  # words of wordfreq that are looked at
LOWEST_ZIPF = 2.6  # the rarest of the hidden words of games 1 to 500 is just above
_WORD = re.compile(r"[a-z]{2,24}")


def common_words(top: int = TOP) -> list[str]:
    """Plain English words, most frequent first."""
    from wordfreq import top_n_list

    return [word for word in top_n_list("en", top) if _WORD.fullmatch(word)]


def lemma(word: str) -> str:
    """The word a dictionary would list it under; a noun's form wins over a verb's."""
    forms = _lemmas(word)
    for part in ("NOUN", "PROPN", "VERB", "ADJ", "ADV"):
        if forms.get(part):
            return forms[part][0]
    return word


def is_noun(word: str) -> bool:
    """Whether a dictionary lists the word itself as a noun."""
    return word in _lemmas(word).get("NOUN", ())


def is_lemma(word: str) -> bool:
    """Whether the word is the lemma of all it can be."""
    return all(word in forms for forms in _lemmas(word).values())


def noun_lemmas(lowest_zipf: float = LOWEST_ZIPF) -> list[str]:
    """Everyday nouns: the words a game may hide, also those that no list of ours holds."""
    words = [word for word in common_words() if zipf(word) >= lowest_zipf]
    return [word for word in words if is_noun(word) and lemma(word) == word]


def zipf(word: str) -> float:
    """Frequency on the Zipf scale: 3 is once in a million words, 6 once in a thousand."""
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, "en"))


def plain_log_prior(words: Sequence[str]) -> Floats:
    """A prior from frequency and part of speech alone, for vectors that are not ours.

    Mean and spread of the frequency and the share of nouns are those of the hidden words of
    games 1 to 500.
    """
    frequency = np.array([zipf(word) for word in words])
    weight = -0.5 * ((frequency - 4.45) / 0.65) ** 2
    # Many words are rare, few frequent: without this the rare ones would win by number.
    counts, edges = np.histogram(frequency, bins=24)
    weight -= np.log(counts[np.clip(np.digitize(frequency, edges) - 1, 0, 23)] + 1.0)
    weight += np.where([is_noun(word) for word in words], 0.0, np.log(0.05))
    return np.asarray(weight - np.logaddexp.reduce(weight), np.float64)


@cache
def _lemmas(word: str) -> dict[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = _reader()(word)
    return forms


@cache
def _reader() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # lemminflect's own, on import
        import lemminflect
    return lemminflect.getAllLemmas
