-- SPDX-License-Identifier: MIT
--
-- A tiny client: a simulated day on two CPUs attached to two projects; Alpha has twice the share of the other.
--
-- Each turn it asks the library which tasks run and whom to ask for work, does so, and lets time pass until there may
-- be something to decide.

local vcs = require "vcsched"

local HOUR, DAY = 3600, 86400
local names = { "Alpha", "Beta" }
local task_hours = { 3, 1 }

local policy = assert(vcs.record("parameters", {
    profile = "current", min_buffer = 2 * HOUR, additional_buffer = HOUR,
}))
local cpu = { flops = 1e9, usable = 1, instances = 2 }
local projects = { { id = 1, share = 2 }, { id = 2, share = 1 } }
local averages = { { time = 0 }, { time = 0 } }
local computed, finished = { 0, 0 }, { 0, 0 }
local tasks, received, now = {}, 0, 0

local function say(what, ...)
    print(("%02d:%02d %s"):format(math.floor(now / HOUR), math.floor(now / 60) % 60, what:format(...)))
end

-- The server of a project: tasks for this many seconds.
local function send(project, seconds)
    while seconds > 0 do
        received = received + 1
        local length = task_hours[project] * HOUR
        tasks[#tasks + 1] = {
            id = received, project = project, cpus = 1, remaining = length, received = now, deadline = now + 2 * DAY,
        }
        seconds = seconds - length
    end
end

local function start_and_stop(decisions)
    for place, decision in ipairs(decisions) do
        local task = tasks[place]
        if vcs.has(decision.flags, vcs.DECISION_START) then
            say("task %d of %s starts: %s", task.id, names[task.project], vcs.reason_sentence(decision.reason))
        end
        if vcs.has(decision.flags, vcs.DECISION_NEW_SLICE) then
            task.running_since = now
        end
        task.flags = decision.run and vcs.TASK_RUNNING + vcs.TASK_STARTED or task.flags and vcs.TASK_STARTED
        task._runs = decision.run
    end
end

-- Asks the library what to do, does it, and returns how long nothing need be decided.
local function decide()
    local state = assert(vcs.prepare {
        now = now, parameters = policy, resources = { cpu }, projects = projects, tasks = tasks,
    })
    assert(state:wrr())
    local schedule = assert(state:schedule(vcs.SCHEDULE_EXPLAIN))
    start_and_stop(state:schedule_tasks())
    local fetch = assert(state:fetch())
    if fetch.project then
        local wanted = state:fetch_decisions()[fetch.project].seconds
        say("%s is asked for work: %.1f CPU hours", names[fetch.project], wanted / HOUR)
        send(fetch.project, wanted)
        return 60
    end
    return math.min(schedule.next_check, fetch.next_check, DAY - now)
end

local function let_pass(seconds)
    local work = { 0, 0 }
    for _, task in ipairs(tasks) do
        if task._runs then
            seconds = math.min(seconds, task.remaining)
        end
    end
    now = now + seconds
    for place = #tasks, 1, -1 do
        local task = tasks[place]
        if task._runs then
            task.remaining = task.remaining - seconds
            work[task.project] = work[task.project] + seconds
            if task.remaining <= 0 then
                finished[task.project] = finished[task.project] + 1
                table.remove(tasks, place)
            end
        end
    end
    for place, project in ipairs(projects) do
        computed[place] = computed[place] + work[place]
        local credits = assert(vcs.credits(work[place] * cpu.flops))
        project.rec = assert(vcs.average_blend(averages[place], credits, policy.rec_half_life, now)).value
    end
end

while now < DAY do
    let_pass(math.max(decide(), 1))
end
for place, name in ipairs(names) do
    print(("%s: %d tasks done, %.1f CPU hours"):format(name, finished[place], computed[place] / HOUR))
end
