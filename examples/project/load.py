#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays many hosts against a server, over HTTP: each asks for work, uploads a file for every result, and reports.

    python3 load.py URL KEY [--hosts 50] [--seconds 20] [--rate R] [--project FOLDER]

Prints how many results came back in a second, and how long a scheduler request and an upload took: half of them less
than the first figure, 95 % less than the second, 99 % less than the third. With --rate no more than so many results a
second are asked for, to see how long requests take below the greatest load. With --project, the folder of a project
whose `purge_delay` is 0, it also prints how many results have come to the end of their lives: compared, taken over,
paid, files and rows deleted.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import re
import sys
import threading
import time
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple
from urllib.parse import urlsplit

PLATFORM = "x86_64-pc-linux-gnu"


class Task(NamedTuple):
    """A result that the host has."""

    name: str
    deadline: float
    output: str
    signature: str
    most: int
    unit: str


class Reply(NamedTuple):
    """What a scheduler answered."""

    text: str
    host: Optional[int]
    tasks: List[Task]
    acknowledged: List[str]
    abort: List[str]
    abort_if_not_started: List[str]
    messages: List[str]
    delay: float


class Report(NamedTuple):
    """A result that is over."""

    name: str
    state: int = 5
    exit_status: int = 0
    elapsed: float = 10.0


class Connection:
    """A connection to a server, which is kept."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.path = parts.path
        self._address = (parts.hostname or "", parts.port or 80)
        self._http = http.client.HTTPConnection(*self._address, timeout=60)

    def post(self, path: str, body: bytes) -> Tuple[int, bytes]:
        """The status and the body of the answer."""
        return self.ask("POST", path, body)

    def ask(self, method: str, path: str, body: Optional[bytes] = None,
            headers: Optional[Dict[str, str]] = None) -> Tuple[int, bytes]:
        """The same by another method, and with headers. A connection that the server has closed is opened again."""
        for attempt in (1, 2):
            try:
                self._http.request(method, self.path + path, body, headers or {})
                answer = self._http.getresponse()
                return answer.status, answer.read()
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self._http.close()
                if attempt == 2:
                    raise
        raise AssertionError

    def close(self) -> None:
        """Closes it."""
        self._http.close()


class Host:
    """A host that computes nothing."""

    def __init__(self, url: str, key: str, name: str = "load", cpus: int = 4, flops: float = 1e9) -> None:
        self.connection = Connection(url)
        self.key = key
        self.name = name
        self.cpus = cpus
        self.flops = flops
        self.id = 0
        self.sequence = 0
        self.tasks: Dict[str, Task] = {}

    def request(self, seconds: float = 0.0, instances: float = 0.0, reports: Tuple[Report, ...] = (),
                held: Optional[List[str]] = None, extra: str = "") -> str:
        """A scheduler request. Without `held` it says that it has what it has."""
        names = [name for name in self.tasks if name not in {report.name for report in reports}] \
            if held is None else held
        return f"""<scheduler_request>
<authenticator>{self.key}</authenticator>
<hostid>{self.id}</hostid>
<rpc_seqno>{self.sequence}</rpc_seqno>
<core_client_major_version>7</core_client_major_version>
<core_client_minor_version>20</core_client_minor_version>
<core_client_release>5</core_client_release>
<duration_correction_factor>1.000000</duration_correction_factor>
<work_req_seconds>{seconds}</work_req_seconds>
<cpu_req_secs>{seconds}</cpu_req_secs>
<cpu_req_instances>{instances}</cpu_req_instances>
<estimated_delay>0.000000</estimated_delay>
<platform_name>{PLATFORM}</platform_name>
<code_sign_key>
known
</code_sign_key>
<time_stats><on_frac>1.000000</on_frac><active_frac>1.000000</active_frac></time_stats>
<host_info><domain_name>{self.name}</domain_name>
<host_cpid>{hashlib.md5(self.name.encode()).hexdigest()}</host_cpid>
<p_ncpus>{self.cpus}</p_ncpus><p_fpops>{self.flops}</p_fpops><m_nbytes>8e9</m_nbytes></host_info>
{"".join(_report(report) for report in reports)}
<in_progress_results>
{"".join(f'<ip_result><name>{name}</name><report_deadline>{self.tasks[name].deadline:.0f}</report_deadline>'
         '<time_remaining>1.00</time_remaining></ip_result>' for name in names if name in self.tasks)}
