"""The model folder: a manifest, a sub-folder for each part, and checks on the way in and out.

`manifest.json` names the format (an integer), the package version, the parts, the resolved
training settings, the hashes of the data, the split, held-out figures, size and sha256 of every
file, and a seal over itself. A folder is written under a temporary name, renamed when it is whole,
and never edited; what a killed run left of one is removed by the next. No pickle: parts are
safetensors, npy/npz without objects, FAISS's own format, JSON and text. Reading checks every file
against the manifest (about 1 GB a second).
"""

from __future__ import annotations

import errno
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

import crossword
from crossword.errors import ModelError

FORMAT = 1
OLDEST_FORMAT = 1  # this format and the one before are read; there is no one before the first
MANIFEST = "manifest.json"
MAX_MANIFEST = 16 * 2**20  # bytes
AGAIN = "copy the folder again, or train it anew"
_BLOCK = 2**20


@dataclass(frozen=True)
class FileRecord:
    """What a file of the folder must be."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """Everything that a folder says about itself."""

    format: int
    version: str
    parts: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    split: str | None = None
    until: str | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, FileRecord] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelFolder:
    """A model folder whose files were found to be what its manifest says."""

    path: Path
    manifest: Manifest

    @classmethod
    def open(cls, path: Path | str, *, verify: bool = True) -> ModelFolder:
        """Read and check a folder. `verify=False` looks at sizes only, not at contents."""
        path = Path(path)
        manifest = _read_manifest(path)
        for name, record in manifest.files.items():
            _check_file(path, name, record, contents=verify)
        return cls(path, manifest)

    @property
    def parts(self) -> tuple[str, ...]:
        return self.manifest.parts

    def __contains__(self, part: object) -> bool:
        return part in self.manifest.parts

    def part(self, name: str) -> Path:
        """The sub-folder of a part; a `ModelError` that lists the parts where it isn't there."""
        if name not in self.parts:
            there = ", ".join(self.parts) or "none"
            raise ModelError(
                f"the model {self.path} has no part {name!r} (it has: {there}); "
                f"train it with: crossword train --only {name}"
            )
        return self.path / name


