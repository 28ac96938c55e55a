-- SPDX-License-Identifier: MIT
--
-- With a library of another version: a newer one works, an older one is refused. VCSCHED_OTHER is a library that makes
-- ours look so, and VCSCHED_LUA the interpreter.

local check = require "check"

local tests = {}

local vcs = require "vcsched"

local preloading = "LD_PRELOAD=%s VCSCHED_LIBRARY=%s VCEMU_LIBRARY=%s %s -e '%s' 2>&1"

local function answer_of(command)
    local pipe = assert(io.popen(command))
    local answer = pipe:read "*a"
    pipe:close()
    return answer
end

local arithmetic = os.getenv "OTHER_ARITHMETIC_LIBRARY"
if arithmetic then
    local function loaded(module, how)
        return answer_of(("OTHER_ARITHMETIC=%s "):format(how) .. preloading:format(arithmetic,
            os.getenv "VCSCHED_LIBRARY", os.getenv "VCEMU_LIBRARY", os.getenv "VCSCHED_LUA",
            ('print(require "%s".VERSION_MAJOR)'):format(module)))
    end

    for _, module in ipairs { "vcsched", jit and "vcsched_ffi" } do
        tests["where_numbers_are_rounded_otherwise_it_cannot_be_loaded: " .. module] = function()
            local answer = loaded(module, "upward")
            local expected = "libvcsched decides otherwise here than elsewhere: rounding is not to nearest"
            check.equal(answer:find(expected, 1, true) ~= nil, true, answer)
        end

        tests["where_denormal_numbers_are_flushed_it_works: " .. module] = function()
            check.equal(loaded(module, "flush"), ("%d\n"):format(vcs.VERSION_MAJOR))
        end
    end
end

local function ask(more, script, type)
    local other = os.getenv "VCSCHED_OTHER"
    return answer_of(("OTHER_LIBRARY=%d OTHER_TYPE=%d "):format(more, type or vcs.TYPE_TASK) ..
        preloading:format(other, other, other, os.getenv "VCSCHED_LUA", script))
end

if os.getenv "VCSCHED_OTHER" then
    local prepare = [[
        local vcs = require "vcsched"
        local state = assert(vcs.prepare { now = 0, resources = { { flops = 1e9, usable = 1, instances = 1 } },
            projects = { { id = 1 } }, tasks = { { cpus = 1, remaining = 60, deadline = 1e9 } } })
        state:wrr()
        print(vcs.emulator_struct_size(vcs.TYPE_TASK), state:wrr_tasks()[1].finish)]]

    function tests.a_newer_library_works()
        check.equal(ask(8, prepare):match "%d+%s+60" ~= nil, true)
        check.equal(ask(8, prepare):match "^%d+", "136")
    end

    function tests.an_older_library_is_refused_with_a_sentence()
        check.equal(ask(-8, 'require "vcsched"'):find("it is older: its vcs_task has 120 bytes, not 128", 1, true)
            ~= nil, true)
    end

    function tests.an_older_emulator_is_refused_too()
        local answer = ask(-8, 'require "vcsched"', vcs.TYPE_OUTCOME)
        check.equal(answer:match "libvcsched %d[%w.-]+ does not fit this module" ~= nil, true, answer)
        check.equal(answer:match "it is older: its vcs_outcome has %d+ bytes, not %d+" ~= nil, true, answer)
    end

    function tests.a_newer_emulator_works()
        local emulate = [[
            local vcs = require "vcsched"
            local outcome = assert(vcs.emulate { resources = { { flops = 1, usable = 1, instances = 1 } },
                emulation = { duration = 100 } })
            print(vcs.emulator_struct_size(vcs.TYPE_OUTCOME), outcome.available_time)]]
        local size = vcs.emulator_struct_size(vcs.TYPE_OUTCOME)
        check.equal(ask(8, emulate, vcs.TYPE_OUTCOME):match "^%d+%s+100" ~= nil, true)
        check.equal(ask(8, emulate, vcs.TYPE_OUTCOME):match "^%d+", tostring(size + 8))
    end

    function tests.the_ffi_refuses_them_too()
        if jit then
            local answer = ask(-8, 'require "vcsched_ffi"')
            check.equal(answer:find("it is older: its vcs_task has 120 bytes, not 128", 1, true) ~= nil, true)
            answer = ask(-8, 'require "vcsched_ffi"', vcs.TYPE_OUTCOME)
            check.equal(answer:match "it is older: its vcs_outcome has %d+ bytes, not %d+" ~= nil, true, answer)
        end
    end
end

return tests
