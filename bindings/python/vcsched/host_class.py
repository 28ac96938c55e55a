# SPDX-License-Identifier: MIT
"""Hosts of a grid that have something in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence

from vcsched.interface import HostModel, HostRow, Many
from vcsched.scenario import Scenario

__all__ = ["HostClass"]


@dataclass(frozen=True, eq=False)
class HostClass:
    """Hosts that have something in common. They differ by their seed, by what the model draws, and by the rows."""

    scenario: Scenario
    """One host: its resources, when it is on (`emulation`), its policy (`parameters`). Its projects are those that the
    host is attached to; if it has none, all of the grid, with equal shares. A project without an application has one
    whose jobs use a CPU. Of the models only cpus, gpu, gpus, weight, ram, checkpoint_interval and flags are read, of
    the emulation neither seed nor start nor duration, and there are no tasks at the start."""
    model: HostModel
    """How many hosts there are, how their speeds vary, how they come and go, how often they fail or lie."""
    projects: Optional[Sequence[int]] = None
    """For each project of the scenario, which one of the grid it is; in the order of the grid if not given."""
    rows: Many[HostRow] = ()
    """Kinds of hosts within the class, such as the rows of a table; if none, all are as in the scenario."""
