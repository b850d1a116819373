"""Alphabets as data: which groups of signs count as one letter, so that words of any language
have a length and can be compared letter by letter.

Text is normalised (lower case, NFD, one apostrophe, one underline), then cut by the longest
match. Both ways are exact: where two letters side by side would read as one (t + s against the
Gitksan letter ts) a `|` keeps them apart, in word lists and in what we write. What a language
leaves to knowledge of the word (Welsh n + g in "bangor") therefore needs that sign in the list.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from wordgames.errors import DataError, InputError
from wordgames.strategy import unknown_name

SEPARATOR = "|"
# Signs typed for an apostrophe or glottal mark, and for a line under a letter.
_UNIFIED = str.maketrans(
    {**dict.fromkeys("’‘ʼʻ`´ʹ′＇ˈ", "'"), **dict.fromkeys("\u0320\u0332\u0333", "\u0331")}
)
_MAX_LETTERS = 255  # letter codes are bytes


def normalised(text: str) -> str:
    """Lower case, NFD, apostrophes and underlines unified."""
    # Translated first: NFD turns the spacing acute accent into a space and an accent.
    plain = text.strip().lower().translate(_UNIFIED)
    return unicodedata.normalize("NFD", plain).translate(_UNIFIED)


@dataclass(frozen=True)
class Alphabet:
    """A named list of letters, each one sign or several."""

    name: str
    letters: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict, hash=False)
    drop_marks: bool = False

    def __post_init__(self) -> None:
        if not 0 < len(self.letters) <= _MAX_LETTERS or len(set(self.letters)) < len(self.letters):
            raise DataError(f"alphabet {self.name!r} needs 1 to {_MAX_LETTERS} different letters")
        if any(letter != normalised(letter) or SEPARATOR in letter for letter in self.letters):
            raise DataError(f"alphabet {self.name!r} has a letter that is not normalised")

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {letter: code for code, letter in enumerate(self.letters)}

    @cached_property
    def _longest_match(self) -> re.Pattern[str]:
        by_length = sorted(self.letters, key=len, reverse=True)
        # A letter must not lose its accents to the next match: "e" does not start "é".
        return re.compile(f"(?:{'|'.join(map(re.escape, by_length))})(?![\u0300-\u036f])")

    def normalised(self, text: str) -> str:
        """Text in the one form that `split` cuts and `joined` gives back."""
        plain = normalised(text)
        for alias, letters in self.aliases.items():
            plain = plain.replace(normalised(alias), normalised(letters))
        if self.drop_marks:
            plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
        return plain

    def split(self, word: str) -> tuple[str, ...]:
        """The letters of a word, longest match first."""
        text = self.normalised(word)
        letters: list[str] = []
        for part in text.split(SEPARATOR):
            position = 0
            while position < len(part):
                match = self._longest_match.match(part, position)
                if match is None:
                    sign = unicodedata.normalize("NFC", part[position : position + 2])[0]
                    raise InputError(f"{word.strip()!r}: {sign!r} is no letter of {self.name}")
                letters.append(match.group())
                position = match.end()
        return tuple(letters)

    def joined(self, letters: Sequence[str]) -> str:
        """The word of these letters: the inverse of `split`."""
        word = ""
        for count, letter in enumerate(letters):
            if not word or self.split(word + letter) == tuple(letters[: count + 1]):
                word += letter
            else:
                word += SEPARATOR + letter
        return word

    def encoded(self, word: str) -> bytes:
        """A word as letter codes, one byte a letter."""
        return bytes(self._codes[letter] for letter in self.split(word))

    def decoded(self, codes: Sequence[int]) -> str:
        """The word of these letter codes: the inverse of `encoded`."""
        return self.joined([self.letters[code] for code in codes])


def parsed(key: str, table: Mapping[str, Any]) -> Alphabet:
    """An alphabet from its table in a TOML file."""
    try:
        unknown = set(table) - {"name", "letters", "aliases", "drop_marks"}
        if unknown:
            raise DataError(f"alphabet {key!r} has unknown settings: {', '.join(sorted(unknown))}")
        return Alphabet(
            str(table.get("name", key)),
            tuple(normalised(letter) for letter in str(table["letters"]).split()),
            dict(table.get("aliases", {})),
            bool(table.get("drop_marks", False)),
        )
    except KeyError as missing:
        raise DataError(f"alphabet {key!r} lacks {missing}") from None


@cache
def shipped() -> dict[str, Alphabet]:
    """The alphabets in `lists/alphabets.toml`, by name."""
    text = (files("wordgames") / "lists" / "alphabets.toml").read_text(encoding="utf-8")
    return {key: parsed(key, table) for key, table in tomllib.loads(text).items()}


def alphabet(name: str = "english") -> Alphabet:
    """The shipped alphabet of that name, or the first one in a TOML file."""
    if name in shipped():
        return shipped()[name]
    if not name.endswith(".toml"):
        raise unknown_name("alphabet", name, [*shipped(), "FILE.toml"])
    try:
        tables = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"cannot read alphabet {name}: {error}") from None
    for key, table in tables.items():
        if isinstance(table, dict):
            return parsed(key, table)
    raise DataError(f"{name} has no table with letters; see docs/alphabets.md")