</in_progress_results>
<other_results>
{"".join(f'<other_result><name>{name}</name><app_version>1</app_version></other_result>' for name in names)}
</other_results>
{extra}</scheduler_request>
"""

    def talk(self, seconds: float = 0.0, instances: float = 0.0, reports: Tuple[Report, ...] = (),
             held: Optional[List[str]] = None, extra: str = "") -> Reply:
        """A scheduler request and its reply, of which it remembers what it has now."""
        self.sequence += 1
        status, content = self.connection.post("scheduler", self.request(seconds, instances, reports, held,
                                                                         extra).encode())
        if status != 200:
            raise RuntimeError(f"the scheduler answered {status}: {content[:200]!r}")
        reply = parse(content.decode())
        if reply.host is not None:
            self.id, self.sequence = reply.host, 1
        for name in reply.acknowledged + reply.abort:
            self.tasks.pop(name, None)
        self.tasks.update({task.name: task for task in reply.tasks})
        return reply

    def upload(self, task: Task, content: bytes, offset: int = 0, signature: Optional[str] = None,
               size: Optional[int] = None) -> int:
        """Uploads the output of a task. Returns the status of the reply."""
        head = f"""<data_server_request>
<core_client_major_version>7</core_client_major_version>
<file_upload>
<file_info>
<name>{task.output}</name>
<xml_signature>
{task.signature if signature is None else signature}
</xml_signature>
<max_nbytes>{task.most}</max_nbytes>
</file_info>
<nbytes>{len(content) if size is None else size}</nbytes>
<md5_cksum>{hashlib.md5(content).hexdigest()}</md5_cksum>
<offset>{offset}</offset>
<data>
"""
        _, answer = self.connection.post("file_upload_handler", head.encode() + content[offset:])
        found = re.search(rb"<status>(-?\d+)</status>", answer)
        if found is None:
            raise RuntimeError(f"an upload was answered: {answer[:200]!r}")
        return int(found[1])

    def size_at_server(self, task: Task) -> int:
        """How much of its output the server has."""
        _, answer = self.connection.post("file_upload_handler", f"""<data_server_request>
<get_file_size>{task.output}</get_file_size>
</data_server_request>
""".encode())
        found = re.search(rb"<file_size>(\d+)</file_size>", answer)
        if found is None:
            raise RuntimeError(f"the question for a size was answered: {answer[:200]!r}")
        return int(found[1])


def _report(report: Report) -> str:
    return (f"<result><name>{report.name}</name><final_cpu_time>{report.elapsed}</final_cpu_time>"
            f"<final_elapsed_time>{report.elapsed}</final_elapsed_time><exit_status>{report.exit_status}</exit_status>"
            f"<state>{report.state}</state><version_num>1</version_num>\n<stderr_out>\n<![CDATA[\n]]>\n</stderr_out>\n"
            "</result>\n")


_OUTPUT = re.compile(r"<file_info>\n<name>([^<]+)</name>\n<generated_locally/>.*?<max_nbytes>(\d+)</max_nbytes>.*?"
                     r"<xml_signature>\n(\w+)\n</xml_signature>", re.DOTALL)
_RESULT = re.compile(r"<result>\n<name>([^<]+)</name>\n<wu_name>([^<]+)</wu_name>\n<report_deadline>([^<]+)<.*?"
                     r"<file_name>([^<]+)</file_name>\n<open_name>out</open_name>", re.DOTALL)


def parse(text: str) -> Reply:
    """A scheduler's reply."""
    outputs = {name: (int(most), signature) for name, most, signature in _OUTPUT.findall(text)}
    tasks = [Task(name, float(deadline), output, outputs[output][1], outputs[output][0], unit)
             for name, unit, deadline, output in _RESULT.findall(text)]
    host = re.search(r"<hostid>(\d+)</hostid>", text)
    delay = re.search(r"<request_delay>([\d.]+)</request_delay>", text)
    return Reply(text, int(host[1]) if host else None, tasks,
                 re.findall(r"<result_ack>\n<name>([^<]+)<", text), re.findall(r"<result_abort>\n<name>([^<]+)<", text),
                 re.findall(r"<result_abort_if_not_started>\n<name>([^<]+)<", text),
                 re.findall(r"<message[^>]*>([^<]*)<", text), float(delay[1]) if delay else 0.0)


