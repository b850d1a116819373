"""The rules of WORDPL, and one refereed game.

Each of the five clues of a reply (naive rule) is kept with probability e^(ε/5)/(2+e^(ε/5)), else
it becomes one of the other two evenly. ε = 0 proposes the answer; the score is the sum of ε,
infinite if the proposal is wrong. Whatever a strategy does wrong loses the game, with a reason.
"""

from __future__ import annotations

import math
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, Protocol

import numpy as np

from wordgames.errors import ReplyError
from wordgames.replies import digits, pattern_code
from wordgames.wordpl.belief import board
from wordgames.wordpl.kernels import CLUES, keep_and_flip

SIGNS = ".ic"  # absent, in the word elsewhere, at this place: by the digit of the reply rule
GAME_SECONDS = 5.0
WRONG = "wrong answer"


class Player(Protocol):
    """A strategy: a word and its ε; ε = 0 proposes the word. One object plays many games."""

    def first_move(self) -> tuple[str, float]: ...

    def next_move(self, guess: str, epsilon: float, result: str) -> tuple[str, float]: ...


@dataclass(frozen=True)
class Move:
    """A question and its noisy reply, or with ε = 0 the proposal (and no reply)."""

    guess: str
    epsilon: float
    result: str


@dataclass(frozen=True)
class Game:
    """A game played to its end. `reason` says why it was lost, and is empty if it was won."""

    answer: str
    total: float
    reason: str
    moves: tuple[Move, ...]
    seconds: float  # on the clock, as the limit counts them
    cpu_seconds: float  # on the processor: the same however busy the machine is

    @property
    def won(self) -> bool:
        return not self.reason

    @property
    def score(self) -> float:
        return self.total if self.won else math.inf


class _TimeUp(BaseException):
    """Not an Exception, so that a strategy's own `except Exception` cannot swallow it."""


class _Lost(Exception):
    """A move that loses the game; the message is the reason."""


def keep_probability(epsilon: float) -> float:
    """The chance that a clue stays as it is."""
    return float(keep_and_flip(float(epsilon))[0])


def true_clues(guess: str, answer: str) -> str:
    """The clues before the noise: `c` right place, `i` elsewhere in the word, `.` absent."""
    words = board().words
    pattern = int(board().patterns[words.index(guess), words.answer_index(answer)])
    return clue_text(pattern)


def clue_text(pattern: int) -> str:
    """A pattern code as five clue signs."""
    return "".join(SIGNS[digit] for digit in digits(pattern, CLUES))


def parse_clues(text: str) -> int:
    """The pattern code of five clue signs."""
    if len(text) != CLUES or any(sign not in SIGNS for sign in text):
        raise ReplyError(
            f"clues {text!r}: write five of c (right place), i (elsewhere), . (absent)"
        )
    return pattern_code(tuple(SIGNS.index(sign) for sign in text))


def randomised(clues: str, epsilon: float, rng: np.random.Generator) -> str:
    """The clues as the player sees them."""
    keep = keep_probability(epsilon)
    noisy = ""
    for sign in clues:
        if rng.random() >= keep:
            sign = SIGNS[(SIGNS.index(sign) + int(rng.integers(1, 3))) % 3]
        noisy += sign
    return noisy


def play(player: Player, seed: int, *, seconds: float = GAME_SECONDS) -> Game:
    """One game: answer and noise come from `seed` alone, and so does Python's own chance.

    A strategy that draws from `random` or `numpy.random` repeats itself with the same seed.
    """
    rng = np.random.default_rng(seed)
    words = board().words
    answer = words.answer_words[int(rng.integers(len(words.answers)))]
    random.seed(seed)
    np.random.seed(seed % 2**32)
    moves: list[Move] = []
    total, reason = 0.0, ""
    start, cpu_start = time.perf_counter(), time.process_time()
    try:
        with _time_limit(seconds):
            guess, epsilon = _checked(player.first_move())
            while epsilon > 0.0:
                total += epsilon
                if math.isinf(total):
                    raise _Lost("ε adds up to infinity")
                result = randomised(true_clues(guess, answer), epsilon, rng)
                moves.append(Move(guess, epsilon, result))
                if time.perf_counter() - start > seconds:
                    raise _TimeUp  # where there is no alarm signal, or it was switched off
                guess, epsilon = _checked(player.next_move(guess, epsilon, result))
            moves.append(Move(guess, 0.0, ""))
            reason = "" if guess == answer else WRONG
    except _TimeUp:
        reason = f"more than {seconds:g} seconds"
    except _Lost as lost:
        reason = str(lost)
    except (Exception, SystemExit) as error:
        reason = f"the strategy raised {type(error).__name__}: {error}".rstrip(": ")
    elapsed = time.perf_counter() - start
    if elapsed > seconds:
        reason = f"more than {seconds:g} seconds"
    return Game(answer, total, reason, tuple(moves), elapsed, time.process_time() - cpu_start)


def _checked(move: Any) -> tuple[str, float]:
    """A strategy's move, if it is one."""
    try:
        guess, epsilon = move
        epsilon = float(epsilon)
    except (TypeError, ValueError):
        raise _Lost(f"a move must be (word, ε), not {str(move)[:60]!r}") from None
    if not isinstance(guess, str):
        raise _Lost(f"a move must begin with a word, not {str(guess)[:60]!r}")
    if math.isnan(epsilon):
        raise _Lost("ε is NaN")
    if math.isinf(epsilon):
        raise _Lost("ε is infinite")
    if epsilon < 0.0:
        raise _Lost("ε is negative")
    if guess not in _known_words():
        raise _Lost(f"{guess[:20]!r} is not in the word list")
    return guess, epsilon


def _known_words() -> frozenset[str]:
    global _known
    if _known is None:
        _known = frozenset(board().words.words)
    return _known


_known: frozenset[str] | None = None


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Breaks into a strategy that does not return, by the alarm signal where there is one."""
    if not hasattr(signal, "setitimer") or (
        threading.current_thread() is not threading.main_thread()
    ):
        yield  # the referee still looks at the clock after every move
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
