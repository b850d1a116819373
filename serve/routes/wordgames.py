"""The word games: Wordle's next guess and a review of a game, Contexto's next words."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from serve.routes.relay import PROBLEMS, answer
from serve.schemas import (
    ContextoSuggestRequest,
    ContextoSuggestResponse,
    WordleReviewRequest,
    WordleReviewResponse,
    WordleSuggestRequest,
    WordleSuggestResponse,
)

router = APIRouter(prefix="/v1", tags=["word games"])


@router.post(
    "/wordle/suggest",
    responses={**PROBLEMS, 200: {"model": WordleSuggestResponse}},
    summary="Wordle: what to guess next",
)
async def wordle_suggest(request: Request, asked: WordleSuggestRequest) -> Response:
    """The best guesses after these replies, and the answers that remain."""
    return await answer(request, "wordle-suggest", await request.body())


@router.post(
    "/wordle/review",
    responses={**PROBLEMS, 200: {"model": WordleReviewResponse}},
    summary="Wordle: review a game",
)
async def wordle_review(request: Request, asked: WordleReviewRequest) -> Response:
    """Skill and luck of each turn, and the best path to the answer."""
    return await answer(request, "wordle-review", await request.body())


@router.post(
    "/contexto/suggest",
    responses={**PROBLEMS, 200: {"model": ContextoSuggestResponse}},
    summary="Contexto: words to try next",
)
async def contexto_suggest(request: Request, asked: ContextoSuggestRequest) -> Response:
    """The next words to try, given the ranks so far."""
    return await answer(request, "contexto-suggest", await request.body())
