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
   VCSCHED = { header = "vcsched/vcsched.h", library = "vcsched" },
}
-- The library itself is found like any other: installed, or where VCSCHED_DIR says. Python writes what follows from
-- its headers.
build = {
   type = "command",
   build_command = [[
for part in constants.inc layouts.inc functions.inc vcsched_cdef.lua; do
    python3 bindings/lua/generate.py "$(VCSCHED_INCDIR)/vcsched" bindings/lua/$part bindings/lua/$part.d || exit 1
done
$(CC) $(CFLAGS) -std=c11 -fvisibility=hidden -I$(LUA_INCDIR) -I$(VCSCHED_INCDIR) -Ibindings/lua bindings/lua/*.c \
    $(LIBFLAG) -L$(VCSCHED_LIBDIR) -lvcsched -o bindings/lua/vcsched.so
]],
   install_command = [[
mkdir -p "$(LIBDIR)" "$(LUADIR)" && cp bindings/lua/vcsched.so "$(LIBDIR)" &&
cp bindings/lua/vcsched_ffi.lua bindings/lua/vcsched_cdef.lua "$(LUADIR)"
]],
}
