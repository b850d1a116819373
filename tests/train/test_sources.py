"""Word sources: the catalogue is sound, packages are checked before they are read."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from crossword.errors import DataError, UnknownNameError
from train.sources import SOURCES, Source, entries, fetch, source, texts
from train.sources.packages import cached
from train.sources.readers import ENTRY_READERS, TEXT_READERS


def package(cache: Path, kind: str, reader: str, members: dict[str, bytes]) -> Source:
    """A package of our own in the cache, as the registries would serve it."""
    data = {"deb": _deb, "tgz": _tar, "whl": _zip}[kind](members)
    made = Source(
        "own", "npm", f"own/-/own-1.{kind}", hashlib.sha256(data).hexdigest(), "MIT", "2020",
        reader, "tests",
    )  # fmt: skip
    cache.mkdir(exist_ok=True)
    cached(made, cache).write_bytes(data)
    return made


def _tar(members: dict[str, bytes], mode: str = "gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{mode}") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def _zip(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def _deb(members: dict[str, bytes]) -> bytes:
    parts = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": b"odd",
        "data.tar.xz": _tar(members, "xz"),
    }
    out = b"!<arch>\n"
    for name, data in parts.items():
        out += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode()
        out += data + b"\n" * (len(data) % 2)
    return out


def test_the_catalogue_has_a_reader_a_licence_and_a_hash_for_every_source() -> None:
    names = [s.name for s in SOURCES]
    assert len(set(names)) == len(names)
    assert len(SOURCES) < 55  # a bit each in a 64-bit mask, with room for the lists
    for known in SOURCES:
        assert known.reader in ENTRY_READERS or known.reader in TEXT_READERS
        assert len(known.sha256) == 64
        assert known.licence and known.adds and known.dated


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="wordnet"):
        source("nope")


def test_reads_the_english_side_of_a_debian_dictionary(tmp_path: Path) -> None:
    line = "Dach {n} | Dächer {pl} :: roof; housetop [Am.] (of a house) | to raise the roof\n"
    own = package(tmp_path, "deb", "ding", {"./usr/share/trans/de-en": line.encode()})
    assert [p for p, _ in entries(own, tmp_path)] == ["roof", "housetop", "raise the roof"]


def test_reads_glosses_but_not_pronunciations(tmp_path: Path) -> None:
    body = "tető /tˈɛtøː/\n1. roof, rooftop\n2. to cover\n"
    own = package(tmp_path, "deb", "dict_glosses", {"./x/y.dict.dz": gzip.compress(body.encode())})
    assert [p for p, _ in entries(own, tmp_path)] == ["roof", "rooftop", "cover"]


def test_reads_npm_lists_and_wheels(tmp_path: Path) -> None:
    own = package(tmp_path, "tgz", "word_list", {"package/idioms.txt": b"a long shot\n# no\n"})
    assert list(entries(own, tmp_path)) == [("a long shot", 1.0)]
    own = package(tmp_path, "whl", "web_bigrams", {"wordsegment/bigrams.txt": b"on top\t90\n"})
    assert list(entries(own, tmp_path)) == [("on top", 90.0)]


def test_running_text_comes_in_stretches_and_not_as_entries(tmp_path: Path) -> None:
    text = b'[{"t": "A fine film. See it<br />twice!"}]'
    own = package(tmp_path, "tgz", "imdb_reviews", {"package/reviews.json": text})
    assert list(entries(own, tmp_path)) == []
    assert [t.strip() for t in texts(own, tmp_path)] == ["A fine film", "See it", "twice"]


def test_a_package_that_was_changed_is_refused(tmp_path: Path) -> None:
    own = package(tmp_path, "tgz", "word_list", {"package/idioms.txt": b"a long shot\n"})
    with cached(own, tmp_path).open("ab") as file:
        file.write(b"!")
    with pytest.raises(DataError, match="sha256"):
        list(entries(own, tmp_path))
    with pytest.raises(DataError, match="sha256"):
        fetch(own, tmp_path)


def test_a_missing_package_says_which_command_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"python -m train\.sources fetch"):
        list(entries(source("wordnet"), tmp_path))
