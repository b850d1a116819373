"""Who may call, under which name, and what every response says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from serve.settings import Settings
from tests.serve.conftest import QUICK, Running, running

TOKEN = "a-token-for-tests"
GUESS = {"queries": [{"clue": "x", "pattern": "..."}]}


@pytest.fixture(scope="module")
def guarded() -> Iterator[Running]:
    settings = replace(QUICK, token=TOKEN, cors_origins=("https://friend.example",))
    with running(settings) as found:
        yield found


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/models", "/nowhere", "/openapi.json"])
def test_every_response_has_the_security_headers(service: Running, path: str) -> None:
    headers = service.http.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


def test_a_request_keeps_its_id(service: Running) -> None:
    response = service.http.get("/healthz", headers={"X-Request-ID": "trace-17"})
    assert response.headers["x-request-id"] == "trace-17"
    response = service.http.get("/healthz", headers={"X-Request-ID": "bad id\t" + "x" * 100})
    assert len(response.headers["x-request-id"]) == 16


def test_only_loopback_names_are_answered(service: Running) -> None:
    response = service.http.get("/v1/models", headers={"Host": "evil.example"})
    assert response.status_code == 421
    assert service.http.get("/v1/models", headers={"Host": "localhost:80"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://["]
)
def test_pages_of_other_sites_are_refused(service: Running, origin: str) -> None:
    response = service.http.post("/v1/guess", json=GUESS, headers={"Origin": origin})
    assert response.status_code == 403
    assert response.json()["type"] == "urn:problem:crossword:foreign-origin"


def test_the_own_page_is_welcome(service: Running) -> None:
    response = service.http.post("/v1/guess", json=GUESS, headers={"Origin": service.url})
    assert response.status_code == 200


@pytest.mark.parametrize(
    "given", [None, "Bearer wrong-token", "Basic " + TOKEN, "Bearer", "Bearer é"]
)
def test_without_the_token_the_api_is_closed(guarded: Running, given: str | None) -> None:
    headers = {"Authorization": given.encode()} if given else {}
    for path in ("/v1/models", "/metrics"):
        response = guarded.http.get(path, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
    assert guarded.http.get("/healthz").status_code == 200
    assert guarded.http.get("/readyz").status_code == 200


def test_with_the_token_it_is_open(guarded: Running) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert guarded.http.post("/v1/guess", json=GUESS, headers=headers).status_code == 200


def test_a_named_origin_may_call_and_no_other(guarded: Running) -> None:
    ask = {"Access-Control-Request-Method": "POST"}
    friend = {"Origin": "https://friend.example", **ask}
    preflight = guarded.http.request("OPTIONS", "/v1/guess", headers=friend)
    assert preflight.headers["access-control-allow-origin"] == "https://friend.example"
    friend["Authorization"] = f"Bearer {TOKEN}"
    response = guarded.http.post("/v1/guess", json=GUESS, headers=friend)
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == "https://friend.example"
    other = {"Origin": "https://other.example", **ask}
    assert guarded.http.request("OPTIONS", "/v1/guess", headers=other).status_code in (400, 403)


def test_a_token_must_be_worth_the_name() -> None:
    from crossword.errors import CrosswordError

    with pytest.raises(CrosswordError, match="8 ASCII"):
        Settings(token="short")


def test_a_network_address_answers_to_any_name() -> None:
    assert Settings(host="0.0.0.0").hosts is None
    assert Settings(host="0.0.0.0", allowed_hosts=("a.example",)).hosts == ("a.example",)
    assert "localhost" in (Settings(host="::1").hosts or ())


def test_the_log_has_requests_by_id_and_no_clues(service: Running) -> None:
    body = {"queries": [{"clue": "Whispered in confidence", "pattern": "......"}]}
    response = service.http.post("/v1/guess?name=private", json=body)
    name = response.headers["x-request-id"]
    lines = [line for line in service.log.lines if name in line]
    assert len(lines) == 1
    assert '"route": "/v1/guess"' in lines[0]
    assert '"status": 200' in lines[0]
    assert not any("Whispered" in line or "private" in line for line in service.log.lines)


def test_metrics_count_what_happened(service: Running) -> None:
    line = 'crossword_requests_total{method="POST",route="/v1/guess",status="200"}'
    service.http.post("/v1/guess", json=GUESS)
    before = service.metric(line)
    service.http.post("/v1/guess", json=GUESS)
    assert service.metric(line) == before + 1
    assert service.metric('crossword_workers{lane="solve"}') == 1
    assert service.metric('crossword_jobs_in_flight{lane="solve"}') == 0
    assert service.metric('crossword_queue_limit{lane="solve"}') == 2
    assert 'guesser="square"' in service.http.get("/metrics").text
    assert "crossword_request_seconds_bucket" in service.http.get("/metrics").text


def test_routes_in_metrics_are_few_whatever_is_asked(service: Running) -> None:
    for name in ("one", "two", "three"):
        service.http.get(f"/v1/examples/{name}")
        service.http.get(f"/{name}")
    text = httpx.get(f"{service.url}/metrics").text
    assert 'route="/v1/examples/{name}"' in text
    assert "three" not in text
