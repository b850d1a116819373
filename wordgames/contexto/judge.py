"""The game's part, played honestly: real ranks as far as they are known, other vectors beyond.

A file of games has one a line: {"game": n, "ranked": {"words": [target, nearest, …]}}. Words on
the list have their real rank. Any other word is ranked behind them by vectors that the solver
does not use. A word that neither knows is refused, as the game does.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordgames.contexto import vocabulary
from wordgames.contexto.vectors import Vectors
from wordgames.errors import DataError

MAX_LINE = 2**20
MAX_GAMES = 100_000


@dataclass(frozen=True)
class Game:
    """A game: the hidden word, then the nearest words in the game's own order."""

    number: int
    words: tuple[str, ...]

    @property
    def target(self) -> str:
        return self.words[0]


def read_games(path: Path) -> list[Game]:
    """The games of a JSON-lines file, plain or gzipped."""
    games = []
    try:
        opening = gzip.open if _gzipped(path) else open
        with opening(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if len(line) > MAX_LINE or number > MAX_GAMES:
                    raise DataError(f"{path} line {number} is too long, or the file is")
                if line.strip():
                    games.append(_game(line, path, number))
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read games {path}: {error}") from None
    if not games:
        raise DataError(f"{path} has no games")
    return games


def _gzipped(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _game(line: str, path: Path, number: int) -> Game:
    shape = '{"game": 1, "ranked": {"words": ["target", "nearest", …]}}'
    try:
        record = json.loads(line)
        words = tuple(
            dict.fromkeys(str(word).strip().lower() for word in record["ranked"]["words"])
        )
        game = Game(int(record.get("game", number)), words)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(f"{path} line {number} is not a game of the shape {shape}") from None
    if not words or not words[0]:
        raise DataError(f"{path} line {number} has no words")
    return game


def made_up_games(vectors: Vectors, count: int, seed: int) -> list[Game]:
    """Games without a file: everyday nouns as targets, ranked by the judge's vectors alone."""
    words = [w for w in vocabulary.noun_lemmas(3.2) if w in vectors.index]
    rng = np.random.default_rng(seed)
    drawn = rng.choice(len(words), min(count, len(words)), replace=False)
    return [Game(number, (words[i],)) for number, i in enumerate(drawn, 1)]


class Judge:
    """Answers guesses of many games; `vectors` rank what a game's list does not hold."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def ranks(self, game: Game) -> Ranks:
        """The ranks of one game."""
        return Ranks(game, self.vectors)


class Ranks:
    """The ranks of one game, by word."""

    def __init__(self, game: Game, vectors: Vectors) -> None:
        self.game = game
        self._listed = {word: rank for rank, word in enumerate(game.words, 1)}
        self._index = vectors.index
        self._scores = None
        if game.target in vectors.index:
            scores = vectors.matrix @ vectors.matrix[vectors.index[game.target]]
            self._scores = scores
            listed = [vectors.index[word] for word in game.words if word in vectors.index]
            # Falling scores of the words behind the list, to be searched.
            self._behind = np.sort(-np.delete(scores, listed))

    def rank(self, word: str) -> int | None:
        """The rank of a word, 1 for the hidden one; None if the game does not know the word."""
        if word in self._listed:
            return self._listed[word]
        if self._scores is None or word not in self._index:
            return None
        before = np.searchsorted(self._behind, -self._scores[self._index[word]], side="left")
        return len(self._listed) + 1 + int(before)


def judge_words(games: Iterable[Game], also: Sequence[str]) -> set[str]:
    """The words a judge should know: common English, the solver's words, those of the games."""
    words = {*vocabulary.common_words(), *also}
    for game in games:
        words.update(game.words)
    return words
