from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from wordgames.errors import DataError, InputError
from wordgames.simulation import Summary, checked_jobs, run, seeds, write_json


def squared(number: int) -> int:
    return number * number


def process_of(number: int) -> int:
    time.sleep(0.02)
    return os.getpid()


def interrupted_at_five(number: int) -> int:
    if number == 5:
        raise KeyboardInterrupt
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    done = run(squared, list(range(50)), jobs=jobs)
    assert done.results == [n * n for n in range(50)]
    assert done.complete


def test_jobs_are_other_processes() -> None:
    assert os.getpid() not in run(process_of, list(range(8)), jobs=2).results


def test_ctrl_c_keeps_what_is_done() -> None:
    done = run(interrupted_at_five, list(range(10)))
    assert done.results == [0, 1, 2, 3, 4]
    assert not done.complete


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        run(divided, [1, 0, 2], jobs=2)


def divided(number: int) -> float:
    return 1 / number


def test_nothing_to_do_is_complete() -> None:
    assert run(squared, []).complete


def test_the_bar_is_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(squared, [1, 2], label="games", show_progress=True).results == [1, 4]


def test_seeds_are_the_same_for_the_same_arguments_and_differ_between_games() -> None:
    assert seeds(7, 100) == seeds(7, 100)
    assert len(set(seeds(7, 100))) == 100
    assert seeds(7, 10) != seeds(8, 10)


def test_a_summary_counts() -> None:
    summary = Summary.of([3, 4, 3, 6])
    assert (summary.total, summary.average, summary.worst) == (16, 4.0, 6)
    assert summary.distribution == {3: 2, 4: 1, 6: 1}


def test_negative_jobs_are_refused_and_zero_means_all_cores() -> None:
    assert checked_jobs(0) == (os.cpu_count() or 1)
    with pytest.raises(InputError, match="--jobs"):
        checked_jobs(-1)


def test_json_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write_json(path, {"total": 1})
    assert json.loads(path.read_text()) == {"total": 1}
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]
    with pytest.raises(DataError, match="cannot write"):
        write_json(tmp_path / "none" / "out.json", {})
