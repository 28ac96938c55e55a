# SPDX-License-Identifier: MIT
"""Requests that nobody honest sends: each is refused with a clear error, and the database is as before."""

from __future__ import annotations

import random
import socket
import time
from typing import Any, Dict, Iterator, List, Tuple

import pytest

from running import BUILD, Grid, until

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")

MALFORMED = 10000


def _get(path: bytes) -> bytes:
    return b"GET /" + path + b" HTTP/1.1\r\n\r\n"


# What is put between a client and a server: the whole request, and the status that answers it.
RAW: Dict[str, Tuple[bytes, int]] = {
    "no request line": (b"\x00\x01\x02\r\n\r\n", 400),
    "an unknown version": (b"GET / HTTP/9.9\r\n\r\n", 400),
    "a header without a colon": (b"GET / HTTP/1.1\r\nnonsense\r\n\r\n", 400),
    "a header without an end": (b"GET / HTTP/1.1\r\nx: " + b"y" * 100000, 431),
    "thousands of headers": (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10000 + b"\r\n", 431),
    "a length that is no number": (b"POST /scheduler HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400),
    "a body of an unknown length": (b"POST /scheduler HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
    "a body that is too long": (b"POST /scheduler HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", 413),
    "a method that nobody knows": (b"BREW / HTTP/1.1\r\n\r\n", 405),
    "a page that is posted to": (b"POST / HTTP/1.1\r\n\r\n", 405),
    "a page that is not there": (_get(b"phpmyadmin/"), 404),
    "the parent of the downloads": (_get(b"download/../config.json"), 404),
    "the parent, in other letters": (_get(b"download/%2e%2e%2fkeys%2fupload"), 404),
    "a file of the system": (_get(b"download//etc/passwd"), 404),
    "a name with a zero byte": (_get(b"download/squares_1_in0%00"), 404),
    "a very long name": (_get(b"download/" + b"a" * 5000), 404),
    "too many parameters": (b"GET /lookup_account.php?" + b"a=b&" * 1000 + b" HTTP/1.1\r\n\r\n", 400),
}

_BOMB = ('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi")) +
    "]><scheduler_request><authenticator>&i;</authenticator></scheduler_request>")

# Bodies of scheduler requests that are refused as such. KEY becomes a valid key.
BODIES: Dict[str, str] = {
    "nothing": "",
    "no XML": "hello",
    "another root": "<other/>",
    "an element that is not closed": "<scheduler_request><authenticator>KEY</authenticator>",
    "entities in entities": _BOMB,
    "a document type": '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x"><scheduler_request/>',
    "a file as an entity": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><scheduler_request><authenticator>'
                           "&f;</authenticator></scheduler_request>",
    "elements in elements": "<scheduler_request><authenticator>KEY</authenticator>" + "<a>" * 30 + "</a>" * 30 +
                            "</scheduler_request>",
    "elements in very many": "<scheduler_request>" + "<a>" * 100000 + "</a>" * 100000 + "</scheduler_request>",
    "too many elements": "<scheduler_request>" + "<a/>" * 100000 + "</scheduler_request>",
    "no key": "<scheduler_request></scheduler_request>",
    "a key that is code": "<scheduler_request><authenticator>' or 1=1 --</authenticator></scheduler_request>",
    "a number that is none": "<scheduler_request><authenticator>KEY</authenticator><hostid>one</hostid>"
                             "</scheduler_request>",
    "a number that is infinite": "<scheduler_request><authenticator>KEY</authenticator><cpu_req_secs>inf</cpu_req_secs>"
                                 "</scheduler_request>",
    "a number that is not one": "<scheduler_request><authenticator>KEY</authenticator><host_info><p_fpops>nan</p_fpops>"
                                "</host_info></scheduler_request>",
    "too many results": "<scheduler_request><authenticator>KEY</authenticator>" + "<result/>" * 10001 +
                        "</scheduler_request>",
    "an element that is too long": "<scheduler_request><authenticator>KEY</authenticator><platform_name>" + "x" * 100000
                                   + "</platform_name></scheduler_request>",
}


@pytest.fixture(name="grid", scope="module")
def fixture_grid(tmp_path_factory: Any) -> Iterator[Grid]:
    """A grid with a host that has a task."""
    with Grid(tmp_path_factory.mktemp("grid"), units=3, settings=["attempts_per_minute=30"]) as grid:
        grid.start()
        until(lambda: grid.value("select count(*) from result") == 6, "work is there")
        yield grid


def everything(grid: Grid) -> List[Any]:
    """All that is in the database, and all files."""
    tables = ("account", "host", "unit", "result", "history", "project", "application")
    return [grid.sql(f"select * from {table} order by 1") for table in tables] + [grid.files()]


def raw(grid: Grid, content: bytes) -> int:
    """The status that answers some bytes; 0 if the connection is closed without an answer."""
    with socket.create_connection(("127.0.0.1", grid.port)) as connection:
        try:
            connection.sendall(content)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(65536)
        except OSError:
            return 0
    return int(answer.split()[1]) if answer else 0


def post(grid: Grid, path: str, body: bytes) -> int:
    head = f"POST /{path} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n"
    return raw(grid, head.encode() + body)


@pytest.mark.parametrize("name", RAW)
def test_a_hostile_connection(grid: Grid, name: str) -> None:
    before = everything(grid)
    content, status = RAW[name]
    # What arrives after an answer may make the system drop the answer.
    assert raw(grid, content) in (status, 0 if len(content) > 65536 else status)
    assert everything(grid) == before
    assert raw(grid, b"GET / HTTP/1.1\r\n\r\n") == 200


@pytest.mark.parametrize("name", BODIES)
def test_a_hostile_request(grid: Grid, name: str) -> None:
    before = everything(grid)
    assert post(grid, "scheduler", BODIES[name].replace("KEY", grid.key).encode()) == 400
    assert everything(grid) == before


def test_a_wrong_key(grid: Grid) -> None:
    before = everything(grid)
    reply = load.Host(grid.url, "0" * 32).talk(seconds=100)
    assert reply.tasks == [] and "No account has this key" in reply.messages[0] and reply.delay == 86400
    assert everything(grid) == before


def test_a_thousand_small_changes_to_a_request(grid: Grid) -> None:
    """10,000 requests, each with some bytes changed, cut or doubled. Whatever the server makes of them, it is never an
    error of its own, and no unit comes to harm."""
    draw = random.Random(1)
    host = load.Host(grid.url, grid.key, "mallory")
    good = host.request(reports=(load.Report("squares_1_1"), load.Report("squares_2_1", 3, 1)),
                        held=["squares_3_1"]).encode()
    states = "select server_state, outcome, validate_state, host from result order by id"
    before = grid.sql(states)
    connection = load.Connection(grid.url)
    found = set()
    for _ in range(MALFORMED):
        content = bytearray(good)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(content))
            kind = draw.randrange(4)
            if kind == 0:
                content[at] = draw.randrange(256)
            elif kind == 1:
                del content[at:at + draw.randint(1, 40)]
            elif kind == 2:
                content[at:at] = content[at:at + draw.randint(1, 40)]
            else:
                content[at:at] = draw.choice([b"<", b"&", b"]]>", b"\xff", b"9" * 12, b"-1", b"<a>", b"\x00"])
            content = content or bytearray(b"x")
        found.add(connection.post("scheduler", bytes(content))[0])
    assert found == {200, 400}
    assert grid.sql(states) == before
    assert grid.value("select count(*) from host") <= 202
    assert "Traceback" not in grid.log()


def test_uploads_that_nobody_asked_for(grid: Grid) -> None:
    host = load.Host(grid.url, grid.key, "nina")
    task = host.talk(seconds=1).tasks[0]
    before = everything(grid)
    bodies = {
        "nothing": b"", "no element": b"<data_server_request>\n<data>\nabc",
        "no end": b"<data_server_request>\n<file_upload>\n" + b"<x>" * 5000,
        "a parent": b"<data_server_request>\n<get_file_size>../../config.json</get_file_size>\n",
        "a long name": b"<data_server_request>\n<get_file_size>" + b"a" * 5000 + b"</get_file_size>\n",
    }
    for name, body in bodies.items():
        _, answer = load.Connection(grid.url).post("file_upload_handler", body)
        assert b"<status>-1</status>" in answer and b"<message>" in answer, name
    for output in ("../../config.json", "/etc/passwd", "squares_1_1_out7", "squares_1_1", "x" * 500, ""):
        assert host.upload(task._replace(output=output), b"x") == -1
    assert host.upload(task, b"x", offset=0, size=1 << 40) == -1
    assert everything(grid) == before


def test_who_tries_too_often_has_to_wait(grid: Grid) -> None:
    connection = load.Connection(grid.url)
    path = "lookup_account.php?email_addr=ann@example.org&passwd_hash=" + "0" * 32
    began, allowed = time.monotonic(), 0
    while (status := connection.ask("GET", path)[0]) == 200:
        allowed += 1
    assert status == 429
    # 30 at once, and one more every two seconds.
    assert 0 < allowed <= 31 + (time.monotonic() - began) / 2


def test_a_connection_that_only_waits_holds_nobody_up(grid: Grid) -> None:
    waiting = [socket.create_connection(("127.0.0.1", grid.port)) for _ in range(50)]
    try:
        for connection in waiting:
            connection.sendall(b"POST /scheduler HTTP/1.1\r\nContent-Length: 100\r\n\r\n<sched")
        assert load.Host(grid.url, grid.key, "nina").talk().messages == []
    finally:
        for connection in waiting:
            connection.close()
