"""The one normaliser of clues and answers, for training and inference alike.

An answer becomes capital letters A-Z (accents folded, everything else dropped); a clue becomes
plain text with unified quotes, blanks as `___`, and no markup. Tokens are lower-case words.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Literal

Kind = Literal["question", "blank", "specifier", "reference", "plain"]
KINDS: tuple[Kind, ...] = ("question", "blank", "specifier", "reference", "plain")

MAX_CLUE = 2_000  # characters; the longest real clue has a few hundred

_FOLD = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "`": "'", "´": "'", "“": '"', "”": '"',
        "„": '"', "«": '"', "»": '"', "–": "-", "—": "-", "−": "-", "…": "...", "\u00a0": " ",
        "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "ß": "ss", "Ł": "L",
        "ł": "l", "Đ": "D", "đ": "d", "Þ": "TH", "þ": "th", "Ð": "D", "ð": "d", "ı": "i",
    }
)  # fmt: skip
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|span|sub|sup|br|p|div|font|a|strike|s)\b[^<>]{0,200}>", re.I
)
BLANK = "___"  # what stands for a blank in a normalised clue
_BLANK = re.compile(r"_+(?:\s*_+)*|-{3,}")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"___|[a-z]+(?:'[a-z]+)?|[0-9]+|[?!$%&+=#]")
_REFERENCE = re.compile(r"\b\d+-?\s?(?:and \d+-)?(?:across|down)\b", re.I)
_SPECIFIER = re.compile(
    r"\([^()]*\)\s*\??$|: ?(?:abbr|var|fr|sp|ger|lat|it|hyph|pref|suff)\b\.?", re.I
)


def fold(text: str) -> str:
    """Accents, ligatures and typographic signs as plain ones."""
    if text.isascii():  # as nearly all clues are; there is nothing else to fold
        return text.replace("`", "'")
    decomposed = unicodedata.normalize("NFKD", text.translate(_FOLD))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def normalise_answer(text: str) -> str:
    """Capital letters A-Z only; 'Let's go!' becomes LETSGO. Digits are dropped too."""
    return "".join(c for c in fold(text).upper() if "A" <= c <= "Z")


def normalise_clue(text: str) -> str:
    """Plain text on one line: markup and entities resolved, quotes and blanks unified."""
    text = text[:MAX_CLUE]
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    return _SPACE.sub(" ", _BLANK.sub(BLANK, fold(text))).strip()


def tokens(clue: str) -> list[str]:
    """The lower-case words and telling signs of a clue that has been normalised or not."""
    return _TOKEN.findall(normalise_clue(clue).lower())


def kind_of(clue: str) -> Kind:
    """What sort of clue it is; the first that applies, in the order that tells most."""
    clue = normalise_clue(clue)
    if _REFERENCE.search(clue):
        return "reference"
    if BLANK in clue:
        return "blank"
    if clue.endswith("?"):
        return "question"
    if _SPECIFIER.search(clue):
        return "specifier"
    return "plain"
