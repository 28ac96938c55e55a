-- SPDX-License-Identifier: MIT
--
-- What a call costs from Lua: the least of several hundred short rounds, so that a busy machine disturbs little.
-- tests/bench_calls.c measures the same without Lua.
--
--     LUA_CPATH='build/bindings/lua/5.4/?.so' lua5.4 bindings/lua/bench.lua
--     LUA_PATH='bindings/lua/?.lua;build/bindings/lua/?.lua' VCSCHED_LIBRARY=build/lib/libvcsched.so \
--         VCEMU_LIBRARY=build/lib/libvcemu.so luajit bindings/lua/bench.lua ffi

-- The nanoseconds of one of `calls` calls in a round.
local function least(calls, rounds, f)
    local best = math.huge
    for _ = 1, rounds do
        local started = os.clock()
        f(calls)
        best = math.min(best, os.clock() - started)
    end
    return best / calls * 1e9
end

local function show(what, calls, f)
    print(("%-44s %12.1f ns"):format(what, least(calls, 500, f)))
end

-- Emulations take longer, so there are fewer rounds.
local function show_emulation(what, f)
    print(("%-44s %12.0f us"):format(what, least(1, 15, f) / 1e3))
end

-- The host of bench_calls.c: two projects with jobs of three and of twenty hours on four CPUs.
local function records()
    return {
        host = { {} },
        resources = { { flops = 1e9, usable = 0.8, instances = 4 } },
        projects = { { id = 1, share = 100 }, { id = 2, share = 100 } },
        apps = { { id = 1 }, { id = 2 } },
        models = {
            { latency_bound = 40000, est_flops = 1e13, mean_flops = 1e13, sd_flops = 3e12, cpus = 1, weight = 1 },
            { latency_bound = 500000, est_flops = 8e13, mean_flops = 8e13, sd_flops = 2e13, cpus = 1, weight = 1 },
        },
    }
end

local function with_ffi()
    local ffi = require "ffi"
    local vcs = require "vcsched_ffi"
    local out = ffi.new "double[1]"
    show("an empty loop", 1e5, function(n) for _ = 1, n do end end)
    show("C.vcs_abi_version()", 1e5, function(n) for _ = 1, n do vcs.C.vcs_abi_version() end end)
    show("C.vcs_credits(number, out)", 1e5, function(n)
        for i = 1, n do vcs.C.vcs_credits(i, out) end
    end)
    show("credits(number)", 1e5, function(n) for i = 1, n do vcs.credits(i) end end)

    local arrays = {}
    local kinds = { host = "host", resources = "resource", projects = "project", apps = "app", models = "job_model" }
    for name, list in pairs(records()) do
        arrays[name] = vcs.new(kinds[name], #list)
        for place, fields in ipairs(list) do
            for field, value in pairs(fields) do
                arrays[name][place - 1][field] = value
            end
        end
    end
    arrays.apps[1].project = 1
    arrays.emulation = vcs.new("emulation", 1)
    assert(vcs.emulation_init(arrays.emulation, ffi.sizeof "vcs_emulation", vcs.PROFILE_CURRENT))
    local policy, outcome = vcs.new "parameters", vcs.new "outcome"
    assert(vcs.parameters_init(policy, policy.struct_size, vcs.PROFILE_CURRENT))
    local scenario = vcs.scenario(arrays)
    show_emulation("emulate, 100 days", function()
        assert(vcs.emulate(scenario, policy, nil, outcome, nil, 0, 0, nil, 0, 0))
    end)
end

local function with_module()
    local vcs = require "vcsched"
    local credits, average_add, fmod = vcs.credits, vcs.average_add, math.fmod
    local record, fields = vcs.record "average", { value = 0, time = 0 }
    show("an empty loop", 1e4, function(n) for _ = 1, n do end end)
    show("math.fmod(number, number)", 1e4, function(n) for i = 1, n do fmod(i, 0.5) end end)
    show("credits(number)", 1e4, function(n) for i = 1, n do credits(i) end end)
    show("average_add(record, ...)", 5e3, function(n) for i = 1, n do average_add(record, 1, 1e-5, i) end end)
    show("average_add(table, ...)", 5e3, function(n) for i = 1, n do average_add(fields, 1, 1e-5, i) end end)

    local scenario = records()
    scenario.host = nil
    scenario.apps[2].project = 2
    local function emulate(options)
        return function() assert(vcs.emulate(scenario, options)) end
    end
    show_emulation("emulate, 100 days", emulate())
    show_emulation("  with an observer that does nothing", emulate { observe = function() end })
    show_emulation("  with estimates by Lua", emulate { policy = { estimate = function(progress)
        return progress.est_flops / progress.flops * (1 - progress.fraction_done)
    end } })
    show_emulation("  with the library's fetch, called from Lua", emulate { policy = {
        fetch = function(situation, question)
            local summary = assert(situation.state:fetch(question))
            return situation.state:fetch_decisions(), summary
        end,
    } })
    scenario.emulation = { duration = 0.001 }
    show_emulation("emulate, a millisecond: tables in and out", emulate())
end

if arg[1] == "ffi" then
    with_ffi()
else
    with_module()
end
