# SPDX-License-Identifier: MIT
"""Tasks of an imported host."""

from __future__ import annotations

import pytest

from client_xml import (NOW, URL, active_task, app, element, gpu_host, gpu_version, host, project, result, state,
                        times, version, work, workunit)
from conftest import read_state


def task(imported, *parts, start=""):
    return imported(state(*parts, start=start))["task wave_0"]


def test_a_task_that_waits(imported):
    assert dict(task(imported, work())) == {
        "project": "Tidewatch", "cpus": "1", "est_flops": "7200000000000", "flops": "2000000000",
        "deadline": "1086400", "received": "996400", "ram": "100000000"}


def test_a_result_without_times(imported):
    found = task(imported, work(report_deadline=0, received_time=0))
    assert "deadline" not in found  # never
    assert "received" not in found


def test_a_task_of_the_clients_file_is_as_far_as_its_checkpoint(imported):
    found = task(imported, work(), active_task(
        checkpoint_cpu_time=290, checkpoint_elapsed_time=300, checkpoint_fraction_done=0.25,
        checkpoint_fraction_done_elapsed_time=280, current_cpu_time=310.5, working_set_size_smoothed=5e7))
    assert found["elapsed"] == "280"  # when it was a quarter done
    assert found["fraction_done"] == "0.25"
    assert found["ram"] == "50000000"
    assert (found["started"], found["running"]) == ("1", "1")
    assert found["since_checkpoint"] == "20.5"
    assert found["running_since"] == "999720"


def test_no_slice_began_before_the_client_did(imported):
    """One that was restarted, as the task before with 280 s."""
    started = times(client_start_time=NOW - 40)
    found = task(imported, work(), active_task(checkpoint_elapsed_time=280), start=host() + started)
    assert found["running_since"] == "999960"
    found = task(imported, work(), active_task(checkpoint_elapsed_time=20), start=host() + started)
    assert found["running_since"] == "999980"


@pytest.mark.parametrize("flag, was_late", [(1, "1"), (0, None)])
def test_a_task_that_ran_early_was_late(imported, flag, was_late):
    assert task(imported, work(), active_task(once_ran_edf=flag)).get("was_late") == was_late


@pytest.mark.parametrize("fields, elapsed, fraction", [
    ({"checkpoint_elapsed_time": 300, "checkpoint_cpu_time": 200}, 300, 0),
    ({"checkpoint_cpu_time": 200, "current_cpu_time": 250}, 200, 0),
    ({"current_cpu_time": 250}, 250, 0),
    ({"checkpoint_elapsed_time": 300, "fraction_done": 0.5}, 300, 0.5),  # clients before 6.12
    ({"checkpoint_elapsed_time": 300, "checkpoint_fraction_done": 1.25}, 300, 1),
])
def test_progress_in_older_files(imported, fields, elapsed, fraction):
    found = task(imported, work(), active_task(**fields))
    assert found.getfloat("elapsed", fallback=0) == elapsed
    assert found.getfloat("fraction_done", fallback=0) == fraction


def test_final_elapsed_time_helps_out(imported):
    found = task(imported, work(final_elapsed_time=120), active_task(current_cpu_time=99))
    assert found["elapsed"] == "120"


def test_cpu_time_of_many_threads_is_longer_than_they_ran(imported):
    found = task(imported, project(), app(), version(avg_ncpus=4), workunit(), result(),
                 active_task(checkpoint_cpu_time=400, current_cpu_time=480))
    assert found["elapsed"] == "100"
    assert found["since_checkpoint"] == "20"


def test_a_task_of_a_reply_is_as_far_as_it_says(imported):
    inside = "<active_task_state>1</active_task_state><scheduler_state>2</scheduler_state>" \
             "<elapsed_time>300</elapsed_time><fraction_done>0.5</fraction_done>" \
             "<current_cpu_time>290</current_cpu_time><checkpoint_cpu_time>290</checkpoint_cpu_time>"
    found = task(imported, work(active_task=inside, edf_scheduled=None))
    assert (found["elapsed"], found["fraction_done"], found["running"], found["was_late"]) == ("300", "0.5", "1", "1")
    assert "since_checkpoint" not in found


