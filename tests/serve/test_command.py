"""`crossword serve` as a process: it starts, says where it is, and stops cleanly."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.serve.conftest import titled, until

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import sys
from serve.server import listen, run
from tests.serve.conftest import QUICK
sock = listen(QUICK)
address = f"http://127.0.0.1:{sock.getsockname()[1]}"
run(QUICK, sock, lambda: sys.stderr.write(f"Ready: {address}\\n") and sys.stderr.flush())
"""


@contextmanager
def serving() -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", CODE],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    assert process.stderr is not None
    try:
        url = ""
        for line in process.stderr:
            if found := re.search(r"Ready: (http://\S+)", line):
                url = found[1]
                break
        yield process, url
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def children(pid: int) -> list[int]:
    """The processes below one, by Linux' own account."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == pid:
                found += [int(entry.name), *children(int(entry.name))]
    return found


def is_alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_it_stops_on_sigterm_with_an_answer_for_what_was_under_way() -> None:
    with serving() as (process, url):
        assert httpx.get(f"{url}/readyz").status_code == 200
        below = children(process.pid)
        assert len(below) == 4  # a nursery, a solver, two for the rest
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(
                httpx.post, f"{url}/v1/solve?seconds=15", content=titled("slow"), timeout=30.0
            )
            until(lambda: 'in_flight{lane="solve"} 1.0' in httpx.get(f"{url}/metrics").text)
            began = time.monotonic()
            os.killpg(process.pid, signal.SIGTERM)  # all of them, as systemd does
            response = running.result()
        assert response.status_code == 200
        assert response.json()["status"] == "cancelled"
        assert process.wait(15) in (0, -signal.SIGTERM)
        assert time.monotonic() - began < 8.0
        until(lambda: not any(map(is_alive, below)), 5.0)


def test_killed_outright_it_leaves_no_process_behind() -> None:
    with serving() as (process, _):
        below = children(process.pid)
        assert below
        os.kill(process.pid, signal.SIGKILL)
        until(lambda: not any(map(is_alive, below)), 5.0)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "crossword.cli", "serve", *arguments],
        capture_output=True, text=True, cwd=ROOT, timeout=180, check=False,
    )  # fmt: skip


def test_a_model_that_is_not_there_ends_it_with_one_line(tmp_path: Path) -> None:
    asked = run("--port", "0", "--model", str(tmp_path / "none"))
    assert asked.returncode == 2
    assert "crossword: there is no model folder" in asked.stderr
    assert "Traceback" not in asked.stderr


def test_a_port_in_use_is_said_in_one_line() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        asked = run("--port", str(taken.getsockname()[1]))
    assert asked.returncode == 2
    assert "can't listen on 127.0.0.1" in asked.stderr


@contextmanager
def started(*arguments: str) -> Iterator[str]:
    """`crossword serve` with these arguments: everything that it says until it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "crossword.cli", "serve", "--port", "0", "--workers", "1",
         "--no-word-games", *arguments],
        stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    assert process.stderr is not None
    said = ""
    try:
        for line in process.stderr:
            said += line
            if "Ready:" in line:
                break
        yield said
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()


PLUGIN = ("--plugin", "tests.serve.plugin")


def test_a_plugin_brings_the_guesser_and_the_solver_that_are_named() -> None:
    with started(*PLUGIN, "--guesser", "square", "--solver", "scripted") as said:
        assert "Warming up" in said
        found = re.search(r"Ready: (http://\S+?)/ ", said)
        assert found, said
        told = httpx.get(f"{found[1]}/v1/models").json()
        assert (told["guesser"], told["solver"]) == ("square", "scripted")
        assert "square" in told["guessers"] and "scripted" in told["solvers"]
        response = httpx.post(f"{found[1]}/v1/solve", content=titled("any"))
        assert response.json()["status"] == "solved"


def test_a_name_that_nothing_brings_ends_it_with_the_names_that_there_are() -> None:
    for plugin in ((), PLUGIN):
        asked = run("--port", "0", *plugin, "--guesser", "nobody")
        assert asked.returncode == 2
        assert "nobody" in asked.stderr and "hybrid" in asked.stderr
        assert ("square" in asked.stderr) == bool(plugin)
        assert "Traceback" not in asked.stderr
