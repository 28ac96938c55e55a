# SPDX-License-Identifier: MIT
"""The status page as pages of a server: "pages": ["status.pages:pages"] in its config.json. It is at URL/status/.

    status/             the page, with page.css and page.js
    status/stream       server-sent events: what status.snapshot finds, again and again
    status/snapshot     the same once
    status/unit/N       the story of a unit
    status/picture      the picture so far; status/tile/N  a tile of it
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Tuple
from urllib.parse import urlsplit

from picture.canvas import DONE, Canvas
from server.project import Project
from server.web import Page, Refusal, Request, Response, only
from status.feed import Busy, Feed
from status.snapshot import Observer
from status.story import story

_HERE = Path(__file__).parent
_FILES = {"": ("page.html", "text/html; charset=utf-8"), "page.css": ("page.css", "text/css; charset=utf-8"),
          "page.js": ("page.js", "text/javascript; charset=utf-8")}

# Nothing comes from elsewhere, nothing is run that does not stand in page.js, and nobody shows the page within another.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

KEPT = 1.0
"""For how long the story of a unit is not read again, s."""
MOST_KEPT = 200


class Status:
    """The pages of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._prefix = len(urlsplit(project.url("status/")).path)
        self._canvas: Optional[Canvas] = getattr(project.work, "canvas", None)
        observer = Observer(project.config.name, self._canvas)

        def look() -> Dict[str, Any]:
            with project.store.snapshot() as transaction:
                return observer.look(transaction, time.time())

        self.feed = Feed(look)
        self._stories = _Kept(KEPT, MOST_KEPT)
        self._pictures = _Kept(float("inf"), 1)

    def answer(self, _project: Project, request: Request) -> Response:
        """Any path that begins with status/."""
        path = request.path[self._prefix:]
        name, _, rest = path.partition("/")
        if path in _FILES:
            file, kind = _FILES[path]
            return Response(200, (_HERE / file).read_bytes(), kind, HEADERS)
        if path == "stream":
            return self._stream(request)
        if path == "snapshot":
            return Response(200, self.feed.now().encode(), "application/json", HEADERS)
        if name == "unit":
            return self._unit(_number(rest))
        if self._canvas is not None and path == "picture":
            return self._picture(self._canvas)
        if self._canvas is not None and name == "tile":
            return self._tile(self._canvas, _number(rest))
        raise Refusal(404, "there is nothing here")

    def _stream(self, request: Request) -> Response:
        try:
            body: Any = b"" if request.method == "HEAD" else self.feed.watch()
        except Busy as reason:
            raise Refusal(503, str(reason)) from None
        return Response(200, body, "text/event-stream", HEADERS)

    def _unit(self, number: int) -> Response:
        def read() -> Optional[bytes]:
            with self._project.store.snapshot() as transaction:
                found = story(transaction, number, time.time())
            return None if found is None else json.dumps(found, allow_nan=False).encode()

        content = self._stories.get(number, read)
        if content is None:
            raise Refusal(404, "there is no such unit; it may have been purged")
        return Response(200, content, "application/json", HEADERS)

    def _picture(self, canvas: Canvas) -> Response:
        return Response(200, self._pictures.get(canvas.tiles(), canvas.png), "image/png", HEADERS)

    @staticmethod
    def _tile(canvas: Canvas, number: int) -> Response:
        tiles = canvas.tiles()
        content = canvas.tile_png(number) if number < len(tiles) and tiles[number] == DONE else b""
        if not content:
            raise Refusal(404, "this tile is not there")
        return Response(200, content, "image/png", HEADERS)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise Refusal(404, "there is nothing here")
    return int(text)


class _Kept:
    """What was made a short while ago, for all who ask. One at a time makes something."""

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds = seconds
        self._most = most
        self._lock = threading.Lock()
        self._held: Dict[Any, Tuple[float, Any]] = {}

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` returned for this key."""
        with self._lock:
            now = time.monotonic()
            if key in self._held and now - self._held[key][0] <= self._seconds:
                return self._held[key][1]
            found = make()
            self._held.pop(key, None)
            while len(self._held) >= self._most:
                del self._held[next(iter(self._held))]
            self._held[key] = (now, found)
            return found


def _redirect(_project: Project, _request: Request) -> Response:
    return Response(302, b"", "text/plain", {"Location": "status/", **HEADERS})


def pages(project: Project) -> Dict[str, Page]:
    """What config.json names."""
    return {"status/": only("GET", Status(project).answer), "status": only("GET", _redirect)}
