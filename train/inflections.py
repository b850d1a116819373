"""Inflects known phrases: a phrase seen in one form may come in another.

The first word of a phrase may be a verb (PULL A FAST ONE: pulls, pulled, pulling), the last one a
noun or verb (WINE SNOB: snobs). Forms come from lemminflect; whether a form makes sense is left
to the vocabulary's prior.
"""

from __future__ import annotations

from collections.abc import Mapping

from crossword.phrases import PhraseModel

MAX_PARTS = 5


def forms(word: str) -> frozenset[str]:
    """The other inflections of a lower-case word, nouns and verbs alike."""
    from lemminflect import getAllInflections, getAllLemmas

    found: set[str] = set()
    for part, lemmas in getAllLemmas(word).items():
        if part in {"NOUN", "VERB", "ADJ"}:
            for lemma in lemmas:
                for variants in getAllInflections(lemma, upos=part).values():
                    found.update(v for v in variants if v.isascii() and v.isalpha())
    found.discard(word)
    return frozenset(found)


def inflected(bases: Mapping[str, float], phrases: PhraseModel) -> dict[str, float]:
    """New answers from known ones, each with the weight of its base."""
    answers = list(bases)
    known: dict[str, frozenset[str]] = {}
    made: dict[str, float] = {}

    def others(word: str) -> frozenset[str]:
        if word not in known:
            known[word] = frozenset(f.upper() for f in forms(word.lower()))
        return known[word]

    for answer, words in zip(answers, phrases.segment(answers), strict=True):
        if not 1 <= len(words) <= MAX_PARTS:
            continue
        rest = "".join(words[1:])
        changed = [form + rest for form in others(words[0])]
        if len(words) > 1:
            head = "".join(words[:-1])
            changed += [head + form for form in others(words[-1])]
        weight = bases[answer]
        for new in changed:
            if new not in bases and weight > made.get(new, 0.0):
                made[new] = weight
    return made
