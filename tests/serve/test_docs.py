"""The examples of docs/api.md, run as they stand."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.serve.conftest import Running

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "http://127.0.0.1:8000"


def blocks(language: str) -> list[str]:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def test_there_are_examples() -> None:
    assert len(blocks("sh")) >= 4
    assert blocks("python")


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
@pytest.mark.parametrize("number", range(len(blocks("sh"))))
def test_a_shell_example_works(roomy_service: Running, number: int) -> None:
    code = blocks("sh")[number].replace(ADDRESS, roomy_service.url)
    asked = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_a_python_example_works(
    roomy_service: Running, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(blocks("python")[number].replace(ADDRESS, roomy_service.url), names)
    assert names["puzzle"] is not None
