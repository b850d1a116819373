"""For those who watch over the service: alive, ready, metrics."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request
from starlette.responses import Response

from serve import metrics, problems
from serve.problems import Problem
from serve.routes.relay import PROBLEMS, pool_of
from serve.schemas import Health

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="Is it alive?")
async def healthz() -> Health:
    """Always ok while the process answers."""
    return Health()


@router.get("/readyz", responses={503: PROBLEMS[503]}, summary="Can it solve?")
async def readyz(request: Request) -> Health:
    """Ok once the model is loaded and warm, and workers are up; 503 before, and while stopping."""
    pool = pool_of(request)
    if not pool.is_ready:
        raise Problem(problems.NOT_READY, pool.unready, headers={"Retry-After": "5"})
    return Health()


@router.get(
    "/metrics",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    response_class=Response,
    summary="Prometheus metrics",
)
async def prometheus(request: Request) -> Response:
    """Requests, latencies, solves in flight, queues, workers, the model."""
    found = cast(metrics.Metrics, request.app.state.metrics)
    return Response(found.text(), headers={"Content-Type": metrics.CONTENT_TYPE})
