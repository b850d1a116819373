"""Turns packages into entries (a phrase and a weight) or running text.

A weight is a count, a probability or a rank where the source has one, else 1; it is only ever
compared within its source. Readers are forgiving: what doesn't look like a phrase is dropped by
the vocabulary's own normaliser later.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from train.sources.catalogue import Source
from train.sources.packages import files

Entry = tuple[str, float]
Files = Iterator[tuple[str, bytes]]

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|<[^<>]*>")
_ALTERNATIVES = re.compile(r"[;|/]| - ")
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.){2,60})"')
_INFINITIVE = re.compile(r"^to (?=[a-z])")
_NUMBERED = re.compile(r"^\s*\d+\.\s*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SENTENCE = re.compile(r"[.!?;:\"()\n]+|--| - ")


def entries(source: Source, cache: Path) -> Iterator[Entry]:
    """The phrases of a source; nothing for a source of running text."""
    reader = ENTRY_READERS.get(source.reader)
    return reader(files(source, cache)) if reader else iter(())


def texts(source: Source, cache: Path) -> Iterator[str]:
    """Stretches of running text, without sentence ends; glosses count as text too."""
    reader = TEXT_READERS.get(source.reader)
    if reader is None:
        return
    for text in reader(files(source, cache)):
        yield from (part for part in _SENTENCE.split(text) if part)


def ding(contents: Files) -> Iterator[Entry]:
    """Lines of "German :: English", with | between forms and ; between synonyms."""
    for name, data in contents:
        if name.endswith("/trans/de-en"):
            for line in data.decode("utf-8", "replace").splitlines():
                english = _without_brackets(line.partition("::")[2])
                for part in _ALTERNATIVES.split(english):
                    yield _INFINITIVE.sub("", part.strip()), 1.0


def edict(contents: Files) -> Iterator[Entry]:
    """Lines of "Japanese [reading] /gloss/gloss/"."""
    for name, data in contents:
        if name.endswith(("share/edict/edict", "share/edict/compdic")):
            for line in data.decode("euc_jp", "replace").splitlines():
                for part in _without_brackets(line.partition("/")[2]).split("/"):
                    yield _INFINITIVE.sub("", part.strip()), 1.0


def dict_headwords(contents: Files) -> Iterator[Entry]:
    """The first column of a dictd index."""
    for name, data in contents:
        if name.endswith(".index"):
            for line in data.decode("utf-8", "replace").splitlines():
                headword = line.partition("\t")[0]
                if not headword.startswith("00"):
                    yield headword, 1.0


def dict_glosses(contents: Files) -> Iterator[Entry]:
    """The lines of a dictd dictionary that hold translations: those without pronunciation."""
    for name, data in contents:
        if name.endswith(".dict.dz"):
            for line in gzip.decompress(data).decode("utf-8", "replace").splitlines():
                if "/" not in line and len(line) < 120:
                    text = _without_brackets(_NUMBERED.sub("", line))
                    for part in re.split(r"[;,]", text):
                        yield _INFINITIVE.sub("", part.strip()), 1.0


def wordnet(contents: Files) -> Iterator[Entry]:
    """Lemmas of the index files, weighted by how many senses they have."""
    for name, data in contents:
        if re.search(r"/index\.(noun|verb|adj|adv)$", name):
            for line in data.decode("utf-8", "replace").splitlines():
                if not line.startswith(" "):
                    fields = line.split(" ")
                    yield fields[0].replace("_", " "), float(fields[2])


def word_list(contents: Files) -> Iterator[Entry]:
    """Plain lines, from files that look like lists."""
    for name, data in contents:
        packed = name.endswith(".gz") and "/doc/" not in name
        listed = re.search(r"share/dict/[^/]+$|/dict/[^/]+\.txt|/idioms\.txt$", name)
        if listed and not name.endswith("unicode.gz"):
            text = gzip.decompress(data) if packed else data
            for line in text.decode("utf-8", "replace").splitlines():
                if line and line[0] not in "#!~/*":
                    yield line.strip().replace("_", " "), 1.0


def moby(contents: Files) -> Iterator[Entry]:
    """Lines of a headword and its synonyms between commas; weighted by how often each occurs."""
    counts: dict[str, int] = {}
    for name, data in contents:
        if name.endswith("/words.txt"):
            for part in re.split(r"[,\r\n]+", data.decode("utf-8", "replace")):
                counts[part] = counts.get(part, 0) + 1
    for phrase, count in counts.items():
        yield phrase, float(count)


def popular(contents: Files) -> Iterator[Entry]:
    """A JavaScript array of words, most frequent first."""
    for name, data in contents:
        if name.endswith("/words.js"):
            for rank, word in enumerate(re.findall(r"'([^'\n]{1,40})'", data.decode("utf-8"))):
                yield word, 1e6 / (rank + 10)


def json_strings(contents: Files) -> Iterator[Entry]:
    """Every string in the data's JSON files; CamelCase is taken apart."""
    for name, data in contents:
        if name.endswith(".json") and not name.endswith("package.json"):
            for phrase in _QUOTED.findall(data.decode("utf-8", "replace")):
                yield _CAMEL.sub(" ", phrase), 1.0


