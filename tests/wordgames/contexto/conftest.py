"""A tiny world: 60 made-up words on a circle, so that ranks can be checked by eye."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from wordgames.contexto.judge import Game
from wordgames.contexto.knowledge import BINS, Model, thresholds
from wordgames.contexto.vectors import Vectors

SIZE = 60
WORDS = tuple(f"w{i:02d}" for i in range(SIZE))


def circle(shift: float = 0.0) -> Vectors:
    """Word i at angle 6 i degrees; neighbours on the circle are neighbours in meaning."""
    angles = 2 * np.pi * (np.arange(SIZE) + shift * np.sin(np.arange(SIZE))) / SIZE
    return Vectors(WORDS, np.stack([np.cos(angles), np.sin(angles)], 1).astype(np.float32))


def made_model() -> Model:
    vectors = circle()
    bias = np.zeros(SIZE, np.float32)
    likelihood = np.eye(BINS) * 0.9 + 0.1 / BINS
    prior = np.full(SIZE, -np.log(SIZE))
    return Model(WORDS, vectors.matrix, bias, prior, thresholds(vectors.matrix, bias), likelihood)


@pytest.fixture
def model() -> Model:
    return made_model()


@pytest.fixture
def judge_vectors() -> Vectors:
    return circle(0.3)


@pytest.fixture
def games() -> list[Game]:
    """Word 7 with its six nearest on a real list, and word 40 with the target alone."""
    return [Game(7, ("w07", "w08", "w06", "w09", "w05", "w10", "w04")), Game(40, ("w40",))]


@pytest.fixture
def games_file(tmp_path: Path, games: list[Game]) -> Path:
    path = tmp_path / "games.jsonl"
    lines = [json.dumps({"game": g.number, "ranked": {"words": g.words}}) for g in games]
    path.write_text("\n".join(lines))
    return path


class Server:
    """The game's HTTP interface on this machine; `trouble` are statuses to answer first."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.trouble: list[int] = []
        self.body: bytes | None = None
        self.target = "w07"
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                status, body = outer.answer(self.path.rsplit("/", 1)[-1])
                self.send_response(status)
                self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.http.server_address[1]}/en/game"

    def answer(self, word: str) -> tuple[int, bytes]:
        if self.trouble:
            return self.trouble.pop(0), b"{}"
        if self.body is not None:
            return 200, self.body
        if word not in WORDS:
            return 404, b'{"error": "I do not know this word"}'
        steps = abs(WORDS.index(word) - WORDS.index(self.target))
        steps = min(steps, SIZE - steps)
        ahead = (WORDS.index(word) - WORDS.index(self.target)) % SIZE <= SIZE // 2
        distance = 2 * steps - (1 if ahead and steps else 0)
        return 200, json.dumps({"word": word, "lemma": word, "distance": distance}).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.http.shutdown()
    thread.join()
    server.http.server_close()
