# SPDX-License-Identifier: MIT
"""What a server answers, and what becomes of it: hosts that are played, and a server that is real."""

from __future__ import annotations

from typing import Any, Iterator, List

import pytest

from countdown import right
from running import BUILD, Grid, until

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")

DONE, FAILED, ABORTED = 5, 3, 6
EXIT_ABORTED_BY_USER = 203


@pytest.fixture(name="made")
def fixture_made(tmp_path: Any) -> Iterator[Any]:
    """Makes a grid that runs."""
    grids: List[Grid] = []

    def made(settings: Any = (), **options: Any) -> Grid:
        grids.append(Grid(tmp_path, settings=settings, **options))
        grids[-1].start()
        until(lambda: grids[-1].value("select count(*) from result where server_state = 1"), "work is there")
        return grids[-1]

    yield made
    for grid in grids:
        grid.__exit__()


def answer(task: Any) -> bytes:
    """What a host finds that computes."""
    return f"{right(number(task))}\n".encode()


def number(task: Any) -> int:
    return int(task.unit.split("_")[1])


def finish(host: Any, tasks: Any = None, content: Any = answer, **more: Any) -> Any:
    """A host uploads the outputs of its tasks, and reports them."""
    tasks = list(host.tasks.values()) if tasks is None else tasks
    for task in tasks:
        assert host.upload(task, content(task)) == 0
    return host.talk(reports=tuple(load.Report(task.name, DONE) for task in tasks), **more)


def test_a_unit_lives_and_nothing_of_it_stays(made: Any) -> None:
    grid = made(units=5)
    ann, bob = load.Host(grid.url, grid.key, "ann"), load.Host(grid.url, grid.account("bob@example.org"), "bob")
    assert len(ann.talk(seconds=1e4).tasks) == 5
    assert ann.id and not finish(ann).messages
    assert len(bob.talk(seconds=1e4).tasks) == 5
    finish(bob)
    until(lambda: not grid.value("select count(*) from unit"), "all units are purged")
    assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, 6)}
    assert grid.files() == []
    assert grid.sql("select units, results, accepted, failed from project") == [(5, 10, 5, 0)]
    assert grid.value("select count(*) from result") == grid.value("select count(*) from history") == 0
    credit = grid.sql("select credit from account order by id")
    assert credit[0] == credit[1] and credit[0][0] > 0
    assert grid.sql("select credit from host order by id") == credit


def test_a_host_gets_one_copy_of_a_unit(made: Any) -> None:
    grid = made(units=3)
    ann = load.Host(grid.url, grid.key, "ann")
    assert sorted(number(task) for task in ann.talk(seconds=1e4).tasks) == [1, 2, 3]
    reply = ann.talk(seconds=1e4)
    assert reply.tasks == [] and reply.messages == ["No tasks are available."]


def test_a_lost_reply_is_sent_again(made: Any) -> None:
    grid = made(units=4)
    ann = load.Host(grid.url, grid.key, "ann")
    first = ann.talk(instances=2).tasks
    ann.tasks.clear()
    again = ann.talk().tasks
    assert [(task.name, task.deadline) for task in again] == [(task.name, task.deadline) for task in first]
    assert len(again) == 2 and again == first
    assert ann.talk().tasks == []


def test_wrong_results_win_nothing(made: Any) -> None:
    grid = made(units=4)
    ann, bob, eve = [load.Host(grid.url, grid.key, name) for name in ("ann", "bob", "eve")]
    eve.talk(seconds=1e4)
    finish(eve, content=lambda task: b"0\n")
    ann.talk(seconds=1e4)
    finish(ann)
    until(lambda: grid.value("select count(*) from result where server_state = 1") == 4, "further copies are made")
    bob.talk(seconds=1e4)
    finish(bob)
    until(lambda: not grid.value("select count(*) from unit"), "all units are purged")
    assert grid.assimilated() == {unit: [right(unit)] for unit in range(1, 5)}
    assert [credit > 0 for credit, in grid.sql("select credit from host order by name")] == [True, True, False]


