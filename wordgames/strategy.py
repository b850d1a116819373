"""The shape of a strategy, and named registries of them.

In Wordle a strategy is a pure function of what is known: position in, next guess out. That lets it
walk a whole decision tree once instead of playing every answer. WORDPL's and Contexto's keep the
belief of one game between moves, the first as its contest asks, the second to save old work.
Registries of all three hold import paths, so nothing loads until it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from wordgames.errors import UnknownNameError

State = TypeVar("State", contravariant=True)
Question = TypeVar("Question", covariant=True)
Product = TypeVar("Product")


class Strategy(Protocol[State, Question]):
    """Chooses the next question from what is known; the same state gives the same question."""

    def choose(self, state: State, /) -> Question: ...


class Registry(Generic[Product]):
    """Names → factories, given as callables or as `"package.module:attribute"`."""

    def __init__(self, kind: str, entries: Mapping[str, str | Callable[..., Product]]) -> None:
        self.kind = kind
        self._entries = dict(entries)

    def names(self) -> list[str]:
        return list(self._entries)

    def register(self, name: str, factory: str | Callable[..., Product]) -> None:
        self._entries[name] = factory

    def factory(self, name: str) -> Callable[..., Product]:
        if name not in self._entries:
            raise unknown_name(self.kind, name, self._entries)
        entry = self._entries[name]
        if isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = getattr(import_module(module), attribute)
        factory: Callable[..., Product] = entry
        return factory

    def create(self, name: str, /, *args: Any, **options: Any) -> Product:
        return self.factory(name)(*args, **options)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """The one wording for a name that is not on a list."""
    return UnknownNameError(f"no {kind} called {name!r}; choose one of: {', '.join(known)}")
