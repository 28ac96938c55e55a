# SPDX-License-Identifier: MIT
"""Processors, preferences and policy of an imported host."""

from __future__ import annotations

import pytest

from client_xml import NOW, element, gpu_host, gpu_version, host, nvidia, project, result, state, times, version, work
from conftest import read_state


def preferences(**fields):
    return element("global_preferences", **fields)


def test_a_host_without_anything_has_the_defaults(imported):
    found = imported("<client_state><host_info/></client_state>")
    assert found.sections() == ["host", "client"]
    assert dict(found["host"]) == {"now": "0", "cpus": "1", "flops": "1000000000"}
    assert dict(found["client"]) == {"profile": "current", "estimate": "deployed", "period": "3600",
                                     "min_buffer": "8640", "additional_buffer": "43200"}


def test_what_the_computer_is(imported):
    found = imported(state())["host"]
    # 90 % of 8e9 bytes when the computer is idle.
    assert dict(found) == {"now": "1000000", "cpus": "4", "flops": "2000000000", "ram": "7200000000"}


def test_unmeasured_speed_is_the_default(imported):
    assert imported(state(start=host(p_fpops=0)))["host"]["flops"] == "1000000000"


@pytest.mark.parametrize("fields, cpus, gpus", [
    ({"on_frac": 0.8, "active_frac": 0.5, "gpu_active_frac": 0.25}, 0.4, 0.2),
    ({"on_frac": 0, "active_frac": 0.5, "gpu_active_frac": 1}, 0.5, 1.0),  # 0 was never measured
    ({"on_frac": 0.001, "active_frac": 0.5, "gpu_active_frac": 0.5}, 0.01, 0.01),  # no less is believed
])
def test_usable_time(imported, fields, cpus, gpus):
    found = imported(state(start=gpu_host() + times(**fields)))
    assert found["host"].getfloat("usable", fallback=1.0) == cpus
    assert found["gpu NVIDIA"].getfloat("usable", fallback=1.0) == gpus


def test_now_is_the_newest_time_that_has_passed(imported):
    def now(*parts):
        return imported(state(*parts))["host"].getfloat("now")

    assert now() == NOW
    assert now(project(rec_time=NOW + 1)) == NOW + 1
    assert now(project(last_rpc_time=NOW + 2)) == NOW + 2
    assert now(work(received_time=NOW + 3)) == NOW + 3
    assert now(work(state=5, completed_time=NOW + 4)) == NOW + 4
    # Deadlines and backoffs lie in the future.
    assert now(project(min_rpc_time=NOW + 5, cpu_backoff_time=NOW + 6)) == NOW


def test_now_can_be_given(imported):
    assert imported(state(), "--now", "123.5")["host"]["now"] == "123.5"
    assert imported(state(), "--now", "0")["host"]["now"] == "0"


@pytest.mark.parametrize("fields, cpus", [
    ({"max_ncpus_pct": 50}, 2),
    ({"max_ncpus_pct": 99}, 3),
    ({"max_ncpus_pct": 1}, 1),
    ({"max_ncpus_pct": 0}, 4),  # no limit
    ({"max_ncpus_pct": 25, "niu_max_ncpus_pct": 75}, 3),  # nobody is at the computer
    ({"max_cpus": 3}, 3),
    ({"max_cpus": 16}, 4),
])
def test_cpus_that_may_be_used(imported, fields, cpus):
    assert imported(state(preferences(**fields)))["host"].getint("cpus") == cpus


IN_USE = {"max_ncpus_pct": 25, "niu_max_ncpus_pct": 75, "cpu_usage_limit": 50, "niu_cpu_usage_limit": 80,
          "ram_max_used_busy_pct": 25, "ram_max_used_idle_pct": 75}


def test_while_somebody_uses_the_computer_other_limits_hold(imported):
    """A quarter of four CPUs of half the time and 2 GB; by default 50 % of 8 GB. Nobody there: three quarters."""
    idle = imported(state(preferences(**IN_USE)))["host"]
    busy = imported(state(preferences(**IN_USE)), "--in-use")["host"]
    assert [(found.getint("cpus"), found.getfloat("usable"), found.getfloat("ram")) for found in (idle, busy)] \
        == [(3, 0.8, 6e9), (1, 0.5, 2e9)]
    assert imported(state(preferences()), "--in-use")["host"].getfloat("ram") == 4e9


@pytest.mark.parametrize("fields, mode, paused", [
    ({}, "", (None, "1")),  # unless the user says so, GPUs rest
    ({"run_gpu_if_user_active": 1}, "", (None, None)),
    ({"run_if_user_active": 0, "run_gpu_if_user_active": 1}, "", ("1", "1")),
    ({"run_if_user_active": 0}, "<user_run_request>1</user_run_request>", (None, "1")),
    ({"run_if_user_active": 0}, "<user_run_request>1</user_run_request><user_gpu_request>1</user_gpu_request>",
     (None, None)),
])
def test_what_rests_while_somebody_uses_the_computer(run, tmp_path, fields, mode, paused):
    (tmp_path / "state.xml").write_text(state(preferences(**fields), mode, start=gpu_host() + times()))
    outcome = run("import", tmp_path / "state.xml", "--in-use")
    found = read_state(outcome.output)
    assert (found["host"].get("paused"), found["gpu NVIDIA"].get("paused")) == paused
    assert ("while the computer is in use" in outcome.messages) == (paused != (None, None))
    found = read_state(run("import", tmp_path / "state.xml").output)
    assert found["host"].get("paused") is None and found["gpu NVIDIA"].get("paused") is None


