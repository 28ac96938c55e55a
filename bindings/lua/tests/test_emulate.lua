-- SPDX-License-Identifier: MIT
--
-- emulate(): a host and its servers in virtual time, and functions of Lua's as its policy.

local check = require "check"
local vcs = require "vcsched"

local tests = {}

-- Two CPUs of 1 FLOPS, so that operations are seconds, and one project whose jobs take 1000 s.
local function hour_of_jobs()
    return {
        resources = { { flops = 1, usable = 1, instances = 2 } },
        projects = { { id = 7, share = 100 } },
        apps = { { id = 1, project = 1 } },
        models = { { latency_bound = 1e6, est_flops = 1000, mean_flops = 1000, cpus = 1, weight = 1,
            distribution = vcs.SIZES_CONSTANT } },
        emulation = { duration = 10500 },
    }
end

-- Two projects on a host that is switched on and off.
local function two_projects()
    return {
        resources = { { flops = 1e9, usable = 0.8, instances = 2 } },
        projects = { { id = 1, share = 100 }, { id = 2, share = 100 } },
        apps = { { id = 1, project = 1 }, { id = 2, project = 2 } },
        models = {
            { latency_bound = 40000, est_flops = 1e13, mean_flops = 1e13, sd_flops = 3e12, cpus = 1, weight = 1 },
            { latency_bound = 500000, est_flops = 8e13, mean_flops = 8e13, sd_flops = 2e13, cpus = 1, weight = 1 },
        },
        emulation = { available = 0.8, available_mean = 3600, duration = 10 * 86400 },
    }
end

-- ---- Tables in, tables out ----

