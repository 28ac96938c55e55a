# SPDX-License-Identifier: MIT
"""Projects of an imported host, and what is known of them on each resource."""

from __future__ import annotations

import pytest

from client_xml import (NOW, URL, app, element, gpu_host, gpu_version, host, nvidia, project, result, state, times,
                        version, work, workunit)
from conftest import read_state


def named(name, value):
    return f"<name>{name}</name><value>{value}</value>"


def test_a_project_without_anything_has_the_defaults(imported):
    found = imported(state(element("project", master_url=URL)))
    assert dict(found[f"project {URL}"]) == {"share": "100", "dcf": "1"}


def test_what_a_project_is_owed(imported):
    found = imported(state(project(
        resource_share=50, rec=12.5, rec_time=NOW, short_term_debt=-100.25, long_term_debt=2000,
        duration_correction_factor=1.5, min_rpc_time=NOW + 60, nrpc_failures=3)))
    assert dict(found["project Tidewatch"]) == {
        "share": "50", "rec": "12.5", "short_term_debt": "-100.25", "long_term_debt": "2000", "dcf": "1.5",
        "min_rpc_time": "1000060", "rpc_failures": "3"}


def test_rec_decays_until_now(imported, tmp_path):
    # The half-life is ten days, so 8 credits per day of ten days ago are 4 of today.
    found = imported(state(project(rec=8, rec_time=NOW - 10 * 86400)))
    assert found["project Tidewatch"].getfloat("rec") == 4
    (tmp_path / "cc_config.xml").write_text(
        "<cc_config><options><rec_half_life_days>5</rec_half_life_days></options></cc_config>")
    found = imported(state(project(rec=8, rec_time=NOW - 10 * 86400)), "--cc-config", tmp_path / "cc_config.xml")
    assert found["project Tidewatch"].getfloat("rec") == 2


def test_rec_does_not_grow_into_the_past(imported):
    found = imported(state(project(rec=8, rec_time=NOW)), "--now", NOW - 86400)
    assert found["project Tidewatch"].getfloat("rec") == 8


def test_shares(imported):
    def share(**fields):
        return imported(state(project(**fields)))["project Tidewatch"]["share"]

    assert share(resource_share=0) == "0"
    assert share(resource_share=30, ams_resource_share_new=70) == "70"
    assert share(resource_share=30, ams_resource_share_new=-1) == "30"


def test_a_project_may_ask_not_to_be_corrected(imported):
    found = imported(state(project(duration_correction_factor=7, dont_use_dcf=None)))
    assert found["project Tidewatch"]["dcf"] == "1"


@pytest.mark.parametrize("field, key", [
    ("suspended_via_gui", "suspended"), ("dont_request_more_work", "no_new_work"),
    ("detach_when_done", "no_new_work"), ("ended", "no_new_work")])
def test_what_the_user_said(imported, field, key):
    assert imported(state(project(**{field: None})))["project Tidewatch"][key] == "1"
    assert imported(state(project(**{field: 1})))["project Tidewatch"][key] == "1"
    assert key not in imported(state(project(**{field: 0})))["project Tidewatch"]


def test_backoffs_of_present_clients(imported):
    found = imported(state(project(
        rsc_backoff_time=[named("CPU", NOW + 10), named("NVIDIA", NOW + 20), named("gone", NOW + 30)],
        rsc_backoff_interval=[named("CPU", 600), named("NVIDIA", 1200), named("gone", 2400)]),
        start=gpu_host() + times()))
    assert dict(found["project_resource Tidewatch/CPU"]) == {"backoff_interval": "600", "backoff_until": "1000010"}
    assert dict(found["project_resource Tidewatch/NVIDIA"]) == {"backoff_interval": "1200", "backoff_until": "1000020"}
    assert "project_resource Tidewatch/gone" not in found


def test_backoffs_of_old_clients(imported):
    coprocs = element("coprocs", coproc_cuda="<count>1</count>", coproc_ati="<count>1</count>")
    found = imported(state(coprocs, project(
        cpu_backoff_time=NOW + 10, cpu_backoff_interval=60, cuda_backoff_time=NOW + 20, cuda_backoff_interval=120,
        ati_backoff_time=NOW + 30, ati_backoff_interval=240)))
    assert {name: dict(found[name]) for name in found if name.startswith("project_resource")} == {
        "project_resource Tidewatch/CPU": {"backoff_interval": "60", "backoff_until": "1000010"},
        "project_resource Tidewatch/NVIDIA": {"backoff_interval": "120", "backoff_until": "1000020"},
        "project_resource Tidewatch/ATI": {"backoff_interval": "240", "backoff_until": "1000030"}}


