-- SPDX-License-Identifier: MIT
--
--     lua lua_calls.lua LIMIT [SEED]
--
-- LIMIT is a number of batches, of a thousand calls each, or of seconds with an s behind it.
--
-- The Lua module under calls that make no sense: nil and an error, or an error of Lua's, and never the end of the
-- program. LUA_CPATH names the module.

local vcs = require "vcsched"

local seconds, batches, seed = arg[1]:match("^(.+)s$"), tonumber(arg[1]), tonumber(arg[2] or 1)
local huge = math.huge
local numbers = { 0, 1, -1, 2, 3, 7, 64, 65, 65536, 65537, 2 ^ 31, 2 ^ 32 - 1, 2 ^ 32, 2 ^ 53, 2 ^ 63, 2 ^ 64, 0.5,
    -0.5, 1e-9, 1e12, 1e13, 1e30, 1e31, 1e300, huge, -huge, 0 / 0 }
local others = { "", "x", "task", "project", "1", true, false, print, {}, { 1 }, { {} }, { flops = 1 } }
-- What takes as long as it is told to.
local left_out = { emulate = true }

local names = {}
for name, value in pairs(vcs) do
    if type(value) == "function" and not left_out[name] then
        names[#names + 1] = name
    end
end
table.sort(names)

local methods = { "wrr", "wrr_tasks", "wrr_resources", "wrr_project_resources", "edf", "edf_tasks", "edf_resources",
    "schedule", "schedule_tasks", "schedule_resources", "schedule_running", "fetch", "fetch_decisions", "admit",
    "renew" }
local made = {}

local function one_of(list)
    return list[math.random(#list)]
end

local function value()
    local way = math.random(10)
    if way <= 5 then
        return one_of(numbers)
    elseif way <= 7 then
        return one_of(others)
    elseif way == 8 or #made == 0 then
        return { one_of(numbers), one_of(others), remaining = one_of(numbers), id = math.random(5) }
    end
    return one_of(made)
end

local function keep(thing)
    if type(thing) == "table" or type(thing) == "userdata" then
        made[#made < 20 and #made + 1 or math.random(20)] = thing
    end
end

-- A state of a host that makes sense, an array and a record, so that their methods are reached too.
local function prepare()
    local structure = vcs.struct_name(math.random(vcs.TYPE_COUNT - 1))
    keep(vcs.array(structure, math.random(0, 6)))
    keep(vcs.record(structure))
    local tasks = {}
    for i = 1, math.random(0, 6) do
        tasks[i] = { id = i, project = 1, cpus = 1, remaining = 1000 * math.random(), deadline = 1e4 * math.random() }
    end
    keep(vcs.prepare { now = 0, resources = { { flops = 1e9, usable = 1, instances = math.random(8) } },
        projects = { { id = 1, share = 1 } }, tasks = tasks })
end

local function use()
    local thing = #made > 0 and one_of(made)
    if type(thing) == "userdata" then
        local field = one_of { one_of(methods), one_of(methods), "get", "set", "remaining", "id", "share", 1, 5,
            one_of(numbers) }
        if math.random(3) == 1 then
            thing[field] = value()
        else
            local found = thing[field]
            keep(type(found) == "function" and found(thing, value(), value(), value()) or found)
        end
    end
end

local function step()
    local way = math.random(10)
    if way == 1 then
        prepare()
    elseif way <= 4 then
        use()
    else
        keep(vcs[one_of(names)](value(), value(), value(), value(), value()))
    end
end

local function is_enough(done)
    return seconds and os.clock() >= tonumber(seconds) or batches and done >= batches
end

local done, calls, answered = 0, 0, 0
repeat
    io.stderr:write("lua_calls.lua 1 ", seed, "\n")
    math.randomseed(seed)
    made = {}
    for _ = 1, 1000 do
        answered = answered + (pcall(step) and 1 or 0)
        calls = calls + 1
    end
    done = done + 1
    seed = seed + 1
until is_enough(done)
print(calls .. " calls, " .. answered .. " of them without an error of Lua's")
