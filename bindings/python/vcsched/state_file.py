# SPDX-License-Identifier: MIT
"""Writes a host as a state file (doc/state_format.md)."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import stat
import tempfile
from typing import Any, Iterator, List, TextIO, Tuple, Type

from vcsched.host_state import App, AppResource, Client, Gpu, Host, HostState, ProjectResource, Project, Task
from vcsched.names import one_line


def write_state(state: HostState, stream: TextIO) -> None:
    """Writes a state file to a text stream."""
    for comment in state.comments:
        stream.write(f"# {one_line(comment)}\n")
    for title, record in _sections(state):
        stream.write(f"\n[{title}]\n")
        for key, value in _entries(record):
            stream.write(f"{key} = {value}\n")


def save_state(state: HostState, path: str) -> None:
    """Writes a state file to a path. It appears completely or not at all; a device or a pipe is written directly."""
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
    for part, _kind, in_title in SECTIONS:
        records = getattr(state, part)
        for record in records if isinstance(records, list) else [records]:
            name = "/".join(getattr(record, key) for key in in_title)
            yield f"{part.rstrip('s')} {name}" if name else part, record


def _keys(record_type: Type[Any], *in_title: str) -> List[Tuple[str, str, Any]]:
    """Field, key and default of every field of a type of record that is not in the title of its section."""
    return [(field.name, "class" if field.name == "priority_class" else field.name, field.default)
            for field in dataclasses.fields(record_type) if field.name not in in_title]


SECTIONS: Tuple[Tuple[str, Type[Any], Tuple[str, ...]], ...] = (
    ("host", Host, ()),
    ("gpus", Gpu, ("name",)),
    ("client", Client, ()),
    ("projects", Project, ("name",)),
    ("project_resources", ProjectResource, ("project", "resource")),
    ("apps", App, ("project", "name")),
    ("app_resources", AppResource, ("project", "app", "resource")),
    ("tasks", Task, ("name",)))
"""Parts of a host, their kind of record, and the fields of it that are in the title of its section."""

KEYS = {kind: _keys(kind, *in_title) for _part, kind, in_title in SECTIONS}


def _entries(record: Any) -> Iterator[Tuple[str, str]]:
    """Keys and values of a record, without defaults."""
    for name, key, default in KEYS[type(record)]:
        value = getattr(record, name)
        if value != default:
            yield key, _formatted(value)


def _formatted(value: Any) -> str:
    """A value as a state file writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)
