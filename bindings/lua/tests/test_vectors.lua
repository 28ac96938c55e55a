-- SPDX-License-Identifier: MIT
--
-- The same cases through C and through Lua give the same bytes. VCSCHED_VECTORS names the program that prints them.

local check = require "check"
local vcs = require "vcsched"

local tests = {}

-- As many as there are kinds of cases, at least.
local CASES = math.max(10, check.rounds(60))
local INPUTS = { host = "host", resources = "resource", projects = "project", project_resources = "project_resource",
    apps = "app", app_resources = "app_resource", hours = "hour",
    tasks = "task", candidates = "task", parameters = "parameters" }
local READERS = { wrr_tasks = "task_forecast", wrr_resources = "resource_forecast",
    wrr_project_resources = "project_resource_forecast",
    edf_tasks = "edf_task", edf_resources = "edf_resource", schedule_tasks = "task_decision",
    schedule_resources = "resource_decision", fetch_decisions = "fetch_decision" }
local OPTIONS = { edf = vcs.EDF_MISSED, schedule = vcs.SCHEDULE_EXPLAIN }
local SUMMARIES = { wrr = "wrr_summary", edf = "edf_summary", schedule = "schedule_summary", fetch = "fetch_summary" }

local function bytes_of(word)
    return word == "-" and "" or (word:gsub("%x%x", function(digits)
        return string.char(tonumber(digits, 16))
    end))
end

-- A double or a uint32_t, through a record that begins with one.
local function number_of(bytes)
    if #bytes == 8 then
        return vcs.array("average", bytes .. ("\0"):rep(24))[1].value
    end
    return vcs.array("ballot_verdict", bytes .. ("\0"):rep(20))[1].verdict
end

local function one(kind, bytes)
    return vcs.array(kind, bytes)[1]
end

-- What the lines are about whose name is not that of a decision or of something it is made from.
local SUBJECTS = { average_blend = "kernels", backoff = "kernels", estimate_remaining = "kernels",
    emulate = "emulations" }

-- The lines about each subject.
local all_lines

local function read_lines()
    local program = assert(os.getenv "VCSCHED_VECTORS", "VCSCHED_VECTORS names no program")
    local pipe = assert(io.popen(program .. " " .. CASES))
    all_lines = { decisions = {}, kernels = {}, emulations = {} }
    for line in pipe:lines() do
        table.insert(all_lines[SUBJECTS[line:match "%S+"] or "decisions"], line)
    end
    pipe:close()
end

