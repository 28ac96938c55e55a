-- SPDX-License-Identifier: MIT
--
-- Records as tables and as typed memory, and what survives the way there and back.

local check = require "check"
local vcs = require "vcsched"

local tests = {}

-- Every struct of both libraries by name, with the names and kinds of its fields.
local function structs()
    local found = {}
    local function add(name, count, describe)
        if name ~= "" and name ~= "snapshot" and name ~= "candidate" then
            local fields = {}
            for place = 1, count do
                fields[place] = assert(describe(place))
            end
            found[name] = fields
        end
    end
    for number = 1, vcs.TYPE_COUNT - 1 do
        add(vcs.struct_name(number), vcs.field_count(number), function(place) return vcs.field_at(number, place) end)
    end
    for number = vcs.TYPE_EMULATION, vcs.TYPE_EMULATION + 99 do
        add(vcs.emulator_struct_name(number), vcs.emulator_field_count(number),
            function(place) return vcs.emulator_field_at(number, place) end)
    end
    return found
end

function tests.all_fields_of_all_structs_are_there()
    local hidden = { struct_size = true }
    for name, fields in pairs(structs()) do
        local record = assert(vcs.record(name))
        for _, field in ipairs(fields) do
            if not hidden[field.name] and not field.name:find "reserved" then
                local value = record
                for part in field.name:gmatch "[^.]+" do
                    value = value[part]
                end
                check.equal(value == nil or type(value) ~= "userdata", true, name .. "." .. field.name)
            end
        end
    end
end

-- Every number a field can hold, with fields told apart.
local function fill(record, fields)
    for place, field in ipairs(fields) do
        local settable = field.kind ~= "bytes" and field.name ~= "struct_size" and field.size <= 8
        if settable and not field.name:find "[.]" and not field.name:find "reserved" then
            record[field.name] = type(record[field.name]) == "boolean" and place % 2 == 0 or place
        end
    end
end

function tests.the_way_to_tables_and_back_loses_nothing()
    local tried = 0
    for name, fields in pairs(structs()) do
        local record = assert(vcs.record(name))
        if pcall(fill, record, fields) and name ~= "parameters" and not name:find "info" and name ~= "error" then
            tried = tried + 1
            check.equal(vcs.bytes(vcs.record(name, vcs.totable(record))), vcs.bytes(record), name)
        end
    end
    check.equal(tried > 46, true)
end

function tests.whole_numbers_of_64_bits()
    local record = vcs.record "unit"
    for _, text in ipairs { "9007199254740993", "9223372036854775808", "18446744073709551615" } do
        record.hr_class = text
        check.equal(tostring(record.hr_class), text)
    end
    record.hr_class = 2 ^ 53
    check.equal(record.hr_class, 2 ^ 53)
end

function tests.arrays_behave_like_lists()
    local array = vcs.array("task", { { id = 1, cpus = 1 }, { id = 2, project = 3 } })
    check.equal(array.get ~= nil, true)
    check.equal(#array, 2)
    check.equal(array[2].project, 3)
    check.equal(array[1].project, 1)
    check.equal(array[1].app, nil)
    check.equal(array[3], nil)
    array[1].app = 4
    check.equal(array:get(1, "app"), 4)
    array[1].app = nil
    check.equal(array:get(1, "app"), nil)
    array[1] = array[2]
    check.equal(array[1].id, 2)
    array[2] = { id = 9 }
    check.equal(array[2].project, 1)
    check.equal(tostring(array), "vcsched.array of 2 task")
    check.equal(vcs.totable(array)[1].id, 2)
end

function tests.bytes_there_and_back()
    local array = vcs.array("task", { { id = 1 }, { id = 2 } })
    local copy = vcs.array("task", vcs.bytes(array))
    check.equal(#copy, 2)
    check.equal(copy[2].id, 2)
    check.equal(vcs.bytes(copy), vcs.bytes(array))
end

function tests.an_element_keeps_its_array_alive()
    local element = vcs.array("task", { { id = 77 } })[1]
    local inner = vcs.array("rpc_project", { { id = 1, timer = { failures = 5 } } })[1].timer
    for _ = 1, 20 do
        vcs.array("task", 1000)
        collectgarbage()
    end
    check.equal(element.id, 77)
    check.equal(inner.failures, 5)
end

function tests.records_stand_in_lists_too()
    local resource = vcs.record("resource", { flops = 1e9, usable = 1, instances = 2 })
    local state = assert(vcs.prepare { now = 0, resources = { resource } })
    assert(state:wrr())
    check.equal(state:wrr_resources()[1].idle_now, 2)
end

return tests
