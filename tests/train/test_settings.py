"""Settings are typed; an unknown key is an error."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass, field

import pytest

from crossword.errors import DataError
from train.settings import add_flags, assignments, resolve


@dataclass(frozen=True)
class Knobs:
    size: int = field(default=3, metadata={"help": "how big"})
    rate: float = 0.5
    name: str = "plain"
    loud: bool = False


def test_text_becomes_the_type_of_the_field() -> None:
    made = resolve(Knobs, {"size": "7", "rate": "0.25", "loud": "yes"})
    assert made == Knobs(size=7, rate=0.25, loud=True)
    assert resolve(Knobs, {}) == Knobs()


def test_an_unknown_key_lists_the_known_ones() -> None:
    with pytest.raises(DataError, match=r"no setting tfidf\.colour; there are: size, rate"):
        resolve(Knobs, {"colour": 1}, "tfidf")


@pytest.mark.parametrize("given", [{"size": "big"}, {"rate": "x"}, {"loud": "perhaps"}])
def test_a_value_of_another_type_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(DataError):
        resolve(Knobs, given)


def test_every_setting_is_a_flag() -> None:
    parser = ArgumentParser()
    add_flags(parser, Knobs)
    chosen = vars(parser.parse_args(["--size", "9", "--loud"]))
    assert chosen == {"size": 9, "rate": 0.5, "name": "plain", "loud": True}
    assert "how big (default: 3)" in parser.format_help()


def test_assignments_are_grouped_by_part() -> None:
    assert assignments(["tfidf.min_df=3", "run.seed=1", "tfidf.reverse=no"]) == {
        "tfidf": {"min_df": "3", "reverse": "no"},
        "run": {"seed": "1"},
    }


@pytest.mark.parametrize("text", ["min_df=3", "tfidf.min_df", ".x=1", "tfidf.=1"])
def test_an_assignment_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"part\.key=value"):
        assignments([text])