def test_an_error_and_an_abort_make_further_copies(made: Any) -> None:
    grid = made(units=1)
    ann, bob, cid, dan = [load.Host(grid.url, grid.key, name) for name in ("ann", "bob", "cid", "dan")]
    task, = ann.talk(seconds=1e4).tasks
    ann.talk(reports=(load.Report(task.name, FAILED, 1),))
    task, = bob.talk(seconds=1e4).tasks
    bob.talk(reports=(load.Report(task.name, ABORTED, EXIT_ABORTED_BY_USER),))
    assert [row[0] for row in grid.sql("select outcome from result where host <> 0 order by id")] == [3, 4]
    for host in (cid, dan):
        assert len(host.talk(seconds=1e4).tasks) == 1
        finish(host)
    until(lambda: not grid.value("select count(*) from unit"), "the unit is purged")
    assert grid.assimilated() == {1: [right(1)]}


def test_a_unit_with_too_many_errors_fails(made: Any) -> None:
    grid = made(units=1, max_error=1)
    for name in ("ann", "bob"):
        host = load.Host(grid.url, grid.key, name)
        task, = host.talk(seconds=1e4).tasks
        host.talk(reports=(load.Report(task.name, FAILED, 1),))
    until(lambda: not grid.value("select count(*) from unit"), "the unit is purged")
    assert grid.assimilated() == {1: [None]}
    assert grid.sql("select accepted, failed, credit from project") == [(0, 1, 0)]
    assert grid.files() == []


def test_a_missed_deadline_makes_another_copy_and_a_late_report_still_counts(made: Any) -> None:
    grid = made(units=1, delay_bound=2, flops=1e6)
    ann, bob = [load.Host(grid.url, grid.key, name) for name in ("ann", "bob")]
    ann.talk(seconds=1e4)
    until(lambda: grid.value("select count(*) from result") == 3, "a third copy is made")
    finish(ann)
    assert grid.value("select outcome from result where host <> 0") == 1
    bob.talk(seconds=1e4)
    finish(bob)
    until(lambda: not grid.value("select count(*) from unit"), "the unit is purged")
    assert grid.assimilated() == {1: [right(1)]}
    assert all(credit > 0 for credit, in grid.sql("select credit from host"))


def test_what_is_not_needed_is_aborted(made: Any) -> None:
    grid = made(settings=["purge_delay=1000"], units=1, target_nresults=3)
    ann, bob, cid = [load.Host(grid.url, grid.key, name) for name in ("ann", "bob", "cid")]
    for host in (ann, bob, cid):
        assert len(host.talk(seconds=1e4).tasks) == 1
    finish(ann)
    finish(bob)
    until(grid.assimilated, "the unit is assimilated")
    reply = cid.talk()
    assert (reply.abort, reply.abort_if_not_started) == ([], list(cid.tasks))
    finish(cid)
    until(lambda: grid.value("select credit from host where name = 'cid'") > 0, "a late one is right, too")
    assert sorted(cid.talk(held=["squares_77_1", "nonsense"]).abort) == ["nonsense", "squares_77_1"]


def test_results_that_nobody_knows_are_acknowledged(made: Any) -> None:
    grid = made(units=1)
    ann = load.Host(grid.url, grid.key, "ann")
    names = ["squares_1_1", "squares_99_1", "whatever", "squares_1_999", "other_1_1"]
    assert ann.talk(reports=tuple(load.Report(name) for name in names)).acknowledged == names
    assert grid.value("select count(*) from result where received <> 0") == 0


def test_a_host_that_left_and_came_back_is_the_same(made: Any) -> None:
    grid = made(units=2)
    ann = load.Host(grid.url, grid.key, "ann")
    first = ann.talk(seconds=1e4).tasks
    back = load.Host(grid.url, grid.key, "ann")
    assert back.talk().host == ann.id
    assert [row[0] for row in grid.sql("select outcome from result where host <> 0")] == [7, 7]
    assert len(first) == 2 and grid.value("select count(*) from host") == 1
    until(lambda: grid.value("select count(*) from result where server_state = 1") == 4, "further copies are made")
    again = back.talk(seconds=1e4).tasks
    assert {task.name.rpartition("_")[0] for task in again} == {task.name.rpartition("_")[0] for task in first}


