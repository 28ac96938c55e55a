# SPDX-License-Identifier: MIT
"""The database: what both kinds have in common, and the tables.

All SQL of the server is written once. A `?` stands for an argument, and `for update of TABLE [skip locked]` at the end
of a query locks what it finds, where several writers can be at work at the same time.

Whoever changes a unit or its results locks the row of the unit first. Rows are locked in this order, each table by id:
unit, host, account, project. `skip locked` waits for nobody and may come anywhere.
"""

from __future__ import annotations

import queue
import threading
from contextlib import contextmanager
from typing import (Any, Callable, ContextManager, Dict, Generic, Iterable, Iterator, List, Optional, Sequence, Tuple,
                    TypeVar)

import vcsched as v
from server import faults
from server.records import columns

Row = Tuple[Any, ...]


class Transaction:
    """One transaction, or a look at the database at one moment. The two kinds of database implement it."""

    def rows(self, sql: str, arguments: Sequence[Any] = ()) -> List[Row]:
        """The rows that a query finds, all of them."""
        raise NotImplementedError

    def row(self, sql: str, arguments: Sequence[Any] = ()) -> Optional[Row]:
        """The first row; None if there is none."""
        found = self.rows(sql, arguments)
        return found[0] if found else None

    def value(self, sql: str, arguments: Sequence[Any] = ()) -> Any:
        """The first column of the first row; None if there is none."""
        found = self.rows(sql, arguments)
        return found[0][0] if found else None

    def run(self, sql: str, arguments: Sequence[Any] = ()) -> int:
        """Changes something. Returns how many rows."""
        raise NotImplementedError

    def many(self, sql: str, arguments: Sequence[Sequence[Any]]) -> None:
        """The same with each of several sets of arguments."""
        raise NotImplementedError

    def insert(self, table: str, values: Dict[str, Any]) -> int:
        """A new row. Returns its id."""
        raise NotImplementedError

    def insert_all(self, table: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """New rows whose ids are given or not needed."""
        if rows:
            self.many(f"insert into {table} ({', '.join(names)}) values ({marks(len(names))})", rows)

    @contextmanager
    def part(self) -> Iterator[None]:
        """What is done inside is taken back if it raises anything, and the rest of the transaction is not."""
        self.run("savepoint part")
        try:
            yield
            self.run("release savepoint part")
        except BaseException as reason:
            try:
                self.run("rollback to savepoint part")
                self.run("release savepoint part")
            except Exception as problem:  # the transaction itself is lost
                raise Unavailable(f"the database: {problem}") from reason
            raise

    def one_at_a_time(self, key: int) -> None:
        """Waits until no other transaction has the same key. It is given back at the end."""
        raise NotImplementedError


class Store:
    """A database. It may be used by any number of threads and processes."""

    def transaction(self, name: str) -> ContextManager[Transaction]:
        """Everything inside happens, or nothing does. The name is for faults.point()."""
        raise NotImplementedError

    def snapshot(self) -> ContextManager[Transaction]:
        """For reading only. It keeps nobody waiting."""
        raise NotImplementedError

    def make_tables(self) -> None:
        """Makes what is missing, in one transaction."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes all connections."""
        raise NotImplementedError


class Unavailable(Exception):
    """The database cannot be reached, is full, or did not answer in time. What was being done has not happened, unless
    this came in the middle of the commit: then it may have, as a whole."""


C = TypeVar("C")

CONNECTIONS = 16
"""Most connections of a process to its database. Whoever needs a further one waits."""


class Pool(Generic[C]):
    """Connections that are kept and lent."""

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._idle: "queue.LifoQueue[C]" = queue.LifoQueue()
        self._free = threading.BoundedSemaphore(CONNECTIONS)

    @contextmanager
    def lent(self) -> Iterator[C]:
        """A connection for a while."""
        with self._free:
            try:
                connection = self._idle.get_nowait()
            except queue.Empty:
                connection = self._make()
            try:
                yield connection
            finally:
                self._idle.put(connection)

    def idle(self) -> Iterator[C]:
        """Those that are not lent, which are taken out."""
        while not self._idle.empty():
            yield self._idle.get()


def open_store(url: str, folder: str) -> Store:
    """A database by its URL: sqlite:FILE, in the project's folder if the path is relative, or postgresql://..."""
    if url.startswith("sqlite:"):
        from server.sqlite_store import SqliteStore
        return SqliteStore(url[len("sqlite:"):], folder)
    if url.startswith(("postgresql:", "postgres:")):
        try:
            from server.postgresql_store import PostgresqlStore
        except ImportError:
            raise ValueError("database: PostgreSQL needs psycopg2 (Debian: python3-psycopg2)") from None
        return PostgresqlStore(url)
    raise ValueError(f"database: {url!r} is neither sqlite:FILE nor postgresql://USER@HOST/NAME")


def marks(count: int) -> str:
    """As many question marks."""
    return ", ".join("?" * count)


@contextmanager
def places(name: str, transaction: Transaction, disconnect: Any) -> Iterator[Transaction]:
    """The places at the beginning and before the commit of a transaction at which a test may strike."""
    faults.point(f"{name}.begin", disconnect)
    yield transaction
    faults.point(f"{name}.commit", disconnect)


# What the server knows beside the library's own records. Each record of the library has a column for each of its
# fields, by the same name; those of hosts have a prefix.
_UNIT = """application text not null, created double precision not null, finished double precision,
    command_line text not null, inputs text not null, outputs text not null, flops double precision not null,
    flops_bound double precision not null, memory double precision not null, disk double precision not null,
    output_bytes bigint not null"""

_RESULT = """unit bigint not null, account bigint, sent double precision, elapsed double precision,
    cpu_time double precision, exit_status bigint, version integer, message text, refusals integer not null default 0"""

_HOST = """id {id}, account bigint not null, name text not null, cpid text not null, platform text not null,
    system text not null, processor text not null, client text not null, cpus integer not null,
    flops double precision not null, memory double precision not null, on_fraction double precision not null,
    active_fraction double precision not null, sequence bigint not null, created double precision not null,
    last_request double precision not null, credit double precision not null, withdrawn integer not null"""

_ACCOUNT = """id {id}, name text not null, email text not null unique, key text not null unique,
    password text not null, created double precision not null, credit double precision not null"""


def tables(id_type: str) -> Dict[str, str]:
    """The columns of each table."""
    return {
        # One row: the number of the last unit, and sums over all units that ever were.
        "generator": "id integer primary key, last bigint not null",
        "project": "id integer primary key, units bigint not null, results bigint not null, valid bigint not null, "
                   "accepted bigint not null, failed bigint not null, credit double precision not null",
        "account": ", ".join([_ACCOUNT.format(id=id_type), *columns(v.Average, "average_")]),
        "host": ", ".join([_HOST.format(id=id_type), *columns(v.Average, "average_"), *columns(v.Trust, "trust_"),
                           *columns(v.Quota, "quota_")]),
        "application": "name text primary key, title text not null, version integer not null, versions text not null",
        "unit": ", ".join([*columns(v.Unit, key="id"), _UNIT]),
        "result": ", ".join([*columns(v.Result, key="id"), _RESULT]),
        "history": f"id {id_type}, unit bigint not null, time double precision not null, event text not null, "
                   "changes text not null",
        # What stands still because nearly everything fails: see trouble.py.
        "trouble": "name text primary key, since double precision not null, until double precision not null, "
                   "failures bigint not null, error text not null",
    }


INDICES = (
    # What the daemons look for. A unit or a result that nothing is to be done with is in none of them.
    "unit_due on unit (transition_time)",
    "unit_to_validate on unit (compare_time, id) where need_validate = 1",
    "unit_to_assimilate on unit (assimilate_time, id) where assimilate_state = 1",
    "unit_to_delete on unit (delete_time, id) where file_delete_state = 1",
    "unit_not_deleted on unit (delete_time) where delete_failures > 0",
    "host_caught on host (id) where trust_flags = 1 and withdrawn = 0",
    "unit_finished on unit (finished) where finished is not null",
    "result_to_delete on result (id) where file_delete_state = 1",
    # What a scheduler request looks for.
    "result_unsent on result (id) where server_state = 1",
    "result_in_progress on result (host) where server_state = 2",
    "result_host on result (host)",
    "result_unit on result (unit)",
    "history_unit on history (unit)",
    "host_account on host (account, cpid)",
)


def schema(id_type: str) -> Iterable[str]:
    """The statements that make the tables and their indices."""
    for name, held in tables(id_type).items():
        yield f"create table if not exists {name} ({held})"
    for index in INDICES:
        yield f"create index if not exists {index}"
    yield "insert into generator values (1, 0) on conflict do nothing"
    yield "insert into project values (1, 0, 0, 0, 0, 0, 0) on conflict do nothing"
