"""The last state of a long training run on disk, so that a killed one goes on where it was.

A state is a table of arrays, kept as safetensors under a name made of the run's settings and data:
another run never takes it for its own. Written to a temporary name, then renamed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from crossword.errors import DataError

State = dict[str, NDArray[np.generic]]
STATE = "state.safetensors"


class Checkpoints:
    """The checkpoint of one run, in a folder of its own below `folder`; none if that is empty."""

    def __init__(
        self, folder: str, settings: Mapping[str, Any], data: Iterable[NDArray[np.generic]]
    ) -> None:
        self.folder: Path | None = None
        if folder:
            told = {k: v for k, v in settings.items() if k not in ("checkpoints", "every")}
            key = blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=8)
            for array in data:
                key.update(np.ascontiguousarray(array).tobytes())
            self.folder = Path(folder) / key.hexdigest()

    def save(self, state: State) -> None:
        if self.folder is None:
            return
        temporary = self.folder / "state.part"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            save_file(state, str(temporary))
            temporary.replace(self.folder / STATE)
        except (OSError, SafetensorError) as error:  # it words a full disk in its own way
            temporary.unlink(missing_ok=True)
            raise DataError(f"no checkpoint could be written to {self.folder}: {error}") from None

    def load(self) -> State | None:
        """The state that an earlier run left, if there is one."""
        if self.folder is None or not (self.folder / STATE).is_file():
            return None
        try:
            return load_file(str(self.folder / STATE))
        except (OSError, SafetensorError) as error:
            raise DataError(
                f"the checkpoint {self.folder} is damaged; remove it ({error})"
            ) from None

    def remove(self) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
