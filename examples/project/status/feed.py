# SPDX-License-Identifier: MIT
"""One look at the project for all who watch it.

Somebody looks at the database at most once a second, however many watch. Where looking takes long, it is done for a
twentieth of the time only, but every 15 seconds at least. Nobody looks while nobody watches. Each viewer gets what has
changed since the viewer's last look, as server-sent events.
"""

from __future__ import annotations

import json
import threading
import time
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple

LEAST_INTERVAL = 1.0
"""From one look to the next, s."""
GREATEST_SHARE = 0.05
"""Of the time that is spent looking,"""
GREATEST_INTERVAL = 15.0
"""unless looks would be farther apart than this then, s. A machine may be busy for a moment only."""
MOST_VIEWERS = 100


class Busy(Exception):
    """There are as many viewers as there may be."""


class _Section(NamedTuple):
    look: int
    """the look at which it changed"""
    text: str
    """JSON"""


class Feed:
    """What `look` returns, a dictionary of sections that can be written as JSON. It may be used by any number of
    threads."""

    def __init__(self, look: Callable[[], Mapping[str, Any]], viewers: int = MOST_VIEWERS,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._look = look
        self._clock = clock
        self._changed = threading.Condition()
        self._sections: Dict[str, _Section] = {}
        self._looks = 0
        self._looking = False
        self._due = clock()
        self._viewers = 0
        self._most_viewers = viewers

    @property
    def viewers(self) -> int:
        """How many watch."""
        return self._viewers

    def now(self) -> str:
        """All sections as one JSON object."""
        self._wait(0)
        sections = self._sections
        return "{" + ",".join(f"{json.dumps(name)}:{section.text}" for name, section in sections.items()) + "}"

    def watch(self) -> "Viewer":
        """A new viewer. Busy if there are too many already."""
        with self._changed:
            if self._viewers >= self._most_viewers:
                raise Busy(f"{self._viewers} watch this page already")
            self._viewers += 1
        return Viewer(self)

    def _leave(self) -> None:
        with self._changed:
            self._viewers -= 1

    def _events(self, before: int) -> Tuple[int, bytes]:
        """The number of the next look, and an event for each section that has changed since."""
        seen = self._wait(before)
        events = [f"event: {name}\ndata: {section.text}\n\n" for name, section in self._sections.items()
                  if section.look > before]
        # Even if nothing has changed: so one learns that a viewer has gone.
        return seen, "".join(events or [": nothing new\n\n"]).encode()

    def _wait(self, seen: int) -> int:
        """Waits for a look that is newer than `seen`, and makes it if it is due and nobody else does."""
        with self._changed:
            while True:
                # Without viewers the last look may be old.
                if self._looks > seen and self._clock() < self._due:
                    return self._looks
                if not self._looking and self._clock() >= self._due:
                    self._looking = True
                    break
                self._changed.wait(None if self._looking else max(0.0, self._due - self._clock()))
        try:
            return self._make_look()
        finally:
            with self._changed:
                self._looking = False
                self._changed.notify_all()

    def _make_look(self) -> int:
        began = self._clock()
        try:
            texts = {name: _json(held) for name, held in self._look().items()}
            texts["trouble"] = _json(None)
        except Exception as reason:  # whatever it is, those who watch are to know, and the next look may succeed
            texts = {"trouble": _json(f"{type(reason).__name__}: {reason}")}
        ended = self._clock()
        with self._changed:
            self._looks += 1
            known = dict(self._sections)
            for name, text in texts.items():
                if name not in known or known[name].text != text:
                    known[name] = _Section(self._looks, text)
            self._sections = known
            self._due = max(began + LEAST_INTERVAL,
                            ended + min((ended - began) * (1 / GREATEST_SHARE - 1), GREATEST_INTERVAL))
            return self._looks


class Viewer(Iterator[bytes]):
    """Server-sent events without end. Whoever has enough closes it."""

    def __init__(self, feed: Feed) -> None:
        self._feed: Optional[Feed] = feed
        self._seen = 0
        self._greeted = False

    def __next__(self) -> bytes:
        if self._feed is None:
            raise StopIteration
        if not self._greeted:
            self._greeted = True
            return b"retry: 3000\n\n"
        self._seen, events = self._feed._events(self._seen)  # pylint: disable=protected-access
        return events

    def close(self) -> None:
        """Leaves."""
        feed, self._feed = self._feed, None
        if feed is not None:
            feed._leave()  # pylint: disable=protected-access

    __del__ = close


def _json(held: Any) -> str:
    return json.dumps(held, separators=(",", ":"), allow_nan=False)
