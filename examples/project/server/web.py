# SPDX-License-Identifier: MIT
"""HTTP/1.1, as much of it as clients and browsers need: connections that are kept, bodies of a known length, ranges.

A page is a function that gets the project and a Request, and returns a Response. Further pages are added by a function,
named in config.json under `pages`, that gets the project and returns a dictionary of pages by their paths under the
project's URL. A path that ends in a slash stands for all that begins with it.
"""

from __future__ import annotations

import logging
import os
import re
import socket
import socketserver
import threading
import time
from http import HTTPStatus
from typing import Any, BinaryIO, Callable, Dict, Iterable, NamedTuple, Optional, Tuple, Union
from urllib.parse import parse_qsl, unquote, urlsplit

from server.project import Project
from server.storage import Unavailable

PATIENCE = 30.0
"""Seconds for which a connection may be silent."""
HEADER_BYTES = 16384
_CHUNK = 65536

log = logging.getLogger("server")


class Response(NamedTuple):
    """What is answered."""

    status: int
    body: Union[bytes, Iterable[bytes], "Part"] = b""
    """bytes; a part of a file; or pieces, each sent as soon as it is there, after which the connection is closed"""
    kind: str = "text/xml"
    headers: Dict[str, str] = {}


class Part(NamedTuple):
    """Some bytes of an open file, which is closed when they are sent."""

    file: BinaryIO
    start: int
    length: int