@pytest.mark.parametrize("fields, running", [
    ({"active_task_state": 1}, True),
    ({"active_task_state": 9}, False),
    ({"active_task_state": 0}, False),
    ({"active_task_state": 9, "scheduler_state": 2}, True),  # scheduled, though the user is busy just now
    ({"active_task_state": 1, "scheduler_state": 1}, False),
])
def test_what_runs(imported, fields, running):
    found = task(imported, work(), active_task(**fields))
    assert found.getboolean("started")
    assert found.getboolean("running", fallback=False) is running


def test_suspended_tasks_do_not_run(imported):
    found = task(imported, work(suspended_via_gui=None), active_task(current_cpu_time=5))
    assert found["suspended"] == "1"
    assert found["started"] == "1"
    assert "running" not in found


def test_tasks_that_wait_for_their_program_are_suspended(imported):
    assert task(imported, work(scheduler_wait=None))["suspended"] == "1"


@pytest.mark.parametrize("backoff", [{}, {"rsc_backoff_time": "<name>NVIDIA</name><value>9</value>"}])
def test_a_task_that_waits_for_its_program_defers_its_kind(imported, backoff):
    """More of the kind would wait as well. What else is known of the kind remains."""
    found = imported(state(project(**backoff), app(), version(), gpu_version(), workunit(),
                           result(plan_class="cuda", scheduler_wait=None), result(name="wave_1"),
                           start=gpu_host() + times()))
    expected = {"deferred": "1", **({"backoff_until": "9"} if backoff else {})}
    assert {name: dict(found[name]) for name in found if name.startswith("project_resource")} == {
        "project_resource Tidewatch/NVIDIA": expected}
    on_cpus = imported(state(work(scheduler_wait=None)))
    assert dict(on_cpus["project_resource Tidewatch/CPU"]) == {"deferred": "1"}


def test_programs_differ_by_version_plan_class_and_platform(imported):
    parts = (project(), app(), version(flops=1e9), version(version_num=200, flops=2e9),
             version(version_num=200, plan_class="mt", avg_ncpus=4, flops=8e9),
             version(version_num=300, platform="a", flops=3e9), version(version_num=300, platform="b", flops=4e9),
             workunit())
    def flops(**fields):
        return task(imported, *parts, result(**fields)).getfloat("flops")

    assert flops() == 1e9
    assert flops(version_num=200) == 2e9
    assert flops(version_num=200, plan_class="mt") == 8e9
    assert flops(version_num=300, platform="b") == 4e9
    assert flops(version_num=300) == 3e9


def test_tasks_of_many_threads(imported):
    parts = (project(), app(), version(avg_ncpus=8, flops=1.6e10), workunit(), result())
    found = task(imported, *parts, start=host(p_ncpus=16))
    assert (found["cpus"], found["flops"]) == ("8", "16000000000")
    # On 4 CPUs it uses those, and is half as fast.
    found = task(imported, *parts)
    assert (found["cpus"], found["flops"]) == ("4", "8000000000")


def test_tasks_for_a_gpu(imported):
    found = task(imported, project(), app(), gpu_version(), workunit(), result(plan_class="cuda"), start=gpu_host())
    assert (found["cpus"], found["gpu"], found["gpus"], found["flops"]) == ("0.25", "NVIDIA", "0.5", "500000000000")


def test_tasks_for_a_gpu_that_is_not_there(run, tmp_path):
    source = tmp_path / "client_state.xml"
    source.write_text(state(project(), app(), gpu_version(), workunit(), result(plan_class="cuda"),
                            result(name="ripple_0", coproc_missing=None)))
    outcome = run("import", source)
    assert "[task" not in outcome.output
    assert "Left out: 2 without a GPU of their type." in outcome.messages


