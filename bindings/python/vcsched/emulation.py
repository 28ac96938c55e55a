# SPDX-License-Identifier: MIT
"""The emulator: what a policy is worth, without a grid."""

from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, TypeVar, Union

from vcsched.interface import Event, FetchQuestion, Outcome, Parameters, Progress, ProjectOutcome, ResourceOutcome
from vcsched.library import failure, ffi, kind_of, lib, new_error
from vcsched.memory import Records
from vcsched.policy import AnyPolicy, Situation, write_asking, write_running
from vcsched.scenario import Laid, Scenario

__all__ = ["Emulated", "emulate"]

_F = TypeVar("_F", bound=Callable[..., int])

_METHODS = ("schedule", "fetch", "send", "estimate")
_RAISED = -1000
"""What a function of Python's returns to the library after an exception. No code of the library's is so low."""


class Emulated(NamedTuple):
    """What came of an emulation."""

    outcome: Outcome
    """The figures of merit, and what they are made of. A figure that is undefined is None."""
    projects: Records[ProjectOutcome]
    """The same of each project."""
    events: Records[Event]
    """Everything that happened, in order of time, if it was asked for; `events.array` is a NumPy array."""
    resources: Records[ResourceOutcome]
    """The figures of each resource."""


def emulate(scenario: Scenario, *, parameters: Union[Parameters, str, None] = None, seed: Optional[int] = None,
            policy: Optional[AnyPolicy] = None, observe: Optional[Callable[[Event], object]] = None,
            keep_events: bool = False) -> Emulated:
    """Emulates a host and its servers from start to end, and returns the outcome.

    scenario      what is emulated
    parameters    the policy of the client, or the name of a profile; that of the scenario if not given
    seed          of all random draws; that of the scenario if not given
    policy        custom decisions: an object with any of the methods schedule, fetch, send, estimate, or a
                  `Policy` of functions
    observe       is called with each event as it happens
    keep_events   whether to keep all events, which needs 64 bytes each

    The interpreter's lock is released while the library works, and taken for the functions that are given here. An
    exception in one of them ends the emulation and is raised unchanged. Raises VcsError if the library refuses the
    scenario, MemoryError if there is no memory for it. Units are those of the records: seconds, operations.
    """
    if not isinstance(scenario, Scenario):
        raise TypeError(f"emulate(): scenario must be Scenario, not {kind_of(scenario)}")
    if parameters is not None:
        scenario = scenario.replace(parameters=parameters)
    policy_parameters, emulation = scenario.policy, scenario.course
    if seed is not None:
        emulation = emulation.replace(seed=seed)
    laid = Laid(scenario, emulation)
    calls = _Calls(policy, observe, keep_events)
    outcome, projects = Outcome._blank(), Records(ProjectOutcome, laid.project_count)
    resources = Records(ResourceOutcome, laid.resource_count)
    with _Context(calls) as context:
        error = new_error()
        code = lib.vcs_emulate(laid.c, policy_parameters._c, calls.hooks(context), outcome._c, projects._base,
                               ProjectOutcome._size, laid.project_count, resources._base, ResourceOutcome._size,
                               laid.resource_count, error)
        calls.surface()
        if code == lib.VCS_ERR_MEMORY:
            raise MemoryError("emulate(): there is not enough memory")
        if code:
            raise failure("emulate", code, error)
        return Emulated(outcome, projects, context.events(), resources)


class _Context:
    """What the library passes to each function, and the events that it keeps."""

    __slots__ = ("c", "_handle")

    def __init__(self, calls: "_Calls") -> None:
        self._handle = ffi.new_handle(calls)
        self.c = ffi.new("run_context *", {"python": self._handle})

    def __enter__(self) -> "_Context":
        return self

    def __exit__(self, *unused: object) -> None:
        lib.event_list_free(self.c)

    def events(self) -> Records[Event]:
        """The events so far."""
        kept = Records(Event, self.c.count)
        if self.c.count:
            ffi.memmove(kept._base, self.c.events, self.c.count * Event._size)
        return kept


