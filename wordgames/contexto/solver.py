"""The two strategies behind one call: a history of (word, rank) in, the next proposals out.

A solver is stateless: `proposals` works from the history alone, so a web service can keep nothing
between requests. `Session` is the same for a loop, without doing the old work again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from wordgames.contexto.knowledge import Model, shipped
from wordgames.errors import ImpossibleHistoryError, InputError
from wordgames.strategy import Registry

MAX_RANK = 10_000_000
# Of `halving`. Without it one wrong rule hides the word for good: on games 401 to 425 the median
# was 154 at 0, 25 at 0.05 and at 0.1, 41 at 0.2.
DISTANCE_OFFSET = 0.05


@dataclass(frozen=True)
class Proposal:
    """A word to try, and the probability that it is the hidden one (None: not known)."""

    word: str
    probability: float | None


class Solver(Protocol):
    """One game: told ranks and refused words, it proposes what to try next, best first."""

    def tell(self, word: str, rank: int) -> None: ...

    def refuse(self, word: str) -> None: ...

    def propose(self, count: int = 1) -> list[Proposal]: ...


STRATEGIES: Registry[Solver] = Registry(
    "Contexto strategy",
    {
        "bayes": "wordgames.contexto.bayes:BayesSolver",
        "halving": "wordgames.contexto.halving:HalvingSolver",
    },
)


def proposals(
    history: Iterable[tuple[str, int]],
    *,
    count: int = 5,
    refused: Iterable[str] = (),
    strategy: str = "bayes",
    model: Model | None = None,
    distance_offset: float = DISTANCE_OFFSET,
) -> list[Proposal]:
    """The next words to try, best first, given the (word, rank) pairs so far.

    Words outside the vocabulary are allowed in the history and tell nothing; contradictory
    ranks raise ImpossibleHistoryError.
    """
    solver = new_solver(strategy, model=model, distance_offset=distance_offset)
    for word, rank in checked_history(history):
        solver.tell(word, rank)
    for word in refused:
        solver.refuse(word)
    return solver.propose(count)


def new_solver(
    strategy: str = "bayes", *, model: Model | None = None, distance_offset: float = DISTANCE_OFFSET
) -> Solver:
    """A solver for one game."""
    factory = STRATEGIES.factory(strategy)
    if not 0.0 <= distance_offset <= 2.0:
        raise InputError(f"the distance offset must be 0 to 2, not {distance_offset}")
    options = {"distance_offset": distance_offset} if strategy == "halving" else {}
    return factory(model or shipped(), **options)


def checked_history(history: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """The pairs in lower case, if they can all be true; the error names those that cannot."""
    seen: dict[str, int] = {}
    by_rank: dict[int, str] = {}
    checked: list[tuple[str, int]] = []
    for word, rank in history:
        word = word.strip().lower()
        check_rank(rank)
        if word in seen and seen[word] != rank:
            raise ImpossibleHistoryError(f"{word!r} had rank {seen[word]} before, now {rank}")
        if by_rank.get(rank, word) != word:
            raise ImpossibleHistoryError(
                f"{by_rank[rank]!r} and {word!r} cannot both have rank {rank}"
            )
        if word not in seen:
            checked.append((word, rank))
        seen[word], by_rank[rank] = rank, word
    return checked


def check_rank(rank: int) -> None:
    """Raises unless the number can be a rank."""
    if not 1 <= rank <= MAX_RANK:
        raise InputError(f"a rank is a whole number from 1, not {rank}")


def best_first(history: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The history sorted by rank."""
    return sorted(history, key=lambda pair: pair[1])
