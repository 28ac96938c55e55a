-- SPDX-License-Identifier: MIT
--
-- What is refused, and that the message names the argument.

local check = require "check"
local vcs = require "vcsched"

local tests = {}
local huge, nan = math.huge, 0 / 0

local function with_task(task)
    return vcs.prepare {
        now = 0, resources = { { flops = 1e9, usable = 1, instances = 1 } }, projects = { { id = 1 } },
        tasks = { task },
    }
end

function tests.numbers()
    check.refused(vcs.ERR_RANGE, "credits: operations: a number expected, got the string '1'", vcs.credits("1"))
    check.refused(vcs.ERR_NULL, "credits: operations: a number expected, got nil", vcs.credits())
    check.refused(vcs.ERR_RANGE, "operations: a number expected, got a table", vcs.credits {})
    check.refused(vcs.ERR_NULL, "average_add: now: a number expected, got nil", vcs.average_add({}, 1, 1e-5))
    check.refused(vcs.ERR_NOT_FINITE, "credits:", vcs.credits(nan))
    check.refused(vcs.ERR_RANGE, "credits:", vcs.credits(1e300))
    check.refused(vcs.ERR_RANGE, "passed: a whole number", vcs.credibility(-1, 0.1))
    check.refused(vcs.ERR_RANGE, "passed: a whole number", vcs.credibility(1.5, 0.1))
    check.refused(vcs.ERR_RANGE, "passed: a whole number", vcs.credibility(1e300, 0.1))
    check.refused(vcs.ERR_RANGE, "valid: true or false", vcs.quota_judge({}, 2))
end

function tests.fields_of_a_record()
    check.refused(vcs.ERR_RANGE, "tasks[1].cpus: a number expected, got the string '1'", with_task { cpus = "1" })
    check.refused(vcs.ERR_RANGE, "tasks[1].flags: a whole number", with_task { flags = 0.5 })
    check.refused(vcs.ERR_RANGE, "tasks[1].flags: a whole number", with_task { flags = 2 ^ 32 })
    check.refused(vcs.ERR_RANGE, "tasks[1].flags: a whole number", with_task { flags = nan })
    check.refused(vcs.ERR_RANGE, "tasks[1].id: a whole number", with_task { id = -1 })
    check.refused(vcs.ERR_RANGE, "tasks[1].id: a whole number", with_task { id = 1e300 })
    check.refused(vcs.ERR_RANGE, "tasks[1].id: a whole number", with_task { id = "7" })
    check.refused(vcs.ERR_RANGE, "tasks[1].id: a whole number", with_task { id = "99999999999999999999" })
    check.refused(vcs.ERR_RANGE, "tasks[1].project: a place in a list", with_task { project = 0 })
    check.refused(vcs.ERR_INDEX, "task[1]: project", with_task { project = 2 })
    check.refused(vcs.ERR_NOT_FINITE, "task[1]: remaining", with_task { remaining = nan })
    check.refused(vcs.ERR_RANGE, "task[1]: remaining", with_task { remaining = 1e300 })
    check.refused(vcs.ERR_FLAGS, "tasks[1]: task has no field 'dedline'", with_task { dedline = 5 })
    check.refused(vcs.ERR_FLAGS, "tasks[1]: task has fields with names, not 1", with_task { 5 })
    check.equal(type(with_task { _note = "the caller's own", cpus = 1, remaining = 1 }), "userdata")
end

function tests.lists()
    local cpu = { flops = 1e9, usable = 1, instances = 1 }
    local function with(resources)
        return vcs.prepare { now = 0, resources = resources }
    end
    check.refused(vcs.ERR_COUNT, "resources: a list without holes expected", with { cpu, nil, cpu })
    check.refused(vcs.ERR_COUNT, "resources: a list without holes expected; it has the key", with { [2] = cpu })
    check.refused(vcs.ERR_COUNT, "it has the key the string 'n'", with { cpu, n = 1 })
    check.refused(vcs.ERR_COUNT, "it has the key 1.5", with { cpu, [1.5] = cpu })
    check.refused(vcs.ERR_RANGE, "resources[2]: a table or a record of resource expected, got 5", with { cpu, 5 })
    check.refused(vcs.ERR_RANGE, "resources: a list or an array of resource expected, got 5", with(5))
    check.refused(vcs.ERR_RANGE, "resources: a list or an array of resource expected", with(vcs.array("task", 1)))
end

