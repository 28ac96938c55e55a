# SPDX-License-Identifier: MIT
"""Whole grids in virtual time: what a design of a project is worth."""

from __future__ import annotations

import warnings
from array import array
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

from vcsched import constants
from vcsched.calls import OF_HOSTS, OF_SERVERS, Calls, Context, calls_of, from_library, functions_of
from vcsched.emulation import METHODS
from vcsched.grid import Grid, LaidGrid
from vcsched.grid_policy import (GridPolicy, GridSituation, OpenJobs, results_of, write_changes, write_dispatch)
from vcsched.interface import (GridEvent, GridHostOutcome, GridOutcome, GridProjectOutcome, GridSample, Trust, Unit)
from vcsched.library import NULL, failure, ffi, kind_of, lib, new_error
from vcsched.memory import Records
from vcsched.names import one_line

if TYPE_CHECKING:
    WholeNumbers = array[int]

__all__ = ["EmulatedGrid", "GridFailure", "emulate_grid"]

_METHODS = ("dispatch", "validate", "trust")

MOST_FAILURES = 1000
"""As many are kept of one emulation; all are counted."""
_LAST, _LEAST, _NEARLY_ALL = 20, 4, 0.8
"""A policy whose decisions of a kind about the last units of a project, or about its hosts, nearly all fail is wrong in
itself."""


class GridFailure(NamedTuple):
    """A decision at which a policy of servers failed."""

    decision: str
    """dispatch, validate or trust."""
    time: float
    """When, s."""
    project: int
    """Index of the project."""
    host: int
    """Index of the host; NONE if it is about none."""
    unit: int
    """Number of the unit, from 1; 0 if it is about none."""
    error: str
    """What was raised, in one line."""


class _GridCalls(Calls):
    """The functions of the servers, and what they failed at."""

    __slots__ = ("failures", "failed", "_last")

    def __init__(self, functions: Dict[str, Callable[..., Any]], keep_events: bool) -> None:
        super().__init__(functions, keep_events)
        self.failures: List[GridFailure] = []
        self.failed = 0
        self._last: Dict[Tuple[str, int], Dict[int, bool]] = {}

    def note(self, decision: str, situation: Any, unit: int = 0, error: Optional[Exception] = None,
             is_again: bool = False) -> bool:
        """Notes whether a decision failed. Returns whether nearly all do."""
        # Each unit or host counts once, however often it is tried: what fails comes back sooner than what does not.
        last = self._last.setdefault((decision, situation.project), {})
        if not is_again or error is None:
            last[unit or situation.host] = error is not None
        if unit and len(last) > _LAST:
            del last[next(iter(last))]
        if error is None:
            return False
        self.failed += 1
        if len(self.failures) < MOST_FAILURES:
            self.failures.append(GridFailure(decision, situation.now, situation.project, situation.host, unit,
                                             one_line(f"{type(error).__name__}: {error}")))
        return not is_again and sum(last.values()) >= max(_LEAST, _NEARLY_ALL * len(last))

    def warn(self) -> None:
        """Says that something failed, once."""
        if self.failed:
            first = self.failures[0]
            warnings.warn(f"emulate_grid(): the policy failed at {self.failed} decisions, first at {first.decision} "
                          f"after {first.time:g} s: {first.error}", RuntimeWarning, stacklevel=3)


class EmulatedGrid(NamedTuple):
    """What came of a grid."""

    outcome: GridOutcome
    """The hosts all together."""
    projects: Records[GridProjectOutcome]
    """Each project."""
    hosts: Records[GridHostOutcome]
    """Each host, if `keep_hosts`; `hosts.array` is a NumPy array."""
    samples: List[Records[GridSample]]
    """For each project, how it was at the times at which a sample was taken; `samples[0].array` is a NumPy array."""
    turnarounds: "List[WholeNumbers]"
    """For each project, how many units took from 2^(i / 64) to 2^((i + 1) / 64) s from their creation to their end, for
    each i from 0 to GRID_BINS - 1; shorter ones are in the first. NumPy takes them as they are."""
    events: Records[GridEvent]
    """Everything that happened, in order of time, if it was asked for."""
    failures: List[GridFailure]
    """At what the policy of the servers failed, in order of time, the first thousand; `projects[0].failed_decisions`
    counts all."""


