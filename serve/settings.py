"""Every knob of the service in one frozen place. `crossword serve` has a flag for the common ones.

Nothing is read from the environment: a copy behind a load balancer is told what it is by whoever
starts it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from crossword.errors import CrosswordError
from crossword.registry import DEFAULT_GUESSER, DEFAULT_SOLVER

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


def _solve_workers() -> int:
    """One a processor, as each solve keeps one busy; at most eight unless asked for."""
    return max(1, min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2))


@dataclass(frozen=True)
class Settings:
    """How to serve. Times are in seconds, sizes in bytes."""

    host: str = "127.0.0.1"
    port: int = 8000
    guesser: str = DEFAULT_GUESSER
    solver: str = DEFAULT_SOLVER
    model: Path | None = None
    plugins: tuple[str, ...] = ()  # modules that register guessers and solvers when imported
    word_games: bool = True  # their tables take some seconds to make, and 100 MB

    solve_workers: int = field(default_factory=_solve_workers)
    # For guesses, files and word games, so that no solve holds them up; two, so that a word game
    # of some seconds holds up no guess. A worker has little memory of its own.
    quick_workers: int = 2
    solve_queue: int = 16
    quick_queue: int = 256
    default_seconds: float = 20.0  # a solve's own limit where the request names none
    max_seconds: float = 60.0
    quick_seconds: float = 20.0  # the most that a guess or a conversion may take
    # After its limit a solve that doesn't stop loses its worker. One step between two looks at the
    # clock takes a second at most on an idle machine, and many times that on a crowded one.
    overrun_seconds: float = 15.0
    max_wait_seconds: float = 60.0  # in the queue
    max_body_bytes: int = 8 * 2**20  # of a puzzle file; the readers take no more either
    max_json_bytes: int = 2**18  # of the other bodies
    body_seconds: float = 30.0  # for a body to arrive in
    max_cells: int = 2_500  # of a grid to solve; the largest Sunday has 625

    token: str | None = None
    cors_origins: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] | None = None  # None: loopback's names, if that is all we serve
    log_level: str = "INFO"
    log_clues: bool = False
    shutdown_seconds: float = 10.0  # for what is under way to finish

    def __post_init__(self) -> None:
        for name in ("solve_workers", "quick_workers", "solve_queue", "quick_queue", "max_cells"):
            if getattr(self, name) < 1:
                raise CrosswordError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("default_seconds", "max_seconds", "quick_seconds", "body_seconds"):
            if not 0 < getattr(self, name) < 86_400:
                raise CrosswordError(f"{name} must be above 0 and under a day")
        if self.token is not None and not (self.token.isascii() and len(self.token) >= 8):
            raise CrosswordError("a token needs at least 8 ASCII characters")

    @property
    def is_loopback(self) -> bool:
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def hosts(self) -> tuple[str, ...] | None:
        """The names in `Host` that are answered; None for any.

        On loopback only its own names, or a web page could reach the service by a DNS name of its
        own that points to 127.0.0.1 (DNS rebinding).
        """
        if self.allowed_hosts is not None:
            return self.allowed_hosts
        return LOOPBACK_NAMES if self.is_loopback else None