class Figures:
    """What is measured, by all hosts together."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.times: Dict[str, List[float]] = {"scheduler": [], "upload": []}
        self.results = 0
        self.failures = 0

    def timed(self, what: str, started: float) -> None:
        """Something is done that began at a time."""
        with self.lock:
            self.times[what].append(time.perf_counter() - started)

    def line(self, what: str) -> str:
        """The percentiles of something, in milliseconds."""
        times = sorted(self.times[what])
        if not times:
            return f"{what}: none"
        found = [times[min(len(times) - 1, int(len(times) * part))] * 1000 for part in (0.5, 0.95, 0.99)]
        return f"{what}: {len(times)} requests, " + ", ".join(
            f"{percent} % below {value:.1f} ms" for percent, value in zip((50, 95, 99), found))


def play(host: Host, figures: Figures, until: float, at_a_time: int, pause: float) -> None:
    """One host, until a time: as many tasks at a time, and a pause after each round."""
    reports: Tuple[Report, ...] = ()
    while time.perf_counter() < until:
        round_began = time.perf_counter()
        try:
            began = time.perf_counter()
            reply = host.talk(instances=at_a_time, reports=reports)
            figures.timed("scheduler", began)
            with figures.lock:
                figures.results += len(reply.acknowledged)
            for task in reply.tasks:
                began = time.perf_counter()
                # Copies of a unit have the same output.
                if host.upload(task, task.unit.encode() * 20) != 0:
                    figures.failures += 1
                figures.timed("upload", began)
            reports = tuple(Report(task.name) for task in reply.tasks)
        except (OSError, RuntimeError, http.client.HTTPException) as reason:
            figures.failures += 1
            print(f"load: {reason}", file=sys.stderr)
            time.sleep(0.5)
        wait = pause - (time.perf_counter() - round_began)
        if wait > 0:
            time.sleep(wait)
        elif not reports:
            time.sleep(0.1)
    if reports:
        host.talk(reports=reports)
        with figures.lock:
            figures.results += len(reports)


def run(url: str, key: str, hosts: int, seconds: float, at_a_time: int, rate: float) -> Figures:
    """Plays so many hosts for so long."""
    figures = Figures()
    began = time.perf_counter()
    pause = hosts * at_a_time / rate if rate else 0.0
    threads = []
    for number in range(hosts):
        host = Host(url, key, f"load{number}")
        threads.append(threading.Thread(target=play, args=(host, figures, began + seconds, at_a_time, pause)))
        threads[-1].start()
        time.sleep(min(pause, 1.0) / hosts)  # not all at the same time
    for thread in threads:
        thread.join()
    return figures


def ended(folder: str) -> int:
    """How many results of a project have gone through everything."""
    from server.storage import open_store
    config = json.loads((Path(folder) / "config.json").read_text())
    store = open_store(config.get("database", "sqlite:database"), folder)
    with store.snapshot() as look:
        found = look.value("select results from project") - look.value("select count(*) from result")
    store.close()
    return int(found)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("key", help="of the account whose hosts they are")
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--tasks", type=int, default=8, help="tasks that a host has at a time (8)")
    parser.add_argument("--rate", type=float, default=0.0, help="results a second; 0 = as many as possible")
    parser.add_argument("--project", help="its folder")
    options = parser.parse_args()
    before = ended(options.project) if options.project else 0
    began = time.perf_counter()
    figures = run(options.url, options.key, options.hosts, options.seconds, options.tasks, options.rate)
    took = time.perf_counter() - began
    print(f"{figures.results / took:.1f} results a second, {figures.failures} failures")
    if options.project:
        print(f"{(ended(options.project) - before) / took:.1f} results a second have ended their lives")
    print(figures.line("scheduler"))
    print(figures.line("upload"))
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main())
