"""`language`: the encoder with a second reading of the clue, by the first layers of SmolLM2.

As `transformer`, with a tower that has read far more: a language model of 135 million weights,
taught to put a clue where the encoder has put its answer (`train/language.py`). It knows who played
whom and what rhymes with what, where MiniLM knows what words mean. It needs torch, and so is no
part of what ships: it joins in where a user trains it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import encoder
from crossword.guessers.encoder import EncoderGuesser, read_phrases
from crossword.guessers.merger import Merger
from crossword.guessers.tables import Encoder
from crossword.guessers.tower import REMEMBERED
from crossword.guessers.transformer import TwiceReadEncoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from crossword.guessers.llama import Network

NAME = "language"
WEIGHTS, PIECES = "language.safetensors", "pieces.json"
BEGIN, END = "<|endoftext|>", ":"  # what stands before a clue, and behind it
MOST = 40  # pieces of a clue that are read; one clue in ten thousand has more
BATCH = 256  # clues read at a time


def cut(tokenizer: Tokenizer, clues: Sequence[str]) -> list[list[int]]:
    """The ids of each clue's pieces, between those of its begin and end."""
    begin, end = _id(tokenizer, BEGIN), _id(tokenizer, END)
    found = tokenizer.encode_batch(list(clues), add_special_tokens=False)
    return [[begin, *one.ids[:MOST], end] for one in found]


def _id(tokenizer: Tokenizer, piece: str) -> int:
    found: int | None = tokenizer.token_to_id(piece)
    if found is None:
        raise ModelError(f"{PIECES} has no piece {piece!r}")
    return found


def padded(tokens: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ids as one array, and the place of each row's last one."""
    last = np.array([len(one) - 1 for one in tokens])
    ids = np.zeros((len(tokens), int(last.max()) + 1), dtype=np.int64)
    for row, one in enumerate(tokens):
        ids[row, : len(one)] = one
    return ids, last


class LanguageTower:
    """Clues to vectors. Those read last are kept: a search asks for the same clue again."""

    def __init__(self, tokenizer: Tokenizer, network: Network) -> None:
        self.tokenizer, self.network = tokenizer, network
        self._kept: OrderedDict[tuple[str, int], NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def vectors(self, clues: Sequence[str], lengths: Sequence[int]) -> NDArray[np.float32]:
        asked = list(zip(clues, lengths, strict=True))
        with self._lock:
            known = {one: self._kept[one] for one in set(asked) if one in self._kept}
        missing = [one for one in dict.fromkeys(asked) if one not in known]
        if missing:
            read = self._read(missing)
            known.update(zip(missing, read, strict=True))
            with self._lock:
                self._kept.update(zip(missing, read, strict=True))
                while len(self._kept) > REMEMBERED:
                    self._kept.popitem(last=False)
        listed = [known[one] for one in asked]
        return np.array(listed, dtype=np.float32).reshape(-1, self.network.shape.out)

    def _read(self, asked: Sequence[tuple[str, int]]) -> NDArray[np.float32]:
        import torch

        tokens = cut(self.tokenizer, [clue for clue, _ in asked])
        lengths = np.array([length for _, length in asked])
        found = np.empty((len(asked), self.network.shape.out), dtype=np.float32)
        # Those of like length together, for what is padded is read too.
        order = np.argsort([len(one) for one in tokens], kind="stable")
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            ids, last = padded([tokens[i] for i in rows])
            with torch.inference_mode():
                found[rows] = self.network(
                    *(torch.from_numpy(one) for one in (ids, last, lengths[rows]))
                ).numpy()
        return found

    def save(self, part: Path) -> None:
        from safetensors.torch import save_file

        numbers = {key: str(value) for key, value in asdict(self.network.shape).items()}
        save_file(self.network.state_dict(), str(part / WEIGHTS), numbers)
        self.tokenizer.save(str(part / PIECES))

    @classmethod
    def read(cls, part: Path) -> LanguageTower:
        try:
            import torch
            from safetensors import SafetensorError, safe_open
            from tokenizers import Tokenizer

            from crossword.guessers.llama import Network, Shape
        except ImportError:
            raise ModelError(
                "the guesser language needs torch and tokenizers; "
                "install them with: pip install 'crossword-solver[train]'"
            ) from None
        try:
            with safe_open(str(part / WEIGHTS), framework="pt") as file:
                told = file.metadata() or {}
                weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            kinds = {key: type(value) for key, value in asdict(Shape()).items()}
            shape = Shape(**{key: kind(told[key]) for key, kind in kinds.items()})
            with torch.device("meta"):
                network = Network(shape)
            network.load_state_dict(weights, assign=True)
            return cls(Tokenizer.from_file(str(part / PIECES)), network.eval())
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise ModelError(f"{part / WEIGHTS} can't be read: {error}") from None
        except Exception as error:  # what tokenizers raises has no type of its own
            raise ModelError(f"{part / PIECES} can't be read: {error}") from None


class LanguageEncoder(TwiceReadEncoder):
    """An encoder that reads a clue twice: by its features and by a language model."""

    def __init__(self, base: Encoder, tower: LanguageTower) -> None:
        super().__init__(base)
        self.tower = tower

    def second(self, clues: Sequence[str], lengths: Sequence[int]) -> NDArray[np.float32]:
        return self.tower.vectors(clues, lengths)


class LanguageGuesser(EncoderGuesser):
    """Both readings, with a merger fitted for them."""

    @property
    def name(self) -> str:
        return NAME


def open_part(part: Path) -> LanguageGuesser:
    """The guesser of a part's folder, with the encoder that lies beside it."""
    beside = part.parent / encoder.NAME
    both = LanguageEncoder(Encoder.read(beside), LanguageTower.read(part))
    return LanguageGuesser(both, Merger.load(part), read_phrases(beside))


def load(model: ModelFolder | None = None) -> LanguageGuesser:
    if model is None:
        raise ModelError("the guesser language needs a model; train one with: crossword train")
    part = model.part(NAME)
    model.part(encoder.NAME)  # says so if it is missing
    return open_part(part)
