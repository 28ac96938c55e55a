# SPDX-License-Identifier: MIT
"""A real BOINC client, where it is installed: an instance of its own, in a folder of its own, which is attached to
nothing. It finds files that say otherwise, of a project that nobody serves, and computes its tasks."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time

BOINC = shutil.which("boinc")
WHY_NOT = "no boinc client is installed (Debian: boinc-client)"

URL = "http://127.0.0.1:9/"
FOLDER = "127.0.0.1_9"
PLATFORM = "x86_64-pc-linux-gnu"
PASSWORD = "periwinkle"
CPUS = 2
OLDEST = 100.0
"""Seconds ago when the first task came; the others came a second apart."""

PROGRAM = """#!/bin/sh
while kill -0 $PPID 2>/dev/null; do sleep 0.2; done
"""
"""Never ends of its own accord, and not later than the client."""

CONFIGURATION = f"""<cc_config><log_flags><cpu_sched_debug>1</cpu_sched_debug></log_flags><options>
<allow_multiple_clients>1</allow_multiple_clients><skip_cpu_benchmarks>1</skip_cpu_benchmarks><no_gpus>1</no_gpus>
<dont_contact_ref_site>1</dont_contact_ref_site><no_info_fetch>1</no_info_fetch><unsigned_apps_ok>1</unsigned_apps_ok>
<ncpus>{CPUS}</ncpus></options></cc_config>"""

PREFERENCES = """<global_preferences><run_if_user_active>1</run_if_user_active><run_on_batteries>1</run_on_batteries>
<suspend_cpu_usage>0</suspend_cpu_usage><niu_suspend_cpu_usage>0</niu_suspend_cpu_usage>
<disk_max_used_pct>100</disk_max_used_pct><disk_min_free_gb>0</disk_min_free_gb></global_preferences>"""


class RealClient:
    """Use it in a `with`. `deadlines` are seconds from now, and `hours` how long the tasks take, one by one."""

    def __init__(self, folder, hours, deadlines, app_config="<app_config/>"):
        self.folder = folder
        self.log = folder / "log"
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            self.port = unused.getsockname()[1]
        self._write(hours, deadlines, app_config)
        self._process = None

    def __enter__(self):
        with open(self.log, "wb") as log:
            self._process = subprocess.Popen([BOINC, "--dir", str(self.folder), "--gui_rpc_port", str(self.port)],
                                             stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        return self

    def __exit__(self, *_ignored):
        # Asked to end, it would wait for its tasks, which wait for it. What it has not written goes with its folder.
        self._process.kill()
        self._process.wait()

    def chosen(self):
        """The tasks that the client chose to run when it last decided, as soon as it has."""
        for _ in range(600):
            decisions = self.log.read_text().split("enforce_run_list(): start")[1:]
            if decisions and "enforce_run_list: end" in decisions[-1]:
                return set(re.findall(r"\[cpu_sched_debug\] scheduling (\S+)", decisions[-1]))
            assert self._process.poll() is None, self.log.read_text()
            time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def _write(self, hours, deadlines, app_config):
        files = self.folder / "projects" / FOLDER
        files.mkdir(parents=True)
        (files / "nap").write_text(PROGRAM)
        (files / "nap").chmod(0o755)
        (files / "app_config.xml").write_text(app_config)
        now = time.time()
        tasks = "".join(f"""
<workunit><name>nap{n}</name><app_name>nap</app_name><version_num>1</version_num><rsc_fpops_est>{hour * 3.6e12}
</rsc_fpops_est><rsc_fpops_bound>1e18</rsc_fpops_bound><rsc_memory_bound>1e6</rsc_memory_bound>
<rsc_disk_bound>1e8</rsc_disk_bound></workunit>
<result><name>nap{n}_0</name><wu_name>nap{n}</wu_name><report_deadline>{now + deadline}</report_deadline>
<received_time>{now - OLDEST + n}</received_time><platform>{PLATFORM}</platform><version_num>1</version_num>
<state>2</state></result>""" for n, (hour, deadline) in enumerate(zip(hours, deadlines)))
        (self.folder / "client_state.xml").write_text(f"""<client_state>
<platform_name>{PLATFORM}</platform_name>
<core_client_major_version>7</core_client_major_version>
<core_client_minor_version>20</core_client_minor_version>
<core_client_release>5</core_client_release>
<project><master_url>{URL}</master_url><project_name>Naps</project_name><resource_share>100</resource_share>
<rec>10</rec><rec_time>{now}</rec_time><hostid>1</hostid><scheduler_url>{URL}cgi</scheduler_url></project>
<app><name>nap</name><user_friendly_name>Nap</user_friendly_name></app>
<file><name>nap</name><nbytes>{len(PROGRAM)}</nbytes><max_nbytes>0</max_nbytes><status>1</status><executable/></file>
<app_version><app_name>nap</app_name><version_num>1</version_num><platform>{PLATFORM}</platform>
<avg_ncpus>1</avg_ncpus><flops>1e9</flops><file_ref><file_name>nap</file_name><main_program/></file_ref></app_version>
{tasks}
<user_run_request>1</user_run_request><user_network_request>3</user_network_request></client_state>
""")
        (self.folder / f"account_{FOLDER}.xml").write_text(
            f"<account><master_url>{URL}</master_url><authenticator>0</authenticator></account>")
        (self.folder / "cc_config.xml").write_text(CONFIGURATION)
        (self.folder / "global_prefs_override.xml").write_text(PREFERENCES)
        (self.folder / "gui_rpc_auth.cfg").write_text(PASSWORD)
