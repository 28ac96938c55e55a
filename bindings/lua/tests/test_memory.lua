-- SPDX-License-Identifier: MIT
--
-- Memory stays flat over many calls, those that fail among them.

local check = require "check"
local vcs = require "vcsched"

local tests = {}

-- Kilobytes in use after so many rounds.
local function after(rounds, work)
    for round = 1, rounds do
        work(round)
    end
    collectgarbage()
    collectgarbage()
    return collectgarbage "count"
end

local function stays_flat(rounds, work)
    local before = after(rounds / 10, work)
    check.equal(after(rounds, work) < before + 16, true, "memory is flat")
end

function tests.scalar_calls()
    stays_flat(1000000, function(round)
        vcs.wall_seconds(round, 0.5)
    end)
    stays_flat(100000, function()
        vcs.wall_seconds("x", 0.5)
    end)
end

function tests.tables_and_records()
    local average, record = {}, vcs.record "average"
    stays_flat(100000, function(round)
        vcs.average_add(average, 1e-5, round, 1)
        vcs.average_add(record, 1e-5, round, 1)
        vcs.average_add({ value = "x" }, 1e-5, round, 1)
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

return tests
