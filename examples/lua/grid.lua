-- SPDX-License-Identifier: MIT
--
-- A whole grid by LuaJIT's ffi: how many copies must agree if some hosts cheat? One line for each quorum.
--
--     luajit grid.lua [HOSTS]
--
-- One host in ten returns a wrong result for every other job, and all of them the same one. Hosts of two CPUs, always
-- on, compute units of an hour for five days.

local ffi = require "ffi"
local vcs = require "vcsched_ffi"

local HOUR, DAY = 3600, 86400
local hosts = tonumber(arg and arg[1]) or 50

-- A host that is attached to one project, and the jobs of that project: they use a CPU.
local function one_host()
    local arrays = {
        host = vcs.new("host", 1), resources = vcs.new("resource", 1), projects = vcs.new("project", 1),
        apps = vcs.new("app", 1), models = vcs.new("job_model", 1), emulation = vcs.new("emulation", 1),
    }
    arrays.resources[0].flops, arrays.resources[0].usable, arrays.resources[0].instances = 1e9, 1, 2
    arrays.projects[0].share = 100
    arrays.models[0].cpus, arrays.models[0].weight, arrays.models[0].latency_bound = 1, 1, DAY
    assert(vcs.emulation_init(arrays.emulation, ffi.sizeof "vcs_emulation", vcs.PROFILE_CURRENT))
    return vcs.scenario(arrays), arrays
end

local function emulated(quorum)
    local policy, scenario, arrays = vcs.new "parameters", one_host()
    assert(vcs.parameters_init(policy, policy.struct_size, vcs.PROFILE_CURRENT))
    policy.min_buffer, policy.additional_buffer = HOUR, HOUR

    local terms, projects, model = vcs.new("grid_terms", 1), vcs.new("grid_project", 1), vcs.new("host_model", 1)
    assert(vcs.grid_terms_init(terms, ffi.sizeof "vcs_grid_terms"))
    terms[0].duration = 5 * DAY
    assert(vcs.grid_project_init(projects, ffi.sizeof "vcs_grid_project"))
    projects[0].delay_bound, projects[0].min_quorum, projects[0].target_nresults = DAY, quorum, quorum
    model[0].count, model[0].flags = hosts, vcs.HOSTS_COLLUDE
    model[0].saboteurs, model[0].sabotage = 0.1, 0.5

    local grid, memory = vcs.grid {
        terms = terms, projects = projects,
        classes = { { scenario = scenario, parameters = policy, model = model, projects = ffi.new("uint32_t[?]", 1) } },
    }
    local outcome, of_projects = vcs.new "grid_outcome", vcs.new("grid_project_outcome", 1)
    assert(vcs.emulate_grid(grid, nil, vcs.grid_results { outcome = outcome, projects = of_projects }))
    return of_projects, outcome, { memory, arrays }  -- what the grid points to must live until here
end

for quorum = 1, 3 do
    local projects, outcome = emulated(quorum)
    print(("quorum %d: %5d units done, %4d of them wrong, by %d hosts of which %d cheat"):format(quorum,
        tonumber(projects[0].done), tonumber(projects[0].wrong_accepted), tonumber(outcome.hosts),
        tonumber(outcome.saboteurs)))
end
