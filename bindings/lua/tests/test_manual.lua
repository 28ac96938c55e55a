-- SPDX-License-Identifier: MIT
--
-- The blocks of doc/lua.md run, and print what they say they print.

local check = require "check"

local tests = {}

-- The blocks of Lua, and where each begins.
local function blocks()
    local found, block, number = {}, nil, 0
    for line in io.lines(SOURCES .. "doc/lua.md") do
        number = number + 1
        if line == "```lua" then
            block = { line = number }
        elseif line == "```" and block then
            found[#found + 1] = block
            block = nil
        elseif block then
            block[#block + 1] = line
        end
    end
    return found
end

-- What the block says it prints: the text behind each arrow.
local function promised(block)
    local texts = {}
    for _, line in ipairs(block) do
        texts[#texts + 1] = line:match "%-%-> (.*)$"
    end
    return texts
end

-- Lua before 5.3 writes whole numbers without a point.
local function normal(text)
    return (text:gsub("(%d)%.0%f[%D]", "%1"))
end

local function run(block, environment)
    local printed = {}
    environment.print = function(...)
        local words = {}
        for place = 1, select("#", ...) do
            words[place] = tostring((select(place, ...)))
        end
        printed[#printed + 1] = table.concat(words, " ")
    end
    -- What one block declares the next may use.
    local source = table.concat(block, "\n"):gsub("%f[%w]local ", "")
    local chunk
    if setfenv then
        chunk = setfenv(assert(loadstring(source)), environment)
    else
        chunk = assert(load(source, "doc/lua.md:" .. block.line, "t", environment))
    end
    chunk()
    return printed
end

function tests.the_manual_says_what_happens()
    local environment = setmetatable({}, { __index = _G })
    local count = 0
    for _, block in ipairs(blocks()) do
        if not table.concat(block):find "vcsched_ffi" or (jit and os.getenv "VCSCHED_LIBRARY") then
            local printed, expected = run(block, environment), promised(block)
            local place = 1
            for _, line in ipairs(printed) do
                if expected[place] and normal(line) == normal(expected[place]) then
                    place = place + 1
                end
            end
            check.equal(expected[place], nil, "printed by the block at line " .. block.line)
            count = count + 1
        end
    end
    check.equal(count >= 5, true, "blocks were run")
end

-- What an example prints, line by line.
local function example(name, ...)
    local lines = {}
    local environment = setmetatable({
        arg = { ... }, print = function(line) lines[#lines + 1] = line end,
    }, { __index = _G })
    local path = SOURCES .. "examples/lua/" .. name
    local chunk = setfenv and setfenv(assert(loadfile(path)), environment) or assert(loadfile(path, "t", environment))
    chunk()
    return lines
end

-- What it prints in the end, whatever Lua runs it.
function tests.the_tiny_client_runs()
    local lines = example "tiny_client.lua"
    check.equal(lines[#lines - 1], "Alpha: 10 tasks done, 31.0 CPU hours")
    check.equal(lines[#lines], "Beta: 16 tasks done, 17.0 CPU hours")
end

function tests.the_custom_fetch_keeps_the_shares_better()
    local lines = example("custom_fetch.lua", "5")
    check.equal(#lines, 6)
    local violation = {}
    for place = 2, #lines do
        local name, figure = lines[place]:match "^(.-) +[%d.]+ +[%d.]+ +([%d.]+) +[%d.]+$"
        violation[name] = tonumber(figure)
    end
    check.equal(violation["least served"] < violation.current, true)
    check.equal(violation.wf1 > violation.wf2, true)
end

-- The figures are those that emulate_grid() of the Python package has for the same grid.
function tests.the_grid_by_the_ffi()
    if jit and os.getenv "VCSCHED_LIBRARY" then
        local lines = example "grid.lua"
        check.equal(#lines, 3)
        check.equal(lines[1], "quorum 1: 12000 units done,  996 of them wrong, by 50 hosts of which 8 cheat")
        check.equal(lines[2], "quorum 2:  5599 units done,  149 of them wrong, by 50 hosts of which 8 cheat")
        check.equal(lines[3], "quorum 3:  3667 units done,   20 of them wrong, by 50 hosts of which 8 cheat")
    end
end

return tests
