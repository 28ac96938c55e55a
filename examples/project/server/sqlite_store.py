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
from typing import Any, Dict, Iterator, List, Optional, Sequence

from server import faults
from server.storage import Pool, Row, Store, Transaction, Unavailable, marks, places, schema

WAIT = 30.0
"""Seconds for which a writer waits for others that do not queue, such as somebody's own program."""


@functools.lru_cache(maxsize=None)
def _without_locks(sql: str) -> str:
    """There is one writer: it has locked everything."""
    return re.sub(r"\s+for update( of [a-z, ]+?)?( skip locked)?\s*$", "", sql)


class _Connection(Transaction):
    """A connection that opens when it is used, and the file by which writers queue."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._opened: Optional[sqlite3.Connection] = None

    def _open(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = self._connected()
        return self._opened

    def _database(self) -> sqlite3.Connection:
        """Within a transaction, or what follows the loss of the connection would be committed alone."""
        if self._opened is None:
            raise sqlite3.OperationalError("the connection was cut")
        return self._opened

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None, check_same_thread=False,
                                   cached_statements=512)
        try:
            self._set(database)
        except BaseException:
            database.close()
            raise
        return database

    @staticmethod
    def _set(database: sqlite3.Connection) -> None:
        # With WAL and `normal` a commit survives the end of the process. If the power fails, the last ones may be lost,
        # but as a whole: a copy of which the server knows nothing any more is given up at its deadline.
        for setting in ("journal_mode = wal", "synchronous = normal", "temp_store = memory", "cache_size = -65536"):
            database.execute(f"pragma {setting}")

    def rows(self, sql: str, arguments: Sequence[Any] = ()) -> List[Row]:
        return self._database().execute(_without_locks(sql), arguments).fetchall()

    def run(self, sql: str, arguments: Sequence[Any] = ()) -> int:
        return self._database().execute(sql, arguments).rowcount

    def many(self, sql: str, arguments: Sequence[Sequence[Any]]) -> None:
        self._database().executemany(sql, arguments)

    def insert(self, table: str, values: Dict[str, Any]) -> int:
        cursor = self._database().execute(f"insert into {table} ({', '.join(values)}) values ({marks(len(values))})",
                                          tuple(values.values()))
        return int(cursor.lastrowid or 0)

    def one_at_a_time(self, key: int) -> None:
        """There is one writer."""

    def begin(self) -> None:
        # SQLite's own way to wait is to sleep and try again, so that some wait for long. This is a queue.
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            self._open().execute("begin immediate")
        except BaseException:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
            raise

    def end(self, how: str) -> None:
        try:
            self._finish(how)
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    def look(self) -> None:
        self._open().execute("begin")

    def end_look(self) -> None:
        self._finish("rollback")

    def _finish(self, how: str) -> None:
        if self._opened is not None and self._opened.in_transaction:
            self._opened.execute(how)

    def disconnect(self) -> None:
        """What faults.py does to it."""
        self.shut()
        raise sqlite3.OperationalError("the connection was cut")

    def shut(self) -> None:
        """The next user opens it again."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def close(self) -> None:
        self.shut()
        os.close(self._lock)


class SqliteStore(Store):
    """A database in a file. Connections are kept and lent."""

    def __init__(self, path: str, folder: str) -> None:
        self._path = os.path.join(folder, path)
        self._pool: Pool[_Connection] = Pool(self._connection)

    def _connection(self) -> _Connection:
        try:
            return _Connection(self._path)
        except OSError as reason:  # no file may be opened any more
            raise Unavailable(f"the database: {reason}") from reason

    @contextmanager
    def _lent(self) -> Iterator[_Connection]:
        with self._pool.lent() as connection:
            try:
                yield connection
            except sqlite3.Error as reason:
                connection.shut()
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
