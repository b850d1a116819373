"""A strategy against every answer, by walking its decision tree once.

Strategies are pure, so answers that give the same replies share their positions: the whole tree
has a few thousand nodes where playing 2,315 games would choose 8,000 times. The branches after
the first guess are the work that `--jobs` shares out and that Ctrl-C keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from wordgames.simulation import Run, Summary, checked_jobs, run
from wordgames.wordle.game import Position
from wordgames.wordle.strategies import WordleStrategy


@dataclass(frozen=True)
class Evaluation:
    """Guesses for every answer that was played; fewer answers than planned if interrupted."""

    name: str
    turns: dict[str, int]
    planned: int
    limit: int

    @property
    def summary(self) -> Summary:
        return Summary.of(self.turns.values())

    @property
    def complete(self) -> bool:
        return len(self.turns) == self.planned

    @property
    def over_limit(self) -> list[str]:
        """The answers that took more guesses than the game allows."""
        return [answer for answer, turns in self.turns.items() if turns > self.limit]

    def as_json(self) -> dict[str, Any]:
        summary = self.summary
        return {
            "strategy": self.name,
            "games": len(self.turns),
            "complete": self.complete,
            "total": summary.total,
            "average": summary.average if self.turns else None,
            "worst": summary.worst,
            "distribution": {str(turns): games for turns, games in summary.distribution.items()},
            "over_limit": self.over_limit,
        }


def evaluate(
    strategy: WordleStrategy,
    *,
    start: str | None = None,
    name: str | None = None,
    jobs: int = 1,
    show_progress: bool | None = None,
) -> Evaluation:
    """Plays every answer; `start` fixes the first guess."""
    game = strategy.game
    root = game.start()
    first = strategy.choose(root) if start is None else game.vocabulary.index(start)
    answers = game.vocabulary.answer_words
    turns: dict[int, int] = {}
    branches: list[Position] = []
    for pattern, bucket in game.split(root.remaining, first):
        if pattern == game.all_green:
            turns[int(bucket[0])] = 1
        else:
            allowed = game.allowed_after(root.allowed, first, pattern)
            branches.append(Position(bucket, allowed, ((first, pattern),)))
    # Large branches first, so that processes finish together; alone, small ones first, so that
    # an interruption soon has something to keep.
    branches.sort(key=lambda branch: len(branch.remaining), reverse=checked_jobs(jobs) > 1)
    played: Run[dict[int, int]] = run(
        partial(_finish, strategy),
        branches,
        jobs=jobs,
        label="answers",
        show_progress=show_progress,
    )
    for finished in played.results:
        turns.update(finished)
    by_word = {answers[answer]: turns[answer] for answer in sorted(turns)}
    return Evaluation(name or strategy.name, by_word, len(answers), game.turns)


def _finish(strategy: WordleStrategy, branch: Position) -> dict[int, int]:
    """Guesses for every answer of a branch."""
    game = strategy.game
    turns: dict[int, int] = {}
    stack = [branch]
    while stack:
        position = stack.pop()
        for guess in _guesses(strategy, position):
            buckets = game.split(position.remaining, guess)
            if len(buckets) > 1 or buckets[0][0] == game.all_green:
                break
        for pattern, bucket in buckets:
            if pattern == game.all_green:
                turns[int(bucket[0])] = position.turn + 1
            else:
                allowed = game.allowed_after(position.allowed, guess, pattern)
                history = (*position.history, (guess, pattern))
                stack.append(Position(bucket, allowed, history))
    return turns


def _guesses(strategy: WordleStrategy, position: Position) -> Sequence[int]:
    """The strategy's guess; should it tell nothing at all, a possible answer, so games end."""
    return strategy.choose(position), int(strategy.game.vocabulary.answers[position.remaining[0]])