@pytest.mark.parametrize("fields, resource, key", [
    ({"no_rsc_apps": ["NVIDIA"]}, "NVIDIA", "no_apps"),
    ({"no_rsc_apps": ["CPU"]}, "CPU", "no_apps"),
    ({"no_cuda_apps": None}, "NVIDIA", "no_apps"),
    ({"no_cpu_apps": 1}, "CPU", "no_apps"),
    ({"no_rsc_pref": ["NVIDIA"]}, "NVIDIA", "not_wanted"),
    ({"no_rsc_ams": ["CUDA"]}, "NVIDIA", "not_wanted"),
    ({"no_rsc_config": ["NVIDIA"]}, "NVIDIA", "not_wanted"),
    ({"no_cpu_pref": None}, "CPU", "not_wanted"),
    ({"no_cuda_ams": None}, "NVIDIA", "not_wanted"),
])
def test_work_that_is_not_to_be_had_or_not_wanted(imported, fields, resource, key):
    found = imported(state(project(**fields), start=gpu_host()))
    assert dict(found[f"project_resource Tidewatch/{resource}"]) == {key: "1"}


def test_project_resources_without_facts_are_not_written(imported):
    found = imported(state(project(rsc_backoff_time=[named("CPU", 0)], no_cuda_apps=0), start=gpu_host()))
    assert not [name for name in found if name.startswith("project_resource")]


def exclusions(tmp_path, *inner):
    path = tmp_path / "cc_config.xml"
    path.write_text("<cc_config><options>" + "".join(element("exclude_gpu", **fields) for fields in inner)
                    + "</options></cc_config>")
    return ("--cc-config", path)


@pytest.mark.parametrize("inner, excluded", [
    ([{"url": URL, "device_num": 1}], "1"),
    ([{"url": "http://tidewatch.example.org", "device_num": 0, "type": "NVIDIA"}], "0"),
    ([{"url": URL}], "0, 1, 2"),
    ([{"url": URL, "device_num": 2}, {"url": URL, "device_num": 0}], "0, 2"),
    ([{"url": URL, "device_num": 9}], None),
    ([{"url": URL, "device_num": 1, "type": "ATI"}], None),
    ([{"url": URL, "device_num": 1, "app": "surge"}], None),
    ([{"url": "https://elsewhere.example.org/", "device_num": 1}], None),
])
def test_exclusions(imported, tmp_path, inner, excluded):
    found = imported(state(project(), start=gpu_host(count=3)), *exclusions(tmp_path, *inner))
    assert found.get("project_resource Tidewatch/NVIDIA", "excluded", fallback=None) == excluded


def test_exclusions_of_one_application(imported, tmp_path):
    options = exclusions(tmp_path, {"url": URL, "device_num": 1, "app": "surge"},
                         {"url": URL, "device_num": 2, "type": "NVIDIA", "app": "surge"}, {"url": URL, "device_num": 0})
    found = imported(state(gpu_work(), app(name="gauge"), start=gpu_host(count=3) + times()), *options)
    assert not found["app Tidewatch/surge"]
    assert dict(found["app_resource Tidewatch/surge/NVIDIA"]) == {"excluded": "1, 2"}
    assert "app Tidewatch/gauge" not in found
    assert "apps_listed" not in found["project Tidewatch"]
    assert found["task wave_0"]["app"] == "surge"
    assert found["project_resource Tidewatch/NVIDIA"]["excluded"] == "0"


def test_an_application_has_exclusions_of_several_types_of_gpu(run, tmp_path):
    source = tmp_path / "client_state.xml"
    amd = "<coproc_ati><count>1</count><peak_flops>1e12</peak_flops></coproc_ati>"
    source.write_text(state(project(), app(), start=element("host_info", p_ncpus=4, coprocs=nvidia() + amd)))
    outcome = run("import", source, *exclusions(tmp_path, {"url": URL, "app": "surge"}))
    found = read_state(outcome.output)
    assert dict(found["app_resource Tidewatch/surge/NVIDIA"]) == {"excluded": "0, 1"}
    assert dict(found["app_resource Tidewatch/surge/ATI"]) == {"excluded": "0"}
    assert "surge" not in outcome.messages


