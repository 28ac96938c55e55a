# SPDX-License-Identifier: MIT
"""The online bound from Python: the figures of the library, as records."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part

HOUR = 3600.0


def scenario(**parts):
    """A host that is on and off for an hour each; jobs of ten hours within 18, and of one hour within 20."""
    return v.Scenario(**{**dict(
        resources=[v.Resource(instances=1, flops=1)],
        projects=[v.Project(id=1, share=100), v.Project(id=2, share=300)],
        apps=[v.App(id=1, project=0), v.App(id=2, project=1)],
        models=[v.JobModel(latency_bound=18 * HOUR, est_flops=10 * HOUR, distribution=v.SIZES_CONSTANT),
                v.JobModel(latency_bound=20 * HOUR, est_flops=HOUR, distribution=v.SIZES_CONSTANT)],
        emulation=v.Emulation(duration=1e7, available=0.5, available_mean=HOUR)), **parts})


def test_the_bounds_of_each_project():
    bounds = v.bound(scenario())
    assert [bound.id for bound in bounds] == [1, 2]
    assert bounds[0].share == 0.25
    assert bounds[0].hopeless == pytest.approx(0.53420, abs=2e-5)
    assert bounds[0].optimal == pytest.approx(0.45608, abs=2e-5)
    assert bounds[0].any_size == pytest.approx(bounds[0].optimal)
    assert bounds[1].optimal < 1e-4
    assert not bounds[0].flags


def test_the_curve():
    bounds = v.bound(scenario())
    points, corners = v.bound_curve(bounds, v.BOUND_OPTIMAL)
    assert corners == 2
    assert points[0].loss == pytest.approx(0.25 * bounds[0].optimal + 0.75 * bounds[1].optimal)
    assert (points[1].share_violation, points[1].project) == (0.25, 0)
    assert points[1].loss == pytest.approx(bounds[1].optimal)
    assert [v.bound_name(kind) for kind in range(v.BOUND_KINDS)] == \
        ["optimal", "hopeless", "any_size", "blind_optimal", "blind_hopeless"]


def test_beyond_the_bound():
    emulated = v.emulate(scenario())
    lost, least = v.bound_beyond(v.bound(scenario()), v.BOUND_OPTIMAL, emulated.projects, emulated.resources)
    assert lost == pytest.approx(emulated.resources[0].wasted / emulated.resources[0].used)
    assert 0 < least < lost
    idle = v.emulate(scenario(models=[v.JobModel(latency_bound=1, weight=0)] * 2))
    assert all(map(math.isnan, v.bound_beyond(v.bound(scenario()), 0, idle.projects, idle.resources)))


def test_what_is_refused():
    with pytest.raises(TypeError, match="scenario must be Scenario, not int"):
        v.bound(1)
    with pytest.raises(v.VcsError, match="project"):
        v.bound(scenario(apps=[v.App(id=1, project=7), v.App(id=2)]))
    with pytest.raises(v.VcsError):
        v.bound_curve(v.bound(scenario()), v.BOUND_KINDS)
