# SPDX-License-Identifier: MIT
"""What can be wrong with an input, worded so that a person can fix it."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """A place in a file. Lines and columns count from 1."""

    source: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


class InputError(ValueError):
    """A file says something that cannot be used. Its text is one line that begins with the place."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__(f"{position}: {message}")
        self.position = position


class UsageError(Exception):
    """The command line asks for something that makes no sense with these files."""


class LiveError(Exception):
    """A running client does not answer, or not as one should. Its text is one line that begins with its address."""


class RefusedError(LiveError):
    """A running client answers a call only with its password."""


class VcsError(ValueError):
    """The library refused its input. Nothing was changed by the call.

    code      the number that the library returned, one of `ErrorCode`
    name      the constant's name, such as "VCS_ERR_RANGE"
    record    what kind of record is at fault, such as "task"; empty if none is
    index     which element of its array; 0 for a single record
    field     the field of it; empty if the whole record is at fault
    message   one sentence for a person
    """

    def __init__(self, code: int, name: str, message: str, record: str = "", index: int = 0, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.message = message
        self.record = record
        self.index = index
        self.field = field

    def __reduce__(self) -> "tuple[object, ...]":
        return VcsError, (self.code, self.name, self.message, self.record, self.index, self.field)


def quoted(text: str) -> str:
    """A piece of a file, fit to be shown in a message."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