@pytest.mark.parametrize("fields, flops", [
    ({"flops": 0}, 2e9),  # one CPU
    ({"flops": 0, "avg_ncpus": 3}, 6e9),
    # What the client assumes for an unknown GPU: as fast as ten CPUs.
    ({"flops": 0, "avg_ncpus": 0.5, "coproc": "<type>CUDA</type><count>2</count>"}, 41e9),
])
def test_programs_that_state_no_speed(imported, fields, flops):
    found = task(imported, project(), app(), version(**fields), workunit(), result(), start=gpu_host())
    assert found.getfloat("flops") == flops


def test_applications_that_use_no_cpu_worth_counting(imported):
    found = task(imported, project(), app(non_cpu_intensive=1), version(), workunit(), result())
    assert found["cpus"] == "0"


@pytest.mark.parametrize("fields, reason", [
    ({"state": 3}, "1 failed"), ({"state": 4}, "1 uploading"), ({"state": 5}, "1 uploaded"),
    ({"state": 6}, "1 aborted"), ({"state": 7}, "1 with failed uploads"),
    ({"state": 5, "ready_to_report": None}, "1 ready to report"),
    ({"state": 5, "got_server_ack": None}, "1 reported"),
    ({"active_task": "<active_task_state>5</active_task_state>"}, "1 aborted"),
])
def test_results_that_are_no_tasks_any_more(run, tmp_path, fields, reason):
    source = tmp_path / "client_state.xml"
    source.write_text(state(work(**fields)))
    outcome = run("import", source)
    assert "[task" not in outcome.output
    assert f"Left out: {reason}." in outcome.messages


@pytest.mark.parametrize("number, downloading", [(0, 1), (1, 1), (2, 0)])
def test_results_whose_files_are_under_way_are_tasks(run, tmp_path, number, downloading):
    source = tmp_path / "client_state.xml"
    source.write_text(state(work(state=number)))
    outcome = run("import", source)
    assert "[task wave_0]" in outcome.output
    assert f"1 task (0 running, {downloading} without their files yet)" in outcome.messages
    assert read_state(outcome.output)["task wave_0"].get("downloading") == ("1" if downloading else None)


@pytest.mark.parametrize("leave, in_memory", [(1, "1"), (0, None)])
def test_whether_a_stopped_task_stays_in_memory(imported, leave, in_memory):
    preferences = element("global_preferences", leave_apps_in_memory=leave)
    assert task(imported, work(), active_task(), preferences).get("in_memory") == in_memory
    assert "in_memory" not in task(imported, work(), preferences)  # it has not run
    gpu_task = task(imported, project(), app(), gpu_version(), workunit(), result(plan_class="cuda"), active_task(),
                    preferences, start=gpu_host() + times())
    assert "in_memory" not in gpu_task


@pytest.mark.parametrize("resources, devices", [
    ("0.2 CPUs + 0.5 NVIDIA GPUs (device 1)", "1"), ("0.2 CPUs + 2 NVIDIA GPUs (devices 0, 1)", "0, 1"),
    ("0.2 CPUs + 0.5 NVIDIA GPUs", None), ("0.2 CPUs + 0.5 NVIDIA GPUs (device 2)", None)])
def test_the_devices_that_a_task_runs_on(imported, resources, devices):
    running = "<active_task_state>1</active_task_state><scheduler_state>{}</scheduler_state>"
    for state_number in (2, 1):  # and once it is stopped, where it goes back to
        found = task(imported, project(), app(), gpu_version(), workunit(),
                     result(plan_class="cuda", resources=resources, active_task=running.format(state_number)),
                     start=gpu_host() + times())
        assert found.get("devices") == devices
    fresh = task(imported, project(), app(), gpu_version(), workunit(),
                 result(plan_class="cuda", resources=resources), start=gpu_host() + times())
    assert "devices" not in fresh


@pytest.mark.parametrize("fields, wait", [({"suspended_via_gui": None}, "user"), ({"scheduler_wait": None}, None)])
def test_why_a_task_waits(imported, fields, wait):
    found = task(imported, work(**fields))
    assert (found["suspended"], found.get("wait")) == ("1", wait)


