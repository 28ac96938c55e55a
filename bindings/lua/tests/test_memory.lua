-- SPDX-License-Identifier: MIT
--
-- Memory stays flat over many calls, those that fail among them.

local check = require "check"
local vcs = require "vcsched"

local tests = {}

-- Kilobytes in use after this many rounds.
local function after(rounds, work)
    for round = 1, rounds do
        work(round)
    end
    collectgarbage()
    collectgarbage()
    return collectgarbage "count"
end

local function stays_flat(usual, work)
    local rounds = check.rounds(usual)
    local before = after(math.ceil(rounds / 10), work)
    check.equal(after(rounds, work) < before + 16, true, "memory is flat")
end

-- Kilobytes of the whole process, those of the libraries among them; 0 where the system does not tell. A sanitizer,
-- with which VCSCHED_LUA names no interpreter, keeps freed memory for a while, and looks for what is lost by itself.
local function resident()
    local file = os.getenv "VCSCHED_LUA" and io.open "/proc/self/statm"
    local pages = file and file:read "*a":match "%d+ (%d+)" or 0
    if file then
        file:close()
    end
    return tonumber(pages) * 4
end

function tests.scalar_calls()
    stays_flat(100000, function(round)
        vcs.credits(round)
    end)
    stays_flat(10000, function()
        vcs.credits("x")
    end)
end

function tests.tables_and_records()
    local average, record = {}, vcs.record "average"
    stays_flat(20000, function(round)
        vcs.average_add(average, 1, 1e-5, round)
        vcs.average_add(record, 1, 1e-5, round)
        vcs.average_add({ value = "x" }, 1, 1e-5, round)
    end)
end

function tests.states()
    local resources = { { flops = 1e9, usable = 1, instances = 2 } }
    stays_flat(5000, function(round)
        local state = vcs.prepare { now = 0, resources = resources, projects = { { id = 1, share = 1 } },
            tasks = { { id = round, cpus = 1, remaining = 5 } } }
        state:wrr()
        state:wrr_tasks()
        vcs.prepare { now = 0, resources = resources, tasks = { { id = 1 }, { id = 1, cpus = -1 } } }
    end)
end

-- ---- Emulations that end in the middle ----

-- Jobs of some hours, so that a few of them fill the buffer.
local scenario = {
    resources = { { flops = 1e9, usable = 1, instances = 2 } },
    projects = { { id = 1, share = 1 } }, apps = { { id = 1, project = 1 } },
    models = { { latency_bound = 1e6, est_flops = 2e13, mean_flops = 2e13, sd_flops = 5e12, cpus = 1, weight = 1 } },
}

local RUNS = 1000

-- Each run ends at the third call of a function, and the process does not grow.
local function ends_without_a_trace(options_of)
    local function run()
        local calls = 0
        local options = options_of(function()
            calls = calls + 1
            return calls == 3
        end)
        local went_well, outcome = pcall(vcs.emulate, scenario, options)
        check.equal(went_well and outcome, went_well and nil)
        check.equal(calls, 3)
    end
    local function process_grows()
        local before = resident()
        after(check.rounds(RUNS), run)
        return resident() >= before + 1500
    end
    stays_flat(RUNS, run)
    -- What earlier tests left may be moved about now and then; what is lost is lost each time.
    local times = 1
    while process_grows() do
        times = times + 1
        check.equal(times <= 5, true, "the process does not grow each time")
    end
end

function tests.a_function_that_raises_an_error()
    ends_without_a_trace(function(is_time)
        return { observe = function()
            if is_time() then
                error "the third event"
            end
        end }
    end)
    ends_without_a_trace(function(is_time)
        return { policy = { schedule = function(situation)
            if is_time() then
                error { tasks = situation.tasks, state = situation.state }
            end
            assert(situation.state:schedule(vcs.SCHEDULE_EXPLAIN))
            return situation.state:schedule_tasks()
        end } }
    end)
    ends_without_a_trace(function(is_time)
        return { policy = { estimate = function(progress, rule)
            if is_time() then
                coroutine.yield()
            end
            return vcs.estimate_remaining(progress, rule)
        end } }
    end)
end

function tests.a_function_whose_answer_is_refused()
    ends_without_a_trace(function(is_time)
        return { policy = { fetch = function(situation, question)
            if is_time() then
                return { { seconds = "many" } }
            end
            local summary = assert(situation.state:fetch(question))
            return situation.state:fetch_decisions(), summary
        end } }
    end)
    ends_without_a_trace(function(is_time)
        return { policy = { send = function()
            return not is_time() or "no answer"
        end } }
    end)
end

function tests.emulations_that_are_refused()
    local refused = { resources = scenario.resources, projects = scenario.projects, apps = scenario.apps,
        models = { { latency_bound = -1 } } }
    stays_flat(2000, function()
        vcs.emulate(refused)
        vcs.emulate { models = { {}, {} }, sizes = { 1, "x" } }
    end)
end

return tests
