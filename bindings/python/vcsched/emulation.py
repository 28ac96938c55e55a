# SPDX-License-Identifier: MIT
"""The emulator: what a policy is worth, without a grid."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Union

from vcsched.calls import OF_HOSTS, Calls, Context, calls_of, from_library, functions_of
from vcsched.interface import Event, FetchQuestion, Outcome, Parameters, Progress, ProjectOutcome, ResourceOutcome
from vcsched.library import failure, ffi, kind_of, lib, new_error
from vcsched.memory import Records
from vcsched.policy import AnyPolicy, Situation, write_asking, write_running
from vcsched.scenario import Laid, Scenario

__all__ = ["Emulated", "emulate"]

METHODS = ("schedule", "fetch", "send", "estimate")
"""What a policy of a host may decide itself."""


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

    A host without tasks whose projects have no applications gets no work: its idleness is 1. Only files that say so are
    refused.

    The interpreter's lock is released while the library works, and taken for the functions that are given here. An
    exception in one of them ends the emulation and is raised unchanged. Raises VcsError if the library refuses the
    scenario, MemoryError if there is no memory for it. Units are as in the records: seconds, operations.
    """
    if not isinstance(scenario, Scenario):
        raise TypeError(f"emulate(): scenario must be Scenario, not {kind_of(scenario)}")
    if parameters is not None:
        scenario = scenario.replace(parameters=parameters)
    policy_parameters, emulation = scenario.policy, scenario.course
    if seed is not None:
        emulation = emulation.replace(seed=seed)
    laid = Laid(scenario, emulation)
    functions = functions_of(policy, METHODS)
    if observe is not None:
        functions["observe"] = observe
    calls = Calls(functions, keep_events)
    outcome, projects = Outcome._blank(), Records(ProjectOutcome, laid.project_count)
    resources = Records(ResourceOutcome, laid.resource_count)
    with Context(calls) as context:
        error = new_error()
        code = lib.vcs_emulate(laid.c, policy_parameters._c, OF_HOSTS.of(context, calls), outcome._c,
                               projects._as_array(), resources._as_array(), error)
        calls.surface()
        if code == lib.VCS_ERR_MEMORY:
            raise MemoryError("emulate(): there is not enough memory")
        if code:
            raise failure("emulate", code, error)
        return Emulated(outcome, projects, context.events(Event), resources)


@from_library
def call_schedule(context: Any, situation: Any, decisions: Any, summary: Any) -> int:
    """Which tasks run."""
    looked_at = Situation(situation)
    try:
        write_running(calls_of(context).functions["schedule"](looked_at), situation, decisions, summary)
    finally:
        looked_at._end()
    return 0


@from_library
def call_fetch(context: Any, situation: Any, question: Any, decisions: Any, summary: Any) -> int:
    """Whom to ask for what."""
    asked = FetchQuestion._copy_of(question)
    looked_at = Situation(situation)
    try:
        decided = calls_of(context).functions["fetch"](looked_at, asked)
        write_asking(decided, situation, asked, decisions, summary)
    finally:
        looked_at._end()
    return 0


@from_library
def call_send(context: Any, situation: Any, candidate: int, admission: Any) -> int:
    """Whether a candidate is sent."""
    looked_at = Situation(situation)
    try:
        admission.admitted = bool(calls_of(context).functions["send"](looked_at, candidate))
    finally:
        looked_at._end()
    return 0


@from_library
def call_estimate(context: Any, progress: Any, rule: int, device_seconds: Any) -> int:
    """How much is left of a task."""
    seconds = calls_of(context).functions["estimate"](Progress._copy_of(progress), rule)
    try:
        device_seconds[0] = seconds
    except TypeError:
        raise TypeError(f"estimate() must return a number, not {kind_of(seconds)}") from None
    return 0


@from_library
def call_observe(context: Any, event: Any) -> int:
    """What happens."""
    return OF_HOSTS.observed(context, event, Event)
