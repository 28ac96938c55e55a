-- SPDX-License-Identifier: MIT
--
-- Functions on single structs and on lists, of clients and of servers.

local check = require "check"
local vcs = require "vcsched"

local tests = {}

function tests.numbers_in_numbers_out()
    check.equal(vcs.credits(86400e9), 200)
    check.equal(vcs.copies(1.25, 0.5), 1)
    check.equal(vcs.credibility(10, 0.1), 0.99)
    check.equal(tonumber(vcs.version():match "^(%d+)%.%d+%.%d+"), vcs.VERSION_MAJOR)
end

function tests.what_is_kept_changes_in_place()
    local average = { time = 0 }
    check.equal(vcs.average_add(average, 100, 1e-5, 0), average)
    check.equal(average.value, 100)
    local record = vcs.record("average", { value = 3 })
    check.equal(vcs.average_add(record, 100, 1e-5, 0), record)
    check.equal(record.value, 103)
end

function tests.yes_and_no_are_booleans()
    local policy = vcs.record("parameters", { report_delay = 60 })
    check.equal(vcs.result_overdue(1e6, 0, policy, 100), true)
    check.equal(vcs.result_overdue(1e6, 99, policy, 100), false)
    local quota = { max_quota = 100, quota = 10 }
    vcs.quota_judge(quota, true)
    check.equal(quota.quota, 20)
    check.equal(vcs.quota_left(quota, 0), 20)
end

function tests.ranks_are_places()
    -- Share over CPU time: 1 / 10, 4 / 10, and one that never ran goes first.
    local order, priorities = vcs.rank({
        { id = 1, share = 1, exp_avg_cpu = 10 }, { id = 2, share = 4, exp_avg_cpu = 10 }, { id = 3, share = 1 },
    }, { rule = vcs.RANK_RESOURCE_DEBT })
    check.equal(table.concat(order, " "), "3 2 1")
    check.equal(priorities[2], 0.4)
end

function tests.lists_change_in_place()
    local debts = { { id = 1, share = 1, used = 100, flags = 3 }, { id = 2, share = 1, flags = 3 } }
    assert(vcs.debt_update(debts, { period = 3600, elapsed = 100 }))
    check.equal(debts[1].used, 0)
    check.equal(debts[1].short_term, -50)
    check.equal(debts[2].short_term, 50)
end

function tests.a_reply_moves_the_timers()
    local timer, backoffs = {}, { {}, {} }
    local policy = vcs.record("parameters")
    assert(vcs.reply_apply(timer, backoffs, { now = 100, request_delay = 60 },
        { { seconds = 3600, u = 0.5 }, { seconds = 3600, tasks = 2 } }, policy))
    check.equal(vcs.project_timer_wait(timer, 100), 60)
    check.equal(backoffs[1]["until"] > 100, true)
    check.equal(backoffs[2].interval, 0)
    check.refused(vcs.ERR_COUNT, "there is not one reply for each backoff",
        vcs.reply_apply(timer, backoffs, { now = 100 }, { {} }, policy))
end

function tests.a_session_calls_and_hears_the_outcome()
    local session, projects = {}, { { id = 7, scheduler_urls = 1 } }
    local policy = vcs.record("parameters", { profile = "rpc2003", min_buffer = 3600, additional_buffer = 3600 })
    local action = assert(vcs.rpc_next(session, projects, { now = 0 }, policy))
    check.equal(action.kind, vcs.RPC_CALL)
    check.equal(action.project, 1)
    check.equal(action.seconds, 7200)
    assert(vcs.rpc_report(session, projects, { kind = vcs.RPC_NO_ANSWER, now = 1, u = 0.5 }, policy))
    check.equal(projects[1].timer.failures, 1)
    action = assert(vcs.rpc_next(session, projects, { now = 1 }, policy))
    check.equal(action.kind, vcs.RPC_WAIT)
    check.equal(action.project, nil)
end