-- The words of each line about a subject: a name, and bytes.
local function lines(subject)
    if not all_lines then
        read_lines()
    end
    local place = 0
    return function()
        place = place + 1
        local line, words = all_lines[subject][place], {}
        if not line then
            return nil
        end
        for word in line:gmatch "%S+" do
            words[#words + 1] = #words == 0 and word or bytes_of(word)
        end
        return words
    end
end

-- Records as arrays, which the library reads where they are, or as lists of tables.
local function prepare(inputs, as_tables)
    local arguments = { now = number_of(inputs.now) }
    for name, kind in pairs(INPUTS) do
        local array = assert(vcs.array(kind, inputs[name]))
        local value = (name == "host" or name == "parameters") and array[1] or array
        arguments[name] = as_tables and vcs.totable(value) or value
    end
    return assert(vcs.prepare(arguments))
end

local function answer(state, name, size, asked)
    if READERS[name] then
        local array = vcs.array(READERS[name], size / vcs.struct_size(vcs["TYPE_" .. READERS[name]:upper()]))
        local tables = assert(state[name](state))
        assert(state[name](state, array))
        check.equal(vcs.bytes(vcs.array(READERS[name], tables)), vcs.bytes(array), name .. " as tables")
        return vcs.bytes(array)
    elseif name == "admit" then
        return vcs.bytes(vcs.record("admission", assert(state:admit(asked))))
    end
    local summary = assert(state[name](state, OPTIONS[name]))
    return vcs.bytes(vcs.record(SUMMARIES[name], summary))
end

local function compare(as_tables)
    local inputs, state, admitted, compared = {}, nil, 0, 0
    for words in lines "decisions" do
        local name = words[1]
        if name == "case" then
            inputs, state, admitted = {}, nil, 0
        elseif INPUTS[name] or name == "now" then
            inputs[name] = words[2]
        elseif READERS[name] or SUMMARIES[name] or name == "admit" then
            state = state or prepare(inputs, as_tables)
            admitted = name == "admit" and admitted + 1 or 0
            check.equal(answer(state, name, #words[2], admitted), words[2], name)
            compared = compared + 1
        end
    end
    check.equal(compared > 12 * CASES, true, "enough was compared")
end

function tests.decisions_from_arrays()
    compare(false)
end

function tests.decisions_from_tables()
    compare(true)
end

function tests.kernels()
    local compared = 0
    for words in lines "kernels" do
        local name, record = words[1], words[2]
        if name == "average_blend" then
            local average, arguments = one("average", record), {}
            for place = 1, 3 do
                arguments[place] = number_of(words[3]:sub(8 * place - 7, 8 * place))
            end
            assert(vcs.average_blend(average, arguments[3], arguments[1], arguments[2]))
            check.equal(vcs.bytes(vcs.record("average", vcs.totable(average))), words[4], name)
            compared = compared + 1
        elseif name == "backoff" then
            local wait = vcs.backoff(number_of(words[3]), one("backoff_range", record), number_of(words[4]))
            check.equal(wait, number_of(words[5]), name)
            compared = compared + 1
        elseif name == "estimate_remaining" then
            local seconds = vcs.estimate_remaining(one("progress", record), number_of(words[3]))
            check.equal(seconds, number_of(words[4]), name)
            compared = compared + 1
        end
    end
    check.equal(compared, 3 * CASES)
end

-- ---- Emulations ----

local MEMBERS = { "host", "resources", "projects", "apps", "tasks", "emulation", "models", "servers", "sizes",
    "switches", "parameters", "outcome", "outcomes", "events" }
local KINDS = { host = "host", resources = "resource", projects = "project", apps = "app", tasks = "task",
    emulation = "emulation", models = "job_model", servers = "server_model", parameters = "parameters" }

local function numbers_of(bytes)
    local numbers = {}
    for place = 1, #bytes, 8 do
        numbers[#numbers + 1] = number_of(bytes:sub(place, place + 7))
    end
    return numbers
end

-- What goes into an emulation and what came out of it in C, by name.
local function emulations()
    local all = {}
    for words in lines "emulations" do
        local case = {}
        for place, name in ipairs(MEMBERS) do
            case[name] = words[place + 1]
        end
        all[#all + 1] = case
    end
    return all
end

local function scenario_of(case, as_tables)
    local scenario = { sizes = numbers_of(case.sizes), switches = numbers_of(case.switches) }
    for name, kind in pairs(KINDS) do
        local array = assert(vcs.array(kind, case[name]))
        local single = name == "host" or name == "emulation" or name == "parameters"
        local value = single and array[1] or array
        scenario[name] = as_tables and vcs.totable(value) or value
    end
    local parameters = scenario.parameters
    scenario.parameters = nil
    return scenario, parameters
end

local function emulate(case, as_tables)
    local scenario, parameters = scenario_of(case, as_tables)
    local events = {}
    local outcome, outcomes = assert(vcs.emulate(scenario, {
        parameters = parameters,
        observe = function(event) events[#events + 1] = vcs.bytes(vcs.record("event", event)) end,
    }))
    check.same_bytes(vcs.bytes(vcs.record("outcome", outcome)), case.outcome, "outcome")
    check.same_bytes(vcs.bytes(vcs.array("project_outcome", outcomes)), case.outcomes, "outcomes of the projects")
    check.same_bytes(table.concat(events), case.events, "events")
end

function tests.emulations()
    local all = emulations()
    for _, case in ipairs(all) do
        emulate(case, false)
        emulate(case, true)
    end
    check.equal(#all, CASES / 5)
end

-- A policy that asks the library is the library's own. A fetch of one's own takes the place of sessions: so none here.
function tests.the_library_as_a_policy_in_lua()
    for _, case in ipairs(emulations()) do
        local scenario, parameters = scenario_of(case, true)
        if parameters.work_fetch == "sessions" or parameters.work_fetch == vcs.WORK_FETCH_SESSIONS then
            parameters.work_fetch = vcs.WORK_FETCH_CURRENT
        end
        local expected = assert(vcs.emulate(scenario, { parameters = parameters }))
        local outcome = assert(vcs.emulate(scenario, { parameters = parameters, policy = {
            schedule = function(situation)
                local summary = assert(situation.state:schedule(vcs.SCHEDULE_EXPLAIN))
                return assert(situation.state:schedule_tasks()), summary
            end,
            fetch = function(situation, question)
                if parameters.discipline == "sliced" or parameters.discipline == vcs.DISCIPLINE_SLICED then
                    assert(situation.state:schedule(vcs.SCHEDULE_RUNNING)) -- so that it asks for what that leaves idle
                end
                local summary = assert(situation.state:fetch(question))
                return assert(situation.state:fetch_decisions()), summary
            end,
            estimate = function(progress, rule) return assert(vcs.estimate_remaining(progress, rule)) end,
        } }))
        check.same_bytes(vcs.bytes(vcs.record("outcome", outcome)), vcs.bytes(vcs.record("outcome", expected)),
            "outcome")
    end
end

return tests
