# SPDX-License-Identifier: MIT
"""The file of a sweep: a line for each emulation that has ended, so that a sweep which was killed can go on.

A line is an object of JSON: what was emulated, and what came of it, each field by name. Numbers have the digits that
give the same double back. `of` is a digest of all that decides the outcome besides the values and the seed: the version
of the library, the scenario, and the policy. A sweep takes what it finds of its own and passes over the rest. So a
sweep may be extended, and files of several machines may be put one behind the other.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import pickle
from types import TracebackType
from typing import Any, BinaryIO, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Type, TypeVar

from vcsched.grid import Grid, LaidGrid
from vcsched.interface import GridOutcome, GridProjectOutcome, Outcome, ProjectOutcome, ResourceOutcome
from vcsched.library import lib, text
from vcsched.memory import Record
from vcsched.scenario import Laid, Scenario
from vcsched.sweep_points import Subject, Value
from vcsched.sweep_table import AnyOutcome

try:
    import fcntl
except ImportError:  # not a Unix
    fcntl = None  # type: ignore[assignment]

_R = TypeVar("_R", bound=Record)


class Found(NamedTuple):
    """What came of one emulation."""

    outcome: AnyOutcome
    projects: Dict[str, Any]
    resources: Dict[str, ResourceOutcome]


def digest(scenario: Subject, policy: Optional[Callable[..., Any]]) -> str:
    """Tells what was emulated, but for values and seed. Of a policy: its name, and its source if there is any."""
    names, contents = _of_grid(scenario) if isinstance(scenario, Grid) else _of_host(scenario)
    found = hashlib.sha256(f"{text(lib.vcs_version())} {names!r}\n".encode())
    for part in contents:
        found.update(f"{len(part)}\n".encode() + part)
    if policy is not None:
        found.update(_identity(policy))
    return found.hexdigest()[:16]


def _of_host(scenario: Scenario) -> "Tuple[Any, List[bytes]]":
    names = [scenario.resource_names, scenario.project_names, scenario.app_names, scenario.kept or ()]
    laid = Laid(scenario, scenario.course.replace(seed=0))
    return [*(tuple(listed) for listed in names), scenario.kept is None], [bytes(scenario.policy), *laid.contents()]


def _of_grid(grid: Grid) -> "Tuple[Any, List[bytes]]":
    hosts = [_of_host(given.scenario)[0] for given in grid.classes]
    laid = LaidGrid(grid, grid.course.replace(seed=0))
    return [tuple(grid.project_names), tuple(grid.class_names), *hosts], list(laid.contents())


def _identity(policy: Callable[..., Any]) -> bytes:
    """What makes a policy, and what it is made with: by name and source, since nothing else lasts."""
    try:
        named = pickle.dumps(policy, 4)
    except (pickle.PicklingError, AttributeError, TypeError):  # such as a lambda
        named = f"{policy.__module__}.{getattr(policy, '__qualname__', type(policy).__qualname__)}".encode()
    while isinstance(policy, functools.partial):
        policy = policy.func
    try:
        return named + inspect.getsource(policy).encode()
    except TypeError:  # an object with a method __call__
        policy = type(policy)
    except OSError:  # typed in
        return named
    try:
        return named + inspect.getsource(policy).encode()
    except (OSError, TypeError):
        return named


class SweepFile:
    """The file of one sweep, open for more lines. One process at a time may have it open."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: Dict[str, Found] = {}
        self._stream: BinaryIO = open(path, "a+b")
        try:
            self._lock()
            self._read()
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> "SweepFile":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        self._stream.close()

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(f"{self._path}: another sweep is writing to this file") from None
        except OSError:
            pass  # some network file systems have no locks

    def _read(self) -> None:
        """Reads all lines. The last is dropped if it is not whole: whoever wrote it was killed."""
        self._stream.seek(0)
        whole = 0
        for number, line in enumerate(self._stream, 1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as reason:
                raise ValueError(f"{self._path}:{number}: this is not a line of a sweep: {reason}") from None
        self._stream.truncate(whole)
        self._stream.seek(0, 2)

    def _take(self, line: Dict[str, Any]) -> None:
        of_grid = tuple(line["outcome"]) == GridOutcome.fields
        outcome: Type[Any] = GridOutcome if of_grid else Outcome
        project: Type[Record] = GridProjectOutcome if of_grid else ProjectOutcome
        self._found[_key(line["of"], line["values"], line["seed"])] = Found(
            _record(outcome, line["outcome"]),
            {name: _record(project, fields) for name, fields in line["projects"].items()},
            {name: _record(ResourceOutcome, fields) for name, fields in line["resources"].items()})

    def find(self, of: str, values: Mapping[str, Value], seed: int) -> Optional[Found]:
        """What came of an emulation, if the file had it when it was opened."""
        return self._found.get(_key(of, values, seed))

    def write(self, lines: Iterable[bytes]) -> None:
        """Adds lines. When this returns, the operating system has them."""
        self._stream.write(b"".join(lines))
        self._stream.flush()


def line_of(of: str, values: Mapping[str, Value], seed: int, found: Found) -> bytes:
    """The line of one emulation."""
    line = {"of": of, "values": values, "seed": seed, "outcome": _fields(found.outcome),
            "projects": {name: _fields(record) for name, record in found.projects.items()},
            "resources": {name: _fields(record) for name, record in found.resources.items()}}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _key(of: str, values: Mapping[str, Value], seed: int) -> str:
    return json.dumps([of, list(values.items()), seed])


def _fields(record: Record) -> Dict[str, float]:
    """As they stand in memory: what is undefined is 0, and a flag says so."""
    return {name: getattr(record._c, name) for name in record.fields}


def _record(kind: Type[_R], fields: Mapping[str, float]) -> _R:
    if tuple(fields) != kind.fields:
        raise ValueError(f"the fields are not those of {kind.__name__}")
    record = kind._blank()
    for name, value in fields.items():
        setattr(record._c, name, value)
    return record
