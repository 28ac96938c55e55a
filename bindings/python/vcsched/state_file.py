# SPDX-License-Identifier: MIT
"""Writes a host as a state file (doc/state_format.md)."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import stat
import tempfile
import unicodedata
from typing import Any, Dict, Iterator, List, TextIO, Tuple

from vcsched.host_state import HostState

LONGEST_NAME = 256
"""Characters of a name that are kept. Lines of a state file are at most 4096 bytes long."""

_KEY_OF_FIELD = {"priority_class": "class"}


def one_line(text: str) -> str:
    """The text without line breaks and control characters, with single blanks between its words."""
    legible = "".join(" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in text)
    return " ".join(legible.split())


def clean_name(text: str) -> str:
    """The text as the name of a section: one line of bounded length that does not end the section's title."""
    return one_line(text).replace("]", ")")[:LONGEST_NAME].rstrip() or "unnamed"


class Names:
    """The names of one kind of section, of which no two may be alike."""

    def __init__(self) -> None:
        self._last_number: Dict[str, int] = {}

    def claim(self, text: str, suffix: str = "") -> str:
        """A clean name that nobody has yet: the text as it is, else with the suffix, else with a number behind it."""
        name = clean_name(text)
        if name in self._last_number and suffix:
            name = f"{name} ({clean_name(suffix)})"
        distinct = name
        while distinct in self._last_number:
            self._last_number[name] += 1
            distinct = f"{name} {self._last_number[name]}"
        self._last_number[distinct] = 1
        return distinct


def write_state(state: HostState, stream: TextIO) -> None:
    """Writes a state file to a text stream."""
    for comment in state.comments:
        stream.write(f"# {one_line(comment)}\n")
    for title, record in _sections(state):
        entries = _entries(record)
        stream.write(f"\n[{title}]\n")
        for key, value in entries:
            stream.write(f"{key} = {value}\n")


def save_state(state: HostState, path: str) -> None:
    """Writes a state file to a path. It appears whole or not at all; a device or a pipe is written as it is."""
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            write_state(state, stream)
        return
    path = os.path.realpath(path)
    descriptor, temporary = tempfile.mkstemp(prefix=".vcsched-", suffix=".ini", dir=os.path.dirname(path))
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as stream:
            write_state(state, stream)
        os.chmod(temporary, _mode_for(path))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode_for(path: str) -> int:
    """The access that a file there has, or that a new one would get."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sections(state: HostState) -> Iterator[Tuple[str, Any]]:
    """Title and record of every section, in the order in which a person reads them."""
    yield "host", state.host
    for gpu in state.gpus:
        yield f"gpu {gpu.name}", gpu
    yield "client", state.client
    for project in state.projects:
        yield f"project {project.name}", project
    for pair in state.pairs:
        yield f"pair {pair.project}/{pair.resource}", pair
    for app in state.apps:
        yield f"app {app.project}/{app.name}", app
    for task in state.tasks:
        yield f"task {task.name}", task


def _fields_in_title(record: Any) -> Tuple[str, ...]:
    """Fields that stand in the title of the record's section."""
    return {"Pair": ("project", "resource"), "App": ("project", "name")}.get(type(record).__name__, ("name",))


def _entries(record: Any) -> List[Tuple[str, str]]:
    """Keys and values of a record, without those that have their default."""
    in_title = _fields_in_title(record)
    entries = []
    for description in dataclasses.fields(record):
        value = getattr(record, description.name)
        if description.name not in in_title and value != description.default:
            entries.append((_KEY_OF_FIELD.get(description.name, description.name), _formatted(value)))
    return entries


def _formatted(value: Any) -> str:
    """A value as a state file writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)
