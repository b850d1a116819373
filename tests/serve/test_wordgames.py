"""The word games, as the page's third tab asks for them. Slow: their tables are made first."""

from __future__ import annotations

from typing import Any

import pytest

from serve.schemas import ContextoSuggestResponse, WordleReviewResponse, WordleSuggestResponse
from tests.serve.conftest import Running

pytestmark = pytest.mark.slow


def test_wordle_suggests_what_the_library_does(playing_service: Running) -> None:
    from wordgames.wordle.game import Wordle
    from wordgames.wordle.suggestions import suggest

    history = [{"word": "soare", "reply": "00110"}, {"word": "clint", "reply": "00101"}]
    response = playing_service.http.post(
        "/v1/wordle/suggest", json={"history": history, "count": 3}
    )
    told = WordleSuggestResponse.model_validate_json(response.content)
    own = suggest(Wordle(), [("soare", "00110"), ("clint", "00101")], count=3)
    assert [entry.word for entry in told.suggestions] == [entry.word for entry in own.suggestions]
    assert told.boards[0].count == len(own.remaining)


def test_several_boards_have_a_reply_each(playing_service: Running) -> None:
    history = [{"word": "soare", "replies": ["00110", "02000"]}]
    response = playing_service.http.post("/v1/wordle/suggest", json={"history": history})
    told = WordleSuggestResponse.model_validate_json(response.content)
    assert len(told.boards) == 2


def test_a_game_is_reviewed(playing_service: Running) -> None:
    body = {"guesses": ["crane", "sloth"], "answer": "sloth"}
    told = WordleReviewResponse.model_validate_json(
        playing_service.http.post("/v1/wordle/review", json=body).content
    )
    assert told.solved
    assert [turn.guess.word for turn in told.turns] == ["crane", "sloth"]
    assert told.best_path[-1].reply == "22222"


def test_contexto_proposes_words(playing_service: Running) -> None:
    body = {"history": [{"word": "dog", "rank": 40}], "refused": ["cat"], "count": 4}
    told = ContextoSuggestResponse.model_validate_json(
        playing_service.http.post("/v1/contexto/suggest", json=body).content
    )
    assert len(told.proposals) == 4
    assert not {"dog", "cat"} & {proposal.word for proposal in told.proposals}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("wordle/suggest", {"history": [{"word": "soare", "reply": "001"}]}),
        ("wordle/suggest", {"history": [{"word": "zzzzz", "reply": "00000"}]}),
        ("wordle/suggest", {"history": [{"word": "soare"}]}),
        ("wordle/suggest", {"history": [{"word": "soare", "replies": ["00000", "0"]}]}),
        ("wordle/review", {"guesses": ["crane"], "answer": "zzzzz"}),
        (
            "contexto/suggest",
            {"history": [{"word": "dog", "rank": 4}, {"word": "cat", "rank": 4}]},
        ),
    ],
)
def test_an_impossible_game_is_a_422_that_says_why(
    playing_service: Running, path: str, body: dict[str, Any]
) -> None:
    response = playing_service.http.post(f"/v1/{path}", json=body)
    assert response.status_code == 422
    assert response.json()["detail"]