function tests.named_arguments()
    check.refused(vcs.ERR_NULL, "prepare: arguments: a table expected, got nil", vcs.prepare())
    check.refused(vcs.ERR_NULL, "prepare: now: a number expected, got nil", vcs.prepare {})
    check.refused(vcs.ERR_FLAGS, "prepare: arguments: the string 'task' is none of now, host, resources, " ..
        "projects, project_resources, apps, app_resources, hours, tasks, candidates, parameters",
        vcs.prepare { now = 0, task = {} })
    check.refused(vcs.ERR_RANGE, "host: a table or a record of host", vcs.prepare { now = 0, host = 5 })
end

function tests.choices()
    local profiles = "parameters.profile: one of rpc2003, study2007, current, steady expected, got "
    local function with(parameters)
        return vcs.prepare {
            now = 0, resources = { { flops = 1e9, usable = 1, instances = 1 } }, parameters = parameters,
        }
    end
    check.refused(vcs.ERR_RANGE, profiles .. "the string 'currnt'", with { profile = "currnt" })
    check.refused(vcs.ERR_RANGE, profiles .. "1.5", with { profile = 1.5 })
    check.refused(vcs.ERR_FLAGS, profiles .. "99", with { profile = 99 })
    check.refused(vcs.ERR_RANGE, "prepare: parameters.estimate: one of static, blend, study, deployed expected, got " ..
        "the string 'mixed'", with { estimate = "mixed" })
    check.refused(vcs.ERR_RANGE, "parameters.use_dcf: one of no, yes, mean expected, got the string 'maybe'",
        with { use_dcf = "maybe" })
    check.refused(vcs.ERR_RANGE, "parameters.keep_running: true or false expected, got the string 'maybe'",
        with { keep_running = "maybe" })
    check.refused(vcs.ERR_RANGE, "parameters.max_runnable: a whole number from 0 to 4294967295 expected",
        with { max_runnable = "many" })
    check.raises("parameters.estimate: one of static, blend, study, deployed expected, got the string 'mixed'",
        function() vcs.record("parameters").estimate = "mixed" end)
    check.equal(type(with { profile = "steady", estimate = "static", keep_running = "yes" }), "userdata")
end

-- How much memory a state takes cannot be computed for these, but what is wrong with them is said.
function tests.records_of_a_state()
    local function with(arguments)
        arguments.now = 0
        return vcs.prepare(arguments)
    end
    check.refused(vcs.ERR_RANGE, "prepare: resource[1]: instances is too small",
        with { resources = { { flops = 1e9, usable = 1, instances = 0 } } })
    check.refused(vcs.ERR_RANGE, "prepare: resource[2]: instances is too large", with { resources = {
        { flops = 1e9, usable = 1, instances = 1 }, { flops = 1e9, usable = 1, instances = 2 ^ 32 - 1 } } })
    check.refused(vcs.ERR_COUNT, "prepare: resource", with {})
end

function tests.structs()
    check.refused(vcs.ERR_NULL, "average: a table or a record of average expected, got nil",
        vcs.average_add(nil, 1, 1e-5, 0))
    check.refused(vcs.ERR_RANGE, "average: a table or a record of average",
        vcs.average_add(vcs.record("task"), 1, 1e-5, 0))
    check.refused(vcs.ERR_RANGE, "session: a table", vcs.rpc_next(5, {}, {}, {}))
    check.refused(vcs.ERR_RANGE, "projects[1].timer: a table expected, got 5",
        vcs.rpc_next({}, { { timer = 5 } }, {}, {}))
    check.refused(vcs.ERR_RANGE, "projects[1].timer.failures: a whole number",
        vcs.rpc_next({}, { { timer = { failures = -1 } } }, {}, {}))
end

function tests.a_refused_call_changes_nothing()
    local average = { value = 5, time = 7 }
    check.refused(vcs.ERR_NOT_FINITE, "average_add", vcs.average_add(average, 1, 1e-5, nan))
    check.equal(average.value, 5)
    check.equal(average.time, 7)
    check.equal(average.reserved, nil)
end

