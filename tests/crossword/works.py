"""Work for engines in tests: small, and some of it deadly. Worker processes import it from here."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from crossword.errors import ModelError


@dataclass(frozen=True)
class Squaring:
    """Squares; the first worker that meets `deadly` is killed, or every one of them."""

    folder: Path
    deadly: int = -1
    always: bool = False

    def load(self) -> list[int]:
        (self.folder / f"loaded-{os.getpid()}").touch()
        return [2]

    def do(self, loaded: list[int], item: int) -> int:
        killed = self.folder / "killed"
        if item == self.deadly and (self.always or not killed.exists()):
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return int(item ** loaded[0])


@dataclass(frozen=True)
class Sleeping:
    """Tells its process, and then takes a minute."""

    folder: Path

    def load(self) -> None: ...

    def do(self, loaded: None, item: int) -> int:
        (self.folder / str(os.getpid())).touch()
        time.sleep(60)
        return item


@dataclass(frozen=True)
class Failing:
    """Breaks while loading, or on its first item."""

    loading: bool

    def load(self) -> None:
        if self.loading:
            raise ModelError("no such model")

    def do(self, loaded: None, item: int) -> int:
        raise ZeroDivisionError("by design")
