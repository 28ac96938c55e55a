# SPDX-License-Identifier: MIT
"""A real BOINC client, where it is installed: an instance of its own, in a folder of its own. It finds files that say
that it has tasks of projects, which nobody serves, and computes them."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from typing import List, NamedTuple

from ports import free_port

BOINC = shutil.which("boinc")
WHY_NOT = "no boinc client is installed (Debian: boinc-client)"

PLATFORM = "x86_64-pc-linux-gnu"
PASSWORD = "periwinkle"
CPUS = 2
HOUR = 3600.0
OLDEST = 1000.0
"""Seconds ago when the first task came; the others came a second apart."""

AWAKE = "awake"
"""A file in the client's folder. Its programs run, in a folder two below, while that and the client are there."""

PROGRAM = f"""#!/bin/sh
while [ -e ../../{AWAKE} ] && kill -0 $PPID 2>/dev/null; do sleep 0.2; done
"""

CONFIGURATION = """<cc_config><log_flags><cpu_sched_debug>1</cpu_sched_debug>
<rr_simulation>1</rr_simulation><work_fetch_debug>1</work_fetch_debug></log_flags><options>
<allow_multiple_clients>1</allow_multiple_clients><skip_cpu_benchmarks>1</skip_cpu_benchmarks>
<dont_contact_ref_site>1</dont_contact_ref_site><no_info_fetch>1</no_info_fetch>
<ncpus>{}</ncpus>{}</options></cc_config>"""
NO_GPUS = "<no_gpus>1</no_gpus>"
GPUS = "<coproc><type>drowsy</type><count>{}</count><peak_flops>2e10</peak_flops></coproc>"
"""The client believes in processors that its user declares."""

PREFERENCES = """<global_preferences><run_if_user_active>1</run_if_user_active>
<run_gpu_if_user_active>1</run_gpu_if_user_active><run_on_batteries>1</run_on_batteries>
<suspend_cpu_usage>0</suspend_cpu_usage><niu_suspend_cpu_usage>0</niu_suspend_cpu_usage>
<work_buf_min_days>{}</work_buf_min_days><work_buf_additional_days>0.1</work_buf_additional_days>
<disk_max_used_pct>100</disk_max_used_pct><disk_min_free_gb>0</disk_min_free_gb></global_preferences>"""
"""The client takes any terminal that was just written to for a user at the keyboard, also one of a test beside it, and
would keep its GPUs idle meanwhile."""


class Nap(NamedTuple):
    """A task: how many hours it takes, in how many it is due, and what it uses."""

    hours: float
    due: float
    cpus: float = 1.0
    gpus: float = 0.0
    more: str = ""
    """Of its result."""

    @property
    def app(self):
        """A name for the program that uses that."""
        return f"nap_{self.cpus:g}_{self.gpus:g}".replace(".", "-") if self.gpus or self.cpus != 1 else "nap"

    @property
    def flops(self):
        """Its speed."""
        return 1e10 if self.gpus else 1e9 * self.cpus


class Naps(NamedTuple):
    """A project with its tasks."""

    tasks: List[Nap]
    app_config: str = "<app_config>\n</app_config>"
    share: float = 100.0
    rec: float = 10.0
    late: str = ""
    """What follows its tasks."""
    scheduler: str = "http://127.0.0.1:9/cgi"
    """Nobody listens there."""


