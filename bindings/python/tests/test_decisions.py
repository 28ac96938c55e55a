# SPDX-License-Identifier: MIT
"""Decisions from Python: hand-worked cases, properties, and what is refused, by name."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("vcsched.library", reason="needs the compiled part")
hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402 - only with the compiled part
from hypothesis import strategies as st  # noqa: E402

import vcsched as v  # noqa: E402

HOUR = 3600.0
CPUS = [v.Resource(instances=2, flops=1e9)]


def tasks_of(count, **fields):
    return [v.Task(id=number, remaining=HOUR, **fields) for number in range(count)]


def test_two_cpus_take_three_tasks_in_two_rounds():
    # 2 CPUs, 3 tasks of an hour: two end after an hour, the third after two.
    outcome = v.State(resources=CPUS, projects=[v.Project()], tasks=tasks_of(3)).wrr()
    assert sorted(outcome.tasks.column("finish")) == [HOUR, HOUR, 2 * HOUR]
    assert outcome.resources[0].saturated == HOUR
    assert outcome.summary.misses == 0


def test_a_plan_holds_what_the_decisions_say_one_by_one():
    arguments = dict(resources=CPUS, projects=[v.Project(id=0), v.Project(id=1, share=50)],
                     tasks=tasks_of(4, deadline=1.5 * HOUR), now=0.0)
    plan = v.plan(**arguments)
    state = v.State(**arguments)
    assert plan == (state.wrr(), state.edf(), state.schedule(), state.fetch())
    assert plan.schedule.summary.running == 2


def test_only_what_runs_may_be_decided():
    state = v.State(resources=CPUS, projects=[v.Project(id=0), v.Project(id=1, share=50)],
                    tasks=tasks_of(4, deadline=1.5 * HOUR), now=0.0)
    state.wrr()
    running = state.schedule(v.SCHEDULE_RUNNING)
    whole = state.schedule()
    assert (running.summary, running.resources, running.running) == (whole.summary, whole.resources, whole.running)
    assert (len(running.tasks), len(whole.tasks)) == (0, 4)
    assert running.running == {index: task for index, task in enumerate(whole.tasks) if task.run}
    assert [decision.place for decision in running.running.values()] == [0, 1]
    with pytest.raises(v.VcsError) as caught:
        state.schedule(2)
    assert caught.value.code == v.ERR_FLAGS


@pytest.mark.parametrize("call, advice", [
    (lambda: v.plan(v.Scenario(resources=CPUS)), r"plan\(resources=..., tasks.*Scenario has a plan\(\) of its own"),
    (lambda: v.plan(v.parse_state("[host]\ncpus = 2\nflops = 1e9\n")), r"NamedState has a plan\(\) of its own"),
    (lambda: v.plan(CPUS, now=0.0), r"plan\(resources=..., tasks=...\); a file is read by read_state\(\)"),
    (lambda: v.State(v.Scenario(resources=CPUS)), r"State\(resources=.*Scenario has a state\(\) of its own"),
    (lambda: v.State("state.ini"), r"State\(resources=.*a file is read by read_state\(\) or Scenario.read\(\)"),
    (lambda: v.plan(), "required keyword-only argument: 'resources'"),
])
def test_a_host_in_one_piece_is_refused_with_advice(call, advice):
    with pytest.raises(TypeError, match=advice):
        call()


@pytest.mark.parametrize("read", [v.parse_state, v.Scenario.parse], ids=["state", "scenario"])
def test_another_policy_keeps_what_the_file_sets(read):
    host = read("[host]\ncpus = 2\nflops = 1e9\n[client]\nmin_buffer = 7\n[project p]\n[task a]\nproject = p\n"
                "remaining = 3600\n")
    records = dict(resources=CPUS, projects=[v.Project(id=0)], tasks=[v.Task(id=0, remaining=HOUR)])
    before = v.Parameters("current", min_buffer=7)
    for policy, parameters in [
            ({}, before), (dict(profile="steady"), v.Parameters("steady", min_buffer=7)),
            (dict(parameters="steady"), v.Parameters("steady")),
            (dict(parameters=v.Parameters("rpc2003")), v.Parameters("rpc2003")),
            (dict(parameters={"min_buffer": 9.0}), before.replace(min_buffer=9.0)),
            (dict(parameters={"discipline": "sliced"}), v.Parameters("current", min_buffer=7, discipline="sliced")),
            (dict(profile="steady", parameters={"min_buffer": 9.0}), v.Parameters("steady", min_buffer=9.0))]:
        plan = v.plan(**records, parameters=parameters)
        assert host.plan(**policy).fetch == plan.fetch and host.plan(**policy).schedule == plan.schedule
        assert host.state(**policy).wrr() == plan.wrr
    assert host.plan() == host.plan(parameters=before)  # nothing of the host itself has changed


@pytest.mark.parametrize("policy, message", [
    (dict(profile="steady", parameters=v.Parameters()), "a profile or all parameters, not both"),
    (dict(profile="steady", parameters="current"), "a profile or all parameters, not both"),
    (dict(parameters=[("min_buffer", 7)]), "a dict of some parameters, not list"),
    (dict(parameters={"min_bufer": 7}), "min_bufer"),
    (dict(profile="old"), "old"),
])
def test_a_policy_that_cannot_be_is_refused(policy, message):
    scenario = v.Scenario(resources=CPUS)
    for call in (scenario.plan, scenario.state):
        with pytest.raises((TypeError, ValueError, AttributeError), match=message):
            call(**policy)


@pytest.mark.parametrize("call", [
    lambda: v.plan(resources=[v.Resource()]), lambda: v.State(resources=[v.Resource(instances=4)]),
    lambda: v.emulate(v.Scenario(resources=[v.Resource()], projects=[v.Project()], tasks=[v.Task(remaining=1)]))])
def test_a_processor_without_a_speed_is_refused_with_what_is_wanted(call):
    with pytest.raises(v.VcsError, match="resource 0: flops is too small: it wants the operations per second of one "
                                         "instance, and is 0 if not given") as caught:
        call()
    assert (caught.value.record, caught.value.index, caught.value.field) == ("resource", 0, "flops")


def test_a_candidate_is_admitted_or_told_why_not():
    state = v.State(resources=CPUS, projects=[v.Project()], tasks=tasks_of(2), parameters=v.Parameters(min_buffer=0),
                    candidates=[v.Task(id=10, remaining=HOUR, deadline=2 * HOUR),
                                v.Task(id=11, remaining=HOUR, deadline=HOUR / 2)])
    assert state.admit(0).admitted == 1
    assert (state.admit(1).admitted, state.admit(1).reason) == (0, v.REASON_OWN_DEADLINE)
    with pytest.raises(v.VcsError) as caught:
        state.admit(0)
    assert caught.value.name == "VCS_ERR_DUPLICATE"


def test_decisions_need_the_simulation_first():
    state = v.State(resources=CPUS)
    with pytest.raises(v.VcsError) as caught:
        state.fetch()
    assert caught.value.code == v.ErrorCode.SEQUENCE


def test_a_project_that_is_called_anyway_is_asked_what_it_may_be_asked_for():
    state = v.State(resources=CPUS, projects=[v.Project()])
    state.wrr()
    question = v.FetchQuestion(purpose=v.FETCH_PIGGYBACK, project=0)
    assert state.fetch(question).project_resources[0].seconds > 0
    question.project = 1
    with pytest.raises(v.VcsError) as caught:
        state.fetch(question)
    assert caught.value.name == "VCS_ERR_INDEX"


def test_the_error_says_which_record_and_field():
    tasks = tasks_of(3)
    tasks[2].remaining = -1.0
    with pytest.raises(v.VcsError) as caught:
        v.State(resources=CPUS, projects=[v.Project()], tasks=tasks)
    error = caught.value
    assert (error.code, error.name, error.record, error.index, error.field) \
        == (v.ErrorCode.RANGE, "VCS_ERR_RANGE", "task", 2, "remaining")
    assert str(error) == "State(): task 2: remaining is negative"
    tasks[2].remaining = math.nan
    with pytest.raises(v.VcsError, match="task 2") as caught:
        v.State(resources=CPUS, projects=[v.Project()], tasks=tasks)
    assert caught.value.name == "VCS_ERR_NOT_FINITE"


@pytest.mark.parametrize("arguments, message", [
    (dict(tasks=None), "tasks must be a sequence of Task or a NumPy array of Task.dtype(), not NoneType"),
    (dict(tasks="none"), "tasks must be a sequence of Task or a NumPy array of Task.dtype(), not str"),
    (dict(tasks=[None]), "tasks[0] must be Task, not None"),
    (dict(tasks=[v.Task(), v.Host()]), "tasks[1] must be Task, not Host"),
    (dict(tasks=v.Project.records(1)), "tasks must be records of Task, not of Project"),
    (dict(host=3), "host[0] must be Host, not int"),
    (dict(now="noon"), "State(): now must be a number, not str"),
    (dict(now=None), "State(): now must be a number, not None"),
    (dict(parameters=7), "State(): parameters must be Parameters, not int"),
])
def test_arguments_of_the_wrong_kind_are_named(arguments, message):
    with pytest.raises(TypeError) as caught:
        v.State(**{"resources": CPUS, **arguments})
    assert str(caught.value) == message


def test_arrays_that_cannot_be_used_are_named():
    numpy = pytest.importorskip("numpy")
    projects = [v.Project()]

    def refused(tasks, error, message):
        with pytest.raises(error, match=message):
            v.State(resources=CPUS, projects=projects, tasks=tasks)

    good = v.Task.array(6)
    refused(numpy.zeros(6), TypeError, r"tasks must be of Task.dtype\(\), with 128 bytes an element; this is of float")
    refused(v.Project.array(6), TypeError, "this is of a structured type of 18 fields and 128 bytes")
    refused(numpy.zeros(6, good.dtype.newbyteorder()), TypeError, "tasks must be of Task.dtype")
    refused(good[::2], ValueError, r"tasks must be contiguous: pass a copy\(\)")
    refused(good.reshape(2, 3), ValueError, "tasks must have one dimension, not 2")
    moved = numpy.zeros(6 * 128 + 4, "u1")[4:].view(good.dtype)
    if moved.ctypes.data % 8:
        refused(moved, ValueError, "tasks must be aligned to 8 bytes")
    refused(good.astype(object), TypeError, "this is of object")
    refused(good[::-1], ValueError, r"tasks must be contiguous: pass a copy\(\)")
    refused(good[0:1].reshape(()), ValueError, "tasks must have one dimension, not 0")
    refused(numpy.ma.masked_array(good, mask=False), TypeError, r"tasks has a mask, which would be ignored: pass compr")

    class Pretends:
        __array_interface__ = good.__array_interface__
        dtype = good.dtype

    refused(Pretends(), TypeError, "tasks must be a NumPy array or a sequence, not Pretends")

    class Lies(list):
        def __len__(self):
            return 100

    with pytest.raises(v.VcsError):  # there is one task, not 100, and it refers to a project that does not exist
        v.State(resources=CPUS, projects=projects, tasks=Lies([v.Task(project=7)]))
    assert len(v.State(resources=CPUS, projects=projects, tasks=Lies([v.Task()])).wrr().tasks) == 1
    good["id"] = range(6)
    assert v.State(resources=CPUS, projects=projects, tasks=good.view(numpy.recarray)).wrr().tasks[5].finish == 0.0
    good.flags.writeable = False  # it is only read
    v.State(resources=CPUS, projects=projects, tasks=good)
    debts = v.Debt.array(2)
    debts.flags.writeable = False
    with pytest.raises(ValueError, match="debts is changed by this function and must not be read-only"):
        v.debt_update(debts, v.DebtInterval(period=HOUR, elapsed=1.0))
    numbers = numpy.ma.masked_array([1, 2], mask=[False, True])
    with pytest.raises(TypeError, match="classes has a mask"):
        v.Unit(id=1).validate([v.Result(id=1), v.Result(id=2)], numbers, 0.0)
    with pytest.raises(TypeError, match="sizes has a mask"):
        v.emulate(v.Scenario(resources=CPUS, sizes=numbers))


def test_what_is_changed_does_not_lie_in_what_is_read():
    numpy = pytest.importorskip("numpy")
    memory = numpy.zeros(4096, "u1")
    backoffs = memory[:2 * v.ResourceBackoff.dtype().itemsize].view(v.ResourceBackoff.dtype())
    replies = memory[8:8 + 2 * v.ResourceReply.dtype().itemsize].view(v.ResourceReply.dtype())
    with pytest.raises(ValueError, match="replies lies in the memory of backoffs, which this function changes"):
        v.reply_apply(v.ProjectTimer(), backoffs, v.Reply(), replies, v.Parameters())
    v.reply_apply(v.ProjectTimer(), backoffs, v.Reply(), replies.copy(), v.Parameters())


def test_records_become_arrays_as_numpy_asks():
    numpy = pytest.importorskip("numpy")
    records = v.Task.records(2)
    assert not numpy.shares_memory(records.__array__(copy=True), records.array)
    assert numpy.shares_memory(records.__array__(), records.array)
    with pytest.raises(ValueError, match="without a copy"):
        records.__array__(dtype=object, copy=False)


@pytest.mark.parametrize("call, error, message", [
    (lambda: v.credits("1"), TypeError, "credits(): operations must be a number, not str"),
    (lambda: v.credits(None), TypeError, "credits(): operations must be a number, not None"),
    (lambda: v.credits(10**400), OverflowError, "credits(): operations is too large for a number"),
    (lambda: v.credits(math.nan), v.VcsError, "credits(operations=nan): a number is NaN or infinite"),
    (lambda: v.backoff(1, None, 0.5), TypeError, "backoff(): range must be BackoffRange, not None"),
    (lambda: v.backoff(1, v.Task(), 0.5), TypeError, "backoff(): range must be BackoffRange, not Task"),
    (lambda: v.backoff(1.0, v.BackoffRange(), 0.5), TypeError, "backoff(): failures must be a whole number, not float"),
    (lambda: v.backoff(-1, v.BackoffRange(), 0.5), OverflowError, "backoff(): failures must be 0 ... 4294967295"),
    (lambda: v.Average().blend(1, 1e4, None), TypeError, "average_blend(): now must be a number, not None"),
    (lambda: v.Unit(id=1).validate([v.Result(id=1)], [], 0.0), ValueError, "classes has 0 elements, but results has 1"),
    (lambda: v.Unit(id=1).validate([v.Result(id=1)], ["a"], 0.0), TypeError,
     "classes[0] must be a whole number, not str"),
    (lambda: v.Unit(id=1).validate([v.Result(id=1)], 5, 0.0), TypeError,
     "classes must be a sequence of numbers, not int"),
    (lambda: v.reply_apply(v.ProjectTimer(), [], v.Reply(), [v.ResourceReply()], v.Parameters()), v.VcsError,
     "reply_apply(): there is not one reply for each backoff"),
])
def test_functions_name_the_argument_at_fault(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


def test_records_that_are_changed_in_place_may_stand_in_any_form():
    interval = v.DebtInterval(period=HOUR, elapsed=HOUR)

    def debts():
        return [v.Debt(id=1, share=100, used=HOUR, flags=v.DEBT_RUNNABLE | v.DEBT_POTENTIALLY_RUNNABLE),
                v.Debt(id=2, share=100, flags=v.DEBT_RUNNABLE | v.DEBT_POTENTIALLY_RUNNABLE)]

    listed = debts()
    assert v.debt_update(listed, interval) == [0, 1]
    # Each is owed half of the hour; the first used all of it.
    assert [debt.short_term for debt in listed] == [-HOUR / 2, HOUR / 2]
    records = v.Debt.records(2)
    for place, debt in zip(records, debts()):
        for name, value in debt.asdict().items():
            setattr(place, name, value)
    v.debt_update(records, interval)
    assert records == listed
    if pytest.importorskip("numpy"):
        again = v.Debt.records(2)
        for place, debt in zip(again, debts()):
            for name, value in debt.asdict().items():
                setattr(place, name, value)
        v.debt_update(again.array, interval)
        assert again == listed


def test_an_error_changes_nothing():
    average = v.Average(value=3.0, time=10.0)
    before = average.copy()
    with pytest.raises(v.VcsError):
        average.add(work=1.0, rate=5.0, now=20.0)  # the rate is at most 1
    assert average == before


def test_a_unit_lives_from_its_creation_to_its_validation():
    unit = v.Unit(id=7, min_quorum=2, target_nresults=2, max_total=3)
    results = []

    def carry_out(changes):
        for change in changes:
            change.apply(unit, results)
            if change.kind == v.CHANGE_CREATE:
                results.extend(v.Result(id=100 + len(results) + number) for number in range(change.integer))

    carry_out(unit.handle_event(results, v.UnitEvent(kind=v.UNIT_EVENT_CREATED), 0.0))
    carry_out(unit.transition(results, 1.0))
    assert len(results) == 2
    for index in range(2):
        carry_out(unit.handle_event(results, v.UnitEvent(kind=v.UNIT_EVENT_SENT, result=index), 2.0))
        report = v.UnitEvent(kind=v.UNIT_EVENT_RECEIVED, result=index, report=v.REPORT_SUCCESS)
        carry_out(unit.handle_event(results, report, 3.0))
    carry_out(unit.transition(results, 4.0))
    assert unit.need_validate == 1
    carry_out(unit.validate(results, [5, 5], 5.0))
    assert unit.canonical == 100
    assert [result.validate_state for result in results] == [v.VALIDATE_VALID] * 2


def test_a_change_says_what_it_sets_by_name():
    unit, results = v.Unit(id=7, delay_bound=50.0), [v.Result(id=100)]
    sent = unit.handle_event(results, v.UnitEvent(kind=v.UNIT_EVENT_SENT, result=0), 2.0)
    assert {(change.name, change.value) for change in sent if change.result != v.NONE} == {
        ("server_state", v.RESULT_IN_PROGRESS), ("deadline", 52.0)}
    asked = v.Unit(id=8, transition_time=-1.0).transition([], 1.0)
    assert [(change.name, change.value) for change in asked if change.kind == v.CHANGE_CREATE] == [("", 1)]
    for record, changes in (unit, sent), (v.Unit(id=8), asked):
        values = record.asdict()
        assert all(type(change.value) is type(values.get(change.name, change.value))
                   for change in changes if change.result == v.NONE)
    assert v.Change(field=99).name == ""


def test_credit_is_granted_by_what_the_others_claim():
    claims = [v.Result(id=number + 1, claimed=claim) for number, claim in enumerate((10.0, 14.0, 30.0, 18.0))]
    assert v.credit_granted(claims, 0.0) == 16.0
    assert v.credit_granted(claims[:2], 0.0) == 10.0
    assert (v.credit_granted(claims[2:3], 0.0), v.credit_granted(claims[2:3], 20.0)) == (30.0, 20.0)
    assert v.credit_granted([], 5.0) == 0.0
    with pytest.raises(v.VcsError, match="max_single_claim"):
        v.credit_granted(claims, -1.0)


def test_sessions_ask_the_best_project_first():
    session, projects = v.RpcSession(), [v.RpcProject(id=1, rank=1, scheduler_urls=1),
                                         v.RpcProject(id=2, rank=0, scheduler_urls=1)]
    parameters = v.Parameters("rpc2003")
    action = v.rpc_next(session, projects, v.RpcSituation(now=1e6), parameters)
    assert (action.kind, action.project) == (v.RPC_CALL, 1)
    v.rpc_report(session, projects, v.RpcOutcome(kind=v.RPC_NO_ANSWER, now=1e6, u=0.5), parameters)
    assert projects[1].timer.failures == 1


def test_votes():
    answer = v.vote([v.Ballot(id=number, result_class=number // 2) for number in range(3)], v.VoteTerms(copies=3))
    assert (answer.summary.winner, answer.summary.votes, answer.order) == (0, 2, [0, 1, 2])
    assert answer.verdicts.column("verdict") == [v.BALLOT_VALID, v.BALLOT_VALID, v.BALLOT_WRONG]
    needed = v.Trust(valid_in_row=20).needs_copy(0.5)
    assert (needed.needed, needed.reason) == (False, v.REASON_TRUSTED)
    assert repr(needed) == "TrustNeedsCopyAnswer(needed=False, reason=Reason.TRUSTED)"


# The same examples each time, and however long they take: a run of the tests must not fail by chance.
settings.register_profile("same", derandomize=True, database=None, deadline=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")
TASKS = st.lists(st.tuples(st.floats(0, 1e6), st.floats(-1e5, 1e7), st.integers(0, 2), st.floats(0.1, 3)), max_size=30)


@settings(max_examples=150)
@given(TASKS)
def test_no_more_runs_than_there_is_and_all_forms_agree(given_tasks):
    projects = [v.Project(id=number, share=100.0 * number) for number in range(3)]
    tasks = [v.Task(id=number, remaining=remaining, deadline=deadline, project=project, cpus=cpus)
             for number, (remaining, deadline, project, cpus) in enumerate(given_tasks)]
    parameters = v.Parameters(cpu_fit="strict")
    plan = v.plan(resources=CPUS, projects=projects, tasks=tasks, parameters=parameters)
    running = [task.cpus for task, decision in zip(tasks, plan.schedule.tasks) if decision.run]
    assert sum(running) <= 2 + 1e-4
    assert len(running) == plan.schedule.summary.running
    rows = v.Task.records(len(tasks))
    for row, task in zip(rows, tasks):
        for name, value in task.asdict().items():
            setattr(row, name, value)
    assert v.plan(resources=CPUS, projects=projects, tasks=rows, parameters=parameters) == plan
    pytest.importorskip("numpy")
    assert v.plan(resources=CPUS, projects=projects, tasks=rows.array, parameters=parameters) == plan


@settings(max_examples=200)
@given(st.floats(allow_nan=True, allow_infinity=True) | st.integers() | st.text(max_size=3) | st.none(),
       st.sampled_from(["remaining", "deadline", "cpus", "project", "gpu", "flags", "app"]))
def test_whatever_stands_in_a_field_is_used_or_refused(value, field):
    try:
        task = v.Task(**{field: value})
        v.State(resources=CPUS, projects=[v.Project()], tasks=[task]).wrr()
    except v.VcsError as error:
        assert error.field == field or field == "gpu"
    except (TypeError, OverflowError) as error:
        assert str(error).startswith(f"Task.{field} ")


@settings(max_examples=200)
@given(st.floats(1, 1e12), st.lists(st.tuples(st.floats(0, 1e7), st.floats(0, 1e10)), max_size=10))
def test_an_average_never_leaves_what_it_is_made_of(half_life, steps):
    average, now = v.Average(), 0.0
    for wait, work in steps:
        now += wait
        average.blend(work, half_life, now)
        assert average.value >= 0 and average.time == now


def test_a_dispatcher_hands_out_its_jobs_one_by_one():
    clients = [v.Client(id=1), v.Client(id=2)]
    jobs = [v.DispatchJob(id=10, size=1e6, complexity=1.0), v.DispatchJob(id=11, size=1e6, complexity=1.0)]
    index = v.DispatchIndex(clients, jobs, max_jobs=3)
    rules, pool = v.DispatchRules(), v.Pace()
    first = index.next(0, 0.0)
    assert first.job == 0
    v.job_send(jobs[0], 0, clients[0], pool, rules, 0.0)
    index.set_job(0, jobs[0])
    assert index.next(1, 0.0).job == 1
    index.set_job(2, v.DispatchJob(id=12, size=1e6, complexity=1.0))
    with pytest.raises(v.VcsError) as caught:
        index.set_job(3, jobs[1])
    assert caught.value.name == "VCS_ERR_COUNT"
    with pytest.raises(v.VcsError):
        index.next(7, 0.0)
    with pytest.raises(TypeError, match=r"next\(\): client must be a whole number, not None"):
        index.next(None, 0.0)
    rows = v.pool_survey(clients, jobs, pool, rules, 1.0)
    pool_sum = v.pool_sum(clients, jobs, rows)
    assert (len(rows), pool_sum.order, pool_sum.summary.jobs) == (2, [0, 1], 1)


def test_hosts_in_a_row_that_cannot_take_a_job_are_counted():
    assert v.send_refusals(v.REASON_HOST_DISK, 3, 1) == (2, False)
    assert v.send_refusals(v.REASON_OWN_DEADLINE, 3, 2) == (3, True)
    assert v.send_refusals(v.REASON_JOB_SENT, 3, 2) == (0, False)


def test_a_quota_says_that_it_is_used_up():
    quota = v.Quota(max_quota=4, quota=4)
    quota.take(0.0, 3)
    with pytest.raises(v.VcsError) as caught:
        quota.take(0.0, 2)
    assert caught.value.name == "VCS_ERR_QUOTA"
    assert "quota" in str(caught.value)
    assert quota.left(0.0) == 1


@pytest.mark.parametrize("fields, field, wrong", [
    ({"quota": 4}, "max_quota", "is 0, not 1 ... 4294967295"),
    ({"max_quota": 8}, "quota", "is 0, not 1 ... max_quota = 8"),
    ({"max_quota": 8, "quota": 9}, "quota", "is 9, not 1 ... max_quota = 8"),
])
def test_a_quota_names_the_field_that_is_refused(fields, field, wrong):
    for call in (lambda quota: quota.left(0.0), lambda quota: quota.take(0.0, 1), lambda quota: quota.judge(1)):
        with pytest.raises(v.VcsError) as caught:
            call(v.Quota(**fields))
        assert (caught.value.record, caught.value.field) == ("quota", field)
        assert f"quota: {field} {wrong}" in str(caught.value)
    with pytest.raises(v.VcsError, match="nan"):
        v.Quota(max_quota=8, quota=4).left(float("nan"))


def test_a_host_is_told_when_to_ask_again():
    assert v.NextRequest(late=1).delay(0.0, 0.0) == (3600.0, v.REASON_DEADLINES_NOT_MET)


def test_a_server_sends_what_was_asked_for():
    state = v.State(resources=CPUS, projects=[v.Project()], candidates=tasks_of(3),
                    parameters=v.Parameters(min_buffer=0))
    jobs = [v.SendJob(latency_bound=10 * HOUR) for _ in range(3)]
    answer = v.send(state, [v.SendRequest(seconds=1.5 * HOUR)], jobs)
    # One hour is not enough, two are.
    assert answer.decisions.column("sent") == [1, 1, 0]
    assert answer.summary.sent == 2
    with pytest.raises(v.VcsError) as caught:
        v.send(state, [v.SendRequest()], jobs[:2])
    assert caught.value.name == "VCS_ERR_COUNT"
