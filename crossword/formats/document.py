"""Bytes to JSON, with bounds: size, depth, and no exception but our own.

Readers see only what `parse` returns and use the small accessors below, which take any JSON
value for what it should be, or say what is wrong. That keeps hostile files from reaching code
that expects a list and gets a number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from crossword.errors import CorruptFileError

MAX_BYTES = 8 * 1024 * 1024  # of one puzzle; a real one has kilobytes, or a megabyte of pictures
Json = Any  # what json.loads gives


def decoded(data: bytes) -> str:
    """Text in UTF-8, with or without a byte order mark; UTF-16 with one; else Latin-1."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def parse(data: bytes) -> Json:
    """A JSON value; the `ipuz(…)` wrapper of old ipuz files is taken off."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        pass  # the slow way below says what is wrong, or finds the wrapper
    text = decoded(data).strip().removeprefix("\ufeff").lstrip()
    if text.startswith("ipuz"):
        text = text[4:].strip().removeprefix("(").rstrip(";").rstrip().removesuffix(")")
    try:
        return json.loads(text)
    except RecursionError:
        raise CorruptFileError("JSON that is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise CorruptFileError(
            f"broken JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except ValueError as error:  # an integer of thousands of digits
        raise CorruptFileError(f"broken JSON: {str(error)[:80]}") from None


def mapping(value: Json, what: str) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise CorruptFileError(f"{what} is not an object")
    return value


def array(value: Json, what: str) -> Sequence[Json]:
    if not isinstance(value, list):
        raise CorruptFileError(f"{what} is not a list")
    return value


def string(value: Json) -> str:
    """Text from a string or a number; empty for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return str(value)


def whole(value: Json, what: str) -> int:
    """A whole number, written as one or as a string of digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) < 10 and value.strip().isdecimal():
        return int(value)
    raise CorruptFileError(f"{what} is not a whole number")
