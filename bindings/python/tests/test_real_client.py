# SPDX-License-Identifier: MIT
"""A running BOINC client is asked, and its plan compared with what it does. Nothing is installed for that."""

from __future__ import annotations

import http.server
import json
import random
import threading
import time

import pytest

from conftest import BUILD, read_state
from real_client import BOINC, CPUS, PASSWORD, PLATFORM, WHY_NOT, Nap, Naps, RealClient

pytestmark = pytest.mark.skipif(BOINC is None, reason=WHY_NOT)
needs_build = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

ROOMY = [Nap(1, 400), Nap(2, 300), Nap(3, 200), Nap(4, 100)]
TIGHT = [*ROOMY[:3], Nap(4, 4.5)]
"""The last would be late in the order in which they came."""
NO_LIMIT = "<app_config>\n</app_config>"
APP_LIMIT = "<app_config><app><name>nap</name><max_concurrent>{}</max_concurrent></app></app_config>"
PROJECT_LIMIT = "<app_config><project_max_concurrent>{}</project_max_concurrent></app_config>"


def at(client):
    return f"127.0.0.1:{client.port}"


def plan_of(run, client):
    target = client.folder / "state.ini"
    outcome = run("import", "--live", at(client), "--data-dir", client.folder, "-o", target)
    assert outcome.status == 0, outcome.messages
    return json.loads(run("plan", target, "--json").output)


def test_a_real_client_is_asked(run, tmp_path):
    with RealClient(tmp_path, Naps(ROOMY, APP_LIMIT.format(1))) as client:
        running = client.chosen()
        outcome = run("import", "--live", at(client), "--data-dir", tmp_path)
        (tmp_path / "password").write_text(PASSWORD)
        alone = run("import", "--live", at(client), "--password-file", tmp_path / "password")
        (tmp_path / "password").write_text("whelk")
        wrong = run("import", "--live", at(client), "--password-file", tmp_path / "password")
    assert (outcome.status, alone.status, wrong.status) == (0, 0, 1)
    assert wrong.messages.endswith(": the password is wrong\n")
    for output in (outcome.output, alone.output):
        found = read_state(output)
        assert int(found["host"]["cpus"]) == CPUS
        assert dict(found["app Naps 0/nap"]) == {"max_concurrent": "1"}
        tasks = {name[len("task "):]: found[name] for name in found.sections() if name.startswith("task ")}
        assert len(tasks) == len(ROOMY)
        assert {name for name, task in tasks.items() if task.getboolean("running", fallback=False)} == running


@needs_build
@pytest.mark.parametrize("naps, expected", [
    (Naps(ROOMY), {"nap0_0", "nap1_0"}),
    (Naps(TIGHT), {"nap0_0", "nap3_0"}),
    (Naps(ROOMY, APP_LIMIT.format(1)), {"nap0_0"}),
], ids=["in turn", "one is late", "a limit"])
def test_the_plan_is_what_a_real_client_does(run, tmp_path, naps, expected):
    with RealClient(tmp_path, naps) as client:
        assert client.chosen() == expected
        plan = plan_of(run, client)
    assert {task["name"] for task in plan["tasks"] if task["run"]} == expected
    assert {task["name"] for task in plan["tasks"] if task["deadline_miss"]} <= expected


def before_anything_ran(path):
    """Makes a state what it was when the client first decided: no slice keeps what that decision chose, and nobody
    has been asked yet."""
    keys = ("started", "running", "running_since", "since_checkpoint", "elapsed", "fraction_done", "was_late",
            "min_rpc_time", "rpc_failures", "wait")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if line.partition(" = ")[0] not in keys))


def random_nap(draw, due, of_gpus):
    hours, due = draw.uniform(0.2, 8), draw.uniform(*due)
    return Nap(hours, due, draw.choice([0.1, 0.2, 1]), draw.choice([0.5, 1])) if of_gpus else Nap(hours, due)


@needs_build
@pytest.mark.parametrize("gpus", [0, 1, 2], ids=["no GPU", "a GPU", "two GPUs"])
@pytest.mark.parametrize("seed", range(8))
def test_a_plan_from_scratch_is_what_a_real_client_decides_first(run, tmp_path, seed, gpus):
    """Some projects of any share and past, some with a limit, and no deadline that is near."""
    draw = random.Random(seed)
    projects = [Naps([random_nap(draw, (2000, 5000), gpus and draw.random() < 0.4) for _ in range(draw.randint(1, 10))],
                     NO_LIMIT if gpus else draw.choice([NO_LIMIT, APP_LIMIT, PROJECT_LIMIT]).format(draw.randint(1, 3)),
                     draw.choice([50, 100, 300]), draw.uniform(0, 3000)) for _ in range(draw.randint(2, 4))]
    with RealClient(tmp_path, *projects, cpus=draw.choice([2, 4, 8] if gpus else [1, 2, 4, 8]), gpus=gpus) as client:
        expected = client.chosen()
        plan_of(run, client)
    before_anything_ran(tmp_path / "state.ini")
    plan = json.loads(run("plan", tmp_path / "state.ini", "--json").output)
    assert {task["name"] for task in plan["tasks"] if task["run"]} == expected