def test_equal_names_in_two_projects(imported):
    other = project(master_url="http://orbit.example.org/", project_name="Orbit") + app() + version() + workunit()
    found = imported(state(work(), other, result()))
    assert [name for name in found if name.startswith("task")] == ["task wave_0", "task wave_0 (Orbit)"]
    assert found["task wave_0 (Orbit)"]["project"] == "Orbit"


def results_reply(*fields):
    return "<boinc_gui_rpc_reply>\n" + element("results", result=[
        "".join(f"<{key}/>" if value is None else f"<{key}>{value}</{key}>" for key, value in one.items())
        for one in fields]) + "</boinc_gui_rpc_reply>\n\n"


LISTED = {"name": "ripple_0", "wu_name": "unheard_of", "project_url": URL, "state": 2, "report_deadline": NOW + 500,
          "estimated_cpu_time_remaining": 1234.5}


def both(run, tmp_path, first, second):
    (tmp_path / "first.xml").write_text(first)
    (tmp_path / "second.xml").write_text(second)
    return run("import", tmp_path / "first.xml", tmp_path / "second.xml", "-q")


def test_a_list_of_results_stands_in_the_place_of_the_states(run, tmp_path):
    # The state has started wave_0, which the list does not have any more.
    reply = results_reply(LISTED, {**LISTED, "name": "swell_0", "wu_name": "wave", "version_num": 100})
    texts = [both(run, tmp_path, *pair).output for pair in (
        (state(work(), active_task()), reply), (reply, state(work(), active_task())))]
    for text in texts:
        assert text.count("[task ") == 2
        assert ("[task ripple_0]\nproject = Tidewatch\ncpus = 1\nremaining = 1234.5\ndeadline = 1000500\n") in text
        assert "[task swell_0]\nproject = Tidewatch\ncpus = 1\nest_flops = 7200000000000\n" in text


@pytest.mark.parametrize("resources, cpus, gpu, gpus", [
    ("", "1", None, None),
    ("2.00 CPUs", "2", None, None),
    ("0.05 CPUs + 1.00 NVIDIA GPUs", "0.05", "NVIDIA", "1"),
    ("0.2 CPUs + 1 NVIDIA GPU (device 0)", "0.2", "NVIDIA", "1"),
    ("1 CPU + 0.5 NVIDIA GPUs (devices 0, 1)", "1", "NVIDIA", "0.5"),
    ("0.1 CPUs + 1.00 CUDA GPUs", "0.1", "NVIDIA", "1"),
])
def test_what_listed_results_use(run, tmp_path, resources, cpus, gpu, gpus):
    text = both(run, tmp_path, state(project(), start=gpu_host() + times()),
                results_reply({**LISTED, "resources": resources})).output
    expected = f"project = Tidewatch\ncpus = {cpus}\n"
    expected += f"gpu = {gpu}\ngpus = {gpus}\n" if gpu else ""
    assert f"[task ripple_0]\n{expected}remaining = 1234.5\n" in text


def test_a_reply_around_a_state(imported):
    assert "task wave_0" in imported(f"<boinc_gui_rpc_reply>\n{state(work())}</boinc_gui_rpc_reply>\n")


def test_results_alone_are_refused(refused):
    assert refused(results_reply(LISTED)) \
        == "client_state.xml:1:1: a list of results alone: give the client's state too"


@pytest.mark.parametrize("in_state, in_config, exact", [("", "", None), ("<fraction_done_exact/>", "", "1"),
                                                        ("", "<fraction_done_exact/>", "1"),
                                                        ("<fraction_done_exact>0</fraction_done_exact>", "", None)])
def test_exact_progress(imported, tmp_path, in_state, in_config, exact):
    """As the project says, or the user for it."""
    (tmp_path / "app_config.xml").write_text(
        f"<app_config><app><name>surge</name>{in_config}</app></app_config>")
    found = imported(state(project(), f"<app><name>surge</name>{in_state}</app>", version(), workunit(), result()),
                     "--app-config", tmp_path / "app_config.xml")
    assert found["task wave_0"].get("fraction_done_exact") == exact
