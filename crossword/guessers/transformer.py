"""`transformer`: reads the clue with the first layers of MiniLM, and scores the encoder's answers.

The tower (Wang et al. 2020's MiniLM, cut to some layers, mean-pooled and projected) is trained to
put a clue where the encoder has put its answer, so that nothing of the answers is stored twice: the
part lies beside an `encoder` part and takes its vocabulary, vectors, priors and clue history from
there. What word order and pretraining know, it adds; the merger's weights are its own. Needs torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import encoder
from crossword.guessers.encoder import Encoder, EncoderGuesser, Merger
from crossword.text import normalise_clue

if TYPE_CHECKING:
    import torch

NAME = "transformer"
WEIGHTS, TOKENIZER, CONFIG = "tower.safetensors", "tokenizer.json", "config.json"
PROJECTION = "projection.weight"
MAX_TOKENS = 40  # of a clue; one in a thousand has more
BATCH = 64  # clues at a time, alike in length
MISSING = "the guesser transformer needs torch and transformers: pip install '.[train]'"


class Tower:
    """Tokens in, unit vectors out."""

    def __init__(self, tokenizer: Any, network: Any, projection: torch.Tensor) -> None:
        self._tokenizer, self._network, self._projection = tokenizer, network, projection

    def token_ids(self, clues: Sequence[str]) -> list[list[int]]:
        texts = [normalise_clue(clue) or "?" for clue in clues]
        return [one.ids[:MAX_TOKENS] for one in self._tokenizer.encode_batch(texts)]

    def vectors(self, clues: Sequence[str]) -> NDArray[np.float32]:
        import torch

        ids = self.token_ids(clues)
        found = np.zeros((len(clues), self._projection.shape[0]), dtype=np.float32)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        with torch.inference_mode(), _one_thread():
            for start in range(0, len(order), BATCH):
                rows = order[start : start + BATCH]
                batch, mask = padded([ids[i] for i in rows])
                found[rows] = embed(self._network, self._projection, batch, mask).numpy()
        return found

    @classmethod
    def read(cls, part: Path) -> Tower:
        try:
            from safetensors.torch import load_file
            from tokenizers import Tokenizer
            from transformers import BertConfig, BertModel
        except ImportError:
            raise ModelError(MISSING) from None
        try:
            config = BertConfig.from_json_file(str(part / CONFIG))
            network = BertModel(config, add_pooling_layer=False)
            weights = {name: one.float() for name, one in load_file(str(part / WEIGHTS)).items()}
            projection = weights.pop(PROJECTION)
            network.load_state_dict(weights)
            network.train(False)
            tokenizer = Tokenizer.from_file(str(part / TOKENIZER))
        except Exception as error:  # tokenizers raises bare Exceptions, torch RuntimeErrors
            raise ModelError(f"{part} can't be read: {error}") from None
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return cls(tokenizer, network, projection)


@contextmanager
def _one_thread() -> Iterator[None]:
    """With more, torch adds up in another order, and last digits would depend on the machine."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def padded(ids: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids as one array, and where they are tokens."""
    import torch

    widest = max(map(len, ids))
    batch = torch.zeros((len(ids), widest), dtype=torch.long)
    for row, one in enumerate(ids):
        batch[row, : len(one)] = torch.tensor(one)
    lengths = torch.tensor([len(one) for one in ids])
    return batch, (torch.arange(widest)[None] < lengths[:, None]).long()


def embed(
    network: Any, projection: torch.Tensor, batch: torch.Tensor, mask: torch.Tensor
) -> torch.Tensor:
    """Mean-pooled, projected, of unit length; the layers' products in bfloat16."""
    import torch

    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = network(input_ids=batch, attention_mask=mask).last_hidden_state
    weights = mask[:, :, None].float()
    pooled = (states.float() * weights).sum(1) / weights.sum(1)
    return torch.nn.functional.normalize(pooled @ projection.T, dim=-1)


class TowerEncoder(Encoder):
    """An encoder's answers and history with clue vectors from a tower."""

    def __init__(self, base: Encoder, tower: Tower) -> None:
        super().__init__(
            base.clue_keys, base.clues, base.seen, base.new, base.lexicon, base.counts,
            base.history, base.later, base.since,
        )  # fmt: skip
        self.tower = tower

    def vectors(self, clues: Sequence[str]) -> NDArray[np.float32]:
        return self.tower.vectors(clues)


class TransformerGuesser(EncoderGuesser):
    """The tower's vectors with a merger of their own."""

    @property
    def name(self) -> str:
        return NAME


def open_part(part: Path, base: Encoder | None = None) -> TransformerGuesser:
    """`base` is the encoder that lies beside the part, if somebody has read it already."""
    base = base or Encoder.read(part.parent / encoder.NAME)
    return TransformerGuesser(TowerEncoder(base, Tower.read(part)), Merger.load(part))


def load(model: ModelFolder | None = None) -> TransformerGuesser:
    if model is None:
        raise ModelError("the guesser transformer needs a model; train one with: crossword train")
    part = model.part(NAME)
    model.part(encoder.NAME)  # says so if it is missing
    return open_part(part)