class _Calls:
    """The functions of one emulation, and the first exception that one of them raised."""

    __slots__ = ("functions", "observe", "keep_events", "exception")

    def __init__(self, policy: Optional[AnyPolicy], observe: Optional[Callable[[Event], object]],
                 keep_events: bool) -> None:
        self.functions: Dict[str, Callable[..., Any]] = {}
        self.observe = observe
        self.keep_events = keep_events
        self.exception: Optional[BaseException] = None
        if policy is not None:
            found = {name: getattr(policy, name, None) for name in _METHODS}
            self.functions = {name: function for name, function in found.items() if callable(function)}
            if not self.functions:
                raise TypeError(f"policy must have one of the methods {', '.join(_METHODS)}; "
                                f"{kind_of(policy)} has none of them")

    def hooks(self, context: _Context) -> Any:
        """The functions as the library calls them."""
        hooks = ffi.new("vcs_hooks *", {"struct_size": ffi.sizeof("vcs_hooks"), "context": context.c})
        for name in self.functions:
            setattr(hooks, name, getattr(lib, f"call_{name}"))
        if self.observe is not None:
            hooks.observe = lib.call_observe
        elif self.keep_events:
            hooks.observe = ffi.addressof(lib, "event_list_add")
        return hooks

    def surface(self) -> None:
        """Raises the exception that ended the emulation, if one did."""
        exception, self.exception = self.exception, None
        if exception is not None:
            try:
                raise exception
            finally:
                # Its traceback knows this function, so a name of it here would keep it for ever.
                del exception


_RUN_CONTEXT = ffi.typeof("run_context *")


def _calls_of(context: Any) -> _Calls:
    calls: _Calls = ffi.from_handle(ffi.cast(_RUN_CONTEXT, context).python)
    return calls


def _note(kind: object, exception: BaseException, traceback: Any) -> None:
    """Keeps an exception of a function below until the library has returned."""
    calls = _calls_of(traceback.tb_frame.f_locals["context"])
    calls.exception = exception.with_traceback(traceback)


_from_library: Callable[[_F], _F] = ffi.def_extern(error=_RAISED, onerror=_note)
"""Makes a function one that the library can call. What it raises goes to _note()."""


@_from_library
def call_schedule(context: Any, situation: Any, decisions: Any, summary: Any) -> int:
    """Which tasks run."""
    looked_at = Situation(situation)
    try:
        write_running(_calls_of(context).functions["schedule"](looked_at), situation, decisions, summary)
    finally:
        looked_at._end()
    return 0


@_from_library
def call_fetch(context: Any, situation: Any, question: Any, decisions: Any, summary: Any) -> int:
    """Whom to ask for what."""
    asked = FetchQuestion._copy_of(question)
    looked_at = Situation(situation)
    try:
        decided = _calls_of(context).functions["fetch"](looked_at, asked)
        write_asking(decided, situation, asked, decisions, summary)
    finally:
        looked_at._end()
    return 0


@_from_library
def call_send(context: Any, situation: Any, candidate: int, admission: Any) -> int:
    """Whether a candidate is sent."""
    looked_at = Situation(situation)
    try:
        admission.admitted = bool(_calls_of(context).functions["send"](looked_at, candidate))
    finally:
        looked_at._end()
    return 0


@_from_library
def call_estimate(context: Any, progress: Any, rule: int, device_seconds: Any) -> int:
    """How much is left of a task."""
    seconds = _calls_of(context).functions["estimate"](Progress._copy_of(progress), rule)
    try:
        device_seconds[0] = seconds
    except TypeError:
        raise TypeError(f"estimate() must return a number, not {kind_of(seconds)}") from None
    return 0


@_from_library
def call_observe(context: Any, event: Any) -> int:
    """What happens."""
    calls = _calls_of(context)
    if calls.keep_events and lib.event_list_add(context, event):
        raise MemoryError("emulate(): there is not enough memory for the events")
    assert calls.observe is not None
    calls.observe(Event._copy_of(event))
    return 0
