-- SPDX-License-Identifier: MIT
--
-- What a call from Lua costs, in nanoseconds, the least of twenty rounds each:
--
--     LUA_CPATH='build/bindings/lua/5.4/?.so' lua5.4 bindings/lua/bench.lua
--     LUA_PATH='bindings/lua/?.lua;build/bindings/lua/?.lua' VCSCHED_LIBRARY=build/lib/libvcsched.so \
--         luajit bindings/lua/bench.lua ffi

local function least(calls, f)
    local best = math.huge
    for _ = 1, 20 do
        local started = os.clock()
        f(calls)
        best = math.min(best, (os.clock() - started) / calls * 1e9)
    end
    return best
end

local function show(what, calls, f)
    print(("%-40s %7.1f ns"):format(what, least(calls, f)))
end

if arg[1] == "ffi" then
    local vcs = require "vcsched_ffi"
    show("an empty loop", 1e7, function(n) for _ = 1, n do end end)
    show("abi_version(), which does nothing", 1e7, function(n) for _ = 1, n do vcs.C.vcs_abi_version() end end)
    show("wall_seconds(number, number)", 1e7, function(n) for i = 1, n do vcs.wall_seconds(i, 0.5) end end)
    os.exit(0)
end

local vcs = require "vcsched"
local wall_seconds, average_add, fmod = vcs.wall_seconds, vcs.average_add, math.fmod
local record, fields = vcs.record "average", { value = 0, time = 0 }
show("an empty loop", 2e5, function(n) for _ = 1, n do end end)
show("math.fmod(number, number)", 2e5, function(n) for i = 1, n do fmod(i, 0.5) end end)
show("wall_seconds(number, number)", 2e5, function(n) for i = 1, n do wall_seconds(i, 0.5) end end)
show("average_add(record, ...)", 2e5, function(n) for i = 1, n do average_add(record, 1e-5, i, 1) end end)
show("average_add(table, ...)", 2e5, function(n) for i = 1, n do average_add(fields, 1e-5, i, 1) end end)
