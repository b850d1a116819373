"""Plain text from the little HTML that clues carry, and back.

A `Puzzle` holds plain text, so italics and the like are dropped on reading. ipuz, jpz, XWord
Info and the New York Times all write `<i>` and `&amp;`. Only tags that such files use are taken
for tags: `<-->` or `a < b` in a clue stays as it is.
"""

from __future__ import annotations

import html
import re

_BREAK = re.compile(r"<(?:br|p|div|/p|/div|/tr|li)\b[^<>]{0,200}>", re.I)
_TAG = re.compile(
    r"</?(?:i|b|u|s|em|strong|span|sub|sup|small|big|font|a|strike|strong|tt|code|table|tbody|tr|td"
    r"|th|ul|ol|li|p|div|br|img|center|clue)\b[^<>]{0,2000}>",
    re.I,
)


def plain(text: str) -> str:
    """The text without tags and entities."""
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    return html.unescape(text) if "&" in text else text


def escaped(text: str) -> str:
    """A text that `plain` gives back as it was; left alone where that is so already."""
    if plain(text) == text:
        return text
    return text.replace("&", "&amp;").replace("<", "&lt;")
