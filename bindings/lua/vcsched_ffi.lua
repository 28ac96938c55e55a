-- SPDX-License-Identifier: MIT
--
-- libvcsched and libvcemu through LuaJIT's ffi: the structs themselves, and functions that a trace compiles into plain
-- calls.
--
--     local vcs = require "vcsched_ffi"
--     local task = vcs.new("task", 1000)          -- a vcs_task[1000]; indices count from 0, as in C
--     local credits = assert(vcs.credits(86400e9))
--
-- Functions take the arguments of the library, except the vcs_error and the memory for single numbers, and return
-- these numbers, or true; on an error nil, a message and a code. vcs.C is libvcsched itself, and vcs.E libvcemu. Their
-- paths are in the environment variables VCSCHED_LIBRARY and VCEMU_LIBRARY if the loader is not to look for them.

local ffi = require "ffi"
local generated = require "vcsched_cdef"

ffi.cdef(generated.declarations)
local C = ffi.load(os.getenv "VCSCHED_LIBRARY" or "vcsched")
local E = ffi.load(os.getenv "VCEMU_LIBRARY" or "vcemu")

local vcs = { C = C, E = E }
for name, value in pairs(generated.constants) do
    vcs[name] = value
end

-- ---- The layout: what this file was made for against what the library says of itself ----

local function refuse(what)
    error(("libvcsched %s does not fit vcsched_ffi, which was made for %d.%d.%d: %s"):format(
        ffi.string(C.vcs_version()), vcs.VERSION_MAJOR, vcs.VERSION_MINOR, vcs.VERSION_PATCH, what), 0)
end

-- Offsets by name, as the library has them; a struct inside a struct begins where its first field does.
local function offsets_in_library(kind)
    local info = ffi.new("vcs_field_info")
    info.struct_size = ffi.sizeof(info)
    local offsets = {}
    for index = 0, E.vcs_emulator_field_count(kind) - 1 do
        if E.vcs_emulator_field_at(kind, index, info) ~= 0 then
            refuse("its tables of fields cannot be read")
        end
        local name = ffi.string(info.name)
        local outer = name:match "^(.-)%."
        offsets[name] = info.offset
        offsets[outer or name] = offsets[outer or name] or info.offset
    end
    return offsets
end

local function check_struct(struct)
    local kind = vcs[struct.type]
    local ours, theirs = ffi.sizeof("vcs_" .. struct.name), E.vcs_emulator_struct_size(kind)
    if theirs < ours then
        refuse(("it is older: its vcs_%s has %d bytes, not %d"):format(struct.name, theirs, ours))
    end
    local offsets = offsets_in_library(kind)
    for _, field in ipairs(struct.fields) do
        if offsets[field] ~= ffi.offsetof("vcs_" .. struct.name, field) then
            refuse(("vcs_%s.%s is not where this file expects it"):format(struct.name, field))
        end
    end
end

if C.vcs_abi_version() ~= vcs.ABI_VERSION then
    refuse("its binary interface is another one")
end
for _, struct in ipairs(generated.structs) do
    check_struct(struct)
end

-- ---- Errors ----

local function fail(name, code, detail)
    local message = detail and detail.message[0] ~= 0 and ffi.string(detail.message) or ffi.string(C.vcs_strerror(code))
    return nil, name .. ": " .. message, code
end

local vcs_error = ffi.new("vcs_error")
vcs_error.struct_size = ffi.sizeof(vcs_error)
if C.vcs_self_test(vcs_error) ~= 0 and ffi.string(vcs_error.field) ~= "denormals" then
    error("libvcsched decides otherwise here than elsewhere: " .. ffi.string(vcs_error.message), 0)
end

-- An error without a message must not show the message of an earlier one.
local function fail_and_forget(name, code, detail)
    local _, message = fail(name, code, detail)
    if detail then
        detail.message[0] = 0
    end
    return nil, message, code
end

for name, call in pairs(generated.functions(C, E, fail_and_forget, vcs_error, ffi.new("double[4]"),
    ffi.new("uint32_t[4]"), ffi.new("size_t[4]"))) do
    vcs[name] = call
end

-- ---- Records and states ----

-- A struct, or an array of them; all 0, with their size where a struct begins with it.
function vcs.new(name, count)
    if not count then
        local made = ffi.new("vcs_" .. name)
        if pcall(function() return made.struct_size end) then
            made.struct_size = ffi.sizeof(made)
        end
        return made
    end
    return ffi.new("vcs_" .. name .. "[?]", count)
