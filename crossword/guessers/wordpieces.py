"""Words and pieces of words, as BERT's tokenizer cuts them (Devlin et al. 2019), in plain Python.

A clue is folded to lower case and split at blanks and signs; a word is cut greedily into the
longest pieces that the vocabulary has. The library `tokenizers` does the same (a test compares
them), but brings a client for model hubs along, which solving a crossword has no use for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from crossword.text import normalise_clue

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
MAX_PIECES = 40  # of a clue; one clue in a thousand has more
MAX_LETTERS = 100  # a longer word is unknown, as in BERT
REMEMBERED = 20_000  # words; arbitrary
_PART = re.compile(r"[^\W_]+|[^\w\s]|_")


class WordPieces:
    """A vocabulary of pieces; those inside a word begin with ##."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = tuple(vocabulary)
        self._id = {piece: i for i, piece in enumerate(self.vocabulary)}
        self._begin, self._end = self._id[BEGIN], self._id[END]
        self._cuts: dict[str, tuple[int, ...]] = {}

    def ids(self, clue: str) -> list[int]:
        """The pieces of a clue as numbers, framed by the signs for begin and end."""
        parts = _PART.findall((normalise_clue(clue) or "?").lower())
        found = [piece for part in parts for piece in self._cut(part)]
        return [self._begin, *found[: MAX_PIECES - 2], self._end]

    def _cut(self, word: str) -> tuple[int, ...]:
        """Cut a word, or remember how it was cut (lru_cache can't go to other processes)."""
        found = self._cuts.get(word)
        if found is None:
            if len(self._cuts) >= REMEMBERED:
                self._cuts.clear()
            found = self._cuts[word] = self._cut_word(word)
        return found

    def _cut_word(self, word: str) -> tuple[int, ...]:
        if len(word) > MAX_LETTERS:
            return (self._id[UNKNOWN],)
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._id.get(mark + word[start:end])
                if piece is not None:
                    break
            else:
                return (self._id[UNKNOWN],)
            found.append(piece)
            start = end
        return tuple(found)
