"""What this service is: its models, formats and limits."""

from __future__ import annotations

from fastapi import APIRouter, Request

from crossword import __version__, formats
from serve import problems
from serve.problems import Problem
from serve.routes.relay import PROBLEMS, pool_of
from serve.schemas import MAX_QUERIES, Bounds, FormatCard, ModelCard, ModelsResponse
from serve.settings import Settings

router = APIRouter(prefix="/v1", tags=["about"])


@router.get("/models", responses=PROBLEMS, summary="The model, the formats, the limits")
async def models(request: Request) -> ModelsResponse:
    """What guesses and solves here, and what one request may ask for."""
    pool = pool_of(request)
    settings: Settings = request.app.state.settings
    if pool.model is None:
        raise Problem(problems.NOT_READY, pool.unready, headers={"Retry-After": "5"})
    guessers, solvers = pool.names
    return ModelsResponse(
        model=pool.model,
        guesser=settings.guesser,
        solver=settings.solver,
        folder=ModelCard.model_validate(pool.card) if pool.card else None,
        guessers=guessers,
        solvers=solvers,
        formats=[
            FormatCard(name=entry.name, about=entry.about, writable=bool(entry.writer))
            for entry in formats.FORMATS.values()
        ],
        limits=Bounds(
            max_body_bytes=settings.max_body_bytes,
            max_cells=settings.max_cells,
            max_queries=MAX_QUERIES,
            max_seconds=settings.max_seconds,
        ),
        version=__version__,
    )
