"""Every dependency is locked with hashes and has its reason in docs/dependencies.md."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {key: names for key, names in PROJECT["optional-dependencies"].items() if key != "all"}
# playwright comes with a browser's version, so `make test-browser` takes the newest.
UNLOCKED = {"browser"}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=;\[ ]", text, maxsplit=1)[0].lower() for text in requirements}


def locked(file: str) -> dict[str, int]:
    """The pinned packages of a lock file, each with the number of its hashes."""
    pins = re.split(r"^(?=[a-z0-9])", (ROOT / file).read_text(encoding="utf-8"), flags=re.M)
    return {pin.partition("==")[0]: pin.count("--hash=sha256:") for pin in pins[1:] if "==" in pin}


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("requirements-base.lock", names(PROJECT["dependencies"])),
        (
            "requirements.lock",
            names(PROJECT["dependencies"]).union(
                *(names(some) for key, some in EXTRAS.items() if key not in {"bench", *UNLOCKED})
            ),
        ),
        ("requirements-bench.lock", names(EXTRAS["bench"])),
    ],
)
def test_what_the_project_asks_for_is_locked_with_hashes(file: str, wanted: set[str]) -> None:
    pins = locked(file)
    assert wanted <= set(pins)
    assert all(pins.values()), "a pin without a hash"


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    tables = " ".join(line.lower() for line in text.splitlines() if line.startswith("|"))
    wanted = names(PROJECT["dependencies"]).union(*map(names, EXTRAS.values()))
    told = set(re.split(r"[|, ]+", tables))
    assert wanted - told - {"httptools", "uvloop"} == set()
    assert "httptools and uvloop" in text
