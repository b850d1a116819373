"""A trainer of the encoder on the tiny clues, for tests that need its state and not its wits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.console import Console

from train.encoder import Settings, Trainer
from train.material import gather, lexicon_for
from train.ranks import joined


@pytest.fixture
def make_trainer() -> Callable[[Settings], Trainer]:
    from tests.train.killed_runs import pairs

    def make(settings: Settings) -> Trainer:
        material = gather(pairs(), lexicon_for(pairs(), settings), settings, Console(quiet=True))
        return Trainer(material, settings, joined())

    return make