function tests.arrays()
    check.refused(vcs.ERR_INDEX, "type: 'tusk' is no struct", vcs.array("tusk", 1))
    check.refused(vcs.ERR_INDEX, "type: 'snapshot' is no struct", vcs.array("snapshot", 1))
    check.refused(vcs.ERR_RANGE, "type: a string expected", vcs.array(5, 1))
    check.refused(vcs.ERR_NULL, "count: a whole number", vcs.array("task"))
    check.refused(vcs.ERR_RANGE, "count: a whole number", vcs.array("task", -1))
    check.refused(vcs.ERR_RANGE, "count: a whole number", vcs.array("task", huge))
    check.refused(vcs.ERR_OVERFLOW, "count: too many", vcs.array("task", 4294967295))
    local multiple = ("bytes: a multiple of %d bytes"):format(vcs.struct_size(vcs.TYPE_TASK))
    check.refused(vcs.ERR_ABI_SIZE, multiple, vcs.array("task", "short"))
    local array = vcs.array("task", 2)
    check.raises("a place from 1 to 2 expected, got 3", function() array[3] = {} end)
    check.raises("a place from 1 to 2 expected, got the string 'x'", function() array.x = {} end)
    check.raises("task: a table or a record of task expected, got 5", function() array[1] = 5 end)
    check.raises("task has no field called the string 'dedline'", function() return array[1].dedline end)
    check.raises("task has no field called the string 'reserved'", function() array[1].reserved = 0 end)
    check.raises("task.cpus: a number expected, got the string '1'", function() array[1].cpus = "1" end)
    check.raises("task[2].cpus: a number expected, got nil", function() array:set(2, "cpus") end)
    check.raises("an array or a record of vcsched expected, got table", function() vcs.bytes {} end)
end

function tests.objects_of_another_kind()
    local state = assert(with_task { cpus = 1, remaining = 1 })
    check.refused(vcs.ERR_NULL, "state: what vcsched.prepare() returns expected, got nil", state.wrr())
    check.refused(vcs.ERR_RANGE, "state: what vcsched.prepare() returns", state.wrr(io.stdout))
    check.refused(vcs.ERR_RANGE, "state: what vcsched.prepare() returns", state.wrr(vcs.dispatch {}))
    check.equal(getmetatable(state), "vcsched")
end

-- ---- What emulate() is given ----

-- A valid scenario, except for what `change` does to it.
local function emulate_with(change, options)
    local scenario = {
        resources = { { flops = 1, usable = 1, instances = 1 } },
        projects = { { id = 1, share = 1 } }, apps = { { id = 1, project = 1 } },
        models = { { latency_bound = 1e6, est_flops = 10, mean_flops = 10, cpus = 1, weight = 1 } },
        emulation = { duration = 100 },
    }
    change(scenario)
    return vcs.emulate(scenario, options)
end

function tests.arguments_of_an_emulation()
    check.equal(type(emulate_with(function() end)), "table")
    check.refused(vcs.ERR_NULL, "emulate: scenario: a table expected, got nil", vcs.emulate())
    check.refused(vcs.ERR_RANGE, "emulate: scenario: a table expected, got 5", vcs.emulate(5))
    check.refused(vcs.ERR_RANGE, "emulate: scenario: a table expected, got a userdata",
        vcs.emulate(vcs.record "emulation"))
    check.refused(vcs.ERR_RANGE, "emulate: options: a table expected, got 5", vcs.emulate({}, 5))
    check.refused(vcs.ERR_FLAGS, "emulate: scenario: the string 'candidates' is none of host, resources",
        vcs.emulate { candidates = {} })
    check.refused(vcs.ERR_FLAGS, "emulate: scenario: 1 is none of host, resources", vcs.emulate { 5 })
    check.refused(vcs.ERR_FLAGS, "emulate: options: the string 'polcy' is none of parameters, policy, observe",
        vcs.emulate({}, { polcy = {} }))
    check.refused(vcs.ERR_FLAGS, "emulate: policy: the string 'shedule' is none of schedule, fetch, send, estimate",
        vcs.emulate({}, { policy = { shedule = print } }))
    check.refused(vcs.ERR_RANGE, "emulate: policy: a table expected, got a function",
        vcs.emulate({}, { policy = print }))
    check.refused(vcs.ERR_RANGE, "emulate: fetch: a function expected, got a table",
        emulate_with(function() end, { policy = { fetch = {} } }))
    check.refused(vcs.ERR_RANGE, "emulate: observe: a function expected, got true",
        emulate_with(function() end, { observe = true }))
    check.refused(vcs.ERR_RANGE, "emulate: parameters.min_buffer: a number expected, got the string 'x'",
        emulate_with(function() end, { parameters = { min_buffer = "x" } }))
    check.refused(vcs.ERR_NOT_FINITE, "emulate: parameters: min_buffer",
        emulate_with(function() end, { parameters = { min_buffer = nan } }))
