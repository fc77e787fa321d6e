"""Choices on disk, beside the kernels, and in the memory of the process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fusir.dialects.loop import Tiles
from fusir.errors import FusirError
from fusir.runtime.disk_cache import cached_files, entry_folder, read_entry
from fusir.transforms.graph.contraction_choice import Alternative, Choice

KIND = "tuning"
FILE = "choice.json"


class Records:
    """Choices by key. Each is made once, by one process at a time."""

    def __init__(self) -> None:
        self._known: dict[str, Choice] = {}

    def find(self, key: str) -> Choice | None:
        """The choice that was made before, None if there is none."""
        choice = self._known.get(key)
        folder = entry_folder(key, KIND)
        if choice is None and folder is not None and (files := _read(folder)) is not None:
            choice = self._known[key] = decode(files[FILE].read_text())
        return choice

    def find_or_make(self, key: str, make: Callable[[], Choice]) -> Choice:
        """The choice that was made before, or what `make` makes. What `make` raises is raised, and nothing is kept."""
        known = self.find(key)
        if known is not None:
            return known
        made: list[Choice] = []

        def entry() -> dict[str, bytes]:
            made.append(make())
            return {FILE: encode(made[0]).encode()}

        try:
            files = cached_files(key, entry, kind=KIND, read=_read)
        except FusirError:
            files = None  # The folder cannot be used: go on without.
        if not made:
            made.append(make() if files is None else decode(files[FILE].read_text()))
        self._known[key] = made[0]
        return made[0]


def encode(choice: Choice) -> str:
    """The choice as JSON."""
    return json.dumps(
        {
            "tiles": None if choice.tiles is None else asdict(choice.tiles),
            "library": choice.library,
            "plain": None if choice.plain is None else asdict(choice.plain),
            "alternatives": [asdict(each) for each in choice.alternatives],
        },
        indent=1,
    )


def decode(text: str) -> Choice:
    """The choice that was encoded. Raises ValueError, TypeError or KeyError for other text."""
    data: dict[str, Any] = json.loads(text)
    return Choice(
        tiles=None if data["tiles"] is None else Tiles(**data["tiles"]),
        library=data["library"],
        plain=None if data["plain"] is None else Tiles(**data["plain"]),
        alternatives=tuple(Alternative(**each) for each in data["alternatives"]),
    )


def _read(folder: Path) -> dict[str, Path] | None:
    """The files of an entry, None if there is none that can be decoded."""
    files = read_entry(folder)
    try:
        if files is not None and FILE in files:
            decode(files[FILE].read_text())
            return files
    except (OSError, ValueError, TypeError, KeyError):
        pass
    return None