def test_what_exclusions_cannot_express_is_reported(run, tmp_path):
    source = tmp_path / "client_state.xml"
    source.write_text(state(project(), start=gpu_host()))
    messages = run("import", source, *exclusions(tmp_path, {"url": "https://elsewhere.example.org/"})).messages
    assert "there is no project 'https://elsewhere.example.org/'" in messages


def test_a_type_of_gpu_has_few_instances(imported, refused):
    assert imported(state(start=gpu_host(count=64)))["gpu NVIDIA"]["count"] == "64"
    assert refused(state(start=gpu_host(count=65))) \
        == "client_state.xml:7:1: <count>: '65' is not between 0 and 64"


@pytest.mark.parametrize("start, elapsed, seconds", [
    (NOW - 9000, 4000, 3600),  # since REC was brought up to date
    (NOW - 9000, 1000, 1000),  # since it began
    (NOW - 1800, 4000, 1800),  # since the client was started
])
def test_rec_is_brought_up_to_date_with_what_has_run_since(imported, start, elapsed, seconds):
    running = f"<active_task_state>1</active_task_state><elapsed_time>{elapsed}</elapsed_time>"
    found = imported(state(
        project(rec=0, rec_time=NOW - 3600), app(), version(avg_ncpus=3), workunit(), result(active_task=running),
        start=host() + times(client_start_time=start)))
    # Three CPUs of 2 GFLOPS: 200 credits for a day of each GFLOPS, with a half-life of ten days.
    rate = 3 * 2 * 200 * seconds / min(3600, NOW - start)
    assert found["project Tidewatch"].getfloat("rec") \
        == pytest.approx(rate * (1 - 2 ** (-min(3600, NOW - start) / 864000)), rel=1e-4)


@pytest.mark.parametrize("fields, wait", [
    ({"master_url_fetch_pending": None}, "master_file"), ({"suspended_via_gui": None}, "user"), ({}, None),
    ({"master_fetch_failures": 2}, "master_file"),
    ({"master_fetch_failures": 2, "scheduler_url": "https://tidewatch.example.org/cgi"}, None)])
def test_why_a_project_waits(imported, fields, wait):
    assert imported(state(project(**fields)))["project Tidewatch"].get("wait") == wait


def test_a_master_file_that_was_never_read_comes_first(imported):
    """The client knows the scheduler of the other project, so it would know this one's."""
    other = project(master_url="https://o.example.org/", project_name="O", scheduler_url="https://o.example.org/cgi")
    found = imported(state(project(), other))
    assert [found[name].get("wait") for name in ("project Tidewatch", "project O")] == ["master_file", None]


@pytest.mark.parametrize("fields, wait", [
    ({"suspended_via_gui": None}, "task"),
    ({"suspended_via_gui": 0}, None),
    ({"suspended_via_gui": None, "state": 1}, "task"),
    ({"suspended_via_gui": None, "state": 4}, "task"),  # its result is being uploaded, but nobody has resumed it
    ({"suspended_via_gui": None, "state": 5, "got_server_ack": None}, None),
])
def test_a_task_that_the_user_has_suspended_stops_fetching(imported, fields, wait):
    other = project(master_url="https://o.example.org/", project_name="O")
    found = imported(state(other, project(), app(), version(), workunit(), result(**fields)))
    assert [found[name].get("wait") for name in ("project Tidewatch", "project O")] == [wait, None]


def transfer(retries, at, is_upload=0):
    return (f"<num_retries>{retries}</num_retries><next_request_time>{at}</next_request_time>"
            f"<is_upload>{is_upload}</is_upload>")


