-- SPDX-License-Identifier: MIT
--
-- A host in tables: what is predicted for it and what is decided.

local check = require "check"
local vcs = require "vcsched"

local tests = {}

-- Two CPUs; project 1 has twice the share of project 2. The task of project 2 is due in 50 s and needs 100 s.
local function host()
    return {
        now = 0,
        resources = { { flops = 1e9, usable = 1, instances = 2 } },
        projects = { { id = 1, share = 2 }, { id = 2, share = 1 } },
        tasks = {
            { id = 1, project = 1, cpus = 1, remaining = 100, deadline = 1e5 },
            { id = 2, project = 2, cpus = 1, remaining = 100, deadline = 50 },
        },
        candidates = { { id = 3, project = 1, cpus = 1, remaining = 10, deadline = 1e6 } },
    }
end

function tests.each_task_has_a_forecast()
    local state = assert(vcs.prepare(host()))
    local summary = assert(state:wrr())
    check.equal(summary.simulated_until, 100)
    check.equal(summary.misses, 1)
    local tasks = assert(state:wrr_tasks())
    check.equal(#tasks, 2)
    check.equal(tasks[1].finish, 100)
    check.equal(tasks[1].verdict, vcs.VERDICT_MEETS)
    check.equal(tasks[2].verdict, vcs.VERDICT_MISSES)
    check.equal(#state:wrr_resources(), 1)
    check.equal(#state:wrr_project_resources(), 2)
end

function tests.earliest_deadline_first()
    local state = assert(vcs.prepare(host()))
    check.refused(vcs.ERR_SEQUENCE, "edf:", state:edf(vcs.EDF_MISSED))
    assert(state:wrr())
    local summary = assert(state:edf(vcs.EDF_MISSED))
    check.equal(summary.tasks, 1)
    check.equal(state:edf_tasks()[2].finish, 100)
    check.equal(state:edf_tasks()[1].finish, math.huge)
    check.equal(state:edf_resources()[1].busy, 0)
end

function tests.which_tasks_run_and_why()
    local state = assert(vcs.prepare(host()))
    assert(state:wrr())
    check.equal(assert(state:schedule(vcs.SCHEDULE_EXPLAIN)).running, 2)
    local decisions = state:schedule_tasks()
    check.equal(decisions[1].run, true)
    check.equal(decisions[1].place, 2)
    check.equal(decisions[2].place, 1)
    check.equal(vcs.reason_name(decisions[2].reason), "late")
    check.equal(vcs.has(decisions[2].flags, vcs.DECISION_LATE), true)
    check.equal(vcs.has(decisions[1].flags, vcs.DECISION_LATE), false)
    check.equal(state:schedule_resources()[1].used, 2)
end

function tests.whom_to_ask_for_work()
    local state = assert(vcs.prepare(host()))
    assert(state:wrr())
    local summary = assert(state:fetch())
    check.equal(summary.reason, vcs.REASON_ASKED)
    check.equal(state:fetch_decisions()[summary.project].seconds > 0, true)
    local answer = assert(state:fetch { purpose = vcs.FETCH_PIGGYBACK, project = 2 })
    check.equal(answer.project == 2 or answer.project == nil, true)
end

function tests.admission_counts_candidates_from_one()
    local state = assert(vcs.prepare(host()))
    check.equal(assert(state:admit(1)).admitted, true)
    check.refused(vcs.ERR_DUPLICATE, "admit:", state:admit(1))
    check.refused(vcs.ERR_INDEX, "admit:", state:admit(2))
    check.refused(vcs.ERR_RANGE, "candidate: a place in a list, from 1, expected, got 0", state:admit(0))
end

function tests.nothing_but_time_is_needed()
    check.refused(vcs.ERR_COUNT, "prepare:", vcs.prepare { now = 0 })
    local state = assert(vcs.prepare { now = 0, resources = { { flops = 1e9, usable = 1, instances = 1 } } })
    check.equal(state:wrr().steps, 0)
    check.equal(#state:wrr_tasks(), 0)
end

function tests.parameters_by_profile_and_name()
    local parameters = vcs.record("parameters", { profile = "study2007", min_buffer = 7, work_fetch = "wf2" })
    check.equal(parameters.profile, vcs.PROFILE_STUDY2007)
    check.equal(parameters.min_buffer, 7)
    check.equal(parameters.work_fetch, vcs.WORK_FETCH_WF2)
    check.equal(vcs.parameters_check(parameters), true)
    check.equal(vcs.parameters_init(vcs.PROFILE_CURRENT).period, vcs.record("parameters").period)
    check.refused(vcs.ERR_RANGE, "parameters.profile", vcs.record("parameters", { profile = "none such" }))
    check.refused(vcs.ERR_RANGE, "parameters.work_fetch", vcs.record("parameters", { work_fetch = "none such" }))
end

function tests.arrays_are_used_where_they_are()
    local arguments = host()
    local tasks = assert(vcs.array("task", arguments.tasks))
    arguments.tasks = tasks
    local forecasts = vcs.array("task_forecast", 2)
    local state = assert(vcs.prepare(arguments))
    assert(state:wrr())
    check.equal(state:wrr_tasks(forecasts), forecasts)
    check.equal(forecasts[2].finish, 100)
    tasks[2].remaining = 30
    state = assert(vcs.prepare(arguments))
    assert(state:wrr())
    state:wrr_tasks(forecasts)
    check.equal(forecasts:get(2, "finish"), 30)
    check.refused(vcs.ERR_COUNT, "forecasts: 2 elements expected, got 3",
        state:wrr_tasks(vcs.array("task_forecast", 3)))
    check.refused(vcs.ERR_RANGE, "forecasts: nil or an array of task_forecast", state:wrr_tasks(vcs.array("task", 2)))
end

return tests