def write_model(
    out: Path | str,
    *,
    build: Callable[[Path], Mapping[str, Any] | None],
    parts: Sequence[str],
    settings: Mapping[str, Any] | None = None,
    data: Mapping[str, Any] | None = None,
    split: str | None = None,
    until: str | None = None,
) -> ModelFolder:
    """Make a model folder: `build` fills a temporary one, which is then sealed and renamed.

    What `build` returns are the held-out figures. If it fails or is interrupted, nothing is left.
    """
    out = Path(out)
    refuse_existing(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        _sweep(out)
        temporary = Path(tempfile.mkdtemp(prefix=f"{_mark(out)}{os.getpid()}.", dir=out.parent))
    except OSError as error:
        raise ModelError(f"can't write to {out.parent}: {error.strerror or error}") from None
    try:
        figures = build(temporary)
        missing = [part for part in parts if not (temporary / part).is_dir()]
        if missing:
            raise ModelError(f"training left no part {', '.join(missing)}")
        manifest = Manifest(
            format=FORMAT,
            version=crossword.__version__,
            parts=tuple(parts),
            settings=dict(settings or {}),
            data=dict(data or {}),
            split=split,
            until=until,
            figures=dict(figures or {}),
            files=_records(temporary),
        )
        entries = json.loads(json.dumps(asdict(manifest)))
        sealed = {**entries, "seal": _seal(entries)}
        text = json.dumps(sealed, indent=1, ensure_ascii=False) + "\n"
        (temporary / MANIFEST).write_text(text, encoding="utf-8")
        temporary.chmod(0o755)  # mkdtemp makes it private; a model is to be read by others too
        for file in temporary.rglob("*"):
            file.chmod(0o755 if file.is_dir() else 0o644)  # so does safetensors
        temporary.rename(out)
    except OSError as error:
        raise ModelError(f"can't write the model {out}: {error.strerror or error}") from None
    except Exception as error:  # FAISS and safetensors meet a full disk with errors of their own
        full = os.strerror(errno.ENOSPC)
        if full.lower() not in str(error).lower() and shutil.disk_usage(out.parent).free > 0:
            raise
        raise ModelError(f"can't write the model {out}: {full}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return ModelFolder(out, manifest)


def refuse_existing(out: Path | str) -> None:
    """A `ModelError` where a model would overwrite something; best asked before training."""
    if Path(out).exists():
        raise ModelError(f"{out} is there already; name another folder, or remove it first")


def _mark(out: Path) -> str:
    """How the temporary folders of this machine for a model begin; the process's number follows."""
    return f".{out.name}.{platform.node() or 'here'}-"


def _sweep(out: Path) -> None:
    """Remove what runs left that were killed outright: folders whose process is gone."""
    mark = _mark(out)
    for folder in out.parent.iterdir():
        number = folder.name.removeprefix(mark).partition(".")[0]
        if folder.name.startswith(mark) and number.isdecimal() and not _is_alive(int(number)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is there, and somebody else's
        return True
    return True


def _seal(entries: Mapping[str, Any]) -> str:
    """The sha256 of a manifest's entries, however they are laid out in the file."""
    text = json.dumps({k: v for k, v in entries.items() if k != "seal"}, sort_keys=True)
    return sha256(text.encode()).hexdigest()


def _records(folder: Path) -> dict[str, FileRecord]:
    return {
        file.relative_to(folder).as_posix(): FileRecord(file.stat().st_size, _digest(file))
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def _digest(file: Path) -> str:
    digest = sha256()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _read_manifest(path: Path) -> Manifest:
    if not path.is_dir():
        raise ModelError(f"there is no model folder {path}; make one with: crossword train")
    file = path / MANIFEST
    try:
        if file.stat().st_size > MAX_MANIFEST:
            raise ModelError(f"{file} is too big to be a manifest")
        entries = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"{path} is no model folder: it has no {MANIFEST}") from None
    except OSError as error:
        raise ModelError(f"can't read {file}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise ModelError(f"{file} is damaged: it is no JSON; {AGAIN}") from None
    if not isinstance(entries, dict) or not isinstance(entries.get("format"), int):
        raise ModelError(f"{file} is damaged: it names no format")
    if entries["format"] > FORMAT:
        raise ModelError(
            f"{path} is a model of format {entries['format']}, made by a newer version "
            f"({entries.get('version', 'unknown')}); this one reads up to {FORMAT}: please update"
        )
    if entries["format"] < OLDEST_FORMAT:
        raise ModelError(f"{path} is a model of an old format; please train it again")
    # The first models have no seal; a seal whose own name is damaged must not pass for one of them.
    if strange := entries.keys() - {*Manifest.__dataclass_fields__, "seal"}:
        raise ModelError(f"{file} is damaged: it has an entry {min(strange)!r}; {AGAIN}")
    if "seal" in entries and entries["seal"] != _seal(entries):
        raise ModelError(f"{file} is damaged: its seal is broken; {AGAIN}")
    return _manifest_of(entries, file)


def _manifest_of(entries: Mapping[str, Any], file: Path) -> Manifest:
    try:
        files = {
            str(name): FileRecord(int(record["size"]), str(record["sha256"]))
            for name, record in dict(entries["files"]).items()
        }
        parts = tuple(str(part) for part in entries["parts"])
        manifest = Manifest(
            format=entries["format"],
            version=str(entries["version"]),
            parts=parts,
            settings=dict(entries.get("settings") or {}),
            data=dict(entries.get("data") or {}),
            split=entries.get("split"),
            until=entries.get("until"),
            figures=dict(entries.get("figures") or {}),
            files=files,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ModelError(f"{file} is damaged: an entry is missing or of the wrong kind") from None
    for name in (*files, *parts):
        if ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
            raise ModelError(f"{file} names {name!r}, which is outside the folder")
    return manifest


def _check_file(folder: Path, name: str, record: FileRecord, *, contents: bool) -> None:
    file = folder / name
    try:
        size = file.stat().st_size
        if size != record.size:
            raise ModelError(f"{file} has {size} bytes instead of {record.size}; {AGAIN}")
        if contents and _digest(file) != record.sha256:
            raise ModelError(f"{file} is damaged (its sha256 is not the manifest's); {AGAIN}")
    except FileNotFoundError:
        raise ModelError(f"{file} is missing from the model; {AGAIN}") from None
    except OSError as error:
        raise ModelError(f"can't read {file}: {error.strerror or error}") from None
