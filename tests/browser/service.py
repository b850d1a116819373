"""Runs the service for the browser tests: `python -m tests.browser.service PORT`.

In a process of its own, as a user's would be, and so that the tests don't share its interpreter.
"""

from __future__ import annotations

import sys

from serve.server import run
from serve.settings import Settings


def settings(port: int) -> Settings:
    """Small and quick to start; the guesser knows the shipped puzzles."""
    return Settings(
        port=port,
        guesser="well-read",
        solver="unhurried",
        plugins=("tests.browser.plugin",),
        solve_workers=1,
        shutdown_seconds=2.0,
        log_level="WARNING",
    )


if __name__ == "__main__":
    run(settings(int(sys.argv[1])))
