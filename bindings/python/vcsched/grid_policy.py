# SPDX-License-Identifier: MIT
"""Custom policies for grids: what the servers and hosts of one emulation decide themselves."""

from __future__ import annotations

from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Union

from vcsched.interface import Change, DispatchDecision, Result, Trust, Unit
from vcsched.library import NULL, WRONG_ARGUMENT, explain, failure, ffi, kind_of, lib
from vcsched.memory import Records
from vcsched.policy import AnyPolicy

__all__ = ["AnyServerPolicy", "Dispatches", "GridPolicy", "GridSituation", "OpenJobs", "ServerPolicy", "Trusts",
           "Validates"]


class GridSituation(NamedTuple):
    """What a decision of a server is about."""

    seed: int
    """That of the grid: a policy that draws at random starts from it."""
    now: float
    """The present, s."""
    project: int
    """Index of the project in the grid."""
    host: int
    """Index of the host, from 0 for the first of the first class; NONE if it is about none."""


class OpenJobs:
    """The jobs of a project, as `dispatch` may ask about them. It lasts as long as the call."""

    __slots__ = ("_c",)

    def __init__(self, pointer: Any) -> None:
        self._c = pointer

    def next(self, host: int, now: float) -> DispatchDecision:
        """Which job the library would give a host at that time (rule 10.3)."""
        if self._c == NULL:
            raise RuntimeError("OpenJobs.next(): it lasts as long as the call that was given it")
        decision = DispatchDecision._blank()
        try:
            code = lib.vcs_dispatch_next(self._c, host, now, decision._c)
        except WRONG_ARGUMENT as reason:
            raise explain(reason, "next", ("host", host, "uint32_t"), ("now", now, "double")) from None
        if code:
            raise failure("next", code, None, host=host, now=now)
        return decision

    def _end(self) -> None:
        self._c = NULL


DispatchFunction = Callable[[GridSituation, OpenJobs], Optional[DispatchDecision]]
ValidateFunction = Callable[[GridSituation, Unit, "Records[Result]", List[int]], Sequence[Change]]
TrustFunction = Callable[[GridSituation, Trust, float], bool]


class Dispatches(Protocol):
    """A server that decides which job a host gets next, for projects with GRID_BY_REPLY."""

    def dispatch(self, situation: GridSituation, jobs: OpenJobs) -> Optional[DispatchDecision]:
        """The job, or None if the host gets none now. `jobs.next(situation.host, situation.now)` is what the library
        would do."""


class Validates(Protocol):
    """A server that decides what follows from the classes of a unit's results, for projects with GRID_BY_DEADLINE."""

    def validate(self, situation: GridSituation, unit: Unit, results: "Records[Result]",
                 classes: List[int]) -> Sequence[Change]:
        """The changes of the unit and its results. `unit.validate(results, classes, situation.now)` is what the library
        would do. Equal results have equal classes."""


class Trusts(Protocol):
    """A server that decides whether a host's job also goes to another, for projects with GRID_CHECK_ADAPTIVE."""

    def trust(self, situation: GridSituation, trust: Trust, u: float) -> bool:
        """Whether it does. `u` is a draw from 0 to 1; `trust.needs_copy(u).needed` is what the library would do."""


class ServerPolicy(NamedTuple):
    """A policy of servers made of functions. What is not given is the library's own."""

    dispatch: Optional[DispatchFunction] = None
    validate: Optional[ValidateFunction] = None
    trust: Optional[TrustFunction] = None


AnyServerPolicy = Union[ServerPolicy, Dispatches, Validates, Trusts]
"""An object with at least one of the methods, or functions."""


class GridPolicy(NamedTuple):
    """Who decides in a grid. What is not given is the library's own."""

    server: Optional[AnyServerPolicy] = None
    """The servers of all projects: an object with any of the methods dispatch, validate and trust."""
    hosts: Union[AnyPolicy, Mapping[Union[int, str], AnyPolicy], None] = None
    """The hosts of all classes: a policy as for emulate(); or of some, by the number or the name of the class. One
    object decides for all of these hosts. `Situation.seed` tells them apart."""


# ---- What was decided, as the library takes it ----


def write_dispatch(decided: Optional[DispatchDecision], decision: Any) -> None:
    """Writes which job a host gets."""
    if decided is None:
        return
    if not isinstance(decided, DispatchDecision):
        raise TypeError(f"dispatch() must return a DispatchDecision or None, not {kind_of(decided)}")
    decision.job, decision.is_copy = decided.job, decided.is_copy
    decision.reason, decision.next_check = decided.reason, decided.next_check


def write_changes(decided: Sequence[Change], changes: Any, count: Any) -> None:
    """Writes the changes of a validation to an array of the library's."""
    size, capacity = changes.element_size, changes.count
    if isinstance(decided, (str, bytes)) or not isinstance(decided, Sequence):
        raise TypeError(f"validate() must return a sequence of Change, not {kind_of(decided)}")
    if len(decided) > capacity:
        raise ValueError(f"validate() returned {len(decided)} changes, but at most {capacity} make sense")
    for index, change in enumerate(decided):
        if not isinstance(change, Change):
            raise TypeError(f"validate()[{index}] must be Change, not {kind_of(change)}")
        written = bytes(ffi.buffer(change._c))[:size].ljust(size, b"\0")
        ffi.memmove(ffi.cast("char *", changes.out) + index * size, written, size)
    count[0] = len(decided)


def results_of(results: Any) -> Records[Result]:
    """Copies of the results in an array of the library's."""
    size, found = results.element_size, Records(Result, results.count)
    for index in range(results.count):
        ffi.memmove(found._base + index, ffi.cast("char *", results.base) + index * size, min(size, Result._size))
    return found