@needs_build
@pytest.mark.parametrize("seed", range(12))
def test_whom_a_real_client_asks_for_how_much(run, tmp_path, seed):
    """All that is missing. How much that is depends on the order in which the client's heap has several projects. Of
    how many instances is not compared: the client counts waiting tasks as a use of the project's share too."""
    draw = random.Random(seed)
    projects = [Naps([random_nap(draw, (2000, 5000), False) for _ in range(draw.randint(1, 10))],
                     share=draw.choice([50, 100, 300]), rec=draw.uniform(0, 3000))
                for _ in range(draw.randint(1, 4))]
    cpus, buffer = draw.choice([1, 2, 4, 8]), draw.choice([0.2, 0.5, 1, 2])
    with RealClient(tmp_path, *projects, cpus=cpus, buffer=buffer, asks=True) as client:
        name, seconds = client.asked()
        plan_of(run, client)
    before_anything_ran(tmp_path / "state.ini")
    plan = json.loads(run("plan", tmp_path / "state.ini", "--json").output)
    assert plan["fetch"]["project"] == name
    requests = {project["name"]: project["resources"][0]["request_seconds"] for project in plan["projects"]}
    assert requests.get(name, 0) == (plan["resources"][0]["shortfall"] if name else 0)
    if cpus == 1 or len(projects) == 1:
        assert requests.get(name, 0) == pytest.approx(seconds, rel=0.01)


STALLED = """<file><name>later</name><nbytes>9</nbytes><max_nbytes>0</max_nbytes><status>0</status>
<download_url>http://127.0.0.1:9/later</download_url><persistent_file_xfer><num_retries>3</num_retries>
<first_request_time>{0}</first_request_time><next_request_time>{0}</next_request_time><time_so_far>1</time_so_far>
<last_bytes_xferred>0</last_bytes_xferred><is_upload>0</is_upload></persistent_file_xfer></file>
<workunit><name>late</name><app_name>nap</app_name><version_num>1</version_num><rsc_fpops_est>1e12</rsc_fpops_est>
<rsc_fpops_bound>1e18</rsc_fpops_bound><file_ref><file_name>later</file_name></file_ref></workunit>
<result><name>late_0</name><wu_name>late</wu_name><report_deadline>4e9</report_deadline><platform>{1}</platform>
<version_num>1</version_num><state>1</state></result>"""


@needs_build
@pytest.mark.parametrize("projects, reason", [
    ([Naps([Nap(1, 900), Nap(1, 900, more="<suspended_via_gui/>")])], "task_by_user"),
    ([Naps([Nap(1, 900)], late=STALLED.format(time.time() + 9000, PLATFORM))], "download_stalled"),
], ids=["a suspended task", "a stalled download"])
def test_whom_a_real_client_does_not_ask(run, tmp_path, projects, reason):
    with RealClient(tmp_path, *projects, cpus=4, buffer=1, asks=True) as client:
        name, _ = client.asked()
        plan_of(run, client)
    assert name is None
    run("import", tmp_path / "client_state.xml", "-o", tmp_path / "state.ini")
    plan = json.loads(run("plan", tmp_path / "state.ini", "--json").output)
    assert plan["projects"][-1]["resources"][0]["reason"] == reason


class Full(http.server.BaseHTTPRequestHandler):
    """A scheduler for which the host has enough jobs in progress. The client writes its project's name as it is."""

    def do_POST(self):
        """Answers every request alike."""
        self.rfile.read(int(self.headers["Content-Length"]))
        reply = (f'<scheduler_reply><scheduler_version>720</scheduler_version><project_name>Naps &amp; co'
                 f'</project_name><message priority="low">{FULL}</message>'
                 "<request_delay>600</request_delay></scheduler_reply>").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_unused):
        """Says nothing."""


FULL = "This computer has reached a limit on tasks in progress"


@needs_build
def test_a_real_client_tells_the_limit_of_a_server(run, tmp_path):
    with http.server.HTTPServer(("127.0.0.1", 0), Full) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        naps = Naps([Nap(1, 900)], scheduler=f"http://127.0.0.1:{server.server_address[1]}/cgi")
        with RealClient(tmp_path, naps, asks=True) as client:
            client.told(FULL)
            output = run("watch", at(client), "--once").output
        server.shutdown()
    assert "as many of its jobs in progress as its server allows" in output.splitlines()[-2]


@needs_build
@pytest.mark.parametrize("seed", range(8))
def test_late_tasks_are_those_that_a_real_client_expects(run, tmp_path, seed):
    """One project, so that the client's order of projects does not matter. It does not ask which tasks can be saved."""
    draw = random.Random(seed)
    naps = [random_nap(draw, draw.choice([(1, 4), (4, 20), (100, 200)]), False) for _ in range(draw.randint(2, 12))]
    with RealClient(tmp_path, Naps(naps), cpus=draw.choice([1, 2, 4])) as client:
        expected = client.chosen()
        late = client.late()
        plan_of(run, client)
    before_anything_ran(tmp_path / "state.ini")
    text = (tmp_path / "state.ini").read_text()
    (tmp_path / "state.ini").write_text(text.replace("[client]\n", "[client]\nsave_first = no\n"))
    plan = json.loads(run("plan", tmp_path / "state.ini", "--json").output)
    assert {task["name"] for task in plan["tasks"] if task["deadline_miss"]} == late
    assert {task["name"] for task in plan["tasks"] if task["run"]} == expected
