from __future__ import annotations

import json
from typing import Any

import pytest

from serve.schemas import GuessResponse
from tests.grids import SQUARE_CLUES
from tests.serve.conftest import Running

CAT = {"clue": SQUARE_CLUES["1A"], "pattern": "C.."}


def test_guesses_come_back_one_list_a_query(service: Running) -> None:
    body = {"queries": [CAT, {"clue": "unheard of", "pattern": "...."}], "limit": 5}
    response = service.http.post("/v1/guess", json=body)
    assert response.status_code == 200
    told = GuessResponse.model_validate_json(response.content)
    assert [guess.answer for guess in told.results[0]] == ["CAT"]
    assert told.results[0][0].probability == pytest.approx(0.9)
    assert told.results[0][0].evidence == ["fake"]
    assert told.results[1] == []
    assert told.model.startswith("fake/")


@pytest.mark.parametrize(
    "body",
    [
        {"queries": []},
        {"queries": [{"clue": "x", "pattern": "c.t"}]},
        {"queries": [{"clue": "x", "pattern": ""}]},
        {"queries": [{"clue": "x", "pattern": "." * 61}]},
        {"queries": [{"clue": "x" * 501, "pattern": "..."}]},
        {"queries": [CAT], "limit": 0},
        {"queries": [CAT], "limits": 3},
        {"queries": [CAT] * 257},
        {"queries": "CAT"},
        [],
    ],
    ids=lambda body: str(body)[:40],
)
def test_what_is_no_guess_request_is_a_422_that_says_why(service: Running, body: Any) -> None:
    response = service.http.post("/v1/guess", json=body)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["type"] == "urn:problem:crossword:invalid-request"
    assert problem["status"] == 422
    assert problem["errors"]
    assert problem["request_id"] == response.headers["x-request-id"]


@pytest.mark.parametrize("clue", ["\ud800", "é" * 200, "<script>", "\x00", "اختبار", "🟩"])
def test_no_clue_is_too_strange(service: Running, clue: str) -> None:
    body = json.dumps({"queries": [{"clue": clue, "pattern": "..."}]})
    headers = {"content-type": "application/json"}
    response = service.http.post("/v1/guess", content=body, headers=headers)
    assert response.status_code in (200, 422)


def test_a_body_that_is_no_json_is_refused(service: Running) -> None:
    headers = {"content-type": "application/json"}
    response = service.http.post("/v1/guess", content=b"{", headers=headers)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
