"""What Prometheus may ask: requests, latencies, solves in flight, queues, workers, the model."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector

from crossword import __version__
from serve.pool import Pool

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# From a cached page to the longest solve; the classic steps, widened at the top.
_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80)


class Metrics:
    """A registry of this application's own, so that several can live in one process."""

    def __init__(self, pool: Pool) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "crossword_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.latency = Histogram(
            "crossword_request_seconds",
            "Time until the last byte was sent.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.registry.register(_PoolCollector(pool))
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, str(status)).inc()
        self.latency.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class _PoolCollector(Collector):
    """Reads the pool when asked, so that no figure can fall out of step."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def collect(self) -> list[GaugeMetricFamily | CounterMetricFamily | InfoMetricFamily]:
        def gauge(name: str, about: str) -> GaugeMetricFamily:
            return GaugeMetricFamily(f"crossword_{name}", about, labels=["lane"])

        running = gauge("jobs_in_flight", "Jobs that a worker has; lane 'solve' is solves.")
        waiting = gauge("jobs_queued", "Jobs that wait for a worker.")
        limit = gauge("queue_limit", "Jobs that may wait.")
        alive = gauge("workers", "Workers that are up.")
        died = CounterMetricFamily(
            "crossword_workers_replaced", "Workers that died or were ended.", labels=["lane"]
        )
        for name, lane in self._pool.lanes.items():
            running.add_metric([name], len(lane.running))
            waiting.add_metric([name], len(lane.waiting))
            limit.add_metric([name], lane.limit)
            alive.add_metric([name], lane.alive)
            died.add_metric([name], lane.died)
        about = {
            "version": __version__,
            "guesser": self._pool.settings.guesser,
            "solver": self._pool.settings.solver,
            "model": self._pool.model or "",
        }
        info = InfoMetricFamily("crossword_model", "What guesses and solves.", value=about)
        return [running, waiting, limit, alive, died, info]
