-- SPDX-License-Identifier: MIT
rockspec_format = "3.0"
package = "vcsched"
version = "scm-1"
source = {
   url = "file://.",
}
description = {
   summary = "Scheduling policy of volunteer computing: what to run, what to fetch, from whom, and why",
   license = "MIT",
}
dependencies = {
   "lua >= 5.1, < 5.5",
}
external_dependencies = {
   VCSCHED = { header = "vcemu/emulator.h", library = "vcemu" },
}
-- The libraries themselves, which are installed together, are found like any others: in a standard place, or under the
-- prefix that VCSCHED_DIR names, where the module finds them again when it is loaded. Python writes what follows from
-- their headers.
build = {
   type = "command",
   build_command = [[
test -f bindings/lua/generate.py || {
    echo 'luarocks must run at the top of the source tree: luarocks make bindings/lua/vcsched-scm-1.rockspec' >&2
    exit 1
}
made=build/luarocks
mkdir -p $made || exit 1
for part in constants.inc layouts.inc functions.inc vcsched_cdef.lua; do
    python3 bindings/lua/generate.py "$(VCSCHED_INCDIR)" $made/$part $made/$part.d || exit 1
done
$(CC) $(CFLAGS) -std=c11 -fvisibility=hidden -I$(LUA_INCDIR) -I$(VCSCHED_INCDIR) -I$made bindings/lua/*.c \
    $(LIBFLAG) -L$(VCSCHED_LIBDIR) -Wl,-rpath,$(VCSCHED_LIBDIR) -lvcemu -lvcsched -o $made/vcsched.so
]],
   install_command = [[
mkdir -p "$(LIBDIR)" "$(LUADIR)" && cp build/luarocks/vcsched.so "$(LIBDIR)" &&
cp bindings/lua/vcsched_ffi.lua build/luarocks/vcsched_cdef.lua "$(LUADIR)"
]],
}
