-- SPDX-License-Identifier: MIT
--
-- Compares a custom work-fetch rule with the built-in ones: whenever the buffer is not full, ask the project that got
-- the least recent processing for its share.
--
--     lua custom_fetch.lua [DAYS]
--
-- Each rule serves the same host and the same jobs: a laptop that is off now and then, and two projects with equal
-- shares, one with short jobs that are due soon and one with long jobs.

local vcs = require "vcsched"

local HOUR, DAY = 3600, 86400
local BUFFER = 6 * HOUR
local days = tonumber(arg and arg[1]) or 50

local function job(hours, latency_bound)
    local flops = hours * HOUR * 1e9
    return { latency_bound = latency_bound, est_flops = flops, mean_flops = flops, sd_flops = flops / 4,
        cpus = 1, weight = 1 }
end

local scenario = {
    resources = { { flops = 1e9, usable = 0.8, instances = 4 } },
    projects = { { id = 1, share = 100 }, { id = 2, share = 100 } },
    apps = { { id = 1, project = 1 }, { id = 2, project = 2 } },
    models = { job(1, 8 * HOUR), job(10, 5 * DAY) },
    emulation = { duration = days * DAY, available = 0.8, available_mean = 4 * HOUR },
}

-- ---- The rule ----

-- CPU seconds that are queued.
local function queued(tasks)
    local seconds = 0
    for place = 1, #tasks do
        seconds = seconds + tasks:get(place, "remaining")
    end
    return seconds
end

-- Projects that asked to be left alone, or had nothing to give, are called later.
local function may_be_asked(situation, project)
    return situation.projects:get(project, "min_rpc_time") <= situation.now
        and situation.project_resources:get(project, "backoff_until") <= situation.now
end

local function least_served(situation)
    local best, least = nil, math.huge
    local projects = situation.projects
    for project = 1, #projects do
        local for_its_share = projects:get(project, "rec") / projects:get(project, "share")
        if for_its_share < least and may_be_asked(situation, project) then
            best, least = project, for_its_share
        end
    end
    local cpu = situation.resources[1]
    local missing = BUFFER * cpu.instances - queued(situation.tasks) / cpu.usable
    -- There is one resource, and so one decision for each project.
    local decisions = vcs.array("fetch_decision", #projects)
    if best and missing > 0 then
        decisions:set(best, "seconds", missing)
        return decisions, { project = best, next_check = 600 }
    end
    return decisions, { next_check = 600 }
end

-- ---- The comparison ----

local function run(work_fetch, fetch)
    return assert(vcs.emulate(scenario, {
        parameters = { profile = "current", work_fetch = work_fetch, min_buffer = BUFFER / 2,
            additional_buffer = BUFFER / 2 },
        policy = { fetch = fetch },
    }))
end

local function show(name, outcome)
    print(("%-14s %7.4f %9.4f %16.4f %14.4f"):format(name, outcome.waste, outcome.idleness,
        outcome.share_violation, outcome.rpcs_per_job))
end

print(("%-14s %7s %9s %16s %14s"):format("work fetch", "waste", "idleness", "share violation", "calls per job"))
for _, name in ipairs { "current", "original", "wf1", "wf2" } do
    show(name, run(name))
end
show("least served", run(nil, least_served))
