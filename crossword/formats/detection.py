"""Which format some bytes are of, found by their content; the suffix only breaks ties.

In this order: the magic words of .puz, a zip (a jpz, as a rule), XML or HTML, JSON told apart by
its keys, then text. What is none of these is refused in a line that says what it looks like.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath

from crossword.errors import CorruptFileError, UnknownFormatError, UnsupportedPuzzleError
from crossword.formats.document import MAX_BYTES, decoded, parse
from crossword.puzzle import Puzzle

# A few kilobytes of zip can hold megabytes of empty tags, whose tree takes thirty times as much
# memory again; so what comes out of a zip has half the room of a bare file.
MAX_MEMBER = MAX_BYTES // 2
_MAGIC = b"ACROSS&DOWN\x00"
_MAGIC_WITHIN = 4096  # bytes that some servers put before the header
_ZIP = b"PK\x03\x04"
ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
_XD = re.compile(r"^## +(?:grid|clues|metadata)\b|^A\d+\. ", re.I | re.M)


def load_any(data: bytes, name: str) -> Puzzle:
    """The puzzle in the bytes; raises only the errors of `crossword.errors`, without the name."""
    if len(data) > MAX_BYTES:
        raise CorruptFileError(f"over {MAX_BYTES // 2**20} MB, too large for a puzzle")
    suffix = PurePosixPath(name.lower()).suffix
    if _MAGIC in data[: _MAGIC_WITHIN + len(_MAGIC)]:
        from crossword.formats import puz

        return puz.load(data)
    if data.startswith(_ZIP):
        return _load_zipped(data)
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n\0").lower()
    if not head:
        raise CorruptFileError("the file is empty")
    if head.startswith(b"<"):
        return _load_marked_up(data, head)
    if head.startswith((b"{", b"[", b"ipuz")) or suffix in (".json", ".ipuz"):
        return _load_json(data)
    return _load_text(data, suffix)


def _load_marked_up(data: bytes, head: bytes) -> Puzzle:
    if head.startswith((b"<!doctype html", b"<html")):
        raise UnknownFormatError("an HTML page, not a puzzle (an error page saved by mistake?)")
    if head.startswith(b"<across puzzle"):
        from crossword.formats import puz

        return puz.load_text(decoded(data))
    from crossword.formats import jpz

    return jpz.load(data)


def _load_json(data: bytes) -> Puzzle:
    value = parse(data)
    if not isinstance(value, dict):
        raise UnknownFormatError("JSON, but no puzzle that we know")
    if "kind" in value or "ipuz" in str(value.get("version", ""))[:40]:
        from crossword.formats import ipuz

        return ipuz.from_json(value)
    if "body" in value:
        from crossword.formats import nyt

        return nyt.from_json(value)
    if "grid" in value and "clues" in value:
        from crossword.formats import xwordinfo

        return xwordinfo.from_json(value)
    keys = ", ".join(sorted(str(key)[:20] for key in value)[:5])
    raise UnknownFormatError(f"JSON, but no puzzle that we know (its keys: {keys or 'none'})")


def _load_text(data: bytes, suffix: str) -> Puzzle:
    text = decoded(data)
    if suffix == ".rg" or re.search(r"^rows:\s*$", text, re.M):
        raise UnsupportedPuzzleError("a Rows Garden, which is no crossword in rows and columns")
    if suffix == ".xd" or _XD.search(text):
        from crossword.formats import xd

        return xd.loads(text)
    if suffix == ".puz":
        raise CorruptFileError("a damaged .puz: it lacks the words ACROSS&DOWN of its header")
    raise UnknownFormatError("no puzzle format that we know")


def member_bytes(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """A member's bytes, if they are no more than a puzzle may have.

    The size in the zip's directory may lie, so reading stops there whatever it says; the methods
    other than deflate can't be stopped half-way, and puzzles don't use them.
    """
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CorruptFileError("compressed in a way that is rare, and not read here")
    with archive.open(info) as file:
        data = file.read(MAX_MEMBER + 1)
    if len(data) > MAX_MEMBER:
        raise CorruptFileError(f"over {MAX_MEMBER // 2**20} MB unzipped, too large for a puzzle")
    return data


def _load_zipped(data: bytes) -> Puzzle:
    """A zip with one file in it, which is how many a .jpz comes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            if len(members) != 1:
                raise UnknownFormatError(
                    f"a zip of {len(members)} files; one puzzle was expected, not a collection"
                )
            inner = member_bytes(archive, members[0])
            name = members[0].filename
    except ZIP_ERRORS:
        raise CorruptFileError("a damaged zip") from None
    if inner.startswith(_ZIP):
        raise CorruptFileError("a zip inside a zip")
    return load_any(inner, name)