def test_an_old_copy_of_a_client_goes_on_as_another_host(made: Any) -> None:
    grid = made(units=2)
    ann = load.Host(grid.url, grid.key, "ann")
    ann.talk()
    task, _ = ann.talk(seconds=1e4).tasks
    old, first = dict(ann.tasks), ann.id
    ann.talk()
    ann.sequence, ann.tasks = 1, old
    assert ann.talk().host not in (None, first)
    # What it has it may finish: it is the same account.
    finish(ann, [task])
    assert grid.sql("select host, outcome from result where received <> 0") == [(first, 1)]


def test_a_report_counts_once(made: Any) -> None:
    grid = made(units=1)
    ann, bob = [load.Host(grid.url, grid.key, name) for name in ("ann", "bob")]
    task, = ann.talk(seconds=1e4).tasks
    finish(ann, [task])
    for _ in range(3):
        assert ann.talk(reports=(load.Report(task.name),)).acknowledged == [task.name]
    bob.talk(seconds=1e4)
    finish(bob)
    until(lambda: not grid.value("select count(*) from unit"), "the unit is purged")
    assert ann.talk(reports=(load.Report(task.name),)).acknowledged == [task.name]
    first, second = grid.sql("select credit from host order by id")
    assert first == second


def test_nobody_reports_for_another_account(made: Any) -> None:
    grid = made(units=1)
    ann = load.Host(grid.url, grid.key, "ann")
    eve = load.Host(grid.url, grid.account("eve@example.org"), "eve")
    task, = ann.talk(seconds=1e4).tasks
    assert eve.talk(reports=(load.Report(task.name),)).acknowledged == [task.name]
    assert grid.value("select server_state from result where host <> 0") == 2
    eve.id = ann.id
    assert eve.talk(reports=(load.Report(task.name),)).host not in (None, ann.id)
    assert grid.value("select server_state from result where host <> 0") == 2


def test_limits_of_a_day_a_reply_and_a_host(made: Any) -> None:
    grid = made(settings=["quota=5", "tasks_per_reply=3", "tasks_per_cpu=1"], units=20)
    ann = load.Host(grid.url, grid.key, "ann", cpus=8)
    assert [len(ann.talk(seconds=1e5).tasks) for _ in range(3)] == [3, 2, 0]
    assert "today" in ann.talk(seconds=1e5).messages[0]
    bob = load.Host(grid.url, grid.key, "bob", cpus=2)
    assert [len(bob.talk(seconds=1e5).tasks) for _ in range(2)] == [2, 0]
    assert bob.talk(seconds=1e5).delay == 0, "it may report as soon as it has something"
    assert grid.value("select quota_used from host where name = 'ann'") == 5


def test_nothing_is_sent_that_would_be_late(made: Any) -> None:
    grid = made(units=2, delay_bound=100, flops=1e12)
    reply = load.Host(grid.url, grid.key, "slow", flops=1e9).talk(seconds=1e4)
    assert reply.tasks == [] and len(reply.messages) == 1
    assert load.Host(grid.url, grid.key, "fast", flops=1e11).talk(seconds=1e4).tasks


def test_a_refusal_tells_what_was_refused(made: Any) -> None:
    grid = made(units=2, delay_bound=100, flops=1e12)
    slow = load.Host(grid.url, grid.key, "slow", flops=1e9)
    told = ("<refused_job>\n<rsc_fpops_est>1000000000000.0</rsc_fpops_est>\n<delay_bound>100.0</delay_bound>\n"
            "</refused_job>\n")
    assert told in slow.talk(seconds=1e4).text
    assert "<refused_job>" not in slow.talk().text, "it asks for nothing"
    fast = load.Host(grid.url, grid.key, "fast", flops=1e11).talk(seconds=1e4)
    assert fast.tasks and "<refused_job>" not in fast.text


