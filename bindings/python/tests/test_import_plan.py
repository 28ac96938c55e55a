# SPDX-License-Identifier: MIT
"""vcemu reads what the import wrote, and plans with it. The environment names it as VCEMU; else nothing is run."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from client_xml import URL, app, element, gpu_host, gpu_version, project, result, state, times, version, workunit
from conftest import PROJECT_ROOT, read_state

VCEMU = os.environ.get("VCEMU", "")

pytestmark = pytest.mark.skipif(not os.path.exists(VCEMU), reason="VCEMU names no program")

ODD_NAMES = ["a/b", "a", "a/b/c", "%(x)s ; # = : [é", "]]]", "CPU", "\U0001F30A" * 300, "key = value", "'q'",
             "\u00a0x\u00a0", "host", "tab\there", "z\u200bw", "\u202eabc", "e\u0301", "[x", "\ufeffmark"]


def plan(path):
    outcome = subprocess.run([VCEMU, "plan", "--json", str(path)], check=False, capture_output=True)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    return json.loads(outcome.stdout)


def test_the_plan_for_the_example_has_something_to_tell(run, tmp_path):
    target = tmp_path / "state.ini"
    assert run("import", PROJECT_ROOT / "examples" / "scenarios" / "client_state.xml", "-o", target).status == 0
    found = plan(target)
    assert len(found["tasks"]) == 53
    late = {task["name"] for task in found["tasks"] if task["deadline_miss"]}
    assert "orbit_2025xk31_c_0" in late  # its deadline has passed
    assert 1 < len(late) < 53
    shortfall = {resource["name"]: resource["shortfall"] for resource in found["resources"]}
    assert shortfall["CPU"] == 0
    assert shortfall["NVIDIA"] > 0


def test_the_example_s_processors_are_busy_for_a_month(run, tmp_path):
    """Its tasks use 1 to 8 of 8 CPUs, and half a GPU or a whole one, so some moments cannot be filled."""
    target = tmp_path / "state.ini"
    assert run("import", PROJECT_ROOT / "examples" / "scenarios" / "client_state.xml", "-o", target).status == 0
    outcome = subprocess.run([VCEMU, "run", "--json", "--days", "30", str(target)], check=True, capture_output=True)
    cpus, gpus = json.loads(outcome.stdout)["resources"]
    assert cpus["idleness"] < 0.02 and gpus["idleness"] < 0.01
    for resource in cpus, gpus:
        assert resource["idle_unexplained"] < 0.0005 * resource["available"]


def test_vcemu_knows_everything_that_can_be_written(run, tmp_path):
    active = "<active_task_state>1</active_task_state><scheduler_state>2</scheduler_state>"
    on_gpu = {"plan_class": "cuda", "active_task": active, "resources": "0.25 CPUs + 0.5 NVIDIA GPUs (device 1)"}
    source = tmp_path / "client_state.xml"
    source.write_text(state(
        project(master_url_fetch_pending=None, rsc_backoff_interval="<name>CPU</name><value>600</value>"),
        app(), version(), gpu_version(), workunit(),
        result(name="on_gpus", **on_gpu), result(name="on_cpus", active_task=active), result(name="coming", state=1),
        result(name="stopped", suspended_via_gui=None), element("global_preferences", leave_apps_in_memory=1),
        element("cc_status", task_suspend_reason=1, gpu_suspend_reason=2), start=gpu_host() + times()))
    exclusion = element("exclude_gpu", url=URL, app="surge", device_num=0)
    (tmp_path / "cc.xml").write_text(f"<cc_config><options>{exclusion}</options></cc_config>")
    (tmp_path / "app.xml").write_text("<app_config><app><name>surge</name><max_concurrent>3</max_concurrent></app>"
                                      "</app_config>")
    target = tmp_path / "state.ini"
    assert run("import", source, "-o", target, "--cc-config", tmp_path / "cc.xml", "--app-config",
               tmp_path / "app.xml").status == 0
    keys = {key for section in read_state(target.read_text()).values() for key in section}
    assert {"paused", "apps_listed", "wait", "gpu", "excluded", "downloading", "in_memory", "devices"} <= keys
    found = plan(target)
    assert {task["name"]: task["reason"] for task in found["tasks"]} == {
        "on_gpus": "resource_paused", "on_cpus": "resource_paused", "coming": "downloading", "stopped": "by_user"}


def test_every_name_means_the_same_to_vcemu(run, tmp_path):
    parts = []
    for number, name in enumerate(ODD_NAMES):
        parts += [project(master_url=f"http://p{number}.example.org/", project_name=name, cpu_backoff_interval=5,
                          no_rsc_apps="NVIDIA"),
                  app(name=name), version(app_name=name), workunit(app_name=name, name=name),
                  result(name=name, wu_name=name), result(name=f"{name} 2", wu_name=name)]
    source = tmp_path / "client_state.xml"
    source.write_text(state(*parts, start=gpu_host() + times()), encoding="utf-8")
    limits = "".join(element("app", name=name, max_concurrent=1) for name in ODD_NAMES)
    (tmp_path / "limits.xml").write_text(f"<app_config>{limits}</app_config>", encoding="utf-8")
    options = [option for number in range(len(ODD_NAMES))
               for option in ("--app-config", f"http://p{number}.example.org/={tmp_path / 'limits.xml'}")]
    target = tmp_path / "state.ini"
    assert run("import", source, "-o", target, *options).status == 0
    written = read_state(target.read_text(encoding="utf-8")).sections()
    found = plan(target)
    for kind, records in (("task", found["tasks"]), ("project", found["projects"])):
        assert [record["name"] for record in records] \
            == [name[len(kind) + 1:] for name in written if name.startswith(f"{kind} ")]
