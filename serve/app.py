"""`create_app(settings)`: the ASGI application, put together. Nothing is loaded until it starts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from crossword import __version__
from serve import logs, problems
from serve.metrics import Metrics
from serve.middleware import Envelope, Guard
from serve.pool import Pool
from serve.problems import Problem
from serve.routes import guesses, health, models, puzzles, wordgames
from serve.settings import Settings

STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service. Its workers start with the application and end with it."""
    settings = settings or Settings()
    pool = Pool(settings)
    metrics = Metrics(pool)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool.start()
        try:
            yield
        finally:
            await pool.stop()

    app = FastAPI(
        title="Crossword solver",
        version=__version__,
        description="Guess clues, solve puzzles, convert files. Errors are RFC 9457 documents.",
        lifespan=lifespan,
        docs_url=None,  # its pages come from a CDN, which the CSP forbids and offline lacks
        redoc_url=None,
    )
    app.state.settings, app.state.pool, app.state.metrics = settings, pool, metrics
    app.exception_handler(HTTPException)(_refused)
    app.exception_handler(RequestValidationError)(_invalid)
    for module in (guesses, puzzles, models, health):
        app.include_router(module.router)
    if settings.word_games:
        app.include_router(wordgames.router)
    app.mount("/", _Page(directory=STATIC, html=True, check_dir=False), name="page")
    # The last one added is the outermost.
    app.add_middleware(Guard, settings=settings)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type", "x-request-id"],
            expose_headers=["x-dropped", "x-request-id", "retry-after"],
        )
    app.add_middleware(Envelope, metrics=metrics)
    return app


class _Page(StaticFiles):
    """The page's files; a browser asks whether they are fresh, so that an update shows at once.

    It stands under every path, so a known path with the wrong method ends here too: that is a 405.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        others = [route for route in scope["app"].routes if not isinstance(route, Mount)]
        methods = [
            method
            for method in ("GET", "POST")
            if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in others)
        ]
        if methods:
            allow = {"Allow": ", ".join(methods)}
            raise HTTPException(405, "this address takes another method", allow)
        return await super().get_response(path, scope)

    def file_response(self, *args: object, **options: object) -> Response:
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, Problem):
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            error = Problem(problems.NOT_FOUND, "there is nothing at this address")
        else:
            error = problems.http_problem(error.status_code, str(error.detail), error.headers)
    return error.response(logs.request_id.get())


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problems.invalid(error.errors()).response(logs.request_id.get())
