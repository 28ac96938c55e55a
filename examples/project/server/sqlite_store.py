# SPDX-License-Identifier: MIT
"""The project's database in a file, by SQLite. Any number of processes on one computer read it at the same time, and
one writes."""

from __future__ import annotations

import fcntl
import functools
import os
import re
import sqlite3
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Sequence

from server import faults
from server.storage import Pool, Row, Store, Transaction, Unavailable, marks, places, schema

WAIT = 30.0
"""Seconds for which a writer waits for others that do not queue, such as somebody's own program."""


@functools.lru_cache(maxsize=None)
def _without_locks(sql: str) -> str:
    """There is one writer: it has locked everything."""
    return re.sub(r"\s+for update( of [a-z, ]+?)?( skip locked)?\s*$", "", sql)


class _Connection(Transaction):
    """A connection, and the file by which writers queue."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._database = self._connected()

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None, check_same_thread=False,
                                   cached_statements=512)
        # With WAL and `normal` a commit survives the end of the process. If the power fails, the last ones may be lost,
        # but as a whole: a copy of which the server knows nothing any more is given up at its deadline.
        for setting in ("journal_mode = wal", "synchronous = normal", "temp_store = memory", "cache_size = -65536"):
            database.execute(f"pragma {setting}")
        return database

    def rows(self, sql: str, arguments: Sequence[Any] = ()) -> List[Row]:
        return self._database.execute(_without_locks(sql), arguments).fetchall()

    def run(self, sql: str, arguments: Sequence[Any] = ()) -> int:
        return self._database.execute(sql, arguments).rowcount

    def many(self, sql: str, arguments: Sequence[Sequence[Any]]) -> None:
        self._database.executemany(sql, arguments)

    def insert(self, table: str, values: Dict[str, Any]) -> int:
        cursor = self._database.execute(f"insert into {table} ({', '.join(values)}) values ({marks(len(values))})",
                                        tuple(values.values()))
        return int(cursor.lastrowid or 0)

    def one_at_a_time(self, key: int) -> None:
        """There is one writer."""

    def begin(self) -> None:
        # SQLite's own way to wait is to sleep and try again, so that some wait for long. This is a queue.
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            self._database.execute("begin immediate")
        except BaseException:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
            raise

    def end(self, how: str) -> None:
        try:
            if self._database.in_transaction:
                self._database.execute(how)
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    def look(self) -> None:
        self._database.execute("begin")

    def end_look(self) -> None:
        if self._database.in_transaction:
            self._database.execute("rollback")

    def disconnect(self) -> None:
        """What faults.py does to it."""
        self._database.close()
        raise sqlite3.OperationalError("the connection was cut")

    def connect_again(self) -> None:
        self._database.close()
        fcntl.flock(self._lock, fcntl.LOCK_UN)
        self._database = self._connected()

    def close(self) -> None:
        self._database.close()
        os.close(self._lock)


class SqliteStore(Store):
    """A database in a file. Connections are kept and lent."""

    def __init__(self, path: str, folder: str) -> None:
        self._path = os.path.join(folder, path)
        self._pool: Pool[_Connection] = Pool(lambda: _Connection(self._path))

    @contextmanager
    def _lent(self) -> Iterator[_Connection]:
        with self._pool.lent() as connection:
            try:
                yield connection
            except sqlite3.Error as reason:
                connection.connect_again()
                raise Unavailable(f"the database: {reason}") from reason

    @contextmanager
    def transaction(self, name: str) -> Iterator[Transaction]:
        with self._lent() as connection:
            connection.begin()
            done = False
            try:
                with places(name, connection, connection.disconnect):
                    yield connection
                done = True
            finally:
                connection.end("commit" if done else "rollback")
        faults.point(f"{name}.committed")

    @contextmanager
    def snapshot(self) -> Iterator[Transaction]:
        with self._lent() as connection:
            connection.look()
            try:
                yield connection
            finally:
                connection.end_look()

    def make_tables(self) -> None:
        with self.transaction("tables") as transaction:
            for statement in schema("integer primary key"):
                # By this name SQLite knows that the number of the row is meant.
                transaction.run(statement.replace("bigint primary key", "integer primary key"))

    def close(self) -> None:
        for connection in self._pool.idle():
            connection.close()
