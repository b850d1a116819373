"""The game's HTTP interface, against a server on this machine."""

from __future__ import annotations

import pytest

from tests.wordgames.contexto.conftest import Server
from wordgames.contexto.client import ContextoClient
from wordgames.errors import DataError, InputError


def client(server: Server, **options: float) -> tuple[ContextoClient, list[float]]:
    waits: list[float] = []
    settings = {"delay_seconds": 0.0, "timeout_seconds": 2.0, "retries": 2, **options}
    return ContextoClient(server.endpoint, sleep=waits.append, **settings), waits  # type: ignore[arg-type]


def test_distance_counts_from_zero_and_rank_from_one(server: Server) -> None:
    game, _ = client(server)
    assert game.rank(3, "w07") == ("w07", 1)
    assert game.rank(3, "w08") == ("w08", 2)
    assert server.asked == ["/en/game/3/w07", "/en/game/3/w08"]


def test_unknown_words_are_none_and_odd_ones_are_quoted(server: Server) -> None:
    game, _ = client(server)
    assert game.rank(3, "zebra/../x y") is None
    assert server.asked[-1] == "/en/game/3/zebra%2F..%2Fx%20y"
    server.body = b'{"error": "no"}'
    assert game.rank(3, "w01") is None


def test_trouble_is_tried_again_with_longer_waits(server: Server) -> None:
    game, waits = client(server, delay_seconds=0.2)
    server.trouble = [503, 429]
    assert game.rank(3, "w08") == ("w08", 2)
    backoff = [wait for wait in waits if wait in (0.2, 0.4)]
    assert backoff == [0.2, 0.4] and len(server.asked) == 3


def test_trouble_that_stays_is_one_line(server: Server) -> None:
    game, _ = client(server)
    server.trouble = [500] * 9
    with pytest.raises(DataError, match=r"no answer from .*HTTP 500"):
        game.rank(3, "w08")
    assert len(server.asked) == 3
    server.trouble = [403]
    with pytest.raises(DataError, match="HTTP 403"):
        game.rank(3, "w08")
    assert len(server.asked) == 4


def test_nobody_there_is_one_line(server: Server) -> None:
    nobody = ContextoClient("http://127.0.0.1:9/x", delay_seconds=0, retries=0)
    with pytest.raises(DataError, match="no answer from"):
        nobody.rank(1, "dog")


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b"{}", b'{"distance": -4}', b'{"distance": "far"}', b" " * 70_000]
)
def test_answers_of_another_shape_are_refused(server: Server, body: bytes) -> None:
    game, _ = client(server)
    server.body = body
    with pytest.raises(DataError):
        game.rank(3, "w08")


def test_there_is_a_pause_between_requests(server: Server) -> None:
    game, waits = client(server, delay_seconds=5.0)
    game.rank(3, "w08")
    game.rank(3, "w09")
    assert len(waits) == 1 and 4.0 < waits[0] <= 5.0


@pytest.mark.parametrize("endpoint", ["file:///etc/passwd", "api.contexto.me", "ftp://x/y"])
def test_only_http_is_asked(endpoint: str) -> None:
    with pytest.raises(InputError, match="http"):
        ContextoClient(endpoint)
