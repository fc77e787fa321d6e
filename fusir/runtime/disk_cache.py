"""Compiled kernels on disk, and what else takes long to find out.

An entry is a folder `<root>/kernels/<k[:2]>/<k>` with the binary, Triton's metadata and the source of one kernel. It
is written under another name and renamed when complete, so an interrupted compilation leaves no entry. One process
compiles a key while others that want it wait (`filelock`, released by the system when a process dies).

`FUSIR_CACHE_DIR` moves the root (default `~/.cache/fusir`); `FUSIR_DISABLE_CACHE=1` keeps everything in memory.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import filelock

from fusir.errors import FusirError

_MANIFEST = "entry.json"
"""Lists the files of an entry with their digests."""


def cache_root() -> Path | None:
    """The folder of the cache, None if it is switched off."""
    if os.environ.get("FUSIR_DISABLE_CACHE", "0") not in ("", "0"):
        return None
    configured = os.environ.get("FUSIR_CACHE_DIR")
    return Path(configured) if configured else Path.home() / ".cache" / "fusir"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_entry(folder: Path) -> dict[str, Path] | None:
    """The files of an entry by name, None if there is no entry or it is damaged."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text())
        files = {str(name): folder / str(name) for name in manifest}
        if all(_digest(path.read_bytes()) == manifest[name] for name, path in files.items()):
            return files
    except (OSError, ValueError, AttributeError, TypeError):
        pass
    return None


def write_entry(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put an entry in place, complete or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        for name, data in files.items():
            (draft / name).write_bytes(data)
        manifest = {name: _digest(data) for name, data in files.items()}
        (draft / _MANIFEST).write_text(json.dumps(manifest))
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def _entry_lock(folder: Path) -> Generator[None]:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(f"{folder}.lock")
        lock.acquire()
    except OSError as error:
        raise FusirError(
            f"cannot use the cache folder {folder.parent}: {error.strerror}; set FUSIR_CACHE_DIR"
        ) from error
    try:
        yield
    finally:
        lock.release()


def entry_folder(key: str, kind: str) -> Path | None:
    """Where the entry of `key` is; None if the cache is switched off."""
    root = cache_root()
    return None if root is None else root / kind / key[:2] / key


def cached_files(
    key: str,
    make: Callable[[], Mapping[str, bytes]],
    *,
    kind: str = "kernels",
    read: Callable[[Path], dict[str, Path] | None] = read_entry,
) -> dict[str, Path] | None:
    """The files of the entry of `key`, made by `make` if there is none; None if the cache is switched off.

    Each `kind` of entries has a folder of its own. `read` gives the files in a folder, None if they are of no use.
    """
    folder = entry_folder(key, kind)
    if folder is None:
        return None
    files = read(folder)
    if files is None:
        with _entry_lock(folder):
            files = read(folder)
            if files is None:
                write_entry(folder, make())
                files = read(folder)
    if files is None:
        raise FusirError(f"the cache folder {folder} cannot be read back; set FUSIR_CACHE_DIR")
    return files