@pytest.mark.parametrize("fields, options, noted", [
    ({"max_ncpus_pct": 0}, (), "max_ncpus_pct"),
    ({"max_ncpus_pct": 0, "max_cpus": 2}, (), None),
    ({"max_ncpus_pct": 50, "niu_max_ncpus_pct": 0}, (), "niu_max_ncpus_pct"),
    ({"max_ncpus_pct": 50, "niu_max_ncpus_pct": 0}, ("--in-use",), None),
    ({"cpu_usage_limit": 0}, (), "cpu_usage_limit"),
    ({"ram_max_used_busy_pct": 0}, ("--in-use",), "ram_max_used_busy_pct"),
    ({"max_cpus": 0}, (), None),
])
def test_a_limit_of_0_is_none_and_is_noted(run, tmp_path, fields, options, noted):
    (tmp_path / "state.xml").write_text(state(preferences(**fields)))
    messages = run("import", tmp_path / "state.xml", *options).messages
    if noted:
        assert f"Note: {noted} is 0, which the client takes for no limit." in messages
    else:
        assert "is 0" not in messages


def test_throttled_cpus_compute_for_part_of_the_time(imported):
    found = imported(state(preferences(cpu_usage_limit=60), start=gpu_host() + times(active_frac=0.5)))
    assert found["host"].getfloat("usable") == 0.3
    assert "usable" not in found["gpu NVIDIA"]


def test_preferences_become_the_policy(imported):
    found = imported(state(preferences(work_buf_min_days=0.5, work_buf_additional_days=0,
                                       cpu_scheduling_period_minutes=30, ram_max_used_idle_pct=50)))
    assert dict(found["client"]) == {"profile": "current", "estimate": "deployed", "period": "1800",
                                     "min_buffer": "43200", "additional_buffer": "0"}
    assert found["host"]["ram"] == "4000000000"


def test_a_period_of_nothing_counts_as_not_set(imported):
    assert imported(state(preferences(cpu_scheduling_period_minutes=0)))["client"]["period"] == "3600"


def test_preference_files_override_in_order(imported, tmp_path):
    (tmp_path / "prefs.xml").write_text(preferences(work_buf_min_days=1, work_buf_additional_days=2))
    (tmp_path / "override.xml").write_text(preferences(work_buf_additional_days=3))
    found = imported(state(preferences(work_buf_min_days=9, cpu_scheduling_period_minutes=10)),
                     "--global-prefs", tmp_path / "prefs.xml", "--global-prefs", tmp_path / "override.xml")["client"]
    assert (found["period"], found["min_buffer"], found["additional_buffer"]) == ("600", "86400", "259200")


def test_the_hosts_venue_stands_in_the_place_of_the_rest(imported, tmp_path):
    (tmp_path / "prefs.xml").write_text(
        '<global_preferences><work_buf_min_days>1</work_buf_min_days><max_ncpus_pct>50</max_ncpus_pct>'
        '<venue name="home"><work_buf_min_days>2</work_buf_min_days></venue>'
        '<venue name="work"><work_buf_min_days>3</work_buf_min_days></venue></global_preferences>')

    def found(venue):
        both = imported(state(venue), "--global-prefs", tmp_path / "prefs.xml")
        return both["client"].getfloat("min_buffer") / 86400, both["host"].getint("cpus")

    assert found("") == (1, 2)
    assert found("<host_venue></host_venue>") == (1, 2)
    assert found("<host_venue>home</host_venue>") == (2, 4)
    assert found("<host_venue>school</host_venue>") == (1, 2)


def test_gpus_of_every_kind(imported):
    coprocs = (nvidia() + element("coproc_ati", count=1, peak_flops=3e12)
               + element("coproc_intel_gpu", count=1, peak_flops=4e11)
               + element("coproc_apple_gpu", count=1, peak_flops=2e12)
               + element("coproc", type="miner_asic", count=3, peak_flops=1e12)
               + element("coproc_ati_old", count=9))
    found = imported(state(start=host(coprocs=coprocs) + times()))
    assert {name: dict(found[name]) for name in found.sections() if name.startswith("gpu ")} == {
        "gpu NVIDIA": {"count": "2", "flops": "2000000000000"},
        "gpu ATI": {"count": "1", "flops": "600000000000"},
        "gpu intel_gpu": {"count": "1", "flops": "80000000000"},
        "gpu apple_gpu": {"count": "1", "flops": "400000000000"},
        "gpu miner_asic": {"count": "3", "flops": "600000000000"},
    }


def test_gpus_beside_the_host(imported):
    assert imported(state(element("coprocs", coproc_cuda="<count>1</count>")))["gpu NVIDIA"]["count"] == "1"


