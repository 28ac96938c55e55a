# SPDX-License-Identifier: MIT
"""What the status page shows is what the database has, however large it is, and it shows nothing that it should not.

The environment variable GRID_WORKER is the path of the program that renders.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from watched import HOSTILE, Watched, unit_of

import load
import postgresql
import vcsched as v
from server.records import names, record
from status import snapshot, wording
from status.pages import HEADERS
from status.snapshot import Observer
from status.story import story
from test_picture import decode

STATUS = Path(snapshot.__file__).parent


@pytest.fixture(name="watched")
def watched_project(tmp_path):
    with Watched(tmp_path / "grid") as watched:
        yield watched


@pytest.fixture(name="served", scope="module")
def served_project(tmp_path_factory):
    """One for all tests that change nothing."""
    with Watched(tmp_path_factory.mktemp("served") / "grid") as watched:
        yield watched


def see(watched, observer=None, now=None):
    """One look."""
    with watched.look() as transaction:
        return (observer or Observer("x")).look(transaction, now or watched.now())


def get(watched, path, method="GET"):
    """The answer to a request: status, headers, body."""
    connection = http.client.HTTPConnection(urlsplit(watched.url).netloc)
    connection.request(method, "/" + path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), body


def get_json(watched, path):
    status, _, body = get(watched, path)
    assert status == 200
    return json.loads(body)


def tell(watched, unit):
    """The story of a unit, as it is at this moment."""
    with watched.look() as look:
        return json.loads(json.dumps(story(look, unit, watched.now()), allow_nan=False))


def states_one_by_one(watched):
    """How many units are in each state, from all units and results."""
    found = dict.fromkeys(("waiting", "under_way", "to_compare", "accepted", "assimilated", "failed"), 0)
    with watched.look() as look:
        for row in look.rows(f"select {', '.join(names(v.Unit))} from unit"):
            unit = record(v.Unit, row)
            results = [record(v.Result, row) for row in look.rows(
                f"select {', '.join(names(v.Result))} from result where unit = ? order by id", (unit.id,))]
            found[wording.unit_state(unit, results)] += 1
    return found


def test_a_project_without_hosts(served):
    found = see(served)
    assert found["units"] == {"waiting": 12, "under_way": 0, "to_compare": 0, "accepted": 0, "assimilated": 0,
                              "failed": 0}
    assert found["project"]["units"] == 12 and found["copies"] == {"unsent": 24, "in_progress": 0}
    assert found["pool"] == {"active": 0, "talking": 0, "silent": 0, "blacklisted": 0, "gone": 0, "power": 0}
    assert found["turnaround"] == {"units": 0, "median": None, "p95": None}
    assert found["window"]["jobs"] == 0 and found["hosts"] == {"rows": [], "more": 0}
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("seed", range(4))
def test_states_are_those_of_all_units_whatever_happens(tmp_path, seed):
    chance = random.Random(seed)
    with Watched(tmp_path / "grid") as watched:
        observer = Observer("x")
        hosts = [watched.host(f"h{number}", cpus=2) for number in range(5)]
        ready = {host: [] for host in hosts}
        seen = set()
        for _ in range(120):
            host = chance.choice(hosts)
            reports = tuple(ready[host])
            ready[host] = []
            host.talk(instances=chance.choice((0, 1, 3)), reports=reports)
            for task in list(host.tasks.values()):
                if chance.random() < 0.6 and task.name not in {report.name for report in ready[host]}:
                    what = chance.random()
                    if what < 0.15:
                        ready[host].append(load.Report(task.name, 3, 1))
                    else:
                        ready[host].append(watched.compute(host, task, "saboteur_1" if what < 0.25 else ""))
            if chance.random() < 0.3:
                watched.work()
            found = see(watched, observer)
            assert found["units"] == states_one_by_one(watched)
            assert sum(found["units"].values()) == 12
            seen |= {name for name, count in found["units"].items() if count}
        assert seen >= {"waiting", "under_way", "to_compare", "assimilated"}
        with watched.look() as look:
            received = look.value("select count(*) from history where event = 'received'")
            assimilated = look.value("select count(*) from history where event = 'assimilated'")
        assert sum(found["throughput"]["results"]) == received > 0
        assert sum(found["throughput"]["units"]) == assimilated == found["turnaround"]["units"]
        # Who begins to look now sees the same.
        assert see(watched)["throughput"]["results"] == found["throughput"]["results"]
        assert see(watched)["turnaround"] == found["turnaround"]


def test_both_kinds_of_database_show_the_same(tmp_path):
    if not postgresql.installed():
        pytest.skip(postgresql.WHY_NOT)
    seen = []
    with postgresql.Cluster() as cluster:
        for database in ("sqlite:database", cluster.url):
            with Watched(tmp_path / str(len(seen)), {"database": database}) as watched:
                hosts = [watched.host(name, cpus=2) for name in ("castor", "pollux", "liar")]
                for host in hosts:
                    host.talk(instances=2)
                    task = min(host.tasks.values(), key=unit_of)
                    host.talk(instances=1, reports=(
                        watched.compute(host, task, "saboteur_1" if host.name == "liar" else ""),))
                    watched.work()
                found = see(watched, Observer("x", watched.project.work.canvas))
                told = tell(watched, 1)
                assert found["units"] == states_one_by_one(watched)
                found = {name: found[name] for name in ("units", "copies", "picture", "project")}
                found["said"] = [event["what"] for event in told["history"]], told["text"], told["because"]
                seen.append(json.loads(json.dumps(found)))
    assert seen[0] == seen[1]
    assert seen[0]["units"]["assimilated"] == 1


def test_a_unit_that_fails_is_counted_once(watched):
    with watched.look() as look:
        row = look.row(f"select {', '.join(names(v.Unit))} from unit where id = 1")
    failed = record(v.Unit, row)
    hosts = [watched.host(f"h{number}") for number in range(failed.max_error + 1)]
    for host in hosts:
        host.talk(instances=1)
        task = next(task for task in host.tasks.values())
        while unit_of(task) != 1:
            host.talk(instances=1)
            task = next(task for task in host.tasks.values() if unit_of(task) == 1)
        host.talk(reports=(load.Report(task.name, 3, 1),))
        watched.work()
    found = see(watched, Observer("x", watched.project.work.canvas))
    assert found["units"]["failed"] == 1 and found["units"] == states_one_by_one(watched)
    assert found["picture"]["tiles"][0] == "2"
    told = get_json(watched, "status/unit/1")
    assert told["text"] == "It has failed: too many errors."
    assert [result["state"] for result in told["results"]].count("error on the host") == failed.max_error + 1


def test_hosts_are_judged_by_what_they_have(watched):
    castor, pollux = watched.host("castor", 2, 3e9), watched.host("pollux", 1, 1e9)
    castor.talk(instances=2)
    pollux.talk()
    now = watched.now()
    found = see(watched, now=now)
    assert (found["pool"]["active"], found["pool"]["talking"], found["pool"]["power"]) == (2, 2, 7e9)
    rows = {row["name"]: row for row in found["hosts"]["rows"]}
    assert (rows["castor"]["copies"], rows["castor"]["cpus"], rows["castor"]["speed"]) == (2, 2, 6e9)
    assert rows["castor"]["quota_left"] == rows["castor"]["quota"] - 2
    assert rows["pollux"]["liveness"] == "active" and rows["pollux"]["copies"] == 0
    # A host that has copies may be silent as long as it may take for them, a day here; others as long as an average
    # copy may take.
    found = see(watched, now=now + 86000)
    assert {row["name"]: row["liveness"] for row in found["hosts"]["rows"]} == {"castor": "active", "pollux": "active"}
    assert found["pool"]["talking"] == 0
    found = see(watched, now=now + 87000)
    assert {row["name"]: row["liveness"] for row in found["hosts"]["rows"]} == {"castor": "silent", "pollux": "silent"}
    assert (found["pool"]["active"], found["pool"]["silent"], found["pool"]["power"]) == (0, 2, 0)
    # After a week they are not looked at any more.
    found = see(watched, now=now + snapshot.RECENT + 1)
    assert found["pool"]["gone"] == 2 and found["hosts"] == {"rows": [], "more": 2}


def test_the_window_reaches_from_the_oldest_to_the_newest(watched):
    hosts = [watched.host(f"h{number}", cpus=4) for number in range(2)]
    for host in hosts:
        host.talk(instances=4)
    now = watched.now()
    held = sorted({unit_of(task) for host in hosts for task in host.tasks.values()})
    found = see(watched, now=now + 50)["window"]
    assert (found["jobs"], found["oldest"], found["newest"]) == (8, held[0], held[-1])
    assert found["bytes"] == 8 * 16 * 16 * 3
    assert 50 <= found["seconds"] < 50 + 60 and found["duplicates"] == 0


def test_a_copy_beyond_the_quorum_is_a_duplicate():
    hosts = [snapshot._Host(number, "h", "", "", 1, 1e9, 20.0, 0.0, 0, 0, 0, 0, 0.0, 1, 1, 0)
             for number in (1, 2, 3, 9)]
    copies = [snapshot._Copy(unit, host, 10.0, 100.0, 5.0 + unit, quorum, 100, False)
              for unit, host, quorum in ((1, 1, 2), (1, 2, 2), (1, 3, 2), (2, 1, 2), (7, 9, 1), (7, 2, 1))]
    summary, _ = snapshot._survey(hosts, copies, 30.0)
    assert snapshot._window(copies, summary, 30.0) == {
        "jobs": 4, "duplicates": 2, "bytes": 400.0, "oldest": 1, "newest": 7, "seconds": 20.0}


@pytest.mark.parametrize("speed", [float("inf"), -1.0, 1e300])
def test_what_a_host_says_of_its_speed_cannot_spoil_the_page(watched, speed):
    watched.host("castor").talk(instances=1)
    with watched.project.store.transaction("test") as transaction:
        transaction.run("update host set flops = ?", (speed,))
    found = see(watched)
    json.dumps(found, allow_nan=False)
    assert found["pool"]["power"] == 0 and found["pool"]["active"] == 1
    assert snapshot._sound(float("nan")) == 0


class History:
    """A history, as far as rates need it: rows of (id, unit, time, event)."""

    def __init__(self):
        self.rows_ = []
        self.read = 0

    def add(self, count, moment, event="received"):
        for _ in range(count):
            self.rows_.append((len(self.rows_) + 1, len(self.rows_) + 1, moment, event))

    def value(self, _sql):
        return len(self.rows_)

    def rows(self, sql, arguments):
        if "from history" in sql:
            first, last = arguments
            found = [row for row in self.rows_ if first < row[0] <= last]
            self.read += len(found)
            return found
        return [(float(unit),) for unit in sorted(arguments)]


def test_rates_are_counted_in_bars_and_by_the_second():
    history, rates = History(), snapshot.Rates()
    history.add(30, 1000.0)
    history.add(10, 1012.0)
    rates.read(history, 1015.0)
    history.add(20, 1019.9)
    rates.read(history, 1020.0)
    found = rates.throughput(1020.0)
    assert found["results"][-3:] == [30, 30, 0] and sum(found["results"]) == 60 and found["end"] == 1030.0
    # The last six full bars, and nothing yet of the present one.
    assert found["results_per_second"] == 1.0
    assert rates.throughput(1025.0)["results_per_second"] == pytest.approx(60 / 65)
    rates.read(history, 1000.0 + snapshot.BUCKET * snapshot.BUCKETS)
    assert sum(rates.throughput(1000.0 + snapshot.BUCKET * snapshot.BUCKETS)["results"]) == 30


def test_a_line_that_was_committed_late_is_counted_once():
    history, rates = History(), snapshot.Rates()
    history.add(50, 1000.0)
    late = history.rows_.pop(20)
    rates.read(history, 1000.0)
    history.rows_.insert(20, late)
    history.add(5, 1001.0)
    for _ in range(3):
        rates.read(history, 1001.0)
    assert sum(rates.throughput(1001.0)["results"]) == 55


def test_a_look_reads_what_is_new_however_long_the_history_is():
    history, rates = History(), snapshot.Rates()
    history.add(200000, 1000.0)
    rates.read(history, 1000.0)
    assert history.read == snapshot.FIRST_READ
    history.add(10, 1001.0)
    rates.read(history, 1001.0)
    assert history.read <= snapshot.FIRST_READ + snapshot.READ_AGAIN + 10


def test_turnaround_by_hand():
    history, rates = History(), snapshot.Rates()
    assert rates.turnaround() == {"units": 0, "median": None, "p95": None}
    history.add(20, 1000.0, "assimilated")  # they took 1 s, 2 s, ... 20 s
    rates.read(history, 1000.0)
    assert rates.turnaround() == {"units": 20, "median": 10.0, "p95": 19.0}


def test_no_query_goes_through_a_whole_table(watched):
    host = watched.host(cpus=4)
    host.talk(instances=4)
    host.talk(reports=tuple(watched.compute(host, task) for task in list(host.tasks.values())[:2]))
    watched.work()
    plans = []

    class Spy:
        """Looks, and asks the database how it does that."""

        def __init__(self, look):
            self._look = look

        def rows(self, sql, arguments=()):
            plans.extend((sql, row[3]) for row in self._look.rows(f"explain query plan {sql}", arguments))
            return self._look.rows(sql, arguments)

        def row(self, sql, arguments=()):
            return (self.rows(sql, arguments) or [None])[0]

        def value(self, sql, arguments=()):
            return self.row(sql, arguments)[0]

    with watched.look() as look:
        Observer("x", watched.project.work.canvas).look(Spy(look), watched.now())
        story(Spy(look), 1, watched.now())
    assert len(plans) > 12
    whole = [(sql, plan) for sql, plan in plans if re.match(r"SCAN (unit|result|history)\b(?!.*USING)", plan)]
    assert whole == []


def test_only_the_hosts_that_were_heard_from_last_are_in_the_table(watched):
    watched.host("last").talk()
    with watched.project.store.transaction("test") as transaction:
        columns = [row[1] for row in transaction.rows("pragma table_info(host)") if row[1] != "id"]
        row = transaction.row(f"select {', '.join(columns)} from host")
        for number in range(snapshot.MOST_HOSTS + 49):
            held = dict(zip(columns, row))
            held.update(name=f"n{number}", last_request=held["last_request"] - 1 - number)
            transaction.insert("host", held)
    found = see(watched)
    assert found["pool"]["active"] == snapshot.MOST_HOSTS + 50
    assert found["hosts"]["more"] == 50
    assert [row["name"] for row in found["hosts"]["rows"][:2]] == ["last", "n0"]
    assert len(found["hosts"]["rows"]) == snapshot.MOST_HOSTS


def test_the_story_of_a_unit_says_why_it_is_where_it_is(watched):
    hosts = [watched.host("castor"), watched.host("pollux"), watched.host("liar")]
    assert tell(watched, 1)["text"] == "2 copies waiting for a host; 2 equal results are needed."
    for host in hosts[:2]:
        host.talk(instances=1)
    assert tell(watched, 1)["text"] == "2 copies with hosts; 2 equal results are needed."
    task = next(iter(hosts[0].tasks.values()))
    assert unit_of(task) == 1
    hosts[0].talk(reports=(watched.compute(hosts[0], task),))
    told = tell(watched, 1)
    assert told["text"] == "1 copy with hosts, 1 result here; 2 equal results are needed."
    assert told["because"] == [v.reason_sentence(v.REASON_REPORTED_SUCCESS)]
    task = next(iter(hosts[1].tasks.values()))
    hosts[1].talk(reports=(watched.compute(hosts[1], task, "saboteur_1"),))
    told = tell(watched, 1)
    assert told["state"] == "to_compare"
    assert told["text"] == "2 results came in and will be compared; 2 equal results are needed."
    watched.work()
    told = tell(watched, 1)
    assert told["text"] == "1 copy waiting for a host, 2 results here; 2 equal results are needed."
    hosts[2].talk(instances=1)
    task = next(task for task in hosts[2].tasks.values() if unit_of(task) == 1)
    hosts[2].talk(reports=(watched.compute(hosts[2], task),))
    watched.work()
    told = tell(watched, 1)
    assert (told["state"], told["text"]) == ("assimilated", "It is done: its result has been taken over.")
    assert [(result["host_name"], result["state"], result["canonical"], result["wrong"], result["credited"])
            for result in told["results"]] == [
        ("castor", "valid", True, False, True), ("pollux", "invalid", False, True, False),
        ("liar", "valid", False, False, True)]
    happened = [event["what"] for event in told["history"]]
    assert happened[0] == "the unit was made" and "results were compared" in happened
    reasons = {why["reason"] for event in told["history"] for why in event["why"]}
    assert {v.reason_sentence(reason) for reason in (
        v.REASON_UNIT_CREATED, v.REASON_SENT, v.REASON_NO_CONSENSUS, v.REASON_CANONICAL, v.REASON_DIFFERS,
        v.REASON_ASSIMILATED)} <= reasons
    assert "" not in reasons


def test_there_are_words_for_everything_that_can_happen():
    for kind in v.UnitEventKind:
        assert wording.event_text(kind.name.lower()) != kind.name.lower().replace("_", " ")
    for field, held in wording._NAMES.items():
        assert all(wording.value_text(wording.Change(1, field, value, 0)) == text for value, text in held.items())
    for mask in range(1, 64):
        assert wording.failure_text(mask)


def test_the_latest_changes_leave_out_what_says_nothing(watched):
    host = watched.host()
    host.talk(instances=1)
    found = see(watched)["changes"]
    assert found[0]["what"] == "a copy was sent" and found[0]["unit"] == 1
    assert found[0]["reasons"] == [v.reason_sentence(v.REASON_SENT)]
    assert len(found) <= snapshot.MOST_CHANGES
    assert all(change["reasons"] for change in found)


# ---- Pages ----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("path, kind", [
    ("status/", "text/html; charset=utf-8"), ("status/page.css", "text/css; charset=utf-8"),
    ("status/page.js", "text/javascript; charset=utf-8"), ("status/snapshot", "application/json"),
    ("status/unit/1", "application/json"), ("status/picture", "image/png"),
])
def test_pages_are_served_and_nothing_may_come_from_elsewhere(served, path, kind):
    status, headers, body = get(served, path)
    assert (status, headers["Content-Type"]) == (200, kind) and body
    assert headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert get(served, path, "HEAD")[::2] == (200, b"")
    assert get(served, path, "POST")[0] == 405


@pytest.mark.parametrize("path", [
    "status/unit/13", "status/unit/", "status/unit/x", "status/unit/-1", "status/unit/1/2", "status/unit/" + "9" * 16,
    "status/unit/%C2%B2", "status/tile/0", "status/tile/12", "status/tile/x", "status/pages.py",
    "status/../keys/upload", "status/%2e%2e/server/web.py", "status/page.html",
])
def test_there_is_nothing_else(served, path):
    assert get(served, path)[0] == 404


def test_the_page_is_found_without_its_slash(served):
    status, headers, _ = get(served, "status")
    assert (status, headers["Location"]) == (302, "status/")


def test_the_page_is_found_below_a_path(tmp_path):
    with Watched(tmp_path / "grid", {"url": "http://127.0.0.1/status/project/"}) as watched:
        assert get(watched, "status/project/status/page.js")[0] == 200
        assert get_json(watched, "status/project/status/unit/3")["id"] == 3


def test_the_page_needs_nothing_from_elsewhere():
    for name in ("page.html", "page.css", "page.js"):
        text = (STATUS / name).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//\w+\.|url\(|@import|import\(|\bimport\b|XMLHttpRequest|WebSocket", text)
    script = (STATUS / "page.js").read_text(encoding="utf-8")
    # Text of others cannot become markup where none of these is used.
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc", script)


def test_the_picture_and_its_tiles(watched):
    hosts = [watched.host("castor"), watched.host("pollux")]
    for host in hosts:
        host.talk(instances=1)
        host.talk(reports=tuple(watched.compute(host, task) for task in host.tasks.values()))
    assert get(watched, "status/tile/0")[0] == 404
    empty = get(watched, "status/picture")[2]
    watched.work()
    assert decode(get(watched, "status/tile/0")[2]) == (16, 16, watched.tile(1))
    found = get(watched, "status/picture")[2]
    assert decode(found)[:2] == (64, 48) and found != empty
    shown = see(watched, Observer("x", watched.project.work.canvas))["picture"]
    assert shown["tiles"] == "1" + "0" * 11 and shown["scale"] == 1


def test_names_of_hosts_are_data(watched):
    watched.host(HOSTILE).talk(instances=1)
    assert get_json(watched, "status/snapshot")["hosts"]["rows"][0]["name"] == HOSTILE
    assert get_json(watched, "status/unit/1")["results"][0]["host_name"] == HOSTILE
    assert get_json(watched, "status/snapshot")["project"]["name"] == "Tiles <b>& more</b>"


def test_events_are_streamed_and_a_viewer_who_leaves_is_forgotten(watched):
    connection = http.client.HTTPConnection(urlsplit(watched.url).netloc)
    connection.request("GET", "/" + "status/stream")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream")
    names_seen = set()
    while "trouble" not in names_seen:
        line = answer.readline().decode()
        if line.startswith("event: "):
            names_seen.add(line.split()[1])
    assert names_seen >= {"project", "time", "pool", "units", "hosts", "throughput", "picture", "changes"}
    status = watched.status
    assert status.feed.viewers == 1
    answer.close()
    connection.close()
    while status.feed.viewers:
        time.sleep(0.05)


def test_with_too_many_viewers_the_page_still_tells(watched, monkeypatch):
    status = watched.status
    monkeypatch.setattr(status.feed, "_most_viewers", 0)
    assert get(watched, "status/stream")[0] == 503
    assert get_json(watched, "status/snapshot")["project"]["units"] == 12


def test_the_story_of_a_unit_is_read_once_for_many(watched, monkeypatch):
    calls = []
    monkeypatch.setattr("status.pages.story", lambda look, number, now: calls.append(number) or {"id": number})
    threads = [threading.Thread(target=get, args=(watched, "status/unit/5")) for _ in range(8)]
    monkeypatch.setattr("status.pages.time.monotonic", lambda: 1000.0)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [5]
