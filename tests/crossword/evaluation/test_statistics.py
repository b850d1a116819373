from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from crossword.evaluation.page import page, plots
from crossword.evaluation.statistics import Collection, English, statistics, zipf_fit
from crossword.puzzle import parse
from tests.grids import square

ENGLISH = English(frozenset({"CAT", "ORE", "TEN"}), frozenset({"A", "CAT", "TEN", "OR", "SO"}))


def collected() -> Collection:
    collection = Collection()
    collection.add(replace(square(), date="2023-01-02"))
    collection.add(parse("CAT", {"1A": "Pet that purrs"}, solved=True))
    return collection


def test_answers_lengths_and_weekdays_are_counted() -> None:
    figures = statistics(collected(), ENGLISH)
    assert figures["puzzles"] == 2
    assert figures["commonest"][0] == ["CAT", 2]
    assert figures["answers"] == 7
    assert figures["distinct_answers"] == 6
    assert figures["lengths"] == {"3": 7}
    assert figures["weekdays"] == {"Monday": 1, "undated": 1}
    assert figures["sizes"] == {"3×3": 1, "1×3": 1}


def test_the_same_solved_grid_counts_once() -> None:
    collection = collected()
    assert collection.add(replace(square(), title="Again")) is False
    assert (collection.puzzles, collection.repeats) == (2, 1)


def test_shares_of_word_sequences_sum_to_one() -> None:
    english = statistics(collected(), ENGLISH)["english"]
    assert english["1"] == {"distinct": pytest.approx(3 / 6), "used": pytest.approx(4 / 7)}
    for key in ("distinct", "used"):
        assert sum(shares[key] for shares in english.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("answer", "words"),
    [("CAT", 1), ("SOCAT", 2), ("ACAT", 2), ("TENORCAT", 3), ("TENORACAT", 0), ("XCAT", 0)],
)
def test_an_answer_counts_as_the_fewest_words_that_make_it(answer: str, words: int) -> None:
    assert ENGLISH.words(answer) == words


def test_common_english_knows_words_and_phrases_but_not_noise() -> None:
    english = English.common()
    assert english.words("TREE") == 1
    assert english.words("ICECOLD") == 2
    assert english.words("ONTHEGO") == 3
    assert english.words("QXJZKV") == 0


def test_the_exponent_of_a_true_zipf_law_is_found() -> None:
    counts = [round(1e7 / rank**0.8) for rank in range(1, 2001)]
    assert zipf_fit(counts) == (pytest.approx(0.8, abs=0.01), pytest.approx(1e7, rel=0.02))
    assert zipf_fit([3, 2, 1]) is None


class Sources(HTMLParser):
    """Everything that a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found += [value or "" for key, value in attrs if key in ("src", "href")]


def test_the_page_holds_all_its_pictures_itself() -> None:
    collection = collected()
    text = page(statistics(collection, ENGLISH), list(collection.answers.values()), "A <b> title")
    sources = Sources()
    sources.feed(text)
    assert len(sources.found) == 6
    assert all(source.startswith("data:image/png;base64,") for source in sources.found)
    assert "b" not in sources.tags


def test_plots_are_pngs() -> None:
    collection = collected()
    pictures = plots(statistics(collection, ENGLISH), list(collection.answers.values()))
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())
