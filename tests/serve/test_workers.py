"""Queues, and processes that die."""

from __future__ import annotations

import gc
import os
import signal
import weakref
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.serve.conftest import Running, titled, until
from tests.serve.test_solve import FILL


def solve(service: Running, title: str, seconds: float = 2.0) -> httpx.Response:
    return httpx.post(
        f"{service.url}/v1/solve?seconds={seconds}", content=titled(title), timeout=30.0
    )


def test_past_the_queue_there_is_a_503_and_nothing_is_lost(service: Running) -> None:
    lane = service.pool.lanes["solve"]
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(solve, service, "slow", 1.5)
        until(lambda: len(lane.running) == 1)
        queued = [threads.submit(solve, service, "any") for _ in range(2)]
        until(lambda: len(lane.waiting) == 2)
        refused = solve(service, "any")
        assert refused.status_code == 503
        assert refused.json()["type"] == "urn:problem:crossword:queue-full"
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        guessed = httpx.post(
            f"{service.url}/v1/guess", json={"queries": [{"clue": "x", "pattern": "..."}]}
        )
        assert guessed.status_code == 200, "a guess never waits behind solves"
        assert first.result().json()["status"] == "timeout"
        assert [job.result().json()["fill"] for job in queued] == [FILL, FILL]


def test_who_leaves_the_queue_makes_room(service: Running) -> None:
    lane = service.pool.lanes["solve"]
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(solve, service, "slow", 1.0)
        until(lambda: len(lane.running) == 1)
        try:
            httpx.post(f"{service.url}/v1/solve", content=titled("any"), timeout=0.3)
        except httpx.ReadTimeout:
            pass
        else:
            raise AssertionError("it should have waited")
        until(lambda: not lane.waiting, 0.5)
        first.result()


def test_a_job_that_is_done_is_not_kept(service: Running) -> None:
    lane = service.pool.lanes["solve"]
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(solve, service, "slow", 0.3)
        until(lambda: len(lane.running) == 1)
        job = weakref.ref(next(iter(lane.running)))
        assert running.result().status_code == 200

    def forgotten() -> bool:
        gc.collect()
        return job() is None

    solve(service, "any")  # what a worker's task last had in hand is another job now
    until(forgotten)


def test_a_worker_killed_in_mid_solve_costs_one_clean_500(service: Running) -> None:
    lane = service.pool.lanes["solve"]
    died = lane.died
    with ThreadPoolExecutor(2) as threads:
        hit = threads.submit(solve, service, "slow", 10.0)
        until(lambda: any(job.worker for job in lane.running))
        queued = threads.submit(solve, service, "any")
        until(lambda: len(lane.waiting) == 1)
        [job] = lane.running
        assert job.worker is not None
        os.kill(job.worker.pid, signal.SIGKILL)
        response = hit.result()
        assert response.status_code == 500
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["type"] == "urn:problem:crossword:worker-died"
        assert queued.result().json()["fill"] == FILL
    assert lane.died == died + 1
    assert service.metric('crossword_workers_replaced_total{lane="solve"}') == lane.died


def test_an_idle_worker_that_is_killed_is_replaced(service: Running) -> None:
    lane = service.pool.lanes["solve"]
    died = lane.died
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(solve, service, "slow", 0.3)
        until(lambda: any(job.worker for job in lane.running))
        [job] = lane.running
        assert job.worker is not None
        pid = job.worker.pid
        assert running.result().status_code == 200
    os.kill(pid, signal.SIGKILL)
    until(lambda: lane.died == died + 1 and lane.alive == 1)
    assert solve(service, "any").json()["fill"] == FILL


def test_a_nursery_that_is_killed_is_replaced_when_it_is_needed(service: Running) -> None:
    link = service.pool._link
    assert link is not None
    os.kill(link.pid, signal.SIGKILL)
    assert solve(service, "any").json()["fill"] == FILL, "workers outlive it"
    lane = service.pool.lanes["solve"]
    with ThreadPoolExecutor(1) as threads:
        hit = threads.submit(solve, service, "slow", 10.0)
        until(lambda: any(job.worker for job in lane.running))
        [job] = lane.running
        assert job.worker is not None
        os.kill(job.worker.pid, signal.SIGKILL)
        assert hit.result().status_code == 500
    assert solve(service, "any").json()["fill"] == FILL, "it waited for the new nursery"
    assert service.pool._link is not link
