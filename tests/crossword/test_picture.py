from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from crossword.picture import svg, tint
from crossword.puzzle import Grid, Puzzle, parse
from tests.grids import square

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_letters_and_numbers_are_drawn() -> None:
    found = texts(svg(square(), square().solution))
    assert "".join(t for t in found if t.isalpha()) == "CATOREBEN"
    assert [t for t in found if t.isdigit()] == ["1", "2", "3", "4", "5"]


def test_cells_are_tinted_by_confidence_and_a_scale_is_drawn() -> None:
    picture = svg(square(), {(0, 0): "C", (0, 1): "A"}, {(0, 0): 1.0, (0, 1): 0.0})
    assert f'fill="{tint(1.0)}"' in picture
    assert f'fill="{tint(0.0)}"' in picture
    assert "unsure" in texts(picture)
    assert "unsure" not in texts(svg(square(), {(0, 0): "C"}))


@pytest.mark.parametrize(("share", "same_as"), [(-1.0, 0.0), (7.0, 1.0)])
def test_tints_stay_on_the_scale(share: float, same_as: float) -> None:
    assert tint(share) == tint(same_as)
    assert tint(0.5) == "#ffffff"


def test_wrong_letters_are_marked_only_where_the_solution_is_known() -> None:
    wrong = {(0, 0): "X"}
    assert svg(square(), wrong).count("#c1121f") == 1
    assert svg(square(), {(0, 0): "C"}).count("#c1121f") == 0
    assert svg(square().without_answers(), wrong).count("#c1121f") == 0


def test_titles_and_letters_are_escaped() -> None:
    puzzle = replace(parse("..."), title="<script>&\x00", fill={(0, 0): "<&>"})
    root = ElementTree.fromstring(svg(puzzle))
    assert root.findtext(f"{SVG}title") == "<script>&"
    assert "<&>" in texts(svg(puzzle))


def test_voids_bars_and_circles() -> None:
    grid = Grid(("..~", "..."), frozenset({((0, 0), "A"), ((0, 1), "D")}))
    puzzle = Puzzle(grid, circles=frozenset({(1, 1)}))
    root = ElementTree.fromstring(svg(puzzle))
    assert len(root.findall(f"{SVG}rect")) == 1 + 5  # the ground, and the cells without the void
    assert len(root.findall(f"{SVG}circle")) == 1
    assert len(root.findall(f"{SVG}path")) == 2
