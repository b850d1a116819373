"""Settings of a training script: a frozen dataclass, its flags, and a resolved copy to keep.

A field becomes a flag (`min_df` → `--min-df`) of its type; an unknown key is an error that lists
the known ones. Only numbers, strings and yes/no are settings.
"""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

from crossword.errors import DataError

S = TypeVar("S")


def resolve(kind: type[S], given: Mapping[str, Any], name: str = "") -> S:
    """Settings from keys and values (text or typed); what isn't given has its default."""
    hints = get_type_hints(kind)
    known = [one.name for one in fields(kind)]  # type: ignore[arg-type]
    for key in given:
        if key not in known:
            listed = ", ".join(known) or "none"
            raise DataError(f"no setting {name}{'.' if name else ''}{key}; there are: {listed}")
    return kind(**{key: _typed(hints[key], key, value) for key, value in given.items()})


def _typed(kind: Any, key: str, value: Any) -> Any:
    if kind is bool:
        if str(value).lower() in ("true", "yes", "1"):
            return True
        if str(value).lower() in ("false", "no", "0"):
            return False
        raise DataError(f"{key} is yes or no, not {value!r}")
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise DataError(f"{key} should be of type {kind.__name__}, not {value!r}") from None


def add_flags(parser: ArgumentParser, kind: type[Any]) -> None:
    """A flag for each setting, with its default in the help."""
    hints = get_type_hints(kind)
    for one in fields(kind):
        flag = f"--{one.name.replace('_', '-')}"
        text = f"{one.metadata.get('help', '')} (default: {one.default})".strip()
        if hints[one.name] is bool:
            parser.add_argument(
                flag, dest=one.name, default=one.default, action=BooleanOptionalAction, help=text
            )
        else:
            parser.add_argument(
                flag, dest=one.name, default=one.default, type=hints[one.name], help=text
            )


def assignments(given: Iterable[str]) -> dict[str, dict[str, str]]:
    """`part.key=value` texts as a table by part."""
    found: dict[str, dict[str, str]] = {}
    for text in given:
        place, sign, value = text.partition("=")
        part, dot, key = place.partition(".")
        if not (sign and dot and part and key):
            raise DataError(f"write a setting as part.key=value, not {text!r}")
        found.setdefault(part, {})[key] = value
    return found