end

-- The bytes of an element: a struct, or a double or uint32_t, which the ffi turns into a number.
local function element_size(array)
    if type(array[0]) == "number" then
        return ffi.istype("uint32_t[?]", array) and 4 or 8
    end
    return tonumber(ffi.sizeof(array[0]))
end

-- How many elements an array has that comes from vcs.new(), or from ffi.new("double[?]", ...).
function vcs.count(array)
    return ffi.sizeof(array) / element_size(array)
end

-- Points an array of a snapshot or of a scenario at such an array, or at the first `count` elements of it.
function vcs.point(target, array, count)
    target.base = array
    target.element_size = element_size(array)
    target.count = count or vcs.count(array)
end

-- A vcs_array, as functions take it: of all elements of such an array, or the first `count`. It does not keep the array
-- alive.
function vcs.array(array, count)
    local made = ffi.new "vcs_array"
    vcs.point(made, array, count)
    return made
end

local function point_all(target, names, records)
    for _, name in ipairs(names) do
        if records[name] then
            vcs.point(target[name], records[name])
        end
    end
end

local arrays_of_snapshot = { "host", "resources", "projects", "project_resources", "apps", "app_resources", "tasks",
    "candidates", "hours" }
local arrays_of_scenario = { "emulation", "models", "servers", "sizes", "switches" }

-- A snapshot of arrays by name: vcs.snapshot{ host = , resources = , tasks = , ... }. It does not keep them alive.
function vcs.snapshot(records)
    local snapshot = vcs.new "snapshot"
    point_all(snapshot, arrays_of_snapshot, records)
    return snapshot
end

-- The same for an emulation: vcs.scenario{ host = , ..., emulation = , models = , sizes = , ... }. vcs.emulate() takes
-- it; functions of Lua's as a policy are for the module "vcsched", which keeps their errors from crossing frames of C.
function vcs.scenario(records)
    local scenario = vcs.new "scenario"
    scenario.snapshot.struct_size = ffi.sizeof "vcs_snapshot"
    point_all(scenario.snapshot, arrays_of_snapshot, records)
    point_all(scenario, arrays_of_scenario, records)
    return scenario
end

-- The same for a grid: vcs.grid{ terms = , projects = , classes = { { scenario = , parameters = , model = ,
-- projects = , rows = }, ... } }. `projects` of a class is a ffi.new("uint32_t[?]", ...). The second answer is the
-- memory of all that the grid points to: keep it as long as the grid, and the arrays of the scenarios too.
function vcs.grid(records)
    local grid, classes = vcs.new "grid", vcs.new("host_class", #records.classes)
    point_all(grid, { "terms", "projects" }, records)
    for number, given in ipairs(records.classes) do
        local class = classes[number - 1]
        class.struct_size = ffi.sizeof "vcs_host_class"
        class.scenario, class.parameters = given.scenario, given.parameters
        point_all(class, { "projects", "model", "rows" }, given)
    end
    vcs.point(grid.classes, classes)
    return grid, { classes, records }
end

-- Where the outcome of a grid goes: vcs.grid_results{ outcome = , projects = , hosts = , samples = , sample_count = ,
-- turnarounds = }, of which each may be missing. `samples` has room for `sample_count` of each project.
function vcs.grid_results(arrays)
    local results = vcs.new "grid_results"
    for _, name in ipairs { "outcome", "projects", "hosts", "samples", "turnarounds" } do
        if arrays[name] then
            results[name] = arrays[name]
        end
    end
    for name, one in pairs { projects = "project", hosts = "host", samples = "sample" } do
        if arrays[name] then
            results[one .. "_size"] = element_size(arrays[name])
            results[one .. "_count"] = name == "samples" and arrays.sample_count or vcs.count(arrays[name])
        end
    end
    return results
end

-- A prepared state, for vcs.wrr(state, summary) and so on. Keep the second answer, its memory, as long as the state.
function vcs.prepare(snapshot, parameters, now)
    local size = vcs.state_size(snapshot) or 8  -- if there is none, state_prepare() says why
    local memory = ffi.new("uint64_t[?]", math.ceil(size / 8))
    local state = ffi.new("vcs_state *[1]")
    local done, message, code = vcs.state_prepare(snapshot, parameters, now, memory, size, state)
    if not done then
        return nil, message, code
    end
    return state[0], memory
end

return vcs
