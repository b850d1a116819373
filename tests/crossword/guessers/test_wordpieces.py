"""Clues cut into pieces, as the library tokenizers cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossword.guessers.wordpieces import MAX_PIECES, WordPieces
from crossword.text import normalise_clue

LISTED = [
    "[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz0123456789?!.,'\"-_&",
    *("##" + letter for letter in "abcdefghijklmnopqrstuvwxyz0123456789"),
    "pet", "purr", "##ing", "house", "##hold", "the",
]  # fmt: skip


def library_ids(clue: str) -> list[int]:
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {piece: i for i, piece in enumerate(LISTED)}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    found: list[int] = made.encode(normalise_clue(clue) or "?").ids
    return found


def test_a_word_falls_into_the_longest_pieces() -> None:
    pieces = WordPieces(LISTED)
    found = [LISTED[i] for i in pieces.ids("Purring household")]
    assert found == ["[CLS]", "purr", "##ing", "house", "##hold", "[SEP]"]


@pytest.mark.parametrize(
    "clue", ["Purring pet?", "___-di-dah", 'Café\u2019s "gift"', "R&B, e.g.", "", "1999 1/2", "ж"]
)
def test_it_cuts_as_the_library_does(clue: str) -> None:
    assert WordPieces(LISTED).ids(clue)[1:-1] == library_ids(clue)


@given(
    st.text(
        st.characters(categories=("Lu", "Ll", "Nd", "Zs", "Po", "Pd"), max_codepoint=0x17F),
        max_size=60,
    )
)
def test_it_cuts_any_latin_text_as_the_library_does(clue: str) -> None:
    theirs = library_ids(clue)[: MAX_PIECES - 2]
    assert WordPieces(LISTED).ids(clue)[1:-1] == theirs


def test_a_clue_without_end_is_cut_short() -> None:
    assert len(WordPieces(LISTED).ids("pet " * 5000)) == MAX_PIECES