class Refusal(Exception):
    """The request cannot be answered. The text says why."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Request:
    """What is asked."""

    def __init__(self, method: str, target: str, headers: Dict[str, str], address: str, stream: BinaryIO) -> None:
        parts = urlsplit(target)
        self.method = method
        self.path = unquote(parts.path, errors="replace")
        self.query = dict(parse_qsl(parts.query, max_num_fields=32))
        self.headers = headers
        """by their names in lower case"""
        self.address = address
        self.length = _length(headers)
        self.unread = self.length
        self._stream = stream

    def read(self, most: int) -> bytes:
        """The whole body. Refuses one that is longer than that."""
        if self.length > most:
            raise Refusal(413, f"more than {most} bytes")
        body = self.some(self.length)
        if self.unread:
            raise Refusal(400, "the body is shorter than it should be")
        return body

    def some(self, most: int) -> bytes:
        """The next bytes of the body; fewer than so many only at its end, or where the connection broke."""
        found = self._stream.read(min(most, self.unread))
        self.unread -= len(found)
        return found

    def line(self, most: int) -> bytes:
        """The next line of the body."""
        found = self._stream.readline(min(most, self.unread))
        self.unread -= len(found)
        return found


Page = Callable[[Project, Request], Response]


def _length(headers: Dict[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise Refusal(411, "the length must be known")
    text = headers.get("content-length", "0")
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise Refusal(400, "the length is no number")
    return int(text)


class _Handler(socketserver.StreamRequestHandler):
    """One connection."""

    disable_nagle_algorithm = True
    rbufsize = _CHUNK
    server: "Server"

    def handle(self) -> None:
        self.request.settimeout(PATIENCE)
        try:
            while self._one():
                pass
        except (OSError, ValueError):
            pass  # whoever it was has gone

    def _one(self) -> bool:
        """Answers one request. Returns whether the connection is kept."""
        request = None
        try:
            request = self._read()
            if request is None:
                return False
            response = self.server.answer(request)
        except Refusal as reason:
            response = Response(reason.status, f"{reason}\n".encode(), "text/plain; charset=utf-8")
        except Unavailable as reason:
            log.warning("%s", reason)
            response = Response(503, b"The database cannot be reached.\n", "text/plain", {"Retry-After": "60"})
        except OSError:
            raise
        except Exception:
            log.exception("a request failed")
            response = Response(500, b"This should not have happened.\n", "text/plain")
        streams = not isinstance(response.body, (bytes, Part))
        # What was not read of a body would be taken for the next request.
        keep = request is not None and not request.unread and not streams and \
            request.headers.get("connection", "").lower() != "close"
        self._write(response, keep, request is not None and request.method == "HEAD")
        return keep

    def _read(self) -> Optional[Request]:
        line = self.rfile.readline(HEADER_BYTES)
        if not line.strip():
            return None
        words = line.split()
        if len(words) != 3 or not words[2].startswith(b"HTTP/1.") or not line.endswith(b"\n"):
            raise Refusal(400, "not a request of HTTP/1.1")
        headers: Dict[str, str] = {}
        size = len(line)
        while True:
            line = self.rfile.readline(HEADER_BYTES)
            size += len(line)
            if size > HEADER_BYTES or not line:
                raise Refusal(431, f"more than {HEADER_BYTES} bytes before the body")
            if line in (b"\r\n", b"\n"):
                break
            name, colon, value = line.decode("latin-1").partition(":")
            if not colon:
                raise Refusal(400, "a header without a colon")
            headers[name.strip().lower()] = value.strip()
        if words[2] == b"HTTP/1.0":
            headers["connection"] = "close"
        try:
            request = Request(words[0].decode("latin-1"), words[1].decode("latin-1"), headers, self.client_address[0],
                              self.rfile)
        except ValueError as reason:
            raise Refusal(400, f"no such address can be: {reason}") from None
        if headers.get("expect", "").lower() == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        return request

    def _write(self, response: Response, keep: bool, head_only: bool) -> None:
        body = response.body
        lines = [f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}",
                 f"Content-Type: {response.kind}", "X-Content-Type-Options: nosniff"]
        if isinstance(body, (bytes, Part)):
            lines.append(f"Content-Length: {len(body) if isinstance(body, bytes) else body.length}")
        if not keep:
            lines.append("Connection: close")
        lines.extend(f"{name}: {value}" for name, value in response.headers.items())
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        if isinstance(body, bytes):
            self.wfile.write(head if head_only else head + body)
        elif isinstance(body, Part):
            with body.file:
                self.wfile.write(head)
                if not head_only:
                    self.connection.sendfile(body.file, body.start, body.length)
        else:
            self.wfile.write(head)
            for piece in body:
                self.wfile.write(piece)


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Serves the pages of a project, each connection in a thread of its own. Several processes may listen at the same
    address: the system shares the connections out."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 512

    def __init__(self, project: Project, pages: Dict[str, Page]) -> None:
        host, _, port = project.config.listen.rpartition(":")
        self.project = project
        self._pages = pages
        self._prefix = urlsplit(project.config.url).path
        self._free = threading.BoundedSemaphore(project.config.connections)
        super().__init__((host, int(port)), _Handler)

    def server_bind(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        super().server_bind()

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._free.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        log.exception("a connection failed")

    def answer(self, request: Request) -> Response:
        """The page that a path stands for."""
        if not request.path.startswith(self._prefix):
            raise Refusal(404, "there is nothing here")
        path = request.path[len(self._prefix):]
        page = self._pages.get(path)
        if page is None and "/" in path:
            page = self._pages.get(path[:path.index("/") + 1])
        if page is None:
            raise Refusal(404, "there is nothing here")
        return page(self.project, request)


def only(method: str, page: Page) -> Page:
    """A page that is only got, or only posted to."""

    def checked(project: Project, request: Request) -> Response:
        if request.method != method and not (method == "GET" and request.method == "HEAD"):
            raise Refusal(405, f"this is for {method}")
        return page(project, request)

    return checked


class Rate:
    """How often each address may do something: so many times at once, and as often again in a minute."""

    MOST = 10000
    """Addresses remembered."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._lock = threading.Lock()
        self._left: Dict[str, Tuple[float, float]] = {}

    def take(self, address: str) -> None:
        """Refuses what is too often."""
        with self._lock:
            now = time.monotonic()
            left, since = self._left.get(address, (float(self._per_minute), now))
            left = min(float(self._per_minute), left + (now - since) * self._per_minute / 60)
            if left < 1:
                raise Refusal(429, "too many attempts; try again in a minute")
            if len(self._left) >= self.MOST:
                self._left.clear()
            self._left[address] = (left - 1, now)


def file_part(path: Any, wanted: Optional[str]) -> Response:
    """A file, or the part of it that a Range header asks for."""
    try:
        file = open(path, "rb")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise Refusal(404, "there is no such file") from None
    size = os.fstat(file.fileno()).st_size
    kind, headers = "application/octet-stream", {"Accept-Ranges": "bytes"}
    found = re.fullmatch(r"bytes=(\d{1,15})-(\d{0,15})", wanted or "")
    if not found:
        return Response(200, Part(file, 0, size), kind, headers)
    first = int(found[1])
    last = min(int(found[2]) if found[2] else size - 1, size - 1)
    if first > last:
        file.close()
        return Response(416, b"", kind, {"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    return Response(206, Part(file, first, last - first + 1), kind, headers)

