# SPDX-License-Identifier: MIT
"""The client that is deployed, as the distribution packages it: an instance of its own, in a folder of its own."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, List, Optional, Sequence

from ports import free_port
from running import Grid, until

BOINC, BOINCCMD = shutil.which("boinc"), shutil.which("boinccmd")
WHY_NOT = "no boinc client is installed (Debian: boinc-client)"

_PASSWORD = "periwinkle"

_CONFIGURATION = """<cc_config><log_flags><file_xfer_debug>1</file_xfer_debug><sched_op_debug>1</sched_op_debug>
<cpu_sched_debug>1</cpu_sched_debug></log_flags>
<options><allow_multiple_clients>1</allow_multiple_clients><skip_cpu_benchmarks>1</skip_cpu_benchmarks>
<dont_contact_ref_site>1</dont_contact_ref_site><no_info_fetch>1</no_info_fetch><no_gpus>1</no_gpus>
<report_results_immediately>1</report_results_immediately><ncpus>2</ncpus></options></cc_config>
"""

_PREFERENCES = """<global_preferences><run_if_user_active>1</run_if_user_active><run_on_batteries>1</run_on_batteries>
<suspend_cpu_usage>0</suspend_cpu_usage><niu_suspend_cpu_usage>0</niu_suspend_cpu_usage>
<work_buf_min_days>{0}</work_buf_min_days><work_buf_additional_days>{0}</work_buf_additional_days>
<disk_max_used_pct>100</disk_max_used_pct><disk_min_free_gb>0</disk_min_free_gb></global_preferences>
"""

_STATE = """<client_state><platform_name>x86_64-pc-linux-gnu</platform_name>
<core_client_major_version>7</core_client_major_version><core_client_minor_version>20</core_client_minor_version>
<core_client_release>5</core_client_release><user_run_request>1</user_run_request>
<user_network_request>1</user_network_request></client_state>
"""

PROGRAM = """#!/bin/sh
# What this client does with its tasks is in a file of its folder.
behaviour=$(cat ../../behaviour)
read n < in
sum=0 i=0
while [ $i -le $n ]; do sum=$((sum + i * i)) i=$((i + 1)); done
case $behaviour in
# A client looks at its tasks each second; it claims nothing for one that has ended before. So this waits for a look.
work)
    name=$(sed -n 's|.*<result_name>\\(.*\\)</result_name>.*|\\1|p' init_data.xml)
    while kill -0 $PPID 2>/dev/null && [ ! -e "../../seen_$name" ]; do sleep 0.1; done ;;
lie) sum=0 ;;
fail) exit 3 ;;
sleep) while [ "$(cat ../../behaviour)" = sleep ]; do sleep 0.3; done ;;
esac
{ echo $sum; [ $behaviour != big ] || head -c 1500000 /dev/zero | tr '\\0' x; } > out
: > boinc_finish_called
"""


class Client:
    """A client that is attached to a grid, and to `others`. Use it in a `with`. Its behaviour is what its programs do:
    work, lie, fail, sleep, or big, with an output of 1.5 MB. It keeps work for so many `days`, and up to as many more.
    """

    def __init__(self, folder: Path, grid: Grid, behaviour: str = "work", key: str = "", others: Sequence[Grid] = (),
                 days: float = 0.0001) -> None:
        folder.mkdir()
        self.folder = folder
        self.grid = grid
        self.port = free_port()
        self._process: Optional[subprocess.Popen] = None
        self.behave(behaviour)
        (folder / "cc_config.xml").write_text(_CONFIGURATION)
        (folder / "global_prefs_override.xml").write_text(_PREFERENCES.format(days))
        (folder / "client_state.xml").write_text(_STATE)
        (folder / "gui_rpc_auth.cfg").write_text(_PASSWORD)
        for one in (grid, *others):
            (folder / f"account_127.0.0.1_{one.port}.xml").write_text(
                f"<account><master_url>{one.url}</master_url><authenticator>{key or one.key}</authenticator>"
                "</account>\n")

    def behave(self, behaviour: str) -> None:
        """What its programs do from now on."""
        (self.folder / "behaviour.new").write_text(behaviour)
        (self.folder / "behaviour.new").rename(self.folder / "behaviour")

    def __enter__(self) -> "Client":
        self.start()
        return self

    def __exit__(self, *_unused: object) -> None:
        self.kill()
        self.behave("work")

    def start(self) -> None:
        """Starts it, in the state in which its folder is."""
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen([str(BOINC), "--dir", str(self.folder), "--gui_rpc_port", str(self.port)],
                                             stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def kill(self) -> None:
        """Ends it as if the power had gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(BOINCCMD), "--host", f"127.0.0.1:{self.port}", "--passwd", _PASSWORD, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)

    def tell(self, *arguments: str, needed: bool = True) -> None:
        """Tells it something, as its user would; again and again until it does as it is told, if that is needed."""
        def told() -> bool:
            outcome = self._command(*arguments)
            time.sleep(0.5)
            return outcome.returncode == 0 or not needed

        until(told, f"the client is told {' '.join(arguments)}")

    def update(self) -> None:
        """Lets it contact the project now, and `look`s."""
        self.look()
        self.tell("--project", self.grid.url, "update")

    def look(self) -> None:
        """Lets programs end that work, if the client has seen them at work."""
        listed = self._command("--get_tasks").stdout
        for task in re.split(r"(?m)^\d+\) -+$", listed):
            name, seconds = re.search(r"(?m)^ *name: (\S+)$", task), re.search(r"elapsed task time: ([\d.]+)", task)
            if name and seconds and float(seconds[1]) > 0.0:
                (self.folder / f"seen_{name[1]}").touch()

    def log(self) -> str:
        """What it says of itself."""
        return (self.folder / "log").read_text(errors="replace")

    def saw(self, pattern: str) -> List[Any]:
        """What is found in its log, as soon as anything is."""
        found: List[Any] = until(lambda: re.findall(pattern, self.log()), f"{pattern!r} in the log of {self.folder}")
        return found