local function apply(changes, unit, results)
    for _, change in ipairs(changes) do
        if change.kind == vcs.CHANGE_CREATE then
            for _ = 1, change.integer do
                results[#results + 1] = vcs.result_init(#results + 1)
            end
        else
            assert(vcs.change_apply(change, unit, results))
        end
    end
end

function tests.the_life_of_a_unit()
    local unit, results = vcs.unit_init(1), {}
    unit.min_quorum, unit.target_nresults, unit.max_total, unit.max_success = 2, 2, 4, 4
    apply(assert(vcs.unit_handle_event(unit, results, { kind = vcs.UNIT_EVENT_CREATED }, 0)), unit, results)
    apply(assert(vcs.transition(unit, results, 1)), unit, results)
    check.equal(#results, 2)
    for place = 1, 2 do
        local sent = { kind = vcs.UNIT_EVENT_SENT, result = place }
        apply(assert(vcs.unit_handle_event(unit, results, sent, 2)), unit, results)
        local received = { kind = vcs.UNIT_EVENT_RECEIVED, result = place, report = vcs.REPORT_SUCCESS }
        apply(assert(vcs.unit_handle_event(unit, results, received, 3)), unit, results)
    end
    apply(assert(vcs.transition(unit, results, 4)), unit, results)
    check.equal(unit.need_validate, true)
    apply(assert(vcs.validate(unit, results, { 5, 5 }, 5)), unit, results)
    check.equal(unit.canonical, 1)
    check.equal(results[2].validate_state, vcs.VALIDATE_VALID)
    check.equal(results[2].credited, true)
    check.refused(vcs.ERR_COUNT, "classes: 2 elements expected, got 1", vcs.validate(unit, results, { 5 }, 5))
end

function tests.a_change_says_what_it_sets_by_name()
    local unit, results = vcs.unit_init(1), { vcs.result_init(1) }
    unit.delay_bound = 50
    local said = {}
    local sent = { kind = vcs.UNIT_EVENT_SENT, result = 1 }
    for _, change in ipairs(assert(vcs.unit_handle_event(unit, results, sent, 2))) do
        local name, value = vcs.change_value(change)
        said[change.result and name or "unit." .. name] = value
    end
    check.equal(said.server_state, vcs.RESULT_IN_PROGRESS)
    check.equal(said.deadline, 52)
    unit.transition_time = -1
    for _, change in ipairs(assert(vcs.transition(unit, {}, 1))) do
        local name, value = vcs.change_value(change)
        if change.kind == vcs.CHANGE_CREATE then
            check.equal(name, "")
            check.equal(value, 1)
        end
    end
    check.raises("change_value: a change expected, got number", vcs.change_value, 5)
    check.raises("change_value: a change expected: it has no field that it sets", vcs.change_value, {})
end

function tests.votes_and_verdicts()
    local order, verdicts, summary = vcs.vote({
        { id = 1, result_class = 5 }, { id = 2, result_class = 9 }, { id = 3, result_class = 5 },
    }, { copies = 3 })
    check.equal(table.concat(order, " "), "1 3 2")
    check.equal(verdicts[2].verdict, vcs.BALLOT_WRONG)
    check.equal(summary.winner, 5)
    check.equal(summary.ballot, 1)
    local verdict = vcs.verify { method = vcs.VERIFY_DIRECT }
    check.equal(verdict.action, vcs.ACTION_EXAMINE)
    local needed, reason = vcs.trust_needs_copy({}, 0.5)
    check.equal(needed, true)
    check.equal(vcs.reason_name(reason), "not_trusted_yet")
end

function tests.dispatch_names_a_job()
    local index = assert(vcs.dispatch {
        clients = { { id = 1 } },
        jobs = { { id = 10, complexity = 1 }, { id = 11, complexity = 1 } },
        max_jobs = 3,
    })
    local decision = assert(index:next(1, 0))
    check.equal(decision.job == 1 or decision.job == 2, true)
    check.equal(index:set_job(3, { id = 12, complexity = 1 }), true)
    check.refused(vcs.ERR_COUNT, "set_job:", index:set_job(4, { id = 13, complexity = 1 }))
    check.refused(vcs.ERR_INDEX, "next:", index:next(2, 0))
    check.raises("attempt to call", function() index:wrr() end)
end

function tests.every_function_of_the_library_is_there()
    local by_hand = {
        state_size = true, state_prepare = true, state_renew = true, schedule_running = true,
        dispatch_size = true, dispatch_build = true,
        emulate_grid = true, -- the module has its records and constants alone; the ffi has the function
        emulate_sweep = true, -- it writes files
    }
    local state = assert(vcs.prepare { now = 0, resources = { { flops = 1e9, usable = 1, instances = 1 } } })
    local index = assert(vcs.dispatch {})
    local count = 0
    for _, map in ipairs { "lib/vcsched/vcsched.map", "lib/vcemu/vcemu.map" } do
        for line in io.lines(SOURCES .. map) do
            local name = line:match "^ *vcs_([%w_]+);"
            -- Files are read and written by the tool and by programs in C.
            if name and not by_hand[name] and not name:match "^file_" then
                count = count + 1
                local is_there = vcs[name] or state[name] or index[name:gsub("^dispatch_", "")]
                check.equal(type(is_there), "function", name)
            end
        end
    end
    check.equal(count > 80, true)
end

return tests