def emulate_grid(grid: Grid, *, seed: Optional[int] = None, policy: Optional[GridPolicy] = None,
                 observe: Optional[Callable[[GridEvent], object]] = None,
                 progress: Optional[Callable[[float], object]] = None, keep_events: bool = False,
                 keep_hosts: bool = True) -> EmulatedGrid:
    """Emulates projects with their servers, and the hosts that work for them, from start to end.

    grid          what is emulated
    seed          of all random draws; that of the grid's terms if not given
    policy        custom decisions of servers and hosts
    observe       is called with each event as it happens
    progress      is told now and then how far it is, from 0 to 1
    keep_events   whether to keep all events, which needs 72 bytes each
    keep_hosts    whether to keep the outcome of each host, which needs 88 bytes each

    The interpreter's lock is released while the library works, and taken for the functions that are given here.

    A dispatch(), validate() or trust() that raises an Exception fails at this decision alone: the host gets no job now,
    the unit is compared again later and later and waits for a person in the end, the job also goes to another host.
    `failures` tells, and a RuntimeWarning. Where nearly all decisions of a kind fail for a project, the emulation ends
    and the last exception is raised unchanged; so is any in another function, and Ctrl-C.

    Raises VcsError if the library refuses the grid, MemoryError if there is no memory for it. Units are those of the
    records: seconds, operations.
    """
    if not isinstance(grid, Grid):
        raise TypeError(f"emulate_grid(): grid must be Grid, not {kind_of(grid)}")
    terms = grid.course if seed is None else grid.course.replace(seed=seed)
    laid = LaidGrid(grid, terms)
    if policy is not None and not isinstance(policy, GridPolicy):
        raise TypeError(f"emulate_grid(): policy must be GridPolicy, not {kind_of(policy)}")
    server, hosts = (None, None) if policy is None else policy
    functions = functions_of(server, _METHODS)
    functions["progress"] = progress if progress is not None else _nothing
    if observe is not None:
        functions["observe"] = observe
    of_servers = _GridCalls(functions, keep_events)
    calls: List[Calls] = [of_servers, *(Calls(found) for found in _functions_of_classes(grid, hosts))]
    room = _Room(laid, keep_hosts)
    of_classes = [Context(each) for each in calls[1:]]
    hooks = [_set_hooks(laid.classes[number], *pair) for number, pair in enumerate(zip(of_classes, calls[1:]))]
    with Context(calls[0]) as context:
        error = new_error()
        code = lib.vcs_emulate_grid(laid.c, OF_SERVERS.of(context, calls[0]), room.c, error)
        del hooks
        for each in calls:
            each.surface()
        if code == lib.VCS_ERR_MEMORY:
            raise MemoryError("emulate_grid(): there is not enough memory")
        if code:
            raise failure("emulate_grid", code, error)
        of_servers.warn()
        return room.emulated(context.events(GridEvent), of_servers.failures)


def _nothing(done: float) -> None:
    """What the library calls now and then, so that the interpreter can see to Ctrl-C."""


def _functions_of_classes(grid: Grid, hosts: Any) -> List[Dict[str, Callable[..., Any]]]:
    """The functions of each class of hosts."""
    if not isinstance(hosts, Mapping):
        return [functions_of(hosts, METHODS) for _ in grid.classes]
    named = dict(zip(grid.class_names, range(len(grid.classes))))
    numbered = {named.get(key, key): policy for key, policy in hosts.items()}
    for key in numbered:
        if key not in range(len(grid.classes)):
            raise KeyError(f"emulate_grid(): there is no class {key!r}, but {len(grid.classes)} of them")
    return [functions_of(numbered.get(number), METHODS) for number in range(len(grid.classes))]


def _set_hooks(of_class: Any, context: Context, calls: Calls) -> Any:
    """Sets the functions of a class. What is returned must live as long as they are called."""
    hooks = OF_HOSTS.of(context, calls) if calls.functions else NULL
    of_class.hooks = hooks
    return hooks