end

function tests.numbers_of_an_emulation()
    local function emulation(name, value)
        return emulate_with(function(scenario) scenario.emulation[name] = value end)
    end
    check.refused(vcs.ERR_RANGE, "emulate: emulation.duration: a number expected, got the string '5'",
        emulation("duration", "5"))
    check.refused(vcs.ERR_RANGE, "emulate: emulation.seed: a whole number", emulation("seed", -1))
    check.refused(vcs.ERR_RANGE, "emulate: emulation.seed: a whole number", emulation("seed", 1e300))
    check.refused(vcs.ERR_RANGE, "emulate: emulation.seed: a whole number", emulation("seed", 0.5))
    check.refused(vcs.ERR_RANGE, "emulate: emulation.max_reply: a whole number", emulation("max_reply", 2 ^ 32))
    check.refused(vcs.ERR_RANGE, "emulate: emulation.study_rules: true or false", emulation("study_rules", 2))
    check.refused(vcs.ERR_FLAGS, "emulate: emulation: emulation has no field 'length'", emulation("length", 5))
    check.refused(vcs.ERR_NOT_FINITE, "emulate: emulation: duration", emulation("duration", nan))
    check.refused(vcs.ERR_NOT_FINITE, "emulate: emulation: start", emulation("start", huge))
    check.refused(vcs.ERR_RANGE, "emulate: emulation: duration", emulation("duration", -1))
    check.equal(type(emulation("seed", "18446744073709551615")), "table")
end

function tests.records_of_an_emulation()
    local function model(name, value)
        return emulate_with(function(scenario) scenario.models[1][name] = value end)
    end
    check.refused(vcs.ERR_RANGE, "emulate: models[1].cpus: a number expected, got the string 'x'", model("cpus", "x"))
    check.refused(vcs.ERR_RANGE, "emulate: models[1].gpu: a place in a list", model("gpu", 0))
    check.refused(vcs.ERR_FLAGS, "emulate: models[1]: job_model has no field 'mean'", model("mean", 5))
    check.refused(vcs.ERR_NOT_FINITE, "emulate: job_model[1]: mean_flops", model("mean_flops", nan))
    check.refused(vcs.ERR_RANGE, "emulate: job_model[1]: latency_bound", model("latency_bound", -1))
    check.refused(vcs.ERR_INDEX, "emulate: job_model[1]: gpu", model("gpu", 2))
    check.refused(vcs.ERR_COUNT, "emulate: models",
        emulate_with(function(scenario) scenario.models = {} end))
    check.refused(vcs.ERR_COUNT, "emulate: models: a list without holes expected",
        emulate_with(function(scenario) scenario.models = { [2] = {} } end))
    check.refused(vcs.ERR_RANGE, "emulate: models[1]: a table or a record of job_model expected, got 5",
        emulate_with(function(scenario) scenario.models = { 5 } end))
    check.refused(vcs.ERR_RANGE, "emulate: servers: a list or an array of server_model expected",
        emulate_with(function(scenario) scenario.servers = vcs.array("job_model", 1) end))
    check.refused(vcs.ERR_RANGE, "emulate: server_model[1]: scheduler_failure",
        emulate_with(function(scenario) scenario.servers = { { scheduler_failure = 2 } } end))
    check.refused(vcs.ERR_RANGE, "emulate: resource[1]: instances is too small",
        emulate_with(function(scenario) scenario.resources[1].instances = 0 end))
    check.refused(vcs.ERR_INDEX, "emulate: app[1]: project",
        emulate_with(function(scenario) scenario.apps[1].project = 2 end))
end

function tests.lists_of_numbers()
    local function sizes(list)
        return emulate_with(function(scenario) scenario.sizes = list end)
    end
    check.refused(vcs.ERR_RANGE, "emulate: sizes: a list of numbers expected, got 5", sizes(5))
    check.refused(vcs.ERR_RANGE, "emulate: sizes[2]: a number expected, got the string 'x'", sizes { 1, "x" })
    check.refused(vcs.ERR_COUNT, "emulate: sizes: a list without holes expected", sizes { 1, nil, 3 })
    check.refused(vcs.ERR_NOT_FINITE, "emulate: sizes", sizes { nan })
    check.refused(vcs.ERR_RANGE, "emulate: switches",
        emulate_with(function(scenario) scenario.switches = { 5, 3 } end))
end

return tests