@pytest.mark.parametrize("number, at, is_upload, wait", [
    (3, NOW + 600, 0, "download"),
    (3, NOW, 0, None),  # it is tried again now
    (0, NOW + 1, 0, None),  # it has not failed
    (3, NOW + 600, 1, None),
])
@pytest.mark.parametrize("kind", ["file", "file_info"])
def test_a_stalled_download_stops_fetching(imported, kind, number, at, is_upload, wait):
    """It stops its own task too, which says so; the task whose files are there does not wait."""
    stalled = element(kind, name="tide.in", persistent_file_xfer=transfer(number, at, is_upload))
    found = imported(state(
        project(), stalled, app(), version(), workunit(file_ref="<file_name>tide.in</file_name>"),
        workunit(name="ebb", file_ref="<file_name>ebb.in</file_name>"), result(state=1),
        result(name="ebb_0", wu_name="ebb", state=1)), "--now", NOW)
    waits = [found[name].get("wait") for name in ("project Tidewatch", "task wave_0", "task ebb_0")]
    assert waits == [wait, wait, None]


def test_a_stalled_file_of_the_program_stops_its_tasks(imported):
    stalled = element("file", name="surge.exe", persistent_file_xfer=transfer(1, NOW + 600))
    found = imported(state(project(), stalled, app(), version(file_ref="<file_name>surge.exe</file_name>"),
                           workunit(), result(state=1)), "--now", NOW)
    assert found["task wave_0"]["wait"] == "download"


@pytest.mark.parametrize("message, flag", [
    ("This computer has reached a limit on tasks in progress", "1"),
    ("This computer has finished a daily quota of 8 tasks", "1"),
    ("No tasks are sent: The host is at its limit of jobs in progress.", "1"),
    ("No tasks are available for Surge", None),
])
def test_the_server_said_that_the_host_has_enough(run, tmp_path, message, flag):
    (tmp_path / "client_state.xml").write_text(state(work(), start=gpu_host()))
    (tmp_path / "sched_reply_tidewatch.example.org.xml").write_text(
        f'<scheduler_reply><message priority="low">{message}</message></scheduler_reply>')
    found = read_state(run("import", "--data-dir", tmp_path).output)
    for resource in ("CPU", "NVIDIA"):
        assert found.get(f"project_resource Tidewatch/{resource}", "server_limit", fallback=None) == flag


def test_a_reply_that_is_no_reply_says_nothing(run, tmp_path):
    (tmp_path / "client_state.xml").write_text(state(work()))
    (tmp_path / "sched_reply_tidewatch.example.org.xml").write_text("<html>daily quota<br></html>")
    outcome = run("import", "--data-dir", tmp_path)
    assert outcome.status == 0 and "server_limit" not in outcome.output


UNKNOWN = """<app_config>
<app><name>surge</name><max_concurrent>2</max_concurrent></app>
<app><name>surgee</name><max_concurrent>1</max_concurrent></app>
<app_version><app_name>surge</app_name><plan_class>mt</plan_class><avg_ncpus>2</avg_ncpus></app_version>
</app_config>"""


def test_what_an_app_config_says_of_unknown_applications_is_noted(run, tmp_path):
    """A limit of an application that is not there is none: else `surge` would not be all there is."""
    (tmp_path / "limits.xml").write_text(UNKNOWN)
    source = tmp_path / "client_state.xml"
    source.write_text(state(work()))
    outcome = run("import", source, "--app-config", tmp_path / "limits.xml")
    assert "limits.xml:3:1: 'Tidewatch' has no application 'surgee', so" in outcome.messages
    assert "known: surge." in outcome.messages
    assert "limits.xml:4:1: there is no version of 'surge' with the plan class 'mt'" in outcome.messages
    assert [name for name in read_state(outcome.output) if name.startswith("app ")] == ["app Tidewatch/surge"]
    (tmp_path / "limits.xml").write_text(UNKNOWN.replace("surgee", "surge2").replace(
        "<app><name>surge2</name><max_concurrent>1</max_concurrent></app>", "").replace("mt", ""))
    assert "has no" not in run("import", source, "--app-config", tmp_path / "limits.xml").messages


APP_CONFIG = ("<app_config><app><name>surge</name><max_concurrent>2</max_concurrent></app>"
              "<app><name>gauge</name><gpu_versions><gpu_usage>.5</gpu_usage></gpu_versions></app>"
              "<project_max_concurrent>3</project_max_concurrent></app_config>")


