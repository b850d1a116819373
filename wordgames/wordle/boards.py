"""Several boards at once, as in Dordle or Quordle: one guess, a reply on every board.

A guess is worth the bits of its replies over all boards still open, and a bit more for each board
it may solve; a board that is down to one word is solved first, since that guess must be made and
tells about the others too. Greedy, one step deep.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordgames.errors import InputError, ReplyError
from wordgames.simulation import Run, run, seeds
from wordgames.wordle.bruteforce import figures
from wordgames.wordle.game import Position, Wordle
from wordgames.wordle.strategies import RankedGuess

EXTRA_TURNS = 5  # Dordle gives 7 guesses for 2 boards, Quordle 9 for 4: boards + 5
MAX_BOARDS = 64
# What solving a board is worth, in bits: one guess saved is about what one guess tells near the
# end of a game. Arbitrary beyond that.
_SOLVED_BITS = 1.0


def checked_boards(game: Wordle, boards: int) -> int:
    if not 1 <= boards <= MAX_BOARDS:
        raise InputError(f"--boards must be 1 to {MAX_BOARDS}, not {boards}")
    if boards > 1 and game.hard:
        raise InputError("hard mode is not defined for several boards; leave out --hard")
    return boards


def replay_boards(
    game: Wordle, history: Sequence[tuple[str, Sequence[str]]], boards: int
) -> list[Position]:
    """A position for every board; a board's replies end with its all-green one."""
    histories: list[list[tuple[str, str]]] = [[] for _ in range(checked_boards(game, boards))]
    solved = [False] * boards
    for word, replies in history:
        if len(replies) != boards:
            raise ReplyError(
                f"{word!r} needs {boards} replies, one a board, not {len(replies)}; "
                "write them in order with commas, - for a board that is solved"
            )
        for board, reply in enumerate(replies):
            if not solved[board]:
                histories[board].append((word, reply))
                position = game.replay(histories[board])
                solved[board] = position.history[-1][1] == game.all_green
    return [game.replay(board) for board in histories]


def ranked_on_boards(game: Wordle, positions: Sequence[Position], count: int) -> list[RankedGuess]:
    """The best guesses for all open boards together; the cost is minus the bits they are worth."""
    open_boards = [p for p in positions if not p.history or p.history[-1][1] != game.all_green]
    vocabulary = game.vocabulary
    certain = [p for p in open_boards if len(p.remaining) == 1]
    if certain:
        answers = dict.fromkeys(int(vocabulary.answers[p.remaining[0]]) for p in certain)
        return [RankedGuess(answer, 0.0) for answer in answers][:count]
    if not open_boards:
        return []
    guesses = open_boards[0].allowed
    worth = np.zeros(len(guesses))
    for position in open_boards:
        worth += figures(game, guesses, position.remaining)[:, 3]
        worth[vocabulary.answers[position.remaining]] += _SOLVED_BITS / len(position.remaining)
    order = np.lexsort((guesses, -np.round(worth, 9)))[:count]
    return [RankedGuess(int(guesses[k]), float(-worth[k])) for k in order]


class BoardsGame:
    """A task for the simulator: the guesses for random answers, one seed a game."""

    def __init__(self, game: Wordle, boards: int, start: str | None = None) -> None:
        self.game = game
        self.boards = checked_boards(game, boards)
        root = [game.start()]
        first = ranked_on_boards(game, root, 1)[0].guess
        self.first = first if start is None else game.vocabulary.index(start)

    def __call__(self, seed: int) -> int:
        """Guesses until every board is solved."""
        game = self.game
        rng = np.random.default_rng(seed)
        few = min(self.boards, len(game.vocabulary.answers))
        answers = rng.choice(len(game.vocabulary.answers), few, replace=False)
        positions = [game.start() for _ in answers]
        is_open = [True] * len(answers)
        turn = 0
        while any(is_open):
            guess = self.first if turn == 0 else ranked_on_boards(game, positions, 1)[0].guess
            turn += 1
            for board, answer in enumerate(answers):
                if is_open[board]:
                    pattern = game.reply(guess, int(answer))
                    positions[board] = game.after(positions[board], guess, pattern)
                    is_open[board] = pattern != game.all_green
        return turn


def simulate_boards(
    game: Wordle,
    boards: int,
    *,
    games: int,
    seed: int = 0,
    start: str | None = None,
    jobs: int = 1,
    show_progress: bool | None = None,
) -> Run[int]:
    """Guesses for each of `games` random games on `boards` boards."""
    game.matrix  # noqa: B018  built before the workers fork, so that they share it
    task = BoardsGame(game, boards, start)
    return run(task, seeds(seed, games), jobs=jobs, show_progress=show_progress)