def spacy_probabilities(contents: Files) -> Iterator[Entry]:
    """spaCy's English log-probabilities, as occurrences in a thousand million words."""
    for name, data in contents:
        if name.endswith("en_lexeme_prob.json.gz"):
            for word, log_prob in json.loads(gzip.decompress(data)).items():
                yield word.lstrip("#@"), math.exp(float(log_prob)) * 1e9


def census(contents: Files) -> Iterator[Entry]:
    """Columns: name, share in percent, cumulated share, rank."""
    for name, data in contents:
        if "/dist." in name:
            for line in data.decode("ascii", "replace").splitlines():
                fields = line.split()
                if len(fields) == 4:
                    yield fields[0], float(fields[1])


def nba(contents: Files) -> Iterator[Entry]:
    """Python literals [id, last, first, full, active] of players, read as text, never run."""
    for name, data in contents:
        if name.endswith("library/data.py"):
            for phrase in _QUOTED.findall(data.decode("utf-8", "replace")):
                yield phrase, 1.0


def cities(contents: Files) -> Iterator[Entry]:
    """Cities by population, and countries, counties and states."""
    for name, data in contents:
        if name.endswith("/cities5000.json"):
            for city in json.loads(data).values():
                yield city["name"], float(city.get("population", 1))
        elif name.endswith(("/countries.json", "/us_states.json", "/us_counties.json")):
            found = json.loads(data)
            for place in found.values() if isinstance(found, dict) else found:
                yield place["name"], 1e6


def symspell_bigrams(contents: Files) -> Iterator[Entry]:
    """Lines of "word word count"."""
    for name, data in contents:
        if "frequency_bigramdictionary_en" in name:
            for line in data.decode("utf-8-sig").splitlines():
                phrase, _, count = line.rpartition(" ")
                yield phrase, float(count)


def web_bigrams(contents: Files) -> Iterator[Entry]:
    """Lines of "word word<TAB>count"; <S> marks the start of a sentence."""
    for name, data in contents:
        if name.endswith("wordsegment/bigrams.txt"):
            for line in data.decode("utf-8").splitlines():
                phrase, _, count = line.partition("\t")
                if "<" not in phrase:
                    yield phrase, float(count)


def fortunes(contents: Files) -> Iterator[str]:
    """Sayings between lines with a percent sign."""
    for name, data in contents:
        if "/games/fortunes/" in name and "." not in name.rpartition("/")[2]:
            yield from data.decode("utf-8", "replace").split("\n%\n")


def imdb_reviews(contents: Files) -> Iterator[str]:
    """The reviews' texts."""
    for name, data in contents:
        if name.endswith("/reviews.json"):
            for review in json.loads(data):
                yield str(review.get("t", "")).replace("<br />", "\n")


def _without_brackets(text: str) -> str:
    """Drop what stands in brackets; twice, for brackets in brackets."""
    return _BRACKETS.sub(" ", _BRACKETS.sub(" ", text))


def _as_text(reader: Callable[[Files], Iterator[Entry]]) -> Callable[[Files], Iterator[str]]:
    return lambda contents: (phrase for phrase, _ in reader(contents))


ENTRY_READERS: dict[str, Callable[[Files], Iterator[Entry]]] = {
    reader.__name__: reader
    for reader in (
        ding,
        edict,
        dict_headwords,
        dict_glosses,
        wordnet,
        word_list,
        moby,
        popular,
        json_strings,
        spacy_probabilities,
        census,
        nba,
        cities,
        symspell_bigrams,
        web_bigrams,
    )
}
TEXT_READERS: dict[str, Callable[[Files], Iterator[str]]] = {
    "fortunes": fortunes,
    "imdb_reviews": imdb_reviews,
    "ding": _as_text(ding),
    "edict": _as_text(edict),
    "dict_glosses": _as_text(dict_glosses),
}
