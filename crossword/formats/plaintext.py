"""Texts as a `Puzzle` holds them: printable, bounded, blanks unified; dates as ISO.

Every string that comes from a file passes through here, so that no control character, lone
surrogate or megabyte of title reaches a terminal, a JSON text or a model.
"""

from __future__ import annotations

import re

from crossword.errors import CorruptFileError

MAX_CLUE = 5_000  # characters; the longest real clue has a few hundred
MAX_NOTES = 100_000
MAX_LINE = 2_000  # titles, names and the like
MAX_CELL = 64  # letters in one cell; the longest real rebus has about twenty

# Control characters and lone surrogates: what no file may smuggle into a terminal or a JSON text.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufffe\uffff]")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_US_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)")


def printable(text: str) -> str:
    """The text without control characters and broken Unicode; line ends unified."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNPRINTABLE.sub(
        lambda found: "\ufffd" if "\ud800" <= found[0] <= "\udfff" else "", text
    )


def line(text: str) -> str:
    """One line of plain text."""
    return " ".join(printable(text[:MAX_LINE]).split())


def clue_text(text: str) -> str:
    return " ".join(printable(text[:MAX_CLUE]).split())


def paragraphs(text: str) -> str:
    """Plain text of several lines: blanks at line ends and around the whole don't count."""
    lines = printable(text[:MAX_NOTES]).split("\n")
    return "\n".join(part.rstrip() for part in lines).strip()


def cell_text(text: str) -> str:
    """What one cell holds, in capitals; empty where it holds nothing."""
    if len(text) == 1 and "A" <= text <= "Z":
        return text
    if len(text) > MAX_CELL:
        raise CorruptFileError(f"a cell holds {len(text)} signs, more than any rebus")
    return "".join(printable(text).upper().split())


def iso_date(text: str) -> str:
    """YYYY-MM-DD from an ISO or an American date; empty where it is neither."""
    text = text.strip()
    if found := _ISO_DATE.match(text):
        year, month, day = (int(part) for part in found.groups())
    elif found := _US_DATE.match(text):
        month, day, year = (int(part) for part in found.groups())
    else:
        return ""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ""
    return f"{year:04d}-{month:02d}-{day:02d}"