-- 10 jobs on each CPU have ended after 10,500 s, and the 11th is half done.
function tests.worked_by_hand()
    local outcome, projects = assert(vcs.emulate(hour_of_jobs()))
    check.equal(outcome.ended, 20)
    check.equal(outcome.flops_used, 21000)
    check.equal(outcome.flops_available, 21000)
    check.equal(outcome.struct_size, nil)
    check.equal(#projects, 1)
    check.equal(projects[1].id, 7)
    check.equal(projects[1].ended, 20)
end

-- Ten hours within 18, on and off for an hour each (rule 15.9).
function tests.bounds_of_projects()
    local hour = 3600
    local scenario = hour_of_jobs()
    scenario.models[1].est_flops, scenario.models[1].mean_flops = 10 * hour, 10 * hour
    scenario.models[1].latency_bound = 18 * hour
    scenario.emulation = { available = 0.5, available_mean = hour, duration = 1e7 }
    local bounds = assert(vcs.bound(scenario))
    check.equal(#bounds, 1)
    check.equal(bounds[1].id, 7)
    check.equal(math.abs(bounds[1].optimal - 0.45608) < 2e-5, true)
    check.equal(math.abs(bounds[1].hopeless - 0.53420) < 2e-5, true)
    local points, corners = assert(vcs.bound_curve(bounds, vcs.BOUND_HOPELESS))
    check.equal(corners, 1)
    check.equal(points[1].loss, bounds[1].hopeless)
    scenario.models[1].latency_bound = 30 * hour
    bounds = assert(vcs.bound(scenario))
    local _, projects, resources = assert(vcs.emulate(scenario, { parameters = { min_buffer = 600 } }))
    local lost, least = assert(vcs.bound_beyond(bounds, vcs.BOUND_OPTIMAL, projects, resources))
    check.equal(math.abs(least - bounds[1].optimal) < 1e-12, true)
    check.equal(lost > least and least > 0, true)
    scenario.apps[1].project = 3
    local none, message = vcs.bound(scenario)
    check.equal(none, nil)
    check.equal(message:find("project") ~= nil, true)
end

function tests.figures_without_a_value_are_nil()
    local outcome, projects = assert(vcs.emulate {
        resources = { { flops = 1, usable = 1, instances = 1 } }, emulation = { duration = 100 },
    })
    check.equal(outcome.rpcs_per_job, nil)
    check.equal(outcome.share_violation, nil)
    check.equal(outcome.monotony, nil)
    check.equal(vcs.has(outcome.flags, vcs.UNDEFINED_RPCS), true)
    check.equal(outcome.available_time, 100)
    check.equal(#projects, 0)
end

function tests.records_and_arrays_go_where_tables_go()
    local scenario = hour_of_jobs()
    scenario.emulation = vcs.record("emulation", scenario.emulation)
    check.equal(scenario.emulation.max_reply, 1000)
    scenario.models = assert(vcs.array("job_model", scenario.models))
    scenario.servers = vcs.array("server_model", 1)
    scenario.projects = { vcs.record("project", scenario.projects[1]) }
    local outcome = assert(vcs.emulate(scenario, { parameters = vcs.record "parameters" }))
    check.equal(outcome.ended, 20)
end

function tests.the_emulation_goes_with_the_profile()
    check.equal(assert(vcs.emulation_init(vcs.PROFILE_STUDY2007)).study_rules, true)
    check.equal(assert(vcs.emulation_init(vcs.PROFILE_CURRENT)).study_rules, false)
    local scenario = two_projects()
    local study = { parameters = { profile = "study2007" } }
    local outcome = assert(vcs.emulate(scenario, study))
    scenario.emulation.study_rules = true
    check.equal(assert(vcs.emulate(scenario, study)).waste, outcome.waste)
    scenario.emulation.study_rules = false
    check.equal(assert(vcs.emulate(scenario, study)).calls ~= outcome.calls, true)
end

-- Sizes from the list, one after the other: 1000 s, 3000 s. On from 0 to 5000 s, and from 6000 s.
function tests.sizes_and_switches()
    local scenario = hour_of_jobs()
    scenario.resources[1].instances = 1
    scenario.sizes = { 77, 1000, 3000 }
    scenario.switches = { 5000, 6000 }
    local model = scenario.models[1]
    model.distribution, model.first_size, model.size_count = vcs.SIZES_LIST, 2, 2
    local ended = {}
    local outcome = assert(vcs.emulate(scenario, { observe = function(event)
        if event.kind == vcs.EVENT_ENDED then
            ended[#ended + 1] = event.time
        end
    end }))
    check.equal(table.concat(ended, " "):gsub("%.0", ""), "1000 4000 5000 9000 10000")
    check.equal(outcome.available_time, 9500)
end

-- ---- Observers ----

function tests.events_are_records()
    local kinds, last = {}, nil
    local outcome = assert(vcs.emulate(hour_of_jobs(), { observe = function(event)
        kinds[event.kind] = (kinds[event.kind] or 0) + 1
        check.equal(not last or last <= event.time, true)
        last = event.time
        if event.kind == vcs.EVENT_STARTED then
            check.equal(event.project, 1)
            check.equal(event.resource, 1)
            check.equal(event.track == 1 or event.track == 2, true, "lanes count from 1")
        elseif event.kind == vcs.EVENT_FORECAST then
            check.equal(event.project, nil)
            check.equal(event.track, nil)
        end
    end }))
    check.equal(kinds[vcs.EVENT_STARTED], outcome.starts)
    check.equal(kinds[vcs.EVENT_ENDED], 20)
    check.equal(kinds[vcs.EVENT_RECEIVED], outcome.received)
    check.equal(vcs.event_name(vcs.EVENT_ENDED), "ended")
end

-- ---- Policies ----

function tests.a_schedule_of_ones_own()
    local seen = 0
    local outcome = assert(vcs.emulate(hour_of_jobs(), { policy = { schedule = function(situation)
        local decisions = vcs.array("task_decision", #situation.tasks)
        if #decisions > 0 then
            decisions[1].run = true
        end
        seen = math.max(seen, #situation.tasks)
        return decisions
    end } }))
    check.equal(outcome.ended, 10)
    check.equal(outcome.flops_used, 10500)
    check.equal(seen > 1, true)
end

function tests.decisions_may_be_tables()
    local outcome = assert(vcs.emulate(hour_of_jobs(), { policy = { schedule = function(situation)
        local decisions = {}
        for place = 1, #situation.tasks do
            decisions[place] = { run = place <= 2 }
        end
        return decisions, { next_check = 100 }
    end } }))
    check.equal(outcome.ended, 20)
    check.equal(outcome.schedules >= 105, true)
end

function tests.a_fetch_of_ones_own()
    local asked = 0
    local outcome = assert(vcs.emulate(hour_of_jobs(), { policy = { fetch = function(situation, question)
        check.equal(question.purpose == vcs.FETCH_CHOOSE or question.purpose == vcs.FETCH_PIGGYBACK, true)
        asked = asked + 1
        if #situation.tasks > 0 then
            return { {} }, { next_check = 500 }
        end
        return { { seconds = 1 } }, { project = 1, next_check = 500 }
    end } }))
    check.equal(outcome.received >= 10, true)
    check.equal(outcome.flops_used <= 10500, true, "one job at a time")
    check.equal(asked, outcome.fetches)
end

function tests.send_and_estimate()
    local offered, estimated = 0, 0
    local outcome = assert(vcs.emulate(two_projects(), { policy = {
        send = function(situation, candidate)
            offered = offered + 1
            return situation.candidates[candidate].project == 1
        end,
        estimate = function(progress)
            estimated = estimated + 1
            return progress.est_flops / progress.flops * (1 - progress.fraction_done)
        end,
    } }))
    check.equal(outcome.refused > 0 and offered >= outcome.refused, true)
    check.equal(estimated > 0, true)
    local _, projects = vcs.emulate(two_projects(), { policy = { send = function() return false end } })
    check.equal(projects[1].received + projects[2].received, 0)
end

function tests.a_fetch_of_ones_own_may_ask_for_so_many_jobs_of_a_latency_bound()
    local function wish(jobs, latency_bound)
        local _, projects = vcs.emulate(two_projects(), { policy = { fetch = function(situation)
            local asked = vcs.array("fetch_decision", 2)
            asked[1].seconds, asked[1].jobs, asked[1].latency_bound = 1e6, jobs, latency_bound
            return asked, { project = 1, next_check = 86400 }
        end } })
        return projects[1]
    end
    local one = wish(1, 0)
    check.equal(one.received > 0 and one.received <= one.calls and one.received < wish(0, 0).received, true)
    check.equal(wish(0, 1e9).received, 0)
end

function tests.what_a_situation_shows()
    local shown
    assert(vcs.emulate(two_projects(), { parameters = { min_buffer = 77 }, policy = { fetch = function(situation)
        shown = shown or {
            now = situation.now, cpus = situation.resources[1].instances, projects = #situation.projects,
            project_resources = #situation.project_resources, apps = #situation.apps, host = tostring(situation.host),
            min_buffer = situation.parameters.min_buffer, text = tostring(situation),
            same = situation.tasks == situation.tasks, candidates = #situation.candidates,
        }
        return vcs.array("fetch_decision", 2)
    end } }))
    check.equal(shown.now, 0)
    check.equal(shown.cpus, 2)
    check.equal(shown.projects, 2)
    check.equal(shown.project_resources, 2)
    check.equal(shown.apps, 2)
    check.equal(shown.candidates, 0)
    check.equal(shown.host, "vcsched.record host")
    check.equal(shown.min_buffer, 77)
    check.equal(shown.text, "vcsched.situation")
    check.equal(shown.same, true)
end

function tests.a_situation_shows_the_seed_of_the_emulation()
    local function seen_with(emulation)
        local seen = {}
        local scenario = two_projects()
        scenario.emulation = emulation
        assert(vcs.emulate(scenario, { policy = {
            schedule = function(situation)
                seen.schedule = situation.seed
                return vcs.array("task_decision", #situation.tasks)
            end,
            fetch = function(situation)
                seen.fetch = situation.seed
                return assert(situation.state:fetch()) and assert(situation.state:fetch_decisions())
            end,
        } }))
        return seen.schedule, seen.fetch
    end
    local schedule, fetch = seen_with { duration = 10500, seed = 77 }
    check.equal(schedule, 77)
    check.equal(fetch, 77)
    check.equal(seen_with { duration = 10500 }, 1)
    check.equal(seen_with { duration = 10500, seed = "18446744073709551615" }, "18446744073709551615")
end

function tests.a_situation_cannot_be_used_wrongly()
    local function with(fetch)
        return vcs.emulate(two_projects(), { policy = { fetch = fetch } })
    end
    check.raises("a situation has no field called 'jobs'", with, function(situation) return situation.jobs end)
    check.raises("a situation has fields with names", with, function(situation) return situation[1] end)
    check.raises("a situation is there to be looked at", with, function(situation) situation.now = 5 end)
    check.equal(getmetatable(with), nil)
    with(function(situation) check.equal(getmetatable(situation), "vcsched") return {} end)
end

-- Everything it showed is a copy, except the state.
function tests.a_situation_passes()
    local kept, tasks, state
    assert(vcs.emulate(two_projects(), { policy = { schedule = function(situation)
        kept, state = situation, situation.state
        local decisions = vcs.array("task_decision", #situation.tasks)
        assert(state:schedule(vcs.SCHEDULE_EXPLAIN))
        if #situation.tasks > 0 then
            tasks = situation.tasks
        end
        return assert(state:schedule_tasks(decisions))
    end } }))
    collectgarbage()
    check.equal(tasks[1].cpus, 1)
    check.raises("the situation has passed", function() return kept.tasks end)
    check.refused(vcs.ERR_SEQUENCE, "wrr: state: the situation that it belongs to has passed", state:wrr())
    check.refused(vcs.ERR_SEQUENCE, "schedule_tasks: state: the situation", state:schedule_tasks())
end

-- What a function is given is the same object in each call, with what this call is about; a copy stays what it is.
function tests.what_is_given_serves_the_next_call_too()
    local events, copies, times = {}, {}, {}
    assert(vcs.emulate(hour_of_jobs(), { observe = function(event)
        events[#events + 1] = event
        times[#times + 1] = event.time
        copies[#copies + 1] = #copies % 2 == 0 and vcs.totable(event) or vcs.record("event", event)
    end }))
    for place, event in ipairs(events) do
        check.equal(event, events[1])
        check.equal(event.time, times[#times])
        check.equal(copies[place].time, times[place], "copy " .. place)
    end
    check.equal(times[#times] > times[1], true)
    check.raises("event has no field called the string 'colour'", function() return events[1].colour end)
end

-- Arrays of a situation are made once, and again when they become too small. An element that was kept stays readable.
function tests.arrays_of_a_situation_grow()
    local scenario, lengths, elements, arrays = two_projects(), {}, {}, {}
    scenario.resources[1].instances, scenario.emulation.duration = 64, 86400
    assert(vcs.emulate(scenario, { policy = { schedule = function(situation)
        local tasks = situation.tasks
        check.equal(tasks, situation.tasks)
        lengths[#tasks], arrays[tasks] = true, true
        if #tasks > 0 then
            elements[#elements + 1] = tasks[#tasks]
            check.equal(tasks[#tasks + 1], nil)
        end
        assert(situation.state:schedule(vcs.SCHEDULE_EXPLAIN))
        return assert(situation.state:schedule_tasks())
    end } }))
    local counts, objects = 0, 0
    for _ in pairs(lengths) do counts = counts + 1 end
    for _ in pairs(arrays) do objects = objects + 1 end
    check.equal(counts > 20, true, "numbers of tasks")
    check.equal(objects < 15, true, "arrays")
    collectgarbage()
    for _, element in ipairs(elements) do
        check.equal(element.cpus, 1)
    end
end

-- `decisions` is an array for the answer, in which nothing is decided yet, however often the function was called.
function tests.decisions_to_fill_in()
    local asked, plain = 0, hour_of_jobs()
    local function first_two(situation)
        local decisions = situation.decisions
        check.equal(#decisions, #situation.tasks)
        for place = 1, #decisions do
            check.equal(decisions[place].run, false)
            check.equal(decisions[place].place, nil)
            decisions:set(place, "run", place <= 2)
        end
        return decisions
    end
    local function nobody(situation)
        asked = asked + 1
        check.equal(#situation.decisions, 1)
        check.equal(situation.decisions[1].seconds, 0)
        situation.decisions[1].seconds = 5
        situation.decisions[1].seconds = 0
        return situation.decisions, { next_check = 600 }
    end
    check.equal(assert(vcs.emulate(plain, { policy = { schedule = first_two } })).ended, 20)
    check.equal(assert(vcs.emulate(plain, { policy = { fetch = nobody } })).received, 0)
    check.equal(asked > 10, true)
    check.raises("a situation has no field called 'decisions'", vcs.emulate, plain, { policy = {
        send = function(situation) return situation.decisions ~= nil end } })
end

-- A summary may be a record. A table may name one field, and a name that is none is refused.
function tests.summaries()
    local function with(summary)
        return vcs.emulate(hour_of_jobs(), { policy = { schedule = function(situation)
            local decisions = situation.decisions
            for place = 1, math.min(#decisions, 2) do
                decisions:set(place, "run", true)
            end
            return decisions, summary
        end } })
    end
    local table_of = assert(with { next_check = 50 })
    local record_of = assert(with(vcs.record("schedule_summary", { next_check = 50 })))
    check.equal(table_of.schedules, record_of.schedules)
    check.equal(table_of.schedules > 200, true)
    check.refused(vcs.ERR_FLAGS, "schedule: summary: schedule_summary has no field 'next'", with { next = 50 })
    check.refused(vcs.ERR_RANGE, "schedule: summary", with(7))
end

-- ---- Errors in functions of the caller's ----

local POLICIES = { "schedule", "fetch", "send", "estimate" }

local function options_with(name, f)
    return name == "observe" and { observe = f } or { policy = { [name] = f } }
end

function tests.an_error_comes_out_with_its_traceback()
    for _, name in ipairs { "schedule", "fetch", "send", "estimate", "observe" } do
        local function fail_here()
            error("no rule for this")
        end
        local went_well, message = pcall(vcs.emulate, two_projects(), options_with(name, fail_here))
        check.equal(went_well, false, name)
        check.equal(message:match "test_emulate.lua:%d+: no rule for this" ~= nil, true, message)
        check.equal(message:find("stack traceback:", 1, true) ~= nil, true, message)
        check.equal(select(2, message:gsub("test_emulate.lua:%d+: in ", "")) >= 2, true, message)
    end
end

function tests.an_error_that_is_a_table_stays_that_table()
    local problem = { kind = "mine" }
    local went_well, got = pcall(vcs.emulate, two_projects(), { observe = function() error(problem) end })
    check.equal(went_well, false)
    check.equal(got, problem)
    went_well, got = pcall(vcs.emulate, two_projects(), { observe = function() error(nil) end })
    check.equal(went_well, false)
    check.equal(got == nil or type(got) == "string", true)
end

function tests.an_error_ends_the_emulation_at_once()
    local calls = 0
    pcall(vcs.emulate, two_projects(), { observe = function()
        calls = calls + 1
        error "enough"
    end })
    check.equal(calls, 1)
end

function tests.a_function_may_not_yield()
    for _, name in ipairs(POLICIES) do
        local thread = coroutine.create(function()
            return vcs.emulate(two_projects(), options_with(name, coroutine.yield))
        end)
        local went_well, message = coroutine.resume(thread)
        check.equal(went_well, false)
        check.equal(message:match "attempt to yield across .*C%-call boundary" ~= nil, true, message)
        check.equal(coroutine.status(thread), "dead")
    end
end

function tests.an_emulation_may_run_in_a_coroutine_and_have_some()
    local outcome = assert(coroutine.wrap(function()
        local each = coroutine.wrap(function()
            while true do
                coroutine.yield()
            end
        end)
        return vcs.emulate(hour_of_jobs(), { observe = each })
    end)())
    check.equal(outcome.ended, 20)
end

function tests.an_emulation_in_an_emulation()
    local inner
    local outcome = assert(vcs.emulate(hour_of_jobs(), { observe = function(event)
        inner = inner or assert(vcs.emulate(hour_of_jobs(), { policy = { fetch = function(situation)
            local summary = assert(situation.state:fetch())
            return situation.state:fetch_decisions(), summary
        end } }))
        return event
    end }))
    check.equal(inner.ended, 20)
    check.equal(outcome.ended, 20)
    check.raises("from within", vcs.emulate, hour_of_jobs(), { observe = function()
        vcs.emulate(hour_of_jobs(), { observe = function() error "from within" end })
    end })
end

-- ---- Answers that are refused ----

local function answering(name, ...)
    local answers, count = { ... }, select("#", ...)
    return vcs.emulate(two_projects(), options_with(name, function()
        return (unpack or table.unpack)(answers, 1, count)
    end))
end

function tests.answers_are_checked()
    local array = vcs.array("fetch_decision", 2)
    check.refused(vcs.ERR_NULL, "emulate: schedule: decisions: a list or an array of task_decision expected, got nil",
        answering "schedule")
    check.refused(vcs.ERR_RANGE, "emulate: schedule: decisions: a list or an array", answering("schedule", array))
    check.refused(vcs.ERR_COUNT, "emulate: fetch: decisions: 2 elements expected, got 1", answering("fetch", { {} }))
    check.refused(vcs.ERR_FLAGS, "emulate: fetch: summary: fetch_summary has no field 'lookagain'",
        answering("fetch", array, { lookagain = 5 }))
    check.refused(vcs.ERR_RANGE, "emulate: fetch: decisions[2].seconds: a number expected, got the string 'x'",
        answering("fetch", { {}, { seconds = "x" } }))
    check.refused(vcs.ERR_COUNT, "emulate: fetch: decisions: a list without holes", answering("fetch", { [2] = {} }))
    check.refused(vcs.ERR_RANGE, "emulate: fetch: summary: a table or a record of fetch_summary expected, got 5",
        answering("fetch", array, 5))
    check.refused(vcs.ERR_RANGE, "emulate: fetch: summary.project: a place in a list",
        answering("fetch", array, { project = 0 }))
    check.refused(vcs.ERR_RANGE, "emulate: send: answer: true or false expected, got 5", answering("send", 5))
    check.refused(vcs.ERR_NULL, "emulate: send: answer: true or false expected, got nil", answering "send")
    check.refused(vcs.ERR_RANGE, "emulate: estimate: answer: a number expected, got the string '1'",
        answering("estimate", "1"))
    check.refused(vcs.ERR_NOT_FINITE, "emulate: ", answering("estimate", 0 / 0))
    check.refused(vcs.ERR_RANGE, "emulate: ", answering("estimate", -1))
end

function tests.more_than_there_is_cannot_run()
    check.refused(vcs.ERR_RANGE, "emulate: schedule runs more tasks than there are instances",
        vcs.emulate(two_projects(), { policy = { schedule = function(situation)
            local decisions = vcs.array("task_decision", #situation.tasks)
            for place = 1, #decisions do
                decisions[place].run = true
            end
            return decisions
        end } }))
end

return tests
