"""The vocabulary is built from a made-up language, so that what should rank high is known."""

from __future__ import annotations

import gzip
import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from crossword.errors import DataError
from crossword.lexicon import SEEN
from crossword.phrases import PhraseModel
from train.gathering import answers_of, gather
from train.inflections import forms, inflected
from train.phrases import Evidence, PhraseSettings, learn, split_words
from train.vocabulary import VocabularySettings, build
from train.wordlists import Sourced, read_list, sourced

SMALL = PhraseSettings(words=6_000, pairs=5_000)


@pytest.fixture(scope="module")
def phrases() -> PhraseModel:
    """Learned from a few phrases; ROOFTOP BAR is never among them."""
    evidence = Evidence(
        {"ROOFTOP": 3, "WINEBAR": 2, "TOPBAR": 1, "ONTHEROOF": 2},
        listed=["BARONTHEROOF"],
        phrases=["roof top", "roof garden", "wine bar", "roof bar", "roof tops", "wine list"],
        texts=[["The bar on the roof is open", "on the roof of the house", "the bar"]],
        bigrams=[[("the roof", 900.0), ("the bar", 800.0)]],
    )
    return learn(evidence, SMALL)


def test_words_of_a_phrase_lose_case_and_apostrophes() -> None:
    assert split_words("One's Own Café — 3 times") == ["ones", "own", "cafe", "times"]


def test_the_phrase_model_prefers_phrases_like_those_it_saw(phrases: PhraseModel) -> None:
    likely, unlikely = phrases.log_prob(["WINEBARONTHEROOF", "ROOFTHEONBARWINE"])
    assert likely > unlikely + 5
    assert phrases.segment(["ONTHEROOF"]) == [("ON", "THE", "ROOF")]


def test_the_phrase_model_sums_to_one_over_what_may_follow(phrases: PhraseModel) -> None:
    for word in ("THE", "ROOF", "WINE"):
        k = phrases.words.index(word)
        pairs = slice(phrases.rows[k], phrases.rows[k + 1])
        backed = np.exp(phrases.backoff_log[k] + phrases.alone_log.astype(float))
        backed[phrases.columns[pairs]] = np.exp(phrases.pair_log[pairs])
        assert backed.sum() + math.exp(phrases.end_log[k]) == pytest.approx(1, abs=0.02)


def test_forms_and_phrases_are_inflected(phrases: PhraseModel) -> None:
    assert {"pulls", "pulled", "pulling"} <= forms("pull")
    made = inflected({"WINEBAR": 2.0}, phrases)
    assert "WINEBARS" in made
    assert "WINEBAR" not in made


def test_reads_lists_with_and_without_scores(tmp_path: Path) -> None:
    path = tmp_path / "words-own.txt.gz"
    path.write_bytes(gzip.compress(b"Rooftop Bar;60\nteapot\nTeapot;20\nab\n"))
    found = read_list(path)
    assert found.name == "own"
    assert found.weights == {"ROOFTOPBAR": 60.0, "TEAPOT": 50.0}
    (tmp_path / "bad.gz").write_bytes(b"nothing of the kind")
    with pytest.raises(DataError, match=r"bad\.gz"):
        read_list(tmp_path / "bad.gz")


def made_up() -> tuple[dict[str, int], frozenset[str], list[Sourced]]:
    """Words in both lists are used sooner or later; words in one list alone never are."""
    both = ["".join(w) for w in itertools.product("BDF", "AEI", "LMN", "AEO", "RST", "AE")]
    noise = ["".join(w) for w in itertools.product("KGV", "UOI", "ZCX", "UOI", "PKQ", "UY")]
    recent = frozenset(both[::3])
    return (
        dict.fromkeys([*both[1::3], *recent], 1),
        recent,
        [
            Sourced("jones", dict.fromkeys(both, 60.0)),
            sourced("ding", ((w.lower(), 1.0) for w in [*both, *noise])),
        ],
    )


def test_learns_which_words_are_used_next(phrases: PhraseModel) -> None:
    seen, recent, groups = made_up()
    table = build(seen, recent, groups[:1], groups[1:], phrases)
    prior = dict(zip(table.vocabulary, table.log_prior.tolist(), strict=True))
    unused = set(groups[0].weights) - set(seen)
    noise = set(groups[1].weights) - set(groups[0].weights)
    assert unused and noise <= set(prior)
    assert min(prior[w] for w in unused) > max(prior[w] for w in noise)


def test_keeps_every_seen_answer_and_the_likeliest_others(phrases: PhraseModel) -> None:
    seen, recent, groups = made_up()
    size = len(seen) + 40
    table = build(seen, recent, groups[:1], groups[1:], phrases, VocabularySettings(size=size))
    assert len(table) == size
    kept = set(table.vocabulary)
    assert set(seen) <= kept
    assert kept - set(seen) <= set(groups[0].weights)
    masks = dict(zip(table.vocabulary, table.sources.tolist(), strict=True))
    assert all(bool(mask & SEEN) == (word in seen) for word, mask in masks.items())
    assert table.source_names[:3] == ("seen", "jones", "ding")


def test_a_list_that_is_not_fitted_still_brings_its_words(phrases: PhraseModel) -> None:
    seen, recent, groups = made_up()
    late = Sourced("spread", {"TEAPOTLID": 50.0})
    table = build(seen, recent, [groups[0], late], groups[1:], phrases)
    prior = dict(zip(table.vocabulary, table.log_prior.tolist(), strict=True))
    assert prior["TEAPOTLID"] > prior["KUZUPU"]


def test_refuses_an_empty_corpus_or_one_without_dates(phrases: PhraseModel) -> None:
    with pytest.raises(DataError, match="empty"):
        build({}, frozenset(), [], [], phrases)
    with pytest.raises(DataError, match="no answers"):
        answers_of(iter(()))
    with pytest.raises(DataError, match="date"):
        answers_of(iter([("TEAPOT", "", "Brewer")]))


def test_recent_answers_are_those_first_used_in_the_last_two_years() -> None:
    rows = [
        ("TEAPOT", "2010-05-01", "Brewer"),
        ("TEAPOT", "2022-05-01", "Spouted vessel"),
        ("MATCHA", "2021-05-01", "Green powder"),
        ("OOLONG", "", "Some tea"),
        ("BOBA", "2022-12-31", "Chewy pearls"),
    ]
    answers = answers_of(iter(rows))
    assert answers.recent == {"MATCHA", "BOBA"}
    assert answers.old == {"TEAPOT": 2, "OOLONG": 1}
    # Clues of the recent years would tell of the recent answers.
    assert answers.clues == ["Brewer", "Some tea"]


def test_without_a_cache_only_corpus_and_lists_are_used(tmp_path: Path) -> None:
    path = tmp_path / "words-own.txt"
    path.write_text("tea pot;60\n", encoding="utf-8")
    answers = answers_of(iter([("TEAPOT", "2022-05-01", "Brewer")]))
    gathered = gather(answers, [path], None)
    assert [g.name for g in gathered.lists] == ["own"]
    assert gathered.sources == []
    assert list(gathered.evidence.phrases) == ["tea pot"]