def test_limits_of_the_only_project(imported, tmp_path):
    (tmp_path / "limits.xml").write_text(APP_CONFIG)
    found = imported(state(work()), "--app-config", tmp_path / "limits.xml")
    assert found["project Tidewatch"]["max_concurrent"] == "3"
    assert dict(found["app Tidewatch/surge"]) == {"max_concurrent": "2"}
    assert found["task wave_0"]["app"] == "surge"
    assert "app Tidewatch/gauge" not in found


def test_other_applications_are_there_where_one_has_a_limit(imported, tmp_path):
    (tmp_path / "limits.xml").write_text(APP_CONFIG)
    found = imported(state(work(), app(name="tide/pool"), version(app_name="tide/pool"),
                           workunit(name="pool", app_name="tide/pool"), result(name="pool_0", wu_name="pool")),
                     "--app-config", tmp_path / "limits.xml")
    assert dict(found["app Tidewatch/tide-pool"]) == {}
    assert found["project Tidewatch"]["apps_listed"] == "1"
    assert found["task pool_0"]["app"] == "tide-pool"


def gpu_work(**fields):
    return project() + app() + gpu_version(**fields) + workunit() + result(plan_class="cuda")


ONLY_GPUS = "<gpu_versions><gpu_usage>.25</gpu_usage><cpu_usage>.75</cpu_usage></gpu_versions>"
ONE_VERSION = "<app_version><app_name>surge</app_name><plan_class>cuda</plan_class><ngpus>1</ngpus></app_version>"
OF_CPUS = "<app_version><app_name>surge</app_name><avg_ncpus>3</avg_ncpus><ngpus>1</ngpus></app_version>"


@pytest.mark.parametrize("inner, cpus, gpus", [
    (f"<app><name>surge</name>{ONLY_GPUS}</app>", "0.75", "0.25"),
    (f"{ONE_VERSION}<app><name>surge</name>{ONLY_GPUS}</app>", "0.75", "1"),
    (ONE_VERSION, "0.25", "1"),
    (ONE_VERSION.replace("cuda", "opencl"), "0.25", "0.5"),
    (f"<app><name>gauge</name>{ONLY_GPUS}</app>", "0.25", "0.5"),
    ("<app><name>surge</name><gpu_versions/></app>", "0.25", "0.5"),
])
def test_what_gpu_tasks_use_is_the_users_to_say(imported, tmp_path, inner, cpus, gpus):
    (tmp_path / "app_config.xml").write_text(f"<app_config>{inner}</app_config>")
    found = imported(state(gpu_work(), start=gpu_host() + times()), "--app-config", tmp_path / "app_config.xml")
    assert (found["task wave_0"]["cpus"], found["task wave_0"]["gpus"]) == (cpus, gpus)
    assert found["task wave_0"]["flops"] == "500000000000"


def test_what_cpu_tasks_use_is_the_users_to_say(imported, tmp_path):
    inner = f"{OF_CPUS}<app><name>surge</name>{ONLY_GPUS}</app>"
    (tmp_path / "app_config.xml").write_text(f"<app_config>{inner}</app_config>")
    found = imported(state(work()), "--app-config", tmp_path / "app_config.xml")
    assert found["task wave_0"]["cpus"] == "3"
    assert "gpu" not in found["task wave_0"]


def test_a_use_of_a_gpu_must_be_one(refused, tmp_path):
    (tmp_path / "app_config.xml").write_text(f"<app_config>{ONE_VERSION.replace('>1<', '>1e-9<')}</app_config>")
    assert refused(state(gpu_work(), start=gpu_host() + times()), "--app-config", tmp_path / "app_config.xml") \
        == "app_config.xml:1:13: <app_version>: uses less of a GPU than can be distinguished, 1e-06"


def test_tasks_name_no_application_without_limit(imported):
    assert "app" not in imported(state(work()))["task wave_0"]


OTHER = project(master_url="http://orbit.example.org/ph/", project_name="Orbit")


@pytest.mark.parametrize("project_given", ["Orbit", "http://orbit.example.org/ph/", "https://orbit.example.org/ph"])
def test_limits_of_a_named_project(imported, tmp_path, project_given):
    (tmp_path / "limits.xml").write_text(APP_CONFIG)
    found = imported(state(project(), OTHER), "--app-config", f"{project_given}={tmp_path / 'limits.xml'}")
    assert found["project Orbit"]["max_concurrent"] == "3"
    assert "max_concurrent" not in found["project Tidewatch"]


