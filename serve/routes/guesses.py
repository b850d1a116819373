"""Guesses at clues."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from serve import logs
from serve.routes.relay import PROBLEMS, answer
from serve.schemas import GuessRequest, GuessResponse

router = APIRouter(prefix="/v1", tags=["guesses"])


@router.post(
    "/guess",
    responses={**PROBLEMS, 200: {"model": GuessResponse}},
    summary="Guess the answers to clues",
)
async def guess(request: Request, asked: GuessRequest) -> Response:
    """For each clue and pattern the likeliest answers, best first."""
    if request.app.state.settings.log_clues:
        logs.event("guess", queries=[[query.clue, query.pattern] for query in asked.queries])
    return await answer(request, "guess", await request.body())
