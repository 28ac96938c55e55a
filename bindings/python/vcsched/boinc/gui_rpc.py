# SPDX-License-Identifier: MIT
"""Asks a running BOINC client over its GUI RPC. Nothing here can change what the client does.

A request and its reply are XML; each ends with a byte 3. Whoever knows the password proves it without sending it: the
client gives a nonce, and gets the MD5 of nonce and password. What answers is not trusted: its replies are bounded in
size and in time, and read like files from anywhere.
"""

from __future__ import annotations

import hashlib
import io
import re
import socket
import time
from typing import List, NamedTuple
from xml.sax.saxutils import escape

from vcsched.boinc.xml_records import Element, Layout, read_records
from vcsched.errors import LiveError, RefusedError, quoted

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 31416
DEFAULT_TIMEOUT = 10.0
"""Seconds in which a reply must be complete."""

LONGEST_REPLY = 64 * 1024 * 1024
"""Bytes. The state of a client with ten thousand tasks has a quarter of it."""
LONGEST_PASSWORD = 256
"""Bytes that are read of a password's file."""

_END = b"\x03"
_REPLY = "boinc_gui_rpc_reply"
_PIECE = 64 * 1024
_ADDRESS = re.compile(r"(?:\[([^][/\s]+)\]|([^][:/\s]*))(?::(\d{1,5}))?|([^][/\s]*:[^][/\s]*:[^][/\s]*)", re.ASCII)
_DECLARATION = re.compile(rb"<\?xml[^>]{0,200}\?>")

_SIGNS = Layout(
    description="a reply of a BOINC client",
    roots=frozenset({_REPLY}),
    containers=frozenset({_REPLY}),
    records=frozenset({"nonce", "authorized", "unauthorized", "error"}),
    fields=frozenset())


class Address(NamedTuple):
    """Where a client listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """`HOST`, `HOST:PORT` or `[HOST]:PORT`; empty is the client on this computer. ValueError if it is none of them."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise ValueError(f"{quoted(text)} is no HOST[:PORT]")
    bracketed, host, port, bare = match.groups()
    number = int(port) if port else DEFAULT_PORT
    if not 0 < number < 65536:
        raise ValueError(f"{number} is no port")
    return Address(bracketed or host or bare or DEFAULT_HOST, number)


def read_password(path: str) -> bytes:
    """The password in a file such as the client's gui_rpc_auth.cfg: its first line."""
    with open(path, "rb") as stream:
        return stream.read(LONGEST_PASSWORD).split(b"\n", 1)[0].strip()


class ClientConnection:
    """A connection to a client. Close it, or use it in a `with`."""

    def __init__(self, address: Address, timeout: float = DEFAULT_TIMEOUT) -> None:
        self.address = address
        self._timeout = timeout
        try:
            self._socket = socket.create_connection(address, timeout)
        except (OSError, UnicodeError) as error:
            raise LiveError(f"no client answers at {address}: {_why(error)}") from None

    def __enter__(self) -> "ClientConnection":
        return self

    def __exit__(self, *_ignored: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()

    def authenticate(self, password: bytes) -> None:
        """Proves to know the password. LiveError if it is wrong."""
        nonces = [sign.text.strip() for sign in self._signs("<auth1/>") if sign.name == "nonce"]
        if not nonces:
            raise LiveError(f"{self.address}: the client does not say how to prove the password")
        proof = hashlib.md5(nonces[0].encode() + password, usedforsecurity=False).hexdigest()
        signs = self._signs(f"<auth2>\n<nonce_hash>{proof}</nonce_hash>\n</auth2>")
        if not any(sign.name == "authorized" for sign in signs):
            raise LiveError(f"{self.address}: the password is wrong")

    def ask(self, call: str, layout: Layout, project: str = "") -> List[Element]:
        """The records in the reply to a call, which may be about the project with a URL. RefusedError if it is answered
        only with the password."""
        inner = f"<{call}>\n<url>{escape(project)}</url>\n</{call}>" if project else f"<{call}/>"
        reply = self._reply(call, inner)
        # An answer that refuses is short, and has one of the signs at its beginning.
        if any(sign.name == "unauthorized" for sign in self._read(call, reply, _SIGNS)):
            raise RefusedError(f"{self.address}: the client answers {call} only with its password")
        within = layout._replace(roots=frozenset({_REPLY}), containers=layout.containers | layout.roots | {_REPLY})
        return self._read(call, reply, within)

    def _signs(self, request: str) -> List[Element]:
        call = request[1:request.index("/" if request.endswith("/>") else ">")]
        return self._read(call, self._reply(call, request), _SIGNS)

    def _read(self, call: str, reply: bytes, layout: Layout) -> List[Element]:
        return list(read_records(io.BytesIO(reply), f"{self.address} {call}", layout))

    def _reply(self, call: str, request: str) -> bytes:
        """The reply to a request, without the byte that ends it."""
        deadline = time.monotonic() + self._timeout
        pieces: List[bytes] = []
        size = 0
        try:
            self._socket.settimeout(self._timeout)
            self._socket.sendall(f"<boinc_gui_rpc_request>\n{request}\n</boinc_gui_rpc_request>\n".encode() + _END)
            while not (pieces and _END in pieces[-1]):
                # A whole reply has this long, so that one which trickles in ends too.
                self._socket.settimeout(max(deadline - time.monotonic(), 1e-3))
                piece = self._socket.recv(_PIECE)
                size += len(piece)
                if not piece:
                    raise LiveError(f"{self.address}: " + (f"the answer to {call} is cut short" if pieces else
                                    f"the connection was ended instead of an answer to {call}; the client may not "
                                    "allow this host (remote_hosts.cfg)"))
                if size > LONGEST_REPLY:
                    raise LiveError(f"{self.address}: the answer to {call} has more than {LONGEST_REPLY} bytes")
                pieces.append(piece)
        except OSError as error:
            raise LiveError(f"{self.address}: no complete answer to {call}: {_why(error)}") from None
        reply, _, rest = b"".join(pieces).partition(_END)
        if rest:
            raise LiveError(f"{self.address}: the answer to {call} goes on after its end")
        # A client hands files on as they are, with the declaration that was their first line.
        return _DECLARATION.sub(b"", reply).lstrip()


def _why(error: Exception) -> str:
    """What went wrong with a connection, for a person."""
    if isinstance(error, socket.timeout):
        return "it took too long"
    return getattr(error, "strerror", None) or str(error)
