# SPDX-License-Identifier: MIT
"""A client in a thread, as far as its GUI RPC goes: it demands the password as a real one does, and replies as told."""

from __future__ import annotations

import hashlib
import re
import socket
import threading
import time
from xml.sax.saxutils import escape

NONCE = "1795353653.601951"


def reply(inner):
    return f"<boinc_gui_rpc_reply>\n{inner}</boinc_gui_rpc_reply>\n".encode() + b"\x03"


def messages(*told):
    """The reply to get_messages, of a client that has told that of these projects."""
    return reply("<msgs>\n" + "".join(
        f"<msg>\n <project>{escape(project)}</project>\n <pri>1</pri>\n <seqno>{n}</seqno>\n"
        f" <body><![CDATA[\n{text}\n]]></body>\n <time>1000000</time>\n</msg>\n"
        for n, (project, text) in enumerate(told, 1)) + "</msgs>\n")


class FakeClient:
    """Use it in a `with`. `replies` holds for each call what is sent, or a function that sends it."""

    def __init__(self, replies, password=None, open_to_all=True):
        self.replies = {"get_cc_status": reply("<cc_status><task_mode>2</task_mode></cc_status>"),
                        "get_file_transfers": reply("<file_transfers>\n</file_transfers>\n"),
                        "get_messages": messages(),
                        "auth1": reply(f"<nonce>{NONCE}</nonce>"), **replies}
        self.proof = hashlib.md5(f"{NONCE}{password}".encode()).hexdigest()
        self.open_to_all = open_to_all
        self.calls = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_ignored):
        # Closing alone does not wake who accepts.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                try:
                    self._talk(connection)
                except OSError:
                    pass  # the other side has heard enough

    def _talk(self, connection):
        authorized = self.open_to_all
        received = b""
        while True:
            while b"\x03" not in received:
                piece = connection.recv(4096)
                if not piece:
                    return
                received += piece
            request, _, received = received.partition(b"\x03")
            inner = re.fullmatch(r"<boinc_gui_rpc_request>\n<(\w+)/?>(.*)\n</boinc_gui_rpc_request>\n",
                                 request.decode(), re.DOTALL)
            call, rest = inner.groups()
            self.calls.append(call)
            if call == "auth2" and call not in self.replies:
                authorized = f"<nonce_hash>{self.proof}</nonce_hash>" in rest
                connection.sendall(reply("<authorized/>\n" if authorized else "<unauthorized/>\n"))
                if not authorized:
                    return
            elif not authorized and call != "auth1":
                connection.sendall(reply("<unauthorized/>\n"))
            else:
                answer = self.replies[call]
                if callable(answer):
                    answer(connection, rest)
                    return
                connection.sendall(answer)


def nothing(_connection, _rest):
    """Ends the connection instead of an answer."""


def only(data):
    """Sends that and ends the connection."""
    return lambda connection, _rest: connection.sendall(data)


def trickle(connection, _rest):
    """Never ends and never pauses for long."""
    while True:
        connection.sendall(b"<boinc_gui_rpc_reply>")
        time.sleep(0.02)


def silence(connection, _rest):
    """Waits until the other side goes."""
    connection.recv(1)


def flood(connection, _rest):
    """Sends without end."""
    while True:
        connection.sendall(b" " * 65536)
