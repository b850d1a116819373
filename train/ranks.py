"""Many processes that train one model: what torch's launcher (`torchrun`) started, or one alone.

    torchrun --nproc-per-node 2 -m train.encoder --corpus archive.zip --out models/mine

Of the encoder each process owns the table rows whose number leaves its rank when divided by the
number of processes: it sums and updates only those (as recommenders shard their embeddings: Naumov
et al., "DLRM", 2019), and of a batch it scores its share of the clues against all the answers. What
is exchanged is a few megabytes a step, by gloo between CPUs or nccl between GPUs. The transformer
is whole in every process, and its gradient is exchanged. One process alone exchanges nothing and
reckons exactly as if none of this were there.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, TypeVar, cast

import numpy as np
import torch
import torch.distributed as distributed
from numpy.typing import NDArray

from crossword.errors import DataError

T = TypeVar("T")
PATIENCE = timedelta(hours=12)  # arbitrary


@dataclass(frozen=True)
class Ranks:
    """This process among its fellows, and where its products are reckoned."""

    rank: int = 0
    count: int = 1
    device: str = "cpu"

    @property
    def leads(self) -> bool:
        """Whether this one talks to the user and writes the files."""
        return self.rank == 0

    def own(
        self, starts: NDArray[np.int64], rows: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Bags with only the rows that this process owns."""
        if self.count == 1:
            return starts, rows
        mine = rows % self.count == self.rank
        before = np.concatenate([[0], np.cumsum(mine)])
        return before[starts], rows[mine]

    def blocks(self, count: int, size: int) -> range:
        """Where this process's blocks of a batch begin; the step is that of all together."""
        return range(self.rank * size, count, self.count * size)

    def add_up(self, *tensors: torch.Tensor) -> None:
        """Each becomes, in place and in every process, the sum over the processes."""
        if self.count > 1:
            for tensor in tensors:
                there = tensor.to(self.device)
                distributed.all_reduce(there)
                if there is not tensor:
                    tensor.copy_(there)

    def complete(self, *tables: NDArray[np.float32]) -> None:
        """Give every process the rows that the others own, as they are now."""
        for table in tables if self.count > 1 else ():
            table[np.arange(len(table)) % self.count != self.rank] = 0
            self.add_up(torch.from_numpy(table))

    def given(self, make: Callable[[], T]) -> T:
        """What the first process makes, in every process."""
        if self.count == 1:
            return make()
        told: list[Any] = [make() if self.leads else None]
        distributed.broadcast_object_list(told, device=torch.device(self.device))
        return cast("T", told[0])

    def agree(self, number: int, about: str) -> None:
        """A `DataError` where the processes hold different numbers."""
        told = torch.zeros(self.count, dtype=torch.float64)
        told[self.rank] = number
        self.add_up(told)
        if len(set(told.tolist())) > 1:
            raise DataError(f"the processes differ in {about}; they need the same files")


@cache
def joined() -> Ranks:
    """The processes that `torchrun` has started, joined once; without it, this one alone."""
    device = "cpu"
    if torch.cuda.is_available():
        device = f"cuda:{int(os.environ.get('LOCAL_RANK', '0')) % torch.cuda.device_count()}"
        torch.cuda.set_device(device)
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        return Ranks(device=device)
    # The others wait while the first one fits probabilities; torchrun ends them if it dies.
    distributed.init_process_group("gloo" if device == "cpu" else "nccl", timeout=PATIENCE)
    atexit.register(distributed.destroy_process_group)
    return Ranks(distributed.get_rank(), count, device)
