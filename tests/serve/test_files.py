"""Reading, converting, the examples, the page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from crossword.formats import dump, load, names
from crossword.puzzle import parse
from serve.app import STATIC
from tests.grids import square
from tests.serve.conftest import Running


@pytest.mark.parametrize("suffix", ["puz", "ipuz", "jpz", "xd"])
def test_any_file_is_read_as_ipuz(service: Running, suffix: str) -> None:
    response = service.http.post(f"/v1/read?name=a.{suffix}", content=dump(square(), suffix).data)
    assert response.status_code == 200
    puzzle = load(response.content, "a.ipuz")
    assert puzzle.solution == square().solution
    assert puzzle.clues == square().clues


def test_what_is_odd_about_a_file_is_told(service: Running) -> None:
    file = dump(square().without_answers(), "ipuz").data
    told = service.http.post("/v1/read", content=file).json()
    assert told["crossword:notices"] == ["the file has no solution"]


@pytest.mark.parametrize("to", names(writable=True))
def test_a_file_is_converted_to_every_format(service: Running, to: str) -> None:
    file = dump(square(), "ipuz").data
    response = service.http.post(f"/v1/convert?to={to}&name=monday.ipuz", content=file)
    assert response.status_code == 200
    assert response.content == dump(square(), to).data
    assert response.headers["content-disposition"] == f'attachment; filename="monday.{to}"'
    assert isinstance(json.loads(response.headers["x-dropped"]), list)


def test_what_a_format_cannot_hold_is_in_a_header(service: Running) -> None:
    from dataclasses import replace

    puzzle = replace(square(), shaded=frozenset({(0, 0)}))
    expected = dump(puzzle, "puz").dropped
    assert expected
    response = service.http.post("/v1/convert?to=puz", content=dump(puzzle, "ipuz").data)
    assert tuple(json.loads(response.headers["x-dropped"])) == expected


def test_a_name_cannot_break_out_of_its_header(service: Running) -> None:
    file = dump(parse("AB\nCD", solved=True), "ipuz").data
    response = service.http.post(
        "/v1/convert", params={"to": "xd", "name": '../a"\r\nX-Bad: 1;é.ipuz'}, content=file
    )
    assert response.status_code == 200
    assert "x-bad" not in response.headers
    assert re.fullmatch(r'attachment; filename="[\w .-]+\.xd"',
                        response.headers["content-disposition"])  # fmt: skip


def test_every_example_can_be_opened(service: Running) -> None:
    listed = service.http.get("/v1/examples").json()["examples"]
    assert len(listed) >= 10
    for entry in listed:
        response = service.http.get(f"/v1/examples/{entry['name']}")
        puzzle = load(response.content, "a.ipuz")
        assert (puzzle.grid.width, puzzle.grid.height) == (entry["width"], entry["height"])
        assert len(puzzle.clues) == entry["clues"]


@pytest.mark.parametrize("name", ["nothing", "..%2f..%2fpyproject.toml", "README"])
def test_an_unknown_example_is_a_404(service: Running, name: str) -> None:
    response = service.http.get(f"/v1/examples/{name}")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"


class Inline(HTMLParser):
    """Finds what the content security policy would block."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or (tag == "script" and not given.get("src")):
            self.found.append(tag)
        self.found += [name for name in given if name == "style" or name.startswith("on")]
        for name in ("src", "href"):
            if (given.get(name) or "").startswith(("http:", "https:", "//")) and tag != "a":
                self.found.append(f"{tag} {given[name]}")


@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the page isn't made yet")
def test_the_page_is_served_and_keeps_to_its_policy(service: Running) -> None:
    response = service.http.get("/")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    assert "unsafe" not in response.headers["content-security-policy"]
    assert response.headers["cache-control"] == "no-cache"
    inline = Inline()
    inline.feed(response.text)
    assert inline.found == []


def test_nothing_outside_the_page_is_served(service: Running) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/nothing.html"):
        response = service.http.get(path)
        assert response.status_code == 404
        assert response.headers["content-type"] == "application/problem+json"
