from __future__ import annotations

import io

import pytest
from rich.console import Console

from crossword.puzzle import parse
from crossword.view import draw, wide
from tests.grids import square


def shown(text: object, **options: object) -> str:
    file = io.StringIO()
    Console(file=file, width=80, **options).print(text)  # type: ignore[arg-type]
    return file.getvalue()


def test_letters_are_double_width_with_blocks_voids_and_blanks() -> None:
    puzzle = parse("C.#\nA~.")
    assert shown(draw(puzzle)) == "Ｃ＿██\nＡ\u3000＿\n"


def test_every_row_is_as_wide_as_the_grid() -> None:
    from rich.cells import cell_len

    puzzle = parse("C.#\nA~.").with_letters({(0, 1): "HEART", (1, 2): "ER"})
    assert [cell_len(row) for row in draw(puzzle).plain.splitlines()] == [6, 6]


@pytest.mark.parametrize(
    ("text", "sign"),
    [("A", "Ａ"), ("7", "７"), ("ER", "ER"), ("HEART", "H+"), ("", "＿"), ("É", "É")],
)
def test_contents_of_a_cell_in_two_columns(text: str, sign: str) -> None:
    assert wide(text) == sign


def test_right_is_green_and_wrong_is_red_in_a_terminal() -> None:
    fill = {(0, 0): "C", (0, 1): "X"}
    text = shown(draw(square(), fill), force_terminal=True, color_system="standard")
    assert "\x1b[1;32mＣ" in text
    assert "\x1b[1;31mＸ" in text


def test_unsure_is_yellow_where_no_solution_is_known() -> None:
    puzzle = square().without_answers()
    fill = {(0, 0): "C", (0, 1): "A"}
    text = shown(
        draw(puzzle, fill, {(0, 0): 0.9, (0, 1): 0.1}),
        force_terminal=True,
        color_system="standard",
    )
    assert "\x1b[33mＡ" in text
    assert "\x1b[33mＣ" not in text


def test_no_color_and_pipes_get_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw(square(), square().solution)
    assert "\x1b[" not in shown(picture)
    monkeypatch.setenv("NO_COLOR", "1")
    coded = shown(picture, force_terminal=True, color_system="standard")
    assert "32m" not in coded and "31m" not in coded
