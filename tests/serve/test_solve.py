from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from crossword.formats import dump, ipuz
from serve.schemas import SolveProgress, SolveResponse
from tests.grids import square
from tests.serve.conftest import Running, titled, until

FILL = {
    "0,0": "C", "0,1": "A", "0,2": "T",
    "1,0": "O", "1,1": "R", "1,2": "E",
    "2,0": "B", "2,1": "E", "2,2": "N",
}  # fmt: skip


@pytest.mark.parametrize("suffix", ["puz", "ipuz", "jpz", "xd"])
def test_a_file_of_any_format_is_solved(service: Running, suffix: str) -> None:
    data = dump(square(), suffix).data
    response = service.http.post(f"/v1/solve?name=square.{suffix}", content=data)
    assert response.status_code == 200, response.text
    told = SolveResponse.model_validate_json(response.content)
    assert told.fill == FILL
    assert told.status == "solved"
    assert told.score is not None and told.score.perfect
    assert told.cells["0,0"][0][0] == "C"
    assert [guess.answer for guess in told.candidates["1A"]] == ["CAT"]


def test_letters_of_the_request_are_locked(service: Running) -> None:
    body = {"puzzle": ipuz.to_json(square()), "letters": {"0,0": "B"}, "seconds": 5}
    response = service.http.post("/v1/solve", json=body)
    told = SolveResponse.model_validate_json(response.content)
    assert told.fill["0,0"] == "B"
    assert told.score is not None and not told.score.perfect
    assert told.score.letters == pytest.approx(8 / 9)


def test_without_a_solution_there_is_no_score(service: Running) -> None:
    data = ipuz.dump(square().without_answers()).data
    response = service.http.post("/v1/solve?name=x.ipuz", content=data)
    assert response.json()["score"] is None
    assert response.json()["fill"] == FILL


def test_unsure_cells_stay_blank_when_asked_so(service: Running) -> None:
    response = service.http.post("/v1/solve?min_confidence=1", content=titled("any"))
    told = SolveResponse.model_validate_json(response.content)
    assert len(told.fill) < 9
    assert told.status == "partial"


@pytest.mark.parametrize(
    ("letters", "status"),
    [({"9,9": "A"}, 422), ({"0,0": "ä"}, 422), ({"zero": "A"}, 422), ({"0,0": ""}, 422)],
)
def test_letters_that_fit_no_cell_are_refused(
    service: Running, letters: dict[str, str], status: int
) -> None:
    body = {"puzzle": ipuz.to_json(square()), "letters": letters}
    response = service.http.post("/v1/solve", json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def events(response: httpx.Response) -> list[tuple[str, Any]]:
    found, kind = [], ""
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            found.append((kind, json.loads(value)))
    return found


EVENTS = {"Accept": "text/event-stream"}


def test_a_stream_has_progress_and_then_the_result(service: Running) -> None:
    with service.http.stream(
        "POST", "/v1/solve?seconds=1", content=titled("slow"), headers=EVENTS
    ) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        found = events(response)
    kinds = [kind for kind, _ in found]
    assert kinds[-1] == "result"
    assert set(kinds[:-1]) == {"progress"}
    assert 3 <= len(kinds[:-1]) <= 7  # a second, five a second
    for _, data in found[:-1]:
        SolveProgress.model_validate(data)
    assert SolveResponse.model_validate(found[-1][1]).status == "timeout"


def test_a_problem_found_at_once_is_a_status_even_for_a_stream(service: Running) -> None:
    response = service.http.post("/v1/solve", content=b"no puzzle", headers=EVENTS)
    assert response.status_code == 415
    assert response.json()["type"] == "urn:problem:crossword:unknown-format"


def test_a_problem_in_mid_stream_is_an_event(service: Running) -> None:
    with service.http.stream(
        "POST", "/v1/solve?seconds=0.2", content=titled("stubborn"), headers=EVENTS
    ) as response:
        found = events(response)
    assert [kind for kind, _ in found] == ["problem"]
    assert found[0][1]["status"] == 504


@pytest.mark.parametrize("headers", [EVENTS, {}], ids=["stream", "plain"])
def test_closing_the_connection_stops_the_work(service: Running, headers: dict[str, str]) -> None:
    lane = service.pool.lanes["solve"]
    died = lane.died
    with httpx.Client(base_url=service.url, timeout=1.0) as http:
        request = http.build_request(
            "POST", "/v1/solve?seconds=20", content=titled("slow"), headers=headers
        )
        if headers:
            response = http.send(request, stream=True)
            next(response.iter_lines())
            response.close()
        else:
            with pytest.raises(httpx.ReadTimeout):
                http.send(request, stream=False)
    until(lambda: not lane.running, 3.0)
    assert lane.died == died, "the worker had to be killed"


def test_a_stubborn_solve_costs_its_worker_and_gives_a_504(service: Running) -> None:
    response = service.http.post("/v1/solve?seconds=0.2", content=titled("stubborn"))
    assert response.status_code == 504
    assert response.json()["type"] == "urn:problem:crossword:overrun"
    assert service.http.post("/v1/solve", content=titled("any")).json()["fill"] == FILL


def test_a_bug_in_a_solver_is_a_500_that_keeps_the_clue_to_itself(service: Running) -> None:
    response = service.http.post("/v1/solve", content=titled("broken"))
    assert response.status_code == 500
    assert response.json()["type"] == "urn:problem:crossword:internal"
    assert "Purring" not in response.text
    assert "Purring" not in "\n".join(service.log.lines)
