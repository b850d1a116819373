"""The OpenAPI document, and Schemathesis against it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from serve.app import create_app
from serve.settings import Settings
from tests.serve.conftest import Running

PATHS = {
    "/v1/guess", "/v1/solve", "/v1/read", "/v1/convert", "/v1/models", "/v1/examples",
    "/v1/examples/{name}", "/v1/wordle/suggest", "/v1/wordle/review", "/v1/contexto/suggest",
    "/healthz", "/readyz", "/metrics",
}  # fmt: skip


def test_the_document_describes_every_call() -> None:
    document = create_app(Settings()).openapi()
    assert set(document["paths"]) == PATHS
    for path, item in document["paths"].items():
        for operation in item.values():
            assert operation["summary"]
            if path.startswith("/v1/"):
                problem = operation["responses"]["503"]["content"]
                assert set(problem) == {"application/problem+json"}
                assert "400" in operation["responses"]
    assert "Problem" in document["components"]["schemas"]


@pytest.mark.parametrize("path", ["/v1/guess", "/v1/models", "/v1/examples/a", "/healthz"])
@pytest.mark.parametrize("method", ["DELETE", "OPTIONS", "GET"])
def test_the_wrong_method_is_a_405_that_names_the_right_one(
    service: Running, path: str, method: str
) -> None:
    right = "POST" if path == "/v1/guess" else "GET"
    if method == right:
        pytest.skip("that is the right one")
    response = service.http.request(method, path)
    assert response.status_code == 405
    assert response.headers["allow"] == right
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.slow
def test_schemathesis_finds_no_5xx_and_nothing_that_the_document_does_not_say(
    playing_service: Running, tmp_path: Path
) -> None:
    pytest.importorskip("schemathesis")
    # Left out: that whatever fits a schema is accepted, as "a file" is more than a schema says.
    asked = subprocess.run(
        [
            str(Path(sys.executable).with_name("st")), "run", f"{playing_service.url}/openapi.json",
            "--max-examples", "5", "--seed", "5", "--phases", "examples,coverage,fuzzing",
            "--exclude-checks", "positive_data_acceptance", "--no-color",
        ],
        capture_output=True, text=True, timeout=240, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert asked.returncode == 0, asked.stdout[-4000:] + asked.stderr[-1000:]
    assert "Tested: 13" in asked.stdout
