# SPDX-License-Identifier: MIT
"""A progress bar for what takes a while, for people who watch."""

from __future__ import annotations

from typing import TextIO

WIDTH = 40
"""Characters of a full bar."""
WORTH_SHOWING = 4 * 1024 * 1024
"""Bytes below which reading is over before a bar could be read."""


class ProgressBar:
    """A line on a terminal that shows how much of a file has been read. Silent if there is no terminal."""

    def __init__(self, stream: TextIO, label: str, total: int) -> None:
        self._stream = stream
        self._label = label
        self._total = total
        self._done = 0
        self._shown = -1
        self._visible = total >= WORTH_SHOWING and stream.isatty()

    def advance(self, size: int) -> None:
        """Adds bytes that have been read."""
        self._done += size
        if not self._visible:
            return
        percent = min(100, self._done * 100 // self._total)
        if percent != self._shown:
            self._shown = percent
            filled = WIDTH * percent // 100
            self._stream.write(f"\r{self._label} [{'#' * filled}{'.' * (WIDTH - filled)}] {percent:3d} %")
            self._stream.flush()

    def close(self) -> None:
        """Clears the line."""
        if self._visible:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
