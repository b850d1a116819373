"""Names → guessers and solvers, loaded only when asked for.

A built-in one is a line in a table here. From outside, a package offers an entry point in the
group `crossword.guessers` or `crossword.solvers`; in a notebook, a decorator does. A factory takes
keyword arguments only; guessers get `model=` (a `ModelFolder`) where they were trained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar, cast

from crossword.errors import UnknownNameError
from crossword.types import Guesser, Solver

DEFAULT_GUESSER = "hybrid"
DEFAULT_SOLVER = "search"

T = TypeVar("T")
Factory = Callable[..., T]


class Registry(Generic[T]):
    """A table of `name: "module:attribute"`, with entry points and decorated factories."""

    def __init__(self, kind: str, group: str, builtin: dict[str, str]) -> None:
        self.kind, self.group = kind, group
        self._builtin = builtin
        self._added: dict[str, Factory[T]] = {}

    def register(self, name: str) -> Callable[[Factory[T]], Factory[T]]:
        """A decorator: `@solvers.register("mine")` over a class or factory."""

        def add(factory: Factory[T]) -> Factory[T]:
            self._added[name] = factory
            return factory

        return add

    def unregister(self, name: str) -> None:
        self._added.pop(name, None)

    def names(self) -> list[str]:
        outside = [point.name for point in entry_points(group=self.group)]
        return sorted({*self._builtin, *self._added, *outside})

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def factory(self, name: str) -> Factory[T]:
        if name in self._added:
            return self._added[name]
        if name in self._builtin:
            module, _, attribute = self._builtin[name].partition(":")
            return cast("Factory[T]", getattr(import_module(module), attribute))
        for point in entry_points(group=self.group, name=name):
            return cast("Factory[T]", point.load())
        raise UnknownNameError(self.kind, name, self.names())

    def create(self, name: str, **options: Any) -> T:
        return self.factory(name)(**options)


guessers: Registry[Guesser] = Registry(
    "guesser",
    "crossword.guessers",
    {
        "tfidf": "crossword.guessers.tfidf:load",
        "word2vec": "crossword.guessers.word2vec:load",
        "sentence": "crossword.guessers.sentence:load",
        "ngram": "crossword.guessers.ngram:load",
        "encoder": "crossword.guessers.encoder:load",
        "transformer": "crossword.guessers.transformer:load",
        "language": "crossword.guessers.language:load",
        "hybrid": "crossword.guessers.hybrid:load",
    },
)

solvers: Registry[Solver] = Registry(
    "solver",
    "crossword.solvers",
    {
        "basic": "crossword.solvers.threshold:BasicSolver",
        "threshold": "crossword.solvers.threshold:ThresholdSolver",
        "confidence": "crossword.solvers.confidence:ConfidenceSolver",
        "belief": "crossword.solvers.belief:BeliefSolver",
        "search": "crossword.solvers.search:SearchSolver",
    },
)
