"""The word games as jobs of a worker: the classic English lists, and the shipped Contexto model.

Other lengths, alphabets and lists are left to the command line (`wordgames wordle --help`): each
needs a table of its own, which can be large.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any

from serve import problems
from serve.problems import Problem
from serve.schemas import (
    ContextoSuggestRequest,
    WordleReviewRequest,
    WordleSuggestRequest,
    WordleTurn,
)
from wordgames.contexto import solver as contexto
from wordgames.errors import WordGameError
from wordgames.wordle.game import Wordle
from wordgames.wordle.review import review
from wordgames.wordle.suggestions import suggest, suggest_for_boards

SHOWN_WORDS = 200


@cache
def _game(rule: str, hard: bool) -> Wordle:
    return Wordle(rule=rule, hard=hard)


def _replies(turn: WordleTurn) -> list[str]:
    if (turn.reply is None) == (turn.replies is None):
        raise Problem(problems.INVALID, "give each guess a 'reply', or 'replies', one a board")
    return [turn.reply] if turn.reply is not None else list(turn.replies or ())


def _wordle_suggest(body: bytes) -> dict[str, Any]:
    request = WordleSuggestRequest.model_validate_json(body)
    game = _game(request.rule, request.hard)
    history = [(turn.word, _replies(turn)) for turn in request.history]
    boards = len(history[0][1]) if history else 1
    if boards > 1:
        advice = suggest_for_boards(game, history, boards, count=request.count)
    else:
        if any(len(replies) != 1 for _, replies in history):
            raise Problem(problems.INVALID, "every guess needs as many replies as the first")
        pairs = [(word, replies[0]) for word, replies in history]
        advice = suggest(game, pairs, count=request.count)
    return {
        "suggestions": [asdict(entry) for entry in advice.suggestions],
        "boards": [
            {"count": len(words), "words": list(words[:SHOWN_WORDS])} for words in advice.boards
        ],
    }


def _wordle_review(body: bytes) -> dict[str, Any]:
    request = WordleReviewRequest.model_validate_json(body)
    found = review(_game(request.rule, request.hard), request.guesses, request.answer)
    return {**asdict(found), "skill": found.skill, "luck": found.luck}


def _contexto_suggest(body: bytes) -> dict[str, Any]:
    request = ContextoSuggestRequest.model_validate_json(body)
    found = contexto.proposals(
        [(turn.word, turn.rank) for turn in request.history],
        count=request.count,
        refused=request.refused,
        strategy=request.strategy,
    )
    return {"proposals": [asdict(proposal) for proposal in found]}


def _told(job: Callable[[bytes], dict[str, Any]]) -> Callable[[bytes], dict[str, Any]]:
    def do(body: bytes) -> dict[str, Any]:
        try:
            return job(body)
        except WordGameError as error:
            raise Problem(problems.WORD_GAME, str(error)) from None

    return do


JOBS = {
    "wordle-suggest": _told(_wordle_suggest),
    "wordle-review": _told(_wordle_review),
    "contexto-suggest": _told(_contexto_suggest),
}


def warm() -> None:
    """Load the lists and make every table, before workers are forked that share them."""
    for rule in ("standard", "naive"):
        for hard in (False, True):
            known = {"history": [{"word": "soare", "reply": "00110"}], "rule": rule, "hard": hard}
            _wordle_suggest(json.dumps(known).encode())
        _wordle_review(json.dumps({"guesses": ["crane"], "answer": "sloth", "rule": rule}).encode())
    _contexto_suggest(b'{"history": [{"word": "house", "rank": 340}]}')