def test_no_instances_are_no_gpu(imported):
    assert imported(state(start=gpu_host(count=0))).sections() == ["host", "client"]


def test_speed_of_a_gpu_that_is_not_given(imported):
    # Half an instance does 5e11, so one does 1e12.
    assert imported(state(project(), gpu_version(), start=gpu_host(peak_flops=0)))["gpu NVIDIA"]["flops"] \
        == "1000000000000"
    assert imported(state(start=gpu_host(peak_flops=0)))["gpu NVIDIA"]["flops"] == "2000000000"


def test_gpus_of_old_replies_are_guessed(imported):
    found = imported(state(project(), version(coproc="<type>CUDA</type><count>1</count>", flops=7e10),
                           "<have_cuda/><have_ati>0</have_ati>"))
    assert dict(found["gpu NVIDIA"]) == {"count": "1", "flops": "70000000000"}
    assert "gpu ATI" not in found


@pytest.mark.parametrize("request_value, suspended", [(1, False), (2, False), (3, True)])
def test_suspended_gpus(imported, request_value, suspended):
    found = imported(state(f"<user_gpu_request>{request_value}</user_gpu_request>", start=gpu_host()))
    assert found["gpu NVIDIA"].getboolean("suspended", fallback=False) is suspended


def test_suspended_computing_is_told(run, tmp_path):
    source = tmp_path / "client_state.xml"
    source.write_text(state(work(), "<user_run_request>3</user_run_request>", start=gpu_host()))
    outcome = run("import", source)
    assert "the user has suspended computing" in outcome.messages
    found = read_state(outcome.output)
    assert found["host"]["paused"] == found["gpu NVIDIA"]["paused"] == "1"


def test_client_configuration(imported, tmp_path):
    (tmp_path / "cc_config.xml").write_text(
        "<cc_config><log_flags><task>1</task></log_flags><options><ncpus>6</ncpus>"
        "<rec_half_life_days>5</rec_half_life_days><max_file_xfers>8</max_file_xfers></options></cc_config>")
    found = imported(state(preferences(max_ncpus_pct=50)), "--cc-config", tmp_path / "cc_config.xml")
    assert found["host"]["cpus"] == "3"
    assert found["client"]["rec_half_life"] == "432000"


def test_minus_one_cpu_means_those_that_there_are(imported, tmp_path):
    (tmp_path / "cc_config.xml").write_text("<cc_config><options><ncpus>-1</ncpus></options></cc_config>")
    assert imported(state(), "--cc-config", tmp_path / "cc_config.xml")["host"]["cpus"] == "4"


def test_what_is_read_stands_at_the_top(run, tmp_path):
    source = tmp_path / "client_state.xml"
    source.write_text(state(
        "<core_client_major_version>7</core_client_major_version><core_client_minor_version>16"
        "</core_client_minor_version><core_client_release>11</core_client_release>",
        work(), result(name="ripple_0", state=4), result(name="swell_0", state=1, wu_name="wave")))
    outcome = run("import", source)
    head = outcome.output.split("\n\n")[0].splitlines()
    assert head == [
        "# Host state of a BOINC client, imported from client_state.xml.",
        "# BOINC 7.16.11: 4 CPUs, 0 GPUs, 1 project, 2 tasks (0 running, 1 without their files yet).",
        "# Left out: 1 uploading.",
        "# Note: there are no computing preferences, so the client's defaults are taken.",
    ]
    said = [line.replace("# ", "vcsched import: ", 1) for line in head[1:]]
    said[-1] += " With --data-dir DIRECTORY or --global-prefs FILE those of the client are read."
    assert outcome.messages.splitlines() == said


SPELLED = {"on_frac": 0.5, "active_frac": 0.8, "previous_uptime": 3600}


@pytest.mark.parametrize("changes, spells", [
    ({"now": NOW}, (10800, 16200)),  # (1 h + 2 * 4 h) / 3, and 3 h * 0.6 / 0.4
    ({"now": NOW, "active_frac": 1, "on_frac": 1}, (10800, 0)),
    ({"now": NOW, "previous_uptime": 0}, None),  # it is the client's first run
    ({"now": NOW, "previous_uptime": 30 * 86400}, (873600, 1310400)),
    ({}, None),  # a file has the present run there
])
def test_spells_are_known_from_the_run_that_has_ended(imported, changes, spells):
    found = imported(state(work(), start=host() + times(**{**SPELLED, **changes})))["host"]
    if spells is None:
        assert "on_spell" not in found and "off_spell" not in found
    else:
        assert (found.getfloat("on_spell"), found.getfloat("off_spell", fallback=0)) == spells


def test_spells_are_those_that_the_library_learns(imported):
    v = pytest.importorskip("vcsched.library", reason="needs the compiled part") and __import__("vcsched")
    found = imported(state(work(), start=host() + times(**{**SPELLED, "now": NOW})))["host"]
    spells = v.Spells()
    spells.add(1, 3600.0)
    on, off = spells.means(0.4)
    assert (found.getfloat("on_spell"), found.getfloat("off_spell")) == pytest.approx((on, off))