class RealClient:
    """Use it in a `with`. Tasks are called nap0_0, nap1_0 and so on, through all projects, and came in this order. If
    it `asks` for work, which nobody answers, it wants a `buffer` of so many days."""

    def __init__(self, folder, *projects, cpus=CPUS, gpus=0, buffer=0.1, asks=False):
        self.folder = folder
        self.log = folder / "log"
        self.port = free_port()
        self._now = time.time()
        self._write(projects, cpus, gpus, asks)
        (folder / "global_prefs_override.xml").write_text(PREFERENCES.format(buffer))
        self._process = None

    def __enter__(self):
        (self.folder / AWAKE).touch()
        with open(self.log, "wb") as log:
            self._process = subprocess.Popen([BOINC, "--dir", str(self.folder), "--gui_rpc_port", str(self.port)],
                                             stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        return self

    def __exit__(self, *_ignored):
        # Asked to end, it would wait for its tasks, which wait for it. What it has not written goes with its folder.
        self._process.kill()
        self._process.wait()
        (self.folder / AWAKE).unlink()

    def chosen(self):
        """The tasks that the client chose to run when it first decided, as soon as it has."""
        decision = self._logged(r"enforce_run_list\(\): start.*?enforce_run_list: end").group()
        return set(re.findall(r"\[cpu_sched_debug\] scheduling (\S+)", decision))

    def asked(self):
        """Whom it asked first, and for how many seconds of work; None and 0 if nobody."""
        decision = self._logged(r"\[([^]]+)\] \[work_fetch\] set_request\(\) for CPU: [^\n]* req_secs ([\d.]+)\n|"
                                "No project chosen for work fetch\n")
        return decision[1], float(decision[2] or 0)

    def told(self, text):
        """Returns as soon as it has told its user that."""
        self._logged(re.escape(text))

    def _logged(self, pattern):
        """The first match in its log, as soon as it is there."""
        while True:
            found = re.search(pattern, self.log.read_text(), re.DOTALL)
            if found:
                return found
            assert self._process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def late(self):
        """The tasks that it expected to be late when it first decided."""
        first = self.log.read_text().split("enforce_run_list(): start")[0]
        return set(re.findall(r"Result (\S+) projected to miss deadline", first))

    def _write(self, projects, cpus, gpus, asks):
        parts = []
        first = 0
        for number, project in enumerate(projects):
            parts.append(self._project(number, project, first))
            first += len(project.tasks)
        (self.folder / "client_state.xml").write_text(f"""<client_state>
<platform_name>{PLATFORM}</platform_name>
<core_client_major_version>7</core_client_major_version>
<core_client_minor_version>20</core_client_minor_version>
<core_client_release>5</core_client_release>
{"".join(parts)}
<user_run_request>1</user_run_request>
<user_network_request>{1 if asks else 3}</user_network_request></client_state>
""")
        (self.folder / "cc_config.xml").write_text(CONFIGURATION.format(cpus, GPUS.format(gpus) if gpus else NO_GPUS))
        (self.folder / "gui_rpc_auth.cfg").write_text(PASSWORD)

    def _project(self, number, project, first):
        """Its part of the client's state, and its files. Its first task has a number too."""
        url, folder = f"http://127.0.0.1:9/{number}/", f"127.0.0.1_9_{number}"
        files = self.folder / "projects" / folder
        files.mkdir(parents=True)
        (files / "nap").write_text(PROGRAM)
        (files / "nap").chmod(0o755)
        (files / "app_config.xml").write_text(project.app_config)
        (self.folder / f"account_{folder}.xml").write_text(
            f"<account><master_url>{url}</master_url><authenticator>0</authenticator></account>")
        tasks = "".join(f"""
<workunit><name>nap{n}</name><app_name>{nap.app}</app_name><version_num>1</version_num>
<rsc_fpops_est>{nap.hours * HOUR * nap.flops}</rsc_fpops_est><rsc_fpops_bound>1e18</rsc_fpops_bound>
<rsc_memory_bound>1e6</rsc_memory_bound><rsc_disk_bound>1e8</rsc_disk_bound></workunit>
<result><name>nap{n}_0</name><wu_name>nap{n}</wu_name><report_deadline>{self._now + nap.due * HOUR}</report_deadline>
<received_time>{self._now - OLDEST + n}</received_time><platform>{PLATFORM}</platform><version_num>1</version_num>
<state>2</state>{nap.more}</result>""" for n, nap in enumerate(project.tasks, first))
        programs = {nap.app: nap for nap in project.tasks}
        apps = "".join(f"""
<app><name>{nap.app}</name><user_friendly_name>Nap</user_friendly_name></app>
<app_version><app_name>{nap.app}</app_name><version_num>1</version_num><platform>{PLATFORM}</platform>
<avg_ncpus>{nap.cpus}</avg_ncpus><flops>{nap.flops}</flops><api_version>7.20.5</api_version>
{f"<coproc><type>drowsy</type><count>{nap.gpus}</count></coproc>" if nap.gpus else ""}
<file_ref><file_name>nap</file_name><main_program/></file_ref></app_version>""" for nap in programs.values())
        return f"""<project><master_url>{url}</master_url><project_name>Naps {number}</project_name>
<resource_share>{project.share}</resource_share><rec>{project.rec}</rec><rec_time>{self._now}</rec_time>
<hostid>1</hostid><scheduler_url>{project.scheduler}</scheduler_url></project>
<file><name>nap</name><nbytes>{len(PROGRAM)}</nbytes><max_nbytes>0</max_nbytes><status>1</status><executable/></file>
{apps}
{tasks}
{project.late}
"""
