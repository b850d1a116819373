"""The normaliser: the same for every clue and answer, and stable when applied twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossword.text import KINDS, fold, kind_of, normalise_answer, normalise_clue, tokens


@given(st.text())
def test_an_answer_is_capitals_only_and_stays_so(text: str) -> None:
    answer = normalise_answer(text)
    assert all("A" <= letter <= "Z" for letter in answer)
    assert normalise_answer(answer) == answer


@given(st.text())
def test_a_clue_is_one_line_without_blanks_at_its_ends(text: str) -> None:
    clue = normalise_clue(text)
    assert clue == clue.strip()
    assert not set(clue) & set("\n\r\t‘’“”–—…")
    assert kind_of(text) in KINDS


@given(st.text(alphabet=st.characters(blacklist_characters="&<")))
def test_a_clue_without_markup_is_stable(text: str) -> None:
    clue = normalise_clue(text)
    assert normalise_clue(clue) == clue


@given(st.text())
def test_tokens_are_lower_case_and_the_same_for_the_normalised_clue(text: str) -> None:
    found = tokens(text)
    assert all(token == token.lower() and token for token in found)


@given(st.text())
def test_folding_twice_changes_no_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Let's go!", "LETSGO"),
        ("Café au lait", "CAFEAULAIT"),
        ("Æsir", "AESIR"),
        ("straße", "STRASSE"),
        ("R2-D2", "RD"),
        ("ŁÓDŹ", "LODZ"),
        ("", ""),
    ],
)
def test_answers_are_folded(text: str, answer: str) -> None:
    assert normalise_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("“Not  so fast” — he", '"Not so fast" - he'),
        ("<i>Dune</i> &amp; others", "Dune & others"),
        ("____ de plume", "___ de plume"),
        ("_ _ _ de plume", "___ de plume"),
        ("a < b", "a < b"),
        ("Line<br/>break\n", "Linebreak"),
        ("One…", "One..."),
    ],
)
def test_clues_are_unified(text: str, clue: str) -> None:
    assert normalise_clue(text) == clue


@pytest.mark.parametrize(
    ("clue", "kind"),
    [
        ("See 17-Across", "reference"),
        ("With 4-Down, a pet", "reference"),
        ("___ Jima", "blank"),
        ("Current leader?", "question"),
        ("Friend (Fr.)", "specifier"),
        ("Road: Abbr.", "specifier"),
        ("Purring pet", "plain"),
        ("____?", "blank"),
    ],
)
def test_kinds_of_clues(clue: str, kind: str) -> None:
    assert kind_of(clue) == kind


def test_tokens_keep_blanks_and_telling_signs() -> None:
    assert tokens("Isn't ___ #1 & 50%?") == ["isn't", "___", "#", "1", "&", "50", "%", "?"]
