# SPDX-License-Identifier: MIT
"""A bar that shows how far a sweep is, for people who watch."""

from __future__ import annotations

import sys
import time
from typing import Callable, Optional, TextIO

_CELLS = 30
_BETWEEN_DRAWINGS_S = 0.1
_MOST_SECONDS_SHOWN = 3.6e6


class SweepBar:
    """A line on a terminal, as `vcemu sweep` has it. Silent if there is no terminal."""

    def __init__(self, stream: Optional[TextIO] = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._visible = self._stream.isatty()
        self._clock = clock
        self._started = self._drawn_at = clock()
        self._before: Optional[int] = None
        self._drawn = False

    def __call__(self, done: int, of: int) -> None:
        """Shows how many emulations are done."""
        if self._before is None:
            self._before = done
        now = self._clock()
        if self._visible and now - self._drawn_at >= _BETWEEN_DRAWINGS_S:
            self._drawn_at, self._drawn = now, True
            full = _CELLS * done // of
            self._stream.write(f"\rsweep [{'#' * full}{'.' * (_CELLS - full)}] {100 * done // of:3d} %"
                               f"{self._time_left(now, done - self._before, of - done)}\x1b[K")
            self._stream.flush()

    def _time_left(self, now: float, done: int, left: int) -> str:
        seconds = (now - self._started) * left / done if done else _MOST_SECONDS_SHOWN
        if not left or seconds >= _MOST_SECONDS_SHOWN:
            return ""
        return f", {int(seconds) // 3600}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d} left"

    def close(self) -> None:
        """Clears the line."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