@pytest.mark.parametrize("below", ["projects", "."])
def test_limits_in_the_clients_data_directory(imported, tmp_path, below):
    data = tmp_path / "data"
    for folder, limit in (("orbit.example.org_ph", 5), ("tidewatch.example.org", 6), ("gone.example.org", 7)):
        (data / below / folder).mkdir(parents=True)
        (data / below / folder / "app_config.xml").write_text(
            f"<app_config><project_max_concurrent>{limit}</project_max_concurrent></app_config>")
    found = imported(state(project(), OTHER), "--app-config", data)
    assert [found[f"project {name}"]["max_concurrent"] for name in ("Tidewatch", "Orbit")] == ["6", "5"]
    single = data / below / "orbit.example.org_ph" / "app_config.xml"
    found = imported(state(project(), OTHER), "--app-config", single)
    assert found["project Orbit"]["max_concurrent"] == "5"
    assert "max_concurrent" not in found["project Tidewatch"]


def test_limits_of_nobody_knows_whom(run, tmp_path):
    source = tmp_path / "client_state.xml"
    source.write_text(state(project(), OTHER))
    (tmp_path / "limits.xml").write_text(APP_CONFIG)
    for argument in (tmp_path / "limits.xml", f"Nobody={tmp_path / 'limits.xml'}"):
        outcome = run("import", source, "--app-config", argument)
        assert outcome.status == 2
        assert len(outcome.messages.splitlines()) == 1
        assert "project" in outcome.messages


def test_names_are_distinct_and_fit_a_section(imported):
    found = imported(state(
        project(project_name="Tide]\n watch \x85"), project(master_url="http://b.example.org/", project_name="Same"),
        project(master_url="http://c.example.org/", project_name="Same"),
        project(master_url="http://d.example.org/", project_name="Same"),
        project(master_url="http://e.example.org/", project_name="Same (d.example.org)"),
        project(master_url="http://f.example.org/", project_name="  "),
        project(master_url="http://g.example.org/", project_name="%(x)s ; # = : [é")))
    assert [name for name in found if name.startswith("project")] == [
        "project Tide) watch", "project Same", "project Same (c.example.org)", "project Same (d.example.org)",
        "project Same (d.example.org) (e.example.org)", "project http://f.example.org/",
        "project %(x)s ; # = : [é"]


def test_names_that_nothing_tells_apart_are_numbered(imported):
    # The second to the fourth differ in what a name cannot hold.
    urls = ["http://a.example.org/", "http://b.example.org/]", "http://b.example.org/)", "http://b.example.org/\x85)"]
    found = imported(state(*(project(master_url=url, project_name="Same") for url in urls)))
    assert [name for name in found if name.startswith("project")] == [
        "project Same", "project Same (b.example.org/))", "project Same (b.example.org/)) 2",
        "project Same (b.example.org/ ))"]


def test_a_project_that_uses_no_cpu_goes_before_all_and_is_not_asked(imported):
    found = imported(state(project(non_cpu_intensive=None, resource_share=80), app(), version(), workunit(), result()))
    assert found["project Tidewatch"]["class"] == "1"
    assert found["project Tidewatch"]["share"] == "0"
    assert found["project_resource Tidewatch/CPU"]["no_apps"] == "1"
    assert found["task wave_0"]["cpus"] == "0"


def test_ended_results_are_counted_in_their_project(imported):
    found = imported(state(
        work(), result(name="a_0", state=4), result(name="b_0", state=4),
        result(name="c_0", state=5, ready_to_report=None, completed_time=NOW - 90000),  # a day over
        result(name="d_0", state=5, ready_to_report=None, completed_time=NOW - 10, report_deadline=NOW + 8000),
        result(name="e_0", state=5, ready_to_report=None, completed_time=NOW - 10, report_deadline=NOW + 90000),
        result(name="f_0", state=5, ready_to_report=None, completed_time=NOW - 90000, got_server_ack=None)))
    # 8000 s are within the minimum buffer of 8640 s.
    assert (found["project Tidewatch"]["uploading"], found["project Tidewatch"]["overdue"]) == ("2", "2")