def test_so_many_jobs_that_are_due_so_much_later(made: Any) -> None:
    grid = made(settings=["request_delay=7", "deadline_delay=1000"], units=10, bounds=[50000, 5000])
    ann = load.Host(grid.url, grid.key, "ann")
    late = "<cpu_req_latency_bound>40000</cpu_req_latency_bound>"
    assert [number(task) for task in ann.talk(seconds=1e4, extra=late + "<cpu_req_jobs>2</cpu_req_jobs>").tasks] == \
        [2, 4]
    assert sorted(number(task) for task in ann.talk(seconds=1e4, extra=late).tasks) == [6, 8, 10]
    reply = ann.talk(seconds=1e4, extra=late)
    assert reply.tasks == [] and reply.delay == 1000
    assert reply.messages == ["No tasks are sent: It is due sooner than the client asks for."]
    assert len(ann.talk(seconds=1e4, extra="<cpu_req_jobs>3</cpu_req_jobs>").tasks) == 3
    assert len(ann.talk(seconds=1e4).tasks) == 2, "what deployed clients say"


def test_an_upload_goes_on_where_it_stopped(made: Any) -> None:
    grid = made(units=1, output_bytes=300000, min_quorum=1, target_nresults=1)
    ann = load.Host(grid.url, grid.key, "ann")
    task, = ann.talk(seconds=1e4).tasks
    content = answer(task) + b"x" * 200000
    assert ann.size_at_server(task) == 0
    assert ann.upload(task, content[:70000]) == 0
    assert ann.size_at_server(task) == 70000
    assert ann.upload(task, content, offset=80000) == 1
    assert ann.upload(task, content, offset=70000) == 0
    path = next((grid.folder / "upload").glob("*/squares_1_1_out0"))
    assert path.read_bytes() == content
    ann.talk(reports=(load.Report(task.name),))
    until(grid.assimilated, "the unit is assimilated")
    assert ann.upload(task, content) == -1, "it is not needed any more"
    until(lambda: not grid.files(), "all files are deleted")


def test_an_upload_needs_its_signature(made: Any) -> None:
    grid = made(units=2)
    ann = load.Host(grid.url, grid.key, "ann")
    first, second = ann.talk(seconds=1e4).tasks
    assert ann.upload(first, b"x", signature=second.signature) == -1
    assert ann.upload(first, b"x", signature="") == -1
    assert ann.upload(first._replace(most=1 << 30), b"x") == -1
    assert ann.upload(first, b"x" * (first.most + 1)) == -1
    assert ann.upload(first, b"x" * 100, size=50) == -1
    assert ann.upload(second, b"x" * second.most) == 0
    assert [name for name in grid.files() if "out" in name] in ([second.output], [first.output, second.output])


def test_downloads_have_ranges(made: Any) -> None:
    grid = made(units=12)
    connection = load.Connection(grid.url)
    assert connection.ask("GET", "download/squares_12_in0") == (200, b"12\n")
    assert connection.ask("GET", "download/squares_12_in0", headers={"Range": "bytes=1-"}) == (206, b"2\n")
    assert connection.ask("GET", "download/squares_12_in0", headers={"Range": "bytes=0-0"}) == (206, b"1")
    assert connection.ask("GET", "download/squares_12_in0", headers={"Range": "bytes=9-"})[0] == 416
    assert connection.ask("HEAD", "download/squares_12_in0") == (200, b"")
    for name in ("..%2fconfig.json", "../config.json", "%2e%2e/keys/upload", "nothing", "", ".", "x/y", "%00"):
        assert connection.ask("GET", f"download/{name}")[0] == 404, name


def test_a_unit_that_lost_its_canonical_result_fails_and_one_that_makes_no_sense_waits(made: Any) -> None:
    grid = made(units=2, delete_delay=1000)
    for name in ("ann", "bob"):
        host = load.Host(grid.url, grid.key, name)
        host.talk(seconds=1e4)
        finish(host)
    until(lambda: len(grid.assimilated()) == 2, "both units are done")
    grid.sql("delete from result where id = (select canonical from unit where id = 1)")
    grid.sql("update unit set assimilate_state = 0 where id = 2")
    grid.sql("update unit set transition_time = 1")
    until(lambda: grid.value("select min(transition_time) from unit") > 1, "both were looked at")
    assert grid.value("select error_mask from unit where id = 1") == 0x20
    assert grid.value("select error_mask from unit where id = 2") == 0
    assert "squares_1: " in grid.log() and "squares_2: " in grid.log() and "Traceback" not in grid.log()


