-- SPDX-License-Identifier: MIT
--
--     lua run.lua FOLDER_OF_THE_SOURCES TEST.lua...
--
-- Runs tests with the modules of the build, which LUA_CPATH and LUA_PATH name.

SOURCES = arg[1] .. "/"
package.path = SOURCES .. "bindings/lua/tests/?.lua;" .. package.path

require("check").run { (unpack or table.unpack)(arg, 2) }
