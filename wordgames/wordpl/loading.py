"""Strategies by name or from the player's own file: `name`, `name(args)`, `path.py:Class(args)`.

Arguments are Python literals and nothing else. Loading a file runs the code in it: it is the
player's own, asked for by path.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from wordgames.errors import DataError, InputError
from wordgames.wordpl.game import Player
from wordgames.wordpl.strategies import REGISTRY


def is_own_file(spec: str) -> bool:
    """Whether this is a strategy from the player's own file, and not a shipped one."""
    path, colon, _ = parsed(spec)[0].rpartition(":")
    return bool(colon) and path.endswith(".py")


def shown_name(player: Player, spec: str) -> str:
    """How a player calls itself, or what was typed for one that has no `__str__` of its own."""
    plain = type(player).__str__ is object.__str__ and type(player).__repr__ is object.__repr__
    return spec if plain else str(player)


def strategy(spec: str) -> Player:
    """The strategy that a player wrote on the command line."""
    called, arguments, options = parsed(spec)
    if is_own_file(spec):
        path, _, name = called.rpartition(":")
        factory = _class(Path(path), name)
    elif called.endswith(".py"):
        raise InputError(f"{called}: name the class in the file, as {called}:Class")
    else:
        factory = REGISTRY.factory(called)
    try:
        made = factory(*arguments, **options)
    except InputError:
        raise
    except Exception as error:  # the player's own constructor may raise anything
        raise InputError(f"cannot make {spec}: {type(error).__name__}: {error}") from None
    for method in ("first_move", "next_move"):
        if not callable(getattr(made, method, None)):
            raise InputError(f"{spec} has no method {method}; see docs/wordpl.md")
    player: Player = made
    return player


def parsed(spec: str) -> tuple[str, list[Any], dict[str, Any]]:
    """The name, arguments and options in `name(1, two=2)`; brackets may be missing."""
    text = spec.strip()
    if not text.endswith(")"):
        return text, [], {}
    name, bracket, rest = text.partition("(")
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
        if not bracket or not isinstance(call, ast.Call):
            raise ValueError("not a call")
        arguments = [ast.literal_eval(argument) for argument in call.args]
        options = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords if k.arg}
        if len(options) != len(call.keywords):
            raise ValueError("** is not a literal")
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise InputError(
            f"cannot read {spec!r}: arguments are numbers, strings and tuples, "
            "as in name(12.5, first='salet')"
        ) from None
    return name.strip(), arguments, options


def _class(path: Path, name: str) -> Any:
    module = _module(path.resolve())
    found = getattr(module, name, None)
    if found is None:
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise InputError(f"{path} has no class {name!r}; it has: {', '.join(classes) or 'none'}")
    return found


@cache
def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise DataError(f"no file {path}")
    name = f"wordpl_strategy_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DataError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles of the file look themselves up here
    # Its neighbours can be imported, as when the file is run as a script.
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    finally:
        sys.path.remove(str(path.parent))
    return module
