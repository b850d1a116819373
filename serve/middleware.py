"""What happens to every request: an id, a log line, metrics, security headers; and the guard.

Plain ASGI, since the framework's own middleware class buffers streams and hides disconnects.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import secrets
from time import perf_counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve import logs, problems
from serve.metrics import Metrics
from serve.problems import Problem
from serve.settings import Settings

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_FILE_ROUTES = ("/v1/solve", "/v1/read", "/v1/convert")
_OPEN_ROUTES = ("/healthz", "/readyz")
_METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Envelope:
    """Outermost: names the request, times it, and turns any exception into a clean 500."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        token = logs.request_id.set(name)
        status, size = 0, 0
        began = perf_counter()

        async def outward(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = name
                for header, value in SECURITY_HEADERS.items():
                    headers.setdefault(header, value)
                if scope["path"].startswith("/v1/") or scope["path"] == "/metrics":
                    headers.setdefault("Cache-Control", "no-store")
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, outward)
        except Exception as error:
            logs.logger.error("request failed", exc_info=error)
            if not status:
                problem = Problem(problems.INTERNAL, "an error that is in the log by its id")
                await problem.response(name)(scope, receive, outward)
        finally:
            seconds = perf_counter() - began
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = route_of(scope)
            self._metrics.observe(method, route, status, seconds)
            logs.event(
                "request",
                _level(route, status),
                method=method,
                route=route,
                status=status,
                seconds=round(seconds, 4),
                bytes=size,
            )
            logs.request_id.reset(token)


def _level(route: str, status: int) -> int:
    """Probes come every few seconds, and refusals while busy are no fault: both stay quiet."""
    if route in _OPEN_ROUTES or route == "/metrics":
        return logging.DEBUG
    return logging.WARNING if status >= 500 and status != 503 else logging.INFO


def route_of(scope: Scope) -> str:
    """The route's template, never the path itself: labels must be few, and names are private."""
    route = getattr(scope.get("route"), "path", None)
    if isinstance(route, str) and route:
        return route
    return "static" if scope.get("endpoint") is not None else "none"


class Guard:
    """Refuses what need not be looked at: foreign hosts and origins, wrong tokens, large bodies."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._hosts = settings.hosts
        self._token = settings.token.encode() if settings.token else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit = self._limit(scope["path"])
        try:
            self._check_host(headers)
            self._check_origin(headers)
            self._check_token(scope, headers)
            self._check_length(headers, limit)
        except Problem as problem:
            await problem.response(logs.request_id.get())(scope, receive, send)
            return
        await self._app(scope, _bounded(receive, limit, self._settings.body_seconds), send)

    def _limit(self, path: str) -> int:
        if path in _FILE_ROUTES:
            return self._settings.max_body_bytes
        return self._settings.max_json_bytes

    def _check_host(self, headers: Headers) -> None:
        if self._hosts is None or "*" in self._hosts:
            return
        name = re.sub(r":\d*$", "", headers.get("host", "").lower())
        if name not in self._hosts:
            raise Problem(problems.WRONG_HOST, "this service answers to other host names only")

    def _check_origin(self, headers: Headers) -> None:
        """A page of another site may not make a visitor's browser put this service to work."""
        origin = headers.get("origin")
        if origin is None or origin in self._settings.cors_origins:
            return
        here = {headers.get("host", "").lower(), headers.get("x-forwarded-host", "").lower()}
        try:
            there = urlsplit(origin).netloc.lower()
        except ValueError:
            there = ""
        if not there or there not in here:
            raise Problem(problems.FOREIGN_ORIGIN, "only this service's own page may call it")

    def _check_token(self, scope: Scope, headers: Headers) -> None:
        path = scope["path"]
        if self._token is None or scope["method"] == "OPTIONS":
            return
        if not (path.startswith("/v1/") or path == "/metrics"):
            return
        scheme, _, given = headers.get("authorization", "").partition(" ")
        given_bytes = given.strip().encode("utf-8", "surrogateescape")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given_bytes, self._token):
            raise Problem(
                problems.UNAUTHORISED,
                "send the header Authorization: Bearer TOKEN",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def _check_length(self, headers: Headers, limit: int) -> None:
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:19]) > limit:
            raise _too_large(limit)


def _too_large(limit: int) -> Problem:
    return Problem(problems.BODY_TOO_LARGE, f"a body may have {limit} bytes here, no more")


def _bounded(receive: Receive, limit: int, seconds: float) -> Receive:
    """The same messages, up to a size and a time; afterwards only disconnects come."""
    taken = 0
    complete = False
    deadline: float | None = None

    async def bounded() -> Message:
        nonlocal taken, complete, deadline
        if complete:
            return await receive()
        if deadline is None:
            deadline = asyncio.get_running_loop().time() + seconds
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            raise Problem(problems.BODY_TOO_SLOW, f"it took over {seconds:g} s") from None
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if taken > limit:
                raise _too_large(limit)
        return message

    return bounded
