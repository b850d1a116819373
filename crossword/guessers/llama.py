"""The first layers of a small language model (Llama's build; SmolLM2, Allal et al. 2025), in torch.

Ids in, a unit vector in the space of the encoder's answers out: layers of causal attention with
turned positions (Su et al. 2021) and gated feed-forward, of which only the state of the last piece
is taken, since it alone has read everything. So clues are padded behind their end, and nothing need
be masked. The last piece also hears how long the answer is. Training and guessing share this file;
it is the one module of the package that needs torch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

LENGTHS = 24  # lengths of answers that are told apart; longer ones count as the last


@dataclass(frozen=True)
class Shape:
    """The numbers that make a network. The defaults are SmolLM2-135M's but for the layers."""

    vocabulary: int = 49_152
    layers: int = 12
    width: int = 576
    heads: int = 9
    groups: int = 3  # heads of keys and values
    inner: int = 1_536
    turn: float = 100_000.0  # the base of the turned positions
    out: int = 256


class Norm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), 1e-5)


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.groups = shape.heads, shape.groups
        self.size = shape.width // shape.heads
        wide = (shape.heads + 2 * shape.groups) * self.size
        self.before_attention, self.before_feed = Norm(shape.width), Norm(shape.width)
        self.asked = nn.Linear(shape.width, wide, bias=False)  # queries, keys and values
        self.told = nn.Linear(shape.width, shape.width, bias=False)
        self.gated = nn.Linear(shape.width, 2 * shape.inner, bias=False)  # gates, then values
        self.fed = nn.Linear(shape.inner, shape.width, bias=False)

    def forward(self, x: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
        count, long, width = x.shape
        asked = self.asked(self.before_attention(x)).view(count, long, -1, self.size)
        query, key, value = asked.transpose(1, 2).split([self.heads, *[self.groups] * 2], 1)
        query, key = turned(query, cosines, sines), turned(key, cosines, sines)
        each = self.heads // self.groups
        # By hand: clues are short, and torch's own attention takes twice as long for eight pieces.
        scores = query @ key.repeat_interleave(each, 1).transpose(-1, -2) / math.sqrt(self.size)
        later = torch.ones(long, long, dtype=torch.bool, device=x.device).triu(1)
        shares = scores.float().masked_fill(later, -math.inf).softmax(-1).to(x.dtype)
        told = shares @ value.repeat_interleave(each, 1)
        x = x + self.told(told.transpose(1, 2).reshape(count, long, width))
        gate, inner = self.gated(self.before_feed(x)).chunk(2, -1)
        fed: Tensor = self.fed(functional.silu(gate) * inner)
        return x + fed


def turned(x: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return x * cosines + torch.cat([-second, first], -1) * sines


class Network(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.pieces = nn.Embedding(shape.vocabulary, shape.width)
        self.length = nn.Embedding(LENGTHS, shape.width)
        nn.init.zeros_(self.length.weight)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width)
        self.projection = nn.Linear(shape.width, shape.out, bias=False)

    def forward(self, ids: Tensor, last: Tensor, lengths: Tensor) -> Tensor:
        """Unit vectors. `last` is the place of each row's last piece."""
        rows = torch.arange(len(ids), device=ids.device)
        told = self.length(lengths.clamp(max=LENGTHS - 1))
        x = self.pieces(ids).index_put((rows, last), told, accumulate=True)
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        cosines, sines = self._turns(ids.shape[1], x)
        for layer in self.layers:
            x = layer(x, cosines, sines)
        states = self.norm(x[rows, last].float()).to(self.projection.weight.dtype)
        return functional.normalize(self.projection(states).float(), dim=-1)

    def _turns(self, long: int, beside: Tensor) -> tuple[Tensor, Tensor]:
        size = self.shape.width // self.shape.heads
        rates = torch.arange(0, size, 2, device=beside.device).float() / size
        angles = torch.outer(
            torch.arange(long, device=beside.device).float(),
            torch.exp(-math.log(self.shape.turn) * rates),
        )
        both = torch.cat([angles, angles], -1)
        return both.cos().to(beside.dtype), both.sin().to(beside.dtype)