def test_a_host_that_was_caught_is_out(made: Any) -> None:
    """Two hosts return the same wrong results, and win; one of them is caught before these are taken over."""
    grid = made(units=2, min_quorum=3, target_nresults=4)
    liars = [load.Host(grid.url, grid.key, name) for name in ("eve", "fay")]
    for host in liars:
        host.talk(seconds=1e4)
    finish(liars[0], content=lambda task: b"0\n")
    grid.command("blacklist", str(liars[0].id))
    until(lambda: grid.value("select count(*) from result where validate_state = 2") == 2, "they are withdrawn")
    reply = liars[0].talk(seconds=1e4)
    assert reply.tasks == [] and "wrong results" in reply.messages[0] and reply.delay == 86400
    finish(liars[1], content=lambda task: b"0\n")
    for name in ("ann", "bob", "cid"):
        host = load.Host(grid.url, grid.key, name)
        until(lambda: host.talk(seconds=1e4).tasks, "there is work")
        finish(host)
    until(lambda: len(grid.assimilated()) == 2, "both units are done")
    assert grid.assimilated() == {1: [right(1)], 2: [right(2)]}
    assert grid.value("select sum(credit) from host where name in ('eve', 'fay')") == 0
    grid.command("blacklist", str(liars[0].id), "--pardon")
    assert liars[0].talk(seconds=1e4).messages == ["No tasks are available."]
    assert "no such host" in grid.command("blacklist", "99", status=1)


def test_what_a_host_holds_that_is_caught_is_given_out_again(made: Any) -> None:
    grid = made(units=1)
    eve = load.Host(grid.url, grid.key, "eve")
    task, = eve.talk(seconds=1e4).tasks
    grid.command("blacklist", str(eve.id))
    until(lambda: grid.value("select count(*) from result where server_state = 1") == 2, "another copy is made")
    assert eve.talk(reports=(load.Report(task.name),)).acknowledged == [task.name]
    assert grid.sql("select outcome, validate_state from result where host <> 0") == [(7, 0)]


def test_who_cannot_get_anything_has_to_wait(made: Any) -> None:
    grid = made(settings=["request_delay=7", "no_work_delay=100", "deadline_delay=1000", "quota=1", "quota_spread=0"],
                units=2, delay_bound=5000, flops=1e12)
    slow = load.Host(grid.url, grid.key, "slow", flops=1e8)
    assert slow.talk().delay == 7, "it asks for nothing"
    assert slow.talk(seconds=100).delay == 1000, "all would be late"
    ann = load.Host(grid.url, grid.key, "ann", flops=1e11)
    reply = ann.talk(seconds=1)
    assert 7 < reply.delay <= 5000 - 14, "its quota is used up, but it has something to report before its deadline"
    assert 7 < finish(ann, seconds=1).delay <= 86401, "its quota is used up"


def test_what_nobody_can_take_is_given_up(made: Any) -> None:
    grid = made(settings=["refusal_limit=3"], units=1, delay_bound=100, flops=1e12)
    for name in ("ann", "bob"):
        assert load.Host(grid.url, grid.key, name, flops=1e9).talk(seconds=1).tasks == []
    assert grid.sql("select refusals from result") == [(2,), (2,)]
    cid = load.Host(grid.url, grid.key, "cid", flops=1e11)
    assert len(cid.talk(seconds=1).tasks) == 1
    assert grid.sql("select refusals from result order by id") == [(0,), (2,)]
    load.Host(grid.url, grid.key, "dan", flops=1e9).talk(seconds=1)
    assert grid.sql("select outcome from result order by id") == [(0,), (2,)]
    assert grid.value("select error_mask from unit") == 1
