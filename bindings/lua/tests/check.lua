-- SPDX-License-Identifier: MIT
--
-- A few lines that run tests: functions of a table, by name, each with its own outcome.

local check = {}

-- How many of the given number of rounds to run: all, or with the environment variable VCS_ONE_CASE_IN=10 one in ten,
-- for builds in which each takes ten times as long.
function check.rounds(usual)
    return math.ceil(usual / tonumber(os.getenv "VCS_ONE_CASE_IN" or 1))
end

function check.equal(got, expected, what)
    if got ~= expected and not (got ~= got and expected ~= expected) then
        error(("%s: expected %s, got %s"):format(what or "value", tostring(expected), tostring(got)), 2)
    end
end

-- Bytes: the message says where the first difference is.
function check.same_bytes(got, expected, what)
    for place = 1, math.max(#got, #expected) do
        if got:byte(place) ~= expected:byte(place) then
            error(("%s: %d bytes expected, got %d; byte %d is another one"):format(what, #expected, #got, place), 2)
        end
    end
end

-- What a function that refuses its arguments returns: nil, a message that has `words`, and the code.
function check.refused(code, words, value, message, got)
    check.equal(value, nil, "answer")
    check.equal(got, code, "code")
    if not message:find(words, 1, true) then
        error(("the message '%s' does not say '%s'"):format(message, words), 2)
    end
end

-- An error that is raised, with these words.
function check.raises(words, f, ...)
    local went_well, message = pcall(f, ...)
    if went_well or not tostring(message):find(words, 1, true) then
        error(("expected an error that says '%s', got '%s'"):format(words, tostring(message)), 2)
    end
end

-- Runs the tests of all files and ends the program. The last line counts them.
function check.run(files)
    local started, passed, failed = os.time(), 0, 0
    for _, file in ipairs(files) do
        local tests, names = dofile(file), {}
        for name in pairs(tests) do
            names[#names + 1] = name
        end
        table.sort(names)
        for _, name in ipairs(names) do
            local went_well, message = xpcall(tests[name], debug.traceback)
            if went_well then
                passed = passed + 1
            else
                failed = failed + 1
                print(file .. ": " .. name .. ": " .. tostring(message))
            end
        end
    end
    print(("%d passed, %d failed in %d.0s"):format(passed, failed, os.time() - started))
    os.exit(failed == 0 and passed > 0 and 0 or 1)
end

return check
