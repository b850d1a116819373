from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from crossword.client import AsyncClient, Client
from crossword.errors import CrosswordError, ServiceError
from crossword.formats import dump
from crossword.types import Progress, Query
from tests.grids import SQUARE_CLUES, knowing, square
from tests.serve.conftest import Running, titled, until

CAT = Query(SQUARE_CLUES["1A"], "C..")


def test_guesses_are_those_of_the_library(service: Running) -> None:
    with Client(service.url) as client:
        [[guess]] = client.guess([CAT])
    [[own]] = knowing().guess([CAT])
    assert (guess.answer, guess.confidence, guess.evidence) == (own.answer, 0.9, own.evidence)
    assert guess.log_prob == pytest.approx(own.log_prob, abs=1e-5)


@pytest.mark.parametrize("kind", ["puzzle", "path", "bytes"])
def test_solving_takes_puzzles_files_and_bytes(service: Running, kind: str, tmp_path: Path) -> None:
    data = dump(square(), "puz").data
    path = tmp_path / "square.puz"
    path.write_bytes(data)
    source = {"puzzle": square(), "path": path, "bytes": data}[kind]
    with Client(service.url) as client:
        solution = client.solve(source)
        locked = client.solve(source, letters={(0, 0): "B"}, seconds=5.0)
    assert solution.fill == square().solution
    assert solution.status == "solved"
    assert locked.fill[0, 0] == "B"
    assert solution.candidates["1A"][0].answer == "CAT"


def test_progress_is_told_on_the_way(service: Running) -> None:
    seen: list[Progress] = []
    with Client(service.url) as client:
        solution = client.solve(titled("slow"), seconds=0.7, on_progress=seen.append)
    assert solution.status == "timeout"
    assert len(seen) >= 2
    assert seen[0].fill == {(0, 0): "C"}
    assert seen[0].stage == "slowly"


def test_leaving_in_mid_solve_stops_the_work(service: Running) -> None:
    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        raise Enough

    with Client(service.url) as client, pytest.raises(Enough):
        client.solve(titled("slow"), seconds=20.0, on_progress=stop)
    until(lambda: not service.pool.lanes["solve"].running, 3.0)


def test_files_are_read_and_converted(service: Running) -> None:
    with Client(service.url) as client:
        assert client.read(dump(square(), "jpz").data).solution == square().solution
        assert client.convert(square(), "xd") == dump(square(), "xd")
        assert client.models()["guesser"] == "square"
        name = client.examples()[0]
        assert client.example(name).has_solution
        assert client.is_ready()


def test_a_problem_is_an_error_with_its_status_and_reason(service: Running) -> None:
    with Client(service.url) as client:
        with pytest.raises(ServiceError, match="no puzzle format") as caught:
            client.solve(b"no puzzle")
        assert caught.value.status == 415
        with pytest.raises(ServiceError) as caught:
            client.solve(b"no puzzle", on_progress=lambda progress: None)
        assert caught.value.status == 415
        with pytest.raises(ServiceError, match="limit") as caught:
            client.solve(titled("stubborn"), seconds=0.1, on_progress=lambda progress: None)
        assert caught.value.status == 504
        with pytest.raises(CrosswordError, match=r"nothing\.puz"):
            client.solve(Path("nothing.puz"))


def test_a_service_that_is_not_there_is_said_in_one_line() -> None:
    with Client("http://127.0.0.1:9") as client:
        assert not client.is_ready()
        with pytest.raises(ServiceError, match="is `crossword serve` running") as caught:
            client.guess([CAT])
        assert caught.value.status is None


def test_the_async_client_does_the_same(service: Running) -> None:
    async def everything() -> None:
        seen: list[Progress] = []
        async with AsyncClient(service.url) as client:
            assert await client.is_ready()
            [[guess]] = await client.guess([CAT])
            assert guess.answer == "CAT"
            assert (await client.solve(square())).fill == square().solution
            slow = await client.solve(titled("slow"), seconds=0.5, on_progress=seen.append)
            assert slow.status == "timeout" and seen
            assert (await client.read(dump(square(), "puz").data)).clues == square().clues
            assert await client.convert(square(), "puz") == dump(square(), "puz")
            assert (await client.models())["solver"] == "scripted"
            name = (await client.examples())[0]
            assert (await client.example(name)).has_solution
            with pytest.raises(ServiceError) as caught:
                await client.solve(b"no puzzle")
            assert caught.value.status == 415

    asyncio.run(everything())


def test_cancelling_a_task_stops_the_work(service: Running) -> None:
    async def leave() -> None:
        async with AsyncClient(service.url) as client:
            task = asyncio.create_task(client.solve(titled("slow"), seconds=20.0))
            while not service.pool.lanes["solve"].running:
                await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(leave())
    until(lambda: not service.pool.lanes["solve"].running, 3.0)


@contextmanager
def answering(reply: bytes) -> Iterator[str]:
    """A server that gives one answer to everything and hangs up."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.wfile.write(reply)

        def log_message(self, *arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


STREAM = b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
PROGRESS = b'event: progress\ndata: {"fill": {}, "confidence": {}, "stage": "s", "fraction": 0}\n\n'
BUSY = b"HTTP/1.0 503 Busy\r\nRetry-After: 7\r\n\r\n" + b'{"detail": "16 requests wait"}'


def test_a_stream_that_is_cut_off_is_an_error_and_no_solution() -> None:
    seen: list[Progress] = []

    async def ask(url: str) -> None:
        async with AsyncClient(url) as client:
            await client.solve(square(), on_progress=seen.append)

    with answering(STREAM + PROGRESS) as url:
        with Client(url) as client, pytest.raises(ServiceError, match="before the result"):
            client.solve(square(), on_progress=seen.append)
        with pytest.raises(ServiceError, match="before the result"):
            asyncio.run(ask(url))
    assert len(seen) == 2


def test_a_busy_service_says_when_to_come_again() -> None:
    with answering(BUSY) as url, Client(url) as client:
        for on_progress in (None, lambda progress: None):
            with pytest.raises(ServiceError, match="16 requests wait") as caught:
                client.solve(square(), on_progress=on_progress)
            assert (caught.value.status, caught.value.retry_after_seconds) == (503, 7.0)
