-- SPDX-License-Identifier: MIT
--
-- LuaJIT's ffi: the same bytes as the module, errors, and the check of the layout. Under other Luas there is none.

local check = require "check"

local tests = {}
if not jit or not os.getenv "VCSCHED_LIBRARY" then
    return tests
end

local ffi = require "ffi"
local module = require "vcsched"
local vcs = require "vcsched_ffi"

function tests.numbers_and_errors()
    check.equal(vcs.credits(86400e9), 200)
    check.refused(vcs.ERR_RANGE, "credits:", vcs.credits(-1))
    check.refused(vcs.ERR_NOT_FINITE, "credits:", vcs.credits(0 / 0))
    check.raises("cannot convert", vcs.credits, "x")
    local progress = vcs.new "progress"
    check.refused(vcs.ERR_RANGE, "estimate_remaining: progress: flops",
        vcs.estimate_remaining(progress, vcs.ESTIMATE_BLEND))
end

function tests.records_of_a_state()
    local cpu = vcs.new("resource", 1)
    local policy = vcs.new "parameters"
    assert(vcs.parameters_init(policy, policy.struct_size, vcs.PROFILE_CURRENT))
    local snapshot = vcs.snapshot { host = vcs.new("host", 1), resources = cpu }
    cpu[0].flops, cpu[0].usable = 1e9, 1
    check.refused(vcs.ERR_RANGE, "state_prepare: resource 0: instances is too small",
        vcs.prepare(snapshot, policy, 0))
    cpu[0].instances = 1
    check.equal(type(vcs.prepare(snapshot, policy, 0)), "cdata")
end

function tests.constants_are_those_of_the_module()
    for name, value in pairs(module) do
        if type(value) == "number" then
            check.equal(vcs[name], value, name)
        end
    end
end

local function vectors()
    return assert(io.popen(os.getenv "VCSCHED_VECTORS" .. " 40"))
end

local function bytes_of_word(word)
    return word == "-" and "" or (word:gsub("%x%x", function(digits)
        return string.char(tonumber(digits, 16))
    end))
end

-- The bytes of a case of the vectors, by the name of the line.
local function cases()
    local pipe = vectors()
    local found, case = {}, nil
    for line in pipe:lines() do
        local name, word = line:match "^(%S+) (%S+)$"
        if name == "case" then
            case = {}
            found[#found + 1] = case
        end
        if name and case and not case[name] then
            case[name] = bytes_of_word(word)
        end
    end
    pipe:close()
    return found
end

local function array(name, bytes)
    local made = vcs.new(name, #bytes / ffi.sizeof("vcs_" .. name))
    ffi.copy(made, bytes, #bytes)
    return made
end

local function bytes_of(cdata)
    return ffi.string(cdata, ffi.sizeof(cdata))
end

local function compare(case)
    local records = {
        host = array("host", case.host), resources = array("resource", case.resources),
        projects = array("project", case.projects), project_resources = array("project_resource",
            case.project_resources),
        apps = array("app", case.apps), app_resources = array("app_resource", case.app_resources),
        tasks = array("task", case.tasks), candidates = array("task", case.candidates),
        hours = array("hour", case.hours),
    }
    local parameters, now = array("parameters", case.parameters), ffi.new("double[1]")
    ffi.copy(now, case.now, 8)
    local state, memory = assert(vcs.prepare(vcs.snapshot(records), parameters, now[0]))
    local summary = vcs.new "wrr_summary"
    assert(vcs.wrr(state, summary))
    check.equal(bytes_of(summary), case.wrr, "wrr")
    local forecasts = vcs.new("task_forecast", vcs.count(records.tasks))
    assert(vcs.wrr_tasks(state, vcs.array(forecasts)))
    check.equal(bytes_of(forecasts), case.wrr_tasks, "wrr_tasks")
    assert(vcs.edf(state, vcs.EDF_MISSED, vcs.new "edf_summary"))
    local decided = vcs.new "schedule_summary"
    assert(vcs.schedule(state, vcs.SCHEDULE_EXPLAIN, decided))
    check.equal(bytes_of(decided), case.schedule, "schedule")
    local fetched = vcs.new "fetch_summary"
    assert(vcs.fetch(state, nil, fetched))
    check.equal(bytes_of(fetched), case.fetch, "fetch")
    check.equal(memory ~= nil, true)
end

function tests.the_same_bytes_as_c()
    local all = cases()
    check.equal(#all, 40)
    for _, case in ipairs(all) do
        compare(case)
    end
end

local KINDS = { "vcs_host", "vcs_resource", "vcs_project", "vcs_app", "vcs_task", "vcs_emulation", "vcs_job_model",
    "vcs_server_model", "double", "double" }
local MEMBERS = { "host", "resources", "projects", "apps", "tasks", "emulation", "models", "servers", "sizes",
    "switches" }

-- The emulation of a line of the vectors: does it come out as in C?
local function compare_emulation(words)
    local records = {}
    for place, kind in ipairs(KINDS) do
        local bytes = words[place + 1]
        local made = ffi.new(kind .. "[?]", #bytes / ffi.sizeof(kind))
        ffi.copy(made, bytes, #bytes)
        records[MEMBERS[place]] = made
    end
    local parameters, outcome = array("parameters", words[12]), vcs.new "outcome"
    local count = vcs.count(records.projects)
    local outcomes = vcs.new("project_outcome", count)
    assert(vcs.emulate(vcs.scenario(records), parameters, nil, outcome, vcs.array(outcomes), nil))
    check.same_bytes(bytes_of(outcome), words[13], "outcome")
    check.same_bytes(bytes_of(outcomes), words[14], "outcomes of the projects")
end

function tests.emulations()
    local compared = 0
    local pipe = vectors()
    for line in pipe:lines() do
        local words = {}
        if line:find "^emulate " then
            for word in line:gmatch "%S+" do
                words[#words + 1] = #words == 0 and word or bytes_of_word(word)
            end
            compare_emulation(words)
            compared = compared + 1
        end
    end
    pipe:close()
    check.equal(compared, 8)
    local scenario = vcs.scenario {}
    check.refused(vcs.ERR_COUNT, "emulate:",
        vcs.emulate(scenario, vcs.new "parameters", nil, vcs.new "outcome", nil, nil))
end

return tests
