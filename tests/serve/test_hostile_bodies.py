"""Bodies that mean harm or make no sense: a 4xx with a reason, and soon."""

from __future__ import annotations

import io
import json
import socket
import time
import zipfile
from collections.abc import Iterator

import pytest

from crossword.formats import ipuz
from crossword.puzzle import parse
from tests.grids import square
from tests.serve.conftest import Running, titled


def zip_bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzle.jpz", b"<" + b" " * 60_000_000)
    return buffer.getvalue()


BODIES = {
    "empty": (b"", 422),
    "html": (b"<!doctype html><p>not found", 415),
    "text": (b"hello", 415),
    "zip bomb": (zip_bomb(), 422),
    "half a puz": (b"\0\0ACROSS&DOWN\0" + b"\0" * 20, 422),
    "deep json": (b"[" * 100_000, 422),
    "deep object": (b'{"a":' * 30_000, 422),
    "entities": (
        b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><crossword>&c;</crossword>',
        422,
    ),
    "no ipuz": (b'{"kind": ["http://ipuz.org/sudoku#1"]}', 422),
    "json number": (b"1" * 5000, 415),
    "wrapper of nothing": (b'{"puzzle": {}}', 415),
    "huge dimensions": (
        b'{"kind":["http://ipuz.org/crossword#1"],"dimensions":{"width":99999999,"height":9},'
        b'"puzzle":[]}',
        422,
    ),
    "grid too large": (ipuz.dump(parse("\n".join(["." * 15] * 15))).data, 422),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("path", ["/v1/solve", "/v1/read", "/v1/convert?to=ipuz"])
def test_a_hostile_body_is_a_4xx_with_a_reason(service: Running, name: str, path: str) -> None:
    body, status = BODIES[name]
    if name == "grid too large" and path != "/v1/solve":
        pytest.skip("it can be read, just not solved")
    if name == "wrapper of nothing" and path != "/v1/solve":
        status = 415
    began = time.monotonic()
    response = service.http.post(path, content=body)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"]
    assert time.monotonic() - began < 5.0


def test_a_body_over_the_limit_is_refused_unread(service: Running) -> None:
    response = service.http.post("/v1/solve", content=b"x" * 200_001)
    assert response.status_code == 413
    assert response.json()["type"] == "urn:problem:crossword:body-too-large"


def test_a_body_of_unknown_length_is_refused_when_it_passes_the_limit(service: Running) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(30):
            yield b"x" * 10_000

    assert service.http.post("/v1/solve", content=chunks()).status_code == 413
    assert service.http.post("/v1/guess", content=chunks()).status_code == 413


def test_json_bodies_have_a_lower_limit(service: Running) -> None:
    body = json.dumps({"queries": [{"clue": "x" * 60_000, "pattern": "..."}]})
    assert service.http.post("/v1/guess", content=body).status_code == 413


def test_a_body_that_never_comes_is_given_up(service: Running) -> None:
    host, port = service.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5.0) as sock:
        sock.sendall(
            f"POST /v1/solve HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100\r\n\r\nabc".encode()
        )
        assert b"408" in sock.recv(4096).split(b"\r\n")[0]


def test_a_form_is_told_how_to_send_a_file(service: Running) -> None:
    response = service.http.post("/v1/read", files={"file": ("a.puz", b"x")})
    assert response.status_code == 415
    assert "--data-binary" in response.json()["detail"]


@pytest.mark.parametrize("query", ["seconds=nan", "seconds=-1", "seconds=x", "min_confidence=2"])
def test_query_parameters_are_checked(service: Running, query: str) -> None:
    response = service.http.post(f"/v1/solve?{query}", content=titled("any"))
    assert response.status_code == 422


def test_no_time_is_longer_than_the_limit(service: Running) -> None:
    body = {"puzzle": ipuz.to_json(square()), "seconds": 1e300}
    assert service.http.post("/v1/solve", json=body).status_code == 200