class _Room:
    """Where the outcome goes."""

    __slots__ = ("c", "_outcome", "_projects", "_hosts", "_samples", "_turnarounds", "_project_count")

    def __init__(self, laid: LaidGrid, keep_hosts: bool) -> None:
        projects, samples = laid.project_count, laid.sample_room()
        self._project_count = projects
        self._outcome = GridOutcome._blank()
        try:
            self._projects = Records(GridProjectOutcome, projects)
            self._hosts = Records(GridHostOutcome, laid.most_hosts() if keep_hosts else 0)
            self._samples = Records(GridSample, samples * projects)
            self._turnarounds = ffi.new("uint64_t[]", projects * constants.GRID_BINS)
        except (MemoryError, OverflowError):
            raise MemoryError("emulate_grid(): there is not enough memory for the outcome") from None
        self.c = ffi.new("vcs_grid_results *", {
            "struct_size": ffi.sizeof("vcs_grid_results"), "outcome": self._outcome._c,
            "projects": self._projects._base, "project_size": GridProjectOutcome._size, "project_count": projects,
            "hosts": self._hosts._base, "host_size": GridHostOutcome._size, "host_count": len(self._hosts),
            "samples": self._samples._base, "sample_size": GridSample._size,
            "sample_count": samples if projects else 0, "turnarounds": self._turnarounds})

    def emulated(self, events: Records[GridEvent], failures: List[GridFailure]) -> EmulatedGrid:
        """What the library wrote."""
        count, room = self._project_count, self.c.sample_count
        taken = min(self._outcome.samples, room)
        samples = [self._samples[number * room:number * room + taken] for number in range(count)]
        size = constants.GRID_BINS * ffi.sizeof("uint64_t")
        bins = memoryview(ffi.buffer(self._turnarounds))
        turnarounds = [array("Q", bytes(bins[number * size:(number + 1) * size])) for number in range(count)]
        return EmulatedGrid(self._outcome, self._projects, self._hosts[:self._outcome.hosts], samples, turnarounds,
                            events, failures)


# ---- What the library calls ----


def _calls_of(context: Any) -> _GridCalls:
    calls = calls_of(context)
    assert isinstance(calls, _GridCalls)  # only those of servers are called with such a context
    return calls


def _situation(situation: Any) -> GridSituation:
    return GridSituation(situation.seed, situation.now, situation.project, situation.host)


@from_library
def call_grid_dispatch(context: Any, situation: Any, index: Any, decision: Any) -> int:
    """Which job a host gets next."""
    calls, jobs = _calls_of(context), OpenJobs(index)
    try:
        decided = calls.functions["dispatch"](_situation(situation), jobs)
    except Exception as error:
        if isinstance(error, MemoryError) or calls.note("dispatch", situation, error=error):
            raise
        return int(constants.GRID_NOT_DECIDED)
    finally:
        jobs._end()
    calls.note("dispatch", situation)
    write_dispatch(decided, decision)
    return 0


@from_library
def call_grid_validate(context: Any, situation: Any, unit: Any, results: Any, classes: Any, changes: Any,
                       change_count: Any) -> int:
    """What follows from the classes of a unit's results."""
    calls, record = _calls_of(context), Unit._copy_of(unit)
    try:
        decided = calls.functions["validate"](_situation(situation), record, results_of(results),
                                              ffi.unpack(classes, results.count))
    except Exception as error:
        if isinstance(error, MemoryError) or calls.note("validate", situation, unit.id, error,
                                                         unit.compare_failures > 0):
            raise
        return int(constants.GRID_NOT_DECIDED)
    calls.note("validate", situation, unit.id)
    write_changes(decided, changes, change_count)
    return 0


@from_library
def call_grid_trust(context: Any, situation: Any, trust: Any, u: float, needed: Any) -> int:
    """Whether a host's job also goes to another."""
    calls = _calls_of(context)
    try:
        needed[0] = bool(calls.functions["trust"](_situation(situation), Trust._copy_of(trust), u))
    except Exception as error:
        if isinstance(error, MemoryError) or calls.note("trust", situation, error=error):
            raise
        return int(constants.GRID_NOT_DECIDED)
    calls.note("trust", situation)
    return 0


@from_library
def call_grid_observe(context: Any, event: Any) -> int:
    """What happens."""
    return OF_SERVERS.observed(context, event, GridEvent)


@from_library
def call_grid_progress(context: Any, done: float) -> int:
    """How far it is."""
    calls_of(context).functions["progress"](done)
    return 0
