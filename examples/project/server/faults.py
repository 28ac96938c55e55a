# SPDX-License-Identifier: MIT
"""Places at which a test makes the server fail: the process ends there as if the power had gone, or the connection to
the database is lost.

GRID_FAULT in the environment says where: PLACE:COUNT[:disconnect], at the COUNT-th time that the place is passed. Every
transaction has three places, NAME.begin, NAME.commit (its changes are made, but not committed) and NAME.committed; the
others are those at which point() is called. Without the variable nothing of this costs more than a comparison.

GRID_CLOCK is a number of seconds by which the clock is wrong.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Callable, Optional

STATUS = 87
"""How a process ends that was killed here."""


class Lost(Exception):
    """The connection to the database was cut here."""


def _plan() -> Optional["_Plan"]:
    text = os.environ.get("GRID_FAULT")
    return _Plan(*text.split(":")) if text else None


class _Plan:
    def __init__(self, place: str, count: str = "1", how: str = "exit") -> None:
        if how not in ("exit", "disconnect"):
            raise ValueError(f"GRID_FAULT: {how!r} is neither exit nor disconnect")
        self.place = place
        self.left = int(count)
        self.how = how
        self.lock = threading.Lock()

    def due(self, place: str) -> bool:
        if place != self.place:
            return False
        with self.lock:
            self.left -= 1
            return self.left == 0


_planned = _plan()


def point(place: str, disconnect: Optional[Callable[[], None]] = None) -> None:
    """A place at which the process may have to end; or the connection, where there is one to be cut."""
    if _planned is not None and _planned.due(place):
        if _planned.how == "exit" or disconnect is None:
            os._exit(STATUS)
        disconnect()


_WRONG_BY = float(os.environ.get("GRID_CLOCK", "0"))


def now() -> float:
    """The present, s since 1970, by the clock of this computer."""
    return time.time() + _WRONG_BY
