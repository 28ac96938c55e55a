# SPDX-License-Identifier: MIT
"""Files that describe a host, its servers or a grid (doc/state_format.md), as the library reads them."""

from __future__ import annotations

import os
import re
import warnings
from typing import Any, List, Optional, Type, TypeVar

from vcsched.constants import NONE
from vcsched.errors import InputError, Position
from vcsched.interface import Parameters
from vcsched.library import NULL, ffi, lib
from vcsched.memory import Record

_R = TypeVar("_R", bound=Record)
_PLACE = re.compile(r"(.*?):(\d+): (.*)", re.DOTALL)


class File:
    """
    A file that the library has read as a state, a scenario or a grid: `lib.VCS_FILE_*`. `policy` is
    "PROFILE[,PARAMETER=VALUE]..."; what it does not set is as in the file.
    """

    def __init__(self, text: bytes, source: str, kind: int, policy: Optional[str] = None) -> None:
        message = ffi.new("char[]", lib.VCS_MESSAGE_SIZE)
        parts = [ffi.new("char[]", part.encode("utf-8")) for part in (policy or "").split(",") if part]
        settings = [part for part in parts if b"=" in ffi.string(part)]
        profiles = [part for part in parts if b"=" not in ffi.string(part)]
        array = ffi.new("char *[]", settings)
        options = ffi.new("vcs_file_options *", {"profile": profiles[-1] if profiles else NULL, "settings": array,
                                                 "setting_count": len(settings)})
        options.struct_size = ffi.sizeof("vcs_file_options")
        self.c = lib.vcs_file_parse(text, len(text), os.fsencode(source), kind, options, message, len(message))
        said = ffi.string(message).decode("utf-8", "replace")
        if self.c == NULL:
            raise _refusal(said, source)
        self.c = ffi.gc(self.c, lib.vcs_file_free)
        if said:
            warnings.warn(said, stacklevel=5)

    def name(self, record: Type[Record], index: int) -> str:
        """The name of a record by its index in the file."""
        return self.name_of(getattr(lib, f"VCS_TYPE_{record._struct.upper()}"), index)

    def name_of(self, kind: int, index: int) -> str:
        """The same by the number of its type."""
        return str(ffi.string(lib.vcs_file_name(self.c, kind, index)).decode("utf-8"))

    def names(self, record: Type[Record], array: Any) -> List[str]:
        """The names of all records of an array."""
        return [self.name(record, index) for index in range(array.count)]

    def kept(self, population: int = NONE) -> List[str]:
        """The parameters that the file sets by name, for a class of hosts or for all."""
        return [name for name in Parameters.fields if lib.vcs_file_sets(self.c, population, name.encode("ascii"))]


def read_bytes(path: str) -> bytes:
    """What is in a file."""
    with open(path, "rb") as stream:
        return stream.read()


def records_of(array: Any, kind: Type[_R]) -> List[_R]:
    """Copies of the records of an array of the library's. Those of a newer library may be longer."""
    first = ffi.cast("char *", array.base)
    return [kind._copy_of(ffi.cast(kind._pointer, first + index * array.element_size)) for index in range(array.count)]


def scenario_at(given: Any) -> Any:
    """A copy of a scenario of the library's. A newer library has a longer snapshot; the other fields follow it."""
    known = ffi.new("vcs_scenario *")
    head, behind = ffi.offsetof("vcs_scenario", "snapshot"), ffi.offsetof("vcs_scenario", "emulation")
    first = ffi.cast("char *", given)
    ffi.memmove(known, first, behind)
    ffi.memmove(ffi.cast("char *", known) + behind, first + head + given.snapshot.struct_size,
                ffi.sizeof("vcs_scenario") - behind)
    return known


def numbers_of(array: Any, c_type: str = "double") -> List[Any]:
    """The numbers of an array."""
    return list(ffi.unpack(ffi.cast(f"{c_type} *", array.base), array.count)) if array.count else []


def _refusal(said: str, source: str) -> InputError:
    """What the library says, at its place in the file."""
    if said.startswith(f"{source}: "):
        return InputError(Position(source, 1, 1), said[len(source) + 2:])
    place = _PLACE.fullmatch(said)
    return InputError(Position(place[1], int(place[2]), 1), place[3]) if place \
        else InputError(Position(source, 1, 1), said)
