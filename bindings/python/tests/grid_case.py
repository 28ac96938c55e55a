# SPDX-License-Identifier: MIT
"""The figures of a grid from Python beside those that `vcemu grid` prints. The environment names vcemu as VCEMU."""

from __future__ import annotations

import json
import os
import subprocess

import vcsched as v


def same_as_vcemu(path, grid, seed):
    """Emulates a grid, and compares all that the tool says of the file, to the last digit. Returns what was found."""
    printed = subprocess.run([os.environ["VCEMU"], "grid", "--json", "--seed", str(seed), str(path)], check=True,
                             capture_output=True)
    theirs = json.loads(printed.stdout)
    found = v.emulate_grid(grid, seed=seed)
    outcome = found.outcome.asdict()
    assert {name: outcome[name] for name in theirs["grid"].keys() & outcome.keys()} \
        == {name: value for name, value in theirs["grid"].items() if name in outcome}
    assert {"hosts", "saboteurs", "off", "used", "idle", "steps", "calls"} <= theirs["grid"].keys()
    assert len(theirs["projects"]) == len(found.projects)
    for reported, project in zip(theirs["projects"], found.projects):
        ours = project.asdict()
        flat = {**reported, **{f"flops_{name}": value for name, value in reported["flops"].items()},
                **{f"turnaround_{name}": value for name, value in reported["turnaround"].items()}}
        names = [name for name, value in flat.items() if name in ours and value is not None]
        assert len(names) > 30
        assert {name: ours[name] for name in names} == {name: flat[name] for name in names}
    assert len(theirs["hosts"]) == len(found.hosts)
    for number, (reported, host) in enumerate(zip(theirs["hosts"], found.hosts)):
        assert (reported.pop("seed"), reported.pop("host")) == (seed, number)
        if grid.class_names:
            assert reported.pop("population") == grid.class_names[host.host_class]
        reported.pop("population", None)
        assert reported.pop("saboteur") == (host.flags == 1)
        assert {name: getattr(host, name) for name in reported} == reported
    return found
