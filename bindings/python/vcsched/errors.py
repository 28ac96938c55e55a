# SPDX-License-Identifier: MIT
"""What can be wrong with an input, told so that a person can mend it."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """A place in a file. Lines and columns count from 1."""

    source: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


class InputError(Exception):
    """A file says something that cannot be used. Its text is one line that begins with the place."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__(f"{position}: {message}")
        self.position = position


class UsageError(Exception):
    """The command line asks for something that makes no sense with these files."""


def quoted(text: str) -> str:
    """A piece of a file, fit to be shown in a message."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
