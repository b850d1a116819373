"""What guessing costs is told for single clues and for each size of batch."""

from __future__ import annotations

from benchmarks.guess_cost import measure
from crossword.types import Query
from tests.fakes import FakeGuesser


def test_every_batch_size_is_measured_on_clues_of_its_own() -> None:
    guesser = FakeGuesser({f"clue {i}": [("CAT", 0.5)] for i in range(12)})
    told = measure(guesser, [Query(f"clue {i}", "...") for i in range(12)], [2, 4])
    assert set(told["batches"]) == {"2", "4"}
    assert told["single"]["clues"] == told["batches"]["4"]["clues"] == 4
    assert [len(call) for call in guesser.calls] == [1, 1, 1, 1, 1, 1, 2, 2, 4]
    asked = [query for call in guesser.calls[2:] for query in call]
    assert len(asked) == len(set(asked))
