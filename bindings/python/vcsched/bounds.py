# SPDX-License-Identifier: MIT
"""The online bound: what a host loses at least, whatever its policy."""

from __future__ import annotations

from vcsched.interface import ProjectBound
from vcsched.library import failure, kind_of, lib, new_error
from vcsched.memory import Records
from vcsched.scenario import Laid, Scenario

__all__ = ["bound"]


def bound(scenario: Scenario) -> Records[ProjectBound]:
    """Finds for each project which part of the processor time used is lost at least (rule 15.9).

    scenario   the host, on and off in exponential spells, and the jobs of its projects

    `bound_curve()` draws the curve of the least loss from the answer, and `bound_beyond()` compares an outcome of
    `emulate()` with it. Raises VcsError if the library refuses the scenario, MemoryError if there is no memory for it.
    """
    if not isinstance(scenario, Scenario):
        raise TypeError(f"bound(): scenario must be Scenario, not {kind_of(scenario)}")
    laid = Laid(scenario, scenario.course)
    bounds = Records(ProjectBound, laid.project_count)
    error = new_error()
    code = lib.vcs_bound(laid.c, bounds._as_array(), error)
    if code == lib.VCS_ERR_MEMORY:
        raise MemoryError("bound(): there is not enough memory")
    if code:
        raise failure("bound", code, error)
    return bounds
