-- SPDX-License-Identifier: MIT
--
-- What a function of Lua's costs an emulation under LuaJIT, beyond what it computes: against the same function in C.
--
--     ninja -C build tests/libhooks_in_c.so
--     LUA_CPATH='build/bindings/lua/jit/?.so' LUA_PATH='bindings/lua/?.lua;build/bindings/lua/?.lua' \
--         VCSCHED_LIBRARY=build/lib/libvcsched.so VCEMU_LIBRARY=build/lib/libvcemu.so \
--         luajit bindings/lua/bench/hooks.lua build/tests/libhooks_in_c.so [ROUNDS]
--
-- Both emulate the same and come to the same outcome, call for call. Each figure is the least CPU time of many rounds,
-- the two in turn, so that other work on the machine disturbs both alike, or neither.

local ffi = require "ffi"
local own, bare = require "vcsched", require "vcsched_ffi"
local in_c, rounds = ffi.load(arg[1]), tonumber(arg[2] or 40)
ffi.cdef [[
int run_none(void *, const vcs_situation *, vcs_task_decision *, vcs_schedule_summary *);
int run_first(void *, const vcs_situation *, vcs_task_decision *, vcs_schedule_summary *);
int ask_nobody(void *, const vcs_situation *, const vcs_fetch_question *, vcs_fetch_decision *, vcs_fetch_summary *);
int send_all(void *, const vcs_situation *, uint32_t, vcs_admission *);
int estimate_by_size(void *, const vcs_progress *, uint32_t, double *);
int watch(void *, const vcs_event *);
]]

local DAY = 86400
local records = {
    resources = { { flops = 1e9, usable = 1, instances = 2 } },
    projects = { { id = 0, share = 100 } },
    apps = { { id = 0, project = 1 } },
    models = { { latency_bound = 10 * DAY, est_flops = 1e12, mean_flops = 1e12, cpus = 1, weight = 1 } },
    servers = { { max_in_progress = 4 } },
    emulation = { duration = 20 * DAY },
}

-- ---- The same in Lua ----

local soon = own.record("schedule_summary", { next_check = 600 })
local later = own.record("fetch_summary", { next_check = 600 })
local CASES = {
    { "schedule", "run_none", "that runs nothing", function(situation) return situation.decisions, soon end },
    { "schedule", "run_first", "that runs the first tasks", function(situation)
        local decisions = situation.decisions
        for place = 1, math.min(#decisions, 2) do
            decisions:set(place, "run", true)
        end
        return decisions, soon
    end },
    { "fetch", "ask_nobody", "that asks nobody", function(situation) return situation.decisions, later end },
    { "send", "send_all", "that sends all", function() return true end },
    { "estimate", "estimate_by_size", "by size", function(progress)
        return progress.est_flops * 1e-9 * (1 - progress.fraction_done)
    end },
    { "observe", "watch", "that does nothing", function() end },
}

local function emulation_in_lua(hook, f)
    local options = hook == "observe" and { observe = f } or { policy = { [hook] = f } }
    return function() return assert(own.emulate(records, options)) end
end

-- ---- The same in C ----

local KINDS = {
    resources = "resource", projects = "project", apps = "app", models = "job_model", servers = "server_model",
}

local function emulation_in_c(hook, name)
    local arrays = { host = bare.new("host", 1), emulation = bare.new("emulation", 1) }
    for part, kind in pairs(KINDS) do
        arrays[part] = bare.new(kind, 1)
        for field, value in pairs(records[part][1]) do
            arrays[part][0][field] = value
        end
    end
    arrays.apps[0].project = 0
    local policy, outcome, calls = bare.new "parameters", bare.new "outcome", ffi.new "uint64_t[1]"
    assert(bare.parameters_init(policy, policy.struct_size, bare.PROFILE_CURRENT))
    assert(bare.emulation_init(arrays.emulation, ffi.sizeof "vcs_emulation", bare.PROFILE_CURRENT))
    arrays.emulation[0].duration = records.emulation.duration
    local hooks, scenario = bare.new "hooks", bare.scenario(arrays)
    hooks.context, hooks[hook] = calls, in_c[name]
    return function()
        calls[0] = 0
        assert(bare.emulate(scenario, policy, hooks, outcome, nil, 0, 0, nil, 0, 0))
        return outcome, tonumber(calls[0]), arrays
    end
end

-- ---- Both in turn ----

local function seconds_of(work)
    local started = os.clock()
    work()
    return os.clock() - started
end

print(("%-36s %8s %10s %10s %10s"):format("", "calls", "LuaJIT", "C", "a call"))
for _, case in ipairs(CASES) do
    local hook, name, what, f = case[1], case[2], case[3], case[4]
    local lua, c = emulation_in_lua(hook, f), emulation_in_c(hook, name)
    local ours, theirs, calls = lua(), c()
    assert(ours.flops_used == theirs.flops_used and ours.ended == tonumber(theirs.ended) and
        ours.fetches == tonumber(theirs.fetches) and ours.schedules == tonumber(theirs.schedules))
    local least, alone = math.huge, math.huge
    for _ = 1, rounds do
        least, alone = math.min(least, seconds_of(lua)), math.min(alone, seconds_of(c))
    end
    print(("%-36s %8d %7.2f ms %7.2f ms %7.2f us"):format(hook .. " " .. what, calls, least * 1e3, alone * 1e3,
        (least - alone) / calls * 1e6))
end
