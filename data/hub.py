"""Datasets of clues and answers from the Hugging Face hub, or a local copy of one.

Any dataset in CrosswordQA's shape will do: columns `clue` and `answer`, several splits (only the
training split is taken, the others are kept to be tested on). Columns `date` and `source` are
used where they are. A local path may be a folder saved with `save_to_disk`, or data files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from datasets import Dataset, DatasetDict, Features, Value, load_dataset, load_from_disk

from crossword.errors import DataError
from crossword.text import normalise_answer, normalise_clue

PREFIX = "hf:"
FEATURES = Features(
    {
        "clue": Value("string"),
        "answer": Value("string"),
        "length": Value("int32"),
        "source": Value("string"),
        "date": Value("string"),
        "puzzle_id": Value("string"),
    }
)
_READERS = {".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "json", ".parquet": "parquet"}


def load_hub(name: str) -> Dataset:
    """The training split of a dataset, in the columns of a corpus."""
    found = _load(name)
    if isinstance(found, DatasetDict):
        if "train" not in found:
            splits = ", ".join(map(str, found)) or "none"
            raise DataError(f"the dataset {name} has no split 'train' (it has: {splits})")
        found = found["train"]
    missing = {"clue", "answer"} - set(found.column_names)
    if missing:
        raise DataError(
            f"the dataset {name} has no column {', '.join(sorted(missing))}; "
            f"it has: {', '.join(found.column_names)}"
        )
    made = found.map(
        _rows,
        batched=True,
        remove_columns=found.column_names,
        features=FEATURES,
        fn_kwargs={"source": name},
    )
    if len(made) == 0:
        raise DataError(f"the dataset {name} has no row with both a clue and an answer")
    return made


def _load(name: str) -> Any:
    path = Path(name)
    try:
        if path.is_dir() and (path / "dataset_dict.json").exists() | (path / "state.json").exists():
            return load_from_disk(str(path))
        if path.is_file():
            reader = _READERS.get(path.suffix.lower())
            if reader is None:
                known = ", ".join(sorted(_READERS))
                raise DataError(f"{path} is no dataset: its name should end with {known}")
            options = {"sep": "\t"} if path.suffix.lower() == ".tsv" else {}
            return load_dataset(reader, data_files=str(path), **options)
        return load_dataset(name)
    except DataError:
        raise
    except Exception as error:  # the hub's errors have no common root
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise DataError(f"can't load the dataset {name}: {reason}") from None


def _rows(batch: dict[str, list[Any]], source: str) -> dict[str, list[Any]]:
    size = len(batch["clue"])
    made: dict[str, list[Any]] = {name: [] for name in FEATURES}
    dates, sources = batch.get("date", [""] * size), batch.get("source", [source] * size)
    for clue, answer, date, origin in zip(
        batch["clue"], batch["answer"], dates, sources, strict=True
    ):
        text, letters = normalise_clue(str(clue or "")), normalise_answer(str(answer or ""))
        if text and letters:
            row = (text, letters, len(letters), str(origin or source), str(date or "")[:10], "")
            for name, value in zip(FEATURES, row, strict=True):
                made[name].append(value)
    return made
