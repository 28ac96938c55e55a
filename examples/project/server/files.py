# SPDX-License-Identifier: MIT
"""Downloads and uploads.

A client uploads an output file with the signature that came with the result. It first asks how much of the file is
here, and goes on from there. A file is taken while its result is in progress or has been given up, and never after its
deletion may have begun: else it would stay for ever.
"""

from __future__ import annotations

import fcntl
import logging
import re
from typing import Any, Dict, Optional

import vcsched as v
from server import faults
from server.project import Project
from server.reply import UPLOAD
from server.signing import is_upload_signed
from server.units import output_name, result_of_name
from server.web import Page, Refusal, Request, Response, file_part, only
from server.xml import Element, Malformed, element, read

_HEADER_BYTES = 8192
_CHUNK = 65536

OK, TRANSIENT, PERMANENT = 0, 1, -1
"""What an upload is answered: done, try again, or do not."""

log = logging.getLogger("server")


class NotTaken(Exception):
    """An upload that is refused: whether the client should try again, and why."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def pages() -> Dict[str, Page]:
    """The pages of this file."""
    return {"download/": only("GET", download), UPLOAD: only("POST", upload)}


def download(project: Project, request: Request) -> Response:
    """A program or an input file."""
    try:
        path = project.download_path(request.path.partition("download/")[2])
    except ValueError as reason:
        raise Refusal(404, str(reason)) from None
    return file_part(path, request.headers.get("range"))


def upload(project: Project, request: Request) -> Response:
    """An output file, or the question how much of it is here."""
    try:
        found = _handle(project, request)
    except (NotTaken, Malformed, ValueError) as reason:
        status = reason.status if isinstance(reason, NotTaken) else PERMANENT
        return _answer(status, element("message", reason))
    except OSError as reason:
        log.error("an upload cannot be written: %s", reason)
        return _answer(TRANSIENT, element("message", "the file cannot be written now"))
    return _answer(OK, found)


def _answer(status: int, more: str) -> Response:
    return Response(200, f"<data_server_reply>\n{element('status', status)}{more}</data_server_reply>\n".encode())


def _handle(project: Project, request: Request) -> str:
    header = _header(request)
    asked = re.search(rb"<get_file_size>([^<]{1,256})</get_file_size>", header)
    if asked:
        path = project.upload_path(asked[1].decode("latin-1").strip())
        return element("file_size", path.stat().st_size if path.is_file() else 0)
    # The header ends where the bytes begin, so some elements in it are still open.
    closed = header.partition(b"<data>")[0] + b"</file_upload></data_server_request>"
    root = read(closed, "data_server_request").find("file_upload")
    if root is None:
        raise Malformed("neither <file_upload> nor <get_file_size>")
    return _take(project, request, root)


def _header(request: Request) -> bytes:
    """Everything up to the line <data>."""
    found = b""
    while request.unread and len(found) <= _HEADER_BYTES:
        line = request.line(_HEADER_BYTES)
        found += line
        if not line or line.strip() == b"<data>":
            return found
    if len(found) > _HEADER_BYTES:
        raise Malformed(f"more than {_HEADER_BYTES} bytes before <data>")
    return found


def _take(project: Project, request: Request, root: Element) -> str:
    info = root.find("file_info") or Element("")
    name, signature = info.string("name"), info.string("xml_signature")
    most = int(info.number("max_nbytes", 0, 0, 1e15))
    size, offset = int(root.number("nbytes", -1, -1, 1e15)), int(root.number("offset", 0, 0, 1e15))
    path = project.upload_path(name)
    if not is_upload_signed(name, most, signature, project.upload_secret):
        raise NotTaken(PERMANENT, "the signature does not belong to this file")
    if not 0 <= size <= most or offset > size:
        raise NotTaken(PERMANENT, f"the file is longer than {most} bytes")
    if not _wanted(project, name):
        raise NotTaken(PERMANENT, "the result is not needed any more")
    with open(path, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _append(request, file, offset, size)
    faults.point("upload.written")
    if not _wanted(project, name):
        path.unlink(missing_ok=True)
        raise NotTaken(PERMANENT, "the result is not needed any more")
    return ""


def _append(request: Request, file: Any, offset: int, size: int) -> None:
    """Writes what comes, from the offset to the end of the file. If the client stops early, what has come is kept."""
    if offset > file.tell():
        raise NotTaken(TRANSIENT, f"only {file.tell()} bytes are here")
    file.truncate(offset)
    left = size - offset
    while left:
        piece = request.some(min(left, _CHUNK))
        if not piece:
            raise NotTaken(TRANSIENT, f"{left} bytes are missing")
        file.write(piece)
        faults.point("upload.half")
        left -= len(piece)
    # Some clients close what they opened.
    rest = request.some(256)
    if rest.strip() not in (b"", b"</data>", b"</data>\n</file_upload>\n</data_server_request>"):
        raise NotTaken(PERMANENT, "more bytes than the file has")


def _wanted(project: Project, name: str) -> bool:
    """Whether a file belongs to a result that may still need it."""
    beginning, _, number = name.rpartition("_out")
    named = result_of_name(beginning)
    if named is None:
        return False
    with project.store.snapshot() as look:
        row: Optional[Any] = look.row(
            "select server_state, outcome, result.file_delete_state, application, outputs from result join unit on "
            "unit.id = result.unit where result.id = ?", (named[1],))
    if row is None or not number.isdigit() or output_name(row[3], named[1], int(number)) != name:
        return False
    return bool((row[0] == v.RESULT_IN_PROGRESS or row[0] == v.RESULT_OVER and row[1] == v.OUTCOME_NO_REPLY) and
                row[2] == v.FILES_INIT)
